"""From a scene to candidates: what each element is, in words that a small model can read.

Knows the scene as `assay scene --json` prints it. Does not know sentences."""
import gzip
import json
import re

ACTIVE = {"button", "link", "textbox", "searchbox", "combobox", "listbox", "checkbox", "radio", "switch", "tab",
          "menuitem", "menuitemcheckbox", "menuitemradio", "option", "slider", "spinbutton", "clickable", "columnheader",
          "treeitem", "file", "editor", "disclosure", "summary"}
FIELDS = {"textbox", "searchbox", "combobox", "listbox", "spinbutton", "slider", "file", "editor", "date", "color"}
BOXES = {"checkbox", "radio", "switch"}
GROUPS = {"row", "listitem", "article", "option", "treeitem"}
PLACES = {"dialog", "alertdialog", "navigation", "banner", "contentinfo", "toolbar", "menu", "form", "complementary",
          "table", "tablist", "search", "listbox", "tabpanel", "main", "group", "region"}
NAMED_PLACES = {"dialog", "alertdialog", "form", "group", "region", "menu", "navigation", "tabpanel", "toolbar", "table"}
STATES = ("checked", "disabled", "focused", "expanded", "collapsed", "selected", "pressed")
KIND = {"textbox": "text field", "searchbox": "search field", "combobox": "dropdown", "listbox": "list",
        "spinbutton": "number field", "columnheader": "column header", "menuitem": "menu item", "file": "file field",
        "listitem": "list item"}
ICON = re.compile(r"\b(?:fa|fas|far|fab|bi|icon|ti|la|mdi|glyphicon|uk-icon|ion|feather|lucide|bx|ri|i)[-_]+"
                  r"([a-z][a-z-]{1,24})", re.I)
# Words of ids and classes that say how an element looks, not what it is for.
LOOKS = set("""btn button input control form icon default primary secondary outline ghost sm lg md xs text link item nav
    container wrapper content inner box col row flex px py mb mt ml mr pt pb me ms w h max min active base ui js the is
    """.split())


def words(text):
    """`foo-barBaz_9` as foo, bar, baz."""
    text = re.sub(r"([a-z])([A-Z])", r"\1 \2", text or "")
    return [word for word in re.split(r"[^A-Za-z]+", text.lower()) if len(word) > 1]


def short(text, most=48):
    text = re.sub(r"\s+", " ", text or "").strip()
    return text if len(text) <= most else text[:most].rsplit(" ", 1)[0]


def unique(parts):
    return " ".join(dict.fromkeys(parts))


