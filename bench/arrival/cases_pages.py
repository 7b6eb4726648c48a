"""The cases on the stand-alone pages of site/. A case is data; README.md explains the keys.

Every expectation was written down before the first run. Text in `want` must be in the answer, text in `never` must not.
A tuple in `want` means: one of these."""

CASES = []


def case(name, kind, opens, *steps, **more):
    CASES.append({"name": name, "class": kind, "app": "pages", "open": opens, "steps": list(steps), **more})


def step(*words, **checks):
    return {"do": list(words), **checks}


def shows(*want, never=()):
    return step("map", want=list(want), never=["Loading", "Redirecting", "Connecting", "Starting…", "Calculating", "Please wait", "Signing you in", *never])


ORDERS = ['heading "Orders"', 'textbox "Customer"', 'button "Place order"', "Larch"]

# --- arrival: `map` right after `go` shows the application
case("mount after script, fetch and timer", "arrival", "/mount-after-fetch.html", shows(*ORDERS))
case("Loading… in the root", "arrival", "/loading-text.html", shows(*ORDERS))
case("skip link, content by websocket after 0.8 s", "arrival", "/skip-link.html", shows(*ORDERS))
case("spinner, content by websocket after 1.5 s", "arrival", "/ws-content.html", shows(*ORDERS))
case("empty root, content by websocket after 1.2 s", "arrival", "/ws-no-mark.html", shows(*ORDERS))
case("lazy chunk of a route, then fetch", "arrival", "/lazy-route.html", shows('heading "Orders"', 'button "New order"', "Larch: 2"))
case("skeleton list, one fetch", "arrival", "/skeleton.html", shows('heading "Orders"', ))
CASES[-1]["steps"].append(step("text", want=["Larch: 2 pieces"]))
case("skeleton without marks, chain of fetches", "arrival", "/skeleton-chain.html", shows('button "Open Larch"'))
case("content by server-sent events", "arrival", "/sse-content.html", shows(*ORDERS))
case("content by long poll that goes on for ever", "arrival", "/poll-content.html", shows(*ORDERS))
case("redirect by script, then the application", "arrival", "/script-redirect.html", shows(*ORDERS))
case("redirect by meta refresh, then the application", "arrival", "/meta-refresh.html", shows(*ORDERS))
case("Signing you in…, then a lazy route", "arrival", "/auth-hop.html", shows('heading "Orders"', 'button "New order"'))
case("frame with late content", "arrival", "/iframe-late.html", shows('heading "Checkout"', 'textbox "Card number"', 'button "Pay 20 euros"'))
case("shadow root, component defined late", "arrival", "/shadow-late.html", shows('heading "Orders"', 'button "New order"'))
case("three fetches in a row, part by part", "arrival", "/waterfall.html", shows('heading "Orders"', 'link "Larch"'))
case("mount by timer after 0.9 s, no request", "arrival", "/timer-only.html", shows(*ORDERS))
case("mount by worker", "arrival", "/worker.html", shows(*ORDERS))
case("splash screen over the application", "arrival", "/splash.html", shows(*ORDERS, never=["Timber yard"]))
case("chain of dynamic imports", "arrival", "/import-chain.html", shows(*ORDERS))
case("loading in percent", "arrival", "/progress.html", shows(*ORDERS))
case("three hundred rows, frame by frame", "arrival", "/chunks.html", step("is", "visible", 'button "Order all beams"', want=["true"]))
case("cached content first, fresh content later", "arrival", "/remount.html", shows(*ORDERS, never=["Cached"]))
case("empty result is an application too", "arrival", "/spa-empty.html", shows('heading "Orders"'), step("text", want=["No orders yet"]))

# --- first act: a target right after `go` is found, and the act counts
case("fill and click: mount after fetch", "first act", "/mount-after-fetch.html", step("fill", "Customer", "Ada"),
     step("click", "Place order", want=["Ordered for Ada"]))
case("fill: websocket after 0.8 s", "first act", "/skip-link.html", step("fill", "label=Customer", "Ada"),
     step("value", "label=Customer", want=["Ada"]))
case("click: websocket after 1.5 s", "first act", "/ws-content.html", step("click", 'button "Place order"', want=["Ordered for"]))
case("fill: spinner, websocket after 3 s", "first act", "/ws-content.html?ms=3000", step("fill", "Customer", "Ada"),
     step("click", "Place order", want=["Ordered for Ada"]))
case("click: lazy route", "first act", "/lazy-route.html", step("click", "New order", want=["Draft 14 was created"]))
case("click: handlers attached 0.8 s after the document", "first act", "/hydrate.html", step("click", "Add to cart", want=["Oak table is in your cart"]))
case("fill and click in a late frame", "first act", "/iframe-late.html", step("fill", "Card number", "4111"),
     step("click", 'button "Pay 20 euros"', want=["Paid with 4111"]))
