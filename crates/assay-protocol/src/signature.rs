//! A lasting description of one element, by which it is found again in another browser or after the page changed.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What an element was called, what it was marked with and where it stood. Holds no ref: it outlives the page.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Signature {
    pub role: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// `tag`, `type`, `id`, `name`, `choice`, `label`, `placeholder`, `testid`, `title`, `alt`, `href` without its host;
    /// where its form is sent (`sends`, of a button `submits`) and what goes along with it (`carries`).
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub marks: BTreeMap<String, String>,
    /// What is named around it, the nearest first: `row "Oak lamp 12 €"`, `dialog "Delete user"`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub within: Vec<String>,
    /// The words just before and just after it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub near: Vec<String>,
    /// Which of those with the same role and name it was, from 1, and how many there were.
    pub place: (usize, usize),
    /// The same among all of its kind, whatever they are called: of all buttons, of all fields for one line.
    #[serde(default)]
    pub kind: (usize, usize),
}

/// What tells an element apart: by these it is known, whatever else is said of it.
const TELLING: &[&str] = &["type", "id", "name", "testid", "label", "placeholder", "href", "submits"];

impl Signature {
    /// Whether nothing that the element itself says of what it is has changed. Words beside it, styles and its place
    /// may.
    pub fn is_marked_like(&self, other: &Signature) -> bool {
        let mark = |name: &&str| self.marks.get(*name) == other.marks.get(*name);
        self.role == other.role && self.name == other.name && TELLING.iter().all(mark)
    }
}
