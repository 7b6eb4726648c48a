"""A proxy in front of an application that injects faults by rules.

A rule is a mapping. It applies to requests whose path and query contain the regular expression `path` (and not `unless`), of
this `method`, and, for changes of a text, to answers whose content type contains `type`. `from` and `until` count the
requests that fit: `{"from": 2}` leaves the first one alone.

| what happens | key |
|---|---|
| texts are changed | `replace` or `pattern`, and `with` |
| the answer is another one | `status`, `body` (a file of `bodies`, or a text), `content_type`, `header` |
| the browser is sent elsewhere | `redirect` |
| the connection breaks | `break`: `close` (no answer), `reset`, `cut` (half an answer), `hang` (never an answer) |
| the answer comes late | `delay` in seconds |
| the proxy listens no more | `stop: true` |
| somebody is killed | `kill`: `browser`, `renderer`, `assay`; `interrupt` sends Ctrl-C |
"""
import http.client
import pathlib
import re
import socket
import ssl
import struct
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

BODIES = pathlib.Path(__file__).resolve().parent.parent / "bodies"
HOP = {"connection", "keep-alive", "transfer-encoding", "te", "trailer", "upgrade", "proxy-connection", "content-length", "content-encoding", "accept-encoding", "content-security-policy"}
KEYS = {"path", "unless", "method", "type", "from", "until", "replace", "pattern", "with", "status", "body", "content_type", "header", "redirect", "break", "delay", "stop", "kill"}


class Server(ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 64

    def handle_error(self, *_):
        pass


class Proxy:
    """Listens on one port of the loopback; `target` and `rules` may change between runs."""

    def __init__(self, port, filled, kill, tls=None):
        self.port, self.filled, self.kill, self.tls = port, filled, kill, tls
        self.target, self.rules, self.counts, self.server = None, [], [], None
        self.over = threading.Event()
        self.lock = threading.Lock()

    @property
    def address(self):
        return f"{'https' if self.tls else 'http'}://127.0.0.1:{self.port}"

    def start(self):
        self.over = threading.Event()
        self.server = Server(("127.0.0.1", self.port), self.handler())
        if self.tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*self.tls)
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def stop(self):
        server, self.server = self.server, None
        self.over.set()
        if server:
            server.shutdown()
            server.server_close()

    def set(self, target, rules):
        for rule in rules:
            if set(rule) - KEYS:
                raise ValueError(f"unknown keys {sorted(set(rule) - KEYS)}")
        self.target, self.rules, self.counts = target, rules, [0] * len(rules)

    def fitting(self, method, path):
        """The rules for a request. Each counts the requests that fit."""
        out = []
        with self.lock:
            for number, rule in enumerate(self.rules):
                if rule.get("method", method) != method or not re.search(rule.get("path", ""), path) or ("unless" in rule and re.search(rule["unless"], path)):
                    continue
                self.counts[number] += 1
                if rule.get("from", 1) <= self.counts[number] <= rule.get("until", 1 << 30):
                    out.append(rule)
        return out

    def handler(proxy):
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def vanish(self, reset):
                self.close_connection = True
                if reset:
                    self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                try:
                    if not reset:
                        self.connection.shutdown(socket.SHUT_RDWR)
                    self.connection.close()
                except OSError:
                    pass

            def say(self, status, headers, data, cut=False):
                self.send_response_only(status)
                for name, value in headers:
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(data[:len(data) // 3] if cut else data)
                if cut:
                    self.wfile.flush()
                    self.vanish(False)

            def relay(self):
                rules = proxy.fitting(self.command, self.path)
                cut = False
                for rule in rules:
                    if "delay" in rule:
                        time.sleep(rule["delay"])
                    if "kill" in rule:
                        proxy.kill(rule["kill"])
                        proxy.over.wait(3)
                    if rule.get("stop"):
                        threading.Thread(target=proxy.stop, daemon=True).start()
                        return self.vanish(True)
                    how = rule.get("break")
                    if how == "hang":
                        proxy.over.wait(120)
                    if how in ("close", "reset", "hang"):
                        return self.vanish(how == "reset")
                    cut = cut or how == "cut"
                body = self.rfile.read(int(self.headers.get("content-length") or 0))
                for rule in rules:
                    if "redirect" in rule:
                        return self.say(302, [("Location", proxy.filled(rule["redirect"]))], b"")
                    if "body" in rule:
                        file = BODIES / rule["body"]
                        text = file.read_text(encoding="utf-8") if file.suffix in (".html", ".json") and file.exists() else rule["body"]
                        kind = rule.get("content_type", "application/json" if rule["body"].endswith(".json") or text.startswith("{") else "text/html; charset=utf-8")
                        return self.say(rule.get("status", 200), [("Content-Type", kind), *rule.get("header", {}).items()], proxy.filled(text).encode(), cut)
                host, port = proxy.target
                own, theirs = f"127.0.0.1:{proxy.port}", f"{host}:{port}"
                headers = {name: value for name, value in self.headers.items() if name.lower() not in HOP}
                headers["Host"] = theirs
                for name in ("Origin", "Referer"):
                    if name in headers:
                        headers[name] = headers[name].replace(own, theirs)
                connection = http.client.HTTPConnection(host, port, timeout=60)
                try:
                    connection.request(self.command, self.path, body or None, headers)
                    answer = connection.getresponse()
                    data = answer.read()
                except OSError:
                    return self.vanish(False)
                finally:
                    connection.close()
                kind, status = answer.headers.get("content-type", ""), answer.status
                out = [(name, value.replace(theirs, own)) for name, value in answer.getheaders() if name.lower() not in HOP]
                for rule in rules:
                    status = rule.get("status", status)
                    for name, value in rule.get("header", {}).items():
                        out = [(known, said) for known, said in out if known.lower() != name.lower()] + [(name, proxy.filled(value))]
                    if not re.search("text|json|javascript|xml", kind) or rule.get("type", "") not in kind:
                        continue
                    text = data.decode("utf-8", "surrogateescape")
                    if "replace" in rule:
                        text = text.replace(rule["replace"], proxy.filled(rule.get("with", "")))
                    if "pattern" in rule:
                        text = re.sub(rule["pattern"], lambda found: found.expand(proxy.filled(rule.get("with", ""))), text, flags=re.S)
                    data = text.encode("utf-8", "surrogateescape")
                self.say(status, out, data, cut)

            do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = do_HEAD = do_OPTIONS = relay

        return Handler
