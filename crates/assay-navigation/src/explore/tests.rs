use std::collections::BTreeMap;

use super::*;
use crate::features::testing::scene;

/// A site of pages in the short form of scenes; presses are looked up as `address + role name`.
struct Site(BTreeMap<&'static str, &'static str>);

const NAV: &str = "navigation\n link / Home\n link /orders Orders\n link /help Help\n link /logout Log out\n";

impl Site {
    fn look(&self, address: &str, presses: &[Press]) -> Seen {
        let path = path_of(address);
        let pressed: String =
            presses.iter().map(|press| format!(" + {} {}", press.role, press.name)).collect();
        let Some(lines) = self.0.get(format!("{path}{pressed}").as_str()) else {
            return Seen::Nothing { why: "the server answered with status 404".to_string() };
        };
        // A page may say that it is another one.
        let (landed, lines) = match lines.strip_prefix("-> ") {
            Some(target) => (target, self.0.get(target).copied().unwrap_or_default()),
            None => (path, *lines),
        };
        let scene = scene(&format!("http://shop{landed}"), "Shop", &format!("{NAV}{lines}"));
        Seen::Shown { scene: Box::new(trimmed(&scene)), status: None, took_ms: 10 }
    }

    fn explore(&self) -> (Discoveries, Vec<Seen>) {
        let mut explorer = Explorer::new("http://shop/", rules());
        let mut log = Vec::new();
        while let Task::Look { address, presses } = explorer.next_task() {
            let seen = self.look(&address, &presses);
            log.push(seen.clone());
            explorer.seen(seen);
        }
        (explorer.discoveries(), log)
    }
}

use crate::features::trimmed;

fn rules() -> Rules {
    Rules {
        budget: Budget { screens: 50, depth: 5 },
        robots: Robots::parse("User-agent: *\nDisallow: /secret"),
        weighs: |_| false,
        protected: Vec::new(),
        presses: true,
        logs_in: false,
    }
}

#[track_caller]
fn check(pages: &[(&'static str, &'static str)], expected: &[&str]) -> Discoveries {
    let site = Site(pages.iter().copied().collect());
    let (found, log) = site.explore();
    let told: Vec<String> = found
        .tree
        .screens
        .iter()
        .map(|screen| {
            format!(
                "{} {}",
                screen.name,
                screen.address.as_ref().map(ToString::to_string).unwrap_or_default()
            )
        })
        .collect();
    assert_eq!(told, expected);
    // Each screen is recognised as itself, and a second time finds nothing else.
    for (screen, scenes) in found.tree.screens.iter().zip(&found.scenes) {
        for scene in scenes {
            assert_eq!(crate::recognise(&found.tree, scene, None).screen(), Some(screen.name.as_str()));
        }
    }
    assert_eq!(joined(&found.tree, &site.explore().0).0, found.tree);
    // The same answers lead to the same end.
    let mut again = Explorer::new("http://shop/", rules());
    for seen in log {
        again.next_task();
        again.seen(seen);
    }
    assert_eq!(again.discoveries().tree, found.tree);
    found
}

#[test]
fn screens_are_told_apart_by_structure() {
    let found = check(
        &[
            (
                "/",
                "h1 Welcome\nbutton Save\nlink /secret/x Hidden\nlink mailto:a@b Mail\nlink http://other/ Other",
            ),
            (
                "/orders",
                "h1 Orders\ntable\n row\n  columnheader Total\n row\n  link /orders/1 Order 1\n row\n  link /orders/2 Order 2\n row\n  link /orders/3 Order 3\nlink /orders/new New",
            ),
            ("/orders/1", "h1 Order 1\nbutton Delete\nlink /orders/1/lines Lines"),
            ("/orders/2", "h1 Order 2\nbutton Delete\nlink /orders/2/lines Lines"),
            ("/orders/1/lines", "h1 Lines\ntext a"),
            ("/orders/new", "h1 New order\nform\n textbox Title\n button Create"),
            (
                "/help",
                "h1 Help\nlist\n listitem\n  link /wiki/Apple Apple\n listitem\n  link /wiki/Pear Pear\n listitem\n  link /wiki/Plum Plum",
            ),
            ("/wiki/Apple", "h1 Apple\nregion About\n text x"),
            ("/wiki/Pear", "h1 Pear\nregion About\n text y"),
            ("/wiki/Plum", "h1 Plum\nregion About\n text z"),
        ],
        &[
            "Welcome /",
            "Orders /orders",
            "Help /help",
            "Order /orders/{id}",
            "New order /orders/new",
            "Wiki /wiki/{name}",
            "Lines /orders/{id}/lines",
        ],
    );
    let left: Vec<String> = found.left_out.iter().map(|one| format!("{}: {}", one.what, one.why)).collect();
    assert_eq!(
        left,
        [
            "button \"Create\": nothing says that it only opens something",
            "button \"Delete\": its label says `delete`",
            "button \"Save\": its label says `save`",
            "link \"Hidden\": robots.txt asks not to",
            "link \"Log out\": its label says `logout`",
            "link \"Other\": it leads to another site",
        ]
    );
    let edges: Vec<String> = found
        .tree
        .edges
        .iter()
        .map(|edge| format!("{} → {}: {}", edge.from, edge.to, edge.acts.join(", ")))
        .collect();
    assert_eq!(
        edges,
        [
            "* → Welcome: click link \"Home\"",
            "* → Orders: click link \"Orders\"",
            "* → Help: click link \"Help\"",
            "Orders → Order: click link to /orders/{id}",
            "Orders → New order: click link \"New\"",
            "Help → Wiki: click link to /wiki/{name}",
            "Order → Lines: click link to /orders/{id}/lines",
        ]
    );
}

