//! A lasting description of one element, for finding it in another browser or after the page has changed.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The name, attributes and position of an element. Holds no ref, because it outlives the page.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Signature {
    pub role: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// `tag`, `type`, `id`, `name`, `choice`, `label`, `placeholder`, `testid`, `title`, `alt`, `href` without its host;
    /// where its form is sent (`sends`, of a button `submits`) and what goes along with it (`carries`).
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub marks: BTreeMap<String, String>,
    /// Its named ancestors, nearest first: `row "Oak lamp 12 €"`, `dialog "Delete user"`.
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

/// The attributes that identify an element, whatever the others say.
const TELLING: &[&str] = &["type", "id", "name", "testid", "label", "placeholder", "href", "submits"];

impl Signature {
    /// Whether the element's own description is unchanged. Words beside it, styles and its position may differ.
    pub fn is_marked_like(&self, other: &Signature) -> bool {
        let mark = |name: &&str| self.marks.get(*name) == other.marks.get(*name);
        self.role == other.role && self.name == other.name && TELLING.iter().all(mark)
    }
}
