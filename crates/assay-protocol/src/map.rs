//! The element map: the content of a surface as a short list.

use serde::{Deserialize, Serialize};

/// `e12` for the number 12.
pub fn ref_name(id: u32) -> String {
    format!("e{id}")
}

/// One element of a map, in document order. `depth` gives the tree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MapNode {
    pub depth: u32,
    /// None for structure and plain text, which cannot be acted on.
    #[serde(rename = "ref", default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    pub role: String,
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub states: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ElementMap {
    pub title: String,
    pub url: String,
    pub nodes: Vec<MapNode>,
}

/// One element as it is named in answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ElementLine {
    #[serde(rename = "ref")]
    pub reference: String,
    pub role: String,
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub states: Vec<String>,
}
