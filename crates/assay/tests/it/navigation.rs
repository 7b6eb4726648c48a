//! Navigation trees: exploring, going, checking and editing, on a real browser and a small site full of traps.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use assay_coordinator::Coordinator;
use assay_testkit::{Request, Response, Server};
use serde_json::Value;

use crate::context::{Context, said};

/// A shop whose pages are easy to mistake for each other. What its server is asked to change, it notes.
struct Shop {
    server: Server,
    changed: Arc<Mutex<Vec<String>>>,
    /// The paths that were asked for, in order.
    asked: Arc<Mutex<Vec<String>>>,
    /// What the pages do at this moment: `wall`, `soft-404`, `broken-link`.
    mood: Arc<Mutex<String>>,
}

const NAV: &str = "<nav><a href=/>Home</a> <a href=/orders>Orders</a> <a href=/archive>Archive</a> \
    <a href=/admin/users/>Users</a> <a href=/admin/groups/>Groups</a> <a href=/wiki/>Wiki</a> <a href=/app>App</a> \
    <a href=/logout>Log out</a> <a href=mailto:a@b.test>Mail</a> <a href=http://other.example/>Partner</a></nav>";

const APP: &str = "<h1>App</h1><div role=tablist><button role=tab aria-selected=true id=t1>Notes</button>\
    <button role=tab aria-selected=false id=t2>Numbers</button></div><section id=notes><label>Note <input></label>\
    <button type=button>New note</button><button type=button onclick=\"fetch('/api/wipe',{method:'POST'})\">Wipe</button>\
    <button type=button onclick=\"fetch('/api/show',{method:'POST'})\">Show more</button></section>\
    <section id=numbers hidden><h2>By week</h2><table><tr><th>Week</th><th>Sum</th></tr><tr><td>1</td><td>2</td></tr></table></section>\
    <div role=dialog aria-modal=true aria-label='New note' id=box hidden style='position:fixed;inset:20%;background:#fff'>\
    <label>Text <input></label><button type=button onclick='box.hidden=true'>Cancel</button></div>\
    <details><summary>Tools</summary><a href=/tools>All tools</a></details>\
    <script>for (const tab of [t1, t2]) tab.onclick = () => { for (const one of [t1, t2]) one.setAttribute('aria-selected', one === tab);\
    notes.hidden = tab !== t1; numbers.hidden = tab === t1; };\
    document.querySelector('#notes button').onclick = () => { box.hidden = false; };\
    document.onkeydown = event => { if (event.key === 'Escape') box.hidden = true; };</script>";

