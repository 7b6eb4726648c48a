//! What a result means: its class, or the classes that its evidence fits.

use serde::{Deserialize, Serialize};

/// The meaning of a result. `docs/assistants.md` defines each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ResultClass {
    /// Passed, with proof.
    ValidPass,
    /// Failed, as the project expects.
    ValidFail,
    /// The application does not do what the test expects.
    Bug,
    /// The test cannot work, whatever the application does.
    ScriptIssue,
    /// The browser, this machine or assay broke.
    SystemIssue,
    /// Something else kept the test out.
    ExternalBlock,
}

impl ResultClass {
    pub const ALL: [ResultClass; 6] = [
        ResultClass::ValidPass,
        ResultClass::ValidFail,
        ResultClass::Bug,
        ResultClass::ScriptIssue,
        ResultClass::SystemIssue,
        ResultClass::ExternalBlock,
    ];

    pub fn name(self) -> &'static str {
        match self {
            ResultClass::ValidPass => "VALID_PASS",
            ResultClass::ValidFail => "VALID_FAIL",
            ResultClass::Bug => "BUG",
            ResultClass::ScriptIssue => "SCRIPT_ISSUE",
            ResultClass::SystemIssue => "SYSTEM_ISSUE",
            ResultClass::ExternalBlock => "EXTERNAL_BLOCK",
        }
    }

    pub fn named(name: &str) -> Option<ResultClass> {
        ResultClass::ALL.into_iter().find(|class| class.name() == name)
    }

    /// Only a result that says nothing about the application may be taken out of the figures.
    pub fn may_be_discarded(self) -> bool {
        matches!(self, ResultClass::ScriptIssue | ResultClass::SystemIssue)
    }
}

/// The name in reports of a result without a class.
pub const INCONCLUSIVE: &str = "INCONCLUSIVE";

/// The answer about one result, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    pub decision: Decision,
    /// The rule that decided, by its name.
    pub rule: &'static str,
    /// What led there, the strongest first.
    pub evidence: Vec<String>,
    /// What does not change the class, and is worth knowing.
    pub notes: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    Class(ResultClass),
    /// The evidence fits several classes, or none.
    Open {
        candidates: Vec<ResultClass>,
        /// The evidence that would decide.
        missing: String,
    },
}

impl Decision {
    pub fn class(&self) -> Option<ResultClass> {
        match self {
            Decision::Class(class) => Some(*class),
            Decision::Open { .. } => None,
        }
    }
}

impl Finding {
    pub(super) fn sure(class: ResultClass, rule: &'static str, evidence: impl Into<String>) -> Finding {
        Finding { decision: Decision::Class(class), rule, evidence: vec![evidence.into()], notes: Vec::new() }
    }

    pub(super) fn open(
        candidates: &[ResultClass],
        rule: &'static str,
        evidence: impl Into<String>,
        missing: impl Into<String>,
    ) -> Finding {
        Finding {
            decision: Decision::Open { candidates: candidates.to_vec(), missing: missing.into() },
            rule,
            evidence: vec![evidence.into()],
            notes: Vec::new(),
        }
    }

    pub(super) fn and(mut self, evidence: Option<String>) -> Finding {
        self.evidence.extend(evidence);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_says_nothing_about_the_application_may_be_discarded() {
        let may: Vec<&str> = ResultClass::ALL
            .into_iter()
            .filter(|class| class.may_be_discarded())
            .map(ResultClass::name)
            .collect();
        assert_eq!(may, ["SCRIPT_ISSUE", "SYSTEM_ISSUE"]);
    }

    #[test]
    fn names_are_those_of_the_json() {
        for class in ResultClass::ALL {
            assert_eq!(serde_json::to_value(class).unwrap(), class.name());
            assert_eq!(ResultClass::named(class.name()), Some(class));
        }
        assert_eq!(ResultClass::named("bug"), None);
    }
}
