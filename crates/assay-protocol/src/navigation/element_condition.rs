//! What must be on a screen, or must not: `button "Add user"`, `tab "Billing" selected`, `"Not found"`.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::fits_glob;
use crate::{Scene, SceneNode, in_one_line};

/// An element or a text by which a screen is recognised.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ElementCondition {
    /// None for a text, wherever it stands.
    pub role: Option<String>,
    /// `*` stands for any words.
    pub name: Option<String>,
    pub states: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoElementCondition {
    #[error("expected an element such as `link \"Orders\"` or a text in quotes, found `{found}`")]
    Shape { found: String },
    #[error("expected a closing quote in `{found}`")]
    UnclosedQuote { found: String },
}

impl ElementCondition {
    pub fn of(role: &str, name: &str) -> ElementCondition {
        let name = (!name.is_empty()).then(|| name.to_string());
        ElementCondition { role: Some(role.to_string()), name, states: Vec::new() }
    }

    pub fn parse(text: &str) -> Result<ElementCondition, NoElementCondition> {
        let text = text.trim();
        let shape = || NoElementCondition::Shape { found: text.to_string() };
        let is_word = |word: &str| {
            !word.is_empty() && word.chars().all(|letter| letter.is_ascii_lowercase() || letter == '-')
        };
        let (role, name, rest) = match text.split_once('"') {
            Some((before, after)) => {
                // The last quote closes: names may hold quotes.
                let (name, rest) = after
                    .rsplit_once('"')
                    .ok_or_else(|| NoElementCondition::UnclosedQuote { found: text.to_string() })?;
                (before.trim(), Some(name.to_string()), rest)
            }
            None => {
                let (role, rest) = text.split_once(' ').unwrap_or((text, ""));
                (role, None, rest)
            }
        };
        let states: Vec<String> = rest.split_whitespace().map(str::to_string).collect();
        if !states.iter().all(|state| is_word(state)) || (role.is_empty() && name.is_none()) {
            return Err(shape());
        }
        if name.as_deref().is_some_and(|name| name.trim().is_empty()) || !(role.is_empty() || is_word(role)) {
            return Err(shape());
        }
        Ok(ElementCondition { role: (!role.is_empty()).then(|| role.to_string()), name, states })
    }

    /// Whether it says that a part of a page is open: a dialog, or a tab that is selected.
    pub fn is_open_part(&self) -> bool {
        match self.role.as_deref() {
            Some("dialog" | "alertdialog") => true,
            Some("tab") => self.states.iter().any(|state| state == "selected"),
            _ => false,
        }
    }

    pub fn holds_in(&self, scene: &Scene) -> bool {
        self.holds_for(scene, |_| true)
    }

    /// Whether an element that it describes is one of these.
    pub fn holds_for(&self, scene: &Scene, is_one: impl Fn(&SceneNode) -> bool) -> bool {
        scene.nodes.iter().any(|node| self.fits(node) && is_one(node))
    }

    fn fits(&self, node: &SceneNode) -> bool {
        if !self.states.iter().all(|state| node.is(state)) {
            return false;
        }
        let names = |wanted: &String| fits_glob(&in_one_line(wanted), &in_one_line(&node.name));
        match (&self.role, &self.name) {
            (Some(role), name) => node.role == *role && name.as_ref().is_none_or(names),
            (None, Some(text)) => node.role == "text" && in_one_line(&node.name).contains(&in_one_line(text)),
            (None, None) => false,
        }
    }
}

impl std::fmt::Display for ElementCondition {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let quoted = self.name.as_ref().map(|name| format!("\"{name}\""));
        let words = self.role.iter().cloned().chain(quoted).chain(self.states.iter().cloned());
        formatter.write_str(&words.collect::<Vec<_>>().join(" "))
    }
}

impl Serialize for ElementCondition {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ElementCondition {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ElementCondition, D::Error> {
        ElementCondition::parse(&String::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        for text in [
            "button \"Add user\"",
            "tab \"Billing\" selected",
            "table",
            "\"Nothing here\"",
            "link \"5\" tall\"",
        ] {
            assert_eq!(ElementCondition::parse(text).map(|read| read.to_string()).as_deref(), Ok(text));
        }
        for wrong in ["", "\"\"", "button \"Add", "Add user!", "12 \"x\""] {
            assert!(ElementCondition::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_star_stands_for_any_words() {
        let node = |role: &str, name: &str| SceneNode {
            role: role.to_string(),
            name: name.to_string(),
            ..SceneNode::default()
        };
        let scene = Scene {
            nodes: vec![node("heading", "Order 17"), node("text", "All is well")],
            ..Scene::default()
        };
        let holds = |text: &str| ElementCondition::parse(text).is_ok_and(|known| known.holds_in(&scene));
        assert!(holds("heading \"Order *\"") && holds("heading") && holds("\"is well\""));
        assert!(!holds("heading \"Order\"") && !holds("heading \"Order 17\" disabled"));
    }
}
