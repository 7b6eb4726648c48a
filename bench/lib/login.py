"""A login in a fresh context as assay does it, over the raw protocol in text, with a part left out on request."""
import json
import pathlib
import re
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "floor"))
import cdp  # noqa: E402
from common import PASSWORD, SHELL, USER  # noqa: E402

KEY = "kbench"


def lean(text):
    """As assay sends it: without comments and indents."""
    lines = (line.strip() for line in text.splitlines())
    return "".join(("" if line.startswith("//") or (line.startswith("/*") and line.endswith("*/")) else line) + "\n" for line in lines)


def eager(text, names):
    """As assay sends it: functions that nearly every test calls, as expressions in parentheses."""
    lines = text.splitlines()

    def close(at, end):
        lines[lines.index(end, at)] = end.rstrip("};") + "});"

    for at, line in enumerate(lines):
        indent = line[:len(line) - len(line.lstrip())]
        declared = re.fullmatch(r"\s*((?:async )?function (\w+)\(.*\{)", line)
        arrow = re.fullmatch(r"\s*const (\w+) = (async )?(\(.*?\)) => (\{|[^{].*;)", line)
        if declared and declared[2] in names:
            lines[at] = f"{indent}var {declared[2]} = ({declared[1]}"
            close(at, indent + "}")
        elif arrow and arrow[1] in names:
            begun = f"{indent}const {arrow[1]} = ({arrow[2] or ''}function {arrow[3]} {{"
            lines[at] = begun if arrow[4] == "{" else f"{begun} return {arrow[4]} }});"
            if arrow[4] == "{":
                close(at, indent + "};")
    return "\n".join(lines) + "\n"


def page_script(folder):
    """The parts in the order of their names; a folder of an older state has one file."""
    parts = sorted((folder / "page").glob("*.js"))
    return "".join(part.read_text() for part in parts) if parts else (folder / "page.js").read_text()


def scripts(folder):
    """For the page's own world, and for ours."""
    folder = pathlib.Path(folder)
    named = folder / "eager.txt"
    names = set(named.read_text().split()) if named.exists() else set()
    ready = lambda text: lean(eager(text, names))  # noqa: E731
    early = ready((folder / "early.js").read_text()).replace("__ASSAY_KEY__", KEY).replace("__ASSAY_SLEEPS__", "true")
    pulse = ready((folder / "pulse.js").read_text()).replace("__ASSAY_KEY__", KEY)
    return pulse, early.replace("__ASSAY_PAGE__", f"(\n{ready(page_script(folder))})")


def browser(**more):
    """The headless shell with the flags that assay gives it."""
    flags = [flag for flag in cdp.FLAGS if not flag.startswith("--headless")]
    extra = ["--in-process-gpu", "--enable-features=NetworkServiceInProcess2", "--no-unsandboxed-zygote"]
    return cdp.Browser(str(SHELL), flags=flags, extra=extra, **more)


class World:
    """The page script in the newest document of a tab."""

    def __init__(self, page):
        self.page, self.unique = page, None

    def begin(self):
        """Waits for a new document."""
        def newest(events):
            ours = (e["params"]["context"] for e in reversed(events) if e["method"] == "Runtime.executionContextCreated")
            return next((context["uniqueId"] for context in ours if context["name"] == "assay"), None)
        self.unique = self.page.c.until(newest)

    def ask(self, call, **arguments):
        params = {"expression": f"__assay.{call}({json.dumps(arguments)})", "awaitPromise": True, "returnByValue": True}
        return self.page.c.post("Runtime.evaluate", self.page.s, uniqueContextId=self.unique, **params)

    def answer(self, question):
        return json.loads(self.page.c.result(question)["result"]["value"])

    def arrived(self, headings, after_request=False):
        return self.answer(self.ask("arrived", after_request=after_request, cap=550, headings=headings, load=9980, next=1))

    def look(self):
        return self.answer(self.ask("scene", frames=None, next=1))

    def act(self, ref, kind, last, do, **more):
        """Begins, and does what the page is then ready for. What comes of it is told later."""
        selector = {"source": f"e{ref}", "steps": [{"by": "ref", "id": ref}]}
        begun = self.ask("begin", selector=selector, kind=kind, patience=1000, wait=False, guard=True, last=last, watch=True, next=21, **more)
        settled = self.ask("settle", after_begin=True, cap=1100, next=21)
        ready = self.answer(begun)
        assert ready["status"] == "ready", ready
        do(ready)
        return settled

    def fill(self, ref, text):
        settled = self.act(ref, "fill", "keyup", lambda _: self.page.cmd("Input.insertText", text=text), text=text)
        assert self.answer(settled)["received"]

    def click(self, ref):
        settled = self.act(ref, "click", "click", lambda ready: self.page.press(ready["x"], ready["y"]))
        try:
            assert self.answer(settled)["received"]
        except RuntimeError as err:
            # The page may be gone before it could tell.
            if "navigated" not in str(err):
                raise


# What can be left out; each of the last three leaves out what the one before does.
PARTS = ("network", "sizes", "looks", "waits", "script")


def login(conn, url, both, without=None):
    """All that assay does, without one of the parts."""
    main, isolated = both
    page = cdp.Page(conn, fresh_context=True)
    first = [("Runtime.enable", {}), ("Inspector.enable", {}),
             ("Target.setAutoAttach", {"autoAttach": True, "flatten": True, "waitForDebuggerOnStart": True}),
             ("Emulation.setFocusEmulationEnabled", {"enabled": True})]
    if without != "network":
        first.append(("Network.enable", {"maxTotalBufferSize": 0, "maxResourceBufferSize": 0}))
    if without != "sizes":
        first.append(("Emulation.setDeviceMetricsOverride", {"width": 1280, "height": 720, "deviceScaleFactor": 1, "mobile": False}))
    if without != "script":
        first += [("Page.addScriptToEvaluateOnNewDocument", {"source": main}),
                  ("Page.addScriptToEvaluateOnNewDocument", {"source": isolated, "worldName": "assay"})]
    for sent in [conn.post(method, page.s, **params) for method, params in first]:
        conn.result(sent)
    world = World(page)
    conn.events.clear()
    page.cmd("Page.navigate", url=url + "/login")
    if without in ("looks", "waits", "script"):
        bare(page, world, awaited=without == "looks")
    else:
        world.begin()
        world.arrived(False)
        refs = {row[3]: row[1] for row in world.look()["rows"]}
        world.fill(refs["Email"], USER)
        world.look()
        world.fill(refs["Password"], PASSWORD)
        world.look()
        conn.events.clear()
        world.click(refs["Sign in"])
        world.begin()
        world.arrived(True)
        world.arrived(True, after_request=True)
        world.look()
        # What holds must hold for a while.
        time.sleep(0.12)
        world.look()
    page.close()
    conn.events.clear()
    conn.early.clear()


def bare(page, world, awaited):
    """The same acts without a look at the page, as a bare client does them."""
    def loaded(headings):
        page.c.until(lambda events: any(event["method"] == "Page.loadEventFired" for event in events) or None)
        if awaited:
            world.begin()
            world.arrived(headings)
    loaded(False)
    page.fill("#email", USER)
    page.fill("#password", PASSWORD)
    page.c.events.clear()
    page.click("#submit")
    loaded(True)
    time.sleep(0.12)
