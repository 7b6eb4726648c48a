"""Sentences for elements of real pages, without labels by hand: templates, synonyms, icons, places, other kinds.

`group` makes one training example: a sentence, elements of one page in words, and which of them is meant, if any."""
import random
import re

from elements import BOXES, phrase
from vocabulary import ICONS, KINDS, SEEN_ON_NAMELESS, SHOWN_AS, SYMBOLS, SYNONYMS, VALUES

TYPED = {"textbox", "searchbox", "spinbutton", "combobox", "editor", "date"}
PRESSED = {"button", "link", "clickable"}
OTHERS = {}
for line in SYNONYMS:
    for word in line:
        OTHERS.setdefault(word, []).append([other for other in line if other != word])
RANDOM = random.Random(0)


def pick(*options):
    return RANDOM.choice(options)


def chance(share):
    return RANDOM.random() < share


def clean(text):
    return re.sub(r"\s*[\(\[].*?[\)\]]\s*$|[:*…]+$", "", text or "").strip()


def lower(text):
    return text if re.search(r"[A-Z]{2}", text) or chance(.25) else text.lower()


def capital(text):
    return text[0].upper() + text[1:]


def small(text):
    return text[0].lower() + text[1:]


def as_word(text):
    return rf"(?<!\w){re.escape(text)}(?!\w)"


def synonym(text):
    low = clean(text).lower()
    known = [(word, lines) for word, lines in OTHERS.items() if re.search(as_word(word), low)]
    if not known:
        return None
    word, lines = RANDOM.choice(known)
    return re.sub(as_word(word), lambda _: RANDOM.choice(RANDOM.choice(lines)), low, count=1)


def name_of(c):
    """A way to say what the element is called: (words, whether they are quoted, where they come from), or None."""
    options = []
    name, role = clean(c["name"]), c["role"]
    if name:
        options += [(name, True, "name")] * 3 + [(lower(name), False, "name")] * 3
        parts = name.split()
        if len(parts) >= 3:
            options += [(" ".join(parts[:2]), False, "part"),
                        (lower(" ".join(part for part in parts if len(part) > 3) or name), False, "part")]
        other = synonym(name)
        if other:
            options += [(other, False, "synonym")] * 4
        symbol = c["name"].strip()
        if symbol in SYMBOLS:
            options += [(RANDOM.choice(SYMBOLS[symbol]), False, "symbol")] * 6
    else:
        options += labels_beside(c)
    for key in ("placeholder", "title"):
        text = clean(c[key])
        if text and text.lower() != name.lower():
            options += [(text, True, key), (lower(text), False, key)]
    if c["icon"]:
        shown = next((words for pattern, words in ICONS if re.search(pattern, c["icon"])), None)
        if shown:
            options += [(RANDOM.choice(shown), False, "icon")] * (2 if name else 5)
        else:
            options += [(RANDOM.choice(c["icon"].split()) + " icon", False, "icon")]
    idents = [word for word in c["ident"].split() if len(word) > 2]
    if idents and not name and role != "link":
        options += [(" ".join(idents[:2]), False, "id")]
    return RANDOM.choice(options) if options else None


def labels_beside(c):
    """A field without a name is called by the text left of it, else above it; a box by the text right of it."""
    options, role = [], c["role"]
    for key in ("left", "above", "right"):
        text = clean(c[key])
        if not text or len(text) >= 40:
            continue
        if (key == "right" and role not in BOXES
                or key == "left" and role in ("checkbox", "radio") and c["right"]
                or key == "above" and clean(c["left"]) and role in TYPED):
            continue
        times = 3 if role in TYPED or role in BOXES else 0
        options += [(text, True, key), (lower(text), False, key)] * times
        other = synonym(text)
        if other and times:
            options += [(other, False, "synonym")] * 2
    return options


