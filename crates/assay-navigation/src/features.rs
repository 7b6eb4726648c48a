//! What a scene is made of, as far as it tells screens apart: structure and fixed labels, not data.

use std::collections::BTreeSet;

use assay_protocol::{Scene, SceneNode, in_one_line};

/// Texts longer than this are data.
const LONGEST_LABEL: usize = 60;
/// A scene that is kept for comparison has at most so many nodes.
const MOST_NODES: usize = 2_500;

/// A scene without what exploring never asks for: pictures, long texts, places.
pub fn trimmed(scene: &Scene) -> Scene {
    const KEPT: &[&str] = &[
        "tag",
        "id",
        "class",
        "type",
        "href",
        "level",
        "modal",
        "haspopup",
        "submits",
        "sends",
        "title",
        "label",
        "placeholder",
        "column",
        "testid",
    ];
    let mut kept = Scene {
        url: scene.url.clone(),
        title: scene.title.clone(),
        document: scene.document,
        ..Scene::default()
    };
    kept.dialog.clone_from(&scene.dialog);
    kept.truncated = scene.truncated || scene.nodes.len() > MOST_NODES;
    // A parent comes before its children, so the first nodes are a whole tree.
    kept.nodes = scene
        .nodes
        .iter()
        .take(MOST_NODES)
        .map(|node| SceneNode {
            parent: node.parent,
            role: node.role.clone(),
            name: node.name.chars().take(120).collect(),
            states: node.states.iter().filter(|state| *state != "focused").cloned().collect(),
            attributes: node
                .attributes
                .iter()
                .filter(|(key, _)| KEPT.contains(&key.as_str()))
                .map(|(key, value)| (key.clone(), value.clone()))
                .collect(),
            ..SceneNode::default()
        })
        .collect();
    kept
}

/// What of a scene is compared.
#[derive(Debug, Clone, Default)]
pub(crate) struct Features {
    /// Kinds of elements in the content, and where they stand.
    pub structure: BTreeSet<String>,
    /// Fixed labels of the content: of controls, columns, tabs and lower headings.
    pub labels: BTreeSet<String>,
    /// The first heading.
    pub heading: Option<String>,
    pub has_password: bool,
    /// The name of an open dialog of the page; empty if it has none.
    pub dialog: Option<String>,
    /// The tabs that are selected.
    pub tabs: BTreeSet<String>,
    /// Something lies over most of the page, whatever it calls itself.
    pub is_covered: bool,
}

/// Where a node stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spot {
    /// What all screens have around their content.
    Chrome,
    Content,
    /// An entry of a table or a list of the content.
    Entry,
}

const CHROME_ROLES: &[&str] = &["navigation", "banner", "contentinfo", "menubar", "menu"];
/// Words of ids and classes of what is around the content.
const CHROME_WORDS: &[&str] = &[
    "nav",
    "navbar",
    "sidebar",
    "sidenav",
    "topbar",
    "menu",
    "footer",
    "breadcrumb",
    "breadcrumbs",
    "mainmenu",
    "topnav",
    "navigation",
    "sidemenu",
    "drawer",
    "muidrawer",
];
const ENTRY_ROLES: &[&str] = &["row", "listitem", "article", "option", "treeitem"];
const LABELLED: &[&str] = &[
    "button",
    "textbox",
    "searchbox",
    "combobox",
    "checkbox",
    "radio",
    "switch",
    "slider",
    "spinbutton",
    "listbox",
    "columnheader",
    "tab",
    "form",
    "region",
    "group",
    "table",
    "grid",
    "dialog",
    "alertdialog",
    "tree",
];

