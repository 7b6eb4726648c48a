//! What the page script answers, as types.

use std::collections::BTreeMap;

use assay_protocol::{Candidate, Change, ChangeKind, ElementLine, MapNode, SceneNode, ref_name};
use serde::{Deserialize, Serialize};

/// Whether an element can be acted on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Readiness {
    Ready,
    NotActionable,
}

/// How the wait for a quiet page ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SettleStatus {
    Ok,
    /// There is no map to compare with.
    NoMap,
    /// Input that was awaited has not come so far.
    NoInput,
}

#[derive(Debug, Clone, Deserialize)]
pub struct ElementReport {
    #[serde(rename = "ref")]
    pub id: u32,
    pub role: String,
    #[serde(default)]
    pub name: String,
    #[serde(default)]
    pub value: Option<String>,
    #[serde(default)]
    pub states: String,
    #[serde(default)]
    pub place: Option<String>,
    /// A name, or something that stands for one.
    #[serde(default)]
    pub label: Option<String>,
}

/// The answer of `begin`.
#[derive(Debug, Clone, Deserialize)]
pub struct Begun {
    #[serde(rename = "status")]
    pub readiness: Readiness,
    #[serde(default)]
    pub x: f64,
    #[serde(default)]
    pub y: f64,
    /// Where the target is drawn: left, top, width, height.
    #[serde(default)]
    pub area: Option<[f64; 4]>,
    /// Width and height of what the document shows at once.
    #[serde(default)]
    pub view: [f64; 2],
    /// It was elsewhere when it was first looked at: scrolled to since, or come to rest.
    #[serde(default)]
    pub moved: bool,
    #[serde(default)]
    pub element: Option<ElementReport>,
    /// The ref that was asked for, when its element was replaced and this one is clearly the same.
    #[serde(default)]
    pub healed: u32,
    /// What pressing the target would press, in words, if that was asked for.
    #[serde(default)]
    pub labels: Vec<String>,
    /// The same of links that lead to a page.
    #[serde(default)]
    pub led: Vec<String>,
    #[serde(default)]
    pub checked: Option<String>,
    #[serde(default)]
    pub reason: Option<String>,
    /// No waiting will help.
    #[serde(rename = "final", default)]
    pub is_final: bool,
    #[serde(default)]
    pub unsupported: bool,
    /// The verb or the command that fits this element.
    #[serde(default)]
    pub advice: Option<String>,
    #[serde(default)]
    pub covered_by: Option<ElementReport>,
    #[serde(default)]
    pub focus_at: Option<ElementReport>,
    /// Keys to press, for fields made of parts.
    #[serde(default)]
    pub strokes: Option<Vec<String>>,
    #[serde(default)]
    pub expected: Option<String>,
    /// For a date made of several fields: each of them, and what it is to hold.
    #[serde(default)]
    pub parts: Vec<DatePart>,
    /// For `select`: whether the options are shown as a list, and which to choose.
    #[serde(default)]
    pub list: bool,
    #[serde(default)]
    pub from: i64,
    #[serde(default)]
    pub to: Vec<i64>,
    #[serde(default)]
    pub chosen: bool,
    /// For `select`: the page draws the list itself.
    #[serde(default)]
    pub drawn: bool,
    /// What opens a drawn list where that is not the target itself.
    #[serde(default)]
    pub handle: u32,
    /// For `upload`: the input behind the label.
    #[serde(default)]
    pub file: u32,
    #[serde(default)]
    pub multiple: bool,
    /// The page listens for keys and would not notice text without one.
    #[serde(default)]
    pub keys: bool,
    /// The page script waits for the event that ends the input. Not where many keys are typed.
    #[serde(default)]
    pub awaits: bool,
    /// What is typed here is nobody's business.
    #[serde(default)]
    pub secret: bool,
    /// How much a secret field holds.
    #[serde(default)]
    pub length: usize,
    /// An editor that draws its text: keys select all of it, or bring the caret to its end.
    #[serde(default)]
    pub editor: bool,
    /// The caret must be brought to the end by a key.
    #[serde(default)]
    pub end_first: bool,
    /// For `select`: the options by their place among all.
    #[serde(default)]
    pub indexes: Vec<u32>,
}

/// What a drawn list offers.
#[derive(Debug, Clone, Deserialize)]
pub struct Offer {
    /// The option that was wanted; 0 if it is not offered, or several are called so.
    pub option: u32,
    #[serde(default)]
    pub several: bool,
    pub names: Vec<String>,
    pub total: usize,
    /// A list for several choices has it already.
    pub taken: bool,
    pub next: u32,
}

/// `[ref, text]`
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct DatePart(pub u32, pub String);

