//! Elements by the refs that a reading of the page gave them, for the toolset that has such readings. What is done to one
//! is an act on that element, not on a point.

use std::collections::BTreeSet;

use assay_prompt::{element_line, fenced, harmless, page_map};
use assay_protocol::{Action, DropSide, MouseButton, Scene, SceneNode, ScrollTo, Selector};
use assay_provider::answer::PageRead;
use serde_json::Value;

/// `ref_12` there is `e12` here.
const MARK: &str = "ref_";
/// As many as the contract of the toolset allows.
const MOST_FOUND: usize = 20;
/// The contract allows fifty thousand letters; this is enough for a page, and costs a fifth of it.
const PAGE_TOKENS: usize = 4000;

/// What is called so on the page as it is now.
pub(crate) fn node<'s>(reference: &str, scene: &'s Scene) -> Result<&'s SceneNode, String> {
    let number = reference.strip_prefix(MARK).unwrap_or_default();
    let own = format!("e{number}");
    scene
        .nodes
        .iter()
        .find(|node| node.role != "text" && node.reference.as_deref() == Some(own.as_str()))
        .ok_or_else(|| format!("there is no element {} on the page now", harmless(reference)))
}

fn selector(node: &SceneNode) -> Result<Selector, String> {
    Selector::parse(node.reference.as_deref().unwrap_or_default()).map_err(|err| err.to_string())
}

pub(crate) fn clicked(
    node: &SceneNode,
    button: MouseButton,
    times: u8,
    modifiers: Vec<String>,
) -> Result<Action, String> {
    let target = selector(node)?;
    match (times, button) {
        (1, _) => Ok(Action::Click { target, button, modifiers }),
        (2, MouseButton::Left) if modifiers.is_empty() => Ok(Action::Dblclick { target }),
        _ => Err("an element is clicked once or twice; for more, click its point".to_string()),
    }
}

pub(crate) fn hovered(node: &SceneNode) -> Result<Action, String> {
    Ok(Action::Hover { target: selector(node)? })
}

pub(crate) fn scrolled_to(node: &SceneNode) -> Result<Action, String> {
    Ok(Action::Scroll { to: ScrollTo::Element { target: selector(node)? } })
}

pub(crate) fn dragged(from: &SceneNode, to: &SceneNode) -> Result<Action, String> {
    Ok(Action::Drag { from: selector(from)?, to: selector(to)?, side: DropSide::On })
}

/// A value for a field, by what kind of field it is.
pub(crate) fn set(node: &SceneNode, value: &Value) -> Result<Action, String> {
    let target = selector(node)?;
    match (value, node.role.as_str()) {
        (Value::Bool(true), _) => Ok(Action::Check { target }),
        (Value::Bool(false), _) => Ok(Action::Uncheck { target }),
        (Value::String(text), _) if !node.options.is_empty() => {
            Ok(Action::Select { target, options: vec![text.clone()] })
        }
        (Value::String(_), "checkbox" | "radio" | "switch") => {
            Err("expected true or false for this field".to_string())
        }
        (Value::String(text), _) => Ok(Action::Fill { target, text: text.clone() }),
        (Value::Number(number), _) => Ok(Action::Fill { target, text: number.to_string() }),
        _ => Err("expected a text, a number, true or false".to_string()),
    }
}

/// The page in words, as they were asked for.
pub(crate) fn read(wanted: &PageRead, scene: &Scene) -> Result<String, String> {
    match wanted {
        PageRead::Elements { .. } => Ok(with_marks(&page_map(scene, &BTreeSet::new(), PAGE_TOKENS))),
        PageRead::Find { query } => {
            let words: Vec<String> =
                query.to_lowercase().split_whitespace().map(ToString::to_string).collect();
            let lines = scene.nodes.iter().filter(|node| node.reference.is_some()).map(element_line);
            let found: Vec<String> = lines
                .filter(|line| words.iter().any(|word| line.to_lowercase().contains(word)))
                .take(MOST_FOUND)
                .collect();
            Ok(if found.is_empty() {
                "(empty)".to_string()
            } else {
                with_marks(&fenced("elements", &found.join("\n")))
            })
        }
        PageRead::Text => {
            let texts =
                scene.nodes.iter().filter(|node| node.role == "text").map(|node| harmless(&node.name));
            let text = texts.collect::<Vec<_>>().join("\n");
            Ok(if text.is_empty() { "(empty)".to_string() } else { fenced("text", &text) })
        }
        PageRead::Console | PageRead::Network => Err("the console and the network are not shown".to_string()),
    }
}

/// Lines that begin with a ref, with the ref as the toolset writes it.
fn with_marks(lines: &str) -> String {
    let marked = lines.lines().map(|line| {
        let (first, rest) = line.split_once(' ').unwrap_or((line, ""));
        match first.strip_prefix('e').filter(|number| number.parse::<u32>().is_ok()) {
            Some(number) => format!("[{MARK}{number}] {rest}"),
            None => line.to_string(),
        }
    });
    marked.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scene() -> Scene {
        let node = |reference: &str, role: &str, name: &str| SceneNode {
            reference: Some(reference.to_string()),
            role: role.to_string(),
            name: name.to_string(),
            ..SceneNode::default()
        };
        let list = SceneNode { options: vec!["Ketch".to_string()], ..node("e3", "combobox", "Kind") };
        let text = SceneNode { role: "text".into(), name: "Fish".into(), ..SceneNode::default() };
        let nodes = vec![node("e1", "button", "Save"), node("e2", "checkbox", "Rules"), list, text];
        Scene { nodes, ..Scene::default() }
    }

    #[test]
    fn a_page_is_read_with_refs_of_the_toolset_and_they_are_found_again() {
        let scene = scene();
        let all = PageRead::Elements { interactive_only: false, depth: 15, below: None };
        assert!(read(&all, &scene).unwrap().contains("[ref_1] button \"Save\""));
        let found = read(&PageRead::Find { query: "save button".into() }, &scene).unwrap();
        assert!(found.contains("[ref_1]") && !found.contains("[ref_3]"), "{found}");
        assert_eq!(read(&PageRead::Find { query: "whale".into() }, &scene).unwrap(), "(empty)");
        assert!(read(&PageRead::Text, &scene).unwrap().contains("Fish"));
        assert_eq!(node("ref_1", &scene).unwrap().name, "Save");
        assert!(node("ref_9", &scene).is_err() && node("e1", &scene).is_err());
    }

    #[test]
    fn a_value_is_set_by_the_kind_of_field() {
        let scene = scene();
        let of = |reference: &str, value: Value| set(node(reference, &scene).unwrap(), &value);
        assert!(matches!(of("ref_2", Value::Bool(true)), Ok(Action::Check { .. })));
        assert!(matches!(of("ref_3", "Ketch".into()), Ok(Action::Select { .. })));
        assert!(of("ref_2", "yes".into()).is_err());
        assert!(of("ref_2", Value::Null).is_err());
    }
}
