//! The visible content of a page as numbered observations, each with its place.

use assay_protocol::{Scene, SceneNode, in_one_line};

use super::judge::Observation;

/// The maximum number of observations; a longer page is marked as incomplete.
const MOST: usize = 400;
/// The maximum length of a single text.
const LONGEST: usize = 600;

/// All visible content with a meaning, in page order.
pub(crate) fn observations_of(scene: &Scene) -> Vec<Observation> {
    let alone = |what: &str, text: &str| Seen {
        what: what.to_string(),
        text: text.to_string(),
        place: String::new(),
    };
    let mut seen = vec![alone("address", &scene.url), alone("title", &scene.title)];
    if let Some(dialog) = &scene.dialog {
        seen.push(alone(&format!("{} of the browser", dialog.kind), &dialog.message));
    }
    // The place of what is inside each node.
    let mut places: Vec<String> = Vec::with_capacity(scene.nodes.len());
    for (at, node) in scene.nodes.iter().enumerate() {
        let place = node.parent.and_then(|parent| places.get(parent)).cloned().unwrap_or_default();
        places.push(place_inside(scene, at, &place));
        seen.extend(of_node(scene, at, place));
        if seen.len() > MOST {
            break;
        }
    }
    let is_cut = scene.truncated || seen.len() > MOST;
    seen.truncate(MOST);
    if is_cut {
        seen.push(alone("remark", "the page shows more than is listed here"));
    }
    (1..)
        .zip(seen)
        .map(|(number, Seen { what, text, place })| Observation {
            id: format!("o{number}"),
            what,
            text: text.chars().take(LONGEST).collect(),
            place,
        })
        .collect()
}

/// Whether two looks show the same, wherever it stands in the view.
pub(crate) fn are_alike(one: &[Observation], other: &[Observation]) -> bool {
    one.len() == other.len()
        && one.iter().zip(other).all(|(one, other)| one.what == other.what && one.text == other.text)
}

struct Seen {
    what: String,
    text: String,
    place: String,
}

fn of_node(scene: &Scene, at: usize, place: String) -> Option<Seen> {
    let node = &scene.nodes[at];
    if let Some(text) = line_begun_by(scene, at) {
        return Some(Seen { what: "text".to_string(), text, place });
    }
    if node.role == "text" {
        // The words of a named element appear once, with the element; those of a line with the line.
        let around = node.parent.map(|parent| &scene.nodes[parent]);
        let is_told = around.is_some_and(|around| tells(around) && around.name.contains(node.name.trim()))
            || node.parent.is_some_and(|parent| is_line(scene, parent));
        let what = marked(&in_column("text", scene, at), node);
        let says = node.name.chars().any(char::is_alphanumeric);
        return (!is_told && says).then(|| Seen { what, text: node.name.clone(), place });
    }
    if !tells(node) || scene.is_repeated_inside(at) {
        return None;
    }
    let text = match &node.value {
        Some(value) if node.name.trim().is_empty() => format!("(no name): {value}"),
        Some(value) => format!("{}: {value}", node.name),
        None => node.name.clone(),
    };
    // Typed text is not the page's own text.
    let what = if node.value.is_some() { format!("{} with its value", node.role) } else { node.role.clone() };
    Some(Seen { what: marked(&in_column(&what, scene, at), node), text, place })
}

fn tells(node: &SceneNode) -> bool {
    let is_valued = node.value.as_ref().is_some_and(|value| !value.trim().is_empty());
    node.role != "text" && node.role != "generic" && (!node.name.trim().is_empty() || is_valued)
}

/// The whole line, if the node is its first text run: words with links and emphasis among them are read together.
fn line_begun_by(scene: &Scene, at: usize) -> Option<String> {
    let node = &scene.nodes[at];
    let parent = node.parent?;
    let is_run = |inner: &SceneNode| inner.role == "text" && inner.parent == Some(parent);
    let is_first = is_run(node) && !scene.nodes[parent + 1..at].iter().any(is_run);
    (is_first && is_line(scene, parent)).then(|| scene.text_of(parent))
}

