//! Where one is: the screen of a tree that a scene shows, and only if nothing speaks against it.

use assay_protocol::{NavigationTree, Scene, SceneNode, Screen, fits_glob, in_one_line};

use crate::explore::{LOGGED_OUT, title_parts};
use crate::features::{Features, Spot, dialog_at, spots};
use crate::wall::{Wall, WallKind, speaks_of_login, wall_of, wall_said};

/// What a tree makes of a scene.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recognition {
    pub place: Place,
    /// What the scene shows, for people: its heading or title.
    pub shown: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    Screen(String),
    /// No screen, with those that come near and what speaks against each.
    Unsure {
        why: String,
        candidates: Vec<(String, String)>,
    },
}

impl Recognition {
    pub fn screen(&self) -> Option<&str> {
        match &self.place {
            Place::Screen(name) => Some(name),
            Place::Unsure { .. } => None,
        }
    }
}

/// How many candidates are named.
const MOST_CANDIDATES: usize = 3;

/// Finds the screen that a scene shows. `status` is that of the document, if it is an error.
pub fn recognise(tree: &NavigationTree, scene: &Scene, status: Option<u16>) -> Recognition {
    let features = Features::of(scene);
    let shown = features
        .heading
        .clone()
        .filter(|heading| !heading.is_empty())
        .unwrap_or_else(|| if scene.title.is_empty() { scene.url.clone() } else { scene.title.clone() });
    let place = place_of(tree, scene, status, &features);
    Recognition { place, shown }
}

fn place_of(tree: &NavigationTree, scene: &Scene, status: Option<u16>, features: &Features) -> Place {
    let unsure = |why: String, candidates: Vec<(String, String)>| Place::Unsure { why, candidates };
    if let Some(status) = status.filter(|status| *status >= 400) {
        return unsure(format!("the server answered with status {status}"), near(tree, scene, features));
    }
    if scene.dialog.is_some() {
        return unsure("a dialog of the browser is open".to_string(), Vec::new());
    }
    let mut fitting: Vec<&Screen> =
        tree.screens.iter().filter(|screen| objections(screen, scene, features).is_empty()).collect();
    if let Some(wall) = wall_of(scene) {
        fitting.retain(|screen| is_about(tree, screen, &wall));
        if fitting.is_empty() {
            return unsure(
                format!("the page says \"{}\"", in_one_line(&wall.text)),
                near(tree, scene, features),
            );
        }
    }
    let best = fitting.iter().map(|screen| weight(tree, screen)).max();
    let mut closest = fitting.iter().filter(|screen| Some(weight(tree, screen)) == best);
    match (closest.next(), closest.next()) {
        (Some(only), None) => Place::Screen(only.name.clone()),
        (Some(_), Some(_)) => {
            let several = fitting.iter().map(|screen| (screen.name.clone(), "it fits as well".to_string()));
            unsure("several screens of the tree fit".to_string(), several.take(MOST_CANDIDATES).collect())
        }
        (None, _) => unsure("no screen of the tree fits".to_string(), near(tree, scene, features)),
    }
}

/// The screens whose address fits, or whose heading does, and what speaks against them.
fn near(tree: &NavigationTree, scene: &Scene, features: &Features) -> Vec<(String, String)> {
    let mut found: Vec<(usize, String, String)> = tree
        .screens
        .iter()
        .filter_map(|screen| {
            let at_address = screen.address.as_ref().is_some_and(|address| address.matches(&scene.url));
            let by_heading =
                screen.heading.as_deref().is_some_and(|heading| has_heading(heading, scene, features));
            if !at_address && !by_heading {
                return None;
            }
            let objections = objections(screen, scene, features);
            Some((objections.len(), screen.name.clone(), objections.join("; ")))
        })
        .collect();
    found.sort();
    found.into_iter().take(MOST_CANDIDATES).map(|(_, name, why)| (name, why)).collect()
}

/// The closest description wins: first by address, then what is open on another screen, then by what else it asks for.
fn weight(tree: &NavigationTree, screen: &Screen) -> (usize, bool, usize) {
    let base = screen.within.as_deref().and_then(|name| tree.screen(name));
    let is_part = base.is_some_and(|base| screen.address.is_none() || base.address == screen.address);
    let address = match &screen.address {
        // A menu that opens everywhere.
        None if is_part => usize::MAX,
        address => address.as_ref().map_or(0, assay_protocol::AddressPattern::fixed_letters),
    };
    let others = usize::from(screen.heading.is_some())
        + usize::from(screen.title.is_some())
        + 2 * screen.has.len()
        + screen.lacks.len();
    (address, is_part, others)
}

