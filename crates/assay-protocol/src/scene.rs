//! Everything a surface shows at one moment: the basis for judging sentences.
//!
//! The element map is a short version for people and models. A scene is complete: each visible element and text
//! with everything that a sentence could call it by.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{BrowserDialog, TabLine, in_one_line};

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Scene {
    pub url: String,
    pub title: String,
    /// Counts the documents of the tab: what was true in another document proves nothing in this one.
    #[serde(default)]
    pub document: u64,
    /// Width and height of the view, in CSS pixels.
    #[serde(default)]
    pub view: [f64; 2],
    /// In document order, without invisible elements.
    pub nodes: Vec<SceneNode>,
    /// The scene is incomplete: the page is too large, or a frame is still loading. Then no claim about absence or
    /// counts can be judged.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
    /// The page has set itself timers, the last of which is due in so many milliseconds: it may still change.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub due_ms: u32,
    /// An open dialog of the browser: then nothing else can be acted on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dialog: Option<BrowserDialog>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tabs: Vec<TabLine>,
    /// The names of the files that were downloaded so far; not of downloads that failed or are under way.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub downloads: Vec<String>,
}

/// Two scenes are equal when they show the same, however soon the page may change.
impl PartialEq for Scene {
    fn eq(&self, other: &Scene) -> bool {
        self.document == other.document
            && self.url == other.url
            && self.title == other.title
            && self.view == other.view
            && self.truncated == other.truncated
            && self.dialog == other.dialog
            && self.tabs == other.tabs
            && self.downloads == other.downloads
            && self.nodes == other.nodes
    }
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// One visible element or run of text.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SceneNode {
    /// The place of the nearest element around it that is in the scene; always before this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<usize>,
    /// None for plain text and for structure that cannot be acted on.
    #[serde(rename = "ref", default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// The ARIA role, as in the map; `text` for a run of text, `generic` for an element without a role.
    pub role: String,
    /// The accessible name; of a `text` node the text itself.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// What a field holds. Text that can be edited is only here, never in a `text` node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// As in the map: `checked`, `mixed`, `disabled`, `expanded`, `collapsed`, `selected`, `focused`, `invalid`,
    /// `required`, `readonly`, `pressed`; and `covered`, when something lies over it, `offscreen`, when it must be
    /// scrolled to, `clickable`, when it has no role but reacts to a click, `secret`, when its value is masked; `broken`
    /// for an image that did not come, `busy` for what is still being filled, `hollow` for an entry of a list or table
    /// in which there is nothing to be seen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub states: Vec<String>,
    /// Other ways to call it: `tag`, `id`, `class`, `name`, `type`, `label`, `placeholder`, `testid`,
    /// `title`, `alt`, `href`, `autocomplete`, `src`; of a cell `column`, the words of its column's head; of a text
    /// `transform`, where a style changes the case of its letters.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub attributes: BTreeMap<String, String>,
    /// What a list to choose from offers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    /// Left, top, width, height in CSS pixels of the view.
    #[serde(rename = "box", default)]
    pub area: [f64; 4],
}

impl SceneNode {
    pub fn is(&self, state: &str) -> bool {
        self.states.iter().any(|known| known == state)
    }

    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.get(name).map(String::as_str)
    }
}

impl Scene {
    /// The elements around a node, the nearest first.
    pub fn ancestors(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(self.nodes.get(at).and_then(|node| node.parent), |above| {
            self.nodes.get(*above).and_then(|node| node.parent)
        })
    }

    pub fn is_within(&self, at: usize, around: usize) -> bool {
        self.ancestors(at).any(|above| above == around)
    }

    /// All text that is seen inside a node, and its own name where there is none.
    pub fn text_of(&self, at: usize) -> String {
        let Some(node) = self.nodes.get(at) else { return String::new() };
        if node.role == "text" {
            return node.name.clone();
        }
        let inside: Vec<&str> = self
            .nodes
            .iter()
            .enumerate()
            .skip(at + 1)
            .take_while(|(index, _)| self.is_within(*index, at))
            .filter(|(_, inner)| inner.role == "text")
            .map(|(_, inner)| inner.name.as_str())
            .collect();
        if inside.is_empty() { node.name.clone() } else { inside.join(" ") }
    }

    /// Which of its kind a node is among its siblings, from 1. Rows of column heads do not count.
    pub fn ordinal_of(&self, at: usize) -> usize {
        let Some(node) = self.nodes.get(at) else { return 1 };
        let is_alike = |other: &usize| {
            let other_node = &self.nodes[*other];
            other_node.parent == node.parent && other_node.role == node.role && !self.is_head_row(*other)
        };
        let first = node.parent.map_or(0, |parent| parent + 1);
        1 + (first..at).filter(is_alike).count()
    }

    /// Whether it is a row of column heads and nothing else.
    pub fn is_head_row(&self, at: usize) -> bool {
        let is_row = self.nodes.get(at).is_some_and(|node| node.role == "row");
        let inside = || (at + 1..self.nodes.len()).take_while(|inner| self.is_within(*inner, at));
        let has = |roles: &[&str]| inside().any(|inner| roles.contains(&self.nodes[inner].role.as_str()));
        is_row && has(&["columnheader"]) && !has(&["cell", "gridcell", "rowheader"])
    }

    /// Whether elements inside say all that it says: a cell around a link, a row around its cells. What has a state of
    /// its own, or a text of its own beside them, says more.
    pub fn is_repeated_inside(&self, at: usize) -> bool {
        const AROUND: &[&str] =
            &["cell", "gridcell", "rowheader", "row", "listitem", "list", "table", "rowgroup"];
        let Some(node) = self.nodes.get(at) else { return false };
        if !AROUND.contains(&node.role.as_str()) || node.states.iter().any(|state| state != "offscreen") {
            return false;
        }
        let inside = || (at + 1..self.nodes.len()).take_while(|inner| self.is_within(*inner, at));
        let is_named = |inner: usize| {
            let inner = &self.nodes[inner];
            !matches!(inner.role.as_str(), "text" | "generic") && !inner.name.trim().is_empty()
        };
        let is_of_named = |text: usize| self.ancestors(text).take_while(|above| *above != at).any(is_named);
        let own = in_one_line(&node.name);
        let is_said = own.is_empty()
            || own == in_one_line(&self.text_of(at))
            || inside().any(|inner| is_named(inner) && in_one_line(&self.nodes[inner].name) == own);
        is_said
            && inside().any(is_named)
            && inside().filter(|inner| self.nodes[*inner].role == "text").all(is_of_named)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(parent: Option<usize>, role: &str, name: &str) -> SceneNode {
        SceneNode { parent, role: role.to_string(), name: name.to_string(), ..SceneNode::default() }
    }

    #[test]
    fn the_text_of_a_node_is_what_is_seen_inside_it() {
        let scene = Scene {
            nodes: vec![
                node(None, "row", "Lamp 12"),
                node(Some(0), "cell", "Lamp"),
                node(Some(1), "text", "Lamp"),
                node(Some(0), "cell", "12"),
                node(Some(3), "text", "12"),
                node(None, "text", "elsewhere"),
            ],
            ..Scene::default()
        };
        assert_eq!(scene.text_of(0), "Lamp 12");
        assert_eq!(scene.text_of(3), "12");
        assert!(scene.is_within(4, 0) && !scene.is_within(5, 0));
    }
}