def place_of(c, only=None):
    """Words for where it is; they need not be the page's own words. `only`: the kind of place that tells it apart."""
    options = []

    def add(kind, *texts):
        options.extend((kind, text) for text in texts)

    group, name, role = c["group"], clean(c["name"]), c["role"]
    if group and name and group.lower().startswith(c["name"].lower()):
        group = group[len(c["name"]):].strip()
    row = " ".join(group.split()[:RANDOM.randint(1, 3)]) if group else ""
    if len(row) > 1:
        add("row", f'in the row of "{row}"', f'in the row "{row}"', f'of "{row}"', f'for "{row}"', f'next to "{row}"',
            f"in the line of {row}", f'in the entry "{row}"')
    head, region, within, place = c["head"], c["region"], c["within"], c["place"]
    if head:
        add("head", f'under "{head}"', f'in the "{head}" section', f'below "{head}"',
            f"in the {lower(head)} {pick('box', 'card', 'panel', 'area', 'part', 'section')}")
    if region:
        add("region", f'in "{region}"',
            f"in the {lower(region)} {pick('form', 'group', 'dialog', 'menu', 'box', 'panel')}",
            f'in the "{region}" {pick("group", "section", "dialog", "form")}')
    if "dialog" in within:
        add("region", *[pick("in the dialog", "of the dialog", "in the pop-up", "at the bottom of the dialog")] * 3)
    if "navigation" in within:
        add("region", pick("in the navigation", "in the menu", "in the nav bar"))
    if "banner" in within:
        add("region", pick("in the header", "at the top", "in the top bar"))
    if "contentinfo" in within:
        add("region", pick("in the footer", "at the bottom"))
    if "form" in within:
        add("form", pick("of the form", "in the form"))
    if "table" in within:
        add("form", pick("in the table", "of the table"))
    if "left" in place and role in PRESSED | {"tab", "menuitem"}:
        add("position", pick("in the sidebar", "on the left", "in the left-hand menu", "in the side menu"))
    if "right" in place:
        add("position", pick("on the right", "on the right side"))
    if "top" in place:
        add("position", pick("at the top", "in the top bar", "in the header", "at the top of the page"))
        if "right" in place:
            add("position", pick("in the top right corner", "at the top right"))
    if "bottom" in place:
        add("position", pick("at the bottom", "at the bottom of the page"))
    if c["left"] and not c["name"]:
        add("near", f'next to "{c["left"]}"', f'beside "{c["left"]}"', f'to the right of "{c["left"]}"')
    if c["right"]:
        add("near", f'in front of "{c["right"]}"', f'to the left of "{c["right"]}"', f'before "{c["right"]}"')
    if c["above"] and role in TYPED:
        add("near", f'below "{c["above"]}"', f'under "{c["above"]}"')
    texts = [text for kind, text in options if only in (None, kind)]
    return RANDOM.choice(texts) if texts else ""


def telling_place(c, others, kinds):
    """Words for a place that none of the others has, or None."""
    telling = [key for key in kinds if c[key] and not any(other[key] == c[key] for other in others)]
    return place_of(c, kinds[RANDOM.choice(telling)]) or None if telling else None


def naming(c, candidates):
    """(words, quoted, where from, place) that fit this candidate and no other one, or None."""
    alike = [one for one in candidates if one is not c and (one["role"] in TYPED) == (c["role"] in TYPED)]
    named = name_of(c)
    if named is None:
        kinds = {"group": "row", "left": "near", "region": "region"}
        rivals = [one for one in alike if one["role"] == c["role"]]
        place = telling_place(c, rivals, kinds)
        if place is None:
            if rivals:
                return None
            place = place_of(c)
        return "", False, "place", place
    said, quoted, source = named
    low = said.lower()

    def fits(one):
        if any(low == clean(one[key]).lower() for key in ("name", "placeholder", "title")):
            return True
        if not one["name"] and any(low == clean(one[key]).lower() for key in ("left", "above")):
            return True
        if source == "icon":
            return one["icon"] == c["icon"]
        if source in ("symbol", "synonym", "id", "part"):
            if c["name"]:
                return one["name"] == c["name"]
            return one["left"] == c["left"] and one["above"] == c["above"]
        return False

    twins = [one for one in alike if fits(one)]
    if twins:
        place = telling_place(c, twins, {"group": "row", "region": "region", "head": "head"})
        return None if place is None else (said, quoted, source, place)
    return said, quoted, source, place_of(c) if chance(.4) else ""


