#!/usr/bin/env python3
"""A proxy that makes one build look like another: it changes the answers of a web application by rules from a file.

    bench/twin/proxy.py --to http://127.0.0.1:8001 --port 8002 --rules differences.json

`assay twin --old http://127.0.0.1:8001 --new http://127.0.0.1:8002` must then find each difference at its first step.
README.md beside this file describes the rules. Only Python's standard library is used.
"""

import argparse
import datetime
import http.client
import itertools
import json
import random
import re
import sys
import threading
import time
import urllib.parse
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEYS = {"path", "method", "type", "nth", "replace", "pattern", "with", "count", "insert", "before", "after", "remove",
        "status", "delay_ms", "drop", "header", "reverse", "shuffle", "unless_path"}
HOP_BY_HOP = {"connection", "keep-alive", "transfer-encoding", "te", "trailer", "upgrade", "proxy-connection",
              "content-length", "content-encoding", "accept-encoding"}


COUNTER = itertools.count(1041)


def filled(text):
    """What varies by itself, in place of its names."""
    makers = {
        "{counter}": lambda: str(next(COUNTER)),
        "{time}": lambda: datetime.datetime.now().strftime("%d %b %Y, %H:%M:%S"),
        "{id}": lambda: uuid.uuid4().hex[:12],
        "{number}": lambda: str(random.randrange(10, 1000)),
    }
    for name, maker in makers.items():
        while name in text:
            text = text.replace(name, maker(), 1)
    return text


def fail(message):
    sys.exit(f"proxy.py: {message}")


class Rule:
    """One difference: which answers it applies to, and what it does to them."""

    def __init__(self, number, fields):
        unknown = set(fields) - KEYS
        if unknown:
            fail(f"rule {number}: unknown keys {sorted(unknown)}; known are {sorted(KEYS)}")
        self.fields = fields
        self.path = re.compile(fields.get("path", ".*"))
        self.unless = re.compile(fields["unless_path"]) if "unless_path" in fields else None
        self.method = fields.get("method")
        self.seen = 0
        self.struck = 0
        self.lock = threading.Lock()

    def applies(self, method, path, content_type):
        if self.method and method != self.method:
            return False
        if not self.path.search(path) or (self.unless and self.unless.search(path)):
            return False
        wanted = self.fields.get("type")
        if wanted and content_type is not None and wanted not in content_type:
            return False
        if "nth" in self.fields and content_type is not None:
            with self.lock:
                self.seen += 1
                return self.seen == self.fields["nth"]
        return True

    def change(self, text):
        """The text of an answer, changed."""
        fields = self.fields
        count = fields.get("count", 0)
        if "replace" in fields:
            text = text.replace(fields["replace"], filled(fields.get("with", "")), count or -1)
        if "pattern" in fields:
            text = re.sub(fields["pattern"], filled(fields.get("with", "")), text, count=count, flags=re.S)
        if "remove" in fields:
            text = re.sub(fields["remove"], "", text, count=count, flags=re.S)
        if "insert" in fields:
            for side in ("before", "after"):
                mark = fields.get(side)
                if mark and mark in text:
                    more = filled(fields["insert"])
                    both = more + mark if side == "before" else mark + more
                    text = text.replace(mark, both, count or 1)
        for key in ("reverse", "shuffle"):
            if key not in fields:
                continue
            # The parts that match, such as the rows of a table, in another order.
            found = list(re.finditer(fields[key], text, flags=re.S))
            parts = [one.group() for one in reversed(found)]
            if key == "shuffle":
                random.shuffle(parts)
            for one, part in reversed(list(zip(found, parts))):
                text = text[:one.start()] + part + text[one.end():]
        return text


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    target = None
    rules = []
    own = ""

    def log_message(self, *_):
        pass

    def relay(self):
        length = int(self.headers.get("content-length") or 0)
        body = self.rfile.read(length) if length else None
        rules = [rule for rule in self.rules if rule.applies(self.command, self.path, None)]
        for rule in rules:
            if rule.fields.get("drop"):
                rule.struck += 1
        if any(rule.fields.get("drop") for rule in rules):
            # As if nobody listened.
            self.close_connection = True
            return
        connection = http.client.HTTPConnection(self.target.hostname, self.target.port or 80, timeout=60)
        headers = {name: value for name, value in self.headers.items() if name.lower() not in HOP_BY_HOP}
        headers["Host"] = self.target.netloc
        for name in ("Origin", "Referer"):
            if name in headers:
                headers[name] = headers[name].replace(self.own, f"http://{self.target.netloc}")
        connection.request(self.command, self.path, body, headers)
        answer = connection.getresponse()
        data, status = answer.read(), answer.status
        content_type = answer.headers.get("content-type", "")
        out = [(name, value) for name, value in answer.getheaders() if name.lower() not in HOP_BY_HOP]
        out = [(name, value.replace(f"http://{self.target.netloc}", self.own)) for name, value in out]
        for rule in rules:
            if not rule.applies(self.command, self.path, content_type):
                continue
            if {"delay_ms", "status", "header"} & set(rule.fields):
                with rule.lock:
                    rule.struck += 1
            if "delay_ms" in rule.fields:
                time.sleep(rule.fields["delay_ms"] / 1000)
            if "status" in rule.fields:
                status = rule.fields["status"]
            for name, value in rule.fields.get("header", {}).items():
                out = [(known, said) for known, said in out if known.lower() != name.lower()] + [(name, value)]
            if re.search("text|json|javascript|xml|svg", content_type):
                text = data.decode("utf-8", "surrogateescape")
                changed = rule.change(text)
                if changed != text:
                    with rule.lock:
                        rule.struck += 1
                data = changed.encode("utf-8", "surrogateescape")
        self.send_response_only(status)
        for name, value in out:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)
        connection.close()

    do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = do_HEAD = do_OPTIONS = relay


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--to", required=True, help="address of the application")
    words.add_argument("--port", type=int, default=0, help="port of this proxy (default: a free one)")
    words.add_argument("--rules", help="file with rules, as JSON: a list of objects; none changes nothing")
    words.add_argument("--until-eof", action="store_true", help="end when standard input closes")
    given = words.parse_args()
    rules = []
    if given.rules:
        with open(given.rules, encoding="utf-8") as file:
            rules = json.load(file)
        if not isinstance(rules, list):
            fail(f"{given.rules}: expected a list of rules")
    Handler.target = urllib.parse.urlparse(given.to)
    Handler.rules = [Rule(number, fields) for number, fields in enumerate(rules, 1)]
    server = ThreadingHTTPServer(("127.0.0.1", given.port), Handler)
    server.daemon_threads = True
    Handler.own = f"http://127.0.0.1:{server.server_port}"
    print(Handler.own, flush=True)
    if given.until_eof:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        sys.stdin.read()
        for number, rule in enumerate(Handler.rules, 1):
            print(f"rule {number} changed {rule.struck} answers", flush=True)
    else:
        server.serve_forever()


if __name__ == "__main__":
    main()
