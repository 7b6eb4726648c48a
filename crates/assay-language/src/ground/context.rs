//! The words around an element: its own, those of its containers, those of the page.

use super::view::View;
use super::words::{identifier_words, words_of};

pub(super) fn own_words(view: &View, at: usize) -> Vec<String> {
    let node = view.node(at);
    let mut words = words_of(&node.name);
    for name in ["class", "id", "testid", "name"] {
        words.extend(node.attribute(name).map(identifier_words).unwrap_or_default());
    }
    words
}

/// The words of a node's surroundings: its row, its group, the section with its heading.
pub(super) fn context_words(view: &View, at: usize) -> Vec<String> {
    let mut words = Vec::new();
    if let Some(entry) = view.entry_of(at).filter(|entry| *entry != at) {
        words.extend(words_of(view.text(entry)));
    }
    for around in view.scene.ancestors(at) {
        let node = view.node(around);
        words.extend(words_of(&node.name));
        for name in ["id", "class", "testid", "label"] {
            words.extend(node.attribute(name).map(identifier_words).unwrap_or_default());
        }
        match node.role.as_str() {
            "form" => words.push("form".to_string()),
            "dialog" | "alertdialog" => words.push("dialog".to_string()),
            "navigation" => words.push("navigation".to_string()),
            "banner" => words.push("header".to_string()),
            "contentinfo" => words.push("footer".to_string()),
            _ => {}
        }
        if !matches!(node.role.as_str(), "main" | "document")
            && let Some(heading) = view.heading_of(around)
            && heading < at
        {
            words.extend(words_of(view.text(heading)));
        }
    }
    words
}

/// The words of the list or table that an entry belongs to.
pub(super) fn list_words(view: &View, at: usize) -> Vec<String> {
    let mut words = Vec::new();
    for around in view.scene.ancestors(at).take(3) {
        let node = view.node(around);
        words.extend(words_of(&node.name));
        for name in ["id", "class", "testid"] {
            words.extend(node.attribute(name).map(identifier_words).unwrap_or_default());
        }
        if let Some(heading) = view.heading_of(around).filter(|heading| *heading < at) {
            words.extend(words_of(view.text(heading)));
        }
    }
    words
}

/// The words of the page as a whole.
pub(super) fn page_words(view: &View) -> Vec<String> {
    let mut words = words_of(&view.scene.title);
    let path = view.scene.url.split(['?', '#']).next().unwrap_or_default();
    words.extend(path.splitn(4, '/').nth(3).map(identifier_words).unwrap_or_default());
    if let Some(heading) = view.all().find(|at| view.node(*at).role == "heading") {
        words.extend(words_of(view.text(heading)));
    }
    words
}
