#!/usr/bin/env python3
"""The physical floor: what the browser itself costs, with nothing in between but a socket.

    floor.py ops    URL SECONDS   raw protocol operations over one WebSocket (and a pipe)
    floor.py cold   URL COUNT     browser start to page text, by binary and transport
    floor.py suite  URL COUNT N [1]   the login test in fresh contexts, N at a time (1: headless-shell)
    floor.py daemon SOCKET        a daemon for floorctl: the floor of a warm command-line client
                                  (FLOOR_BROWSER=headless-shell: with the small headless-only binary)

Prints one JSON object. Browsers come from BENCH_DIR/bin."""
import base64
import json
import os
import pathlib
import socket
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import cdp  # noqa: E402

BIN = pathlib.Path(os.environ["BENCH_DIR"]) / "bin"
CHROMIUM, SHELL = str(BIN / "chromium"), str(BIN / "headless-shell")
WALKER = (pathlib.Path(__file__).resolve().parent / "walker.js").read_text()


def timed(samples, name, fn, *a, **k):
    t = time.perf_counter()
    r = fn(*a, **k)
    samples.setdefault(name, []).append((time.perf_counter() - t) * 1e3)
    return r


def viewport(page):
    page.cmd("Emulation.setDeviceMetricsOverride", width=1280, height=720, deviceScaleFactor=1, mobile=False)


def snap(p, s, sizes, how, page):
    if how == "ax":
        sizes["ax_" + page] = len(json.dumps(timed(s, "snapshot_" + page, p.cmd, "Accessibility.getFullAXTree")))
    else:
        sizes["walk_" + page] = len(timed(s, "walk_" + page, p.eval, WALKER))


def ops(url, seconds):
    out, sizes = {}, {}
    kinds = [("ws", False, False), ("pipe", True, False)] + ([("shell", False, True)] if os.path.exists(SHELL) else [])
    for label, pipe, shell in kinds:
        b = start(shell, pipe=pipe)
        s = {}
        try:
            p = cdp.Page(b.conn, reuse=True)
            viewport(p)
            end, i = time.monotonic() + seconds * (0.5 if label == 'ws' else 0.25), 0
            while time.monotonic() < end or i < 6:
                # As in the command-line loop, quick operations are repeated; and of two that are to be
                # compared, each goes first every other time: the first after a navigation is slower.
                turn = (lambda *f: f) if i % 2 else (lambda *f: f[::-1])
                timed(s, "open", p.goto, url + "/login")
                for _ in range(4):
                    timed(s, "fill", p.fill, "#email", "ada@example.com")
                for _ in range(4):
                    timed(s, "text", p.eval, "document.querySelector('#title').innerText")
                    timed(s, "url", p.eval, "location.href")
                    timed(s, "eval", p.eval, "6*7")
                for f in turn("ax", "walk"):
                    snap(p, s, sizes, f, "login")
                for f in turn(("screenshot", {"format": "png"}), ("screenshot_fast", {"format": "png", "optimizeForSpeed": True}),
                              ("screenshot_jpeg", {"format": "jpeg", "quality": 80}), ("screenshot_webp", {"format": "webp", "quality": 80})):
                    if f[0] != "screenshot_webp" or i % 3 == 0:
                        timed(s, f[0], p.screenshot, **f[1])
                timed(s, "open_list", p.goto, url + "/list")
                for _ in range(4):
                    for f in turn(("click", True), ("click_nomove", False)):
                        timed(s, f[0], p.click, "#buy-1", move=f[1])
                got = p.eval("document.querySelector('#cart').textContent")
                assert got == "8", got
                for f in turn("ax", "walk"):
                    snap(p, s, sizes, f, "list")
                if i % 3 == 0:
                    timed(s, "open_heavy", p.goto, url + "/heavy")
                    for f in ("ax", "walk") if i % 2 else ("walk", "ax"):
                        snap(p, s, sizes, f, "heavy")
                    timed(s, "domsnapshot_heavy", p.cmd, "DOMSnapshot.captureSnapshot", computedStyles=[])
                i += 1
            for _ in range(300):
                timed(s, "eval_burst", p.eval, "6*7")
        finally:
            b.close()
        out[label] = s
    return {"samples": out, "sizes": sizes}


