#!/usr/bin/env python3
"""The elements of HTML pages in folders, for training.

    crawl.py OUT.jsonl.gz SITE=FOLDER[:MOST] ...

Serves each folder on the loopback, opens its pages with assay and writes one line per page: site, page, candidates."""
import functools
import gzip
import http.server
import json
import os
import pathlib
import random
import sys
import threading

from elements import Scene
from session import call


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def is_english(candidates):
    text = " ".join(one["name"] for one in candidates)
    return sum(ord(letter) > 127 for letter in text) <= .15 * len(text)


def pages_of(folder, most):
    files = sorted(path for path in folder.rglob("*.html")
                   if "node_modules" not in path.parts and path.stat().st_size > 400)
    random.shuffle(files)
    return [path.relative_to(folder) for path in files[:most]]


def elements_of(folder, most):
    """Yields (page, candidates) for up to `most` pages of a folder."""
    handler = functools.partial(Quiet, directory=str(folder))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    session = f"crawl-{os.getpid()}"
    for page in pages_of(folder, most):
        call(session, "go", f"http://127.0.0.1:{server.server_port}/{page}", "--timeout", "8000")
        scene = call(session, "scene")["data"].get("scene")
        if scene and len(scene["nodes"]) > 8:
            yield page, Scene(scene).candidates(120)
    call(session, "close")
    server.shutdown()


def main():
    random.seed(7)
    with gzip.open(sys.argv[1], "wt") as out:
        for spec in sys.argv[2:]:
            site, _, folder = spec.partition("=")
            folder, _, most = folder.partition(":")
            pages = 0
            for page, candidates in elements_of(pathlib.Path(folder), int(most or 60)):
                if len(candidates) < 2 or not is_english(candidates):
                    continue
                kept = [{key: value for key, value in one.items() if key not in ("node", "ref")} for one in candidates]
                out.write(json.dumps({"site": site, "page": str(page), "candidates": kept}) + "\n")
                pages += 1
            print(site, pages, "pages", flush=True)


if __name__ == "__main__":
    main()
