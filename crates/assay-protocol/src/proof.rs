//! Whether a passing test would notice a broken application: the injected faults, and whether the test failed.

use serde::{Deserialize, Serialize};

/// All faults injected into one test, one at a time.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proof {
    pub faults: Vec<FaultTried>,
    /// Faults that were left out, with the reasons.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
    /// Why the faults prove nothing, for example because the test does not pass a second time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub void: Option<String>,
    /// Why no fault is needed to see that the test is hollow: it claims nothing, or only that something is absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hollow: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultTried {
    /// The step it was tried at: its number in the run, and its text.
    pub step: usize,
    pub at: String,
    /// `POST /save is answered with 500`.
    pub fault: String,
    pub outcome: FaultOutcome,
    /// Why the test failed, or why the fault says nothing.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// The claim that should have caught a missed fault.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultOutcome {
    /// The test failed.
    Caught,
    /// The test still passed.
    Missed,
    /// It says nothing: the fault did not take effect, or something else broke.
    Void,
}

impl Proof {
    pub fn caught(&self) -> usize {
        self.count(FaultOutcome::Caught)
    }

    pub fn missed(&self) -> impl Iterator<Item = &FaultTried> {
        self.faults.iter().filter(|tried| tried.outcome == FaultOutcome::Missed)
    }

    /// Faults that say something.
    pub fn counted(&self) -> usize {
        self.caught() + self.count(FaultOutcome::Missed)
    }

    fn count(&self, outcome: FaultOutcome) -> usize {
        self.faults.iter().filter(|tried| tried.outcome == outcome).count()
    }

    pub fn judgement(&self) -> ProofJudgement {
        if self.hollow.is_some() {
            ProofJudgement::Hollow
        } else if self.void.is_some() || self.counted() == 0 {
            ProofJudgement::Open
        } else if self.missed().next().is_some() {
            ProofJudgement::Hollow
        } else {
            ProofJudgement::Proved
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProofJudgement {
    /// Every fault made it fail.
    Proved,
    /// It passes although something is broken, or claims too little to notice.
    Hollow,
    /// Nothing could be proved.
    Open,
}
