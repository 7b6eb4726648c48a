//! Screens by the names that people give them.

use assay_protocol::{FactKind, LearnedFact, NavigationTree, Screen};

/// Why a name means no screen, or several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoScreen {
    Unknown { nearest: Vec<String> },
    Several { candidates: Vec<String> },
}

/// How alike two names must be for one to be mentioned for the other.
const NEAR: f64 = 0.72;
const MOST_NEAREST: usize = 3;

/// The screen that a name means: its own, or one that was learned for it. Case, blanks and words such as `the … page` do
/// not count.
pub fn screen_called<'t>(
    tree: &'t NavigationTree,
    name: &str,
    facts: &[LearnedFact],
) -> Result<&'t Screen, NoScreen> {
    if let Some(screen) = tree.screen(name.trim()) {
        return Ok(screen);
    }
    let wanted = folded(name);
    let mut found: Vec<&Screen> =
        tree.screens.iter().filter(|screen| folded(&screen.name) == wanted).collect();
    if found.is_empty() {
        let labels =
            facts.iter().filter(|fact| fact.kind == FactKind::Label && folded(&fact.value) == wanted);
        for fact in labels {
            let known = tree
                .screen(&fact.subject)
                .filter(|screen| found.iter().all(|other| other.name != screen.name));
            found.extend(known);
        }
    }
    if found.is_empty() {
        // Headings are what people see, if they do not know the tree.
        let by_heading =
            |screen: &&Screen| screen.heading.as_deref().is_some_and(|heading| folded(heading) == wanted);
        found = tree.screens.iter().filter(by_heading).collect();
    }
    if found.is_empty() {
        // `Edit item` is the screen that an address calls `Item edit`.
        let same_words = |screen: &&Screen| in_order(&folded(&screen.name)) == in_order(&wanted);
        found = tree.screens.iter().filter(same_words).collect();
    }
    match found.as_slice() {
        [only] => Ok(only),
        [] => Err(NoScreen::Unknown { nearest: nearest(tree, &wanted, facts) }),
        several => {
            Err(NoScreen::Several { candidates: several.iter().map(|screen| screen.name.clone()).collect() })
        }
    }
}

/// A screen that shows one thing of many, and the thing: `Item Green crate`, `Order 17`. What follows the name of the
/// screen must look like a name: a number, a capital letter, quotes.
pub fn thing_called<'t>(
    tree: &'t NavigationTree,
    name: &str,
    facts: &[LearnedFact],
) -> Option<(&'t Screen, String)> {
    let name = name.trim();
    let name = [" page", " screen"].iter().find_map(|noun| name.strip_suffix(noun)).unwrap_or(name);
    let shows_many = |screen: &&Screen| screen.address.as_ref().is_some_and(|address| !address.is_literal());
    let mut found: Vec<(usize, &Screen, String)> = Vec::new();
    for screen in tree.screens.iter().filter(shows_many) {
        let labels = facts.iter().filter(|fact| fact.subject == screen.name && fact.kind == FactKind::Label);
        let names = labels.map(|fact| fact.value.as_str()).chain([screen.name.as_str()]);
        let longest = names.filter_map(|known| Some((folded(known).len(), after_name(name, known)?))).max();
        found.extend(longest.map(|(length, thing)| (length, screen, thing)));
    }
    let most = found.iter().map(|(length, ..)| *length).max()?;
    found.retain(|(length, ..)| *length == most);
    match found.as_slice() {
        [(_, screen, thing)] => Some((screen, thing.clone())),
        _ => None,
    }
}

/// What follows the name of a screen, if it looks like the name of a thing.
fn after_name(text: &str, name: &str) -> Option<String> {
    let wanted = folded(name);
    let starts = text.match_indices(char::is_whitespace).map(|(at, _)| at);
    let (_, thing) = starts.map(|at| text.split_at(at)).find(|(before, _)| folded(before) == wanted)?;
    let thing = thing.trim();
    let bare = thing.trim_matches(['"', '\'', '\u{201c}', '\u{201d}', '#']).trim();
    let looks_like_name = bare != thing || bare.starts_with(|first: char| !first.is_lowercase());
    (looks_like_name && !bare.is_empty()).then(|| bare.to_string())
}

