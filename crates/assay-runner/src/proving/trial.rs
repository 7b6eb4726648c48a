//! One run of a test with one fault, which is armed at its step.

use std::time::Duration;

use assay_actions::Fault;
use assay_driver::Deadline;
use assay_protocol::{Action, Failure, Part};

use super::breakable::{Break, Breakage};
use crate::attempt_state::StepState;
use crate::test_surface::TestSurface;

/// A fault that waits for its step.
#[derive(Debug, Clone)]
pub(crate) struct Trial {
    pub broken: Break,
    /// How long to wait for claims that do not hold: the test was quicker when it passed.
    pub patience: Duration,
    armed: bool,
    /// Why the fault could not be injected.
    pub trouble: Option<String>,
}

impl Trial {
    pub fn new(broken: Break, patience: Duration) -> Trial {
        Trial { broken, patience, armed: false, trouble: None }
    }
}

/// Injecting a fault is quick; a page that does not answer is stuck.
const TIME: Duration = Duration::from_secs(10);

impl Trial {
    /// Before a step does anything.
    pub async fn break_at_step(&mut self, step: &StepState, surface: &mut dyn TestSurface) {
        match &self.broken.what {
            Breakage::Requests { fault, .. } if step.number == self.broken.step => {
                self.arm(fault.clone(), surface).await;
            }
            // Requests of later steps are not affected.
            Breakage::Requests { .. }
                if self.armed && step.number > self.broken.step && step.part == Part::Step =>
            {
                let lifted = surface.lift_faults(Deadline::after(TIME)).await;
                self.note_trouble(lifted);
            }
            _ => {}
        }
    }

    /// Before a claim of a step is judged.
    pub async fn break_at_claim(&mut self, step: &StepState, surface: &mut dyn TestSurface) {
        if let Breakage::Texts(fault) = &self.broken.what
            && self.broken.step == step.number
        {
            self.arm(fault.clone(), surface).await;
        }
    }

    /// Before an act of a step, once its target is known.
    pub async fn break_at_act(&mut self, step: &StepState, action: &Action, surface: &mut dyn TestSurface) {
        let (nth, is_deaf) = match &self.broken.what {
            Breakage::Deaf { nth } => (*nth, true),
            Breakage::Disabled { nth } => (*nth, false),
            Breakage::Requests { .. } | Breakage::Texts(_) => return,
        };
        if self.broken.step != step.number || nth != step.acts_done + 1 {
            return;
        }
        let mut action = action.clone();
        let Some(target) = action.selectors_mut().into_iter().next().cloned() else { return };
        let fault = if is_deaf { Fault::Deaf { target } } else { Fault::Disabled { target } };
        self.arm(fault, surface).await;
    }

    /// Once only.
    async fn arm(&mut self, fault: Fault, surface: &mut dyn TestSurface) {
        if !std::mem::replace(&mut self.armed, true) {
            let injected = surface.inject(&fault, Deadline::after(TIME)).await;
            self.note_trouble(injected);
        }
    }

    fn note_trouble(&mut self, done: Result<(), Failure>) {
        if let Err(failure) = done {
            self.trouble = Some(failure.message);
        }
    }
}
