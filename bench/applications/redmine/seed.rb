# Velora, a bicycle rental: two projects, four people, fixed dates.
def save!(o) = (o.save!(validate: true); o)
Setting.app_title = 'Velora Tracker'
Setting.welcome_text = 'Tracker of the Velora bicycle rental. Ask Hanne for an account.'
Setting.self_registration = '0'
Setting.login_required = '0'
Setting.notified_events = []
Setting.default_language = 'en'
Setting.display_subprojects_issues = '0'
Setting.date_format = '%Y-%m-%d'
Setting.password_min_length = '8'

def person(login, first, last)
  u = User.new(firstname: first, lastname: last, mail: "#{login}@velora.example", language: 'en')
  u.login = login; u.password = u.password_confirmation = 'Pedal-Power-7'; u.must_change_passwd = false
  u.mail_notification = 'none'; u.admin = false
  u.save!; u.pref.update!(time_zone: 'UTC', no_self_notified: true); u
end
admin = User.find_by(login: 'admin'); admin.password = admin.password_confirmation = 'Pedal-Admin-7'; admin.must_change_passwd = false; admin.save!
hanne = person('hanne', 'Hanne', 'Krogh')
tobias = person('tobias', 'Tobias', 'Lund')
mira = person('mira', 'Mira', 'Salo')
ole = person('ole', 'Ole', 'Brandt')
manager, developer, reporter = %w[Manager Developer Reporter].map { |n| Role.find_by!(name: n) }

def project(id, name, text, home)
  p = Project.new(name: name, description: text, is_public: true); p.identifier = id; p.homepage = home
  p.trackers = Tracker.all; p.enabled_module_names = %w[issue_tracking time_tracking news wiki documents boards calendar gantt]; p.save!; p
end
app = project('rental-app', 'Rental App', 'The app with which guests reserve and unlock a bicycle.', '')
shop = project('workshop', 'Workshop', 'Repairs and spare parts of the fleet.', '')
{ hanne => manager, mira => developer, ole => developer, tobias => reporter }.each { |u, r| Member.create!(project: app, principal: u, roles: [r]) }
{ hanne => manager, ole => developer }.each { |u, r| Member.create!(project: shop, principal: u, roles: [r]) }

v1 = Version.create!(project: app, name: '2.3 Spring', effective_date: '2031-04-15', description: 'For the start of the season')
v2 = Version.create!(project: app, name: '2.4 Summer', effective_date: '2031-06-30')
maps = IssueCategory.create!(project: app, name: 'Maps')
pay = IssueCategory.create!(project: app, name: 'Payment')

def issue(p, at, tracker, subject, status, prio, author, assignee, h = {})
  i = Issue.new(project: p, tracker: Tracker.find_by!(name: tracker), subject: subject, author: author, priority: IssuePriority.find_by!(name: prio))
  i.status = IssueStatus.find_by!(name: status); i.assigned_to = assignee
  h.each { |k, v| i.send("#{k}=", v) }
  i.notify = false; i.save!; t = Time.utc(*at); i.update_columns(created_on: t, updated_on: t); i
end
d = { start_date: '2031-02-03' }
a = issue(app, [2031,2,3,9,0], 'Bug', 'Map shows stations that are closed', 'New', 'High', tobias, mira, d.merge(category: maps, fixed_version: v1, due_date: '2031-03-14', estimated_hours: 6, description: "The stations *Old Mill* and *Ferry Pier* are closed in winter, but the map still offers them."))
b = issue(app, [2031,2,4,9,0], 'Bug', 'Receipt is sent twice', 'In Progress', 'Urgent', hanne, ole, d.merge(category: pay, fixed_version: v1, due_date: '2031-03-10', done_ratio: 40, estimated_hours: 8, description: 'Guests who pay by card get two mails.'))
c = issue(app, [2031,2,5,9,0], 'Feature', 'Reserve a child seat', 'New', 'Normal', mira, nil, d.merge(fixed_version: v2, estimated_hours: 20))
e = issue(app, [2031,2,6,9,0], 'Feature', 'Dark colours for the night', 'Feedback', 'Low', tobias, mira, d.merge(fixed_version: v2, due_date: '2031-06-20', done_ratio: 80))
f = issue(app, [2031,2,7,9,0], 'Support', 'Guest cannot reset the PIN', 'New', 'High', tobias, ole, d.merge(due_date: '2031-02-28'))
g = issue(app, [2031,2,8,9,0], 'Bug', 'Wrong price after midnight', 'New', 'Normal', ole, mira, d.merge(category: pay, due_date: '2031-04-01'))
h = issue(app, [2031,2,9,9,0], 'Bug', 'Crash when the battery is empty', 'Closed', 'High', mira, mira, d.merge(fixed_version: v1, done_ratio: 100))
i = issue(app, [2031,2,10,9,0], 'Feature', 'Show the weather', 'Rejected', 'Low', tobias, nil, d)
k = issue(shop, [2031,2,11,9,0], 'Support', 'Order new brake pads', 'New', 'Normal', hanne, ole, d.merge(due_date: '2031-02-20'))
l = issue(shop, [2031,2,12,9,0], 'Bug', 'Torque wrench is off by two', 'New', 'High', ole, ole, d)
Version.all.each(&:touch)

def note(i, at, user, text)
  j = Journal.new(journalized: i, user: user, notes: text); j.notify = false; j.save!
  j.update_columns(created_on: Time.utc(*at)); i.update_columns(updated_on: Time.utc(*at))
end
note(b, [2031,2,13,8,30], ole, 'The payment service calls us back twice. I ask them why.')
note(b, [2031,2,14,8,30], hanne, 'Please tell the guests at the counter.')
def hours(i, user, day, n, act, text)
  TimeEntry.create!(project: i.project, issue: i, user: user, author: user, spent_on: day, hours: n, activity: TimeEntryActivity.find_by!(name: act), comments: text)
end
hours(b, ole, '2031-02-12', 2.5, 'Development', 'Looked at the logs')
hours(b, ole, '2031-02-13', 1.5, 'Development', 'Call with the payment service')
hours(a, mira, '2031-02-12', 3, 'Design', 'Sketch of grey stations')
News.create!(project: app, author: hanne, title: 'Season opens on 15 April', summary: 'All stations but one', description: 'Ferry Pier stays closed until May.')
News.update_all(created_on: Time.utc(2031, 2, 1))
w = app.wiki || Wiki.create!(project: app, start_page: 'Wiki')
def wiki(w, title, text, user)
  pg = WikiPage.new(wiki: w, title: title); pg.content = WikiContent.new(page: pg, text: text, author: user); pg.save_with_content(pg.content)
end
wiki(w, 'Wiki', "h1. Handbook\n\nh2. Stations\n\nWe run 14 stations.\n\nh2. Prices\n\n|_. Bicycle |_. Per day |\n| City | 12 EUR |\n| Cargo | 28 EUR |\n| Electric | 24 EUR |\n", hanne)
Issue.where(id: [h.id, i.id]).each { |x| x.update_columns(closed_on: Time.utc(2031,2,15)) }
