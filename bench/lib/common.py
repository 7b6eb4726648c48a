"""Spawning, timing, process accounting and statistics. Standard library only (Linux)."""
import json
import os
import pathlib
import signal
import statistics
import time

HERE = pathlib.Path(__file__).resolve().parent.parent
DIR = pathlib.Path(os.environ.get("BENCH_DIR") or os.path.join(os.environ.get("TMPDIR", "/tmp"), "bench-peers"))
BIN = DIR / "bin"
CHROMIUM = str(BIN / "chromium")
SHELL = BIN / "headless-shell"
PYTHON = DIR / "venv/bin/python"  # the one that has Selenium
# Our own tool: where it is told to be, else where a release build of this workspace puts it.
ASSAY = os.path.abspath(os.environ.get("ASSAY_BIN") or HERE.parent / "target/release/assay")
CLK = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")

# What is driven. attr is the HTML name attribute, for tools whose snapshot shows that.
TARGETS = {
    "email": dict(sel="#email", role="textbox", name="Email", attr="email"),
    "password": dict(sel="#password", role="textbox", name="Password", attr="password"),
    "submit": dict(sel="#submit", role="button", name="Sign in", attr="-"),
    "buy": dict(sel="#buy-1", role="button", name="Add brass lantern", attr="-"),
    "first name": dict(sel="#f1", role="textbox", name="First name", attr="f1"),
    "employer": dict(sel="#f19", role="textbox", name="Employer", attr="f19"),
    "country": dict(sel="#f18", role="combobox", name="Country", attr="-"),
    "save": dict(sel="#save", role="button", name="Save", attr="-"),
    "clear": dict(sel="button[type=reset]", role="button", name="Clear", attr="-"),
}
PAGES = ("login", "list", "form", "table", "heavy")  # whose snapshots are counted
USER, PASSWORD, WELCOME = "ada@example.com", "lovelace", "Welcome, Ada!"


def subst(value, **kv):
    """Replaces {key} for the keys given, everywhere in a string, list or table; other braces stay."""
    if isinstance(value, str):
        for k, v in kv.items():
            if v is not None:
                value = value.replace("{" + k + "}", str(v))
        return value
    if isinstance(value, list):
        return [subst(v, **kv) for v in value]
    if isinstance(value, dict):
        return {k: subst(v, **kv) for k, v in value.items()}
    return value


def stats(xs):
    xs = sorted(xs)
    n = len(xs)
    if not n:
        return None
    q = lambda p: xs[min(n - 1, max(0, round(p * (n - 1))))]
    r = lambda v: round(v, 2)
    return {"n": n, "min": r(xs[0]), "p25": r(q(.25)), "median": r(statistics.median(xs)), "p75": r(q(.75)),
            "p90": r(q(.9)), "p95": r(q(.95)), "max": r(xs[-1])}


