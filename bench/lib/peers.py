"""The two kinds of peer that the configuration describes: command-line tools and MCP servers."""
import base64
import json
import os
import pathlib
import re
import select
import shlex
import subprocess
import sys
import time

from common import ASSAY, BIN, CHROMIUM, DIR, HERE, TARGETS, compact, cpu, end, gone, memory, peer_env, spawn, subst


class Failed(Exception):
    pass


class Peer:
    def __init__(self, name, cfg, run_id):
        self.name, self.label = name, cfg.get("label", name)
        self.work = DIR / "w" / name  # short: socket paths have a length limit
        self.mark = f"{run_id}-{name}"
        fixed = dict(dir=DIR, bin=BIN, work=self.work, chromium=CHROMIUM, here=HERE, assay=ASSAY, python=sys.executable)
        self.cfg = cfg = subst(cfg, **fixed)
        self.cmd = cfg["cmd"]
        self.ops = cfg["ops"]
        self.refs_from = cfg.get("refs_from", "snapshot")
        self.env = peer_env(self.mark, self.work, cfg.get("env", {}))
        self.cwd = self.work / "w"
        for path, body in cfg.get("files", {}).items():
            (self.cwd / path).parent.mkdir(parents=True, exist_ok=True)
            (self.cwd / path).write_text(body)
        self.seen = ""  # the last snapshot, for references
        self.samples, self.cli_cpu, self.errors, self.slow, self.total_cpu = {}, [], [], False, 0.0

    def available(self):
        return all(map(os.path.exists, [self.cmd[0], *self.cfg.get("needs", [])]))

    def ref(self, t):
        pattern = self.cfg["ref"]
        for k in ("role", "name", "attr"):
            pattern = pattern.replace("{" + k + "}", re.escape(t[k]))
        m = re.search(pattern, self.seen)
        if not m:
            raise Failed(f"{self.name}: no reference for {t['name']!r} in the snapshot")
        return self.cfg.get("ref_prefix", "") + m.group(1)

    def needs_ref(self, op):
        return op in self.ops and "{ref}" in json.dumps(self.ops[op])

    def template(self, op, target=None, **kv):
        t = TARGETS.get(target, {})
        if t:
            kv = {"sel": t["sel"], "name": t["name"], **kv}
            if self.needs_ref(op):
                kv["ref"] = self.ref(t)
        return subst(self.ops[op], **kv)

    def look(self):
        self.seen = self.do(self.refs_from)[1]

    def timed(self, key, op, target=None, expect=None, **kv):
        """One timed operation; what it printed is checked where a check is possible."""
        try:
            ms, out = self.do(op, target, **kv)
            if expect is not None and expect not in out:
                raise Failed(f"{self.name} {op}: expected {expect!r}, got {out[:200]!r}")
        except Failed as e:
            self.errors.append(str(e))
            return None
        self.samples.setdefault(key, []).append(ms)
        return out

    def memory(self):
        return memory(self.mark)

    def cpu(self):
        return cpu(self.mark)


class Cli(Peer):
    kind = "cli"

    def shown(self, argv):
        return self.cfg.get("name", self.name) + " " + shlex.join(argv)

    def command(self, argv, timeout=60):
        return spawn(self.cmd + argv, self.env, self.cwd, timeout)

    def do(self, op, target=None, **kv):
        argv = self.template(op, target, **kv)
        r = self.command(argv)
        self.cli_cpu.append(r.cpu_ms)
        self.last = (self.shown(argv), r.out)
        if r.rc:
            raise Failed(f"{self.name} {op}: exit {r.rc}: {r.out[:200]!r}")
        return r.ms, r.out

    def start(self, url):
        total = 0.0
        for argv in subst(self.cfg["start"], url=url):
            r = self.command(argv)
            total += r.ms
            if r.rc:
                raise Failed(f"{self.name} start: exit {r.rc}: {r.out[:300]!r}")
        return total

    def prepare(self):
        for argv in self.cfg.get("prepare", []):
            r = self.command(argv)
            if r.rc:
                raise Failed(f"{self.name} prepare: {r.out[:200]!r}")

    def close(self):
        total = 0.0
        for argv in self.cfg["close"]:
            total += self.command(argv).ms
        gone(self.mark)
        end(self.mark)
        return total

    def learn(self):
        parts = []
        for item in self.cfg.get("learn", []):
            parts.append(pathlib.Path(item["file"]).read_text() if "file" in item else self.command(item["cmd"]).out)
        return "\n".join(parts)

    def help(self):
        return self.command(self.cfg["help"]).out if "help" in self.cfg else ""


