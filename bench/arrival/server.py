#!/usr/bin/env python3
"""The stand-alone pages of the bench. Loopback only, standard library only.

Prints its port on stdout and stops when stdin ends. Every delay is in the address, so a page says itself how long it takes.

    /NAME.html                        a file of site/
    /late/MS/NAME                     the same, but only after MS milliseconds
    /json/MS/NAME                     data of DATA after MS milliseconds
    /hang                             never answers
    /endless                          a body that never ends
    /words?ms=100&text=a+b+c          a body that arrives word by word
    /sse?key=K[&first=MS&data=TEXT][&tick=MS&text=TEXT]      server-sent events; posts to K arrive here
    /poll?key=K[&max=MS]              long poll: answers with the next post to K
    /post?key=K&after=MS&data=TEXT    answers 202 at once; TEXT reaches the readers of K later
    /job?n=3                          starts a job; /job/ID says "running" n times, then "done"
    /ws?[first=MS&data=TEXT][&tick=MS&text=TEXT]   a websocket; {"after": [MS…], "say": [TEXT…]} makes it say TEXT later
    /do/NAME                          forms: pages made by the server

server.py PORT [FOLDER]: with a folder, its files are served instead of site/, and index.html for addresses without an ending.
"""
import asyncio
import base64
import hashlib
import html
import itertools
import json
import pathlib
import struct
import sys
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
SITE = pathlib.Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else HERE / "site"
KINDS = {".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml",
         ".ttf": "font/ttf", ".json": "application/json"}
DATA = {
    "orders": [{"id": 11, "name": "Oak", "pieces": 3}, {"id": 12, "name": "Birch", "pieces": 7}, {"id": 13, "name": "Larch", "pieces": 2}],
    "config": {"title": "Orders", "locale": "en"},
    "user": {"name": "Ada"},
    "invoices": {"overdue": 2, "rows": ["Invoice 301", "Invoice 302", "Invoice 303"]},
    "found": ["Red oak", "White oak"],
    "cart": {"items": 1},
    "ok": {"ok": True},
}
readers = {}        # key -> queues of open event streams and polls
jobs, job_ids = {}, itertools.count(1)


def page(title, body, status="200 OK"):
    nav = "".join(f'<li><a href="/static.html?{n}">{n}</a></li>' for n in
                  "Overview Orders Customers Suppliers Invoices Payments Stock Warehouses Deliveries Returns Reports Calendar "
                  "Messages Team Roles Settings Billing Help".split())
    side = "".join(f"<section><h3>{n}</h3><p>Updated daily.</p></section>" for n in
                   "Prices of today|New suppliers|Opening hours|Timber of the month|Tips for drying|Your contacts".split("|"))
    return status, f"""<!doctype html><html lang="en"><title>{title}</title><link rel="stylesheet" href="/style.css">
<header><a href="/static.html">Timber yard</a><nav><ul>{nav}</ul></nav></header>
<div class="cols"><main>{body}</main><aside>{side}</aside></div><footer><a href="/static.html?imprint">Imprint</a></footer></html>"""


