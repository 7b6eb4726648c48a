#!/usr/bin/env python3
"""Tries other values for how sure an act must be, and prints what each does on the recorded pages.

    fit.py [--corpora]

`ENOUGH` is the least score of the best element, `LEAD` its least distance to the second
(`crates/assay-language/src/ground/thresholds.rs`). Each pair is built in a copy of the crates. With `--corpora`, the pages and
traps of the language tests are judged with each pair as well."""
import gzip
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PAIRS = [(0.35, 0.1), (0.4, 0.1), (0.45, 0.1), (0.5, 0.1), (0.55, 0.1), (0.6, 0.1), (0.7, 0.1), (0.8, 0.1),
         (0.5, 0.02), (0.5, 0.05), (0.5, 0.15), (0.5, 0.2), (0.5, 0.3)]


def main():
    with_corpora = "--corpora" in sys.argv
    cases = gzip.open(HERE / "cases.jsonl.gz").read()
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / "assay"
        subprocess.run(["git", "clone", "-q", "--shared", str(ROOT), str(copy)], check=True)
        for path in ("crates/assay-language", "crates/assay-protocol", "bench/fit/evaluate"):
            shutil.copytree(ROOT / path, copy / path, dirs_exist_ok=True, ignore=shutil.ignore_patterns("target"))
        thresholds = copy / "crates/assay-language/src/ground/thresholds.rs"
        plain = thresholds.read_text()
        print("| enough | lead | right | wrong | refused | not read | acts with the element taken away |" + (" corpora |" if with_corpora else ""))
        print("|---|---|---|---|---|---|---|" + ("---|" if with_corpora else ""))
        for enough, lead in PAIRS:
            text = re.sub(r"(ENOUGH: f64 = )[\d.]+", rf"\g<1>{enough}", plain)
            thresholds.write_text(re.sub(r"(LEAD: f64 = )[\d.]+", rf"\g<1>{lead}", text))
            found = subprocess.run(["cargo", "run", "-q", "--manifest-path", str(copy / "bench/fit/evaluate/Cargo.toml"),
                                    "--target-dir", f"{folder}/target"], input=cases, capture_output=True, check=True)
            score = json.loads(found.stdout.splitlines()[-1])
            line = f"| {enough} | {lead} | {score['right']} | {score['wrong']} | {score['refused']} | {score['unread']} | {score['wrong_when_absent']} |"
            if with_corpora:
                tests = subprocess.run(["cargo", "test", "-q", "-p", "assay-language", "--test", "it", "--target-dir", f"{folder}/target"],
                                       cwd=copy, capture_output=True, text=True)
                counts = re.search(r"\d+ passed; (\d+) failed", tests.stdout)
                if not counts:
                    sys.exit(f"the corpora could not be judged:\n{tests.stderr}")
                line += f" {'hold' if counts.group(1) == '0' else counts.group(1) + ' fail'} |"
            print(line, flush=True)


if __name__ == "__main__":
    main()
