//! The record of a passed run: the acts of each sentence, with descriptions of their elements and the kind of their
//! effect. It is committed beside the test, so the next run need not work the steps out again.

use serde::{Deserialize, Serialize};

use crate::{EffectKind, LastingAct, Part, Signature};

/// The lock of one test, in the order of its acts.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LockedTest {
    pub entries: Vec<LockedEntry>,
    /// What a user refused in the place of entries: the same is neither proposed nor done again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<LockedEntry>,
}

impl LockedTest {
    /// Whether a user refused these acts for this sentence.
    pub fn refuses(&self, now: &LockedEntry) -> bool {
        self.refused.iter().any(|refused| refused.is_replacement_like(now))
    }
}

/// The acts of one sentence. Never an expectation: every run judges those again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LockedEntry {
    pub part: Part,
    /// As written in the file, with names in place of values.
    pub step: String,
    /// Which act of the sentence, from 1; 0 for a sentence that was carried out as a whole because it could not be
    /// split.
    pub nth: usize,
    /// References replace values: to quoted values of the sentence, or to secrets.
    pub acts: Vec<LastingAct>,
    #[serde(default, skip_serializing_if = "EffectKind::is_nothing")]
    pub effect: EffectKind,
}

impl LockedEntry {
    /// Whether the entry belongs to this act of this sentence.
    pub fn is_for(&self, part: Part, step: &str, nth: usize) -> bool {
        self.part == part && self.step == step && self.nth == nth
    }

    /// Whether both do the same for the same sentence. Values and effects may differ.
    pub fn is_replacement_like(&self, other: &LockedEntry) -> bool {
        self.is_for(other.part, &other.step, other.nth)
            && self.acts.len() == other.acts.len()
            && self.acts.iter().zip(&other.acts).all(|(act, other)| act.is_like(other))
    }
}

/// An entry whose elements had changed, were found again, and had an effect of the recorded kind: a proposal until a
/// user accepts it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Healing {
    pub was: LockedEntry,
    pub now: LockedEntry,
    /// Each element that had changed.
    pub found: Vec<FoundAgain>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FoundAgain {
    pub was: Signature,
    pub now: Signature,
    /// Their similarity, from 0 to 1.
    pub score: f64,
    /// The distance to the runner-up; the whole score if there was none.
    pub margin: f64,
    /// The runner-up: `button "Cancel"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runner_up: Option<String>,
    /// `same name, place; other id`.
    pub because: String,
}

impl FoundAgain {
    /// The distance to the runner-up; none if there was no runner-up.
    pub fn lead(&self) -> Option<f64> {
        // Older records do not name the runner-up and have only the two numbers.
        (self.runner_up.is_some() || self.margin < self.score).then_some(self.margin)
    }
}