fn in_order(name: &str) -> Vec<&str> {
    let mut words: Vec<&str> = name.split(' ').collect();
    words.sort_unstable();
    words
}

fn nearest(tree: &NavigationTree, wanted: &str, facts: &[LearnedFact]) -> Vec<String> {
    let likeness = |name: &str| {
        let name = folded(name);
        let words = |text: &str| -> Vec<String> { text.split(' ').map(str::to_string).collect() };
        let shares_word = words(&name).iter().any(|word| word.len() > 3 && words(wanted).contains(word));
        strsim::jaro_winkler(&name, wanted).max(if shares_word { 0.8 } else { 0.0 })
    };
    let mut scored: Vec<(f64, &str)> = tree
        .screens
        .iter()
        .map(|screen| {
            let labels =
                facts.iter().filter(|fact| fact.subject == screen.name && fact.kind == FactKind::Label);
            let best = labels.map(|fact| likeness(&fact.value)).fold(likeness(&screen.name), f64::max);
            (best, screen.name.as_str())
        })
        .filter(|(score, _)| *score >= NEAR)
        .collect();
    scored.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(other.1)));
    scored.into_iter().take(MOST_NEAREST).map(|(_, name)| name.to_string()).collect()
}

fn folded(name: &str) -> String {
    let words: String = name
        .to_lowercase()
        .chars()
        .map(|letter| if letter.is_alphanumeric() { letter } else { ' ' })
        .collect();
    let mut words: Vec<&str> = words.split_whitespace().collect();
    if words.len() > 1 && matches!(words[0], "the" | "a" | "my") {
        words.remove(0);
    }
    if words.len() > 1
        && words.last().is_some_and(|last| matches!(*last, "page" | "screen" | "view" | "dialog" | "tab"))
    {
        words.pop();
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use assay_protocol::AddressPattern;

    use super::*;

    #[test]
    fn one_of_many_things_is_named_after_its_screen() {
        let screen = |name: &str, address: &str| Screen {
            name: name.to_string(),
            address: AddressPattern::parse(address).ok(),
            ..Screen::default()
        };
        let tree = NavigationTree {
            screens: vec![
                screen("Item", "/items/{id}"),
                screen("Item edit", "/items/{id}/edit"),
                screen("Items", "/items"),
                screen("Orders", "/orders"),
            ],
            ..NavigationTree::default()
        };
        let called = |name: &str| {
            thing_called(&tree, name, &[]).map(|(screen, thing)| format!("{}: {thing}", screen.name))
        };
        assert_eq!(called("Item Green crate").as_deref(), Some("Item: Green crate"));
        assert_eq!(called("the item \"green crate\" page").as_deref(), Some("Item: green crate"));
        assert_eq!(called("Item edit 17").as_deref(), Some("Item edit: 17"));
        for other in ["item history", "Items Green", "Orders 17", "Item"] {
            assert_eq!(called(other), None, "{other}");
        }
        assert_eq!(screen_called(&tree, "Edit item", &[]).map(|found| found.name.as_str()), Ok("Item edit"));
    }

    #[test]
    fn names_are_found_as_people_say_them() {
        let screen = |name: &str| Screen { name: name.to_string(), ..Screen::default() };
        let tree = NavigationTree {
            screens: vec![screen("Order history"), screen("Orders"), screen("Billing settings")],
            ..NavigationTree::default()
        };
        let fact = LearnedFact {
            subject: "Billing settings".to_string(),
            value: "Invoices".to_string(),
            ..LearnedFact::default()
        };
        let facts = [fact];
        let called = |name: &str| screen_called(&tree, name, &facts).map(|screen| screen.name.as_str());
        assert_eq!(called("the order history page"), Ok("Order history"));
        assert_eq!(called("invoices"), Ok("Billing settings"));
        let nearest = vec!["Order history".to_string(), "Orders".to_string()];
        assert_eq!(called("Ordr history"), Err(NoScreen::Unknown { nearest }));
        assert_eq!(called("Zebra"), Err(NoScreen::Unknown { nearest: Vec::new() }));
    }
}
