//! A part of a goal, carried out on a live page: a sentence like one that is tried, with each of its acts on record before
//! it is done.

use std::cell::RefCell;
use std::rc::Rc;

use assay_coordinator::Coordinator;
use assay_daemon::Witness;
use assay_protocol::{Action, Answer, Failure, PilotEnding, RunFact, Scene, Secrets, TaskId, Verdict};
use assay_runner::StepEnd;

use super::view::StepOutcome;
use crate::task::witness_for;

/// What came of a part.
#[derive(Debug, Clone, PartialEq)]
pub struct PartDone {
    pub verdict: Verdict,
    /// Empty for a pass.
    pub reason: String,
    /// Something was done on the page.
    pub has_acted: bool,
    /// Something that the sentence claims was judged.
    pub has_judged: bool,
    /// A pilot decided what to do, and says itself that it is done.
    pub is_by_pilot: bool,
    /// The elements that the sentence may mean; none where the page has nothing that it speaks of.
    pub candidates: Vec<String>,
    /// The acts and judgements, a line each.
    pub lines: Vec<String>,
}

impl PartDone {
    /// `outcome` is the same end as it is shown: what is secret is masked there.
    pub fn of(end: &StepEnd, told: &[RunFact], outcome: &StepOutcome) -> PartDone {
        let has_acted = told.iter().any(|fact| matches!(fact, RunFact::Command { record, .. } if record.ok));
        let is_by_pilot = told.iter().any(
            |fact| matches!(fact, RunFact::PilotLeft { report, .. } if report.ending == PilotEnding::Done),
        );
        let meant = outcome.candidates.iter().filter(|_| !end.is_missing);
        PartDone {
            verdict: end.verdict,
            reason: outcome.reason.clone(),
            has_acted,
            has_judged: end.judgements.iter().any(|judgement| !judgement.claim.is_empty()),
            is_by_pilot,
            candidates: meant.map(|one| format!("{} \"{}\"", one.role, one.name)).collect(),
            lines: outcome.did.clone(),
        }
    }
}

/// The place of the witness of a live page: taken while a part of a goal is carried out.
#[derive(Clone, Default)]
pub struct WitnessChair(Rc<RefCell<Chair>>);

#[derive(Default)]
struct Chair {
    witness: Option<Box<dyn Witness>>,
    /// The page as it was seen last: an act is described by it.
    seen: Option<Scene>,
}

impl WitnessChair {
    /// Acts are on record for this task from now on. What is secret does not get there.
    pub fn take(&self, coordinator: Coordinator, task: TaskId, secrets: Secrets, seen: Option<Scene>) {
        let witness: Box<dyn Witness> = Box::new(witness_for(coordinator, task, secrets));
        *self.0.borrow_mut() = Chair { witness: Some(witness), seen };
    }

    pub fn leave(&self) {
        *self.0.borrow_mut() = Chair::default();
    }

    /// Before an act. What cannot be put on record is not done.
    pub fn begin(&self, action: &Action) -> Result<(), Failure> {
        let Chair { witness, seen } = &mut *self.0.borrow_mut();
        match witness {
            Some(witness) if action.changes_the_page() => witness.begin(action, seen.as_ref()),
            _ => Ok(()),
        }
    }

    /// After an act or a look. A note comes back where the end could not be put on record.
    pub fn end(&self, action: &Action, result: &Result<Answer, Failure>) -> Option<String> {
        let Chair { witness, seen } = &mut *self.0.borrow_mut();
        let witness = witness.as_mut()?;
        match result {
            Ok(Answer::Scene(scene)) => {
                *seen = Some((**scene).clone());
                None
            }
            _ if action.changes_the_page() => witness.end(action, result),
            _ => None,
        }
    }
}
