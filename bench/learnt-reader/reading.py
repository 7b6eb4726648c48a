"""A coarse reading of an act: which kinds of elements it can mean. Not the rules of assay; every way of finding the
element that is compared here uses this filter."""
import re

TYPE = re.compile(r"(?:i )?(?:enter|type|fill|set|change|replace|overwrite|write|put|append|clear|insert|input|add"
                  r"|log in|sign in)\b", re.I)
PICK = re.compile(r"(?:i )?(?:select|choose|pick)\b", re.I)
TICK = re.compile(r"(?:i )?(?:tick|untick|check|uncheck|mark|toggle|switch (?:on|off)|turn (?:on|off))\b", re.I)
FIELD = {"textbox", "searchbox", "spinbutton", "editor", "combobox", "slider", "date"}
LIST = {"combobox", "listbox", "radio", "option", "menuitem", "link", "button", "clickable", "tab", "treeitem",
        "menuitemradio", "checkbox"}
BOX = {"checkbox", "radio", "switch", "button", "menuitemcheckbox", "clickable", "option"}


def kind_of(sentence):
    """`type`, `pick`, `tick` or `click`."""
    act = re.sub(r"^(?:in|under|on|at|inside|within)\s+[^,]*?,\s*", "", sentence, flags=re.I)
    act = re.sub(r"^(?:under|in) [a-z ]+? (?=click)", "", act, flags=re.I)
    for kind, verbs in (("type", TYPE), ("pick", PICK), ("tick", TICK)):
        if verbs.match(act):
            return kind
    return "click"


def fitting(sentence, candidates):
    """The indices of the candidates whose kind fits the act."""
    kind = kind_of(sentence)

    def fits(role):
        return {"type": role in FIELD, "pick": role in LIST, "tick": role in BOX}.get(kind, role != "option")

    return [i for i, one in enumerate(candidates) if "disabled" not in one["states"] and fits(one["role"])]