case("fill after a redirect by script", "first act", "/script-redirect.html", step("fill", "Customer", "Ada"),
     step("value", "label=Customer", want=["Ada"]))
case("fill: form behind a spinner for 2.5 s", "first act", "/late-form.html", step("fill", "Customer", "Ada"),
     step("click", "Place order", want=["Ordered for Ada"]))
case("fill is not lost when fresh content replaces the cached", "first act", "/remount.html", step("fill", "Customer", "Ada"),
     step("click", "Place order", want=["Ordered for Ada"]))
case("a target that never comes is said to be missing", "first act", "/mount-after-fetch.html",
     step("click", 'button "No such"', rc=1, want=["No such"], within=8))

# --- never quiet: neither `go` nor an act may be held for more than a few seconds
for name, opens in (("clock, each second", "/clock.html"), ("clock, twenty times a second", "/fast-clock.html"), ("poller, each 200 ms", "/poller.html"),
                    ("spinner in the corner", "/corner-spinner.html"), ("body that never ends", "/endless.html"),
                    ("server-sent events, each 300 ms", "/sse-tick.html"), ("websocket, each 250 ms", "/ws-tick.html"),
                    ("carousel by transform", "/carousel.html"), ("carousel by new elements", "/carousel-dom.html"),
                    ("canvas and transform in each frame", "/raf.html"), ("long poll held open", "/held-poll.html"),
                    ("picture that never comes", "/image-hangs.html"), ("async script that never comes", "/script-hangs.html"),
                    ("skeleton at the side for ever", "/side-skeleton.html"), ("text that runs", "/marquee.html"),
                    ("chat with a message each 700 ms", "/chat.html"), ("websocket with a heartbeat that nobody sees", "/ws-beat.html"),
                    ("click is reported by websocket, without answer", "/ws-report.html"), ("click is reported by a request that is never answered", "/beacon.html")):
    case(name, "never quiet", opens, step("map", want=['heading "Notes"', 'button "Save"']), step("fill", "Note", "Ada", within=6),
         step("click", "Save", want=["Saved: Ada"], within=6), within=5)
case("Loading… for ever", "never quiet", "/loading-forever.html", step("text", want=["Loading…"], within=6), within=8)
case("empty root for ever", "never quiet", "/empty-forever.html", step("map", within=6), within=8)
case("blank page", "never quiet", "/blank.html", step("map", within=6), within=5)

# --- static: times only, as ratios; nothing is judged but that the page is there
for name, opens in (("small page", "/static.html"), ("long article", "/static-article.html"), ("page with pictures", "/static-assets.html"),
                    ("form page of the server", "/do/order")):
    case(name, "static", opens, step("map", want=["heading"]), times=5)

# --- new page: the effect names what a person would notice first
case("login, greeting without heading", "new page", "/do/login", step("fill", "Email", "ada@example.com"), step("fill", "Password", "lovelace"),
     step("click", 'button "Log in"', want=["Good morning, Ada"]))
case("login refused, same page with an error", "new page", "/do/login", step("fill", "Email", "ada@example.com"), step("fill", "Password", "wrong"),
     step("click", 'button "Log in"', want=["Wrong email or password"]))
case("saved, message above a table", "new page", "/do/order", step("fill", "Timber", "Oak"), step("fill", "Day", "2031-01-05"),
     step("click", "Save order", want=["Order 17 was saved"]))
case("refused, error beside a field", "new page", "/do/order", step("fill", "Timber", "Oak"), step("fill", "Day", "2001-01-05"),
     step("click", "Save order", want=["Choose a day in the future"]))
case("search, number of results", "new page", "/do/search", step("fill", 'textbox "Search"', "oak"), step("click", 'button "Search"', want=["3 results for"]))
case("thank you, a single sentence", "new page", "/do/pay", step("click", "Pay now", want=["Thank you, your order 4711 is on its way"]))
case("notice above ten headings", "new page", "/do/password", step("fill", "New password", "Larch-7"),
     step("click", "Change password", want=["Your password was changed"]))
case("not found", "new page", "/do/links", step("click", 'link "Order 9"', want=["Oops", "cannot find this order"]))
case("error of the server", "new page", "/do/links", step("click", 'main >> link "Stock"', want=["Something went wrong", "does not answer"]))
case("detail with a badge", "new page", "/do/links", step("click", 'link "Order 12"', want=["Order 12", "Shipped"]))
case("dialog that opens by itself", "new page", "/do/links", step("click", "Newest version", want=["What is new in version 8"]))
case("form, waiting page, redirect, application", "new page", "/do/import", step("click", "Start import", want=["Import finished: 3 orders"], never=["One moment"]))
case("route of the application, lazy chunk and fetch", "new page", "/routes.html", step("click", 'link "Invoices"', want=['heading "Invoices"', "2 invoices are overdue"]))
case("route of the application, content by websocket", "new page", "/routes.html", step("click", 'link "Messages"', want=["the saw is repaired"]))
case("login by websocket, then the projects", "new page", "/ws-login.html", step("fill", "Name", "Ada"), step("click", 'button "Sign in"', want=["Nice to see you, Ada"]))

