//! One run of a test with one thing broken: the fault is armed when its moment comes.

use std::time::Duration;

use assay_actions::Fault;
use assay_driver::Deadline;
use assay_protocol::{Action, Failure};

use super::breakable::{Break, Breakage};
use crate::attempt::Attempt;

/// A fault that waits for its moment.
#[derive(Debug, Clone)]
pub(crate) struct Trial {
    pub broken: Break,
    /// Claims that do not hold are waited for so long: the test was quicker when it passed.
    pub patience: Duration,
    armed: bool,
    /// Why the fault could not be brought about.
    pub trouble: Option<String>,
}

impl Trial {
    pub fn new(broken: Break, patience: Duration) -> Trial {
        Trial { broken, patience, armed: false, trouble: None }
    }
}

/// Bringing a fault about is quick; a page that does not answer is stuck.
const TIME: Duration = Duration::from_secs(10);

impl Attempt<'_> {
    /// Before the step under way does anything.
    pub(crate) async fn break_at_step(&mut self) {
        let Some(trial) = &self.trial else { return };
        let step = trial.broken.step;
        match &trial.broken.what {
            Breakage::Requests { fault, .. } if step == self.step => self.arm(fault.clone()).await,
            // What later steps ask for is another matter.
            Breakage::Requests { .. }
                if trial.armed && self.step > step && self.part == assay_protocol::Part::Step =>
            {
                self.lift().await;
            }
            _ => {}
        }
    }

    /// Before a claim of the step under way is judged.
    pub(crate) async fn break_at_claim(&mut self) {
        let Some(trial) = &self.trial else { return };
        if let Breakage::Texts(fault) = &trial.broken.what
            && trial.broken.step == self.step
        {
            self.arm(fault.clone()).await;
        }
    }

    /// Before an act of the step under way, once it is known what it is done to.
    pub(crate) async fn break_at_act(&mut self, action: &Action) {
        let Some(trial) = &self.trial else { return };
        let next = self.acts_done + 1;
        let (nth, is_deaf) = match &trial.broken.what {
            Breakage::Deaf { nth } => (*nth, true),
            Breakage::Disabled { nth } => (*nth, false),
            Breakage::Requests { .. } | Breakage::Texts(_) => return,
        };
        if trial.broken.step != self.step || nth != next {
            return;
        }
        let mut action = action.clone();
        let Some(target) = action.selectors_mut().into_iter().next().cloned() else { return };
        self.arm(if is_deaf { Fault::Deaf { target } } else { Fault::Disabled { target } }).await;
    }

    async fn arm(&mut self, fault: Fault) {
        let Some(trial) = self.trial.as_mut().filter(|trial| !trial.armed) else { return };
        trial.armed = true;
        if let Err(failure) = self.surface.inject(&fault, Deadline::after(TIME)).await {
            self.note_trouble(&failure);
        }
    }

    async fn lift(&mut self) {
        if let Err(failure) = self.surface.lift_faults(Deadline::after(TIME)).await {
            self.note_trouble(&failure);
        }
    }

    fn note_trouble(&mut self, failure: &Failure) {
        if let Some(trial) = &mut self.trial {
            trial.trouble = Some(failure.message.clone());
        }
    }
}
