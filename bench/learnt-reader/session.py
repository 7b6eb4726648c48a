"""One command of assay in a named session, answered as JSON. The binary is the one of the other benchmarks."""
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "lib"))
from common import ASSAY  # noqa: E402


def call(session, *words):
    """The reply; a command that hangs or breaks is a reply that is not ok, so that one page cannot end a long walk."""
    try:
        done = subprocess.run([ASSAY, *words, "--json", "-s", session], capture_output=True, text=True, timeout=60)
        reply = json.loads(done.stdout.strip().splitlines()[-1])
    except subprocess.TimeoutExpired:
        reply = {"ok": False, "error": "no answer within a minute"}
    except (ValueError, IndexError):
        reply = {"ok": False, "error": done.stdout + done.stderr}
    reply["data"] = reply.get("data") or {}
    return reply