# --- late effect: what comes by websocket, events, poll or worker belongs to the answer
for ms in (300, 900, 1500):
    case(f"websocket after {ms} ms, no mark", "late effect", f"/ws-act.html?ms={ms}", step("click", "Place order", want=["Order placed for Ada"]))
case("websocket after 1500 ms, spinner", "late effect", "/ws-act.html?ms=1500&mark=spin", step("click", "Place order", want=["Order placed for Ada"]))
case("websocket after 1500 ms, Running…", "late effect", "/ws-act.html?ms=1500&mark=text", step("click", "Place order", want=["Order placed for Ada"]))
case("websocket after 1000 ms, button says Saving…", "late effect", "/ws-act.html?ms=1000&mark=button", step("click", "Place order", want=["Order placed for Ada"]))
case("websocket in two stages", "late effect", "/ws-act.html?ms=1300&stages", step("click", "Place order", want=["Order placed for Ada"]))
case("toast after websocket", "late effect", "/ws-act.html?ms=600&toast", step("click", "Place order", want=["Order placed for Ada"]))
case("websocket after 1000 ms beside a feed", "late effect", "/ws-act.html?ms=1000&tick=250", step("click", "Place order", want=["Order placed for Ada"]))
case("Enter, websocket after 700 ms", "late effect", "/ws-act.html?ms=700", step("fill", "Customer", "Grace"), step("press", "Enter", want=["Order placed for Grace"]))
case("answer by server-sent events", "late effect", "/sse-act.html", step("click", 'button "Import"', want=["Import finished: 12 rows"]))
case("answer by long poll", "late effect", "/poll-act.html", step("click", 'button "Import"', want=["Import finished: 12 rows"]))
case("job that is polled", "late effect", "/job-act.html", step("click", 'button "Import"', want=["Import finished: 12 rows"]))
case("select, websocket", "late effect", "/controls-act.html", step("select", "Timber", "Larch", want=["Price: 26 euros"]))
case("check, websocket", "late effect", "/controls-act.html", step("check", "Planed", want=["Price: 17 euros"]))
case("search while typing", "late effect", "/search-act.html", step("fill", "Search", "oak", want=["2 results"]))
case("optimistic entry, then an error", "late effect", "/optimistic.html", step("fill", "Timber", "Ash"), step("click", "Add", want=["Ash could not be saved"]))
case("answer of a worker", "late effect", "/worker-act.html", step("click", "Calculate", want=["The plan needs 14 cuts"]))
case("answer inside a frame", "late effect", "/frame-act.html", step("click", "Locate", want=["Found: Pier 4"]))
case("words by fetch, 1.6 s", "late effect", "/stream-act.html", step("click", "Ask", want=["Oak needs about two years to dry in a shed with wind."]))
case("words by websocket, 1.9 s", "late effect", "/ws-stream-act.html", step("click", "Ask", want=["Oak needs about two years to dry in a shed with wind."]))

# --- foreign: what would have come anyway should not be called an effect; reported, not judged
for name, opens, foreign in (("clock", "/clock.html", ":"), ("poller", "/poller.html", "Jobs"), ("server-sent prices", "/sse-tick.html", "Oak "),
                             ("websocket prices", "/ws-tick.html", "Oak "), ("chat", "/chat.html", "Message "), ("carousel", "/carousel-dom.html", "Offer "),
                             ("feed beside the answer", "/ws-act.html?ms=600&tick=150", '"1')):
    act = "Place order" if "ws-act" in opens else "Save"
    case(name, "foreign", opens, step("text", want=["Orders" if "ws-act" in opens else "Notes"]), step("pause", "1.2"),
         step("click", f'button "{act}"', want=["Order placed" if "ws-act" in opens else "Saved:"], foreign=[foreign]))