#[test]
fn lists_of_one_template_are_two_screens() {
    check(
        &[
            (
                "/",
                "h1 Welcome\nlist\n listitem\n  link /admin/users/ Users\n listitem\n  link /admin/groups/ Groups",
            ),
            ("/orders", "h1 Orders"),
            ("/help", "h1 Help"),
            ("/admin/users/", "h1 Users\ntable\n row\n  columnheader Name\n row\n  link /admin/users/1/ Ann"),
            (
                "/admin/groups/",
                "h1 Groups\ntable\n row\n  columnheader Name\n row\n  link /admin/groups/1/ Staff",
            ),
            ("/admin/users/1/", "h1 Change user\ntextbox Name"),
            ("/admin/groups/1/", "h1 Change group\ntextbox Title"),
        ],
        &[
            "Welcome /",
            "Orders /orders",
            "Help /help",
            "Users /admin/users/",
            "Groups /admin/groups/",
            "User /admin/users/{id}/",
            "Group /admin/groups/{id}/",
        ],
    );
}

#[test]
fn a_heading_of_two_screens_names_neither() {
    check(
        &[("/", "h1 Welcome"), ("/orders", "h1 Overview\nbutton Print"), ("/help", "h1 Overview\ntable")],
        &["Welcome /", "Orders /orders", "Help /help"],
    );
}

#[test]
fn an_open_menu_is_a_screen() {
    check(
        &[
            ("/", "h1 Welcome\nopener More\ntextbox Filter"),
            (
                "/ + button More",
                "h1 Welcome\nopener More\nmenu\n link /about About\n link /team Team\ntextbox Filter",
            ),
            ("/orders", "h1 Orders"),
            ("/help", "h1 Help"),
            ("/about", "h1 About"),
            ("/team", "h1 Team"),
        ],
        &["Welcome /", "Orders /orders", "Help /help", "More menu /", "About /about", "Team /team"],
    );
}

#[test]
fn an_entry_that_acts_opens_no_menu_of_its_own() {
    let menu = "h1 Welcome\nopener Edit\nmenu\n menuitem Align lines\n menuitem Comment\n menuitem Fold all\ntextbox Text";
    check(
        &[
            ("/", "h1 Welcome\nopener Edit\ntextbox Text"),
            ("/ + button Edit", menu),
            ("/ + button Edit + menuitem Align lines", menu),
            ("/ + button Edit + menuitem Comment", menu),
            ("/ + button Edit + menuitem Fold all", menu),
            ("/orders", "h1 Orders"),
            ("/help", "h1 Help"),
        ],
        &["Welcome /", "Orders /orders", "Help /help", "Edit menu /"],
    );
}

#[test]
fn what_is_open_on_a_page_is_no_part_of_where_its_links_lead() {
    check(
        &[
            ("/", "h1 Welcome"),
            ("/help", "h1 Help\nlink /team/1 Our team"),
            ("/orders", "h1 Orders\nlink #context-1 Details"),
            ("/orders + link Details", "-> /orders#context-1"),
            (
                "/orders#context-1",
                "h1 Orders\ndialog Context\n text Line 12\n link /team/2#context-1 The team",
            ),
            ("/team/1", "h1 Team 1\ntable\nbutton Print"),
            ("/team/2", "h1 Team 2\ntable\nbutton Print"),
            (
                "/team/2#context-1",
                "h1 Team 2\ntable\nbutton Print\ndialog Context\n text Line 12\n button Close",
            ),
        ],
        &["Welcome /", "Orders /orders", "Help /help", "Context /orders", "Team /team/{id}"],
    );
}

