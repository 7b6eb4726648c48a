//! From an element of a scene to its signature.

use assay_protocol::{Scene, SceneNode, Signature};

/// Attributes that an author chose, not a machine. Without styles, which change without meaning.
const MARKS: &[&str] = &[
    "tag",
    "type",
    "id",
    "name",
    "choice",
    "label",
    "placeholder",
    "testid",
    "title",
    "alt",
    "sends",
    "submits",
    "carries",
];
/// Containers that people tell places by.
const PLACES: &[&str] = &[
    "row",
    "listitem",
    "article",
    "dialog",
    "alertdialog",
    "form",
    "region",
    "navigation",
    "group",
    "table",
    "list",
    "tabpanel",
    "menu",
    "treeitem",
    "banner",
    "contentinfo",
    "main",
    "complementary",
    "search",
    "cell",
    "gridcell",
    "option",
    "figure",
];
const WORDS_KEPT: usize = 80;
const PLACES_KEPT: usize = 3;

/// The signature of the element that a ref of this scene stands for.
pub fn describe(scene: &Scene, reference: &str) -> Option<Signature> {
    let at = scene
        .nodes
        .iter()
        .position(|node| node.role != "text" && node.reference.as_deref() == Some(reference))
        .or_else(|| scene.nodes.iter().position(|node| node.reference.as_deref() == Some(reference)))?;
    Some(describe_node(scene, at))
}

pub(super) fn describe_node(scene: &Scene, at: usize) -> Signature {
    let node = &scene.nodes[at];
    let mut marks: std::collections::BTreeMap<String, String> = MARKS
        .iter()
        .filter_map(|mark| Some((mark.to_string(), node.attribute(mark)?.to_string())))
        .filter(|(mark, value)| !(value.is_empty() || mark == "id" && is_made_up(value)))
        .collect();
    if let Some(path) = node.attribute("href").and_then(path_of) {
        marks.insert("href".to_string(), path);
    }
    Signature {
        role: node.role.clone(),
        name: name_of(node),
        marks,
        within: places_around(scene, at),
        near: words_beside(scene, at),
        place: place_of(scene, at),
        kind: kind_of(scene, at),
    }
}

/// An id that a program gave out: it is another one the next time.
fn is_made_up(id: &str) -> bool {
    let digits = id.chars().filter(char::is_ascii_digit).count();
    let in_a_row = id.split(|letter: char| !letter.is_ascii_digit()).map(str::len).max().unwrap_or(0);
    id.contains([':', '«', '»']) || in_a_row >= 4 || (id.len() >= 16 && digits >= 4)
}

/// A name holds no value: of a list to choose from it would change with every choice.
fn name_of(node: &SceneNode) -> String {
    shortened(&node.name)
}

/// An address without its host: the same suite runs against many.
fn path_of(href: &str) -> Option<String> {
    let path = match href.split_once("://") {
        Some((_, rest)) => rest.find('/').map_or("/", |slash| &rest[slash..]),
        None => href,
    };
    (!path.is_empty() && !path.starts_with("javascript:")).then(|| path.to_string())
}

fn places_around(scene: &Scene, at: usize) -> Vec<String> {
    scene
        .ancestors(at)
        .filter_map(|above| {
            let node = &scene.nodes[above];
            if !PLACES.contains(&node.role.as_str()) {
                return None;
            }
            // What repeats is told apart by its words; other places by their names.
            let told_by_words = is_entry(&node.role) || matches!(node.role.as_str(), "cell" | "gridcell");
            let words = if told_by_words { own_words(scene, above, at) } else { node.name.clone() };
            (!words.is_empty()).then(|| format!("{} \"{}\"", node.role, shortened(&words)))
        })
        .take(PLACES_KEPT)
        .collect()
}

/// What stands in lists and tables many times.
pub(super) fn is_entry(role: &str) -> bool {
    matches!(role, "row" | "listitem" | "article" | "option" | "treeitem")
}

/// The words of a row without those of its controls: a button that is pressed may be called otherwise afterwards. Links
/// are mostly what the row is about.
fn own_words(scene: &Scene, around: usize, without: usize) -> String {
    let mut words = Vec::new();
    for (at, node) in scene.nodes.iter().enumerate().skip(around + 1) {
        if !scene.is_within(at, around) {
            break;
        }
        let in_control = scene
            .ancestors(at)
            .take_while(|above| *above != around)
            .any(|above| is_control(&scene.nodes[above]) && scene.nodes[above].role != "link");
        if node.role == "text" && !in_control && at != without && !scene.is_within(at, without) {
            words.push(node.name.as_str());
        }
    }
    words.join(" ")
}

fn is_control(node: &SceneNode) -> bool {
    matches!(
        node.role.as_str(),
        "button"
            | "link"
            | "textbox"
            | "searchbox"
            | "combobox"
            | "checkbox"
            | "radio"
            | "switch"
            | "spinbutton"
            | "slider"
            | "menuitem"
            | "tab"
            | "clickable"
            | "listbox"
    )
}

/// The last words before the element and the first after it, in the order of the document.
fn words_beside(scene: &Scene, at: usize) -> Vec<String> {
    let is_text = |index: usize| scene.nodes[index].role == "text" && !scene.is_within(index, at);
    let before = (0..at).rev().find(|index| is_text(*index));
    let after = (at + 1..scene.nodes.len()).find(|index| is_text(*index));
    [before, after]
        .into_iter()
        .map(|index| index.map_or(String::new(), |index| shortened(&scene.nodes[index].name)))
        .collect()
}

fn place_of(scene: &Scene, at: usize) -> (usize, usize) {
    let node = &scene.nodes[at];
    let alike = |other: &&SceneNode| other.role == node.role && other.name == node.name;
    let before = scene.nodes[..at].iter().filter(alike).count();
    (before + 1, scene.nodes.iter().filter(alike).count())
}

/// Which of its kind it is, and how many there are: of all buttons, of all fields for one line.
fn kind_of(scene: &Scene, at: usize) -> (usize, usize) {
    let kind = |node: &SceneNode| {
        let made = match node.role.as_str() {
            "button" | "clickable" => "button".to_string(),
            role => format!(
                "{role} {}",
                if node.attribute("tag") == Some("textarea") { "of many lines" } else { "" }
            ),
        };
        (made, node.attribute("type").filter(|_| node.role == "textbox").unwrap_or("text").to_string())
    };
    let own = kind(&scene.nodes[at]);
    let alike = |node: &&SceneNode| node.role != "text" && node.reference.is_some() && kind(node) == own;
    let before = scene.nodes[..at].iter().filter(alike).count();
    (before + 1, scene.nodes.iter().filter(alike).count())
}

pub(super) fn shortened(text: &str) -> String {
    text.chars().take(WORDS_KEPT).collect()
}
