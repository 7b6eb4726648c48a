//! The visible content of a page as numbered observations.

use assay_protocol::{Scene, SceneNode};

use super::judge::Observation;

/// The maximum number of observations; a longer page is marked as incomplete.
const MOST: usize = 400;
/// The maximum length of a single text.
const LONGEST: usize = 600;

/// All visible content with a meaning, in page order.
pub(crate) fn observations_of(scene: &Scene) -> Vec<Observation> {
    let mut seen =
        vec![("address".to_string(), scene.url.clone()), ("title".to_string(), scene.title.clone())];
    if let Some(dialog) = &scene.dialog {
        seen.push((format!("{} of the browser", dialog.kind), dialog.message.clone()));
    }
    let telling = (0..scene.nodes.len()).filter_map(|at| of_node(scene, at));
    seen.extend(telling);
    let is_cut = scene.truncated || seen.len() > MOST;
    seen.truncate(MOST);
    if is_cut {
        seen.push(("remark".to_string(), "the page shows more than is listed here".to_string()));
    }
    (1..)
        .zip(seen)
        .map(|(number, (what, text))| Observation {
            id: format!("o{number}"),
            what,
            text: text.chars().take(LONGEST).collect(),
        })
        .collect()
}

fn of_node(scene: &Scene, at: usize) -> Option<(String, String)> {
    let node = &scene.nodes[at];
    if node.role == "text" {
        // The words of a named element appear once, with the element.
        let around = node.parent.map(|parent| &scene.nodes[parent]);
        let is_told = around.is_some_and(|around| tells(around) && around.name.contains(node.name.trim()));
        return (!is_told && !node.name.trim().is_empty()).then(|| (marked("text", node), node.name.clone()));
    }
    if !tells(node) {
        return None;
    }
    let text = match &node.value {
        Some(value) => format!("{}: {value}", node.name),
        None => node.name.clone(),
    };
    // Typed text is not the page's own text.
    let what =
        if node.value.is_some() { format!("{} with what was entered", node.role) } else { node.role.clone() };
    Some((marked(&what, node), text))
}

fn tells(node: &SceneNode) -> bool {
    node.role != "text" && node.role != "generic" && (!node.name.trim().is_empty() || node.value.is_some())
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

    #[test]
    fn words_are_told_once_and_entered_text_apart() {
        let mut field = node(None, "textbox", "Name");
        field.value = Some("Ada".to_string());
        let mut button = node(None, "button", "Save");
        button.states = vec!["disabled".to_string(), "focused".to_string()];
        let scene = Scene {
            url: "http://x.test/".to_string(),
            title: "Form".to_string(),
            nodes: vec![
                node(None, "heading", "Your data"),
                node(Some(0), "text", "Your data"),
                node(None, "generic", ""),
                node(Some(2), "text", "all is well"),
                field,
                button,
            ],
            ..Scene::default()
        };
        let lines: Vec<String> = observations_of(&scene)
            .into_iter()
            .map(|seen| format!("{} {}: {}", seen.id, seen.what, seen.text))
            .collect();
        assert_eq!(
            lines,
            [
                "o1 address: http://x.test/",
                "o2 title: Form",
                "o3 heading: Your data",
                "o4 text: all is well",
                "o5 textbox with what was entered: Name: Ada",
                "o6 button (disabled): Save",
            ]
        );
    }
}
