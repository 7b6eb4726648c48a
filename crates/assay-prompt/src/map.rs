//! A page for a model: its elements with their refs and its texts, within a hard number of tokens.

use std::collections::BTreeSet;

use assay_protocol::{Scene, SceneNode};

use crate::fence::{fenced, harmless, shortened};

/// A longer name is cut: it says no more about the element.
const LONGEST_NAME: usize = 160;
const MOST_OPTIONS: usize = 30;

/// The page in at most `tokens` tokens. What matters least is left out first, and it is said how much.
pub fn page_map(scene: &Scene, wanted: &BTreeSet<&str>, tokens: usize) -> String {
    let mut head =
        vec![format!("address: {}", harmless(&scene.url)), format!("title: {}", harmless(&scene.title))];
    if let Some(dialog) = &scene.dialog {
        head.push(format!(
            "a dialog of the browser is open ({}): {}",
            harmless(&dialog.kind),
            harmless(&dialog.message)
        ));
    }
    if scene.tabs.len() > 1 {
        for tab in &scene.tabs {
            let current = if tab.current { " (this one)" } else { "" };
            head.push(format!("tab {}: {}{current}", harmless(&tab.tab), harmless(&tab.title)));
        }
    }
    let mut lines: Vec<Line> = (0..scene.nodes.len()).filter_map(|at| Line::of(scene, at, wanted)).collect();
    let mut spent: usize = head.iter().map(|line| assay_tokens::count(line) + 1).sum();
    let mut order: Vec<usize> = (0..lines.len()).collect();
    order.sort_by_key(|at| (lines[*at].rank, *at));
    let mut left_out = 0;
    for at in order {
        let cost = assay_tokens::count(&lines[at].text) + 1;
        if spent + cost > tokens {
            lines[at].text.clear();
            left_out += 1;
        } else {
            spent += cost;
        }
    }
    let mut text = head.join("\n");
    for line in lines.iter().filter(|line| !line.text.is_empty()) {
        text.push('\n');
        text.push_str(&line.text);
    }
    if left_out > 0 || scene.truncated {
        text.push_str(&format!("\n({left_out} more lines are left out, and the page may show more)"));
    }
    fenced("as it is now", &text)
}

struct Line {
    text: String,
    /// What is left out last has the smallest.
    rank: u8,
}

impl Line {
    fn of(scene: &Scene, at: usize, wanted: &BTreeSet<&str>) -> Option<Line> {
        let node = &scene.nodes[at];
        if node.role == "text" {
            let around = node.parent.map(|parent| &scene.nodes[parent]);
            let is_told = around.is_some_and(|around| {
                (around.reference.is_some() || around.role == "heading")
                    && around.name.contains(node.name.trim())
            });
            let text = shortened(&harmless(&node.name), LONGEST_NAME);
            let rank = if node.is("offscreen") { 5 } else { 3 };
            return (!is_told && !text.is_empty()).then(|| Line { text: format!("- {text}"), rank });
        }
        let name = shortened(&harmless(&node.name), LONGEST_NAME);
        let Some(reference) = &node.reference else {
            let says =
                matches!(node.role.as_str(), "heading" | "dialog" | "alertdialog" | "alert" | "status");
            return (says && !name.is_empty())
                .then(|| Line { text: format!("- {} \"{name}\"", node.role), rank: 1 });
        };
        let rank = match () {
            () if wanted.contains(reference.as_str()) => 0,
            () if node.is("offscreen") => 4,
            () => 2,
        };
        Some(Line { text: line_of(reference, node, &name), rank })
    }
}

/// One element as the page lists it.
pub fn element_line(node: &SceneNode) -> String {
    line_of(node.reference.as_deref().unwrap_or_default(), node, &harmless(&node.name))
}

fn line_of(reference: &str, node: &SceneNode, name: &str) -> String {
    let mut line = format!("{reference} {}", node.role);
    if !name.is_empty() {
        line.push_str(&format!(" \"{name}\""));
    }
    for key in ["placeholder", "title", "alt"] {
        if let Some(said) = node.attribute(key).map(harmless).filter(|said| !said.is_empty() && said != name)
        {
            line.push_str(&format!(" {key}=\"{}\"", shortened(&said, LONGEST_NAME)));
        }
    }
    if let Some(value) = node.value.as_deref().filter(|value| !value.is_empty()) {
        line.push_str(&format!(" holds \"{}\"", shortened(&harmless(value), LONGEST_NAME)));
    }
    let states: Vec<&str> =
        node.states.iter().map(String::as_str).filter(|state| *state != "clickable").collect();
    if !states.is_empty() {
        line.push_str(&format!(" ({})", states.join(", ")));
    }
    if !node.options.is_empty() {
        let options: Vec<String> = node
            .options
            .iter()
            .take(MOST_OPTIONS)
            .map(|option| format!("\"{}\"", shortened(&harmless(option), LONGEST_NAME)))
            .collect();
        let more = if node.options.len() > MOST_OPTIONS { ", …" } else { "" };
        line.push_str(&format!(" options: {}{more}", options.join(", ")));
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(reference: &str, role: &str, name: &str) -> SceneNode {
        SceneNode {
            reference: (!reference.is_empty()).then(|| reference.to_string()),
            role: role.to_string(),
            name: name.to_string(),
            ..SceneNode::default()
        }
    }

    fn scene() -> Scene {
        let mut list = node("e3", "combobox", "Size");
        list.options = vec!["S".to_string(), "M".to_string()];
        let mut far = node("e4", "link", "Imprint");
        far.states = vec!["offscreen".to_string()];
        let nodes = vec![
            node("", "heading", "Shop"),
            node("e1", "button", "Add ⟦x⟧"),
            node("", "text", "Lamp"),
            list,
            far,
        ];
        Scene { url: "http://shop.test/".to_string(), title: "Shop".to_string(), nodes, ..Scene::default() }
    }

    #[test]
    fn elements_have_refs_and_texts_have_none() {
        assert_eq!(
            page_map(&scene(), &BTreeSet::new(), 1000),
            "⟦page as it is now⟧\naddress: http://shop.test/\ntitle: Shop\n- heading \"Shop\"\ne1 button \"Add [x]\"\n\
             - Lamp\ne3 combobox \"Size\" options: \"S\", \"M\"\ne4 link \"Imprint\" (offscreen)\n⟦end of page⟧"
        );
    }

    #[test]
    fn what_matters_least_is_left_out_first() {
        let short = page_map(&scene(), &BTreeSet::from(["e4"]), 40);
        assert!(short.contains("e4 link") && !short.contains("Lamp"), "{short}");
        assert!(short.contains("left out"), "{short}");
        assert!(assay_tokens::count(&short) < 80);
    }
}