impl Shop {
    fn start() -> Shop {
        let changed: Arc<Mutex<Vec<String>>> = Arc::default();
        let mood: Arc<Mutex<String>> = Arc::default();
        let asked: Arc<Mutex<Vec<String>>> = Arc::default();
        let (noted, in_mood, paths) = (Arc::clone(&changed), Arc::clone(&mood), Arc::clone(&asked));
        let answer = move |request: &Request| {
            let path = request.path.as_str();
            paths.lock().unwrap().push(path.to_string());
            let is_harmful = request.method != "GET" || path == "/logout" || path.contains("delete");
            if is_harmful {
                noted.lock().unwrap().push(format!("{} {path}", request.method));
            }
            let mood = in_mood.lock().unwrap().clone();
            let page = |title: &str, body: &str| {
                Response::html(format!(
                    "<!doctype html><title>{title} - Shop</title>{NAV}<main>{body}</main>"
                ))
            };
            let orders = (1..=4)
                .map(|number| format!("<tr><td><a href=/orders/{number}>Order {number}</a></td></tr>"));
            match path {
                "/robots.txt" => Response::bytes("text/plain", "User-agent: *\nDisallow: /private\n"),
                "/" => page(
                    "Home",
                    "<h1>Welcome</h1><form method=post action=/subscribe><label>Email <input name=mail></label>\
                     <button>Subscribe</button></form><a href=/private/plans>Plans</a><a href=/report.pdf>Report</a>",
                ),
                "/orders" if mood == "wall" => page(
                    "Orders",
                    "<h1>Orders</h1><form method=post action=/login><label>Password <input type=password></label></form>",
                ),
                "/orders" if mood == "soft-404" => {
                    page("Orders", "<h1>Page not found</h1><p>There is no such page.</p>")
                }
                "/orders" if mood.starts_with("says ") => {
                    page("Orders", &format!("<h1>Orders</h1><p>{}</p><a href=/sso>Help</a>", &mood[5..]))
                }
                "/orders" if mood == "lower" => {
                    page("Orders", "<h1>Checkout</h1><h2>Orders</h2><p>Pay now.</p>")
                }
                "/orders/9" => page("Order", "<h1>Order</h1><p>Sorry, no such order.</p>"),
                "/orders" if mood == "other" => page("Orders", "<h1>Stocktaking</h1><p>We count.</p>"),
                "/orders" => page(
                    "Orders",
                    &format!(
                        "<h1>Orders</h1><a href=/orders/new>New order</a><table><tr><th>Number</th></tr>{}</table>",
                        orders.collect::<String>()
                    ),
                ),
                "/orders/new" => page("New order", "<h1>New order</h1><label>Title <input></label>"),
                "/archive" if mood == "broken" => page("Home", "<h1>Welcome</h1>"),
                "/archive" => page("Archive", "<h1>Orders</h1><label>Year <input></label>"),
                "/admin/users/" | "/admin/groups/" => {
                    let kind = path.trim_matches('/').trim_start_matches("admin/");
                    let title = if kind == "users" { "Users" } else { "Groups" };
                    page(
                        title,
                        &format!(
                            "<h1>{title}</h1><table><tr><th>Name</th></tr><tr><td><a href=/admin/{kind}/1>One</a></td></tr></table>"
                        ),
                    )
                }
                "/admin/users/1" => page("User", "<h1>Change user</h1><label>Login name <input></label>"),
                "/admin/groups/1" => page("Group", "<h1>Change group</h1><label>Members <input></label>"),
                "/wiki/" => page(
                    "Wiki",
                    "<h1>Wiki</h1><ul><li><a href=/wiki/Apple>Apple</a></li><li><a href=/wiki/Pear>Pear</a></li>\
                     <li><a href=/wiki/Plum>Plum</a></li></ul>",
                ),
                "/app" => page("App", APP),
                "/tools" => page("Tools", "<h1>Tools</h1><p>Hammer</p>"),
                "/login" => page(
                    "Log in",
                    "<h1>Log in</h1><form method=post><label>Password <input type=password></label></form>",
                ),
                "/report.pdf" => Response::bytes("application/pdf", "%PDF-1.4").attachment("report.pdf"),
                _ => match (path.strip_prefix("/orders/"), path.strip_prefix("/wiki/")) {
                    (Some(number), _) => page(
                        "Order",
                        &format!(
                            "<h1>Order {number}</h1><p>{number} lamps</p><a href=/orders/{number}/delete>Tidy up</a>"
                        ),
                    ),
                    (_, Some(name)) => page(
                        name,
                        &format!(
                            "<h1>{name}</h1><p>All about the {name}.</p><section aria-label=About>x</section>"
                        ),
                    ),
                    _ => Response::status(404),
                },
            }
        };
        Shop { server: Server::start(answer), changed, asked, mood }
    }

    fn url(&self, path: &str) -> String {
        self.server.url(path)
    }

    fn is_in(&self, mood: &str) {
        *self.mood.lock().unwrap() = mood.to_string();
    }

    fn changed(&self) -> Vec<String> {
        self.changed.lock().unwrap().clone()
    }
}

fn tree_file(context: &Context) -> String {
    std::fs::read_to_string(context.folder().join("navigation/shop.yaml")).unwrap()
}

fn explored(context: &Context, shop: &Shop) -> Value {
    let said = context.json(&["explore", &shop.url("/"), "--name", "shop"]);
    assert_eq!(said["ok"], true, "{said}");
    said["data"].clone()
}

