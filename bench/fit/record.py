#!/usr/bin/env python3
"""Records pages of `bench/applications` with the element that each act of their tests means.

    record.py OUT.jsonl.gz [APP ...]

An act that `assay do` carries out is labelled with the element it acted on. Where it refuses, the labels of
`bench/learnt-reader` say what a person would do; a test ends at the first refused act without a label. One line per act:
the sentence, the ref of the first element, and the page as it was before."""
import gzip
import json
import os
import pathlib
import re
import subprocess
import sys

import yaml

BENCH = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(BENCH / "learnt-reader"))
from labels import LABELS, WRONG  # noqa: E402
from session import call  # noqa: E402
from walk import APPLICATIONS, CLAIM, carry_out, refs_of  # noqa: E402

KEPT = ("role", "name", "ref", "parent", "value", "states", "attributes", "options", "box")


def lean(scene):
    """The page without what the choice of an element does not look at."""
    scene["nodes"] = [{key: node[key] for key in KEPT if node.get(key) not in (None, "", [], {})} | {"role": node["role"]}
                      for node in scene["nodes"]]
    return scene


def record(app, file):
    session = f"fit-{os.getpid()}-{file.stem}"[:40]
    for step, sentence in enumerate(yaml.safe_load(file.read_text())["steps"]):
        if not isinstance(sentence, str) or CLAIM.match(sentence):
            continue
        address = re.search(r"https?://\S+", sentence)
        if address and " and " not in sentence:
            call(session, "go", address.group(0))
            call(session, "wait", "--load", "--timeout", "4000")
            continue
        key = (app, file.stem, step)
        scene = call(session, "scene")["data"].get("scene")
        reply = call(session, "do", sentence)
        label = LABELS.get(key)
        if key not in WRONG and reply["data"].get("verdict") == "passed" and not (label and label["why"] == "x"):
            started = [event for event in reply["data"]["events"] if event["event"] == "command-started"]
            refs, ends = refs_of(event["command"] for event in started), False
        elif label:
            refs, worked = carry_out(session, label, step)
            ends = label["end"] or not worked
        else:
            break
        if scene and refs and refs[0]:
            print(f"  {app}/{file.stem} {step}: {sentence}", flush=True)
            yield {"app": app, "test": file.stem, "sentence": sentence, "ref": refs[0], "scene": lean(scene)}
        if ends:
            break
    call(session, "close")


def main():
    apps = sys.argv[2:] or sorted(path.parent.name for path in APPLICATIONS.glob("*/expected.json"))
    with gzip.open(sys.argv[1], "wt", compresslevel=9) as out:
        for app in apps:
            subprocess.run([str(APPLICATIONS / app / "reset")], check=True)
            for file in sorted((APPLICATIONS / app / "tests").glob("*.yaml")):
                for case in record(app, file):
                    line = json.dumps(case, separators=(",", ":"))
                    out.write(line.replace(str(pathlib.Path.home() / ".cache/assay-applications"), "/home/ada/applications") + "\n")


if __name__ == "__main__":
    main()
