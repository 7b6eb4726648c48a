# The garden office of a small town: eight bugs, four tasks, two milestones, with messages, files and saved searches.
import os
import sqlite3
import sys

from roundup import date, instance
from roundup.password import Password

home = sys.argv[1]
tracker = instance.open(home)
db = tracker.open("admin")


def ids(cls):
    return {db.getclass(cls).get(i, "name"): i for i in db.getclass(cls).list()}


# people: admin and anonymous are there; the three accounts of the template get names of their own
people = {}
for old, name, real, roles in (
        ("coordinator", "olena", "Olena Marchuk", "User, Developer, Coordinator"),
        ("developer", "bruno", "Bruno Falk", "User, Developer"),
        ("user", "wilma", "Wilma Aho", "User")):
    i = db.user.lookup(old)
    db.user.set(i, username=name, realname=real, roles=roles, address=name + "@garden.example", organisation="Garden office",
                phone="55-01" + i, password=Password("Green-Trowel-9", config=db.config))
    people[name] = i
for name, text in (("irrigation", "Pipes, pumps and hoses"), ("benches", "Everything to sit on")):
    db.keyword.create(name=name, description=text)
types, severity, priority, status, parts = (ids(c) for c in ("bug_type", "severity", "priority", "status", "component"))
words = ids("keyword")


sent = []


def message(author, day, text):
    sent.append(text)
    return db.msg.create(author=people[author], date=date.Date(day + ".09:30:00"), content=text, summary=text, recipients=[], messageid="<%d@garden.example>" % len(sent))


BUGS = (  # title, type, severity, priority, status, assignee, keyword, component, messages
    ("Sprinkler in bed 4 never stops", "behavior", "major", "high", "open", "bruno", "irrigation", "backend",
     (("wilma", "2025-04-02", "It ran all night again."), ("bruno", "2025-04-03", "The valve sticks, I ordered another one."))),
    ("Pond pump is loud", "behavior", "minor", "low", "open", "bruno", "irrigation", "backend", (("olena", "2025-04-04", "Neighbours complain after ten."),)),
    ("Map shows the wrong gate", "behavior", "normal", "normal", "new", None, None, "frontend", (("wilma", "2025-04-05", "North and south are swapped."),)),
    ("Bench at the lime tree is broken", "crash", "major", "urgent", "open", "olena", "benches", "frontend", (("wilma", "2025-04-07", "Two slats are gone."),)),
    ("Opening hours are missing in the leaflet", "rfe", "minor", "normal", "pending", "wilma", None, "documentation", ()),
    ("Booking of the greenhouse takes a minute", "resource usage", "normal", "high", "new", None, None, "backend", ()),
    ("Key of the tool shed opens the cafe", "security", "critical", "immediate", "closed", "olena", None, "specification",
     (("olena", "2025-04-11", "Both locks were changed."),)),
    ("Sign for the rose walk is faded", "rfe", "minor", "low", "closed", "bruno", None, "documentation", ()),
)
bugs = []
for title, typ, sev, pri, st, who, word, part, messages in BUGS:
    bugs.append(db.bug.create(title=title, type=types[typ], severity=severity[sev], priority=priority[pri], status=status[st], components=[parts[part]],
                              assignee=people[who] if who else None, keywords=[words[word]] if word else [], messages=[message(*m) for m in messages],
                              nosy=[], files=[]))
plan = db.file.create(name="valve-plan.txt", type="text/plain", content="Valve 4: third from the left, turn clockwise.\n")
note = db.file.create(name="slats.txt", type="text/plain", content="Two slats of larch, 180 cm.\n")
db.bug.set(bugs[0], files=[plan])
db.bug.set(bugs[3], files=[note], dependencies=[bugs[0]])
tasks = []
for title, pri, st, who, solves in (
        ("Replace the valve of bed 4", "high", "open", "bruno", bugs[0]),
        ("Paint the benches", "normal", "new", "wilma", bugs[3]),
        ("Print new leaflets", "low", "open", "olena", bugs[4]),
        ("Count the tulip bulbs", "normal", "closed", "wilma", None)):
    tasks.append(db.task.create(title=title, priority=priority[pri], status=status[st], assignee=[people[who]], solves=solves, components=[parts["backend"]],
                                nosy=[], messages=[message(who, "2025-04-14", "On my list for this week.")] if solves else []))
for title, st, when, b, t in (
        ("Spring opening", "open", "2025-05-01", bugs[:4], tasks[:2]),
        ("Summer concerts", "new", "2025-07-12", bugs[4:6], tasks[2:3])):
    db.milestone.create(title=title, status=status[st], release_date=when, bugs=b, tasks=t, nosy=[])
mine = db.query.create(klass="bug", name="Irrigation bugs", url="@columns=id,title,status&@sort=id&keywords=" + words["irrigation"], private_for=people["olena"])
urgent = db.query.create(klass="bug", name="Urgent bugs", url="@columns=id,title,status&@sort=id&priority=1,2")
db.user.set(people["olena"], queries=[mine, urgent])
db.commit()
db.close()

# one day for everything, so that two seedings differ in nothing but the salt of the passwords
path = os.path.join(home, "db", "db")
with sqlite3.connect(path) as c:
    for (table,) in c.execute("select name from sqlite_master where type='table'").fetchall():
        columns = [r[1] for r in c.execute('pragma table_info("%s")' % table)]
        if "_creation" in columns:
            c.execute('update "%s" set _creation="20250415080000.000", _activity="20250415080000.000"' % table)
        if table.endswith("__journal"):
            c.execute('update "%s" set date="20250415080000.000"' % table)