#[test]
fn exploring_finds_the_screens_and_changes_nothing() {
    let (context, shop) = (Context::new(), Shop::start());
    let found = explored(&context, &shop);
    let mut screens: Vec<String> = found["tree"]["screens"]
        .as_array()
        .unwrap()
        .iter()
        .map(|screen| {
            format!("{} {}", screen["name"].as_str().unwrap(), screen["address"].as_str().unwrap_or(""))
        })
        .collect();
    screens.sort();
    assert_eq!(
        screens,
        [
            "App /app",
            "Archive /archive",
            "Group /admin/groups/{id}",
            "Groups /admin/groups/",
            "New note /app",
            "New order /orders/new",
            "Numbers /app",
            "Order /orders/{id}",
            "Orders /orders",
            "Tools /tools",
            "User /admin/users/{id}",
            "Users /admin/users/",
            "Welcome /",
            "Wiki (wiki) /wiki/{name}",
            "Wiki /wiki/",
        ],
        "{found:#}"
    );
    assert_eq!(shop.changed(), Vec::<String>::new());
    let left: Vec<&str> =
        found["left_out"].as_array().unwrap().iter().filter_map(|one| one["what"].as_str()).collect();
    for what in [
        "link \"Log out\"",
        "link \"Partner\"",
        "link \"Plans\"",
        "link \"Report\"",
        "button \"Wipe\"",
        "button \"Subscribe\"",
    ] {
        assert!(left.contains(&what), "{what}: {left:?}");
    }
    // A person's changes stay, and the same build changes nothing.
    let edited = tree_file(&context).replace("screens:\n", "screens:\n  # What people see first.\n");
    std::fs::write(context.folder().join("navigation/shop.yaml"), &edited).unwrap();
    context.ok(&["tree", "edit", "rename-screen", "Wiki (wiki)", "Article"]);
    let before = tree_file(&context);
    let again = explored(&context, &shop);
    assert_eq!(again["written"], false, "{:#}", again["changes"]);
    assert_eq!(tree_file(&context), before);
    assert!(before.contains("# What people see first.") && before.contains("  Article:"));
}

#[test]
fn exploring_follows_nothing_that_acts_whatever_says_so() {
    let context = Context::new();
    let acted: Arc<Mutex<Vec<String>>> = Arc::default();
    let noted = Arc::clone(&acted);
    let server = Server::start(move |request: &Request| {
        let path = request.path.as_str();
        if path.starts_with("/t/") || path.starts_with("/api/") {
            noted.lock().unwrap().push(path.to_string());
        }
        let page = |title: &str, body: &str| {
            Response::html(format!(
                "<!doctype html><title>{title}</title><nav><a href=/>Home</a> <a href=/archive>Archive</a></nav><h1>{title}</h1>{body}"
            ))
        };
        match path {
            "/" => page(
                "Tasks",
                "<ul><li>A <a href=/t/1/x title=Delete>&#128465;</a> <a href=/t/1/y title='Delete task'><i class='fa fa-trash'>\
                 </i>.</a> <a href=/t/1/z>×</a> <a href=/t/1/w><img src=data: alt=Delete></a> <a href=/t/1/done>✓</a> \
                 <a href=/t/1/archive>Archive</a> <a href='/t/1/m?read=1'>Mark as read</a> <a href=/t/1/s>Subscribe</a> \
                 <a href='/t/1/next?go=1'>Start</a></li></ul><button type=button onclick=\"new Image().src='/api/del?x=1';\
                 tray.hidden=false\">Open tray</button><div id=tray hidden><h2>Tray</h2><button type=button>More</button></div>",
            ),
            "/archive" => page("Old tasks", "<p>None.</p>"),
            _ => page("Task", "<p>Done.</p>"),
        }
    });
    let found = context.json(&["explore", &server.url("/"), "--name", "shop"]);
    assert_eq!(found["ok"], true, "{found}");
    assert_eq!(*acted.lock().unwrap(), Vec::<String>::new(), "{found:#}");
    let left = found["data"]["left_out"].as_array().unwrap();
    for what in [
        "link \"×\"",
        "link \"✓\"",
        "link \"Archive\"",
        "link \"Mark as read\"",
        "link \"Subscribe\"",
        "link \"Start\"",
    ] {
        assert!(left.iter().any(|one| one["what"] == what), "{what}: {left:#?}");
    }
    let screens = found["data"]["tree"]["screens"].as_array().unwrap();
    assert!(screens.iter().any(|screen| screen["address"] == "/archive"), "{screens:#?}");
}

