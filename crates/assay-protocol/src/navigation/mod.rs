//! Navigation trees: the screens of an application, how each is recognised, and the ways between them.
//!
//! A tree is what a person reviews. How often a way worked, and how long it took, is not part of it.

mod address_pattern;
mod edge_command;
mod element_condition;

pub use address_pattern::{AddressPattern, NoAddressPattern, fits_glob};
pub use edge_command::{EdgeCommand, NoEdgeCommand};
pub use element_condition::{ElementCondition, NoElementCondition};

use serde::{Deserialize, Serialize};

/// The screens of one user interface. Both lists keep the order of the file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NavigationTree {
    pub interface: String,
    /// Where the application was when it was explored; the project's own address comes first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_url: Option<String>,
    /// Screens that the application opens with.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub entry: Vec<String>,
    #[serde(default)]
    pub screens: Vec<Screen>,
    #[serde(default)]
    pub edges: Vec<Edge>,
}

/// One screen, and how it is recognised. All conditions that are given must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Screen {
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<AddressPattern>,
    /// The first heading; `*` stands for any words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heading: Option<String>,
    /// The title of the document; `*` stands for any words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The screen that it is a part of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<String>,
    /// In which state of the application it can be reached: `logged in`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub has: Vec<ElementCondition>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lacks: Vec<ElementCondition>,
    /// Never entered or changed by exploring.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub protected: bool,
}

/// A way from one screen to another, and perhaps back.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edge {
    /// A screen, or [`ANY_SCREEN`].
    pub from: String,
    pub to: String,
    /// Commands as they are typed after `assay`; [`LINK_TO`] and a pattern stand for a link of the page.
    #[serde(rename = "do")]
    pub acts: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub back: Vec<String>,
}

/// Where an edge begins that every screen has, such as a link of the menu.
pub const ANY_SCREEN: &str = "*";

/// `click link to /orders/{id}`: the first link of the page whose address fits the pattern.
pub const LINK_TO: &str = "click link to ";

/// One way, in one direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DirectedEdge<'t> {
    pub from: &'t str,
    pub to: &'t str,
    pub acts: &'t [String],
}

impl NavigationTree {
    pub fn screen(&self, name: &str) -> Option<&Screen> {
        self.screens.iter().find(|screen| screen.name == name)
    }

    /// All ways, those back included. Edges from any screen are given once, as they are written.
    pub fn ways(&self) -> impl Iterator<Item = DirectedEdge<'_>> {
        self.edges.iter().flat_map(|edge| {
            let there = DirectedEdge { from: &edge.from, to: &edge.to, acts: &edge.acts };
            let back = (!edge.back.is_empty() && edge.from != ANY_SCREEN).then_some(DirectedEdge {
                from: &edge.to,
                to: &edge.from,
                acts: &edge.back,
            });
            std::iter::once(there).chain(back)
        })
    }

    /// The screens that contain this one, the nearest first. A circle ends where it closes.
    pub fn above<'t>(&'t self, name: &str) -> Vec<&'t Screen> {
        let mut found: Vec<&Screen> = Vec::new();
        let mut at = self.screen(name);
        while let Some(above) =
            at.and_then(|screen| screen.within.as_deref()).and_then(|name| self.screen(name))
        {
            if above.name == name || found.iter().any(|known| known.name == above.name) {
                break;
            }
            found.push(above);
            at = Some(above);
        }
        found
    }
}

/// How one edge did so far.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct EdgeMetrics {
    pub from: String,
    pub to: String,
    pub acts: Vec<String>,
    pub tries: u32,
    pub successes: u32,
    /// The mean time of the successes.
    pub milliseconds: u64,
    /// When it was last walked, in milliseconds since 1970.
    pub last_seen: u64,
    /// What went wrong the last time, if that was the last try.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trouble: Option<String>,
}

/// Something that was seen of an application, with its evidence.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LearnedFact {
    pub number: i64,
    /// The tree that it is about.
    pub tree: String,
    /// The screen that it is about.
    pub subject: String,
    pub kind: FactKind,
    pub value: String,
    /// Where and how it was seen.
    pub evidence: String,
    pub seen: u32,
    pub last_seen: u64,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FactKind {
    /// Another name of a screen: the label of a link that leads there, or its title.
    #[default]
    Label,
    /// The screen takes long to come to rest.
    Slow,
    /// The way to a screen led elsewhere.
    Redirect,
}

impl FactKind {
    pub const ALL: &'static [(&'static str, FactKind)] =
        &[("label", FactKind::Label), ("slow", FactKind::Slow), ("redirect", FactKind::Redirect)];

    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, kind)| *kind == self).map_or("", |(name, _)| name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_back_is_a_way() {
        let edge = Edge {
            from: "A".to_string(),
            to: "B".to_string(),
            acts: vec!["click \"b\"".to_string()],
            back: vec!["back".to_string()],
        };
        let tree = NavigationTree { edges: vec![edge], ..NavigationTree::default() };
        let ways: Vec<(&str, &str)> = tree.ways().map(|way| (way.from, way.to)).collect();
        assert_eq!(ways, [("A", "B"), ("B", "A")]);
    }
}
