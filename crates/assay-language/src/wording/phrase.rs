//! How an element can be called: by its name and kind, by the place it is in, by its number among others.

use assay_protocol::{Scene, SceneNode, in_one_line};

/// A longer name reads badly, and changes more often.
const LONGEST_NAME: usize = 80;
const LONGEST_PLACE: usize = 40;
/// So many names of a row or a card are tried.
const MOST_PLACES: usize = 3;

/// The text in quotation marks, or nothing where it cannot stand in them.
pub(super) fn quoted(text: &str) -> Option<String> {
    let text = in_one_line(text);
    let text = text.trim();
    let is_short = (1..=LONGEST_NAME).contains(&text.chars().count());
    match (is_short, text.contains('"'), text.contains(['“', '”'])) {
        (false, ..) | (true, true, true) => None,
        (true, false, _) => Some(format!("\"{text}\"")),
        (true, true, false) => Some(format!("“{text}”")),
    }
}

/// The word for a kind of element; empty where people have none.
pub(super) fn kind_word(node: &SceneNode) -> &'static str {
    match node.role.as_str() {
        "button" | "summary" => "button",
        "link" => "link",
        "textbox" | "searchbox" | "spinbutton" | "date" | "time" | "month" | "week" | "datetime"
        | "color" | "file" => "field",
        "combobox" if node.options.is_empty() => "field",
        "combobox" | "listbox" => "list",
        "checkbox" => "checkbox",
        "radio" => "radio button",
        "switch" => "switch",
        "slider" => "slider",
        "tab" => "tab",
        "menuitem" | "menuitemcheckbox" | "menuitemradio" => "menu item",
        "option" => "option",
        "heading" => "heading",
        "img" | "image" => "image",
        "dialog" | "alertdialog" => "dialog",
        _ => "",
    }
}

/// What the element may be called, the plainest first.
pub(super) fn phrases(at: usize, scene: &Scene) -> Vec<String> {
    let node = &scene.nodes[at];
    let kind = kind_word(node);
    let mut plain = Vec::new();
    for name in names_of(at, scene) {
        if !kind.is_empty() {
            plain.push(format!("the {name} {kind}"));
        }
        plain.push(name);
    }
    let places = places_of(at, scene);
    let mut all = plain.clone();
    let of_kind = (!kind.is_empty()).then(|| format!("the {kind}"));
    for place in &places {
        all.extend(plain.iter().chain(&of_kind).map(|phrase| format!("{phrase} {place}")));
    }
    all.extend(numbered(at, scene, kind));
    all
}

/// Its name, or else what stands in its place.
fn names_of(at: usize, scene: &Scene) -> Vec<String> {
    let node = &scene.nodes[at];
    let text = scene.text_of(at);
    let others = ["label", "placeholder", "title", "alt"];
    let named = [Some(node.name.as_str()), Some(text.as_str())].into_iter();
    let named = named.chain(others.into_iter().map(|name| node.attribute(name)));
    let mut names: Vec<String> = Vec::new();
    for name in named.flatten().filter_map(quoted) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Where the element stands, in words: the nearest place first.
fn places_of(at: usize, scene: &Scene) -> Vec<String> {
    let mut places = Vec::new();
    for around in scene.ancestors(at) {
        let node = &scene.nodes[around];
        let name = quoted(&node.name).filter(|name| name.chars().count() <= LONGEST_PLACE);
        match node.role.as_str() {
            "row" => {
                let said = parts_of(around, at, scene);
                places.extend(said.into_iter().map(|part| format!("in the row of {part}")));
            }
            "listitem" | "article" | "treeitem" => {
                let said = parts_of(around, at, scene);
                for part in said {
                    places.push(format!("in the {part} card"));
                    places.push(format!("for {part}"));
                }
            }
            "dialog" | "alertdialog" => {
                places.extend(name.map(|name| format!("in the {name} dialog")));
                places.push("in the dialog".to_string());
            }
            "navigation" => {
                places.extend(name.map(|name| format!("in the {name} navigation")));
                places.push("in the navigation".to_string());
            }
            "banner" => places.push("in the header".to_string()),
            "contentinfo" => places.push("in the footer".to_string()),
            "region" | "group" | "form" | "search" | "radiogroup" | "tabpanel" | "list" | "table" => {
                places.extend(name.map(|name| format!("in the {name} section")));
            }
            _ => {}
        }
    }
    places
}

/// Names inside a row or a card by which people tell it from others.
fn parts_of(around: usize, but: usize, scene: &Scene) -> Vec<String> {
    const TELLING: &[&str] = &["rowheader", "heading", "link", "cell", "gridcell", "text"];
    let inside = || (around + 1..scene.nodes.len()).take_while(|inner| scene.is_within(*inner, around));
    let own = in_one_line(&scene.nodes[but].name);
    let mut parts: Vec<String> = Vec::new();
    for role in TELLING {
        for inner in inside().filter(|inner| scene.nodes[*inner].role == *role) {
            let text = in_one_line(&scene.text_of(inner));
            let is_of_element = inner == but || scene.is_within(inner, but) || text == own;
            let is_short = text.chars().count() <= LONGEST_PLACE;
            if let Some(part) = quoted(&text).filter(|_| is_short && !is_of_element)
                && !parts.contains(&part)
                && parts.len() < MOST_PLACES
            {
                parts.push(part);
            }
        }
    }
    parts
}

/// `the second "Edit" button`.
fn numbered(at: usize, scene: &Scene, kind: &str) -> Option<String> {
    const WORDS: &[&str] = &["first", "second", "third", "fourth", "fifth", "sixth"];
    let node = &scene.nodes[at];
    let is_alike =
        |other: &&SceneNode| other.role == node.role && other.name == node.name && other.reference.is_some();
    let before = scene.nodes[..at].iter().filter(is_alike).count();
    let nth = WORDS.get(before)?;
    match (quoted(&node.name), kind) {
        (Some(name), "") => Some(format!("the {nth} {name}")),
        (Some(name), kind) => Some(format!("the {nth} {name} {kind}")),
        (None, "") => None,
        (None, kind) => Some(format!("the {nth} {kind}")),
    }
}

/// Selectors that may name the element where no words do, the most lasting first. Whether one matches nothing else, the
/// page says.
pub fn exact_selectors(reference: &str, scene: &Scene) -> Vec<String> {
    let Some(node) = node_of(reference, scene).map(|at| &scene.nodes[at]) else { return Vec::new() };
    let is_plain = |text: &&str| {
        !text.is_empty() && text.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_".contains(letter))
    };
    let tag = node.attribute("tag").unwrap_or("*");
    let testid = node.attribute("testid").filter(is_plain).map(|id| format!("testid={id}"));
    let id = node.attribute("id").filter(is_plain).map(|id| format!("#{id}"));
    let name = node.attribute("name").filter(is_plain).map(|name| format!("{tag}[name={name}]"));
    testid.into_iter().chain(id).chain(name).collect()
}

/// Where an element is in the scene.
pub(super) fn node_of(reference: &str, scene: &Scene) -> Option<usize> {
    let is_it = |node: &SceneNode| node.role != "text" && node.reference.as_deref() == Some(reference);
    scene.nodes.iter().position(is_it)
}