#[test]
fn links_that_only_filter_are_not_followed_without_end() {
    let filters = |from: usize, to: usize| -> String {
        (from..to).map(|number| format!("link /orders?state{number}=x Filter {number}\n")).collect()
    };
    let list: &'static str =
        Box::leak(format!("h1 Orders\nbutton Print\n{}", filters(0, 30)).into_boxed_str());
    let mut pages = vec![("/", "h1 Welcome"), ("/help", "h1 Help"), ("/orders", list)];
    for number in 0..30 {
        let address: &'static str = Box::leak(format!("/orders?state{number}=x").into_boxed_str());
        pages.push((address, list));
    }
    let site = Site(pages.into_iter().collect());
    let (found, log) = site.explore();
    assert_eq!(found.tree.screens.len(), 3);
    assert!(log.len() < 10, "{} looks", log.len());
    assert!(found.left_out.iter().any(|one| one.what == "/orders?…"), "{:?}", found.left_out);
}

#[test]
fn dialogs_and_tabs_are_screens_and_small_menus_are_not() {
    check(
        &[
            (
                "/",
                "h1 Welcome\nopener More\nplain New note\ntablist\n tab* Open\n tab Closed\n tab Statistics\ntextbox Filter\nbutton Go",
            ),
            (
                "/ + button More",
                "h1 Welcome\nopener More\nmenu\n link /about About\nplain New note\ntablist\n tab* Open\n tab Closed\n tab Statistics\ntextbox Filter\nbutton Go",
            ),
            (
                "/ + button New note",
                "h1 Welcome\nopener More\nplain New note\ndialog New note\n textbox Text\n button Add",
            ),
            (
                "/ + tab Closed",
                "h1 Welcome\nopener More\nplain New note\ntablist\n tab Open\n tab* Closed\n tab Statistics\ntextbox Filter\nbutton Go",
            ),
            (
                "/ + tab Statistics",
                "h1 Welcome\ntablist\n tab Open\n tab Closed\n tab* Statistics\nfigure\ntable\n row\n  columnheader Day\n  columnheader Sum\nh2 Weeks",
            ),
            ("/orders", "h1 Orders"),
            ("/help", "h1 Help"),
            ("/about", "h1 About"),
        ],
        &["Welcome /", "Orders /orders", "Help /help", "New note /", "Statistics /", "About /about"],
    );
}

#[test]
fn pages_behind_a_login_are_counted_and_the_login_is_one_screen() {
    let found = check(
        &[
            ("/", "h1 Welcome"),
            ("/orders", "-> /login"),
            ("/help", "-> /login"),
            ("/login", "h1 Log in\nform\n textbox Email\n password\n button Log in"),
        ],
        &["Welcome /", "Log in /login"],
    );
    assert_eq!(found.behind_login, ["/help", "/orders"]);
}

#[test]
fn what_only_those_see_who_are_not_logged_in_says_so() {
    let login = "h1 Log in\nform\n textbox Email\n password\n button Log in";
    let before = Site(BTreeMap::from([
        ("/", "-> /login"),
        ("/orders", "-> /login"),
        ("/help", "h1 Help"),
        ("/login", login),
    ]));
    let after = Site(BTreeMap::from([
        ("/", "h1 Welcome"),
        ("/orders", "h1 Orders"),
        ("/help", "h1 Help"),
        ("/login", "-> /"),
    ]));
    let mut explorer = Explorer::new("http://shop/", Rules { logs_in: true, ..rules() });
    let mut is_in = false;
    loop {
        let seen = match explorer.next_task() {
            Task::Done => break,
            Task::LogIn => {
                is_in = true;
                Seen::LoggedIn
            }
            Task::Look { address, presses } => {
                (if is_in { &after } else { &before }).look(&address, &presses)
            }
        };
        explorer.seen(seen);
    }
    let told: Vec<(String, Option<String>)> =
        explorer.discoveries().tree.screens.into_iter().map(|screen| (screen.name, screen.when)).collect();
    let expected = [
        ("Log in", Some("logged out")),
        ("Help", None),
        ("Welcome", Some("logged in")),
        ("Orders", Some("logged in")),
    ];
    assert_eq!(told, expected.map(|(name, when)| (name.to_string(), when.map(str::to_string))));
}