/// Whether a scene has all that a screen asks for.
pub(crate) fn shows(screen: &Screen, scene: &Scene) -> bool {
    objections(screen, scene, &Features::of(scene)).is_empty()
}

/// All that a scene lacks of a screen's description.
fn objections(screen: &Screen, scene: &Scene, features: &Features) -> Vec<String> {
    let mut found = Vec::new();
    if screen.address.is_none() && screen.heading.is_none() && screen.title.is_none() && screen.has.is_empty()
    {
        // Nothing says how it is recognised.
        return vec!["the tree does not say how it is recognised".to_string()];
    }
    if let Some(address) = screen.address.as_ref().filter(|address| !address.matches(&scene.url)) {
        found.push(format!("its address is {address}"));
    }
    if let Some(heading) = screen.heading.as_deref().filter(|heading| !has_heading(heading, scene, features))
    {
        found.push(match &features.heading {
            Some(other) => {
                format!("its heading is \"{heading}\", and the page says \"{}\"", in_one_line(other))
            }
            None => format!("its heading is \"{heading}\", and the page has none"),
        });
    }
    if let Some(title) = &screen.title
        && !fits_glob(&in_one_line(title), &in_one_line(&scene.title))
    {
        found.push(format!("its title is \"{title}\""));
    }
    found.extend(screen.has.iter().filter(|mark| !mark.holds_in(scene)).map(|mark| format!("it has {mark}")));
    found.extend(
        screen.lacks.iter().filter(|mark| mark.holds_in(scene)).map(|mark| format!("it has no {mark}")),
    );
    if features.has_password && !expects_password(screen, scene) {
        found.push("the page asks for a password".to_string());
    }
    if features.is_covered && open_dialog(scene).is_none() && !is_on_top(screen, scene, features) {
        found.push("something lies over the page".to_string());
    }
    if let Some(dialog) = open_dialog(scene)
        && !mentions_dialog(screen, &features.dialog)
    {
        let name = in_one_line(&dialog.name);
        found.push(if name.is_empty() {
            "a dialog is open".to_string()
        } else {
            format!("the dialog \"{name}\" is open")
        });
    }
    found
}

fn has_heading(wanted: &str, scene: &Scene, features: &Features) -> bool {
    let wanted = in_one_line(wanted).to_lowercase();
    let is_it = |heading: &str| fits_glob(&wanted, &in_one_line(heading).to_lowercase());
    // The first heading of a page may be of any level.
    if features.heading.as_deref().is_some_and(is_it) {
        return true;
    }
    let level =
        |node: &SceneNode| node.attribute("level").and_then(|level| level.parse::<u32>().ok()).unwrap_or(1);
    let spots = spots(scene);
    let headings = || {
        let all = scene.nodes.iter().zip(&spots).enumerate();
        all.filter(|(_, (node, _))| {
            node.role == "heading" && level(node) <= 3 && !node.name.trim().is_empty()
        })
    };
    let found = headings().filter(|(_, (node, _))| is_it(&node.name)).map(|(_, (node, _))| level(node)).min();
    // A higher heading of the content says what the page is, unless it names the site.
    found.is_some_and(|own| {
        headings().all(|(at, (node, spot))| {
            level(node) >= own
                || *spot == Spot::Chrome
                || node.is("covered")
                || names_the_site(at, scene, is_it)
        })
    })
}

/// Whether a heading names the site and not the page: it leads to the start, or the title has it beside the page's own
/// name.
fn names_the_site(at: usize, scene: &Scene, is_page: impl Fn(&str) -> bool) -> bool {
    let leads_home = |node: &SceneNode| {
        let target = node.attribute("href").map(crate::address::path_of);
        node.role == "link" && target.is_some_and(|path| matches!(path, "" | "/" | "#" | "." | "./"))
    };
    let around = scene.ancestors(at).any(|above| leads_home(&scene.nodes[above]));
    let inside = (at + 1..scene.nodes.len()).take_while(|below| scene.is_within(*below, at));
    if around || inside.into_iter().any(|below| leads_home(&scene.nodes[below])) {
        return true;
    }
    let parts = title_parts(&scene.title);
    let heading = in_one_line(&scene.nodes[at].name).to_lowercase();
    parts.len() > 1
        && parts.iter().any(|part| part.to_lowercase() == heading)
        && parts.iter().any(|part| is_page(part))
}