#[test]
fn a_login_that_opens_nothing_is_told() {
    let context = Context::new();
    let server = Server::start(|request: &Request| match request.path.as_str() {
        "/" => Response::redirect("/login"),
        "/login" => Response::html(
            "<title>Log in</title><h1>Log in</h1><label>Password <input type=password></label>",
        ),
        _ => Response::status(404),
    });
    let explore =
        |more: &[&str]| context.ok(&[&["explore", &server.url("/"), "--name", "shop"], more].concat());
    let said = explore(&[]);
    assert!(said.contains("1 screen behind a login (give --login)"), "{said}");
    let said = explore(&["--login", "Enter \"x\" in the Password field"]);
    assert!(said.contains("1 screen behind a login (--login did not lead there)"), "{said}");
}

#[test]
fn goto_never_claims_to_be_where_it_is_not() {
    let (context, shop) = (Context::new(), Shop::start());
    explored(&context, &shop);
    let goto = |name: &str| context.run(&["goto", name]);
    let there = goto("the order history page");
    assert_eq!(there.code, 2, "{there:?}");
    let there = goto("Ordrs");
    assert_eq!(
        (there.code, there.err.lines().next().unwrap_or("")),
        (2, "error: no screen is called \"Ordrs\"; nearest: Orders, Order, New order")
    );
    for (name, path) in [
        ("Order", "/orders/1"),
        ("Archive", "/archive"),
        ("New note", "/app"),
        ("Numbers", "/app"),
        ("Wiki (wiki)", "/wiki/Apple"),
        ("Tools", "/tools"),
    ] {
        let there = goto(name);
        assert_eq!(there.code, 0, "{name}: {there:?}");
        assert!(there.out.starts_with(&format!("→ {name} · {path}")), "{there:?}");
    }
    for (mood, said) in
        [("wall", "asks for a password"), ("soft-404", "Page not found"), ("other", "Stocktaking")]
    {
        shop.is_in(mood);
        let there = goto("Orders");
        assert_eq!(there.code, 3, "{mood}: {there:?}");
        assert!(there.err.contains(said), "{mood}: {there:?}");
    }
    // An address is an address.
    shop.is_in("");
    assert!(context.ok(&["goto", &shop.url("/tools")]).contains("Tools"));
    assert!(context.ok(&["goto", "/wiki/"]).contains("Wiki"));
}

/// A project with a tree that names the pages of the shop.
fn project_with_tree(shop: &Shop) -> Context {
    let context = Context::new();
    let tree = format!(
        "navigation: 1\nbase_url: {}\nentry: [Home]\nscreens:\n  Home:\n    address: /\n    heading: Welcome\n  Orders:\n    \
         address: /orders\n    heading: Orders\n  Order:\n    address: /orders/{{id}}\n  Tools:\n    address: /tools\n    \
         heading: Tools\nedges:\n  - from: Orders\n    to: Order\n    do: ['click link to /orders/{{id}}']\n",
        shop.url("").trim_end_matches('/')
    );
    std::fs::create_dir_all(context.folder().join("navigation")).unwrap();
    std::fs::write(context.folder().join("navigation/shop.yaml"), tree).unwrap();
    std::fs::write(context.folder().join("assay.yaml"), format!("base_url: {}\n", shop.url(""))).unwrap();
    context
}

/// Runs one test and returns its verdict and reason.
fn verdict_of(context: &Context, test: &str) -> (String, String) {
    std::fs::write(context.folder().join("one.yaml"), test).unwrap();
    let ran = context.run(&["run", "one.yaml", "--json-report", "report.json"]);
    let report = std::fs::read_to_string(context.folder().join("report.json"));
    let report: Value = serde_json::from_str(&report.unwrap_or_else(|_| panic!("{ran:?}"))).unwrap();
    let test = &report["tests"][0];
    (test["status"].as_str().unwrap_or_default().to_string(), format!("{test:#}"))
}