#[test]
fn a_link_leads_to_the_screen_of_its_own_state() {
    let list = "list\n listitem\n  link /bug1 One\n listitem\n  link /bug2 Two";
    let page = |text: String| -> &'static str { Box::leak(text.into_boxed_str()) };
    let before = Site(BTreeMap::from([
        ("/", page(format!("h1 Bugs\nform\n password\n{list}"))),
        ("/bug1", "h1 Bug 1\nform\n password\nregion Notes\ntext a"),
        ("/bug2", "h1 Bug 2\nform\n password\nregion Notes\ntext b"),
        ("/orders", "h1 Orders"),
        ("/help", "h1 Help"),
    ]));
    let after = Site(BTreeMap::from([
        ("/", page(format!("h1 Bugs\ntable\n row\n  columnheader Title\n{list}"))),
        ("/bug1", "h1 Bug 1 editing\ntextbox Title\ncombobox Owner\ntable"),
        ("/bug2", "h1 Bug 2 editing\ntextbox Title\ncombobox Owner\ntable"),
        ("/orders", "h1 Orders"),
        ("/help", "h1 Help"),
    ]));
    let mut explorer = Explorer::new("http://shop/", Rules { logs_in: true, ..rules() });
    let mut is_in = false;
    loop {
        let seen = match explorer.next_task() {
            Task::Done => break,
            Task::LogIn => {
                is_in = true;
                Seen::LoggedIn
            }
            Task::Look { address, presses } => {
                (if is_in { &after } else { &before }).look(&address, &presses)
            }
        };
        explorer.seen(seen);
    }
    let tree = explorer.discoveries().tree;
    let when = |name: &str| tree.screen(name).and_then(|screen| screen.when.clone());
    let bugs: Vec<Option<String>> = tree
        .screens
        .iter()
        .filter(|screen| screen.address.as_ref().is_some_and(|address| address.as_str() == "/bug{id}"))
        .map(|screen| screen.when.clone())
        .collect();
    assert_eq!(bugs, [Some(LOGGED_OUT.to_string()), Some(LOGGED_IN.to_string())], "{tree:#?}");
    for way in tree.ways().filter(|way| when(way.from).is_some() && when(way.to).is_some()) {
        assert_eq!(when(way.from), when(way.to), "{} → {}", way.from, way.to);
    }
}

#[test]
fn views_that_headings_lead_to_are_screens_and_filters_are_not() {
    let buttons = "combobox Chart\nbutton Monthly\nbutton Yearly\nbutton Print";
    let view = |plain: &str, name: &'static str| -> &'static str {
        let heading = |label: &str, query: &str| match label == plain {
            true => format!("h3 {label}\n"),
            false => format!("h3 {label}\n link /accounts/{name}{query} {label}\n"),
        };
        let lines = format!(
            "h1 {name}\n{buttons}\n{}{}link /accounts/{name}?time=2024-01 January\nlink #top Up\nlink #entry-1 Newest",
            heading("Changes", "?r=changes"),
            heading("Balances", "?r=balances")
        );
        Box::leak(lines.into_boxed_str())
    };
    let journal = |name: &str| -> &'static str {
        let lines = format!(
            "h1 {name}\n{buttons}\nh3 Changes\n link /accounts/{name}?r=changes Changes\nh3 Balances\n \
             link /accounts/{name}?r=balances Balances\nbutton Open\nbutton Close\nbutton Note\nbutton Query\n\
             table\n row\n  columnheader Date\n  columnheader Payee\n  columnheader Units"
        );
        Box::leak(lines.into_boxed_str())
    };
    let found = check(
        &[
            (
                "/",
                "h1 Welcome\nlist\n listitem\n  link /accounts/Bank Bank\n listitem\n  link /accounts/Till Till\n listitem\n  link /accounts/Shop Shop",
            ),
            ("/orders", "h1 Orders"),
            ("/help", "h1 Help"),
            ("/accounts/Bank", journal("Bank")),
            ("/accounts/Till", journal("Till")),
            ("/accounts/Shop", journal("Shop")),
            ("/accounts/Bank?r=changes", view("Changes", "Bank")),
            ("/accounts/Bank?r=balances", view("Balances", "Bank")),
            ("/accounts/Bank?time=2024-01", view("Changes", "Bank")),
            // What a link opens over its page is none of the pages.
            ("/accounts/Bank?r=changes#entry-1", "h1 Bank\ndialog Entry\n button Context"),
        ],
        &[
            "Welcome /",
            "Orders /orders",
            "Help /help",
            "Account /accounts/{name}",
            "Account: Changes /accounts/{name}?r=changes",
            "Account: Balances /accounts/{name}?r=balances",
        ],
    );
    // What the heading says is the thing, also where only one was seen.
    assert!(
        found.tree.screens[3..].iter().all(|screen| screen.heading.is_none()),
        "{:?}",
        found.tree.screens
    );
}

