//! What a passed run resolved: the acts of each sentence, with their elements described and the kind of effect they
//! had. Committed beside the test, so that the next run needs nobody to work it out again.

use serde::{Deserialize, Serialize};

use crate::{EffectKind, LastingAct, Part, Signature};

/// What is locked of one test, in the order in which it happened.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LockedTest {
    pub entries: Vec<LockedEntry>,
}

/// The acts of one sentence. Never an expectation: those are judged anew every time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LockedEntry {
    pub part: Part,
    /// As its file says it, with names in place of values.
    pub step: String,
    /// Which act of the sentence, from 1; 0 for a sentence that was carried out as a whole, since nobody could take it
    /// apart.
    pub nth: usize,
    /// Values stand in them as references: to what the sentence has in quotation marks, or to secrets.
    pub acts: Vec<LastingAct>,
    #[serde(default, skip_serializing_if = "EffectKind::is_nothing")]
    pub effect: EffectKind,
}

impl LockedEntry {
    /// Whether it was written for this act of this sentence.
    pub fn is_for(&self, part: Part, step: &str, nth: usize) -> bool {
        self.part == part && self.step == step && self.nth == nth
    }
}

/// An entry whose elements had changed, found again and with an effect of the recorded kind: a proposal, until somebody
/// accepts it.
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
    /// How like they are, from 0 to 1.
    pub score: f64,
    /// How far the second was behind; the whole score where there was none.
    pub margin: f64,
    /// The second, in words: `button "Cancel"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runner_up: Option<String>,
    /// `same name, place; other id`.
    pub because: String,
}

impl FoundAgain {
    /// How far ahead of the second it was; none where there was no second.
    pub fn lead(&self) -> Option<f64> {
        // Runs on record from before the second was named have only the two numbers.
        (self.runner_up.is_some() || self.margin < self.score).then_some(self.margin)
    }
}
