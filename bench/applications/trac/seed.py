# The workshop of a small ferry company: tickets for two ferries, three milestones, a few wiki pages.
import sys
from datetime import datetime, timezone
from trac.env import open_environment
from trac.perm import PermissionSystem
from trac.ticket.model import Component, Milestone, Ticket, Version
from trac.wiki.model import WikiPage
env = open_environment(sys.argv[1])
d = lambda y, m, dd, h=9: datetime(y, m, dd, h, 0, tzinfo=timezone.utc)
c = env.config
c.set('project', 'descr', 'Repairs and refits of the MV Heron and the MV Teal')
c.set('trac', 'default_timezone', 'UTC'); c.set('trac', 'default_language', 'en_US'); c.set('trac', 'default_date_format', 'iso8601')
c.set('ticket', 'default_component', 'Engine'); c.set('ticket', 'default_milestone', ''); c.set('ticket', 'default_version', '')
c.set('logging', 'log_type', 'none')
c.save()
PermissionSystem(env).grant_permission('anonymous', 'TRAC_ADMIN')
for old in list(Component.select(env)): old.delete()
for name, owner in (('Engine', 'marit'), ('Hull', 'jonas'), ('Deck', 'jonas'), ('Electronics', 'priya')):
    x = Component(env); x.name = name; x.owner = owner; x.insert()
for old in list(Milestone.select(env)): old.delete()
for old in list(Version.select(env)): old.delete()
for name, due, done, text in (
        ('Autumn checks', d(2026, 10, 1), d(2026, 9, 28), 'Yearly checks before the storms.'),
        ('Spring refit', d(2027, 3, 15), None, 'Dry dock, two weeks.'),
        ('Summer season', d(2027, 6, 1), None, 'Everything that passengers see.')):
    x = Milestone(env); x.name = name; x.due = due; x.completed = done; x.description = text; x.insert()
T = [  # summary, component, type, priority, milestone, owner, reporter, status, resolution, keywords
 ('Port engine overheats above 1800 rpm', 'Engine', 'defect', 'critical', 'Spring refit', 'marit', 'captain.holm', 'accepted', '', 'heron cooling'),
 ('Replace zinc anodes on the MV Teal', 'Hull', 'task', 'major', 'Spring refit', 'jonas', 'priya', 'assigned', '', 'teal corrosion'),
 ('Radar display flickers at night', 'Electronics', 'defect', 'major', 'Autumn checks', 'priya', 'captain.holm', 'closed', 'fixed', 'heron'),
 ('Non-slip paint for the car deck', 'Deck', 'enhancement', 'minor', 'Summer season', 'jonas', 'marit', 'new', '', 'teal safety'),
 ('Bilge pump alarm is too quiet', 'Electronics', 'defect', 'blocker', 'Spring refit', 'priya', 'captain.holm', 'new', '', 'heron safety'),
 ('Order spare impellers', 'Engine', 'task', 'minor', 'Spring refit', 'marit', 'marit', 'closed', 'fixed', 'cooling'),
 ('Rust around the bow ramp hinges', 'Hull', 'defect', 'major', 'Spring refit', 'jonas', 'jonas', 'assigned', '', 'heron corrosion'),
 ('Passenger benches need new slats', 'Deck', 'task', 'trivial', 'Summer season', 'jonas', 'captain.odum', 'new', '', 'teal'),
 ('USB sockets in the saloon', 'Electronics', 'enhancement', 'trivial', 'Summer season', 'priya', 'captain.odum', 'new', '', ''),
 ('Fuel gauge shows half when the tank is full', 'Engine', 'defect', 'major', 'Autumn checks', 'marit', 'captain.odum', 'closed', 'worksforme', 'teal'),
 ('Gangway handrail is loose', 'Deck', 'defect', 'critical', 'Spring refit', 'jonas', 'captain.holm', 'assigned', '', 'heron safety'),
 ('Second depth sounder for the MV Teal', 'Electronics', 'enhancement', 'minor', '', 'priya', 'captain.odum', 'closed', 'wontfix', 'teal'),
]
for i, (s, comp, typ, prio, mil, owner, rep, status, res, kw) in enumerate(T):
    t = Ticket(env)
    t['summary'], t['component'], t['type'], t['priority'], t['milestone'] = s, comp, typ, prio, mil
    t['owner'], t['reporter'], t['status'], t['keywords'] = owner, rep, 'new', kw
    t['description'] = 'Reported by %s on the morning round.' % rep
    t.insert(when=d(2026, 9, 1 + i))
    if status != 'new':
        t['status'] = status; t['resolution'] = res
        t.save_changes(owner, {'closed': 'Done and signed off.'}.get(status, 'Will look at it this week.'), when=d(2026, 9, 15 + i % 5, 14))
for name, text in (
    ('WikiStart', '= Ferry Workshop =\n\nWelcome aboard. The [wiki:WinterStorage winter storage] plan and the [wiki:SafetyDrill safety drill] are kept here.\n\n == Contacts ==\n\n|| \'\'\'Who\'\'\' || \'\'\'What\'\'\' || \'\'\'Phone\'\'\' ||\n|| Marit || Engines || 5501 ||\n|| Jonas || Hull and deck || 5502 ||\n|| Priya || Electronics || 5507 ||\n'),
    ('WinterStorage', '= Winter storage =\n\n * Drain the cooling circuit\n * Grease the ramp hinges\n * Cover the radar\n'),
    ('SafetyDrill', '= Safety drill =\n\nThe drill takes place on the first Monday of every month at 07:30.\n')):
    p = WikiPage(env, name); p.text = text; p.save('marit', 'seed', d(2026, 9, 20))