/// Whether the children of a node are one line of words, at least one of which is a link or the like.
fn is_line(scene: &Scene, around: usize) -> bool {
    const INLINE: &[&str] = &["text", "link", "generic", "emphasis", "strong", "code", "mark", "time"];
    if tells(&scene.nodes[around]) {
        return false;
    }
    let inside: Vec<&SceneNode> = (around + 1..scene.nodes.len())
        .take_while(|inner| scene.is_within(*inner, around))
        .map(|inner| &scene.nodes[inner])
        .take(24)
        .collect();
    let direct =
        |role: fn(&str) -> bool| inside.iter().any(|node| node.parent == Some(around) && role(&node.role));
    let Some(first) = inside.first() else { return false };
    let is_beside = |node: &&SceneNode| {
        (node.area[1] - first.area[1]).abs() < first.area[3].max(node.area[3]).max(1.0) * 3.0
    };
    inside.len() < 24
        && inside.iter().all(|node| INLINE.contains(&node.role.as_str()))
        && inside.iter().all(is_beside)
        && direct(|role| role == "text")
        && direct(|role| role != "text")
}

/// With the head of its column, where it stands in a table.
fn in_column(what: &str, scene: &Scene, at: usize) -> String {
    let cell = std::iter::once(at)
        .chain(scene.ancestors(at))
        .find_map(|above| scene.nodes[above].attribute("column"));
    match cell.map(str::trim).filter(|column| !column.is_empty()) {
        Some(column) => format!("{what} in column \"{}\"", in_one_line(column)),
        None => what.to_string(),
    }
}

/// The named parts of the page, the outermost first: `dialog "Edit" > table "Books" > row 2`.
fn place_inside(scene: &Scene, at: usize, around: &str) -> String {
    match part(scene, at) {
        Some(part) if around.is_empty() => part,
        Some(part) => format!("{around} > {part}"),
        None => around.to_string(),
    }
}

fn part(scene: &Scene, at: usize) -> Option<String> {
    const PARTS: &[&str] = &[
        "dialog",
        "alertdialog",
        "table",
        "grid",
        "list",
        "navigation",
        "banner",
        "contentinfo",
        "main",
        "region",
        "form",
        "menu",
        "toolbar",
        "tabpanel",
        "tablist",
        "article",
        "complementary",
        "search",
        "frame",
        "group",
        "alert",
        "status",
        "tree",
        "listbox",
    ];
    let node = &scene.nodes[at];
    let role = node.role.as_str();
    if scene.is_head_row(at) {
        return Some("head row".to_string());
    }
    if matches!(role, "row" | "listitem" | "option" | "treeitem") {
        return Some(format!("{role} {}", scene.ordinal_of(at)));
    }
    if !PARTS.contains(&role) {
        return None;
    }
    let name = in_one_line(&node.name);
    // A name that repeats all that is inside names nothing.
    let is_short = !name.is_empty() && name.chars().count() <= 60;
    match (role, is_short) {
        (_, true) => Some(format!("{role} \"{name}\"{}", rough_place(scene, at))),
        ("group" | "region" | "form" | "main", false) => None,
        (_, false) => Some(format!("{role}{}", rough_place(scene, at))),
    }
}

/// Where in the view a part of the page lies, if it is only a part of it.
fn rough_place(scene: &Scene, at: usize) -> String {
    let [left, top, width, height] = scene.nodes[at].area;
    let [view_width, view_height] = scene.view;
    if view_width <= 0.0 || view_height <= 0.0 || width <= 0.0 {
        return String::new();
    }
    let mut places = Vec::new();
    if height < view_height / 2.0 {
        match (top + height / 2.0) / view_height {
            middle if middle < 0.25 => places.push("at the top"),
            middle if (0.75..=1.0).contains(&middle) => places.push("at the bottom"),
            middle if middle > 1.0 => places.push("further down"),
            _ => {}
        }
    }
    if width < view_width / 2.0 {
        match (left + width / 2.0) / view_width {
            middle if middle < 0.3 => places.push("on the left"),
            middle if middle > 0.7 => places.push("on the right"),
            _ => {}
        }
    }
    if places.is_empty() { String::new() } else { format!(" ({})", places.join(", ")) }
}

