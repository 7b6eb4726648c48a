//! A page for a model: its elements with their refs and its texts, within a hard number of tokens.

use std::collections::{BTreeSet, HashSet};

use assay_protocol::{Scene, SceneNode};

use crate::fence::{fenced, harmless, shortened};

/// A longer name is cut: it says no more about the element.
const LONGEST_NAME: usize = 160;
const MOST_OPTIONS: usize = 30;
/// About what the line above the elements of a row costs.
const ENTRY_TOKENS: usize = 4;

/// The page in at most `tokens` tokens. What matters least is left out first, and it is said how much.
pub fn page_map(scene: &Scene, wanted: &BTreeSet<&str>, tokens: usize) -> String {
    let lines = (0..scene.nodes.len()).filter_map(|at| Line::of(scene, at, wanted)).collect();
    fenced("as it is now", &within(scene, head_of(scene), lines, tokens))
}

/// What the page shows that an earlier look did not. None if there is nothing new.
pub fn page_changes(scene: &Scene, before: &Scene, tokens: usize) -> Option<String> {
    let known: HashSet<NodeKey<'_>> = before.nodes.iter().map(key_of).collect();
    let nobody = BTreeSet::new();
    let lines: Vec<Line> = (0..scene.nodes.len())
        .filter(|at| !known.contains(&key_of(&scene.nodes[*at])))
        .filter_map(|at| Line::of(scene, at, &nobody))
        .collect();
    let is_elsewhere = (&scene.url, &scene.title) != (&before.url, &before.title);
    let head = if is_elsewhere || scene.dialog != before.dialog { head_of(scene) } else { Vec::new() };
    if lines.is_empty() && head.is_empty() {
        return None;
    }
    Some(fenced("what is new", &within(scene, head, lines, tokens)))
}

type NodeKey<'s> = (Option<&'s str>, &'s str, &'s str, Option<&'s str>, &'s [String]);

fn key_of(node: &SceneNode) -> NodeKey<'_> {
    (node.reference.as_deref(), &node.role, &node.name, node.value.as_deref(), &node.states)
}

fn head_of(scene: &Scene) -> Vec<String> {
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
    head
}

/// The lines that fit, under the entries of lists and tables to which they belong.
fn within(scene: &Scene, head: Vec<String>, mut lines: Vec<Line>, tokens: usize) -> String {
    let mut spent: usize = head.iter().map(|line| assay_tokens::count(line) + 1).sum();
    let mut order: Vec<usize> = (0..lines.len()).collect();
    order.sort_by_key(|at| (lines[*at].rank, *at));
    let mut entries: BTreeSet<usize> = BTreeSet::new();
    let mut left_out = 0;
    for at in order {
        let is_first = lines[at].entry.is_some_and(|entry| !entries.contains(&entry));
        let cost = assay_tokens::count(&lines[at].text) + 1 + if is_first { ENTRY_TOKENS } else { 0 };
        if spent + cost > tokens {
            lines[at].text.clear();
            left_out += 1;
        } else {
            spent += cost;
            entries.extend(lines[at].entry);
        }
    }
    let mut text = head;
    let mut current = None;
    for line in lines.into_iter().filter(|line| !line.text.is_empty()) {
        if line.entry != current {
            current = line.entry;
            text.extend(
                current.map(|entry| format!("{} {}:", scene.nodes[entry].role, scene.ordinal_of(entry))),
            );
        }
        text.push(if current.is_some() { format!("  {}", line.text) } else { line.text });
    }
    if left_out > 0 || scene.truncated {
        text.push(format!("({left_out} more lines are left out, and the page may show more)"));
    }
    text.join("\n")
}

struct Line {
    text: String,
    /// What is left out last has the smallest.
    rank: u8,
    /// The row, list item or card to which it belongs.
    entry: Option<usize>,
}

impl Line {
    fn of(scene: &Scene, at: usize, wanted: &BTreeSet<&str>) -> Option<Line> {
        let node = &scene.nodes[at];
        let is_entry =
            |above: &usize| matches!(scene.nodes[*above].role.as_str(), "row" | "listitem" | "article");
        let entry = scene.ancestors(at).find(is_entry);
        if node.role == "text" {
            let around = node.parent.map(|parent| &scene.nodes[parent]);
            let is_told = around.is_some_and(|around| {
                (around.reference.is_some() || around.role == "heading")
                    && around.name.contains(node.name.trim())
            });
            let text = shortened(&harmless(&node.name), LONGEST_NAME);
            let rank = if node.is("offscreen") { 5 } else { 3 };
            return (!is_told && !text.is_empty()).then(|| Line { text: format!("- {text}"), rank, entry });
        }
        let name = shortened(&harmless(&node.name), LONGEST_NAME);
        let Some(reference) = &node.reference else {
            let says =
                matches!(node.role.as_str(), "heading" | "dialog" | "alertdialog" | "alert" | "status");
            return (says && !name.is_empty()).then(|| Line {
                text: format!("- {} \"{name}\"", node.role),
                rank: 1,
                entry,
            });
        };
        let rank = match () {
            () if wanted.contains(reference.as_str()) => 0,
            // The elements inside have refs of their own.
            () if scene.is_repeated_inside(at) => return None,
            () if node.is("offscreen") => 4,
            () => 2,
        };
        let mut text = line_of(reference, node, &name);
        if name.is_empty() && node.value.is_none() && is_control(&node.role) {
            text.push_str(&looks_of(scene, at));
        }
        Some(Line { text, rank, entry })
    }
}