def form_page(name, form):
    """The pages that the server makes: each is one answer to one act."""
    say = lambda key: html.escape(form.get(key, ""))  # noqa: E731
    login = """<h1>Log in</h1>{}<form method="post" action="/do/login"><label>Email <input name="email" value="{}"></label>
<label>Password <input type="password" name="password"></label><button>Log in</button></form>"""
    if name == "login":
        if not form:
            return page("Log in", login.format("", ""))
        if form.get("password") != "lovelace":
            return page("Log in", login.format('<div class="note bad">Wrong email or password.</div>', say("email")))
        return page("Yard", '<div class="hello">Good morning, Ada</div><div class="cards"><div class="card"><b>12</b> open orders</div>'
                            '<div class="card"><b>3</b> deliveries today</div></div>')
    if name == "order":
        form_html = """<h1>New order</h1><form method="post" action="/do/order"><label>Timber <input name="timber"></label>
<label>Day <input name="day" value="{}">{}</label><button>Save order</button></form>"""
        if not form:
            return page("New order", form_html.format("", ""))
        if form.get("day", "") < "2030":
            return page("New order", form_html.format(say("day"), '<span class="field-error">Choose a day in the future</span>'))
        rows = "".join(f"<tr><td>{i}</td><td>{n}</td><td><button>Edit</button></td></tr>" for i, n in enumerate(("Oak", "Birch", "Larch"), 11))
        return page("Orders", f'<div class="flash">Order 17 was saved</div><h1>Orders</h1><table><tr><th>Number</th><th>Timber</th><th></th></tr>{rows}</table>')
    if name == "search":
        return page("Search", '<h1>Search</h1><form action="/do/search"><label>Search <input name="q"></label><button>Search</button></form>' + (
            f'<p class="count">3 results for “{say("q")}”</p><ol><li><a href="#a">Oak boards</a></li><li><a href="#b">Oak posts</a></li>'
            '<li><a href="#c">Oak stairs</a></li></ol>' if form.get("q") else ""))
    if name == "password":
        if not form:
            return page("Settings", '<h1>Settings</h1><form method="post" action="/do/password"><label>New password <input name="p" type="password"></label><button>Change password</button></form>')
        cards = "".join(f"<section><h2>{n}</h2><p>Everything about {n.lower()}.</p></section>" for n in
                        "Profile Language Region Notifications Appearance Privacy Sessions Devices Apps Keys".split())
        return page("Settings", f'<h1>Settings</h1><div class="notice">Your password was changed.</div>{cards}')
    if name == "pay":
        if not form:
            return page("Pay", '<h1>Pay</h1><form method="post" action="/do/pay"><input type="hidden" name="x" value="1"><button>Pay now</button></form>')
        return page("Thank you", "<p>Thank you, your order 4711 is on its way.</p>")
    if name == "missing":
        return page("Timber yard", "<h1>Oops</h1><p>We cannot find this order. It may have been deleted.</p>", "404 Not Found")
    if name == "broken":
        return page("Timber yard", "<h1>Something went wrong</h1><p>The stock service does not answer. Try again in a minute.</p>", "500 Internal Server Error")
    if name == "links":
        return page("Orders", '<h1>Orders</h1><p><a href="/do/missing">Order 9</a> <a href="/do/broken">Stock</a> <a href="/do/detail">Order 12</a> '
                              '<a href="/whats-new.html">Newest version</a></p>')
    if name == "detail":
        return page("Order 12", '<h1>Order 12</h1><p><span class="badge">Shipped</span></p><dl><dt>Timber</dt><dd>Birch</dd><dt>Pieces</dt><dd>7</dd></dl>')
    if name == "import":
        if not form:
            return page("Import", '<h1>Import</h1><form method="post" action="/do/import"><input type="hidden" name="x" value="1"><button>Start import</button></form>')
        return page("One moment", "<p>One moment, please…</p><script>setTimeout(() => location.replace('/imported.html'), 300)</script>")
    return page("Not found", "<h1>Not found</h1>", "404 Not Found")


class Ws:
    """The few frames of RFC 6455 that the pages need: text both ways, ping and close."""
    def __init__(self, reader, writer):
        self.r, self.w = reader, writer

    def say(self, text):
        raw = text.encode()
        head = b"\x81" + (bytes([len(raw)]) if len(raw) < 126 else b"\x7e" + struct.pack(">H", len(raw)))
        if not self.w.is_closing():
            self.w.write(head + raw)

    async def hear(self):
        one, two = await self.r.readexactly(2)
        size = two & 127
        if size == 126:
            size = struct.unpack(">H", await self.r.readexactly(2))[0]
        mask = await self.r.readexactly(4) if two & 128 else bytes(4)
        raw = bytes(b ^ mask[i % 4] for i, b in enumerate(await self.r.readexactly(size)))
        return one & 15, raw.decode("utf-8", "replace")


def later(ms, call, *args):
    asyncio.get_running_loop().call_later(ms / 1000, call, *args)


async def websocket(reader, writer, head, ask):
    key = next(line.split(":", 1)[1].strip() for line in head if line.lower().startswith("sec-websocket-key:"))
    accept = base64.b64encode(hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()).decode()
    writer.write(f"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {accept}\r\n\r\n".encode())
    ws, ticker = Ws(reader, writer), None
    if "first" in ask:
        later(float(ask["first"]), ws.say, ask.get("data", "first"))
    if "tick" in ask:
        async def tick():
            for n in itertools.count(1):
                await asyncio.sleep(float(ask["tick"]) / 1000)
                ws.say(f"{ask.get('text', 'tick')} {n}")
        ticker = asyncio.create_task(tick())
    try:
        while True:
            kind, text = await ws.hear()
            if kind == 8:
                break
            if kind == 1:
                wish = json.loads(text)
                for ms, say in zip(wish["after"], wish["say"]):
                    later(ms, ws.say, say)
    finally:
        if ticker:
            ticker.cancel()


