//! The navigation of a page, asked for the way to what a subtask speaks of.

use assay_language::name_commits;
use assay_protocol::{Scene, SceneNode};

/// Words of a sentence that say nothing of where its matter is.
const EMPTY: &[&str] = &[
    "a", "an", "the", "to", "of", "in", "on", "for", "from", "with", "and", "or", "at", "by", "into", "my",
    "your", "our", "is", "are", "be", "it", "its", "all", "any", "new", "page", "screen", "please", "click",
    "press", "open", "go", "fill", "type", "enter", "select", "choose", "check", "uncheck", "set", "change",
    "find", "show", "see", "add", "delete", "remove", "create", "edit", "make", "that", "this",
];

/// Where an element leads somewhere else, or shows more of the navigation.
const LEADING: &[&str] = &["link", "tab", "menuitem", "treeitem"];

/// What the navigation offers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ways {
    /// One element, by its role and name.
    One {
        role: String,
        name: String,
    },
    /// Several that fit as well as each other, by their names.
    Several(Vec<String>),
    None,
}

/// The element that leads to what the words speak of, among those that were not tried. Elements that commit something
/// are no way: nobody asked for what they do.
pub fn way(scene: &Scene, words: &str, tried: &[String]) -> Ways {
    let wanted = content(words);
    let mut best: Vec<(usize, &SceneNode)> = Vec::new();
    for node in &scene.nodes {
        let score = if leads(node) && !tried.contains(&node.name) { fit(&node.name, &wanted) } else { 0 };
        match best.first().map_or(1, |(most, _)| *most) {
            most if score > most || (score == most && best.is_empty()) => best = vec![(score, node)],
            most if score == most => best.push((score, node)),
            _ => {}
        }
    }
    best.dedup_by(|one, other| one.1.name == other.1.name && one.1.role == other.1.role);
    let mut names: Vec<String> = best.iter().map(|(_, node)| node.name.clone()).collect();
    names.sort();
    names.dedup();
    match (best.first(), names.len()) {
        (Some((_, node)), 1) => Ways::One { role: node.role.clone(), name: node.name.clone() },
        (Some(_), _) => Ways::Several(names),
        (None, _) => Ways::None,
    }
}

fn leads(node: &SceneNode) -> bool {
    let opens = node.role == "button" && node.is("collapsed");
    (LEADING.contains(&node.role.as_str()) || opens)
        && node.reference.is_some()
        && !node.is("disabled")
        && !node.name.trim().is_empty()
        && !name_commits(&node.name)
}

/// How many words of the name the sentence speaks of, if it speaks of all of them. A longer name says more.
fn fit(name: &str, wanted: &[String]) -> usize {
    let words = content(name);
    let spoken = words.iter().filter(|word| wanted.contains(word)).count();
    if spoken == words.len() { spoken } else { 0 }
}

/// The words that matter, in small letters and without the ending of a plural.
fn content(text: &str) -> Vec<String> {
    text.split(|letter: char| !letter.is_alphanumeric())
        .map(str::to_lowercase)
        .filter(|word| !word.is_empty() && !EMPTY.contains(&word.as_str()))
        .map(|word| match word.strip_suffix("ies") {
            Some(stem) if stem.len() > 2 => format!("{stem}y"),
            _ => match word.strip_suffix('s') {
                Some(stem) if stem.len() > 2 && !stem.ends_with('s') => stem.to_string(),
                _ => word,
            },
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(elements: &[(&str, &str)]) -> Scene {
        let node = |(at, (role, name)): (usize, &(&str, &str))| SceneNode {
            reference: Some(format!("e{at}")),
            role: (*role).to_string(),
            name: (*name).to_string(),
            ..SceneNode::default()
        };
        Scene { nodes: elements.iter().enumerate().map(node).collect(), ..Scene::default() }
    }

    fn one(role: &str, name: &str) -> Ways {
        Ways::One { role: role.to_string(), name: name.to_string() }
    }

    #[test]
    fn the_link_of_which_the_sentence_speaks_is_the_way() {
        let page = page(&[
            ("link", "Invoices"),
            ("link", "Invoice history"),
            ("link", "Account"),
            ("button", "Lamp"),
        ]);
        assert_eq!(
            way(&page, "Print the invoice from the invoice history", &[]),
            one("link", "Invoice history")
        );
        assert_eq!(way(&page, "Change the account name", &[]), one("link", "Account"));
        assert_eq!(way(&page, "Buy a lamp", &[]), Ways::None);
    }

    #[test]
    fn a_way_that_was_tried_is_not_taken_again() {
        let page = page(&[("link", "Invoices"), ("link", "Invoice history")]);
        let tried = ["Invoice history".to_string()];
        assert_eq!(way(&page, "Find the invoice in the invoice history", &tried), one("link", "Invoices"));
    }

    #[test]
    fn ways_that_fit_alike_are_a_question() {
        let page = page(&[("link", "Lamps"), ("link", "Desks")]);
        let names = vec!["Desks".to_string(), "Lamps".to_string()];
        assert_eq!(way(&page, "Order a lamp and a desk", &[]), Ways::Several(names));
    }

    #[test]
    fn what_commits_something_is_no_way() {
        let page = page(&[("link", "Delete account"), ("link", "Log out")]);
        assert_eq!(way(&page, "Delete the account and log out", &[]), Ways::None);
    }
}