#[test]
fn a_screen_is_not_claimed_if_the_page_keeps_it_back() {
    let shop = Shop::start();
    let context = project_with_tree(&shop);
    context.ok(&["go", &shop.url("/")]);
    let went = "test: Orders\nsteps:\n- Go to the Orders page\nexpected:\n- The Orders page is displayed\n";
    for mood in [
        "says Your session has expired. Sign in with SSO",
        "says You do not have permission to view this page.",
        "lower",
    ] {
        shop.is_in(mood);
        let there = context.run(&["goto", "Orders"]);
        assert_eq!(there.code, 3, "{mood}: {there:?}");
    }
    shop.is_in("says Geben Sie den 6-stelligen Code ein, den wir gesendet haben");
    assert_eq!(verdict_of(&context, went).0, "inconclusive");
    shop.is_in("");
    assert!(context.ok(&["goto", "Orders"]).contains("/orders"));
    assert_eq!(verdict_of(&context, went).0, "passed");
    // The heading is that of the orders, the address is not.
    let archive = "test: A\nsteps:\n- Go to /archive\nexpected:\n- The Orders page is displayed\n";
    let (verdict, reason) = verdict_of(&context, archive);
    assert_eq!(verdict, "inconclusive", "{reason}");
    assert!(reason.contains("its address is /orders"), "{reason}");
    let none = "test: N\nsteps:\n- Go to /orders/9\nexpected:\n- The Order page is displayed\n";
    let (verdict, reason) = verdict_of(&context, none);
    assert_eq!(verdict, "inconclusive", "{reason}");
    let one = "test: O\nsteps:\n- Go to /orders/2\nexpected:\n- The Order page is displayed\n";
    assert_eq!(verdict_of(&context, one).0, "passed");
}

#[test]
fn a_test_begins_on_the_screen_of_its_precondition() {
    let shop = Shop::start();
    let context = project_with_tree(&shop);
    for precondition in ["I am on the Tools page", "From the Tools page"] {
        let test = format!(
            "test: T\npreconditions: [{precondition}]\nsteps:\n- Click the \"App\" link\nexpected:\n- The page shows \"New note\"\n"
        );
        let (verdict, reason) = verdict_of(&context, &test);
        assert_eq!(verdict, "passed", "{reason}");
        let paths = shop.asked.lock().unwrap().clone();
        let tools = paths.iter().rposition(|path| path == "/tools").unwrap();
        assert!(!paths[tools..].contains(&"/".to_string()), "{paths:?}");
        let said = context.ok(&["run", "one.yaml", "--dry-run"]);
        assert!(
            said.contains("go to the screen Tools of the navigation tree; the test begins there"),
            "{said}"
        );
    }
    // The tree says where the application is, if nothing else does.
    std::fs::remove_file(context.folder().join("assay.yaml")).unwrap();
    let test = "test: T\nsteps:\n- Go to the Tools page\nexpected:\n- The page shows \"Hammer\"\n";
    let (verdict, reason) = verdict_of(&context, test);
    assert_eq!(verdict, "passed", "{reason}");
}

#[test]
fn a_step_that_begins_on_an_unknown_page_does_not_pass() {
    let shop = Shop::start();
    let context = project_with_tree(&shop);
    let test = "test: T\nsteps:\n- From the Refunds page, click the \"Orders\" link\nexpected:\n- The page shows \"Order 1\"\n";
    let (verdict, reason) = verdict_of(&context, test);
    assert_eq!(verdict, "inconclusive", "{reason}");
    assert!(reason.contains("Refunds"), "{reason}");
    let known = "test: T\nsteps:\n- From the Tools page, click the \"Orders\" link\nexpected:\n- The page shows \"Order 1\"\n";
    assert_eq!(verdict_of(&context, known).0, "passed");
    let on_to = "test: T\nsteps:\n- From the Tools page, go to the Orders page\nexpected:\n- The page shows \"Order 1\"\n";
    assert_eq!(verdict_of(&context, on_to).0, "passed");
    let said = context.ok(&["run", "one.yaml", "--dry-run"]);
    assert!(said.contains("go to the screen Tools of the navigation tree"), "{said}");
    // One thing of many, as in `assay goto`.
    let thing =
        "test: T\nsteps:\n- Go to the Order \"Order 3\" page\nexpected:\n- The page shows \"3 lamps\"\n";
    let (verdict, reason) = verdict_of(&context, thing);
    assert_eq!(verdict, "passed", "{reason}");
}

#[test]
fn goto_finds_one_thing_of_many_by_its_name() {
    let (context, shop) = (Context::new(), Shop::start());
    explored(&context, &shop);
    let goto = |name: &str| context.run(&["goto", name]);
    for (name, path) in [("Order \"Order 3\"", "/orders/3"), ("Wiki (wiki) Pear", "/wiki/Pear")] {
        let there = goto(name);
        assert_eq!(there.code, 0, "{name}: {there:?}");
        assert!(there.out.contains(path), "{there:?}");
    }
    // A page of its kind is open, and not the thing.
    let there = goto("Wiki (wiki) Melon");
    assert_eq!(there.code, 1, "{there:?}");
    assert!(there.err.contains("no link called \"Melon\" leads to Wiki (wiki); looked on"), "{there:?}");
}