/// `[kind, ref, role, name, value, states, was]`
#[derive(Debug, Clone, Deserialize)]
pub struct ChangeRow(
    pub String,
    pub u32,
    pub String,
    pub String,
    pub Option<String>,
    pub String,
    pub Option<String>,
);

/// `[depth, ref, role, name, value, states]`
#[derive(Debug, Clone, Deserialize)]
pub struct NodeRow(pub u32, pub u32, pub String, pub String, pub Option<String>, pub String);

/// The answer of `scene`.
#[derive(Debug, Clone, Deserialize)]
pub struct SceneReport {
    pub next: u32,
    pub title: String,
    pub url: String,
    /// Width and height of what the document shows at once.
    #[serde(default)]
    pub view: [f64; 2],
    pub rows: Vec<SceneRow>,
    /// The frames that are seen in this document. A frame that is not among them shows nothing of what it holds.
    #[serde(default)]
    pub frames: Vec<FrameRow>,
    /// Which of the frames of the document around it this one is; -1 where that document does not count it.
    #[serde(default)]
    pub number: i64,
    /// The milliseconds until the last timer of the page that is waited for.
    #[serde(default)]
    pub due: u32,
    /// Not all could be told: there is too much, or a part of it is still being loaded.
    #[serde(default)]
    pub truncated: bool,
}

/// `[number or -1, left, top, right, bottom of what is seen in it, whether it cannot be scrolled, whether it is covered]`
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct FrameRow(pub i64, pub f64, pub f64, pub f64, pub f64, pub bool, pub bool);

/// `[parent or -1, ref or 0, role, name, value, states, attributes or 0, options or 0, left, top, width, height]`
#[derive(Debug, Clone, Deserialize)]
pub struct SceneRow(
    pub i64,
    pub u32,
    pub String,
    pub String,
    pub Option<String>,
    pub String,
    pub Given<BTreeMap<String, String>>,
    pub Given<Vec<String>>,
    pub f64,
    pub f64,
    pub f64,
    pub f64,
);

/// Something, or the number 0 in its place, which is shorter.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum Given<T> {
    Some(T),
    Nothing(u8),
}

impl<T: Default> Given<T> {
    fn unwrap_or_default(self) -> T {
        match self {
            Given::Some(value) => value,
            Given::Nothing(_) => T::default(),
        }
    }
}

/// The rows as nodes of a scene that has `before` nodes already; those at the top are inside of `around`.
pub fn to_scene_nodes(rows: Vec<SceneRow>, before: usize, around: Option<usize>) -> Vec<SceneNode> {
    rows.into_iter()
        .map(|row| SceneNode {
            parent: usize::try_from(row.0).ok().map(|parent| parent + before).or(around),
            reference: (row.1 > 0).then(|| ref_name(row.1)),
            role: row.2,
            name: row.3,
            value: row.4,
            states: row.5.split_whitespace().map(str::to_string).collect(),
            attributes: row.6.unwrap_or_default(),
            options: row.7.unwrap_or_default(),
            area: [row.8, row.9, row.10, row.11],
        })
        .collect()
}

/// The answer of `settle`, `finish`, `arrived` and `diff`.
#[derive(Debug, Clone, Deserialize)]
pub struct SettleReport {
    pub status: SettleStatus,
    pub next: u32,
    #[serde(default)]
    pub url: String,
    #[serde(default)]
    pub title: String,
    /// The address or the title changed within the document.
    #[serde(default)]
    pub moved: bool,
    /// The document was not loaded in the time that it had for that.
    #[serde(default)]
    pub loading: bool,
    /// What the page still shows of being on its way, in words; empty if nothing.
    #[serde(default)]
    pub lacks: String,
    #[serde(default)]
    pub changes: Vec<ChangeRow>,
    /// Whether the document that answers is the one in which the target was guarded.
    #[serde(default)]
    pub guarded: bool,
    /// Event types that the target received while it was guarded.
    #[serde(default)]
    pub received: Vec<String>,
    /// The event of the press whose listeners did what the click was for, and took the target away before it came.
    #[serde(default)]
    pub deed: Option<String>,
    #[serde(default)]
    pub blocked: Option<ElementReport>,
    #[serde(default)]
    pub busy: bool,
    /// What page code has asked the network for and not got yet, as far as the page itself knows.
    #[serde(default)]
    pub requests: u32,
    #[serde(default)]
    pub element: Option<ElementReport>,
    #[serde(default)]
    pub checked: Option<String>,
    /// For a part of a date: whether it holds the number that was typed.
    #[serde(default)]
    pub taken: Option<bool>,
    /// Where the target is drawn now, if it is still there.
    #[serde(default)]
    pub area: Option<[f64; 4]>,
    /// A link was clicked that the browser itself follows.
    #[serde(default)]
    pub leads: bool,
    /// The options that are selected now.
    #[serde(default)]
    pub indexes: Vec<u32>,
    /// The page has sent a form away and waits to be replaced: it was not looked at for what changed.
    #[serde(default)]
    pub leaving: bool,
}

