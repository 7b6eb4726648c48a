//! The finding about a claim, before negation.

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
    /// The reason where the claim denies it: "Expected no link "Shop", but it is there".
    pub(crate) denied_reason: Option<Box<str>>,
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
            denied_reason: None,
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
        let (reason, denied_reason) = match truth {
            Truth::Yes => (
                format!("{expected}: it is \"{found}\""),
                format!("Expected anything but {expected}, got \"{found}\""),
            ),
            _ => (
                format!("Expected {expected}, got \"{found}\""),
                format!("it is \"{found}\", not {expected}"),
            ),
        };
        Finding {
            truth,
            looked: if found.trim().is_empty() { Looked::Nowhere } else { Looked::Read },
            reason,
            denied_reason: Some(denied_reason.into()),
            expected: Some(expected.trim_matches('"').to_string()),
            found: Some(found.to_string()),
            elements: Vec::new(),
        }
    }

    pub(crate) fn or_denied(self, reason: String) -> Finding {
        Finding { denied_reason: Some(reason.into()), ..self }
    }

    pub(crate) fn with(self, elements: Vec<ElementLine>) -> Finding {
        Finding { elements, ..self }
    }

    /// The subject of the claim was found and read.
    pub(crate) fn read(self) -> Finding {
        Finding { looked: Looked::Read, ..self }
    }

    /// The whole page was searched for something with an exact name.
    pub(crate) fn searched(self) -> Finding {
        Finding { looked: Looked::Searched, ..self }
    }

    /// That it is not so was not really looked at.
    pub(crate) fn not_looked_at(self) -> Finding {
        Finding { looked: Looked::Nowhere, ..self }
    }

    pub(crate) fn turned(self) -> Finding {
        let truth = denied(self.truth, self.looked);
        let (reason, denied_reason) = match (truth, self.denied_reason) {
            (Truth::Yes | Truth::No, Some(denied)) => (denied.into(), Some(self.reason.into())),
            (_, denied) => (self.reason, denied),
        };
        // What was found to be so was read.
        Finding { truth, looked: Looked::Read, reason, denied_reason, ..self }
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
        let is_decided = matches!(verdict, Verdict::Passed | Verdict::Failed);
        let reason = match self.denied_reason.filter(|_| claim.negated && is_decided) {
            Some(denied) => denied.into(),
            None if claim.negated && verdict == Verdict::Failed => {
                format!("Expected the opposite, but {}", self.reason)
            }
            None => self.reason,
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
