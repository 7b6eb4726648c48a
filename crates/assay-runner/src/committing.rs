//! Whether an exact command commits something: submits, pays, deletes.

use assay_driver::parse_chord;
use assay_language::name_commits;
use assay_protocol::{Action, EffectClass, Scene, SceneNode};

/// The effect of a command is unknown in advance. A command that can press a button counts as committing, unless the
/// page shows that the button does not.
pub fn may_commit(action: &Action, seen: Option<&Scene>) -> bool {
    if action.effect_class() != EffectClass::Commits {
        return false;
    }
    match action {
        Action::Click { target, .. } | Action::Dblclick { target } => {
            let of_target = |node: &&SceneNode| {
                node.role != "text" && node.reference.as_deref() == Some(target.source.as_str())
            };
            let place =
                seen.and_then(|scene| Some((scene, scene.nodes.iter().position(|node| of_target(&node))?)));
            // Pressing the image on a button presses the button.
            place.is_none_or(|(scene, at)| {
                let mut around = std::iter::once(at).chain(scene.ancestors(at));
                around.any(|at| presses_something(&scene.nodes[at]))
            })
        }
        Action::Press { keys, .. } => {
            keys.iter().any(|key| parse_chord(key).map_or(true, |stroke| presses(&stroke.key)))
        }
        // The target is unknown if the page names nothing at the point.
        Action::Raw { input, .. } => !input.pressed().is_empty(),
        // The page does not show what the other commands do.
        _ => true,
    }
}

/// Whether a key presses the focused element.
pub(crate) fn presses(key: &str) -> bool {
    matches!(key, "Enter" | " " | "Space" | "NumpadEnter")
}

fn presses_something(node: &SceneNode) -> bool {
    let is_pressed = matches!(node.role.as_str(), "button" | "menuitem" | "clickable" | "link");
    let leads_away = node.role == "link" && node.attribute("href").is_some_and(|href| !href.starts_with('#'));
    is_pressed && !leads_away && (node.attribute("type") == Some("submit") || name_commits(&node.name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use assay_protocol::{MouseButton, Selector};

    fn node(reference: &str, role: &str, name: &str, kind: &str) -> SceneNode {
        SceneNode {
            reference: Some(reference.to_string()),
            role: role.to_string(),
            name: name.to_string(),
            attributes: [("type".to_string(), kind.to_string())].into(),
            ..SceneNode::default()
        }
    }

    #[test]
    fn only_a_button_that_is_seen_to_be_harmless_is() {
        let nodes = vec![
            node("e1", "button", "Place order", "button"),
            node("e2", "button", "Show details", "button"),
            node("e3", "button", "Go", "submit"),
        ];
        let scene = Scene { nodes, ..Scene::default() };
        let click = |target: &str| Action::Click {
            target: Selector::parse(target).unwrap(),
            button: MouseButton::Left,
            modifiers: Vec::new(),
        };
        assert!(may_commit(&click("e1"), Some(&scene)));
        assert!(!may_commit(&click("e2"), Some(&scene)));
        assert!(may_commit(&click("e3"), Some(&scene)));
        assert!(may_commit(&click("#unknown"), Some(&scene)));
        assert!(may_commit(&click("e2"), None));
        assert!(!may_commit(&Action::Reload, Some(&scene)));
    }
}
