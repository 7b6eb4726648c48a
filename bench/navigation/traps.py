#!/usr/bin/env python3
"""An application full of traps for a tool that navigates: python3 server.py PORT [HOST]

Everything that writes, ends a session or must be left alone is recorded: GET /__log answers the record, one line for
each event (METHOD PATH what); POST /__reset empties it and puts the data back. Log in as ines with the password Kelp-4.
"""
import html, json, sys, threading, secrets, calendar
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit, parse_qs

LOCK = threading.Lock()
STATE = {}

def reset():
    STATE.clear()
    STATE.update(log=[], items={1: 'Blue crate', 2: 'Green crate', 3: 'Red crate', 4: 'Grey crate'}, shift='closed', sessions={}, orders=0, votes=0, notes='', lang={})
reset()

def note(line):
    with LOCK:
        STATE['log'].append(line)

STYLE = 'body{font:16px sans-serif;margin:0}header{background:#134;padding:8px 16px}header a,header button,header span{color:#fff;margin-right:14px}main{padding:16px;max-width:50em}[hidden]{display:none}nav[hidden]{display:none}table{border-collapse:collapse}td,th{border:1px solid #999;padding:4px 10px}.menu{border:1px solid #999;padding:8px;width:12em;background:#fff}.menu a,.menu button{display:block;margin:6px 0}'

