"""A login in a fresh context as assay does it, over the raw protocol, with parts left out on request."""
import json
import pathlib
import time

KEY = "kbench"


def lean(text):
    """As assay sends it: without comments and indents."""
    lines = (line.strip() for line in text.splitlines())
    return "".join(("" if line.startswith("//") or (line.startswith("/*") and line.endswith("*/")) else line) + "\n" for line in lines)


def scripts(folder):
    """For the page's own world, and for ours."""
    read = lambda name: lean((pathlib.Path(folder) / name).read_text())  # noqa: E731
    early = read("early.js").replace("__ASSAY_KEY__", KEY).replace("__ASSAY_SLEEPS__", "true")
    return read("pulse.js").replace("__ASSAY_KEY__", KEY), early.replace("__ASSAY_PAGE__", f"(\n{read('page.js')})")


class World:
    """The page script in the newest document of a tab."""

    def __init__(self, conn, session):
        self.conn, self.session, self.unique = conn, session, None

    def until(self, found):
        """What `found` makes of the events so far, once that is something."""
        while not (what := found(self.conn.events)):
            message = json.loads(self.conn.t.recv())
            if "method" in message:
                self.conn.events.append(message)
            else:
                self.conn.early[message["id"]] = message
        return what

    def begin(self):
        """Waits for a new document."""
        def newest(events):
            ours = (e["params"]["context"] for e in reversed(events) if e["method"] == "Runtime.executionContextCreated")
            return next((context["uniqueId"] for context in ours if context["name"] == "assay"), None)
        self.unique = self.until(newest)

    def ask(self, call, **arguments):
        params = {"expression": f"__assay.{call}({json.dumps(arguments)})", "awaitPromise": True, "returnByValue": True}
        return self.conn.post("Runtime.evaluate", self.session, uniqueContextId=self.unique, **params)

    def answer(self, question):
        return json.loads(self.conn.result(question)["result"]["value"])

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
        settled = self.act(ref, "fill", "keyup", lambda _: self.conn.call("Input.insertText", self.session, text=text), text=text)
        assert self.answer(settled)["received"]

    def click(self, ref):
        settled = self.act(ref, "click", "click", lambda ready: press(self.conn, self.session, ready["x"], ready["y"]))
        try:
            assert self.answer(settled)["received"]
        except RuntimeError as err:
            # The page may be gone before it could tell.
            if "navigated" not in str(err):
                raise


def press(conn, session, x, y):
    steps = ({"type": "mouseMoved"}, {"type": "mousePressed", "button": "left", "clickCount": 1},
             {"type": "mouseReleased", "button": "left", "clickCount": 1})
    for sent in [conn.post("Input.dispatchMouseEvent", session, x=x, y=y, **step) for step in steps]:
        conn.result(sent)


def login(conn, url, both, without=()):
    """All that assay does. `without` names parts: network, sizes, looks, waits, script."""
    main, isolated = both
    context = conn.call("Target.createBrowserContext", disposeOnDetach=True)["browserContextId"]
    target = conn.call("Target.createTarget", url="about:blank", browserContextId=context)["targetId"]
    session = conn.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
    first = [("Page.enable", {}), ("Runtime.enable", {}), ("Inspector.enable", {}),
             ("Target.setAutoAttach", {"autoAttach": True, "flatten": True, "waitForDebuggerOnStart": True}),
             ("Emulation.setFocusEmulationEnabled", {"enabled": True})]
    if "network" not in without:
        first.append(("Network.enable", {"maxTotalBufferSize": 0, "maxResourceBufferSize": 0}))
    if "sizes" not in without:
        first.append(("Emulation.setDeviceMetricsOverride", {"width": 1280, "height": 720, "deviceScaleFactor": 1, "mobile": False}))
    if "script" not in without:
        first += [("Page.addScriptToEvaluateOnNewDocument", {"source": main}),
                  ("Page.addScriptToEvaluateOnNewDocument", {"source": isolated, "worldName": "assay"})]
    for sent in [conn.post(method, session, **params) for method, params in first]:
        conn.result(sent)
    world = World(conn, session)
    loaded = lambda events: any(event["method"] == "Page.loadEventFired" for event in events)  # noqa: E731
    conn.events.clear()
    conn.call("Page.navigate", session, url=url + "/login")
    if "looks" in without:
        bare(conn, session, world, loaded, awaited="waits" not in without)
    else:
        world.begin()
        world.arrived(False)
        refs = {row[3]: row[1] for row in world.look()["rows"]}
        world.fill(refs["Email"], "ada@example.com")
        world.look()
        world.fill(refs["Password"], "lovelace")
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
    conn.call("Target.disposeBrowserContext", browserContextId=context)
    conn.events.clear()
    conn.early.clear()


def bare(conn, session, world, loaded, awaited):
    """The same acts without a look at the page, as a bare client does them."""
    def told(headings):
        world.until(loaded)
        if awaited:
            world.begin()
            world.arrived(headings)
    told(False)
    for field, text in (("#email", "ada@example.com"), ("#password", "lovelace")):
        conn.call("Runtime.evaluate", session, expression=f"(() => {{ const e = document.querySelector('{field}'); e.focus(); e.select(); }})()")
        conn.call("Input.insertText", session, text=text)
    centre = "(() => { const r = document.querySelector('#submit').getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()"
    x, y = conn.call("Runtime.evaluate", session, expression=centre, returnByValue=True)["result"]["value"]
    conn.events.clear()
    press(conn, session, x, y)
    told(True)
    time.sleep(0.12)
