"""Results as Markdown."""
from common import PAGES


def med(s, d=0):
    if not s:
        return "-"
    f = lambda v: f"{v:.{d}f}" if v >= 10 or d == 0 else f"{v:.{max(d, 1)}f}"
    return f"{f(s['median'])} ({f(s['p95'])})"


def table(head, rows):
    out = ["| " + " | ".join(head) + " |", "|" + "|".join(["---"] + ["---:"] * (len(head) - 1)) + "|"]
    out += ["| " + " | ".join(str(c) for c in r) + " |" for r in rows]
    return "\n".join(out) + "\n"


OPS = [("open", "open login"), ("open_list", "open list"), ("click", "click"), ("fill", "fill"), ("text", "get text"), ("url", "get url"),
       ("eval", "eval"), ("snapshot_login", "snapshot login"), ("snapshot_list", "snapshot list"), ("snapshot_heavy", "snapshot heavy"),
       ("screenshot", "screenshot"), ("flow", "login flow, 6 steps"), ("flow_one", "login flow, one command")]


def ratios(o):
    """Our own tool against the floor and against the fastest of the others (see ratios.py)."""
    r = o.get("ratios")
    if not r:
        return "## Ratios\n\nassay was not measured: its program is missing (set ASSAY_BIN, or build it in release mode) or it did not start.\n"
    num = lambda v, d=1: "-" if v is None else f"{v:.{d}f}"
    yes = lambda v: "-" if v is None else "yes" if v else "**no**"
    out = ["## Ratios\n"]
    if r["ops"]:
        titles = dict(OPS)
        out.append("Medians. *Fastest other*: the quickest of agent-browser, vibium and @playwright/cli; for a snapshot, of the full and the "
                   "reduced one.\n")
        out.append(table(["", "assay", "floor", "ratio", "floor-shell", "ratio", "fastest other", "", "not slower than the fastest",
                          "<= 1.5 x floor + 5 ms", "<= 1.5 x floor-shell + 5 ms"],
                         [[titles[k], num(v["ms"]), num(v["floor"]), num(v["to_floor"], 2), num(v["floor_shell"]), num(v["to_floor_shell"], 2),
                           num(v["fastest"]), v["fastest_name"] or "-", yes(v["not_slower"]), yes(v["near_floor"]), yes(v["near_floor_shell"])]
                          for k, v in r["ops"].items()]))
    out.append(table(["limit", "measured", "allowed", "kept"],
                     [[x["what"], "-" if x["value"] is None else f"{x['value']:g}" + (f" ({x['note']})" if x["note"] else ""),
                       "-" if x["limit"] is None else f"{x['limit']:g}", yes(x["kept"])] for x in r["limits"]]))
    return "\n".join(out)


