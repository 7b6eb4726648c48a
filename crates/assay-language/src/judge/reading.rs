//! Reads the content of a control, however it is drawn: a value, a text inside it, a number for assistive technology.

use crate::ground::view::View;

/// What is read in it. None when nothing could be read although something may well be shown: an empty reading of what
/// is not empty would make every denial true.
pub(crate) fn reading(view: &View, at: usize) -> Option<String> {
    let node = view.node(at);
    if let Some(value) = node.value.as_ref().filter(|value| !value.is_empty()) {
        return Some(value.clone());
    }
    let text = view.text_in_sight(at);
    let shown: Vec<&str> = view
        .inside(at)
        .filter(|inner| matches!(view.node(*inner).role.as_str(), "text" | "image"))
        .map(|inner| view.node(inner).name.as_str())
        .collect();
    if !text.trim().is_empty() {
        return Some(text);
    }
    // A value that is given and empty is empty; so is a cell with nothing in it.
    let is_given = node.value.is_some() && !view.has_children(at);
    let is_bare = !view.has_children(at) && matches!(node.role.as_str(), "cell" | "gridcell" | "rowheader");
    if is_given || is_bare {
        return Some(String::new());
    }
    let named: Vec<&str> = shown.into_iter().filter(|name| !name.trim().is_empty()).collect();
    if let [only] = named.as_slice() { Some((*only).to_string()) } else { None }
}

/// A place without any text that holds something all the same: a chart, a picture, a bar. A list without entries is
/// empty, and that can be seen.
pub(crate) fn is_only_drawn(view: &View, at: usize) -> bool {
    let node = view.node(at);
    let lists = matches!(node.role.as_str(), "list" | "table" | "grid" | "listbox" | "feed" | "tree" | "log");
    view.text(at).trim().is_empty() && !lists && node.role != "text"
}
