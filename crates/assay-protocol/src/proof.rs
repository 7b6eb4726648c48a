//! Whether a test that passes would notice if the application were broken: what was broken on purpose, and whether the
//! test went red.

use serde::{Deserialize, Serialize};

/// Everything that was broken for one test, one thing at a time.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proof {
    pub faults: Vec<FaultTried>,
    /// What was not broken, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
    /// Why nothing is shown, whatever the faults say: the test does not pass a second time, for one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub void: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultTried {
    /// The step it was tried at: its number in the run, and its text.
    pub step: usize,
    pub at: String,
    /// `POST /save is answered with 500`.
    pub fault: String,
    pub outcome: FaultOutcome,
    /// Why the test went red, or why the fault says nothing.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// The claim that should have caught it, for one that was missed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultOutcome {
    /// The test went red.
    Caught,
    /// The test stayed green.
    Missed,
    /// It says nothing: it did not come about, or something else broke.
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
        if self.void.is_some() || self.counted() == 0 {
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
    /// Every fault turned it red.
    Proved,
    /// It stays green although something is broken.
    Hollow,
    /// Nothing could be shown.
    Open,
}
