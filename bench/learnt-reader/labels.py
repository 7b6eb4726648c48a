"""What a person who reads the sentence does, for acts of `bench/applications` that assay refuses.

LABELS gives the commands for (application, test, number of the step). A target is a locator, or `js:` and an expression
that gives the element. `why` says what is special:

    none  the thing is not on the page, and refusing is right
    w     the element is found, but its widget cannot be used
    x     assay did the act, and on the wrong element; the right one is done after it

WRONG has acts of the same kind after which the walk goes on: what marks the right candidate. Both tables of wrong acts
hold for the build that was walked."""

LABELS = {}
WRONG = {}


def lab(app, test, step, *commands, why=None, end=False, note=""):
    """`end`: the walk through this test ends here."""
    LABELS[app, test, step] = {"do": commands, "why": why, "end": end, "note": note}


def with_text(css, text):
    return (f"js:[...document.querySelectorAll('{css}')]"
            f".filter(e=>e.innerText.trim()==='{text}'&&e.getClientRects().length)[0]")


def with_title(title):
    return f"js:[...document.querySelectorAll('button')].filter(b=>b.title==='{title}')[0]"


def in_row(text, css):
    return (f"js:[...document.querySelectorAll('tr, li')].filter(r=>r.innerText.includes('{text}'))"
            f".map(r=>r.querySelector('{css}')).filter(x=>x)[0]")


def todomvc():
    app, field = "todomvc", "#new-todo, .new-todo"
    for test, step, task in (
            ("complete-everything", 1, "Wash the car"), ("complete-everything", 2, "Vacuum the seats"),
            ("delete-with-cross", 1, "Return library books"), ("delete-with-cross", 2, "Buy stamps"),
            ("react-list-survives-reload", 1, "Feed the geese"),
            ("tasks-survive-reload", 1, "Feed the geese"), ("tasks-survive-reload", 2, "Mend the fence"),
            ("three-new-items", 2, "Oil the hinges"), ("three-new-items", 3, "Sweep the porch")):
        lab(app, test, step, ("fill", field, task), ("press", "Enter"))
    lab(app, "active-filter", 4, ("click", with_text("#footer a", "Active")))
    lab(app, "complete-everything", 3, ("click", "#toggle-all"))
    lab(app, "delete-with-cross", 3, ("hover", "#todo-list li:first-of-type label"))
    lab(app, "delete-with-cross", 4, ("click", "#todo-list li:first-of-type .destroy"))
    lab(app, "tasks-survive-reload", 3, ("click", in_row("Feed the geese", ".toggle")))


def adminer():
    app, save = "adminer", ("click", "input[type=submit][value=Save]")
    for test in ("count-firings-with-sql", "move-omar-to-another-shelf", "second-page-of-firings"):
        lab(app, test, 1,
            ("fill", '[name="auth[password]"]', "Kiln-Fire-88"), ("click", "input[type=submit][value=Login]"))
    lab(app, "count-firings-with-sql", 2, ("click", with_text("#menu a", "SQL command")))
    lab(app, "count-firings-with-sql", 3,
        ("click", "pre.sqlarea"), ("type", "pre.sqlarea", "SELECT count(*) AS total FROM firings"))
    lab(app, "count-firings-with-sql", 4, ("click", "input[value=Execute]"))
    lab(app, "low-fire-glazes", 2, ("click", with_text("legend a", "Search")), why="x",
        note="the rules clicked the fieldset, which does nothing")
    lab(app, "low-fire-glazes", 3, ("select", '[name="where[0][col]"]', "cone"))
    lab(app, "low-fire-glazes", 4, ("fill", '[name="where[0][val]"]', "6"))
    lab(app, "low-fire-glazes", 5, ("click", "fieldset input[value=Select]"))
    lab(app, "move-omar-to-another-shelf", 2, ("click", "#tables a.select[href*='select=members']"))
    lab(app, "move-omar-to-another-shelf", 3, ("click", in_row("Omar Tiles", "a.edit, a[href*=edit]")))
    lab(app, "move-omar-to-another-shelf", 4, ("fill", '[name="fields[shelf]"]', "23"))
    lab(app, "move-omar-to-another-shelf", 5, save)
    member = {"name": "Tove Slipware", "email": "tove@kiln.example", "level": "advanced", "shelf": "33"}
    for step, (field, value) in enumerate(member.items(), 3):
        lab(app, "register-new-member", step, ("fill", f'[name="fields[{field}]"]', value))
    lab(app, "register-new-member", 7, save)
    for test in ("remove-ilka", "remove-yuki"):
        lab(app, test, 3, ("click", "input[name=delete]"), end=True)
    lab(app, "second-page-of-firings", 2, ("click", with_text(".footer a, fieldset a", "2")))
    lab(app, "shino-stock", 2, ("click", "#tables a.select[href*='select=glazes']"))


def sbadmin():
    app = "sbadmin"
    lab(app, "airi-salary", 1, ("select", "select[name=dataTable_length]", "50"))
    lab(app, "billing-in-user-menu", 3, why="none")
    lab(app, "cards-from-sidebar", 1, ("click", "#accordionSidebar a[data-target='#collapseTwo']"), why="x",
        note="the rules took it for expanded and did nothing")
    lab(app, "cards-from-sidebar", 2, ("click", "#collapseTwo a[href='cards.html']"))
    lab(app, "latest-alerts", 1, ("click", "#alertsDropdown"))
    lab(app, "stay-logged-in", 2, ("click", with_text(".dropdown-menu a", "Logout")))
    lab(app, "stay-logged-in", 4, ("click", with_text("#logoutModal button", "Cancel")))
    lab(app, "youngest-employee-first", 3, ("click", with_text("#dataTable thead th", "Age")))