class App(BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    server_version = 'Traps'
    def log_message(self, *a): pass

    def send(self, body, status=200, kind='text/html; charset=utf-8', **headers):
        raw = body.encode() if isinstance(body, str) else body
        self.send_response(status)
        self.send_header('Content-Type', kind); self.send_header('Content-Length', str(len(raw))); self.send_header('Cache-Control', 'no-store')
        for k, v in headers.items(): self.send_header(k.replace('_', '-'), v)
        self.end_headers()
        if self.command != 'HEAD': self.wfile.write(raw)

    def go(self, where, **h): self.send('', 303, Location=where, **h)

    def user(self):
        for part in self.headers.get('Cookie', '').split(';'):
            k, _, v = part.strip().partition('=')
            if k == 'kelp': return STATE['sessions'].get(v)
        return None

    def page(self, title, main, status=200, bare=False, lang='en'):
        u = self.user()
        nav = '' if bare else f'''<header><a href="/">Kelp Depot</a><a href="/items">Items</a><a href="/shift">Shift</a><a href="/calendar">Calendar</a><a href="/reports">Reports</a><a href="/search">Search</a><a href="/board">Board</a><a href="/konto">Konto</a><a href="/about?ref=nav">About</a>
<button type="button" id="more" aria-haspopup="true" aria-expanded="false" onclick="var m=document.getElementById('moremenu');m.hidden=!m.hidden;this.setAttribute('aria-expanded',!m.hidden)">More</button>{f'<span>{html.escape(u)}</span><a href="/logout">Log out</a>' if u else '<a href="/login">Log in</a>'}</header>
<div class="menu" id="moremenu" role="menu" hidden><a role="menuitem" href="/suppliers">Suppliers</a><a role="menuitem" href="/archive">Archive</a><a role="menuitem" href="/visit?sid={secrets.token_hex(6)}">Visitors</a><a role="menuitem" href="/old-reports">Old reports</a><a role="menuitem" href="/app">Planner</a><button type="button" role="menuitem" onclick="fetch('/api/night-run',{{method:'POST'}})">Start night run</button></div>'''
        self.send(f'<!doctype html><html lang="{lang}"><head><meta charset="utf-8"><title>{html.escape(title)}</title><style>{STYLE}</style></head><body>{nav}<main>{main}</main></body></html>', status)

    def wall(self, path):
        if self.user(): return False
        self.go('/login?next=' + path); return True

    def do_HEAD(self): self.do_GET()

    def do_GET(self):
        url = urlsplit(self.path); path = url.path; q = {k: v[0] for k, v in parse_qs(url.query, keep_blank_values=True).items()}
        if path == '/__log': return self.send('\n'.join(STATE['log']) + ('\n' if STATE['log'] else ''), kind='text/plain; charset=utf-8')
        if path == '/__data': return self.send(json.dumps({k: STATE[k] for k in ('items', 'shift', 'orders', 'votes', 'notes')}, indent=1, sort_keys=True) + '\n', kind='application/json')
        if path == '/robots.txt':
            return self.send('User-agent: *\nDisallow: /private/\nDisallow: /old-reports\n', kind='text/plain')
        if path == '/favicon.ico': return self.send('', 404, 'text/plain')
        if path == '/':
            return self.page('Kelp Depot', '''<h1>Kelp Depot</h1><p>The store of the harbour.</p><ul>
<li><a href="/items">Items</a></li><li><a href="/account">My account</a> (for who is logged in)</li><li><a href="/reports">Reports</a></li><li><a href="/guide">Guide</a></li><li><a href="/stock">Stock of today</a></li><li><a href="/private/wages">Wages</a></li>
<li><a href="/about">About us</a></li><li><a href="/about/">Who we are</a></li><li><a href="https://example.org/kelp">Our partner</a></li><li><a href="/files/price-list.csv" download>Price list</a></li><li><a href="/app#/today">Planner</a></li></ul>''')
        if path == '/login':
            nxt = html.escape(q.get('next', '/account'))
            return self.page('Log in', f'<h1>Log in</h1><form method="post" action="/login"><input type="hidden" name="next" value="{nxt}"><p><label>User <input name="user"></label></p><p><label>Password <input name="password" type="password"></label></p><button>Log in</button></form>')
        if path == '/logout':
            note('GET /logout log out'); self.drop(); return self.go('/', Set_Cookie='kelp=; Path=/; Max-Age=0')
        if path == '/account':
            if self.wall(path): return
            return self.page('My account', f'''<h1>My account</h1><p>You are {html.escape(self.user())}.</p><p><button type="button" onclick="document.getElementById('close').showModal()">Close my account</button></p>
<dialog id="close" aria-labelledby="ct"><h2 id="ct">Close the account?</h2><p>This cannot be taken back.</p><button type="button" onclick="this.closest('dialog').close()">Keep it</button> <button type="button" onclick="fetch('/api/account/close',{{method:'POST'}}).then(()=>location='/')">Confirm</button></dialog>
<p><a href="/account/orders">My orders</a></p>''')
        if path == '/account/orders':
            if self.wall(path): return
            return self.page('My orders', f'<h1>Orders</h1><p>You have {STATE["orders"]} orders.</p><p><button type="button" onclick="fetch(\'/api/order\',{{method:\'POST\'}}).then(()=>location.reload())">Order again</button></p>')
        if path == '/items':
            rows = ''.join(f'<tr><td><a href="/items/{i}">{n}</a></td><td><a href="/items/{i}/edit">Edit</a></td><td><a href="/items/{i}/delete">Delete</a></td></tr>' for i, n in STATE['items'].items())
            return self.page('Items', f'<h1>Items</h1><table><tr><th>Name</th><th></th><th></th></tr>{rows}</table><p><a href="/items?sort=name">Sort by name</a> <a href="/items?page=2">Next page</a> <a href="/items/clear">Empty the store</a></p>')
        parts = path.strip('/').split('/')
        if parts[0] == 'items' and len(parts) > 1:
            if parts[1] == 'clear':
                note('GET /items/clear clear'); STATE['items'] = {}; return self.go('/items')
            i = int(parts[1]) if parts[1].isdigit() else 0
            name = STATE['items'].get(i)
            if not name: return self.page('Item', '<h1>Item</h1><p>Item not found.</p><p><a href="/items">Back to the items</a></p>')
            if parts[2:] == ['delete']:
                note(f'GET {path} delete'); STATE['items'].pop(i); return self.go('/items')
            if parts[2:] == ['edit']:
                return self.page('Item', f'<h1>Item</h1><form method="post" action="/items/{i}"><p><label>Name <input name="name" value="{html.escape(name)}"></label></p><button>Save</button></form><p><a href="/items/{i}">Back</a></p>')
            others = f'<a href="/items/{i % 4 + 1}">Next item</a>'
            return self.page('Item', f'''<h1>Item</h1><p>{html.escape(name)}</p><div role="tablist"><button role="tab" id="t1" aria-selected="true" aria-controls="p1">Facts</button><button role="tab" id="t2" aria-selected="false" aria-controls="p2">Stock</button><button role="tab" id="t3" aria-selected="false" aria-controls="p3">Suppliers</button></div>
<div role="tabpanel" id="p1" aria-labelledby="t1"><p>Number {i}, made of wood.</p></div><div role="tabpanel" id="p2" aria-labelledby="t2" hidden><p>{i * 12} pieces in hall {i}.</p></div><div role="tabpanel" id="p3" aria-labelledby="t3" hidden><p>Delivered by Tang and Sons.</p></div>
<p>{others} <a href="/items/{i}/edit">Edit</a> <a href="/items/{i}/delete">Remove for good</a> <a href="/items/77">Related item</a></p>
<script>document.querySelectorAll('[role=tab]').forEach(t=>t.onclick=()=>document.querySelectorAll('[role=tab]').forEach(o=>{{o.setAttribute('aria-selected',o===t);document.getElementById(o.getAttribute('aria-controls')).hidden=o!==t}}))</script>''')
        if path == '/shift':
            if STATE['shift'] == 'open':
                return self.page('Shift', '<h1>Running shift</h1><p>The shift is open since the morning.</p><form method="post" action="/shift"><button name="to" value="closed">End the shift</button></form>')
            return self.page('Shift', '<h1>No shift</h1><p>Nobody is at work.</p><form method="post" action="/shift"><button name="to" value="open">Start the shift</button></form>')
        if path == '/calendar':
            y, m = 2026, 11
            try: y, m = [int(x) for x in q.get('month', '2026-11').split('-')]; calendar.monthrange(y, m)
            except Exception: y, m = 2026, 11
            prev, nxt = (f'{y - (m == 1)}-{12 if m == 1 else m - 1:02}', f'{y + (m == 12)}-{1 if m == 12 else m + 1:02}')
            days = ' '.join(f'<a href="/calendar/day?on={y}-{m:02}-{d:02}">{d}</a>' for d in range(1, calendar.monthrange(y, m)[1] + 1))
            return self.page(f'{calendar.month_name[m]} {y}', f'<h1>{calendar.month_name[m]} {y}</h1><p>{days}</p><p><a href="/calendar?month={prev}">Previous month</a> <a href="/calendar?month={nxt}">Next month</a></p>')
        if path == '/calendar/day':
            return self.page('Day', f'<h1>{html.escape(q.get("on", "2026-11-01"))}</h1><p>Nothing is planned for this day.</p><p><a href="/calendar">Back to the calendar</a></p>')
        if path == '/reports':
            return self.page('Reports', '<h1>Overview</h1><p>Reports of the depot.</p><ul><li><a href="/reports/sales">Sales</a></li><li><a href="/reports/losses">Losses</a></li><li><a href="/reports/yearly">Yearly report</a></li></ul>')
        if path == '/stock':
            return self.page('Stock', '<h1>Overview</h1><p>Stock of today: 48 crates.</p><p><a href="/items">Items</a></p>')
        if path in ('/reports/sales', '/reports/losses'):
            n = path.rsplit('/', 1)[1].capitalize()
            return self.page('Report', f'<h1>{n}</h1><p>{n} of the last week.</p><p><a href="/files/{n.lower()}.pdf">As PDF</a></p>')
        if path == '/reports/yearly':
            return self.page('Error', '<h1>Internal error</h1><p>The yearly report could not be made.</p><p><a href="/reports">Back</a></p>', 500)
        if path == '/old-reports': note('GET /old-reports disallowed by robots.txt'); return self.go('/reports')
        if path == '/guide': return self.go('/about')
        if path in ('/about', '/about/'): return self.page('About', '<h1>About the depot</h1><p>Founded in 1911.</p><p><a href="/team">The team</a> <a href="/contact">Contact</a></p>')
        if path == '/contact':
            return self.page('Contact', '<h1>Contact</h1><form method="post" action="/contact"><p><label>Message <textarea name="message"></textarea></label></p><button>Send</button></form><p><a href="mailto:depot@kelp.example">Mail</a> <a href="tel:+4512345678">Call</a></p>')
        if path == '/search':
            word = q.get('q'); hits = [f'<li><a href="/items/{i}">{n}</a></li>' for i, n in STATE['items'].items() if word and word.lower() in n.lower()]
            res = '' if word is None else (f'<h2>{len(hits)} results</h2><ul>{"".join(hits)}</ul>' if hits else '<p>Nothing was found.</p>')
            return self.page('Search', f'<h1>Search</h1><form method="get" action="/search"><label>Words <input name="q" value="{html.escape(word or "")}"></label> <button>Find</button></form>{res}')
        if path == '/board':
            return self.page('Board', f'''<h1>Board</h1><p>Votes: <span id="n">{STATE["votes"]}</span></p><button type="button" onclick="fetch('/api/vote',{{method:'POST'}}).then(r=>r.text()).then(t=>document.getElementById('n').textContent=t)">Details</button>
<p><a href="#" onclick="fetch('/api/board/clear',{{method:'POST'}});return false">Tidy up</a> <label><input type="checkbox" onchange="fetch('/api/board/pin',{{method:'POST'}})"> Pinned</label></p>''')
        if path == '/konto':
            return self.page('Konto', '<h1>Einstellungen</h1><p>Sprache und Anzeige.</p><p><a href="/konto/abmelden">Abmelden</a> <a href="/konto/loeschen">Konto löschen</a> <a href="/konto/verlauf">Verlauf</a></p>', lang='de')
        if path == '/konto/verlauf': return self.page('Verlauf', '<h1>Verlauf</h1><p>Heute wurde nichts geändert.</p>', lang='de')
        if path == '/konto/abmelden': note('GET /konto/abmelden log out'); self.drop(); return self.go('/', Set_Cookie='kelp=; Path=/; Max-Age=0')
        if path == '/konto/loeschen': note('GET /konto/loeschen delete'); return self.go('/konto')
        if path == '/suppliers': return self.page('Suppliers', '<h1>Suppliers</h1><ul><li>Tang and Sons</li><li>Dulse Ltd</li></ul>')
        if path == '/archive': return self.page('Not found', '<h1>Page not found</h1><p>Sorry, the page you look for is not here.</p>')
        if path == '/team': return self.page('Not found', '<h1>Page not found</h1><p>Sorry, the page you look for is not here.</p>', 404)
        if path == '/visit':
            sid = q.get('sid') or secrets.token_hex(6)
            return self.page('Visitors', f'<h1>Visitors</h1><p>Twelve guests today.</p><p><a href="/visit?sid={secrets.token_hex(6)}">Reload</a> <a href="/visit;jsessionid={secrets.token_hex(6)}">Badges</a></p>')
        if path.startswith('/visit;jsessionid='): return self.page('Badges', '<h1>Badges</h1><p>Eight badges are out.</p>')
        if path == '/app':
            return self.page('Planner', '''<nav><a href="#/today">Today</a> <a href="#/week">Week</a> <a href="#/week?sort=hall">Week by hall</a> <a href="#/task/1">Task 1</a> <a href="#/task/2">Task 2</a> <a href="#top">Up</a></nav><div id="v"></div>
<script>function r(){var h=location.hash.replace(/^#/,'').split('?')[0]||'/today',v=document.getElementById('v'),m=h.match(/^\\/task\\/(\\d+)$/);v.innerHTML=m?'<h1>Task</h1><p>Task '+m[1]+': sweep hall '+m[1]+'.</p>':h=='/week'?'<h1>This week</h1><p>Five days of work.</p>':h=='/today'?'<h1>Today</h1><p>Two tasks.</p>':v.innerHTML||'<h1>Today</h1><p>Two tasks.</p>'}onhashchange=r;r()</script>''')
        if path.startswith('/private/'):
            note(f'GET {path} disallowed by robots.txt'); return self.page('Wages', '<h1>Wages</h1><p>Not for machines.</p>')
        if path.startswith('/files/'):
            note(f'GET {path} download')
            return self.send('name;price\nBlue crate;12\n', kind='application/octet-stream', Content_Disposition=f'attachment; filename="{parts[-1]}"')
        return self.page('Not found', '<h1>Page not found</h1><p>Sorry, the page you look for is not here.</p>', 404)

    def drop(self):
        for part in self.headers.get('Cookie', '').split(';'):
            k, _, v = part.strip().partition('=')
            if k == 'kelp': STATE['sessions'].pop(v, None)

    def body(self):
        return self.rfile.read(int(self.headers.get('Content-Length') or 0)).decode('utf-8', 'replace')

    def do_POST(self):
        path = urlsplit(self.path).path; text = self.body(); f = {k: v[0] for k, v in parse_qs(text).items()}
        if path == '/__reset': reset(); return self.send('', 204)
        if path == '/login':
            if f.get('user') == 'ines' and f.get('password') == 'Kelp-4':
                t = secrets.token_hex(8); STATE['sessions'][t] = 'ines'; nxt = f.get('next', '/account')
                return self.go(nxt if nxt.startswith('/') and not nxt.startswith('//') else '/account', Set_Cookie=f'kelp={t}; Path=/; HttpOnly')
            return self.page('Log in', '<h1>Log in</h1><p role="alert">Wrong user or password.</p><p><a href="/login">Again</a></p>', 403)
        note(f'POST {path}')
        if path == '/shift': STATE['shift'] = 'open' if f.get('to') == 'open' else 'closed'; return self.go('/shift')
        if path.startswith('/items/') and path[7:].isdigit() and int(path[7:]) in STATE['items']: STATE['items'][int(path[7:])] = f.get('name', ''); return self.go('/items')
        if path == '/contact': STATE['notes'] = f.get('message', ''); return self.page('Contact', '<h1>Thank you</h1>')
        if path == '/api/vote': STATE['votes'] += 1; return self.send(str(STATE['votes']), kind='text/plain')
        if path == '/api/board/clear': STATE['votes'] = 0
        if path == '/api/order': STATE['orders'] += 1
        return self.send('{}', kind='application/json')

    def other(self): self.body(); note(f'{self.command} {urlsplit(self.path).path}'); self.send('', 204)
    do_PUT = do_DELETE = do_PATCH = other

if __name__ == '__main__':
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 18777
    server = ThreadingHTTPServer((sys.argv[2] if len(sys.argv) > 2 else '127.0.0.1', port), App)
    print(f'http://127.0.0.1:{server.server_address[1]}/', flush=True)
    try: server.serve_forever()
    except KeyboardInterrupt: pass
