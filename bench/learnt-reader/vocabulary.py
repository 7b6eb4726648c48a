"""Words of people who write tests: other names for the same thing, kinds, icons, values. Data of synth.py."""

# Words that mean the same on a page: a sentence may use any of a line for any other.
SYNONYMS = [line.split(", ") for line in """
log in, sign in, login
log out, sign out, logout, log off
delete, remove, bin, trash can, trash, get rid of
edit, change, modify, pencil, update
add, new, create, plus, +, insert
search, find, magnifier, magnifying glass, look up, lens
close, dismiss, cross, x, ×, ✕
cancel, abort, discard, never mind
settings, preferences, options, gear, cog, cogwheel, configuration
cart, basket, shopping bag, trolley, shopping cart
menu, hamburger, burger menu, three lines, navigation menu, bars
more, three dots, kebab, ellipsis, overflow menu, more actions, ..., three-dot
next, forward, right arrow, arrow right, continue, chevron right
previous, back, left arrow, arrow left, chevron left
notifications, bell, alerts
home, house, start page, front page
profile, account, avatar, user, person, user menu, my account
save, store, floppy disk, disk, confirm changes, check mark, tick, apply
submit, send, confirm, ok, paper plane
download, export, arrow down, save as file
upload, attach, paperclip, import, attachment
refresh, reload, circular arrow, sync
favorite, favourite, star, bookmark
like, heart, thumbs up
share, forward, share arrow
filter, funnel, narrow down
help, question mark, support, ?
message, mail, envelope, inbox, email
phone, telephone, call, mobile
calendar, date picker, date
expand, show more, chevron, caret, arrow, open
collapse, show less, hide, fold
play, start, run, execute, triangle
copy, duplicate, clone
print, printer
language, globe, flag
dark mode, moon, night mode, theme
password, passphrase, secret
username, user name, login name, user id
quantity, amount, number, count
name, full name
first name, given name
last name, surname, family name
zip, postcode, postal code, zip code
register, sign up, create account, join
buy, order, purchase, check out, checkout
dashboard, overview, main page
select all, mark all, toggle all, check all
view, show, see, eye, details, open
hide, crossed eye
comment, note, remark
picture, image, photo
title, heading, subject
summary, description
entries, rows, records, results
sort, order
skip, later, not now
lock, padlock
undo, revert
up, arrow up
list, index
""".strip().splitlines()]

# What people call an element of a role. An empty word: they do not say what it is.
KINDS = {
    "button": ["button", "link", "icon", "control", "", "entry"],
    "link": ["link", "button", "tab", "entry", "item", "menu item", "", "menu entry"],
    "tab": ["tab", "link", "button"],
    "menuitem": ["menu item", "entry", "option", "item", ""],
    "textbox": ["field", "box", "input", "text field", "text box", "input field", "textbox", "text area"],
    "searchbox": ["search box", "search field", "field", "box", "search input", "search bar"],
    "spinbutton": ["field", "box", "number field", "input", "spinner"],
    "combobox": ["dropdown", "drop-down", "list", "select", "menu", "select box", "combo box", "drop-down list",
                 "selection"],
    "listbox": ["list", "box", "select list"],
    "checkbox": ["checkbox", "check box", "tick box", "box", "option"],
    "radio": ["radio button", "option", "choice"],
    "switch": ["switch", "toggle", "slider", "checkbox"],
    "columnheader": ["column header", "header", "column", "column heading", "heading"],
    "slider": ["slider", "knob"],
    "file": ["file field", "upload field"],
    "clickable": ["", "button", "link", "entry", "item", "area", "icon"],
    "treeitem": ["entry", "node", "item", "folder"],
    "option": ["option", "entry"],
}

VALUES = [
    "Ada", "Grace Hopper", "test@example.com", "hello", "lamp", "Blue", "42", "7", "2024-05-01", "notes.txt", "Berlin",
    "secret99", "12.50", "Quarterly report", "SELECT 1", "Main street 5", "red", "new_value", "weekly",
    "The brig sails at noon.", "abc", "3", "100", "true", "London",
]

# The first pattern that an icon's class matches gives the words for what it shows.
ICONS = [
    (r"bell", ["bell"]),
    (r"cog|gear", ["gear", "cog", "cogwheel", "settings icon"]),
    (r"search", ["magnifier", "magnifying glass", "search icon"]),
    (r"trash|delete|bin", ["trash can", "bin", "trash icon", "waste basket"]),
    (r"pencil|edit|pen", ["pencil", "edit icon", "pen"]),
    (r"times|close|remove|xmark|^x$", ["cross", "x", "close icon"]),
    (r"plus|add", ["plus", "plus sign", "+"]),
    (r"envelope|mail", ["envelope", "mail icon"]),
    (r"user|person", ["user icon", "person", "silhouette"]),
    (r"bars|menu", ["hamburger", "three lines", "menu icon"]),
    (r"ellipsis|dots|more", ["three dots", "dots"]),
    (r"chevron|caret|angle|arrow", ["arrow", "chevron", "small arrow"]),
    (r"home|house", ["house", "home icon"]),
    (r"heart", ["heart"]),
    (r"star", ["star"]),
    (r"cart|basket", ["cart", "basket icon"]),
    (r"calendar", ["calendar icon"]),
    (r"download", ["download arrow", "download icon"]),
    (r"sign out|logout", ["exit icon", "door"]),
    (r"check|tick", ["check mark", "tick"]),
    (r"print", ["printer"]),
    (r"globe", ["globe"]),
    (r"moon", ["moon"]),
    (r"sun", ["sun"]),
    (r"filter", ["funnel"]),
    (r"eye", ["eye"]),
    (r"lock", ["padlock"]),
    (r"refresh|reload|sync|redo", ["circular arrow", "reload icon"]),
    (r"github", ["GitHub icon"]),
    (r"twitter", ["bird", "Twitter icon"]),
    (r"facebook", ["Facebook icon"]),
]

# Characters that stand for an icon.
SYMBOLS = {
    "×": ["cross", "x", "close button"],
    "✖": ["cross", "x"],
    "✕": ["cross", "x"],
    "+": ["plus", "plus sign"],
    "…": ["three dots"],
    "...": ["three dots"],
    "⋮": ["three dots", "kebab menu"],
    "☰": ["hamburger menu", "three lines"],
    "›": ["next arrow"],
    "‹": ["previous arrow"],
    "»": ["double arrow", "next arrow"],
    "«": ["previous arrow"],
    "-": ["minus"],
    "−": ["minus sign"],
}

# Names that pages show as one character.
SHOWN_AS = {
    "delete": "×",
    "remove": "✖",
    "close": "×",
    "add": "+",
    "new": "+",
    "create": "+",
    "more": "⋮",
    "menu": "☰",
    "next": "›",
    "previous": "‹",
}

# What people see on a button that has no name and no class of an icon.
SEEN_ON_NAMELESS = [
    "three dots", "plus", "+", "pencil", "bin", "cross", "menu", "arrow", "gear", "three-dot", "x", "edit", "icon",
    "menu with the three dots", "star", "heart", "plus sign",
]