#[test]
fn goto_logs_out_only_if_it_is_told_to() {
    let context = Context::new();
    let server = Server::start(|request: &Request| {
        let is_in = request.cookie("in").is_some();
        let page = |title: &str, body: &str| {
            Response::html(format!("<!doctype html><title>{title}</title><h1>{title}</h1>{body}"))
        };
        match request.path.as_str() {
            "/enter" => Response::redirect("/account").header("set-cookie", "in=1; Path=/"),
            "/account" if is_in => page("Account", "<p>Yours.</p>"),
            "/account" => Response::redirect("/login"),
            "/login" if is_in => Response::redirect("/account"),
            "/login" => {
                page("Log in", "<form method=post><label>Password <input type=password></label></form>")
            }
            _ => Response::status(404),
        }
    });
    let tree = format!(
        "navigation: 1\nbase_url: {}\nscreens:\n  Log in:\n    address: /login\n    heading: Log in\n    when: logged out\n  \
         Account:\n    address: /account\n    heading: Account\n    when: logged in\n",
        server.url("").trim_end_matches('/')
    );
    std::fs::create_dir_all(context.folder().join("navigation")).unwrap();
    std::fs::write(context.folder().join("navigation/shop.yaml"), tree).unwrap();
    context.ok(&["go", &server.url("/enter")]);
    let there = context.run(&["goto", "Log in"]);
    assert_ne!(there.code, 0, "{there:?}");
    assert!(there.err.contains("Log in is shown when logged out"), "{there:?}");
    assert!(there.err.contains("assay goto \"Log in\" --log-out"), "{there:?}");
    assert!(context.ok(&["goto"]).contains("Account"), "it is still logged in");
    assert!(context.ok(&["goto", "Log in", "--log-out"]).contains("/login"));
    let there = context.run(&["goto", "Account"]);
    assert_ne!(there.code, 0, "{there:?}");
    assert!(there.err.contains("Account is shown when logged in"), "{there:?}");
    // What needs another state of the login is no broken way.
    let checked = context.json(&["tree", "show"]);
    let broken = checked["data"]["metrics"].as_array().unwrap().iter().filter(|one| one["successes"] == 0);
    assert_eq!(broken.count(), 0, "{checked:#}");
}

