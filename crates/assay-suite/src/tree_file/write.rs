//! The text of a tree, and of its parts.

use std::fmt::Display;

use assay_protocol::{Edge, NavigationTree, Screen};

use super::VERSION;

pub(super) fn whole(tree: &NavigationTree) -> String {
    let interface = if tree.interface.is_empty() { "the application" } else { &tree.interface };
    let mut text = format!(
        "# Screens of {interface}. Written by `assay explore`; yours to edit: comments and changes stay.\nnavigation: {VERSION}\n"
    );
    for (key, value) in head(tree) {
        text.push_str(&format!("{key}: {value}\n"));
    }
    text.push_str("screens:\n");
    for screen in &tree.screens {
        text.push_str(&self::screen(screen, 2));
    }
    text.push_str("edges:\n");
    for edge in &tree.edges {
        text.push_str(&self::edge(edge, 2));
    }
    text
}

/// The keys at the top that stand on one line, and their values.
pub(super) fn head(tree: &NavigationTree) -> Vec<(&'static str, String)> {
    let mut lines = Vec::new();
    if !tree.interface.is_empty() {
        lines.push(("interface", scalar(&tree.interface)));
    }
    lines.extend(tree.base_url.iter().map(|address| ("base_url", scalar(address))));
    if !tree.entry.is_empty() {
        lines.push(("entry", list(&tree.entry)));
    }
    lines
}

/// One screen, as a key with its mapping.
pub(super) fn screen(screen: &Screen, indent: usize) -> String {
    let margin = " ".repeat(indent);
    let fields = screen_fields(screen);
    if fields.is_empty() {
        return format!("{margin}{}: {{}}\n", scalar(&screen.name));
    }
    let mut text = format!("{margin}{}:\n", scalar(&screen.name));
    for (key, value) in fields {
        text.push_str(&format!("{margin}  {key}: {value}\n"));
    }
    text
}

/// One edge, as an item of a list.
pub(super) fn edge(edge: &Edge, indent: usize) -> String {
    let margin = " ".repeat(indent);
    let lines = edge_fields(edge).into_iter().enumerate().map(|(index, (key, value))| {
        let lead = if index == 0 { "- " } else { "  " };
        format!("{margin}{lead}{key}: {value}\n")
    });
    lines.collect()
}

/// What a screen says, in the order of the file; each value on one line.
pub(super) fn screen_fields(screen: &Screen) -> Vec<(&'static str, String)> {
    let mut fields = Vec::new();
    fields.extend(screen.address.iter().map(|address| ("address", scalar(address.as_str()))));
    let texts = [
        ("heading", &screen.heading),
        ("title", &screen.title),
        ("within", &screen.within),
        ("when", &screen.when),
    ];
    fields.extend(texts.into_iter().filter_map(|(key, value)| Some((key, scalar(value.as_ref()?)))));
    for (key, conditions) in [("has", &screen.has), ("lacks", &screen.lacks)] {
        if !conditions.is_empty() {
            fields.push((key, list(conditions)));
        }
    }
    if screen.protected {
        fields.push(("protected", "true".to_string()));
    }
    fields
}

pub(super) fn edge_fields(edge: &Edge) -> Vec<(&'static str, String)> {
    let mut fields = vec![("from", scalar(&edge.from)), ("to", scalar(&edge.to)), ("do", list(&edge.acts))];
    if !edge.back.is_empty() {
        fields.push(("back", list(&edge.back)));
    }
    fields
}

fn list<T: Display>(items: &[T]) -> String {
    // In a list on one line, commas and brackets part what is not quoted.
    let items = items.iter().map(|item| {
        let text = item.to_string();
        if text.contains([',', '[', ']', '{', '}']) { quoted(&text) } else { scalar(&text) }
    });
    format!("[{}]", items.collect::<Vec<_>>().join(", "))
}

/// Text as YAML writes it: bare where nothing else could be meant.
pub(super) fn scalar(text: &str) -> String {
    let is_plain = text.starts_with(|first: char| first.is_alphanumeric() || first == '/')
        && text.chars().all(|letter| !letter.is_control() && !"#:\"'`\\,[]&*!|>%@".contains(letter))
        && !text.ends_with(char::is_whitespace)
        && text.parse::<f64>().is_err()
        && !matches!(
            text.to_ascii_lowercase().as_str(),
            "true" | "false" | "yes" | "no" | "on" | "off" | "null" | "y" | "n" | "nan" | "inf"
        );
    // An address is read whole: its colon has no blank behind it.
    let is_address = text.starts_with("http")
        && !text.contains(|letter: char| letter.is_whitespace() || "#'\",[]{}".contains(letter));
    if is_plain || is_address { text.to_string() } else { quoted(text) }
}

fn quoted(text: &str) -> String {
    if text.chars().any(char::is_control) {
        return serde_json::Value::String(text.to_string()).to_string();
    }
    format!("'{}'", text.replace('\'', "''"))
}