def markdown(o):
    P = o["peers"]
    cli = [n for n in P if P[n]["kind"] == "cli"]
    mcp = [n for n in P if P[n]["kind"] == "mcp"]
    out = []
    add = out.append
    m = o["machine"]
    add("# Peers, measured side by side\n")
    add(f"{m['cpu']}, {m['cores']} cores, {m['memory_gib']} GiB, Linux {m['kernel']}. "
        f"Load at start {m['load_at_start'][0]:.1f}, at end {o.get('during', {}).get('load_at_end', [0])[0]:.1f}; "
        f"processor {o.get('during', {}).get('cpu_busy', 0) * 100:.0f}% busy over {o.get('during', {}).get('seconds', 0)} s; "
        f"priority {o['priority']}.\n")
    add("Versions: " + ", ".join(f"{k} {v}" for k, v in o["versions"].items()) + ".\n")
    add("All figures are milliseconds as median (p95) unless another unit is named.\n")

    lat = [n for n in cli if "ops" in P[n]]
    if lat:
        add("## A. Warm latency of one command, as a shell sees it\n")
        add(table(["", *[P[n]["label"] for n in lat]],
                  [[t, *[med(P[n]["ops"].get(k), 1) for n in lat]] for k, t in OPS]
                  + [["samples per operation", *[P[n]["ops"]["text"]["n"] if "text" in P[n]["ops"] else 0 for n in lat]],
                     ["processor ms per command: client + daemon",
                      *["{client:.1f} + {driver:.1f}".format(**P[n]["cpu_per_command"]) for n in lat]],
                     ["the same with the browser", *[P[n]["cpu_per_command"]["all"] or "-" for n in lat]],
                     ["failed operations", *[P[n]["error_count"] for n in lat]]]))
        s = o.get("spawn", {}).get("cli")
        if s:
            add(f"Starting and reaping `/bin/true` the same way, in the same rounds: {med(s['/bin/true'], 1)}, which is part of every "
                f"figure above; `node -e 0`: {med(s['node -e 0'], 1)}.\n")
    lib = []
    if "floor" in o:
        names = {"ws": "raw protocol, WebSocket", "pipe": "raw protocol, pipe", "shell": "raw protocol, headless-shell"}
        lib += [(names[k], v) for k, v in o["floor"]["ops"].items()]
    lib += [(P[n]["label"], P[n]["ops"]) for n in mcp if "ops" in P[n]]
    if "selenium" in o:
        lib.append(("Selenium", o["selenium"]["ops"]))
    if lib:
        add("## A2. Persistent connection: MCP tool calls, Selenium, raw protocol\n")
        add(table(["", *[t for t, _ in lib]], [[t, *[med(s.get(k), 1) for _, s in lib]] for k, t in OPS]
                  + [["samples per operation", *[s["text"]["n"] if "text" in s else 0 for _, s in lib]]]))
    if "floor" in o:
        f = o["floor"]["ops"]
        add("## G. Physical floor: the browser and one connection\n")
        extra = [("eval_burst", "Runtime.evaluate, back to back"), ("click", "click: find, move, press, release"), ("click_nomove", "click without the move"),
                 ("walk_login", "in-page snapshot, login"), ("walk_list", "in-page snapshot, list"), ("walk_heavy", "in-page snapshot, heavy"),
                 ("snapshot_login", "getFullAXTree, login"), ("snapshot_list", "getFullAXTree, list"),
                 ("snapshot_heavy", "getFullAXTree, heavy"), ("domsnapshot_heavy", "DOMSnapshot, heavy"),
                 ("screenshot", "screenshot PNG"), ("screenshot_fast", "screenshot PNG, optimizeForSpeed"),
                 ("screenshot_jpeg", "screenshot JPEG 80"), ("screenshot_webp", "screenshot WebP 80"),
                 ("open", "navigate to load, login"), ("open_list", "navigate to load, list"), ("open_heavy", "navigate to load, heavy")]
        names = {"ws": "Chromium, WebSocket", "pipe": "Chromium, pipe", "shell": "headless-shell, WebSocket"}
        add(table(["", *[names[k] for k in f], "best of all"],
                  [[t, *[med(f[x].get(k), 2) for x in f], f"{min(v[k]['min'] for v in f.values() if k in v):.2f}"] for k, t in extra]))
        z = o["floor"]["sizes"]
        add(f"Bytes on the wire for a snapshot: accessibility tree {z['ax_login']} / {z['ax_list']} / {z['ax_heavy']} "
            f"(login / list / heavy); computed in the page {z['walk_login']} / {z['walk_list']} / {z['walk_heavy']}.\n")
        add(table(["cold start", "protocol answers", "page attached", "page text read", "closed again"],
                  [[k, *[med(v.get(w)) for w in ("ready", "attached", "text", "close")]] for k, v in o["floor"]["cold"].items()]))
    cold = [n for n in cli + mcp if P[n].get("cold")]
    if cold:
        add("## B. Cold start (no daemon, no browser) and one-shot\n")
        add(table(["", "first page open", "close command", "open + read + close", "its processor ms", "samples"],
                  [[P[n]["label"], med(P[n]["cold"].get("open")), med(P[n]["cold"].get("close")), med(P[n]["cold"].get("oneshot")),
                    med(P[n]["cold"].get("cpu")), P[n]["cold"]["open"]["n"]] for n in cold if P[n]["cold"].get("open")]
                  + ([["Selenium", med(o["selenium_cold"]), "-", med(o["oneshot"].get("selenium script")), "-", o["selenium_cold"]["n"]]]
                     if "selenium_cold" in o else [])
                  + [[k, "-", "-", med(v), "-", v["n"]] for k, v in o.get("oneshot", {}).items() if k != "selenium script"]))
        init = [f"{P[n]['label']} {med(P[n]['cold']['init'])}" for n in mcp if P[n].get("cold", {}).get("init")]
        if init:
            add("MCP process start until `initialize` is answered: " + ", ".join(init) + ".\n")
    fl = [n for n in cli + mcp if "flow_tokens" in P[n]]
    if fl:
        add("## C. Tokens (o200k_base)\n")
        rows = []
        for n in fl:
            ft = P[n]["flow_tokens"]
            k, d = ft.get("known"), ft.get("discover")
            one = lambda x: f"{x['sent']} + {x['got']} = **{x['sent'] + x['got']}**" if x else "-"
            once = P[n].get("tools", {}).get("tokens") or P[n].get("learn", {}).get("tokens")
            rows.append([P[n]["label"], one(k), k and k["bytes"] or "-", one(d), once or "-", P[n].get("help", {}).get("tokens", "-"),
                         P[n].get("tools", {}).get("count", "-")])
        add("The login flow: what the agent writes + what it reads. *Selectors known*: six commands. *Discovering*: with one snapshot after "
            "opening the page, and references from it. *Once*: the skill text the tool ships (CLI) or the tool definitions (MCP).\n")
        add(table(["", "selectors known", "bytes", "discovering", "once", "--help", "tools"], rows))
        bad = [(P[n]["label"], P[n]["failure"]) for n in fl if "failure" in P[n]]
        if bad:
            add("A click on an element that does not exist:\n")
            add(table(["", "ms until told", "exit status", "tokens to read"],
                      [[t, x["ms"] if x["ms"] is not None else "> 8000", x["exit"], x.get("tokens", "-")] for t, x in bad]))
        add("Size of a snapshot, tokens (bytes):\n")
        rows = [["raw HTML", *[f"{o['html'][p]['tokens']} ({o['html'][p]['bytes']})" for p in PAGES]]]
        for n in fl:
            for op, t in (("snapshot_size", ""), ("snapshot_small_size", ", reduced")):
                if op in P[n]:
                    rows.append([P[n]["label"] + t, *[f"{P[n][op][p]['tokens']} ({P[n][op][p]['bytes']})" if p in P[n][op] else "-"
                                                      for p in PAGES]])
        add(table(["", *PAGES], rows))
    mem = [(P[n]["label"], P[n]["memory"]) for n in cli + mcp if "memory" in P[n]]
    if "selenium" in o:
        mem.append(("Selenium", o["selenium"]["memory"]))
    if mem:
        add("## D. Memory, MiB, warm with the login page open\n")
        add(table(["", "driver RSS", "driver PSS", "whole tree PSS", "driver processes", "browser processes"],
                  [[t, x["driver_rss"], x["driver_pss"], x["tree_pss"], x["driver_procs"], x["browser_procs"]] for t, x in mem]))
    if "suite" in o:
        add("## E. Login tests: fresh context, sign in, verify\n")
        add(table(["runner, workers", "tests", "wall s", "wall ms per test", "processor ms per test", "one test, median (p95)", "failed"],
                  [[k, v["tests"], f"{v['wall_ms'] / 1e3:.1f}", f"{v['per_test_wall_ms']:.0f}", f"{v['cpu_per_test_ms'] or 0:.0f}", med(v["test"]),
                    v["failed"]] for k, v in o["suite"].items()]))
        for kind in ("Chromium", "headless-shell"):
            steps = o["suite"].get(f"raw protocol, {kind}, 1", {}).get("steps")
            if steps:
                add(f"Steps of one raw protocol test, one at a time, {kind}: " + ", ".join(f"{k} {med(v)}" for k, v in steps.items()) + ".\n")
    add(ratios(o))
    bad = [f"{n}: {e}" for n in P for e in P[n].get("errors", [])]
    if bad:
        add("## Errors seen\n")
        add("\n".join("- " + b for b in bad) + "\n")
    return "\n".join(out)