class Scene:
    """Everything that is visible on one page, as a tree."""

    def __init__(self, scene):
        self.nodes = scene["nodes"]
        self.view = scene.get("view", [1280, 720])
        self.children = [[] for _ in self.nodes]
        for i, node in enumerate(self.nodes):
            parent = node.get("parent")
            if parent is not None and parent < len(self.nodes):
                self.children[parent].append(i)
        self.texts = [i for i, node in enumerate(self.nodes)
                      if node["role"] == "text" and node.get("name") and "covered" not in node.get("states", [])]
        self.headings = [i for i, node in enumerate(self.nodes) if node["role"] == "heading" and node.get("name")]
        self.bottom = max([node["box"][1] + node["box"][3] for node in self.nodes if node.get("box")] or [720])

    def above(self, i):
        """The ancestors of a node, nearest first."""
        for _ in range(61):
            i = self.nodes[i].get("parent")
            if i is None:
                return
            yield i

    def is_inside(self, i, outer):
        return i == outer or outer in self.above(i)

    def text_of(self, i, most=80):
        found, open_nodes = [], [i]
        while open_nodes and sum(map(len, found)) < most:
            j = open_nodes.pop(0)
            if self.nodes[j]["role"] == "text" and self.nodes[j].get("name"):
                found.append(self.nodes[j]["name"])
            open_nodes = self.children[j] + open_nodes
        return short(" ".join(found), most)

    def candidates(self, most=400):
        """Every element that an act could mean, described. `node` and `ref` lead back to the scene."""
        found, seen = [], set()
        for i, node in enumerate(self.nodes):
            ref, states = node.get("ref"), node.get("states", [])
            if not ref or ref in seen or "covered" in states or "hidden" in states:
                continue
            if node["role"] in ACTIVE or "clickable" in states:
                seen.add(ref)
                found.append({"node": i, "ref": ref} | self.describe(i))
                if len(found) == most:
                    break
        return found

    def beside(self, i):
        """The nearest text left of, above and right of an element, by place on the page."""
        x, y, width, height = self.nodes[i]["box"]
        nearest = {"left": (260, ""), "above": (40, ""), "right": (160, "")}

        def offer(side, distance, text, least=-4):
            if least <= distance < nearest[side][0]:
                nearest[side] = (distance, text)

        for t in self.texts:
            if self.is_inside(t, i):
                continue
            tx, ty, text_width, text_height = self.nodes[t]["box"]
            text = self.nodes[t]["name"]
            shared = min(y + height, ty + text_height) - max(y, ty)
            if shared > 0.4 * min(height, text_height):
                offer("left", x - (tx + text_width), text)
                offer("right", tx - (x + width), text)
            elif tx < x + width and tx + text_width > x - 8:
                offer("above", y - (ty + text_height), text, least=-2)
        return {side: short(text, 40) for side, (_, text) in nearest.items()}

    def surroundings(self, i):
        """The row or entry, the named part of the page, and the kinds of parts that an element is in."""
        group = region = ""
        within = []
        for outer in self.above(i):
            node = self.nodes[outer]
            role = node["role"]
            if not group and role in GROUPS:
                group = self.text_of(outer, 60)
            if role in PLACES and role not in within:
                within.append(role)
            if not region and role in NAMED_PLACES:
                region = short(node.get("name"), 40)
                if not region and role in ("dialog", "alertdialog"):
                    region = self.text_of(outer, 30)
        return {"group": group, "region": region, "within": within[:3]}

    def heading_over(self, i):
        x, y, _, _ = self.nodes[i]["box"]
        nearest, heading = 1e9, ""
        for h in self.headings:
            if h >= i or self.is_inside(h, i):
                continue
            hx, hy, _, _ = self.nodes[h]["box"]
            if -30 <= y - hy < nearest and abs(hx - x) < 700:
                nearest, heading = y - hy, short(self.nodes[h]["name"], 40)
        return heading

    def icons_in(self, i):
        found, open_nodes, seen = [], [i], 0
        while open_nodes and seen < 12:
            j = open_nodes.pop()
            seen += 1
            attributes = self.nodes[j].get("attributes") or {}
            for key in ("class", "title", "src"):
                found += [icon.replace("-", " ") for icon in ICON.findall(attributes.get(key) or "")]
            open_nodes += self.children[j]
        return unique(found)[:30]

    def place_of(self, i):
        x, y, width, _ = self.nodes[i]["box"]
        centre = (x + width / 2) / self.view[0]
        return (("top" if y < 120 else "bottom" if y > self.bottom - 140 else "middle") + " "
                + ("left" if centre < .3 else "right" if centre > .7 else "center"))

    def describe(self, i):
        node = self.nodes[i]
        attributes = node.get("attributes") or {}
        names = [word for key in ("id", "name", "testid", "data-testid", "href") for word in words(attributes.get(key))]
        value = node.get("value")
        return {
            "role": node["role"],
            "name": short(node.get("name"), 60),
            **self.beside(i),
            **self.surroundings(i),
            "head": self.heading_over(i),
            "placeholder": short(attributes.get("placeholder"), 40),
            "title": short(attributes.get("title"), 40),
            "icon": self.icons_in(i),
            "ident": unique([word for word in names if word not in LOOKS][:6]),
            "cls": unique([word for word in words(attributes.get("class")) if word not in LOOKS][:5]),
            "value": short(value if isinstance(value, str) else "", 24),
            "place": self.place_of(i),
            "states": [state for state in node.get("states", []) if state in STATES],
        }


def phrase(candidate):
    """The element in words, the most telling first, since the model reads a limited number of tokens."""
    role, name = candidate["role"], candidate["name"]
    kind = KIND.get(role, role)
    parts = [f'{kind} "{name}"' if name else f"{kind} without name"]

    def add(label, key):
        text = candidate[key]
        if text and text.lower() != name.lower():
            parts.append(f"{label} {text}")

    add("placeholder", "placeholder")
    add("title", "title")
    add("icon", "icon")
    if role in FIELDS or role in BOXES or not name:
        add("left of it", "left")
        add("above it", "above")
        if role in BOXES or not name:
            add("right of it", "right")
        add("value", "value")
    add("in row", "group")
    add("in", "region")
    add("under", "head")
    parts.append(" ".join(candidate["within"]) + " " + candidate["place"])
    if candidate["ident"]:
        parts.append("id " + candidate["ident"])
    elif not name and candidate["cls"]:
        parts.append("class " + candidate["cls"])
    if candidate["states"]:
        parts.append(" ".join(candidate["states"]))
    return "; ".join(parts)


def load(path):
    """The pages or cases of a file, each candidate with its phrase."""
    with gzip.open(path, "rt") as lines:
        records = [json.loads(line) for line in lines]
    for record in records:
        for candidate in record["candidates"]:
            candidate["phrase"] = phrase(candidate)
    return records
