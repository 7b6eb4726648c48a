"""What an agent does, as scripted calls: the same steps for every server, and tests where a server has them.

An answer is used for all that it shows: the page is only looked at where the answer before has no reference for the next
act, and only asked for a text that the answer before does not show."""
import re

from common import PASSWORD, USER, WELCOME
from peers import Failed

OLD, NEW = "Continue", "Sign in"  # the button's name in the test, and on the page
LOGIN = f"""test: A customer signs in
steps:
  - Go to /login
  - Enter email "{USER}"
  - Enter password "{PASSWORD}"
  - Click "{OLD}"
expected:
  - The heading "{WELCOME}" is visible
"""
FORM = {
    "saves": """test: The form is saved
steps:
  - Go to /form
  - Enter "Ada" into the "First name" field
  - Click "Save"
expected:
  - I should see "Saved."
""",
    "clears": """test: Clear empties the form
steps:
  - Go to /form
  - Enter "Harbor Ltd" into the "Employer" field
  - Click "Clear"
expected:
  - The "Employer" field is empty
""",
    "country": """test: A country can be chosen
steps:
  - Go to /form
  - Select "France" from the Country dropdown
expected:
  - The Country field contains "France"
""",
}


class Walk:
    """Calls in a row, each with what was sent and what came back."""

    def __init__(self, peer, url, project):
        self.p, self.url, self.project, self.steps = peer, url, project, []

    def call(self, template):
        try:
            self.answer = self.p.call(template)[1]
        finally:
            sent, got = self.p.last
            self.steps.append({"tool": template["tool"], "sent": sent, "got": got, "data": self.p.data})
        return self.answer

    def do(self, op, target=None, **kv):
        return self.call(self.p.template(op, target, **kv))

    def open(self, path):
        self.p.seen = self.do("open", url=self.url + path)

    def look(self):
        self.p.seen = self.do(self.p.refs_from)

    def ref(self, op, target, **kv):
        try:
            call = self.p.template(op, target, **kv)
        except Failed:
            self.look()
            call = self.p.template(op, target, **kv)
        return self.call(call)

    def fill(self, target, text):
        self.ref("fill_ref", target, text=text)

    def click(self, target):
        self.ref("click_ref", target)

    def see(self, text):
        if text not in self.answer:
            self.do("see", text=text)
        self.shows(text)

    def shows(self, *texts):
        for text in texts:
            if text not in self.answer:
                raise Failed(f"{text!r} is not in the answer: {self.answer[:300]!r}")

    def lacks(self, text):
        if text in self.answer:
            raise Failed(f"{text!r} is in the answer: {self.answer[:300]!r}")


def login(w):
    w.open("/login")
    w.fill("email", USER)
    w.fill("password", PASSWORD)
    w.click("submit")
    w.see(WELCOME)


def mend(w):
    """A red test whose button has another name now: run, look, change, run."""
    if "tests" not in w.p.cfg:
        return mend_by_hand(w)
    w.call({"tool": "execute_testcase"})
    w.shows("1 failed", f'"{OLD}"')
    w.open("/login")
    w.look()
    w.shows(f'"{NEW}"')
    w.lacks(f'"{OLD}"')
    w.call({"tool": "load_testcase", "path": "tests/login.yaml"})
    w.shows(OLD)
    version = re.search(r"version (\w+)", w.answer)[1]
    text = LOGIN.replace(OLD, NEW)
    w.call({"tool": "save_testcase", "path": "tests/login.yaml", "text": text, "version": version})
    w.call({"tool": "execute_testcase"})
    w.shows("1 passed")
    if (w.project / "tests/login.yaml").read_text() != text:
        raise Failed("the test file is not the mended one")


def mend_by_hand(w):
    """The steps of the test up to the one that cannot be done; then all, with the button's new name."""
    w.open("/login")
    w.fill("email", USER)
    w.fill("password", PASSWORD)
    if OLD in w.p.seen or NEW not in w.p.seen:
        raise Failed(f"expected a button {NEW!r}: {w.p.seen[:300]!r}")
    login(w)


def write(w):
    """Three tests for the form: look, save, check, run."""
    w.open("/form")
    w.look()
    if "tests" not in w.p.cfg:
        return checks_by_hand(w)
    for name, text in FORM.items():
        w.call({"tool": "save_testcase", "path": f"tests/{name}.yaml", "text": text})
        w.shows("saved")
        w.lacks("not understood")
    w.call({"tool": "check_testcases"})
    if w.p.data is None or not all(step["understood"] for test in w.p.data["tests"] for step in test["steps"]):
        raise Failed(f"not all sentences are understood: {w.answer[:300]!r}")
    w.call({"tool": "execute_testcase"})
    w.shows("3 passed")


def checks_by_hand(w):
    """The same three on the page that is open, without loading it again between them."""
    w.fill("first name", "Ada")
    w.click("save")
    w.see("Saved.")
    w.fill("employer", "Harbor Ltd")
    w.click("clear")
    w.ref("value_ref", "employer")
    w.lacks("Harbor Ltd")
    w.ref("select_ref", "country", text="France")
    w.ref("value_ref", "country")
    w.shows("France")


FLOWS = {"login": login, "mend": mend, "write": write}
TITLES = {"login": "Log in and be greeted", "mend": "Mend a red test", "write": "Write three tests for a form"}
FILES = {"mend": {"login.yaml": LOGIN}, "write": {}}


def acts(url):
    """Acts whose answers tell an effect, on pages light and heavy; those that cannot be done too."""
    go = lambda path: {"tool": "go", "url": url + path}
    on = lambda tool, target, **more: {"tool": tool, "target": target, **more}
    yield from (go("/login"), on("fill", "#email", text=USER), on("type", "#password", text=PASSWORD), on("check", "#remember"),
                on("uncheck", "#remember"), on("press", "#password", keys=["Enter"]), {"tool": "back"}, on("click", 'link "Catalogue"'))
    yield from (on("click", "#buy-1"), on("hover", "#buy-2"), {"tool": "scroll", "to": "bottom"}, on("click", 'link "Account form"'))
    yield from (on("fill", "#f30", text="Long remarks, " * 20), on("select", "#f18", options=["France"]), on("click", "#save"),
                on("click", 'button "Clear"'), {"tool": "do", "sentence": 'Enter "Ada" into the "First name" field'},
                {"tool": "do", "sentence": 'Click "Save"'}, {"tool": "do", "sentence": 'I should see "Saved."'},
                {"tool": "do", "sentence": 'I should see "Lost."'})
    for clears in (on("click", 'button "Clear"'), {"tool": "do", "sentence": 'Click "Clear"'}):
        # An effect with many lines.
        yield from (on("fill", f"#f{n}", text=f"Entry {n} of the customer") for n in (1, 2, 3, 4, 8, 9, 10, 12, 13, 14, 15, 16, 17, 19, 20, 21, 22, 24))
        yield clears
    yield from (go("/table"), on("click", "#edit-1"), on("click", 'button "Edit"'), on("click", 'link "Delete"'))
    yield from (go("/heavy"), on("check", '[aria-label="Select 0001"]'), on("click", 'button "Edit"'), on("click", "no such thing"))