def tiddlywiki():
    app, title = "tiddlywiki", "input.tc-titlebar"
    add = ("click", with_text(".tc-tiddler-edit-frame button", "add"))
    confirm = ("click", with_title("Confirm changes to this tiddler"))
    lab(app, "delete-frost-diary", 4, ("dialog", "accept"))
    lab(app, "delete-frost-diary", 5, ("click", with_text("button", "Recent")))
    lab(app, "discarded-change-is-kept", 2, ("fill", title, "Crop rotation 2025"))
    lab(app, "discarded-change-is-kept", 3,
        ("click", with_title("Discard changes to this tiddler")), ("dialog", "accept"))
    lab(app, "open-notes-after-reload", 1, ("click", with_text(".tc-tiddler-body a", "Water butt")))
    lab(app, "read-seed-order", 1, ("click", with_text(".tc-tiddler-body a", "Seed order")))
    lab(app, "search-for-beetroot", 1, ("fill", ".tc-search input", "beetroot"))
    lab(app, "search-for-beetroot", 3,
        ("click", with_text(".tc-search-results a, .tc-search-drop-down a", "Seed order")))
    lab(app, "tag-the-shed-keys", 3, add)
    lab(app, "tag-the-shed-keys", 4, confirm)
    lab(app, "write-a-note", 2, ("fill", title, "Compost plan"))
    lab(app, "write-a-note", 3, ("fill", "input[placeholder='tag name']", "Autumn"), add)
    lab(app, "write-a-note", 4,
        ("fill", 'textbox "Type the text for this tiddler"', "Turn the heap twice a month."))  # in a frame
    lab(app, "write-a-note", 5, confirm)
    WRONG[app, "search-for-beetroot", 3] = ({"name": "Seed order", "above": "All matches:"},
                                            "the rules clicked the link of the same name elsewhere")


def prefect():
    app, skip = "prefect", ("click", with_text("button", "Skip"))
    name, value = ".p-modal input[type=text]", ".p-modal textarea"
    lab(app, "add-a-global-limit", 2,
        ("click", "js:[...document.querySelectorAll('button')].filter(b=>b.closest('header,.p-page-heading,div')"
                  ".innerText.includes('Global Concurrency'))[0]"))
    lab(app, "add-a-global-limit", 3, ("fill", name, "gateway"))
    lab(app, "add-a-global-limit", 4, ("fill", "js:document.querySelector('.p-modal input[type=number]')", "4"))
    lab(app, "add-a-global-limit", 5, ("click", with_text(".p-modal button", "Create")))
    lab(app, "closed-dialog-keeps-variable", 2, ("click", "header button"))
    lab(app, "closed-dialog-keeps-variable", 3, ("fill", name, "wind_speed"))
    lab(app, "closed-dialog-keeps-variable", 4, ("type", value, "77"))
    lab(app, "closed-dialog-keeps-variable", 5, ("click", with_text(".p-modal button", "Close")))
    lab(app, "create-a-variable", 2, ("click", "header button"))
    lab(app, "create-a-variable", 3, ("fill", name, "night_shift"))
    lab(app, "create-a-variable", 4, ("type", value, "18"))
    lab(app, "create-a-variable", 5, ("click", with_text(".p-modal button", "Create")))
    lab(app, "delete-frost-threshold", 2, ("click", in_row("frost_threshold", "td:last-child button")))
    lab(app, "delete-frost-threshold", 3,
        ("click", with_text("button,[role=menuitem],.p-overflow-menu-item", "Delete")))
    lab(app, "delete-frost-threshold", 5, ("click", with_text(".p-modal button", "Delete")))
    lab(app, "export-from-row-menu", 0,
        ("go", "http://127.0.0.1:18302/variables"), ("wait", "--load", "--timeout", "4000"), skip)
    lab(app, "export-from-row-menu", 1, ("click", in_row("retention_days", "td:last-child button")))
    lab(app, "export-from-row-menu", 2, why="none")
    lab(app, "find-region-variables", 1, ("click", "js:document.querySelector('.p-modal button')"), why="w",
        note="dialog closed by a nameless icon button")
    lab(app, "find-region-variables", 2, ("fill", "input[placeholder='Search variables']", "region"))
    lab(app, "pause-harbour-pool", 1, skip)
    lab(app, "pause-harbour-pool", 2, ("click", "a[href*='work-pools']"))
    lab(app, "pause-harbour-pool", 3,
        ("click", "js:[...document.querySelectorAll('[role=switch]')].filter(s=>{let e=s;for(let i=0;i<6;i++)"
                  "{e=e.parentElement;if(e.innerText.includes('-pool'))return e.innerText.includes('harbour-pool')}"
                  "})[0]"))
    for test in ("closed-dialog-keeps-variable", "create-a-variable"):
        WRONG[app, test, 4] = ({"above": "Value"}, "the rules typed into Name, the field of the step before")
    WRONG[app, "add-a-global-limit", 1] = ({"name": "Skip"},
                                           "the rules closed the dialog with its nameless cross; the same effect")


for application in (todomvc, adminer, sbadmin, tiddlywiki, prefect):
    application()
