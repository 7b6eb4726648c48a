"""Elm Street Practice: an appointment book whose pages are made by the server, with faults that can be switched on.

Every fault is a name in `faults`; the code that asks for it is the defect. Without faults the application is right.
"""
import html
import re
import secrets
import threading
import urllib.parse
from http.server import BaseHTTPRequestHandler

USERS = {"reception": ("Front-Desk-7", "Rosa Lund"), "doctor": ("White-Coat-9", "Dr. Ivo Brandt")}
DOCTORS = ["Dr. Ivo Brandt", "Dr. Salma Haddad"]
STYLE = """body{font:16px sans-serif;margin:0;color:#222}header{background:#e8f0ea;padding:10px 24px;display:flex;gap:18px;align-items:center}
main{padding:16px 24px;max-width:900px}table{border-collapse:collapse;width:100%}th,td{border-bottom:1px solid #ccc;padding:6px 8px;text-align:left}
label{display:block;margin-top:10px}input,select{font:inherit;padding:4px}button{font:inherit;padding:4px 12px}.flash{background:#e6f5e6;padding:8px}
.error{background:#fbe3e3;padding:8px}form.inline{display:inline}"""


class Clinic:
    def __init__(self, faults=()):
        self.faults = set(faults)
        self.lock = threading.Lock()
        self.sessions = {}
        self.flashes = {}
        self.patients = [
            {"id": 1, "name": "Anna Becker", "born": "1984-02-11", "insurance": "Nordkasse", "phone": "0431 55 12 60", "lines": [("Check-up", 45.0), ("Blood test", 38.5)]},
            {"id": 2, "name": "Carl Øster", "born": "1951-09-30", "insurance": "Seekasse", "phone": "0431 55 48 11", "lines": [("X-ray", 64.0)]},
            {"id": 3, "name": "Dora Müller", "born": "1999-12-05", "insurance": "Nordkasse", "phone": "0431 55 90 02", "lines": [("Vaccination", 25.0), ("Certificate", 10.0)]},
            {"id": 4, "name": "Emil Jansen", "born": "2010-06-17", "insurance": "private", "phone": "0431 55 31 77", "lines": []},
            {"id": 5, "name": "Frida Holm", "born": "1978-03-22", "insurance": "Seekasse", "phone": "0431 55 70 43", "lines": []},
        ]
        self.appointments = [
            {"id": 11, "time": "8:30", "patient": "Anna Becker", "doctor": DOCTORS[0], "reason": "Check-up", "status": "Booked"},
            {"id": 12, "time": "9:15", "patient": "Carl Øster", "doctor": DOCTORS[1], "reason": "X-ray", "status": "Booked"},
            {"id": 13, "time": "10:00", "patient": "Dora Müller", "doctor": DOCTORS[0], "reason": "Vaccination", "status": "Booked"},
            {"id": 14, "time": "11:45", "patient": "Emil Jansen", "doctor": DOCTORS[1], "reason": "Sore throat", "status": "Booked"},
        ]
        self.next = 15

    def has(self, fault):
        return fault in self.faults

    # --- pages ---------------------------------------------------------------------------------------------------

    def page(self, title, body, session):
        name = self.sessions.get(session)
        if name and self.has("wrong-user"):
            name = "Dr. Ivo Brandt" if name == "Rosa Lund" else "Rosa Lund"
        flash = self.flashes.pop(session, None)
        head = ""
        if name:
            reports = "/report" if self.has("reports-404") else "/reports"
            head = ("<header><strong>Elm Street Practice</strong><nav><a href='/appointments'>Appointments</a> <a href='/patients'>Patients</a> "
                    f"<a href='{reports}'>Reports</a></nav><span>Signed in as {html.escape(name)}</span><form class='inline' method='post' action='/logout'><button>Sign out</button></form></header>")
        if flash:
            kind, text = flash
            body = f"<p class='{kind}' role='{'alert' if kind == 'error' else 'status'}'>{html.escape(text)}</p>{body}"
        if self.has("encoding"):
            body = body.replace("ü", "Ã¼").replace("Ø", "Ã˜")
        return f"<!doctype html><html lang='en'><head><meta charset='utf-8'><title>{title}</title><style>{STYLE}</style></head><body>{head}<main>{body}</main></body></html>"

    def login(self, session, email="", error=""):
        button = "Enter practice" if self.has("button-renamed-far") else "Log in" if self.has("button-renamed") else "Sign in"
        error = f"<p class='error' role='alert'>{error}</p>" if error else ""
        return self.page("Sign in", f"<h1>Elm Street Practice</h1>{error}<form method='post' action='/login'><label>Username<br><input name='username' autocomplete='username' value='{html.escape(email)}'></label>"
                         f"<label>Password<br><input type='password' name='password' autocomplete='current-password'></label><p><button>{button}</button></p></form>", None)

    def list(self, session, query):
        doctor = query.get("doctor", "")
        rows = list(self.appointments)
        minutes = lambda a: int(a["time"].split(":")[0]) * 60 + int(a["time"].split(":")[1])
        rows.sort(key=(lambda a: a["time"]) if self.has("sort-text") else minutes)
        if doctor and not self.has("filter-ignored"):
            rows = [a for a in rows if a["doctor"] == doctor]
        out = ""
        for a in rows:
            status = "Booked" if self.has("status-stale") and a["status"] == "Checked in" else a["status"]
            off = " disabled" if a["status"] != "Booked" or self.has("checkin-disabled") else ""
            kind = " type='button'" if self.has("cancel-dead") else ""
            out += (f"<tr><td>{html.escape(a['patient'])}</td><td>{a['time']}</td><td>{a['doctor']}</td><td>{html.escape(a['reason'])}</td><td>{status}</td><td>"
                    f"<form class='inline' method='post' action='/appointments/{a['id']}/checkin'><button{off}>Check in</button></form> "
                    f"<form class='inline' method='post' action='/appointments/{a['id']}/cancel'><button{kind}>Cancel</button></form></td></tr>")
        options = "".join(f"<option{' selected' if d == doctor else ''}>{d}</option>" for d in DOCTORS)
        new = "" if self.has("new-gone") else "<p><a href='/appointments/new'>New appointment</a></p>"
        count = len(rows) + (1 if self.has("count-off") else 0)
        return self.page("Appointments", f"<h1>Appointments</h1>{new}<form method='get'><label>Doctor <select name='doctor'><option value=''>All doctors</option>{options}</select></label> <button>Filter</button></form>"
                         f"<p>{count} appointments</p><table aria-label='Appointments'><thead><tr><th>Patient</th><th>Time</th><th>Doctor</th><th>Reason</th><th>Status</th><th>Actions</th></tr></thead><tbody>{out}</tbody></table>", session)

    def new(self, session, given=None, error=""):
        given = given or {}
        people = "".join(f"<option{' selected' if p['name'] == given.get('patient') else ''}>{p['name']}</option>" for p in self.patients)
        doctors = "".join(f"<option{' selected' if d == given.get('doctor') else ''}>{d}</option>" for d in DOCTORS)
        error = f"<p class='error' role='alert'>{error}</p>" if error else ""
        value = lambda k: html.escape(given.get(k, ""))
        reason = "" if self.has("reason-gone") else f"<label>Reason<br><input name='reason' value='{value('reason')}'></label>"
        label = "Starts at" if self.has("time-renamed") else "Time"
        return self.page("New appointment", f"<h1>New appointment</h1>{error}<form method='post' action='/appointments/new'><label>Patient<br><select name='patient'>{people}</select></label>"
                         f"<label>Doctor<br><select name='doctor'>{doctors}</select></label><label>{label}<br><input name='time' value='{value('time')}'></label>{reason}"
                         "<p><button>Book appointment</button> <a href='/appointments'>Back to the list</a></p></form>", session)

    def book(self, session, given):
        time, reason = given.get("time", "").strip(), given.get("reason", "").strip()
        if not reason and not self.has("validation-gone"):
            return 200, self.new(session, given, "Give a reason for the visit.")
        if not re.fullmatch(r"\d{1,2}:\d\d", time):
            return 200, self.new(session, given, "Enter the time as 9:30.")
        if not 8 <= int(time.split(":")[0]) < 18 and not self.has("hours-gone"):
            return 200, self.new(session, given, "The practice is open from 8:00 to 18:00.")
        if any(a["time"] == time and a["doctor"] == given.get("doctor") for a in self.appointments) and not self.has("double-allowed"):
            return 200, self.new(session, given, f"{given.get('doctor')} already has an appointment at {time}.")
        if self.has("book-500"):
            return 500, "<!doctype html><title>Error</title><h1>Internal Server Error</h1><p>The server encountered an internal error and was unable to complete your request.</p>"
        if not self.has("book-lost"):
            self.appointments.append({"id": self.next, "time": "12:00" if self.has("time-default") else time, "patient": given.get("patient"), "doctor": given.get("doctor"), "reason": reason, "status": "Booked"})
            self.next += 1
        who = "Anna Becker" if self.has("flash-wrong") else given.get("patient")
        if not self.has("flash-gone"):
            self.flashes[session] = ("flash", f"Appointment booked for {who} at {time}.")
        return 303, "/patients" if self.has("book-redirect") else "/appointments"

    def people(self, session, query):
        words = query.get("q", "").strip()
        rows = self.patients
        if words and not self.has("search-ignored"):
            rows = [p for p in rows if (words in p["name"] if self.has("search-case") else words.lower() in p["name"].lower())]
        out = "".join(f"<tr><td><a href='/patients/{p['id']}'>{p['name']}</a></td><td>{p['born']}</td><td>{p['insurance']}</td></tr>" for p in rows)
        out = f"<table aria-label='Patients'><thead><tr><th>Name</th><th>Born</th><th>Insurance</th></tr></thead><tbody>{out}</tbody></table>" if rows else "<p>No patient found.</p>"
        return self.page("Patients", f"<h1>Patients</h1><form method='get'><label>Search patients<br><input name='q' value='{html.escape(words)}'></label> <button>Search</button></form>{out}", session)

    def patient(self, session, one):
        lines = "".join(f"<tr><td>{what}</td><td>{amount:.2f} €</td></tr>" for what, amount in one["lines"])
        total = sum(a for _, a in one["lines"][:1 if self.has("total-wrong") else None])
        table = "" if self.has("invoice-gone") else f"<h2>Invoice</h2><table aria-label='Invoice'><tbody>{lines}</tbody><tfoot><tr><th>Total</th><td>{total:.2f} €</td></tr></tfoot></table>"
        return self.page(one["name"], f"<h1>{one['name']}</h1><dl><dt>Born</dt><dd>{one['born']}</dd><dt>Insurance</dt><dd>{one['insurance']}</dd></dl>{table}"
                         f"<form method='post' action='/patients/{one['id']}'><label>Phone<br><input name='phone' value='{html.escape(one['phone'])}'{' readonly' if self.has('phone-readonly') else ''}></label><p><button>Save changes</button></p></form>", session)

    def reports(self, session):
        booked = sum(a["status"] == "Booked" for a in self.appointments) + (1 if self.has("report-off") else 0)
        owed = sum(a for p in self.patients for _, a in p["lines"])
        return self.page("Reports", f"<h1>Reports</h1><table aria-label='Figures'><tr><th>Booked</th><td>{booked}</td></tr><tr><th>Checked in</th><td>{sum(a['status'] == 'Checked in' for a in self.appointments)}</td></tr>"
                         f"<tr><th>Open invoices</th><td>{owed:.2f} €</td></tr></table>", session)

    # --- requests ------------------------------------------------------------------------------------------------

    def answer(self, method, path, query, form, session):
        if path == "/login" or path == "/":
            if method == "POST":
                known = USERS.get(form.get("username", ""))
                if not known or known[0] != form.get("password") or self.has("login-broken"):
                    return 200, self.login(session, form.get("username", ""), "The username or the password is wrong.")
                self.sessions[session] = known[1]
                return 303, "/patients" if self.has("login-redirect") else "/appointments"
            return 200, self.login(session)
        if session not in self.sessions:
            return 303, "/login"
        if path == "/logout":
            if not self.has("logout-dead"):
                self.sessions.pop(session, None)
            return 303, "/appointments" if self.has("logout-dead") else "/login"
        if path == "/appointments":
            return 200, self.list(session, query)
        if path == "/appointments/new":
            return (200, self.new(session)) if method == "GET" else self.book(session, form)
        act = re.fullmatch(r"/appointments/(\d+)/(checkin|cancel)", path)
        if act:
            index = next(i for i, a in enumerate(self.appointments) if a["id"] == int(act[1]))
            if act[2] == "cancel" and self.has("cancel-other"):
                index = (index + 1) % len(self.appointments)
            one = self.appointments[index]
            if act[2] == "checkin" and self.has("checkin-500"):
                return 500, "<!doctype html><title>Error</title><h1>Internal Server Error</h1>"
            if act[2] == "cancel" and self.has("cancel-removes"):
                del self.appointments[index]
            one["status"] = "Checked in" if act[2] == "checkin" else "Cancelled"
            self.flashes[session] = ("flash", f"{one['patient']} is checked in." if act[2] == "checkin" else f"The appointment of {one['patient']} was cancelled.")
            return 303, "/appointments"
        if path == "/patients":
            return 200, self.people(session, query)
        one = re.fullmatch(r"/patients/(\d+)", path)
        one = one and next((p for p in self.patients if p["id"] == int(one[1])), None)
        if one:
            if self.has("patient-mixed"):
                one = next(p for p in self.patients if p["id"] == one["id"] % 5 + 1)
            if method == "POST":
                if self.has("save-500"):
                    return 500, "<!doctype html><title>Error</title><h1>Internal Server Error</h1>"
                if not self.has("phone-lost"):
                    one["phone"] = form.get("phone", "")[:8 if self.has("phone-cut") else None]
                self.flashes[session] = ("flash", "Changes saved.")
                return 303, path
            return 200, self.patient(session, one)
        if path == "/reports":
            if self.has("reports-500"):
                return 500, "<!doctype html><title>Error</title><h1>Internal Server Error</h1>"
            return 200, self.reports(session)
        return 404, self.page("Not found", "<h1>Page not found</h1><p>There is no such page.</p>", session)


def handler(faults):
    app = Clinic(faults)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_):
            pass

        def serve(self):
            parts = urllib.parse.urlsplit(self.path)
            length = int(self.headers.get("content-length") or 0)
            form = {k: v[0] for k, v in urllib.parse.parse_qs(self.rfile.read(length).decode(), keep_blank_values=True).items()}
            query = {k: v[0] for k, v in urllib.parse.parse_qs(parts.query).items()}
            found = re.search(r"clinic=(\w+)", self.headers.get("cookie") or "")
            session = found[1] if found else secrets.token_hex(8)
            if parts.path == "/favicon.ico":
                status, body = 204, ""
            else:
                with app.lock:
                    status, body = app.answer(self.command, parts.path, query, form, session)
            self.send_response_only(status)
            if not found:
                self.send_header("Set-Cookie", f"clinic={session}; Path=/")
            data = b""
            if status == 303:
                self.send_header("Location", body)
            elif status != 204:
                data = body.encode()
                self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = serve

    return Handler