fn marked(what: &str, node: &SceneNode) -> String {
    const TOLD: &[&str] = &[
        "checked",
        "mixed",
        "disabled",
        "expanded",
        "collapsed",
        "selected",
        "invalid",
        "required",
        "readonly",
        "pressed",
        "covered",
        "offscreen",
        "broken",
        "busy",
        "hollow",
    ];
    let states: Vec<&str> =
        node.states.iter().map(String::as_str).filter(|state| TOLD.contains(state)).collect();
    if states.is_empty() { what.to_string() } else { format!("{what} ({})", states.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(parent: Option<usize>, role: &str, name: &str) -> SceneNode {
        SceneNode { parent, role: role.to_string(), name: name.to_string(), ..SceneNode::default() }
    }

    fn lines(nodes: Vec<SceneNode>) -> Vec<String> {
        let scene =
            Scene { url: "http://x.test/".to_string(), title: "Form".to_string(), nodes, ..Scene::default() };
        let line = |seen: Observation| match seen.place.as_str() {
            "" => format!("{} {}: {}", seen.id, seen.what, seen.text),
            place => format!("{} {}: {} | {place}", seen.id, seen.what, seen.text),
        };
        observations_of(&scene).into_iter().skip(2).map(line).collect()
    }

    #[test]
    fn words_are_told_once_and_entered_text_apart() {
        let mut field = node(None, "textbox", "Name");
        field.value = Some("Ada".to_string());
        let mut empty = node(None, "textbox", "");
        empty.value = Some(String::new());
        let mut button = node(None, "button", "Save");
        button.states = vec!["disabled".to_string(), "secret".to_string()];
        let nodes = vec![
            node(None, "heading", "Your data"),
            node(Some(0), "text", "Your data"),
            node(None, "generic", ""),
            node(Some(2), "text", "all is well"),
            field,
            empty,
            button,
        ];
        assert_eq!(
            lines(nodes),
            [
                "o3 heading: Your data",
                "o4 text: all is well",
                "o5 textbox with its value: Name: Ada",
                "o6 button (disabled): Save",
            ]
        );
    }

    #[test]
    fn rows_and_columns_are_kept() {
        let cell = |row: usize, name: &str, column: &str| {
            let mut cell = node(Some(row), "cell", name);
            cell.attributes.insert("column".to_string(), column.to_string());
            cell
        };
        let nodes = vec![
            node(None, "table", "Books"),
            node(Some(0), "row", ""),
            cell(1, "Emma", "Title"),
            node(Some(2), "link", "Emma"),
            node(Some(0), "row", ""),
            cell(4, "Persuasion", "Title"),
            node(Some(5), "text", "Persuasion"),
        ];
        assert_eq!(
            lines(nodes),
            [
                "o3 table: Books",
                "o4 link in column \"Title\": Emma | table \"Books\" > row 1",
                "o5 cell in column \"Title\": Persuasion | table \"Books\" > row 2",
            ]
        );
    }

    #[test]
    fn a_line_with_a_link_in_it_is_one_text() {
        let nodes = vec![
            node(None, "generic", ""),
            node(Some(0), "text", "Read"),
            node(Some(0), "link", "the guide"),
            node(Some(2), "text", "the guide"),
            node(Some(0), "text", "first."),
        ];
        assert_eq!(lines(nodes), ["o3 text: Read the guide first.", "o4 link: the guide"]);
    }
}
