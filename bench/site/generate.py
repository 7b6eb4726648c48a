#!/usr/bin/env python3
"""Writes list.html, form.html, table.html and heavy.html next to itself. Deterministic: the
output is checked in, so this only needs to run when a page's shape changes."""
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
HEAD = ('<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<title>{t} - Harbor Shop</title>\n<link rel="stylesheet" href="/style.css">\n</head>\n<body>\n'
        '<header><nav aria-label="Main"><a href="/dashboard">Home</a> <a href="/list">Catalogue</a> '
        '<a href="/form">Account form</a></nav></header>\n<main>\n')
TAIL = '</main>\n{s}</body>\n</html>\n'

ADJ = ["Brass", "Linen", "Oak", "Slate", "Copper", "Woven", "Glazed", "Cedar", "Felt", "Enamel"]
NOUN = ["lantern", "basket", "kettle", "stool", "tray"]


def list_page():
    out = [HEAD.format(t="Catalogue"),
           '<h1 id="title">Catalogue</h1>\n<p>Cart: <output id="cart">0</output> items</p>\n<ul class="grid">\n']
    for i in range(1, 51):
        name = f"{ADJ[(i - 1) % 10]} {NOUN[(i - 1) // 10]}"
        out.append(f'<li class="product"><h2>{name}</h2><p class="price">{3 + (i * 37) % 90}.{(i * 13) % 100:02d}</p>'
                   f'<button id="buy-{i}" type="button" data-sku="{i}">Add {name.lower()}</button></li>\n')
    out.append('</ul>\n')
    out.append(TAIL.format(s="<script>\nvar n = 0;\ndocument.querySelector('.grid').addEventListener('click', "
                             "function (e) {\n  if (e.target.tagName === 'BUTTON') "
                             "document.getElementById('cart').textContent = ++n;\n});\n</script>\n"))
    return "".join(out)


FIELDS = [("Personal", ["First name", "Middle name", "Last name", "Preferred name", "Date of birth", "Title"]),
          ("Contact", ["Email address", "Home phone", "Mobile phone", "Work phone", "Website", "Messaging handle"]),
          ("Address", ["Street", "House number", "Postal code", "City", "Region", "Country"]),
          ("Employment", ["Employer", "Job title", "Department", "Employee number", "Start date", "Manager"]),
          ("Preferences", ["Language", "Time zone", "Currency", "Newsletter", "Contact by phone", "Remarks"])]
KIND = {"Date of birth": "date", "Start date": "date", "Email address": "email", "Website": "url",
        "Newsletter": "checkbox", "Contact by phone": "checkbox"}
PICK = {"Title": ["Ms", "Mr", "Mx", "Dr"], "Country": ["Netherlands", "Belgium", "Germany", "France"],
        "Language": ["English", "Dutch", "German", "French"], "Currency": ["EUR", "GBP", "USD"]}


def form_page():
    out = [HEAD.format(t="Account form"), '<h1 id="title">Account form</h1>\n<form id="account">\n']
    n = 0
    for group, fields in FIELDS:
        out.append(f'<fieldset><legend>{group}</legend>\n')
        for f in fields:
            n += 1
            i = f"f{n}"
            if f in PICK:
                opts = "".join(f"<option>{o}</option>" for o in PICK[f])
                ctl = f'<select id="{i}" name="{i}">{opts}</select>'
            elif f == "Remarks":
                ctl = f'<textarea id="{i}" name="{i}" rows="3"></textarea>'
            else:
                ctl = f'<input id="{i}" name="{i}" type="{KIND.get(f, "text")}">'
            out.append(f'<label for="{i}">{f}</label>{ctl}\n')
        out.append('</fieldset>\n')
    out.append('<p><button id="save" type="submit">Save</button> <button type="reset">Clear</button></p>\n'
               '<p id="saved" role="status"></p>\n</form>\n')
    out.append(TAIL.format(s="<script>\ndocument.getElementById('account').addEventListener('submit', function (e) "
                             "{\n  e.preventDefault();\n  document.getElementById('saved').textContent = 'Saved.';\n"
                             "});\n</script>\n"))
    return "".join(out)


GIVEN = ["Ada", "Bram", "Clara", "Daan", "Elin", "Frits", "Greta", "Hugo", "Ines", "Jonas"]
FAMILY = ["Visser", "Lund", "Costa", "Moen", "Smit", "Berg", "Silva", "Dahl", "Prins", "Holm"]
ROLES = ["Admin", "Editor", "Viewer", "Billing"]
STATUS = ["Active", "Invited", "Suspended"]


def table_page():
    """100 rows of 6 columns, the last with a button and a link: the usual page of an administrator."""
    out = [HEAD.format(t="People"), '<h1 id="title">People</h1>\n<p id="status" role="status"></p>\n<table id="people"><thead><tr>'
           '<th>Id</th><th>Name</th><th>Email</th><th>Role</th><th>Status</th><th>Actions</th></tr></thead>\n<tbody>\n']
    for i in range(1, 101):
        given, family = GIVEN[(i - 1) % 10], FAMILY[(i - 1) // 10]
        out.append(f'<tr><td>{i}</td><td>{given} {family}</td><td>{given.lower()}.{family.lower()}@example.com</td>'
                   f'<td>{ROLES[i * 7 % 4]}</td><td>{STATUS[i * 5 % 3]}</td>'
                   f'<td><button id="edit-{i}" type="button" data-row="{i}">Edit</button> <a href="/people/{i}/delete">Delete</a></td></tr>\n')
    out.append('</tbody></table>\n')
    out.append(TAIL.format(s="<script>\ndocument.getElementById('people').addEventListener('click', function (e) {\n"
                             "  if (e.target.tagName === 'BUTTON') document.getElementById('status').textContent = "
                             "'Editing ' + e.target.dataset.row;\n});\n</script>\n"))
    return "".join(out)


def heavy_page():
    """300 table rows of 10 elements each, plus the frame: a little over 3,000 elements."""
    out = [HEAD.format(t="Ledger"), '<h1 id="title">Ledger</h1>\n<table id="ledger"><thead><tr>'
           '<th>Entry</th><th>Account</th><th>Note</th><th>Amount</th><th>Actions</th></tr></thead>\n<tbody>\n']
    for i in range(1, 301):
        out.append(f'<tr><td>{i:04d}</td><td><a href="/account/{i % 17}">Account {i % 17}</a></td>'
                   f'<td><span class="note">{ADJ[i % 10]} {NOUN[i % 5]} batch {i * 7 % 101}</span></td>'
                   f'<td>{i * 319 % 9973}.{i * 7 % 100:02d}</td>'
                   f'<td><button type="button" data-row="{i}">Edit</button><input type="checkbox" '
                   f'aria-label="Select {i:04d}"></td></tr>\n')
    out.append('</tbody></table>\n')
    out.append(TAIL.format(s=""))
    return "".join(out)


for name, fn in (("list", list_page), ("form", form_page), ("table", table_page), ("heavy", heavy_page)):
    (HERE / f"{name}.html").write_text(fn())