#[test]
fn a_list_of_things_that_stands_among_them_is_another_screen() {
    let names = ["Apple", "Pear", "Plum", "Fig", "Date", "Lime", "Kiwi", "Quince", "Sloe"];
    let entries: String =
        names.iter().map(|name| format!(" listitem\n  link /wiki/{name} {name} and what it is\n")).collect();
    let page = "region About\nbutton Watch\ntext It is a fruit";
    let changes: &'static str = Box::leak(format!("{page}\nlist\n{entries}").into_boxed_str());
    let mut pages = vec![
        (
            "/",
            "h1 Welcome\nlist\n listitem\n  link /wiki/Apple Apple\n listitem\n  link /wiki/Pear Pear\n listitem\n  link /wiki/Plum Plum",
        ),
        ("/orders", "h1 Orders"),
        ("/help", "h1 Help\ntext See also\nlink /wiki/Recent Recent changes"),
        ("/wiki/Recent", changes),
    ];
    for name in names {
        let address: &'static str = Box::leak(format!("/wiki/{name}").into_boxed_str());
        pages.push((address, page));
    }
    check(
        &pages,
        &["Welcome /", "Orders /orders", "Help /help", "Wiki /wiki/{name}", "Recent changes /wiki/Recent"],
    );
}

#[test]
fn a_page_keeps_its_name_before_its_popup() {
    check(
        &[
            ("/", "h1 Welcome\nlink /users/1/ Ada"),
            ("/orders", "h1 Orders\nlink /groups/add/ Add"),
            ("/help", "h1 Help"),
            (
                "/users/1/",
                "h1 Change user\ntextbox Name\nlink /groups/add/?_popup=1&_to_field=id Add another group",
            ),
            ("/groups/add/?_popup=1&_to_field=id", "h1 Add group\ntextbox Title\nbutton Close"),
            ("/groups/add/", "h1 Add group\ntextbox Title\ntable\nform\nregion Rights\nlist\n listitem"),
        ],
        &[
            "Welcome /",
            "Orders /orders",
            "Help /help",
            "User /users/{id}/",
            "Add group /groups/add/",
            "Add group (popup) /groups/add/?_popup={id}&_to_field=id",
        ],
    );
}

#[test]
fn the_name_of_the_one_known_thing_is_no_heading() {
    let found = check(
        &[
            ("/", "h1 Welcome\nlink /authors/5/history/ History"),
            ("/orders", "h1 Orders"),
            ("/help", "h1 Help"),
            ("/authors/5/history/", "h1 Change history: Author E\ntable\nlink /authors/5/change/ Author E"),
        ],
        &["Welcome /", "Orders /orders", "Help /help", "Change history /authors/{id}/history/"],
    );
    assert_eq!(found.tree.screens[3].heading.as_deref(), Some("Change history: *"));
}

#[test]
fn rows_that_are_called_by_words_are_one_screen() {
    check(
        &[
            ("/", "h1 Welcome\nlink /zoo/animal Animals"),
            ("/orders", "h1 Orders"),
            ("/help", "h1 Help"),
            (
                "/zoo/animal",
                "h1 animal\ntable\n row\n  link /zoo/animal/ant ant\n row\n  link /zoo/animal/cat cat\n row\n  link /zoo/animal/hen hen",
            ),
            ("/zoo/animal/ant", "h1 animal: ant\ntable\n row\n  text 6"),
            ("/zoo/animal/cat", "h1 animal: cat\ntable\n row\n  text 4"),
            ("/zoo/animal/hen", "h1 animal: hen\ntable\n row\n  text 2"),
        ],
        &[
            "Welcome /",
            "Orders /orders",
            "Help /help",
            "animal /zoo/animal",
            "animal (zoo) /zoo/animal/{name}",
        ],
    );
}

#[test]
fn a_query_that_adds_an_editor_and_its_results_is_no_filter() {
    check(
        &[
            ("/", "h1 Welcome\nlink /shop Shop"),
            ("/orders", "h1 Orders"),
            ("/help", "h1 Help"),
            ("/shop", "h1 shop\nlink /shop?sql=select Query\nbutton Print\nregion Tables\ngroup More\nform"),
            (
                "/shop?sql=select",
                "h1 shop\nlink /shop?sql=select Query\nbutton Print\nregion Tables\ngroup More\nform\ntextbox SQL\ntable\n row\n  text 1",
            ),
        ],
        &["Welcome /", "Orders /orders", "Help /help", "shop /shop", "Query /shop?sql=select"],
    );
}
