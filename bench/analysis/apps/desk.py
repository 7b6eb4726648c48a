"""Expense Desk: one page that works by script over a JSON interface, with faults that can be switched on.

Every fault is a name in `faults`; faults of the page stand in its script, faults of the interface here. Without faults
the application is right. `pay` is the address of a payment provider, which belongs to somebody else.
"""
import json
import re
import threading
import urllib.error
import urllib.parse
import urllib.request
from http.server import BaseHTTPRequestHandler

PAGE = r"""<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Expense Desk</title><style>
body{font:16px sans-serif;margin:0;color:#222}header{background:#e7ebf5;padding:10px 24px;display:flex;gap:18px;align-items:center}
main{padding:16px 24px;max-width:960px}table{border-collapse:collapse;width:100%}th,td{border-bottom:1px solid #ccc;padding:6px 8px;text-align:left}
.bar{display:flex;gap:14px;align-items:end;margin:14px 0;flex-wrap:wrap}label{display:block}input,select,button{font:inherit;padding:4px 8px}
.cover{position:fixed;inset:0;background:rgba(30,30,60,.35);display:flex;align-items:center;justify-content:center}.cover p{background:#fff;padding:24px}
#message{min-height:1.4em;color:#175c17}#problem{min-height:1.4em;color:#a11616}dialog{padding:20px}</style></head><body>
<header><strong>Expense Desk</strong><nav><a href="/">Expenses</a> <a href="/settings">Settings</a> <a href="/policy">Travel policy</a></nav></header>
<main id="expenses" hidden><h1>Expenses</h1>
<form id="new" class="bar" novalidate><label>Description<br><input id="what"></label><label>Amount<br><input id="amount"></label>
<label>Category<br><select id="category"><option>Travel</option><option>Meals</option><option>Office</option></select></label><button id="add">Add expense</button></form>
<p id="message" role="status"></p><p id="problem" role="alert"></p>
<div class="bar"><label>Search expenses<br><input id="find" type="search"></label><label>Show category<br><select id="show"><option value="">All</option><option>Travel</option><option>Meals</option><option>Office</option></select></label>
<label>Sort by<br><select id="sort"><option value="">Date</option><option value="down">Amount, highest first</option><option value="up">Amount, lowest first</option></select></label>
<button id="export" type="button">Export</button><button id="payout" type="button">Pay out</button></div>
<p id="loading">Loading…</p>
<table aria-label="Expenses"><thead><tr><th>Description</th><th>Amount</th><th>Category</th><th>State</th><th>Actions</th></tr></thead><tbody id="rows"></tbody></table>
<p>Total: <strong id="total"></strong></p></main>
<main id="settings" hidden><h1>Settings</h1><label>Monthly limit<br><input id="limit"></label><label>Approver<br><select id="approver"><option>Nora Vik</option><option>Theo Lang</option></select></label>
<label><input type="checkbox" id="notify"> Notify me by mail</label><p><button id="save" type="button">Save settings</button></p><p id="saved" role="status"></p></main>
<dialog id="sure" aria-labelledby="sure-head"><h2 id="sure-head">Delete expense?</h2><p id="sure-text"></p><button id="no" type="button">Keep it</button> <button id="yes" type="button">Delete it</button></dialog>
<script>
const faults = new Set(__FAULTS__), has = (name) => faults.has(name), byId = (id) => document.getElementById(id);
let list = [], doomed = null;
const money = (n) => (has('currency') ? '$' + n.toFixed(2) : n.toFixed(2) + ' €');
async function ask(method, path, body) {
  const answer = await fetch(path, { method, headers: { 'content-type': 'application/json' }, body: body && JSON.stringify(body) });
  if (!answer.ok) { const told = await answer.json().catch(() => ({})); throw Object.assign(new Error(told.error || 'HTTP ' + answer.status), { told: told.error }); }
  return answer.json();
}
function say(text) { byId('message').textContent = text; byId('problem').textContent = ''; }
function complain(text) { byId('problem').textContent = text; byId('message').textContent = ''; }
function render() {
  const words = byId('find').value.trim().toLowerCase(), show = byId('show').value, sort = byId('sort').value;
  let seen = list.filter((e) => e.what.toLowerCase().includes(words));
  if (show && !has('filter-all')) seen = seen.filter((e) => e.category === show);
  const by = has('sort-text') ? (a, b) => String(a.amount).localeCompare(String(b.amount)) : (a, b) => a.amount - b.amount;
  if (sort) { seen = [...seen].sort(by); if (sort === 'down') seen.reverse(); }
  if (has('search-none') && words) seen = [];
  byId('rows').replaceChildren(...seen.map((e) => {
    const row = document.createElement('tr');
    for (const text of [e.what, money(e.amount), e.category, e.state]) row.append(Object.assign(document.createElement('td'), { textContent: text }));
    const acts = document.createElement('td'), ok = Object.assign(document.createElement('button'), { textContent: 'Approve' }), rid = Object.assign(document.createElement('button'), { textContent: 'Delete' });
    ok.disabled = e.state !== 'Open' || has('approve-disabled');
    if (!has('approve-dead')) ok.onclick = () => approve(e);
    rid.onclick = () => remove(e);
    acts.append(ok, ' ', rid); row.append(acts); return row;
  }));
  if (!has('total-stale') || !byId('total').textContent) byId('total').textContent = money(list.reduce((sum, e) => sum + e.amount, 0) + (has('total-wrong') ? 10 : 0));
}
async function approve(e) {
  if (has('approve-throws')) e.approvals.push('me');
  Object.assign(e, await ask('POST', '/api/expenses/' + e.id + '/approve')); render(); say(`${e.what} is approved.`);
}
function remove(e) {
  doomed = e; byId('sure-text').textContent = e.what;
  if (!has('dialog-gone')) byId('sure').showModal();
}
byId('no').onclick = () => { byId('sure').close(); say('Nothing was deleted.'); };
byId('yes').onclick = async () => {
  if (!has('dialog-stuck')) byId('sure').close();
  const victim = has('delete-wrong') ? list[(list.indexOf(doomed) + 1) % list.length] : doomed;
  await ask('DELETE', '/api/expenses/' + victim.id); list = list.filter((e) => e !== victim); render(); say(`${doomed.what} was deleted.`);
};
byId('new').onsubmit = async (event) => {
  event.preventDefault();
  const amount = Number(byId('amount').value.replace(',', '.'));
  if (!byId('what').value.trim() && !has('validation-gone')) return complain('Describe the expense.');
  if (!(amount > 0) && !has('amount-unchecked')) return complain('The amount must be more than zero.');
  if (has('add-throws')) byId('form').reset();
  let made;
  try { made = await ask('POST', '/api/expenses', { what: byId('what').value.trim(), amount: amount || 0, category: byId('category').value }); }
  catch (problem) { if (!has('silent')) complain(problem.told || 'Something went wrong. Try again later.'); return; }
  if (has('adds-twice')) list.push({ ...made });
  if (!has('list-stale')) list.push(made);
  event.target.reset(); render(); say(has('message-wrong') ? 'Expense removed.' : 'Expense added.');
};
for (const id of ['find', 'show', 'sort']) byId(id).oninput = render;
byId('export').onclick = () => {
  if (has('export-dead')) return;
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([list.map((e) => [e.what, e.amount].join(';')).join('\n')], { type: 'text/csv' })); link.download = 'expenses.csv'; link.click();
};
byId('payout').onclick = async () => {
  byId('payout').disabled = true;
  try { say((await ask('POST', '/api/payout')).said); } catch (problem) { complain(problem.told || 'The payment failed.'); }
  byId('payout').disabled = false;
};
byId('save').onclick = async () => { await ask('POST', '/api/settings', { limit: byId('limit').value, approver: byId('approver').value, notify: byId('notify').checked }); byId('saved').textContent = 'Settings saved.'; };
async function start() {
  if (location.pathname === '/settings') {
    byId('settings').hidden = false;
    const s = await ask('GET', '/api/settings');
    byId('limit').value = s.limit; byId('approver').value = s.approver; byId('notify').checked = s.notify; return;
  }
  byId('expenses').hidden = false;
  if (has('amount-readonly')) byId('amount').readOnly = true;
  if (has('what-short')) byId('what').maxLength = 5;
  if (has('cover')) document.body.append(Object.assign(document.createElement('div'), { className: 'cover', innerHTML: '<p>Please wait…</p>' }));
  if (has('start-throws')) window.config.locale.toString();
  if (has('add-gone')) byId('add').remove();
  if (has('add-disabled')) byId('add').disabled = true;
  for (const [name, text] of [['add-synonym', 'Create expense'], ['add-far', 'Hand in']]) if (has(name)) byId('add').textContent = text;
  if (has('spinner')) return;
  list = await ask('GET', '/api/expenses');
  byId('loading').hidden = true; render();
}
start();
</script></body></html>"""

