//! Where one is: the screen of a tree that a scene shows, and only if nothing speaks against it.

use assay_protocol::{NavigationTree, Scene, SceneNode, Screen, fits_glob, in_one_line};

use crate::features::{Features, dialog_at};
use crate::wall::{says_trouble, speaks_of_login, trouble_of};

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
    if let Some(trouble) = trouble_of(scene) {
        // A screen that is itself about such a text says so.
        fitting.retain(|screen| says(screen, &trouble));
        if fitting.is_empty() {
            return unsure(
                format!("the page says \"{}\"", in_one_line(&trouble)),
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
    let is_high = |node: &SceneNode| matches!(node.attribute("level"), Some("1" | "2" | "3") | None);
    scene.nodes.iter().filter(|node| node.role == "heading" && is_high(node)).any(|node| is_it(&node.name))
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

fn says(screen: &Screen, trouble: &str) -> bool {
    let trouble = in_one_line(trouble).to_lowercase();
    // `Item` is not about the text `Item not found`.
    let is_said = |text: &String| {
        let about_trouble = says_trouble(text);
        let text = in_one_line(text).to_lowercase();
        about_trouble && (fits_glob(&text, &trouble) || trouble.contains(&text))
    };
    let marks = screen.has.iter().filter_map(|mark| mark.name.as_ref());
    screen.heading.iter().chain(screen.title.iter()).chain(marks).any(is_said)
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
