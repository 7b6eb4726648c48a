//! What is said of a claim, a step or a test, and why.

use serde::{Deserialize, Serialize};

use crate::ElementLine;

/// `Error` is for assay or its surroundings: nothing was learnt about the application.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    Passed,
    Inconclusive,
    Failed,
    Error,
}

impl Verdict {
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Passed => "passed",
            Verdict::Inconclusive => "inconclusive",
            Verdict::Failed => "failed",
            Verdict::Error => "error",
        }
    }
}

/// One claim, judged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Judgement {
    /// The sentence, or the part of it, that claims something.
    pub claim: String,
    pub verdict: Verdict,
    /// It was true already, in the same document, before the act that should cause it: it proves nothing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub standing: bool,
    /// It says that something stays, is absent or is refused: such a claim may stand from the beginning.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub may_stand: bool,
    /// One line for people: `Expected "Account expired", got "Welcome"`.
    pub reason: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<String>,
    /// The elements that were looked at: what proves it, or what could be meant.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub elements: Vec<ElementLine>,
}