/// A login in the place of a screen is not that screen.
fn expects_password(screen: &Screen, scene: &Scene) -> bool {
    let texts = [Some(&screen.name), screen.heading.as_ref(), screen.title.as_ref()];
    texts.into_iter().flatten().any(|text| speaks_of_login(text))
        || screen.has.iter().any(|mark| mark.holds_for(scene, |node| node.is("secret")))
}

/// Whether a screen is what lies over the page.
fn is_on_top(screen: &Screen, scene: &Scene, features: &Features) -> bool {
    let is_headed = |heading: &String| {
        let shown = features.heading.as_deref().map(|shown| in_one_line(shown).to_lowercase());
        shown.is_some_and(|shown| fits_glob(&in_one_line(heading).to_lowercase(), &shown))
    };
    screen.heading.as_ref().is_some_and(is_headed)
        || mentions_dialog(screen, &features.dialog)
        || (screen.within.is_some()
            && screen.has.iter().any(|mark| mark.holds_for(scene, |node| !node.is("covered"))))
}

fn open_dialog(scene: &Scene) -> Option<&SceneNode> {
    let node = &scene.nodes[dialog_at(scene)?];
    (node.attribute("modal") == Some("true")).then_some(node)
}

fn mentions_dialog(screen: &Screen, name: &Option<String>) -> bool {
    let is_dialog = |role: &str| matches!(role, "dialog" | "alertdialog");
    screen.has.iter().any(|mark| mark.role.as_deref().is_some_and(is_dialog))
        || screen.heading.as_ref().zip(name.as_ref()).is_some_and(|(heading, name)| heading == name)
}

/// Whether a screen is itself about what a page says of its trouble.
fn is_about(tree: &NavigationTree, screen: &Screen, wall: &Wall) -> bool {
    let said = in_one_line(&wall.text).to_lowercase();
    // `Item` is not about the text `Item not found`.
    let is_said = |text: &String| {
        let is_wall = wall_said(text).is_some();
        let text = in_one_line(text).to_lowercase();
        is_wall && (fits_glob(&text, &said) || said.contains(&text))
    };
    let marks = screen.has.iter().filter_map(|mark| mark.name.as_ref());
    if screen.heading.iter().chain(screen.title.iter()).chain(marks).any(is_said) {
        return true;
    }
    let of_login = [Some(&screen.name), screen.heading.as_ref(), screen.title.as_ref()];
    let mut texts = of_login.into_iter().flatten();
    match wall.kind {
        WallKind::Nothing | WallKind::NoPermission => false,
        WallKind::SessionOver => texts.any(|text| speaks_of_login(text)),
        // The page that everybody sees first may ask to log in.
        WallKind::Login => {
            screen.when.as_deref() == Some(LOGGED_OUT)
                || tree.entry.contains(&screen.name)
                || texts.any(|text| speaks_of_login(text))
        }
        WallKind::Code => {
            const WORDS: &[&str] =
                &["code", "código", "verif", "factor", "2fa", "otp", "confirm", "bestätig", "pin"];
            texts.any(|text| {
                WORDS.iter().any(|word| text.to_lowercase().contains(word)) || speaks_of_login(text)
            })
        }
    }
}

/// All that speaks against a screen, whatever else fits.
pub fn contradictions(tree: &NavigationTree, name: &str, scene: &Scene, status: Option<u16>) -> Vec<String> {
    let Some(screen) = tree.screen(name) else { return Vec::new() };
    let mut found = Vec::new();
    if let Some(status) = status.filter(|status| *status >= 400) {
        found.push(format!("the server answered with status {status}"));
    }
    if let Some(wall) = wall_of(scene).filter(|wall| !is_about(tree, screen, wall)) {
        found.push(format!("the page says \"{}\"", in_one_line(&wall.text)));
    }
    found.extend(objections(screen, scene, &Features::of(scene)));
    found
}

#[cfg(test)]
mod tests {
    use assay_protocol::{AddressPattern, ElementCondition};

    use super::*;
    use crate::features::testing::scene;

    fn shop() -> NavigationTree {
        let screen = |name: &str, address: &str, heading: &str, has: &[&str]| Screen {
            name: name.to_string(),
            address: AddressPattern::parse(address).ok(),
            heading: (!heading.is_empty()).then(|| heading.to_string()),
            has: has.iter().filter_map(|text| ElementCondition::parse(text).ok()).collect(),
            ..Screen::default()
        };
        NavigationTree {
            screens: vec![
                screen("Home", "/", "Welcome", &[]),
                screen("Orders", "/orders", "Orders", &[]),
                screen("Old orders", "/archive", "Orders", &[]),
                screen("Order", "/orders/{id}", "Order *", &[]),
                screen("New order", "/orders/new", "", &[]),
                screen("Add line", "/orders/{id}", "", &["dialog \"Add a line\""]),
                screen("Log in", "/login", "Log in", &[]),
            ],
            entry: vec!["Home".to_string()],
            ..NavigationTree::default()
        }
    }