#[derive(Debug, Clone, Deserialize)]
pub struct MapReport {
    pub title: String,
    pub url: String,
    pub nodes: Vec<NodeRow>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct QueryReport {
    pub total: usize,
    pub shown: usize,
    pub elements: Vec<ElementReport>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct ReadReport {
    #[serde(default)]
    pub text: Option<String>,
    #[serde(default)]
    pub texts: Option<Vec<String>>,
    #[serde(default)]
    pub holds: Option<bool>,
    #[serde(rename = "box", default)]
    pub area: Option<[f64; 4]>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct WaitReport {
    pub holds: bool,
    #[serde(default)]
    pub found: usize,
    #[serde(default)]
    pub shown: usize,
    #[serde(default)]
    pub element: Option<ElementReport>,
}

/// Whether nothing changed for a moment.
#[derive(Debug, Clone, Deserialize)]
pub struct CalmReport {
    pub next: u32,
    pub holds: bool,
}

#[derive(Debug, Clone, Deserialize)]
pub struct PageReport {
    pub next: u32,
    pub url: String,
    pub title: String,
    pub ready: String,
}

#[derive(Debug, Clone, Deserialize)]
pub struct PointReport {
    #[serde(rename = "status")]
    pub readiness: Readiness,
    pub next: u32,
    #[serde(default)]
    pub x: f64,
    #[serde(default)]
    pub y: f64,
    /// How large the pixels of the frame are here: it may be scaled.
    #[serde(default)]
    pub across: Option<f64>,
    #[serde(default)]
    pub down: Option<f64>,
    /// Width and height of what the document shows at once.
    #[serde(default)]
    pub view: [f64; 2],
    #[serde(default)]
    pub reason: Option<String>,
    #[serde(default)]
    pub covered_by: Option<ElementReport>,
}

/// What lies at a point of a document.
#[derive(Debug, Clone, Deserialize)]
pub struct AtReport {
    pub next: u32,
    /// Those that have a ref, the nearest first.
    pub elements: Vec<ElementReport>,
    pub tag: String,
    pub text: String,
    /// Width and height of what the document shows at once.
    pub view: [f64; 2],
    /// Where the content of the frame begins that lies there.
    pub frame: Option<[f64; 2]>,
    /// The point, as that frame counts.
    pub inner: Option<[f64; 2]>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct ScrollReport {
    /// How far everything around the element that was asked about is scrolled.
    #[serde(default)]
    pub around: f64,
    pub x: f64,
    pub y: f64,
    /// How much page there is below.
    pub bottom: f64,
    pub width: f64,
    pub height: f64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoreItem {
    pub name: String,
    pub value: String,
}

#[derive(Debug, Clone, Deserialize)]
pub struct StoreReport {
    pub origin: String,
    pub items: Vec<StoreItem>,
}

/// What `read` can ask of one element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Read {
    Text,
    Html,
    Value,
    Attr,
    Visible,
    Enabled,
    Editable,
    Checked,
    Box,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Edge {
    Top,
    Bottom,
}

fn split_states(states: &str) -> Vec<String> {
    states.split_whitespace().map(str::to_string).collect()
}

fn optional_ref(id: u32) -> Option<String> {
    (id > 0).then(|| ref_name(id))
}

pub fn to_element_line(element: &ElementReport) -> ElementLine {
    ElementLine {
        reference: ref_name(element.id),
        role: element.role.clone(),
        name: element.name.clone(),
        value: element.value.clone(),
        states: split_states(&element.states),
    }
}

pub fn to_candidates(elements: &[ElementReport]) -> Vec<Candidate> {
    elements
        .iter()
        .map(|element| Candidate {
            reference: ref_name(element.id),
            role: element.role.clone(),
            name: element.name.clone(),
            place: element.place.as_ref().filter(|place| !place.is_empty()).cloned(),
        })
        .collect()
}

pub fn to_changes(rows: Vec<ChangeRow>) -> Vec<Change> {
    rows.into_iter()
        .map(|ChangeRow(kind, id, role, name, value, states, was)| Change {
            kind: match kind.as_str() {
                "+" => ChangeKind::Added,
                "-" => ChangeKind::Removed,
                _ => ChangeKind::Changed,
            },
            reference: optional_ref(id),
            role,
            name,
            value,
            states: split_states(&states),
            was,
        })
        .collect()
}

pub fn to_map_nodes(rows: Vec<NodeRow>) -> Vec<MapNode> {
    rows.into_iter()
        .map(|NodeRow(depth, id, role, name, value, states)| MapNode {
            depth,
            reference: optional_ref(id),
            role,
            name,
            value,
            states: split_states(&states),
        })
        .collect()
}