# --- icons: ligatures of an icon font are not text
LIGATURES = ["waving_hand", "keyboard_arrow_down", "expand_more", "expand_less", "home", "settings", "\ue001"]
for font, opens in (("Material Symbols", "/icons.html?font=material-symbols-rounded"), ("a font of unknown name", "/icons.html?font=gly")):
    case(f"map, {font}", "icons", opens, step("map", want=['link "Hello"', 'link "Settings"', 'heading "Yard"', '"Details"', 'button "More"', 'button "Save"'], never=LIGATURES))
    case(f"text of the page, {font}", "icons", opens, step("text", want=["Hello", "Settings", "Yard", "Details", "More"], never=LIGATURES))
    case(f"effect, {font}", "icons", opens, step("click", "More", want=["Five more rows"], never=LIGATURES))
    case(f"target by the words beside the icon, {font}", "icons", opens, step("click", 'link "Settings"'), step("click", "Details", want=["Region is West"], never=LIGATURES))
case("names of icons as words stay", "icons", "/icon-words.html", step("map", "--all", want=["keyboard_arrow_down", "waving_hand", 'button "home"', 'link "settings"']))

# --- select: takes what `do 'Choose … in …'` takes; the sentence is tried as well, and its outcome reported
for name, opens, target, option, want in (
        ("native list", "/select-native.html", "Country", "Belgium", "Chosen: Belgium"),
        ("native list in groups", "/select-native.html", "Unit", "Stone", "Stone"),
        ("list that chooses on the press", "/select-press.html", "Color", "Blue", "Color is Blue"),
        ("button with a list elsewhere in the document", "/select-button.html", "Priority", "High", "Priority is High"),
        ("react-select style", "/select-react.html", "Flavour", "Salted caramel", "Flavour is Salted caramel"),
        ("suggestions from the server", "/select-async.html", "City", "Berlin", "City is Berlin"),
        ("options by websocket", "/select-ws.html", "Machine", "Planer", "Planer is free on Monday"),
        ("virtual list of 300", "/select-virtual.html", "Part", "Part 217", "Chosen: Part 217"),
        ("drawn list without roles", "/select-plain.html", "Shipping", "Express", "Shipping is Express"),
        ("list that is always open", "/select-inline.html", "Delivery day", "Friday", "Delivery on Friday"),
        ("drawn list over a hidden native one", "/select-wrapped.html", "Team", "Glue", "Team is Glue"),
        ("tags", "/select-tags.html", "Woods", "Larch", "Woods: Larch")):
    case(name, "select", opens, step("select", target, option, want=[want]),
         twin=[step("do", f'Choose "{option}" in the {target} dropdown'), step("text", want=[want])])
case("two options of a native list", "select", "/select-native.html", step("select", "Sizes", "Small", "Large", want=["Small, Large"]))
case("two tags", "select", "/select-tags.html", step("select", "Woods", "Oak", "Birch", want=["Woods: Oak, Birch"]))
case("native option that is not there", "select", "/select-native.html", step("select", "Country", "Denmark", rc=(1, 2, 3), want=["Denmark", "Austria"]),
     step("value", "label=Country", want=["Austria"]))
case("drawn option that is not there", "select", "/select-press.html", step("select", "Color", "Purple", rc=(1, 2, 3), want=["Purple", "Green"]),
     step("value", "label=Color", want=["Red"]))

# --- ambiguous: the candidates are named with text and place
def unclear(name, opens, *words, each, want, **more):
    case(name, "ambiguous", opens, step(*words, rc=3, each=each, want=want), **more)


unclear("buttons in rows", "/amb-rows.html", "click", "Edit", each="Edit", want=["Oak", "Birch", "Larch"])
unclear("spans by text", "/amb-tree.html", "click", "text=Servers", each="Servers", want=["Dashboard", "Recent"])
unclear("fields in field sets", "/amb-fields.html", "fill", "Name", "Ada", each="Name", want=["Billing", "Shipping"])
unclear("links in navigation, main part and footer", "/amb-nav.html", "click", "Contact", each="Contact",
        want=[("navigation", "nav ", "Main"), ("main", "Read more"), ("footer", "contentinfo")])
unclear("buttons in cards", "/amb-cards.html", "click", "Choose", each="Choose", want=["Small", "Medium", "Large"])
unclear("buttons in frames", "/amb-frames.html", "click", "Continue", each="Continue", want=["Card", "Bank transfer"])
unclear("icons in list items", "/amb-icons.html", "click", "Delete", each=("Delete", "✕"), want=["plan.pdf", "saw.png", "notes.txt"])
unclear("buttons in sections", "/amb-dialog.html", "click", "Send", each="Send", want=["Draft", "Offer for Ada", "Offer for Grace"])
unclear("clickable spans in messages", "/amb-spans.html", "click", "Reply", each="Reply", want=["From Ada", "From Grace"])
unclear("spans by CSS", "/amb-spans.html", "click", "span.r", each="Reply", want=["From Ada", "From Grace"])
unclear("links in a grid, by row and column", "/amb-days.html", "click", "free", each="free", want=["Ada", "Grace", "Monday", "Tuesday"])