def target_of(c, said, quoted, source):
    """The element in the words of a person: `the "Save" button`, `the three dots`."""
    kind = RANDOM.choice(KINDS.get(c["role"], [c["role"]]))
    if source in ("icon", "symbol") and chance(.5):
        kind = pick("icon", "button", "symbol", "")
    if not said and c["role"] in PRESSED and not c["icon"] and chance(.7):
        seen = RANDOM.choice(SEEN_ON_NAMELESS)
        target = (f'the "+" {pick("button", "icon", "link")}' if seen == "+"
                  else f"the {seen} {pick('button', 'icon', '', 'button')}".strip())
    elif not said:
        target = f"the {kind or 'control'}"
    elif quoted:
        target = pick(f'"{said}"', f'the "{said}" {kind}', f'the {kind} "{said}"') if kind else f'"{said}"'
    elif kind and not re.search(rf"\b{re.escape(kind.split()[-1])}$", said):
        target = f"the {said} {kind}"
    else:
        target = f"the {said}"
    if quoted and chance(.06):
        target = f'the {pick("icon", "arrow", "pencil", "plus icon", "tick", "red", "big")} "{said}"'
    return target


def typing(c, target, value, said, source, place):
    options = [f"Enter {value} in {target}", f"Type {value} into {target}", f"Type {value} in {target}",
               f"Fill in {target} with {value}", f"Set {target} to {value}", f"Enter {value} into {target}",
               f"Put {value} in {target}", f"Clear {target} and type {value}", f"Change {target} to {value}",
               f"Write {value} into {target}", f"Click into {target}", f"Clear {target}",
               f"Search for {value} in {target}"]
    if said and not place and source != "icon":
        options += [f"Enter {value} as the {said}", f"Enter the {said} {value}", f"Fill in {value} as {said}",
                    f"Enter {said} {value}", f"Change the {said} to {value}", f"Replace the {said} with {value}",
                    f'In the "{said}" row, type {value}', f"Overwrite the {said} with {value}",
                    f"Set {said} to {value}"] * 2
    if c["value"] and said:
        options += [f'Replace the {said} "{c["value"]}" with {value}', f'Replace "{c["value"]}" with {value}']
    act = RANDOM.choice(options)
    if c["role"] == "searchbox" or "search" in (c["name"] + c["placeholder"] + c["ident"]).lower():
        act = pick(act, act, f"Search for {value}", f"Type {value} into the search box {place}".strip(),
                   f"Type {value} in the search input", f"Enter {value} in the search field {place}".strip())
    return act + (pick(" and press Enter", " and hit Enter", " and confirm") if chance(.15) else "")


def choosing(target, value, said, place):
    options = [f"Select {value} from {target}", f"Choose {value} from {target}", f"Pick {value} in {target}",
               f"Select {value} in {target}", f"Choose {value} in {target}", f"Set {target} to {value}",
               f"Open {target}", f"Change {target} to {value}"]
    if said and not place:
        options += [f"Choose {value} as the {said}", f"Select {value} as {said}", f"Select {value} for the {said}",
                    f"Choose {value} {said}", f"Select the {said} {value}"] * 2
    return RANDOM.choice(options)


def ticking(target, said, quoted):
    verbs = ("Tick", "Check", "Select", "Click", "Uncheck", "Toggle", "Turn on", "Switch off", "Activate", "Mark",
             "Untick")
    options = [f"{verb} {target}" for verb in verbs]
    if said:
        name = f'"{said}"' if quoted else said
        options += [f"Check off {name}", f"Mark {name} as done"]
    return RANDOM.choice(options)


def sorting(target, said, quoted):
    if not said:
        return f"Click {target}"
    name = f'"{said}"' if quoted else said
    return pick(f"Click {target}", f"Sort by {name}", f"Click on {target}", f"Click {target} again",
                f"Sort the table by {name}")


def pressing(c, target, said, place):
    verbs = ["Click"] * 4 + ["Click on", "Press", "Select", "Open", "Hit", "Tap", "Choose", "Push", "Go to", "Follow",
                             "Use"]
    act = f"{RANDOM.choice(verbs)} {target}"
    if said and c["role"] in PRESSED and chance(.12):
        act = pick(f"{capital(said)} {pick('it', 'the entry', 'the record', 'the form', 'the item')} {place}".strip(),
                   f"Click {target} to {lower(said)} {pick('it', 'this')}", capital(said))
    if "menu" in c["ident"] + c["cls"] and chance(.3):
        act = f"Open the {said} menu {place}".strip()
    return act


