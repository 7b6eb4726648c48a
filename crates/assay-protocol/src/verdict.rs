//! Verdicts on claims, steps and tests, with their reasons.

use serde::{Deserialize, Serialize};

use crate::ElementLine;

/// `Error` is for assay or its environment: the application was not judged.
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
    /// It was already true in the same document before the act that should cause it, so it proves nothing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub standing: bool,
    /// It says that something stays, is absent or is refused: such a claim may hold from the beginning.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub may_stand: bool,
    /// One line for people: `Expected "Account expired", got "Welcome"`.
    pub reason: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<String>,
    /// The elements behind the judgement: the evidence, or the possible targets.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub elements: Vec<ElementLine>,
}
