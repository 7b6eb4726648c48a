"""Episodes of MiniWoB++ in a browser that assay drives: pages served, an episode begun, its reward read.

Knows the pages' own JavaScript interface (`core`, `WOB_…`) and assay's verbs. Does not know how an
utterance is worded as steps. Standard library only."""
import functools
import http.server
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "lib"))
from common import ASSAY, DIR  # noqa: E402

# An episode must never run out of time: what is measured is understanding, not speed.
LIMIT_MS = 3_600_000
# A command that takes longer hangs, which counts against assay.
PATIENCE_S = 60

BEGIN = """
core.EPISODE_MAX_TIME = %d;
Math.seedrandom(%s);
core.startEpisodeReal();
core.getUtterance()
"""
# The reward without the part that shrinks with time. An ended episode shows its cover again; a click on that
# begins another, which sets `done` back and so can never look like success.
OUTCOME = """({done: WOB_DONE_GLOBAL, reward: WOB_RAW_REWARD_GLOBAL, reason: WOB_REWARD_REASON, ended: WOB_EPISODE_ID})"""


class Unusable(Exception):
    """The bench itself cannot go on: no pages, no binary, a page that does not start."""


def html_folder():
    """The package's pages: where MINIWOB_HTML says, else where setup put them."""
    told = os.environ.get("MINIWOB_HTML")
    places = [pathlib.Path(told)] if told else sorted((DIR / "miniwob").glob("lib/python3*/site-packages/miniwob/html"))
    for place in places:
        if (place / "core" / "core.js").exists():
            return place
    raise Unusable("the pages are not there; run bench/miniwob/setup")


class Pages:
    """The pages on a free port of loopback, until closed."""

    def __init__(self):
        handler = functools.partial(Quiet, directory=str(html_folder()))
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def address(self, task):
        return f"http://127.0.0.1:{self.server.server_address[1]}/miniwob/{task}.html"

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class Reply:
    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err


class Session:
    """One assay daemon with one browser, apart from every other session of this user."""

    def __init__(self, browser="chromium"):
        if not os.path.exists(ASSAY):
            raise Unusable(f"{ASSAY} is not there; build it with cargo build --release, or name it in ASSAY_BIN")
        self.work = pathlib.Path(tempfile.mkdtemp(prefix="miniwob-"))
        # book-flight prints local times, so the zone is part of the seed.
        self.env = {**os.environ, "ASSAY_RUNTIME_DIR": str(self.work), "ASSAY_MODE": "daemon", "ASSAY_HEADLESS": "1",
                    "ASSAY_BROWSER": browser, "TZ": "UTC"}
        for name in ("CI", "ASSAY_ONESHOT", "ASSAY_SESSION", "ASSAY_CONNECT", "ASSAY_TIMEOUT", "ASSAY_BUDGET"):
            self.env.pop(name, None)

    def run(self, *words):
        """One command. Its exit code is None when it hung."""
        try:
            r = subprocess.run([ASSAY, *words], env=self.env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, timeout=PATIENCE_S)
        except subprocess.TimeoutExpired:
            return Reply(None, "", f"no answer within {PATIENCE_S} s")
        return Reply(r.returncode, r.stdout, r.stderr)

    def must(self, *words):
        reply = self.run(*words)
        if reply.code != 0:
            raise Unusable(f"assay {' '.join(words)[:80]}: {reply.err.strip()}")
        return reply.out

    def evaluate(self, expression):
        return json.loads(self.must("--json", "eval", expression))["data"]["json"]["value"]

    def knows(self, verb):
        return self.run(verb, "--help").code == 0

    def close(self):
        self.run("daemon", "stop")
        shutil.rmtree(self.work, ignore_errors=True)


class Episode:
    """One problem of one task, made by its seed. The page is loaded anew, so nothing is left of another."""

    def __init__(self, session, pages, task, seed):
        self.session = session
        session.must("go", pages.address(task))
        self.utterance = session.evaluate(BEGIN % (LIMIT_MS, json.dumps(str(seed))))
        if not isinstance(self.utterance, str) or not self.utterance:
            raise Unusable(f"{task} says nothing for seed {seed}")

    def outcome(self):
        return self.session.evaluate(OUTCOME)


def is_solved(outcome):
    """Only the full reward counts: click-checkboxes gives a part of it for a part of the boxes."""
    return outcome["done"] and outcome["ended"] == 1 and outcome["reward"] == 1