class Mcp(Peer):
    kind = "mcp"

    def start(self, url):
        """From no process at all to a page that is open and loaded."""
        t = time.perf_counter()
        self.launch()
        self.do("open", url=url)
        return (time.perf_counter() - t) * 1e3

    def launch(self, more=(), cwd=None):
        """From no process to the whole list of tools, in milliseconds; no browser is needed for that."""
        t = time.perf_counter()
        self.err = open(self.work / "stderr", "wb")
        self.p = subprocess.Popen([*self.cmd, *more], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.err, env=self.env,
                                  cwd=cwd or self.cwd)
        self.n, self.buf, self.seen = 0, b"", ""
        self.hello = self.rpc("initialize", {"protocolVersion": "2025-06-18", "capabilities": {},
                                             "clientInfo": {"name": "bench", "version": "1"}})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        self.init_ms = (time.perf_counter() - t) * 1e3
        listed = self.rpc("tools/list", {})
        self.tools = listed["tools"]
        while listed.get("nextCursor"):
            listed = self.rpc("tools/list", {"cursor": listed["nextCursor"]})
            self.tools += listed["tools"]
        return (time.perf_counter() - t) * 1e3

    def prepare(self):
        for call in self.cfg.get("prepare", []):
            self.call(call)

    def send(self, m):
        self.p.stdin.write(json.dumps(m).encode() + b"\n")
        self.p.stdin.flush()

    def line(self, timeout):
        fd = self.p.stdout.fileno()
        deadline = time.monotonic() + timeout
        parts = [self.buf]
        while b"\n" not in parts[-1]:
            if not select.select([fd], [], [], max(0, deadline - time.monotonic()))[0]:
                raise Failed(f"{self.name}: no answer in {timeout} s")
            d = os.read(fd, 1 << 20)
            if not d:
                raise Failed(f"{self.name}: server ended")
            parts.append(d)
        line, self.buf = b"".join(parts).split(b"\n", 1)
        return line

    def rpc(self, method, params, timeout=60):
        self.n += 1
        self.send({"jsonrpc": "2.0", "id": self.n, "method": method, "params": params})
        while True:
            raw = self.line(timeout)
            m = json.loads(raw)
            if m.get("id") == self.n and ("result" in m or "error" in m):
                self.raw_bytes = len(raw) + 1
                if "error" in m:
                    raise Failed(f"{self.name} {method}: {m['error']}")
                return m["result"]
            if "id" in m and "method" in m:  # the server asks something of the client
                self.send({"jsonrpc": "2.0", "id": m["id"], "result": {"roots": []} if m["method"] == "roots/list" else {}})

    def call(self, template):
        args = dict(template)
        tool = args.pop("tool")
        t = time.perf_counter()
        r = self.rpc("tools/call", {"name": tool, "arguments": args})
        ms = (time.perf_counter() - t) * 1e3
        text = "\n".join(c["text"] for c in r["content"] if c["type"] == "text")
        self.images = [c["data"] for c in r["content"] if c["type"] == "image"]
        self.data = r.get("structuredContent")
        self.last = (compact({"name": tool, "arguments": args}), text)
        if r.get("isError"):
            raise Failed(f"{self.name} {tool}: {text[:200]!r}")
        return ms, text

    def do(self, op, target=None, **kv):
        return self.call(self.template(op, target, **kv))

    def close(self):
        if not getattr(self, "p", None):
            return 0.0
        t = time.perf_counter()
        try:
            if "close" in self.cfg:
                self.call(self.cfg["close"])
        except (Failed, OSError):
            pass
        ms = (time.perf_counter() - t) * 1e3
        self.hang_up()
        return ms

    def hang_up(self):
        """As a client that leaves: the server's input ends."""
        try:
            self.p.stdin.close()
            self.p.wait(5)
        except (subprocess.TimeoutExpired, OSError):
            self.p.kill()
            self.p.wait()
        self.p.stdout.close()
        self.err.close()
        self.p = None
        gone(self.mark, 2)
        end(self.mark)


def png_size(data):
    """(width, height) of a PNG given as bytes, or None."""
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        return None
    return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")


def shot_size(peer, path):
    if peer.kind == "mcp":
        return png_size(base64.b64decode(peer.images[0])) if getattr(peer, "images", None) else None
    try:
        return png_size(pathlib.Path(path).read_bytes())
    except OSError:
        return None