/// What is acted on. A paragraph without a name is not called by the text beside it.
fn is_control(role: &str) -> bool {
    const CONTROLS: &[&str] = &[
        "button",
        "link",
        "clickable",
        "textbox",
        "searchbox",
        "combobox",
        "listbox",
        "checkbox",
        "radio",
        "switch",
        "image",
        "menuitem",
        "tab",
        "slider",
        "spinbutton",
        "option",
        "file",
    ];
    CONTROLS.contains(&role)
}

/// What an element without a name looks like: its icon, the text beside it and its place in the view.
fn looks_of(scene: &Scene, at: usize) -> String {
    let mut looks = String::new();
    let inside = (at + 1..scene.nodes.len()).take_while(|inner| scene.is_within(*inner, at));
    let shown = inside
        .filter_map(|inner| {
            let node = &scene.nodes[inner];
            ["icon", "title", "alt"].iter().find_map(|key| node.attribute(key))
        })
        .map(harmless)
        .find(|shown| !shown.is_empty());
    if let Some(shown) = shown {
        looks.push_str(&format!(" icon=\"{}\"", shortened(&shown, 60)));
    }
    let area = scene.nodes[at].area;
    if let Some(beside) = text_beside(scene, at) {
        looks.push_str(&format!(" beside \"{}\"", shortened(&harmless(beside), 60)));
    }
    let [width, height] = scene.view;
    if width > 0.0 && height > 0.0 && area[2] > 0.0 {
        let across = ["left", "middle", "right"][third(area[0] + area[2] / 2.0, width)];
        let down = ["top", "centre", "bottom"][third(area[1] + area[3] / 2.0, height)];
        looks.push_str(&format!(" at {down} {across}"));
    }
    looks
}

fn third(at: f64, whole: f64) -> usize {
    ((at / whole * 3.0).max(0.0) as usize).min(2)
}

/// The nearest text on the same line, before it rather than behind it; else the one just above.
fn text_beside(scene: &Scene, at: usize) -> Option<&str> {
    let [left, top, width, height] = scene.nodes[at].area;
    let middle = top + height / 2.0;
    let distance = |node: &SceneNode| -> Option<f64> {
        let [x, y, w, h] = node.area;
        if w <= 0.0 || node.name.trim().is_empty() {
            return None;
        }
        let is_on_line = y <= middle && middle <= y + h;
        let (before, behind) = (left - (x + w), x - (left + width));
        let above = top - (y + h);
        match () {
            () if is_on_line && before >= -1.0 => Some(before.max(0.0)),
            () if is_on_line && behind >= -1.0 => Some(behind.max(0.0) + 20.0),
            () if above >= -1.0 && x <= left + width && left <= x + w => Some(above.max(0.0) + 40.0),
            () => None,
        }
    };
    let texts = scene.nodes.iter().filter(|node| node.role == "text");
    let near =
        texts.filter_map(|node| Some((distance(node)?, node.name.trim()))).filter(|(far, _)| *far < 160.0);
    near.min_by(|one, other| one.0.total_cmp(&other.0)).map(|(_, text)| text)
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
    for key in ["placeholder", "title", "alt", "icon", "column"] {
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
    fn elements_of_a_row_stand_under_it() {
        let below = |parent: usize, node: SceneNode| SceneNode { parent: Some(parent), ..node };
        let scene = Scene {
            nodes: vec![
                node("", "row", ""),
                below(0, node("e1", "cell", "Emma")),
                below(1, node("e2", "link", "Emma")),
                below(0, node("e3", "button", "Delete")),
                node("e4", "button", "New"),
            ],
            ..Scene::default()
        };
        let map = page_map(&scene, &BTreeSet::new(), 1000);
        assert!(
            map.contains("row 1:\n  e2 link \"Emma\"\n  e3 button \"Delete\"\ne4 button \"New\""),
            "{map}"
        );
    }

    #[test]
    fn an_element_without_a_name_is_told_by_its_looks() {
        let at = |area: [f64; 4], node: SceneNode| SceneNode { area, ..node };
        let mut icon = node("", "image", "");
        icon.parent = Some(1);
        icon.attributes.insert("icon".to_string(), "trash".to_string());
        let scene = Scene {
            nodes: vec![
                at([900.0, 10.0, 40.0, 20.0], node("", "text", "Kiln")),
                at([945.0, 10.0, 20.0, 20.0], node("e1", "button", "")),
                icon,
            ],
            view: [1000.0, 600.0],
            ..Scene::default()
        };
        let map = page_map(&scene, &BTreeSet::new(), 1000);
        assert!(map.contains("e1 button icon=\"trash\" beside \"Kiln\" at top right"), "{map}");
    }

    #[test]
    fn only_what_is_new_is_told() {
        let before = scene();
        let mut now = scene();
        assert_eq!(page_changes(&now, &before, 1000), None);
        now.nodes.push(node("e9", "button", "Undo"));
        assert_eq!(
            page_changes(&now, &before, 1000).unwrap(),
            "⟦page what is new⟧\ne9 button \"Undo\"\n⟦end of page⟧"
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
