"""Words an utterance as steps of a test: by the templates of steps.json, and by nothing else.

What a step is filled with comes out of the utterance alone. This module has no way to look at the page."""
import json
import pathlib
import re

TEMPLATES = json.loads((pathlib.Path(__file__).resolve().parent / "steps.json").read_text())
TASKS = [name for name in TEMPLATES if not name.startswith("_")]


class NoWording(Exception):
    """The utterance has a form that no template of the task expects."""


def form_of(task, utterance):
    """Which of the task's wordings it takes, and what is filled into that."""
    for number, wording in enumerate(TEMPLATES[task]["wordings"]):
        said = re.fullmatch(wording.get("when", ".*"), utterance)
        if said:
            return number, said.groupdict()
    raise NoWording(f"{task}: no template for: {utterance}")


def steps_of(task, utterance):
    number, said = form_of(task, utterance)
    wording = TEMPLATES[task]["wordings"][number]
    words = {"utterance": utterance, **said}
    for group, meanings in wording.get("means", {}).items():
        words.update(meanings[said[group]])
    return [step.format(**words) for step in wording["steps"]]


def is_verbatim(task):
    """The page's own sentence is the one step, unchanged."""
    return all(w["steps"] == ["{utterance}"] for w in TEMPLATES[task]["wordings"])