def compact(value):
    """JSON as short as it can be written: what a model would read of it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


class Run:
    __slots__ = ("rc", "out", "ms", "cpu_ms", "rss_kb")

    def __init__(self, rc, out, ms, cpu_ms, rss_kb):
        self.rc, self.out, self.ms, self.cpu_ms, self.rss_kb = rc, out, ms, cpu_ms, rss_kb


SHM = pathlib.Path("/dev/shm" if os.path.isdir("/dev/shm") else "/tmp")


def spawn(argv, env, cwd=None, timeout=60):
    """Runs a command as a shell would (no shell in between), output to a file in memory.
    The time is from just before the spawn to the moment the process is reaped; a daemon that the
    command leaves behind is not waited for."""
    path = SHM / f"bench-out-{os.getpid()}"
    if cwd:
        os.chdir(cwd)
    killed = False
    pid = 0

    def late(*_):
        nonlocal killed
        killed = True
        os.kill(pid, signal.SIGKILL)

    old = signal.signal(signal.SIGALRM, late)
    t0 = time.perf_counter()
    pid = os.posix_spawnp(argv[0], argv, env, file_actions=[
        (os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, str(path), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
        (os.POSIX_SPAWN_DUP2, 1, 2)])
    signal.setitimer(signal.ITIMER_REAL, timeout)
    _, status, ru = os.wait4(pid, 0)
    ms = (time.perf_counter() - t0) * 1e3
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, old)
    out = path.read_bytes().decode("utf-8", "replace")
    path.unlink()
    rc = -9 if killed else os.waitstatus_to_exitcode(status)
    return Run(rc, out, ms, (ru.ru_utime + ru.ru_stime) * 1e3, ru.ru_maxrss)


# ---- processes ------------------------------------------------------------------------------

def _stat(pid):
    try:
        with open(f"/proc/{pid}/stat") as f:
            s = f.read()
    except OSError:
        return None
    rest = s[s.rindex(")") + 2:].split()
    return rest  # [0] state, [1] ppid, [11] utime, [12] stime, [19] start time, [21] rss pages


def marked(mark):
    """All live processes that carry BENCH_MARK=mark in their environment, and all their descendants."""
    want = f"BENCH_MARK={mark}\0".encode()
    kids, found = {}, set()
    for p in os.listdir("/proc"):
        if not p.isdigit():
            continue
        st = _stat(p)
        if not st or st[0] in "ZX":
            continue
        kids.setdefault(int(st[1]), []).append(int(p))
        try:
            with open(f"/proc/{p}/environ", "rb") as f:
                if want in f.read() + b"\0":
                    found.add(int(p))
        except OSError:
            pass
    todo = list(found)
    while todo:
        for k in kids.get(todo.pop(), ()):
            if k not in found:
                found.add(k)
                todo.append(k)
    found.discard(os.getpid())
    return found


def is_browser(pid):
    try:
        exe = os.readlink(f"/proc/{pid}/exe")
    except OSError:
        return None
    base = os.path.basename(exe.split(" (deleted)")[0])
    return base in ("chromium", "chrome", "chromium-headless-shell", "headless_shell", "chrome_crashpad_handler",
                    "firefox", "firefox-esr")


def memory(mark, skip=()):
    """RSS and PSS in MiB: driver processes (all but the browser's) and the whole tree."""
    r = {"driver_rss": 0, "driver_pss": 0, "tree_pss": 0, "driver_procs": 0, "browser_procs": 0}
    for pid in marked(mark):
        if pid in skip:
            continue
        b = is_browser(pid)
        if b is None:
            continue
        try:
            roll = open(f"/proc/{pid}/smaps_rollup").read()
        except OSError:
            continue
        val = {l.split(":")[0]: int(l.split()[1]) for l in roll.splitlines()[1:] if l.endswith("kB")}
        r["tree_pss"] += val["Pss"]
        if b:
            r["browser_procs"] += 1
        else:
            r["driver_procs"] += 1
            r["driver_rss"] += val["Rss"]
            r["driver_pss"] += val["Pss"]
    for k in ("driver_rss", "driver_pss", "tree_pss"):
        r[k] = round(r[k] / 1024, 1)
    return r


def cpu(mark):
    """CPU milliseconds used so far by (driver, browser) processes that live now."""
    d = b = 0.0
    for pid in marked(mark):
        st = _stat(pid)
        br = is_browser(pid)
        if st is None or br is None:
            continue
        ms = (int(st[11]) + int(st[12])) * 1000 / CLK
        if br:
            b += ms
        else:
            d += ms
    return d, b


def end(mark, grace=3.0):
    """Ends what is left of a peer, by process id; only processes that carry our mark or descend from one."""
    t = time.monotonic()
    while True:
        left = marked(mark)
        if not left:
            return
        sig = signal.SIGTERM if time.monotonic() - t < grace else signal.SIGKILL
        for pid in left:
            try:
                os.kill(pid, sig)
            except ProcessLookupError:
                pass
        time.sleep(0.1)
        if time.monotonic() - t > grace + 5:
            return


def gone(mark, wait=5.0):
    """Waits for a peer's processes to leave by themselves; returns the milliseconds it took."""
    t = time.perf_counter()
    while marked(mark) and time.perf_counter() - t < wait:
        time.sleep(0.02)
    return (time.perf_counter() - t) * 1e3


# ---- the machine ----------------------------------------------------------------------------

class Group:
    """Other work may run on this machine. Where the kernel allows it, put ourselves and all our
    children in a group that gets a larger share of the processor, so the figures depend less on it,
    and that counts the processor time used, which hardly depends on it at all."""

    def __init__(self, priority=True):
        self.what, self.paths, self.usage = "none", [], None
        v1 = os.path.isdir("/sys/fs/cgroup/cpu")
        if v1:
            if priority:
                self._join("/sys/fs/cgroup/cpu", "cpu.shares", "6144")
            if self._join("/sys/fs/cgroup/cpuacct"):
                self.usage = lambda p=self.paths[-1]: int(open(f"{p}/cpuacct.usage").read()) / 1e6
        elif os.path.exists("/sys/fs/cgroup/cgroup.procs"):
            if self._join("/sys/fs/cgroup", *(("cpu.weight", "600") if priority else ())):
                self.usage = lambda p=self.paths[-1]: int(open(f"{p}/cpu.stat").readline().split()[1]) / 1e3

    def _join(self, base, knob=None, value=None):
        path = f"{base}/bench-peers-{os.getpid()}"
        try:
            os.mkdir(path)
            if knob:
                open(f"{path}/{knob}", "w").write(value)
            open(f"{path}/cgroup.procs", "w").write(str(os.getpid()))
        except OSError:
            try:
                os.rmdir(path)
            except OSError:
                pass
            return False
        self.paths.append(path)
        if knob:
            self.what = f"{knob}={value}"
        return True

    def cpu_ms(self):
        """Processor time used by us and all our children so far, the ones that ended included."""
        return self.usage() if self.usage else None

    def leave(self):
        for path in self.paths:
            try:
                open(os.path.dirname(path) + "/cgroup.procs", "w").write(str(os.getpid()))
                time.sleep(0.2)
                os.rmdir(path)
            except OSError:
                pass


def cpu_times():
    v = [int(x) for x in open("/proc/stat").readline().split()[1:]]
    return {"busy": sum(v[:3]) + sum(v[5:8]), "idle": v[3] + v[4], "steal": v[7]}


def machine():
    model = next((l.split(":")[1].strip() for l in open("/proc/cpuinfo") if l.startswith("model name")), "?")
    mem = int(open("/proc/meminfo").readline().split()[1]) // 1048576
    return {"cpu": model, "cores": os.cpu_count(), "memory_gib": mem, "kernel": os.uname().release,
            "load_at_start": os.getloadavg()}


def peer_env(mark, work, extra):
    work = pathlib.Path(work)
    for d in ("h", "t", "w"):
        (work / d).mkdir(parents=True, exist_ok=True)
    env = {"PATH": f"{BIN}:" + os.environ["PATH"], "HOME": str(work / "h"), "TMPDIR": str(work / "t"),
           "XDG_RUNTIME_DIR": str(work / "t"), "LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1", "BENCH_MARK": mark, "BENCH_DIR": str(DIR)}
    env.update({k: str(v) for k, v in extra.items()})
    return env


def tokens(strings):
    """Token counts (o200k_base) of a list of strings; None where the tokenizer is not installed."""
    import shutil
    import subprocess
    if not shutil.which("node") or not (DIR / "node_modules/gpt-tokenizer").exists():
        return None
    p = subprocess.run(["node", str(HERE / "lib" / "tokens.mjs"), str(DIR)], input=json.dumps(strings).encode(),
                       stdout=subprocess.PIPE, check=True)
    return json.loads(p.stdout)
