//! What was found about a claim, before it is said whether it was claimed or denied.

use assay_protocol::{ElementLine, Judgement, Verdict};

use crate::Claim;

use super::denial::{Looked, denied};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Truth {
    Yes,
    No,
    /// Not so, but so nearly that its absence is not proved either: the text is covered, or part of a longer word.
    NotQuite,
    Unsure,
}

#[derive(Debug, Clone)]
pub(crate) struct Finding {
    pub(crate) truth: Truth,
    /// Whether the opposite may be believed, when it is not so.
    pub(crate) looked: Looked,
    pub(crate) reason: String,
    pub(crate) expected: Option<String>,
    pub(crate) found: Option<String>,
    pub(crate) elements: Vec<ElementLine>,
}

impl Finding {
    pub(crate) fn new(truth: Truth, reason: impl Into<String>) -> Finding {
        Finding {
            truth,
            looked: Looked::Nowhere,
            reason: reason.into(),
            expected: None,
            found: None,
            elements: Vec::new(),
        }
    }

    pub(crate) fn yes(reason: impl Into<String>) -> Finding {
        Finding::new(Truth::Yes, reason)
    }

    pub(crate) fn no(reason: impl Into<String>) -> Finding {
        Finding::new(Truth::No, reason)
    }

    pub(crate) fn unsure(reason: impl Into<String>) -> Finding {
        Finding::new(Truth::Unsure, reason)
    }

    /// `Expected "Account expired", got "Welcome"`. What is empty may only not be readable.
    pub(crate) fn compared(truth: Truth, expected: &str, found: &str) -> Finding {
        let reason = match truth {
            Truth::Yes => format!("{expected}: it is \"{found}\""),
            _ => format!("Expected {expected}, got \"{found}\""),
        };
        Finding {
            truth,
            looked: if found.trim().is_empty() { Looked::Nowhere } else { Looked::Read },
            reason,
            expected: Some(expected.trim_matches('"').to_string()),
            found: Some(found.to_string()),
            elements: Vec::new(),
        }
    }

    pub(crate) fn with(self, elements: Vec<ElementLine>) -> Finding {
        Finding { elements, ..self }
    }

    /// What the claim speaks of was found and read.
    pub(crate) fn read(self) -> Finding {
        Finding { looked: Looked::Read, ..self }
    }

    /// All of the page was searched for what is named exactly.
    pub(crate) fn searched(self) -> Finding {
        Finding { looked: Looked::Searched, ..self }
    }

    /// That it is not so was not really looked at.
    pub(crate) fn not_looked_at(self) -> Finding {
        Finding { looked: Looked::Nowhere, ..self }
    }

    pub(crate) fn turned(self) -> Finding {
        let truth = denied(self.truth, self.looked);
        // What was found to be so was read.
        Finding { truth, looked: Looked::Read, ..self }
    }

    /// Of the claim as it stands, not denied.
    pub(crate) fn verdict(&self) -> Verdict {
        match self.truth {
            Truth::Yes => Verdict::Passed,
            Truth::No | Truth::NotQuite => Verdict::Failed,
            Truth::Unsure => Verdict::Inconclusive,
        }
    }

    pub(crate) fn judgement(self, claim: &Claim, may_stand: bool) -> Judgement {
        let truth = if claim.negated { denied(self.truth, self.looked) } else { self.truth };
        let verdict = match truth {
            Truth::Yes => Verdict::Passed,
            Truth::No | Truth::NotQuite => Verdict::Failed,
            Truth::Unsure => Verdict::Inconclusive,
        };
        let reason = match (verdict, claim.negated) {
            (Verdict::Failed, true) => format!("Expected it not to be so, but {}", self.reason),
            _ => self.reason,
        };
        Judgement {
            claim: claim.said.clone(),
            verdict,
            standing: false,
            may_stand,
            reason,
            expected: self.expected,
            found: self.found,
            elements: self.elements,
        }
    }
}