def cold(url, count):
    out = {}
    kinds = [("chromium ws", CHROMIUM, False), ("chromium pipe", CHROMIUM, True)]
    if os.path.exists(SHELL):
        kinds += [("headless-shell ws", SHELL, False), ("headless-shell pipe", SHELL, True)]
    for _ in range(count):
        for name, binary, pipe in kinds:
            b = start(binary == SHELL, pipe=pipe)
            try:
                p = cdp.Page(b.conn, reuse=True)
                attached = (time.perf_counter() - b.t0) * 1e3
                p.goto(url + "/login")
                assert p.eval("document.querySelector('#title').innerText") == "Sign in"
                total = (time.perf_counter() - b.t0) * 1e3
            finally:
                t = time.perf_counter()
                b.close()
                gone = (time.perf_counter() - t) * 1e3
            for k, v in (("ready", b.ready_ms), ("attached", attached), ("text", total), ("close", gone)):
                out.setdefault(name, {}).setdefault(k, []).append(v)
    return out


def login(conn, url, s):
    p = timed(s, "new context and page", cdp.Page, conn, fresh_context=True)
    try:
        timed(s, "navigate", p.goto, url + "/login")
        timed(s, "fill", p.fill, "#email", "ada@example.com")
        timed(s, "fill", p.fill, "#password", "lovelace")
        timed(s, "click", p.click, "#submit")
        timed(s, "wait for the next page", p.wait_visible, "#welcome")
        assert timed(s, "read text", p.eval, "document.querySelector('#welcome').innerText") == "Welcome, Ada!"
    finally:
        timed(s, "dispose", p.close)
        conn.events.clear()


def start(shell, **k):
    """A full Chromium in its headless mode, or the small headless-only binary."""
    return cdp.Browser(SHELL, flags=[f for f in cdp.FLAGS if not f.startswith("--headless")], **k) if shell else cdp.Browser(CHROMIUM, **k)


def suite(url, count, workers, shell=0):
    t0 = time.perf_counter()
    b = start(shell)
    started = (time.perf_counter() - t0) * 1e3
    todo, lock, each, errors, steps = list(range(count)), threading.Lock(), [], [], {}

    def work():
        c = b.connect()
        while True:
            with lock:
                if not todo:
                    return
                todo.pop()
            t = time.perf_counter()
            try:
                login(c, url, steps)
            except Exception as e:  # keep counting; the harness reports failures
                errors.append(repr(e))
            each.append((time.perf_counter() - t) * 1e3)

    ts = [threading.Thread(target=work) for _ in range(workers)]
    [t.start() for t in ts]
    [t.join() for t in ts]
    b.close()
    return {"wall_ms": (time.perf_counter() - t0) * 1e3, "start_ms": started, "tests_ms": each, "steps": steps,
            "failed": len(errors), "errors": errors[:2]}


def daemon(path):
    srv = socket.socket(socket.AF_UNIX)
    srv.bind(path + ".new")
    srv.listen(8)
    b = start(os.environ.get("FLOOR_BROWSER") == "headless-shell", pipe=True)
    p = cdp.Page(b.conn, reuse=True)
    viewport(p)
    os.rename(path + ".new", path)

    def run(a):
        op = a[0]
        if op == "open":
            p.goto(a[1])
            return "ok"
        if op == "click":
            p.click(a[1])
            return "ok"
        if op == "fill":
            p.fill(a[1], a[2])
            return "ok"
        if op == "wait":
            p.wait_visible(a[1])
            return "ok"
        if op == "text":
            return p.eval("document.querySelector(%s).innerText" % json.dumps(a[1]))
        if op == "url":
            return p.eval("location.href")
        if op == "eval":
            return json.dumps(p.eval(a[1]))
        if op == "snapshot":
            return p.eval(WALKER)
        if op == "screenshot":
            pathlib.Path(a[1]).write_bytes(base64.b64decode(p.screenshot(format="png", optimizeForSpeed=True)))
            return "ok"
        raise ValueError(op)

    while True:
        s, _ = srv.accept()
        line = b""
        while not line.endswith(b"\n"):
            d = s.recv(65536)
            if not d:
                break
            line += d
        a = line.decode().rstrip("\n").split("\x1f")
        if a[0] == "close":
            os.unlink(path)
            b.close()
            s.sendall(b"0ok\n")
            return
        try:
            s.sendall(("0" + str(run(a)) + "\n").encode())
        except Exception:
            s.sendall(b"1failed\n")
        s.close()


if __name__ == "__main__":
    mode = sys.argv[1]
    if mode == "daemon":
        daemon(sys.argv[2])
    else:
        print(json.dumps({"ops": ops, "cold": cold, "suite": suite}[mode](sys.argv[2], *map(int, sys.argv[3:]))))