POLICY = "<!doctype html><html lang='en'><head><meta charset='utf-8'><title>Travel policy</title></head><body><main><h1>Travel policy</h1><p>Trains are second class. A night costs at most 140.00 €.</p><p><a href='/'>Back to the expenses</a></p></main></body></html>"


class Desk:
    def __init__(self, faults, pay):
        self.faults, self.pay, self.lock = set(faults), pay, threading.Lock()
        rows = [("Train to Malmö", 86.4, "Travel", "Open"), ("Team lunch", 112.0, "Meals", "Open"), ("Printer paper", 19.9, "Office", "Approved"), ("Taxi to the fair", 9.5, "Travel", "Open")]
        self.list = [{"id": i, "what": w, "amount": a, "category": c, "state": s} for i, (w, a, c, s) in enumerate(rows, 1)]
        self.settings = {"limit": "500", "approver": "Nora Vik", "notify": False}

    def has(self, fault):
        return fault in self.faults

    def payout(self):
        total = sum(e["amount"] for e in self.list if e["state"] == "Approved")
        if self.has("payout-500"):
            return 500, {"error": None}
        try:
            request = urllib.request.Request(self.pay + "/transfer", json.dumps({"amount": total}).encode(), {"content-type": "application/json"})
            urllib.request.urlopen(request, timeout=4).read()
        except urllib.error.HTTPError as error:
            return error.code, {"error": f"The payment provider answered: {error.code} {error.reason}."}
        except OSError:
            return 504, {"error": "The payment provider does not answer."}
        return 200, {"said": f"{total:.2f} € were paid out."}

    def answer(self, method, path, given):
        if path == "/api/expenses" and method == "GET":
            return (500, {"error": None}) if self.has("list-500") else (200, self.list)
        if path == "/api/expenses":
            if self.has("add-500"):
                return 500, {"error": None}
            one = {"id": max([e["id"] for e in self.list] + [0]) + 1, "what": given["what"], "amount": given["amount"] * (10 if self.has("times-ten") else 1), "category": "Travel" if self.has("category-lost") else given["category"], "state": "Open"}
            if not self.has("add-lost"):
                self.list.append(one)
            return 201, one
        act = re.fullmatch(r"/api/expenses/(\d+)(/approve)?", path)
        if act:
            one = next((e for e in self.list if e["id"] == int(act[1])), None)
            if one is None:
                return 404, {"error": "This expense is gone."}
            if method == "DELETE":
                if not self.has("delete-returns"):
                    self.list.remove(one)
            else:
                if self.has("approve-500"):
                    return 500, {"error": None}
                one["state"] = "Rejected" if self.has("approve-rejects") else "Approved"
            return 200, one
        if path == "/api/settings":
            if method == "POST" and not self.has("settings-lost"):
                self.settings = dict(given, notify=False) if self.has("notify-lost") else given
            return 200, self.settings
        if path == "/api/payout":
            return self.payout()
        return 404, {"error": "There is no such thing."}


def handler(faults, pay):
    app = Desk(faults, pay)
    page = PAGE.replace("__FAULTS__", json.dumps(sorted(app.faults)))

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_):
            pass

        def serve(self):
            path = urllib.parse.urlsplit(self.path).path
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            kind = "text/html; charset=utf-8"
            if path in ("/", "/settings"):
                status, data = 200, page
            elif path == "/policy" and not app.has("policy-404"):
                status, data = 200, POLICY
            elif path.startswith("/api/"):
                with app.lock:
                    status, told = app.answer(self.command, path, json.loads(body or b"{}"))
                kind, data = "application/json", json.dumps(told)
            elif path == "/favicon.ico":
                status, data = 204, ""
            else:
                status, data = 404, "<!doctype html><title>Not found</title><h1>404 Not Found</h1><p>This page does not exist.</p>"
            data = data.encode()
            self.send_response_only(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = do_DELETE = serve

    return Handler