async def answer(reader, writer, head):
    method, target, _ = head[0].split(" ", 2)
    path, _, query = target.partition("?")
    ask = dict(urllib.parse.parse_qsl(query, keep_blank_values=True))
    if path == "/ws":
        return await websocket(reader, writer, head, ask)
    body = b""
    for line in head[1:]:
        if line.lower().startswith("content-length:"):
            body = await reader.readexactly(int(line.split(":")[1]))
    def start(status="200 OK", kind="text/html; charset=utf-8", extra=""):
        writer.write(f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nCache-Control: no-store\r\nConnection: close\r\n{extra}\r\n".encode())
    part = path.strip("/").split("/")
    if path == "/" and len(sys.argv) < 3:
        path = "/static.html"
    if part[0] == "late":
        await asyncio.sleep(float(part[1]) / 1000)
        path = "/" + "/".join(part[2:])
    elif part[0] == "json":
        await asyncio.sleep(float(part[1]) / 1000)
        start(kind="application/json")
        return writer.write(json.dumps(DATA[part[2]]).encode())
    elif path == "/hang":
        return await reader.read()
    elif path == "/endless":
        start(kind="text/plain")
        for n in itertools.count():
            writer.write(f"line {n}\n".encode())
            await writer.drain()
            await asyncio.sleep(0.3)
    elif path == "/words":
        start(kind="text/plain")
        for word in ask["text"].split(" "):
            await asyncio.sleep(float(ask.get("ms", 100)) / 1000)
            writer.write((word + " ").encode())
            await writer.drain()
        return
    elif path == "/sse":
        start(kind="text/event-stream")
        queue = asyncio.Queue()
        readers.setdefault(ask.get("key", ""), []).append(queue)
        if "first" in ask:
            later(float(ask["first"]), queue.put_nowait, ask.get("data", "first"))
        if "tick" in ask:
            async def tick():
                for n in itertools.count(1):
                    await asyncio.sleep(float(ask["tick"]) / 1000)
                    queue.put_nowait(f"{ask.get('text', 'tick')} {n}")
            writer.ticker = asyncio.create_task(tick())
        gone = asyncio.create_task(reader.read())
        while not gone.done():
            try:
                text = await asyncio.wait_for(queue.get(), 0.5)
            except asyncio.TimeoutError:
                continue
            writer.write(f"data: {text}\n\n".encode())
            await writer.drain()
        if "tick" in ask:
            writer.ticker.cancel()
        return
    elif path == "/poll":
        queue = asyncio.Queue()
        readers.setdefault(ask.get("key", ""), []).append(queue)
        try:
            text = await asyncio.wait_for(queue.get(), float(ask.get("max", 25000)) / 1000)
        except asyncio.TimeoutError:
            text = ""
        readers[ask.get("key", "")].remove(queue)
        start(kind="text/plain")
        return writer.write(text.encode())
    elif path == "/post":
        def tell():
            for queue in readers.get(ask.get("key", ""), []):
                queue.put_nowait(ask["data"])
        later(float(ask.get("after", 0)), tell)
        start("202 Accepted", "text/plain")
        return
    elif part[0] == "job":
        start(kind="application/json")
        if len(part) == 1:
            number = str(next(job_ids))
            jobs[number] = int(ask.get("n", 3))
            return writer.write(json.dumps({"id": number}).encode())
        jobs[part[1]] -= 1
        return writer.write(json.dumps({"state": "running" if jobs[part[1]] > 0 else "done"}).encode())
    elif part[0] == "do":
        form = dict(urllib.parse.parse_qsl(body.decode(), keep_blank_values=True)) if method == "POST" else ask
        await asyncio.sleep(0.15)
        status, text = form_page(part[1], form)
        start(status)
        return writer.write(text.encode())
    elif path == "/favicon.ico":
        return start("204 No Content")
    file = (SITE / path.lstrip("/")).resolve()
    if len(sys.argv) > 2 and not file.suffix:
        file = SITE / "index.html"
    if SITE in file.parents and file.is_file():
        start(kind=KINDS.get(file.suffix, "application/octet-stream"))
        writer.write(file.read_bytes())
    else:
        start("404 Not Found")
        writer.write(b"<!doctype html><title>Not found</title><h1>Not found</h1>")


async def client(reader, writer):
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        await answer(reader, writer, [line for line in head if line])
        await writer.drain()
    except (ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
        pass
    finally:
        try:
            writer.close()
        except RuntimeError:
            pass


async def main():
    server = await asyncio.start_server(client, "127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    server.close()

if __name__ == "__main__":
    try:
        asyncio.run(asyncio.wait_for(main(), None))
    except KeyboardInterrupt:
        pass
