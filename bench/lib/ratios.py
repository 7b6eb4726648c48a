"""Our own tool against the floor, against the fastest of the others and against its limits."""

OURS = "assay"
OTHERS = ("agent-browser", "vibium", "playwright-cli")
# A snapshot that a tool reduces itself is as good as its full one: an agent takes the cheaper.
REDUCED = {"snapshot_login": "snapshot_small_login", "snapshot_heavy": "snapshot_small_heavy"}
OPS = ("open", "open_list", "click", "fill", "text", "url", "eval", "snapshot_login", "snapshot_list", "snapshot_heavy", "screenshot", "flow")


def median(peer, op):
    s = (peer or {}).get("ops", {}).get(op)
    return s["median"] if s else None


def part(ours, other):
    return round(ours / other, 3) if ours is not None and other else None


def fastest(times):
    """The name and the time of the quickest; both None when nothing was measured."""
    return min(((ms, name) for name, ms in times.items() if ms is not None), default=(None, None))[::-1]


def operation(peers, op):
    ms = median(peers[OURS], op)
    if ms is None:
        return None
    floor, shell = median(peers.get("floor"), op), median(peers.get("floor-shell"), op)
    times = {}
    for n in OTHERS:
        both = [median(peers.get(n), op), median(peers.get(n), REDUCED.get(op))]
        times[n] = min((t for t in both if t is not None), default=None)
    name, best = fastest(times)
    near = lambda f: None if f is None else ms <= 1.5 * f + 5
    return {"ms": ms, "floor": floor, "to_floor": part(ms, floor), "floor_shell": shell, "to_floor_shell": part(ms, shell),
            "fastest": best, "fastest_name": name, "not_slower": None if best is None else ms <= best,
            "near_floor": near(floor), "near_floor_shell": near(shell)}


def compare(o):
    """None when our tool was not measured. A verdict is None where one of its figures is missing."""
    peers = o["peers"]
    me = peers.get(OURS, {})
    if not any(k in me for k in ("ops", "flow_tokens", "cold")):
        return None
    ops = {k: v for k, v in ((k, operation(peers, k)) for k in OPS) if v}
    limits = []

    def limit(what, value, most, note=""):
        limits.append({"what": what, "value": value, "limit": most, "note": note,
                       "kept": None if value is None or most is None else value <= most})

    flow = ops.get("flow", {})
    limit("login flow, ratio to floor", flow.get("to_floor"), 1.3)
    limit("login flow, ratio to floor-shell", flow.get("to_floor_shell"), 1.3)
    whole = lambda kind: (lambda x: x and x["sent"] + x["got"])(me.get("flow_tokens", {}).get(kind))
    limit("tokens of the flow, selectors known", whole("known"), 110)
    limit("tokens of the flow, discovering", whole("discover"), 200)
    for page, most in (("login", 90), ("list", 800), ("table", 2500), ("heavy", 11000)):
        limit(f"tokens of the map of {page}", me.get("snapshot_size", {}).get(page, {}).get("tokens"), most)
    limit("processor ms of a client call", me.get("cpu_per_command", {}).get("client"), 5)
    limit("driver memory, MiB RSS", me.get("memory", {}).get("driver_rss"), 30)
    cold = lambda n: (peers.get(n, {}).get("cold", {}).get("open") or {}).get("median")
    name, best = fastest({n: cold(n) for n in OTHERS})
    limit("cold start, ms", cold(OURS), best, f"fastest other: {name}" if name else "")
    limit("ms until a failure is told", me.get("failure", {}).get("ms"), 30)
    return {"ops": ops, "limits": limits}
