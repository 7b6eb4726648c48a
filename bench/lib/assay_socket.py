"""A client of assay's own socket, without a process for each request: JSON lines, as docs/adr/0004 describes them."""
import json
import socket
import time

GREETING = b"assay\n"


class Daemon:
    """One session's daemon, over one connection."""

    def __init__(self, path):
        self.path = str(path)
        self.connect()
        self.build = ""
        self.build = self.ask({"control": "status"})["status"]["build"]

    def connect(self):
        s = socket.socket(socket.AF_UNIX)
        s.settimeout(60)
        s.connect(self.path)
        self.s, self.lines = s, s.makefile("rb")
        greeting = self.lines.readline()
        if greeting != GREETING:
            raise OSError(f"no greeting from {self.path}: {greeting!r}")

    def close(self):
        self.lines.close()
        self.s.close()

    def ask(self, ask):
        # The browser of a client of `assay mcp` is driven in the name of its session only.
        owner = self.path.rsplit("/", 1)[-1].removesuffix(".sock")
        request = {"version": 1, "build": self.build, "ask": ask, "deadline_ms": 15000, "format": "text",
                   "by": {"owner": owner}}
        self.s.sendall(json.dumps(request).encode() + b"\n")
        return json.loads(self.lines.readline())["outcome"]

    def act(self, verb, **arguments):
        """Milliseconds and the text of the answer."""
        t = time.perf_counter()
        outcome = self.ask({"act": {"verb": verb, **arguments}})
        ms = (time.perf_counter() - t) * 1e3
        if "text" not in outcome:
            raise OSError(f"{verb}: {outcome}")
        return ms, outcome["text"]["text"]


def css(selector):
    return {"source": selector, "steps": [{"by": "css", "css": selector, "or_words": False}]}
