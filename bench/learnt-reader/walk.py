#!/usr/bin/env python3
"""Walks through the tests of `bench/applications`, one act at a time, and writes the labelled cases.

    walk.py OUT.jsonl.gz [APP ...]

An act that `assay do` carries out is labelled with the element it acted on. For one that it refuses, labels.py says what
a person would do; that is done instead, so that the walk goes on. A test ends at the first refused act without a label.
One line per act: the sentence, the candidates of its page, the right ones among them, and why the act was lost:

    done  carried out          g     read, but its element was not found or not clear
    none  right to refuse      r     the sentence was not read
    x     carried out wrongly  w     the widget could not be used"""
import gzip
import json
import os
import pathlib
import re
import subprocess
import sys

import yaml

from elements import Scene
from labels import LABELS, WRONG
from session import call

APPLICATIONS = pathlib.Path(__file__).resolve().parent.parent / "applications"
CLAIM = re.compile(r"verify|check that|make sure|the |there |i should|a (confirmation|message)"
                   r"|[\"'].*\b(is|are|no longer)\b|wait (for|until)|back in the", re.I)
ON_ELEMENTS = ("click", "fill", "select", "type", "hover")


def find(session, target, mark):
    """The reference of a label's target. An expression marks its element first, since only locators can be looked up."""
    if target.startswith("js:"):
        call(session, "eval", f"(()=>{{const e=({target[3:]}); e.setAttribute('data-learnt','{mark}')}})()")
        target = f"[data-learnt='{mark}']"
    found = (call(session, "find-all", target)["data"].get("elements") or {}).get("elements") or []
    if len(found) != 1:
        print(f"  a label matches {len(found)} elements: {target}", flush=True)
    return found[0].get("ref") if found else None


def carry_out(session, label, step):
    """Does what the label says. The references it acted on, and whether everything worked."""
    refs, worked = [], True
    for number, command in enumerate(label["do"]):
        verb, *rest = command
        if verb in ON_ELEMENTS:
            ref = find(session, rest[0], f"{step}-{number}")
            refs.append(ref)
            rest[0] = ref or rest[0]
        reply = call(session, verb, *rest)
        if not reply.get("ok"):
            print(f"  a label failed: {command}: {reply.get('error')}", flush=True)
            worked = False
    call(session, "wait", "--load", "--timeout", "3000")
    return refs, worked


def indices_of(ref, scene, candidates):
    """The candidates that are this element: itself, else the active one around it; and namesakes inside or around it."""
    found = [i for i, one in enumerate(candidates) if one["ref"] == ref]
    if not found:
        node = next((i for i, one in enumerate(scene.nodes) if one.get("ref") == ref), None)
        if node is None:
            return []
        outer = list(scene.above(node))
        found = [i for i, one in enumerate(candidates) if one["node"] in outer][-1:]
        if not found:
            return []
    me = candidates[found[0]]
    return found + [i for i, one in enumerate(candidates)
                    if i != found[0] and one["name"] and one["name"] == me["name"]
                    and (scene.is_inside(one["node"], me["node"]) or scene.is_inside(me["node"], one["node"]))]


def case_of(key, sentence, scene, refs, why, note="", reason=None):
    scene = Scene(scene)
    candidates = scene.candidates()
    labels = [indices_of(ref, scene, candidates) for ref in dict.fromkeys(ref for ref in refs if ref)]
    if key in WRONG and why == "done":
        marks, note = WRONG[key]
        why = "x"
        labels = [[i for i, one in enumerate(candidates) if marks.items() <= one.items()][:1]]
    app, test, step = key
    kept = [{name: value for name, value in one.items() if name not in ("node", "ref")} for one in candidates]
    return {"app": app, "test": test, "step": step, "sentence": sentence, "why": why, "note": note, "reason": reason,
            "labels": labels, "candidates": kept}


def refs_of(commands):
    return [ref for command in commands
            for ref in re.findall(r'"(e\d+)"', command)[:2 if command.startswith("drag") else 1]]


def why_lost(reason, label):
    return "r" if str(reason).startswith("not understood") else label["why"] or "g"


def walk(app, file):
    """Yields the cases of one test."""
    session = f"learnt-{os.getpid()}-{file.stem}"[:40]
    for step, sentence in enumerate(yaml.safe_load(file.read_text())["steps"]):
        if CLAIM.match(sentence):
            continue
        address = re.search(r"https?://\S+", sentence)
        if address and " and " not in sentence:
            call(session, "go", address.group(0))
            call(session, "wait", "--load", "--timeout", "4000")
            continue
        key = (app, file.stem, step)
        scene = call(session, "scene")["data"].get("scene")
        reply = call(session, "do", sentence)
        reason = reply["data"].get("reason") or reply.get("error")
        label = LABELS.get(key)
        if reply["data"].get("verdict") == "passed" and not (label and label["why"] == "x"):
            started = [event for event in reply["data"]["events"] if event["event"] == "command-started"]
            case = case_of(key, sentence, scene, refs_of(event["command"] for event in started), "done")
            ends = False
        elif label:
            refs, worked = carry_out(session, label, step)
            why = why_lost(reason, label)
            case = case_of(key, sentence, scene, refs, why, label["note"], reason)
            ends = label["end"] or why == "none" or not worked
        else:
            print(f"  refused, and without a label: {key}: {sentence}: {reason}", flush=True)
            break
        print(f"  {case['why']:<4} {app}/{file.stem} {step}: {sentence}", flush=True)
        yield case
        if ends:
            break
    call(session, "close")


def main():
    apps = sys.argv[2:] or sorted(path.parent.name for path in APPLICATIONS.glob("*/expected.json"))
    with gzip.open(sys.argv[1], "wt") as out:
        for app in apps:
            subprocess.run([str(APPLICATIONS / app / "reset")], check=True)
            for file in sorted((APPLICATIONS / app / "tests").glob("*.yaml")):
                for case in walk(app, file):
                    out.write(json.dumps(case) + "\n")
            subprocess.run([str(APPLICATIONS / app / "stop")], check=True)


if __name__ == "__main__":
    main()
