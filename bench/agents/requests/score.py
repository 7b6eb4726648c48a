#!/usr/bin/env python3
"""Scores what `assay agent ask --dry-run` makes of requests in people's own words.

    score.py ASSAY REQUESTS.json PROJECT [--all]

Prints each request that is answered otherwise than its file says, how many are right, and how many started something that
their entry does not allow.
"""
import concurrent.futures
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

BROWSERS = {"chromium", "firefox", "webkit"}


def applications(project):
    """The names of each application, by host and port: of the suite, and of the navigation trees."""
    found = {}
    files = [(os.path.join(project, "assay.yaml"), "suite")]
    files += [(file, "interface") for file in glob.glob(os.path.join(project, "navigation", "*.yaml"))]
    for file, key in files:
        text = open(file, encoding="utf-8").read()
        name = re.search(rf"^{key}: *(\S+)", text, re.M)
        address = re.search(r"^base_url: *https?://([^/\s]+)", text, re.M)
        if name and address:
            found.setdefault(address[1], set()).update({name[1], address[1], f"http://{address[1]}"})
    return list(found.values())


def ask(assay, project, request, home):
    environment = dict(os.environ, HOME=home, ASSAY_RUNTIME_DIR=home + "/r", ASSAY_STATE=home + "/state")
    line = [assay, "agent", "ask", "--dry-run", "--json", "--", request]
    done = subprocess.run(line, cwd=project, env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    try:
        return json.loads(done.stdout)["data"]
    except (ValueError, KeyError):
        return {"broken": done.stdout + done.stderr}


def texts(value):
    return [str(one) for one in value] if isinstance(value, list) else [str(value)]


def same(name, wanted, found, known):
    if found is None:
        return False
    if name == "params":
        return all(str(found.get(key)) == str(value) for key, value in wanted.items())
    if name == "device":
        names = set(texts(found))
        return BROWSERS <= names if wanted == "all" else names == set(texts(wanted))
    if name == "userinterface":
        return any(wanted == one or {wanted, one} <= names for one in texts(found) for names in known)
    if name == "description":
        return wanted.lower() in " ".join(texts(found)).lower()
    if name == "name":
        return texts(found)[0].lower().rstrip(".") == wanted.lower().rstrip(".")
    return texts(found) == [str(wanted)]


def holds(expected, said, known):
    if "broken" in said:
        return False
    question, skill = said.get("question"), said.get("skill")
    if expected.get("question"):
        offered = [] if question is None else question["candidates"]
        near = expected.get("nearest")
        return question is not None and set(expected.get("candidates", [])) <= names(offered, known) and (
            near is None or bool(set(near) & names(offered, known)))
    if expected.get("none"):
        return question is None and skill is None
    slots = dict(said.get("slots") or {})
    if expected["skill"] == "manage-requirements" and "requirement" not in slots and "code" in slots:
        slots["requirement"] = slots["code"]
    arguments = expected.get("args", {})
    return question is None and skill == expected["skill"] and all(
        same(name, wanted, slots.get(name), known) for name, wanted in arguments.items())


def names(offered, known):
    """What is offered, with the other names of each application."""
    return set(offered).union(*(names for names in known if names & set(offered)))


def main():
    assay, requests, project = sys.argv[1:4]
    assay = os.path.abspath(assay)
    entries = json.load(open(requests, encoding="utf-8"))
    home = tempfile.mkdtemp(prefix="ar-")
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        answers = list(pool.map(lambda entry: ask(assay, project, entry["request"], home), entries))
    known = applications(project)
    right = wrong_starts = 0
    for entry, said in zip(entries, answers):
        expected = entry.get("expect_any") or [entry["expect"]]
        if any(holds(one, said, known) for one in expected):
            right += 1
            if "--all" not in sys.argv:
                continue
        elif said.get("skill") and not said.get("question"):
            wrong_starts += 1
        short = {key: said[key] for key in ("skill", "slots", "question", "broken") if said.get(key)}
        print(f"{entry['request']}\n  wanted {json.dumps(expected)}\n  got    {json.dumps(short)}")
    print(f"{right} of {len(entries)} right, {wrong_starts} wrong starts")


if __name__ == "__main__":
    main()