/// Where each node stands. Made once for a scene: a walk up from each node would take long in deep pages.
pub(crate) fn spots(scene: &Scene) -> Vec<Spot> {
    let mut spots: Vec<Spot> = Vec::with_capacity(scene.nodes.len());
    for node in &scene.nodes {
        let above = node.parent.and_then(|parent| spots.get(parent).copied()).unwrap_or(Spot::Content);
        let own = match above {
            Spot::Chrome => Spot::Chrome,
            _ if is_chrome(node) => Spot::Chrome,
            Spot::Entry => Spot::Entry,
            // The only article of a page is its content.
            Spot::Content if node.role == "article" && !has_neighbour(scene, node) => Spot::Content,
            Spot::Content if ENTRY_ROLES.contains(&node.role.as_str()) && node.role != "row" => Spot::Entry,
            // A row of column heads is no entry.
            Spot::Content if node.role == "cell" || node.role == "gridcell" => Spot::Entry,
            Spot::Content => Spot::Content,
        };
        spots.push(own);
    }
    spots
}

/// Whether another node of its role stands beside it.
fn has_neighbour(scene: &Scene, node: &SceneNode) -> bool {
    scene.nodes.iter().filter(|other| other.role == node.role && other.parent == node.parent).count() > 1
}

/// Whether something lies over most of what can be used on the page, and can be used itself.
pub(crate) fn is_covered(scene: &Scene) -> bool {
    const FEWEST: usize = 3;
    if scene.nodes.iter().any(is_notice) {
        return false;
    }
    let can_be_used = |node: &&SceneNode| {
        matches!(
            node.role.as_str(),
            "button"
                | "link"
                | "textbox"
                | "searchbox"
                | "combobox"
                | "checkbox"
                | "radio"
                | "tab"
                | "menuitem"
        )
    };
    let covered = scene.nodes.iter().filter(can_be_used).filter(|node| node.is("covered")).count();
    let open = scene.nodes.iter().filter(can_be_used).filter(|node| !node.is("covered")).count();
    covered >= FEWEST && open > 0 && covered >= 2 * open
}

fn is_chrome(node: &SceneNode) -> bool {
    if CHROME_ROLES.contains(&node.role.as_str()) {
        return true;
    }
    // Controls have such words for their looks.
    if !matches!(node.role.as_str(), "generic" | "list" | "complementary" | "group" | "region") {
        return false;
    }
    ["id", "class"].iter().filter_map(|key| node.attribute(key)).any(|words| {
        words
            .split(|letter: char| !letter.is_ascii_alphanumeric())
            .any(|word| CHROME_WORDS.contains(&word.to_ascii_lowercase().as_str()))
    })
}

impl Features {
    pub fn of(scene: &Scene) -> Features {
        let spots = spots(scene);
        let mut features = Features { heading: heading_of(scene).map(str::to_string), ..Features::default() };
        features.dialog = dialog_of(scene);
        features.is_covered = is_covered(scene);
        let heading = features.heading.clone().unwrap_or_default();
        for (at, node) in scene.nodes.iter().enumerate() {
            let spot = spots[at];
            let is_field = matches!(node.role.as_str(), "textbox" | "searchbox");
            if is_field && (node.is("secret") || node.attribute("type") == Some("password")) {
                features.has_password = true;
            }
            if node.role == "tab" && node.is("selected") {
                features.tabs.insert(in_one_line(&node.name));
            }
            let lies_below = features.is_covered && node.is("covered");
            if spot == Spot::Chrome || node.role == "text" || lies_below {
                continue;
            }
            let place = if spot == Spot::Entry { "entry" } else { "content" };
            let tag = node.attribute("tag").unwrap_or_default();
            let kind = if node.role == "generic" { format!("generic {tag}") } else { node.role.clone() };
            features.structure.insert(format!("{place} {kind}"));
            let label = in_one_line(&node.name);
            let is_lower_heading = node.role == "heading" && label != heading && spot == Spot::Content;
            let is_label =
                (LABELLED.contains(&node.role.as_str()) && spot == Spot::Content) || is_lower_heading;
            if is_label && !label.is_empty() && label.chars().count() <= LONGEST_LABEL && !is_counted(&label)
            {
                features.labels.insert(format!("{} {label}", node.role));
            }
        }
        features
    }
}

/// Labels that hold numbers change with the data.
fn is_counted(label: &str) -> bool {
    label.chars().any(|letter| letter.is_ascii_digit())
}

