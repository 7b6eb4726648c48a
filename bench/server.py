#!/usr/bin/env python3
"""The fixed web application that every peer drives. Loopback only, standard library only.

Prints the chosen port on stdout. Stops when stdin reaches end of file, so it cannot outlive
the harness. All answers are prepared in memory: serving one costs well under a millisecond,
so the server is not what is being measured.

Sign in with ada@example.com / lovelace."""
import asyncio
import pathlib
import sys
import urllib.parse

SITE = pathlib.Path(__file__).resolve().parent / "site"
PAGES = {"/": "login.html", "/login": "login.html", "/dashboard": "dashboard.html",
         "/list": "list.html", "/form": "form.html", "/table": "table.html", "/heavy": "heavy.html"}
NEEDS_SESSION = {"/dashboard"}
COOKIE = b"session=ok"


def reply(status, body=b"", ctype="text/html; charset=utf-8", extra=()):
    head = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", f"Content-Type: {ctype}",
            "Cache-Control: no-store", *extra]
    return ("\r\n".join(head) + "\r\n\r\n").encode() + body


READY = {path: reply("200 OK", (SITE / f).read_bytes()) for path, f in PAGES.items()}
# A dozen small pages for bench/thousand, each with its own heading, list and answer.
GOODS = ["Lantern", "Rope", "Anchor", "Compass", "Sextant", "Oilskin", "Flag", "Buoy", "Whistle", "Chart", "Bell", "Net"]
for number, good in enumerate(GOODS, 1):
    rows = "".join(f"<li>{good} {size} <button onclick=\"out.textContent='Kept {good} {size}'\">Keep {size}</button></li>"
                   for size in ("small", "medium", "large"))
    READY[f"/page/{number}"] = reply("200 OK", f"""<!doctype html><html lang="en"><title>{good}s</title>
<link rel="stylesheet" href="/style.css"><h1>{good}s</h1><ul>{rows}</ul><label>Name <input name="name"></label>
<button onclick="out.textContent = 'Hello ' + document.querySelector('input').value + ', {good}s are on page {number}'">Greet</button>
<p id="out" role="status"></p>""".encode())
READY["/style.css"] = reply("200 OK", (SITE / "style.css").read_bytes(), "text/css")
READY["/favicon.ico"] = reply("204 No Content")
ME = reply("200 OK", b'{"name":"Ada"}', "application/json")
TO_LOGIN = reply("303 See Other", extra=("Location: /login",))
TO_ERROR = reply("303 See Other", extra=("Location: /login?e=1",))
TO_HOME = reply("303 See Other", extra=("Location: /dashboard", "Set-Cookie: session=ok; Path=/; HttpOnly"))
LOGOUT = reply("303 See Other", extra=("Location: /login", "Set-Cookie: session=; Path=/; Max-Age=0"))
MISSING = reply("404 Not Found", b"<!doctype html><title>Not found</title><h1>Not found</h1>")


class Http(asyncio.Protocol):
    def connection_made(self, transport):
        self.t, self.buf = transport, b""

    def data_received(self, data):
        self.buf += data
        while True:
            end = self.buf.find(b"\r\n\r\n")
            if end < 0:
                return
            head = self.buf[:end]
            size = 0
            for line in head.split(b"\r\n")[1:]:
                if line[:15].lower() == b"content-length:":
                    size = int(line[15:])
            if len(self.buf) < end + 4 + size:
                return
            body = self.buf[end + 4:end + 4 + size]
            self.buf = self.buf[end + 4 + size:]
            self.t.write(self.answer(head, body))

    def answer(self, head, body):
        method, target, _ = head.split(b"\r\n", 1)[0].decode("latin-1").split(" ", 2)
        path = target.split("?", 1)[0]
        if method == "POST" and path == "/login":
            form = urllib.parse.parse_qs(body.decode())
            good = form.get("email") == ["ada@example.com"] and form.get("password") == ["lovelace"]
            return TO_HOME if good else TO_ERROR
        if path == "/logout":
            return LOGOUT
        if path == "/api/me":
            return ME if COOKIE in head else reply("401 Unauthorized", b"{}", "application/json")
        if path in NEEDS_SESSION and COOKIE not in head:
            return TO_LOGIN
        return READY.get(path, MISSING)


async def main():
    loop = asyncio.get_running_loop()
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    server = await loop.create_server(Http, "127.0.0.1", port)
    print(server.sockets[0].getsockname()[1], flush=True)
    done = asyncio.Event()
    loop.add_reader(sys.stdin, lambda: sys.stdin.read(1) or done.set())
    await done.wait()


asyncio.run(main())
