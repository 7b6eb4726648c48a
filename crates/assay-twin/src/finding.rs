//! One point in which two observations of a step differ.

use std::fmt;

use crate::picture::touches;
use serde::{Deserialize, Serialize};

/// What is compared, in the order in which a report names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Aspect {
    Effect,
    Text,
    Structure,
    Picture,
    Requests,
    Timing,
}

impl Aspect {
    pub const ALL: [Aspect; 6] =
        [Aspect::Effect, Aspect::Text, Aspect::Structure, Aspect::Picture, Aspect::Requests, Aspect::Timing];

    pub fn name(self) -> &'static str {
        match self {
            Aspect::Effect => "effect",
            Aspect::Text => "text",
            Aspect::Structure => "structure",
            Aspect::Picture => "picture",
            Aspect::Requests => "requests",
            Aspect::Timing => "timing",
        }
    }
}

impl fmt::Display for Aspect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// In which way they differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    /// The same thing says something else.
    Said,
    /// The old build has it, the new one does not.
    Missing,
    /// The new build has it, the old one does not.
    Extra,
    /// The same things in another order.
    Order,
    /// It looks different.
    Look,
    /// It took much longer, or much less.
    Took,
    /// It could not be observed on one side.
    Unseen,
}

/// Left, top, width, height.
pub type Area = [f64; 4];

/// Where something was found, for programs and for people.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    /// The kind of page.
    pub page: String,
    /// The way to it in the old build and the part of it: `main[1]/table[1]/row[2]/text[1]#text`.
    pub key: String,
    /// The same in the new build.
    pub new_key: String,
    /// `table "Orders" > row "Lamp 12"`.
    pub shown: String,
}

/// One point in which the new build differs from the old one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    pub aspect: Aspect,
    pub change: Change,
    pub place: Place,
    /// What the old build has there; empty where it has nothing.
    pub old: String,
    pub new: String,
    /// Where it is in the pictures, in CSS pixels of the page.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub old_areas: Vec<Area>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub new_areas: Vec<Area>,
}

impl Finding {
    pub(crate) fn new(aspect: Aspect, change: Change, place: Place, old: &str, new: &str) -> Finding {
        Finding {
            aspect,
            change,
            place,
            old: old.to_string(),
            new: new.to_string(),
            old_areas: Vec::new(),
            new_areas: Vec::new(),
        }
    }

    /// Whether it may be the same point, seen another time.
    pub fn is_like(&self, other: &Finding) -> bool {
        self.aspect == other.aspect
            && self.change == other.change
            && (self.place.key == other.place.key
                || self.place.new_key == other.place.new_key
                || (self.old == other.old && self.new == other.new)
                || self.aspect == Aspect::Picture)
    }

    /// Whether it is at the same place, whatever was said there.
    pub(crate) fn is_at(&self, other: &Finding) -> bool {
        let is_near = |one: &Area| other.old_areas.iter().any(|area| touches(*one, *area));
        self.aspect == other.aspect
            && self.change == other.change
            && match self.aspect {
                Aspect::Picture => self.old_areas.iter().any(is_near),
                _ => self.place.key == other.place.key || self.place.new_key == other.place.new_key,
            }
    }

    /// One line for people.
    pub fn words(&self) -> String {
        let (old, new) = (quoted(&self.old), quoted(&self.new));
        let shown = &self.place.shown;
        match self.change {
            Change::Said | Change::Order | Change::Look | Change::Took => format!("{shown}: {old} → {new}"),
            Change::Missing => format!("{shown}: missing: {old}"),
            Change::Extra => format!("{shown}: new: {new}"),
            Change::Unseen => format!("{shown}: old {old}, new {new}"),
        }
    }
}

fn quoted(text: &str) -> String {
    if text.is_empty() { "nothing".to_string() } else { format!("`{}`", crate::page::shortened(text, 160)) }
}