    #[track_caller]
    fn check(url: &str, title: &str, lines: &str, status: Option<u16>, expected: &str) {
        let found = recognise(&shop(), &scene(url, title, lines), status);
        let told = match found.place {
            Place::Screen(name) => name,
            Place::Unsure { why, candidates } => {
                let candidates: Vec<String> =
                    candidates.into_iter().map(|(name, why)| format!("{name}: {why}")).collect();
                format!("? {why} [{}]", candidates.join(", "))
            }
        };
        assert_eq!(told, expected);
    }

    #[test]
    fn a_screen_is_recognised_by_all_that_it_says() {
        check("http://a/orders", "", "h1 Orders", None, "Orders");
        check("http://a/archive", "", "h1 Orders", None, "Old orders");
        check("http://a/orders/17", "", "h1 Order 17", None, "Order");
        check("http://a/orders/new", "", "h1 New", None, "New order");
        check("http://a/orders/17", "", "h1 Order 17\ndialog Add a line\n button Add", None, "Add line");
        check("http://a/login", "", "h1 Log in\npassword", None, "Log in");
    }

    #[test]
    fn a_thing_that_is_not_there_is_no_screen_of_its_kind() {
        check(
            "http://a/orders",
            "",
            "h1 Orders\ntext Orders not found.",
            None,
            "? the page says \"Orders not found.\" [Orders: , Old orders: its address is /archive]",
        );
        let sorry =
            "? the page says \"Sorry, no such order.\" [Order: , Add line: it has dialog \"Add a line\"]";
        check("http://a/orders/9", "", "h1 Order 9\ntext Sorry, no such order.", None, sorry);
    }

    #[test]
    fn a_page_that_keeps_the_screen_back_is_not_the_screen() {
        for said in [
            "Your session has expired. Sign in with SSO",
            "Enter the 6-digit code we sent you",
            "You do not have permission to view this page.",
        ] {
            let expected =
                format!("? the page says \"{said}\" [Orders: , Old orders: its address is /archive]");
            check("http://a/orders", "", &format!("h1 Orders\ntext {said}"), None, &expected);
        }
        // The page for the login, and the one that everybody sees first, say so of themselves.
        check("http://a/login", "", "h1 Log in\ntext Please log in to continue.\npassword", None, "Log in");
        check("http://a/", "", "h1 Welcome\ntext Please log in to continue.", None, "Home");
    }

    #[test]
    fn a_higher_heading_says_what_the_page_is() {
        let other = "? no screen of the tree fits [Orders: its heading is \"Orders\", and the page says \"Checkout\"]";
        check("http://a/orders", "", "h1 Checkout\nh2 Orders", None, other);
        check("http://a/orders", "Orders - My shop", "h1 My shop\nh2 Orders", None, "Orders");
        check("http://a/orders", "", "h1 My shop\n link / My shop\nh2 Orders", None, "Orders");
        check("http://a/orders", "", "banner\n h1 My shop\nh2 Orders", None, "Orders");
    }

    #[test]
    fn what_only_looks_like_a_screen_is_not_taken_for_it() {
        check(
            "http://a/orders",
            "",
            "h1 Log in\npassword",
            None,
            "? no screen of the tree fits [Log in: its address is /login, \
             Orders: its heading is \"Orders\", and the page says \"Log in\"; the page asks for a password]",
        );
        check(
            "http://a/orders",
            "",
            "h1 Orders\npassword",
            None,
            "? no screen of the tree fits [Orders: the page asks for a password, \
             Old orders: its address is /archive; the page asks for a password]",
        );
        check(
            "http://a/orders/new",
            "",
            "h1 Page not found",
            None,
            "? the page says \"Page not found\" [New order: ]",
        );
        check(
            "http://a/orders",
            "",
            "h1 Orders",
            Some(500),
            "? the server answered with status 500 [Orders: , Old orders: its address is /archive]",
        );
        check(
            "http://a/orders",
            "",
            "h1 Orders\ndialog Session expired\n button Reload",
            None,
            "? no screen of the tree fits [Orders: the dialog \"Session expired\" is open, \
             Old orders: its address is /archive; the dialog \"Session expired\" is open]",
        );
    }
}