def sentence_for(c, candidates):
    """A sentence for candidate c, or None if its words would fit another one as well."""
    named = naming(c, candidates)
    if named is None:
        return None
    said, quoted, source, place = named
    target = target_of(c, said, quoted, source)
    value = RANDOM.choice(VALUES)
    value = f'"{value}"' if chance(.8) or " " in value else value
    before = f"{capital(place)}, " if place.startswith("in ") and chance(.25) else ""
    if not before:
        target = f"{target} {place}".strip()
    role = c["role"]
    if role in TYPED - {"combobox"}:
        act = typing(c, target, value, said, source, place)
    elif role in ("combobox", "listbox"):
        act = choosing(target, value, said, place)
    elif role in BOXES:
        act = ticking(target, said, quoted)
    elif role == "columnheader":
        act = sorting(target, said, quoted)
    else:
        act = pressing(c, target, said, place)
    if before:
        act = before + small(act)
    if chance(.1):
        act = "I " + small(act)
    return re.sub(r"\s+", " ", act).strip()


def unprepared(c):
    """The same element on a page that nobody prepared: labels that are not tied to fields, icons without names."""
    c = dict(c)
    name, role = clean(c["name"]), c["role"]
    if role in TYPED | BOXES and name:
        if chance(.45):
            if role in ("checkbox", "radio") and chance(.7):
                side = "right"
            else:
                side = pick("left", "above", "left", "placeholder" if role in TYPED else "left")
            c["left"] = c["above"] = ""
            c[side], c["name"] = c["name"], ""
            if chance(.6):
                c["ident"] = ""
            if chance(.2) and not c["group"]:
                c["group"] = name
        if role in ("textbox", "spinbutton") and not c["value"] and chance(.2):
            c["value"] = RANDOM.choice(VALUES)
    elif role in PRESSED and name:
        if c["icon"] and chance(.4):
            c["name"] = c["title"] = ""
        elif chance(.06) and (c["group"] or c["head"] or c["region"]):
            c["name"] = c["title"] = c["icon"] = ""
        elif chance(.3):
            symbol = next((symbol for word, symbol in SHOWN_AS.items() if word in name.lower()), None)
            if symbol:
                c["name"], c["title"] = symbol, ""
    c["phrase"] = phrase(c)
    return c


def weight(c):
    """How often an element is asked for: more often where it is hard to say which one is meant."""
    role = c["role"]
    return ((1 if c["name"] else 5) * (3 if role in TYPED or role in BOXES or role == "listbox" else 1)
            * (2 if c["icon"] else 1) * (2 if c["group"] else 1))


def group(page, without, negatives=11):
    """(sentence, phrases, index of the right one), or None if no sentence was found. Two thirds of the others are those
    nearest in words. In a share `without` of the groups the right one is taken away, and the index is -1."""
    candidates = [unprepared(c) for c in page["candidates"]] if chance(.7) else page["candidates"]
    weights = [weight(c) for c in candidates]
    for _ in range(8):
        c = RANDOM.choices(candidates, weights)[0]
        sentence = sentence_for(c, candidates)
        if sentence:
            break
    else:
        return None
    said = set(re.findall(r"[a-z0-9]+", sentence.lower()))

    def nearness(one):
        text = " ".join(one[key] for key in ("name", "left", "above", "placeholder", "group")).lower()
        return len(said & set(re.findall(r"[a-z0-9]+", text))) + (one["role"] == c["role"]) * .5 + RANDOM.random() * .8

    rest = [one for one in candidates if one is not c and one["phrase"] != c["phrase"]]
    rest.sort(key=nearness, reverse=True)
    near, far = rest[:negatives * 2 // 3], rest[negatives * 2 // 3:]
    others = near + RANDOM.sample(far, min(len(far), negatives - negatives * 2 // 3))
    if chance(without):
        name = clean(c["name"]).lower()
        others = [one for one in others if not name or clean(one["name"]).lower() != name]
        return (sentence, [one["phrase"] for one in others], -1) if others else None
    at = RANDOM.randrange(len(others) + 1)
    return sentence, [one["phrase"] for one in others[:at] + [c] + others[at:]], at