/// The first heading of the highest level.
pub(crate) fn heading_of(scene: &Scene) -> Option<&str> {
    let inside = dialog_at(scene);
    let is_covered = is_covered(scene);
    // Cards that lead to things have headings; these name the things.
    let is_of_card = |at: usize| scene.ancestors(at).any(|above| scene.nodes[above].role == "link");
    let headings = (0..scene.nodes.len()).filter(|at| scene.nodes[*at].role == "heading");
    let has_cards = headings.filter(|at| is_of_card(*at)).count() > 1;
    let level =
        |node: &SceneNode| node.attribute("level").and_then(|level| level.parse::<u32>().ok()).unwrap_or(9);
    scene
        .nodes
        .iter()
        .enumerate()
        .filter(|(at, node)| {
            // What lies behind a dialog is not what the screen says.
            node.role == "heading"
                && !node.name.trim().is_empty()
                && inside.is_none_or(|around| scene.is_within(*at, around))
                && !(is_covered && node.is("covered"))
                && !(has_cards && is_of_card(*at))
        })
        .map(|(_, node)| node)
        .min_by_key(|node| level(node))
        .map(|node| node.name.trim())
}

/// A dialog that the rest of the page waits for.
pub(crate) fn dialog_at(scene: &Scene) -> Option<usize> {
    scene.nodes.iter().rposition(|node| {
        let is_dialog = matches!(node.role.as_str(), "dialog" | "alertdialog");
        (node.attribute("modal") == Some("true") || is_dialog) && !is_notice(node)
    })
}

fn dialog_of(scene: &Scene) -> Option<String> {
    let at = dialog_at(scene)?;
    let name = in_one_line(&scene.nodes[at].name);
    if !name.is_empty() {
        return Some(name);
    }
    Some(heading_of(scene).map(in_one_line).unwrap_or_default())
}

/// Banners about cookies say that they are dialogs, but nothing waits for them.
fn is_notice(node: &SceneNode) -> bool {
    let says = |text: &str| text.to_lowercase().contains("cookie") || text.to_lowercase().contains("consent");
    says(&node.name) || ["id", "class"].iter().filter_map(|key| node.attribute(key)).any(says)
}

#[cfg(test)]
pub(crate) mod testing {
    //! Scenes in a short form, for tables of tests.

    use assay_protocol::{Scene, SceneNode};

    /// Lines such as `main`, `  button Save`, `  link /orders Orders`, `  tab* Billing` (selected), `  password`.
    pub fn scene(url: &str, title: &str, lines: &str) -> Scene {
        let mut scene = Scene { url: url.to_string(), title: title.to_string(), ..Scene::default() };
        let mut open: Vec<(usize, usize)> = Vec::new();
        for line in lines.lines().filter(|line| !line.trim().is_empty()) {
            let depth = line.len() - line.trim_start().len();
            open.retain(|(known, _)| *known < depth);
            let (role, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
            let mut node = SceneNode { parent: open.last().map(|(_, at)| *at), ..SceneNode::default() };
            let mut name = rest;
            match role.trim_end_matches('*') {
                "h1" | "h2" | "h3" => {
                    node.role = "heading".to_string();
                    node.attributes.insert("level".to_string(), role[1..].to_string());
                }
                "password" => {
                    node.role = "textbox".to_string();
                    name = "Password";
                    node.states.push("secret".to_string());
                }
                "link" => {
                    node.role = "link".to_string();
                    let (href, words) = rest.split_once(' ').unwrap_or((rest, ""));
                    node.attributes.insert("href".to_string(), href.to_string());
                    name = words;
                }
                "dialog" => {
                    node.role = "dialog".to_string();
                    node.attributes.insert("modal".to_string(), "true".to_string());
                }
                "opener" => {
                    node.role = "button".to_string();
                    node.attributes.insert("haspopup".to_string(), "menu".to_string());
                }
                "plain" => {
                    node.role = "button".to_string();
                    node.attributes.insert("type".to_string(), "button".to_string());
                }
                other => node.role = other.to_string(),
            }
            if role.ends_with('*') {
                node.states.push("selected".to_string());
            }
            node.name = name.to_string();
            open.push((depth, scene.nodes.len()));
            scene.nodes.push(node);
        }
        scene
    }
}
