//! Pages for tests, one line a node: `  e3 button "Log in" disabled {id: go} = "value" <one|two> [x y w h]`.
//!
//! Indentation is what is around what. A quoted name of what is named by its text becomes text inside it, as in a real
//! page; `aria` among the states says that the name is only for assistive technology. Cells get their column's head.

use std::collections::BTreeMap;
use std::path::PathBuf;

use assay_protocol::{Scene, SceneNode, TabLine};

/// Roles whose text is seen.
const SHOWN: &[&str] = &[
    "button",
    "link",
    "heading",
    "tab",
    "option",
    "menuitem",
    "menuitemcheckbox",
    "cell",
    "gridcell",
    "columnheader",
    "listitem",
    "row",
    "treeitem",
    "paragraph",
    "generic",
];
/// Of these the name itself stays empty, as the page script leaves it.
const NAMELESS: &[&str] = &["cell", "columnheader", "listitem", "row"];

pub fn folder(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/it").join(name)
}

pub fn page(name: &str) -> Scene {
    let path = folder("pages").join(format!("{name}.txt"));
    scene(&std::fs::read_to_string(&path).unwrap_or_else(|err| panic!("{}: {err}", path.display())))
}

pub fn scene(text: &str) -> Scene {
    let mut scene = Scene { view: [1280.0, 720.0], ..Scene::default() };
    // Depth and place of what is around the next line.
    let mut open: Vec<(usize, usize)> = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        if let Some(url) = line.strip_prefix("url: ") {
            scene.url = url.to_string();
            continue;
        }
        if let Some(title) = line.strip_prefix("title: ") {
            scene.title = title.to_string();
            continue;
        }
        if let Some(tabs) = line.strip_prefix("tabs: ") {
            scene.tabs = tabs.split(" ; ").map(tab).collect();
            continue;
        }
        let depth = line.len() - line.trim_start().len();
        while open.last().is_some_and(|(known, _)| *known >= depth) {
            open.pop();
        }
        let parent = open.last().map(|(_, at)| *at);
        let mut node = node(line.trim());
        node.parent = parent;
        let seen = !node.states.iter().any(|state| state == "aria");
        node.states.retain(|state| state != "aria");
        let at = scene.nodes.len();
        let text = node.name.clone();
        let covered = node.is("covered");
        let area = node.area;
        let shows = SHOWN.contains(&node.role.as_str()) && seen && !text.is_empty();
        if NAMELESS.contains(&node.role.as_str()) {
            node.name.clear();
        }
        scene.nodes.push(node);
        open.push((depth, at));
        if shows {
            let states = if covered { vec!["covered".to_string()] } else { Vec::new() };
            scene.nodes.push(SceneNode {
                parent: Some(at),
                role: "text".into(),
                name: text,
                states,
                area,
                ..SceneNode::default()
            });
        }
    }
    name_columns(&mut scene);
    scene
}

fn tab(text: &str) -> TabLine {
    let (name, rest) = text.split_once(" \"").expect("a tab is: t1 \"title\" url");
    let (title, rest) = rest.split_once("\" ").expect("a tab is: t1 \"title\" url");
    let mut rest = rest.split(' ');
    let url = rest.next().unwrap_or_default().to_string();
    TabLine {
        tab: name.trim().to_string(),
        title: title.to_string(),
        url,
        current: rest.next() == Some("current"),
    }
}

fn node(line: &str) -> SceneNode {
    let mut node = SceneNode::default();
    let mut rest = line;
    let first = rest.split(' ').next().unwrap_or_default();
    if first.len() > 1 && first.starts_with('e') && first[1..].bytes().all(|byte| byte.is_ascii_digit()) {
        node.reference = Some(first.to_string());
        rest = rest[first.len()..].trim_start();
    }
    let role = rest.split(' ').next().unwrap_or_default();
    node.role = role.to_string();
    rest = rest[role.len()..].trim_start();
    while !rest.is_empty() {
        let end = match &rest[..1] {
            "\"" => {
                let end = rest[1..].find('"').expect("a closing quotation mark") + 1;
                node.name = rest[1..end].to_string();
                end + 1
            }
            "{" => {
                let end = rest.find('}').expect("a closing brace");
                node.attributes = attributes(&rest[1..end]);
                end + 1
            }
            "<" => {
                let end = rest.find('>').expect("a closing >");
                node.options = rest[1..end].split('|').map(str::to_string).collect();
                end + 1
            }
            "[" => {
                let end = rest.find(']').expect("a closing bracket");
                let sides: Vec<f64> =
                    rest[1..end].split(' ').map(|side| side.parse().expect("a number")).collect();
                node.area = sides.try_into().expect("four numbers");
                end + 1
            }
            "=" => {
                let start = rest.find('"').expect("a value in quotation marks");
                let end = start + 1 + rest[start + 1..].find('"').expect("a closing quotation mark");
                node.value = Some(rest[start + 1..end].to_string());
                end + 1
            }
            _ => {
                let end = rest.find(' ').unwrap_or(rest.len());
                node.states.push(rest[..end].to_string());
                end
            }
        };
        rest = rest[end..].trim_start();
    }
    node
}

fn attributes(text: &str) -> BTreeMap<String, String> {
    text.split(", ")
        .map(|pair| pair.split_once(": ").unwrap_or_else(|| panic!("`name: value`, not `{pair}`")))
        .map(|(name, value)| (name.trim().to_string(), value.trim().trim_matches('"').to_string()))
        .collect()
}

/// As the page script does: a cell carries the words of its column's head.
fn name_columns(scene: &mut Scene) {
    let children = |scene: &Scene, at: usize| -> Vec<usize> {
        (0..scene.nodes.len()).filter(|inner| scene.nodes[*inner].parent == Some(at)).collect()
    };
    for table in 0..scene.nodes.len() {
        if !matches!(scene.nodes[table].role.as_str(), "table" | "grid") {
            continue;
        }
        let rows = children(scene, table);
        let Some(header) = rows.first() else { continue };
        if children(scene, *header).iter().any(|head| scene.nodes[*head].role != "columnheader") {
            continue;
        }
        let heads: Vec<String> = children(scene, *header).iter().map(|head| scene.text_of(*head)).collect();
        for row in &rows[1..] {
            for (cell, head) in children(scene, *row).into_iter().zip(&heads) {
                if matches!(scene.nodes[cell].role.as_str(), "cell" | "gridcell") && !head.is_empty() {
                    scene.nodes[cell].attributes.insert("column".to_string(), head.clone());
                }
            }
        }
    }
}
