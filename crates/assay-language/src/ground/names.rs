//! The many names of an element: those that people know it by and those that programs use.

use super::view::View;
use super::words::fold;

/// The texts that people know an element by, with their weight.
pub(super) fn names(view: &View, at: usize) -> Vec<(String, f64, &'static str)> {
    let node = view.node(at);
    let mut names = Vec::new();
    let mut push = |text: Option<&str>, weight: f64, what: &'static str| {
        if let Some(text) = text.filter(|text| !text.trim().is_empty()) {
            names.push((text.to_string(), weight, what));
        }
    };
    push(Some(&node.name), 1.0, "name");
    push(node.attribute("label"), 0.98, "label");
    push(node.attribute("placeholder"), 0.93, "placeholder");
    push(node.attribute("title"), 0.93, "title");
    push(node.attribute("alt"), 0.93, "alternative text");
    if !view.is_editable(at) {
        push(Some(view.text(at)), 0.97, "text");
    }
    if view.has_children(at)
        && let Some(heading) = view.heading_of(at)
    {
        push(Some(view.text(heading)), 0.95, "heading");
    }
    if matches!(node.role.as_str(), "table" | "grid" | "list")
        && let Some(heading) = heading_before(view, at)
    {
        push(Some(view.text(heading)), 0.93, "heading");
    }
    // A list that is named by what is chosen in it has no other name of its own.
    let names_its_choice = node.role == "combobox" && fold(&node.name) == fold(view.text(at));
    if (view.is_editable(at) || is_checkable(view, at))
        && (node.name.is_empty() || names_its_choice)
        && let Some(before) = view.text_before(at)
    {
        push(Some(&before), 0.9, "text before it");
    }
    if is_checkable(view, at)
        && node.name.is_empty()
        && let Some(after) = text_after(view, at)
    {
        push(Some(&after), 0.88, "text after it");
    }
    names
}

/// The heading right before a table or a list, with no more than a few words of text between them.
pub(crate) fn heading_before(view: &View, at: usize) -> Option<usize> {
    let siblings = view.siblings(at);
    let place = siblings.iter().position(|other| *other == at)?;
    siblings[..place]
        .iter()
        .rev()
        .take_while(|before| matches!(view.node(**before).role.as_str(), "heading" | "paragraph" | "text"))
        .find(|before| view.node(**before).role == "heading")
        .copied()
}

/// The names that programs use for it.
pub(super) fn identifiers(view: &View, at: usize) -> Vec<(String, f64, &'static str)> {
    let node = view.node(at);
    // The count of a badge is no name: "3+" beside a bell.
    let nameless = !node.name.chars().any(char::is_alphabetic);
    let mut names = Vec::new();
    let mut push = |text: Option<&str>, weight: f64, what: &'static str| {
        if let Some(text) = text.filter(|text| !text.is_empty()) {
            names.push((text.to_string(), weight, what));
        }
    };
    push(node.attribute("testid"), if nameless { 0.92 } else { 0.86 }, "test id");
    push(node.attribute("id"), if nameless { 0.88 } else { 0.8 }, "id");
    push(node.attribute("name"), if nameless { 0.88 } else { 0.8 }, "name attribute");
    push(node.attribute("icon"), 0.9, "icon");
    push(node.attribute("autocomplete"), if nameless { 0.8 } else { 0.72 }, "autocomplete");
    let pictured = view.is_control(at) && !view.is_editable(at) && view.text(at).is_empty();
    let class_weight = match (nameless, pictured) {
        (true, _) => 0.8,
        (false, true) => 0.75,
        _ if view.has_children(at) && !view.is_control(at) => 0.8,
        _ => 0.58,
    };
    push(node.attribute("class"), class_weight, "class");
    if nameless {
        push(node.attribute("src"), 0.65, "picture");
    }
    if let Some(href) = node.attribute("href") {
        let path = href.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
        let last = path.rsplit('/').next().unwrap_or_default();
        push(last.split('.').next(), if nameless { 0.75 } else { 0.6 }, "address");
    }
    if nameless && view.is_control(at) && !view.is_editable(at) {
        for inner in view.inside(at) {
            let inner = view.node(inner);
            for name in ["alt", "title", "class", "src"] {
                names.extend(inner.attribute(name).map(|text| (text.to_string(), 0.78, "icon")));
            }
            names.extend(inner.attribute("icon").map(|text| (text.to_string(), 0.9, "icon")));
            if inner.role == "image" && !inner.name.is_empty() {
                names.push((inner.name.clone(), 0.9, "icon"));
            }
        }
    }
    names
}

pub(super) fn is_checkable(view: &View, at: usize) -> bool {
    matches!(view.node(at).role.as_str(), "checkbox" | "radio" | "switch")
}

fn text_after(view: &View, at: usize) -> Option<String> {
    let siblings = view.siblings(at);
    let place = siblings.iter().position(|other| *other == at)?;
    let next = *siblings.get(place + 1)?;
    (view.node(next).role == "text").then(|| view.text(next).to_string())
}