#[test]
fn a_broken_way_is_told_and_the_next_one_taken() {
    let (context, shop) = (Context::new(), Shop::start());
    let tree = format!(
        "navigation: 1\nbase_url: {}\nscreens:\n  Home:\n    address: /\n    heading: Welcome\n  Orders:\n    address: /orders\n    \
         heading: Orders\n    has: [columnheader \"Number\"]\nedges:\n  - from: Home\n    to: Orders\n    do: [click link \"Ordering\"]\n",
        shop.url("").trim_end_matches('/')
    );
    std::fs::create_dir_all(context.folder().join("navigation")).unwrap();
    std::fs::write(context.folder().join("navigation/shop.yaml"), tree).unwrap();
    let test = "test: Orders\nsteps:\n- Go to the Home screen\n- Go to the Orders screen\nexpected:\n- The page shows \"Order 1\"\n";
    std::fs::create_dir_all(context.folder().join("tests")).unwrap();
    std::fs::write(context.folder().join("tests/orders.yaml"), test).unwrap();
    std::fs::write(context.folder().join("assay.yaml"), format!("base_url: {}\n", shop.url(""))).unwrap();
    let ran = context.run(&["run", "tests", "--json-report", "report.json"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.out.contains("broken way: Home → Orders (click link \"Ordering\")"), "{ran:?}");
    let report: Value =
        serde_json::from_str(&std::fs::read_to_string(context.folder().join("report.json")).unwrap())
            .unwrap();
    assert_eq!(report["broken_ways"][0]["to"], "Orders", "{report:#}");
    let checked = context.run(&["tree", "validate"]);
    assert_eq!(checked.code, 1, "{checked:?}");
    assert!(checked.out.contains("broken    Home → Orders"), "{checked:?}");
    let shown = context.json(&["tree", "show"]);
    let metrics = shown["data"]["metrics"].as_array().unwrap();
    let broken = metrics.iter().find(|one| one["from"] == "Home").unwrap();
    assert_eq!((&broken["tries"], &broken["successes"]), (&Value::from(2), &Value::from(0)), "{shown:#}");
}

#[test]
fn a_link_that_opens_a_tab_is_a_way_like_others() {
    let context = Context::new();
    let server = Server::start(|request: &Request| match request.path.as_str() {
        "/" => Response::html("<title>Home</title><h1>Home</h1><a href=/reports target=_blank>Reports</a>"),
        "/reports" => Response::html("<title>Reports</title><h1>Reports</h1><a href=/>Home</a>"),
        _ => Response::status(404),
    });
    let explored = context.json(&["explore", &server.url("/"), "--name", "shop"]);
    assert_eq!(explored["ok"], true, "{explored}");
    context.ok(&["go", &server.url("/")]);
    let there = context.ok(&["goto", "Reports"]);
    assert!(there.contains("/reports") && !there.contains("broken"), "{there}");
    assert!(context.ok(&["goto"]).contains("Reports"), "the tab that opened is the one that is shown");
    let checked = context.run(&["tree", "validate"]);
    assert_eq!(checked.code, 0, "{checked:?}");
    assert!(checked.out.contains("2 ways: 2 work, 0 broken"), "{checked:?}");
}

#[test]
fn exploring_goes_on_after_it_was_killed() {
    let (context, shop) = (Context::new(), Shop::start());
    let whole = Context::new();
    explored(&whole, &shop);
    let mut child = context.command(&["explore", &shop.url("/"), "--name", "shop"]).spawn().unwrap();
    let began = Instant::now();
    let looks = || {
        let state = Coordinator::open_to_read(&context.folder().join("state")).ok()?;
        Some(state.unfinished_exploring("shop").ok()??.looks.len())
    };
    while looks().unwrap_or(0) < 4 && began.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(50));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!context.folder().join("navigation").exists(), "a tree is written at the end only");
    let resumed = explored(&context, &shop);
    assert_eq!(resumed["resumed"], true, "{resumed:#}");
    let of_shop = |file: String| -> Vec<String> {
        // The project is called as its folder.
        file.lines().filter(|line| !line.contains("at-")).map(str::to_string).collect()
    };
    assert_eq!(of_shop(tree_file(&context)), of_shop(tree_file(&whole)));
}

#[test]
fn trees_are_edited_compared_and_drawn_without_a_browser() {
    let context = Context::new();
    context.ok(&["tree", "create", "shop", "--base-url", "http://127.0.0.1:1"]);
    context.ok(&["tree", "edit", "add-screen", "Home", "--address", "/", "--heading", "Welcome"]);
    context.ok(&[
        "tree",
        "edit",
        "add-screen",
        "Orders",
        "--address",
        "/orders",
        "--within",
        "Home",
        "--has",
        "table",
    ]);
    context.ok(&[
        "tree",
        "edit",
        "add-edge",
        "Home",
        "Orders",
        "--do",
        "click link \"Orders\"",
        "--back",
        "back",
    ]);
    let before = tree_file(&context);
    std::fs::write(context.folder().join("old.yaml"), &before).unwrap();
    context.ok(&["tree", "edit", "set-screen", "Orders", "--heading", "Order history"]);
    let changes = context.ok(&["explore", "--compare", "old.yaml"]);
    assert_eq!(changes, "different  Orders: heading was nothing, is `Order history`");
    let mistake = context.fails(2, &["tree", "edit", "remove-screen", "Ordres"]);
    assert!(mistake.contains("no screen is called \"Ordres\"; nearest: Orders"), "{mistake}");
    let broken = before.replace("heading", "headding");
    std::fs::write(context.folder().join("broken.yaml"), broken).unwrap();
    let said = said(context.command(&["tree", "check", "broken.yaml"]));
    assert_eq!(said.code, 2);
    assert!(said.out.contains("broken.yaml:8:5: unknown key `headding`"), "{}", said.out);
    context.ok(&["tree", "show", "--svg", "tree.svg"]);
    assert!(std::fs::read_to_string(context.folder().join("tree.svg")).unwrap().contains("Order"));
    assert!(context.ok(&["tree", "show", "--mermaid"]).contains("s0 <--> s1"));
    assert!(context.ok(&["tree", "show"]).contains("Home ⇄ Orders"));
}
