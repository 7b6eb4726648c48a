//! The grid pilot: pictures with numbers painted onto them, for models that see and have no computer tool. Elements have
//! numbers where the page has a map; cells of a grid have them where it has none, and a second look refines the cell.

mod conversation;
mod moves;
mod overlay;
mod prompt;

use assay_runner::{Controls, LocalFuture, Pilot, PilotOutcome, PilotTerms, StepTask};

pub(crate) use conversation::fly;

use crate::asking::Asking;

/// The name under which its commands stand in the reports.
pub(crate) const NAME: &str = "grid";

/// So many acts for a step, where nobody says otherwise.
const MOST_ACTS: u32 = 40;

/// Carries out a step by asking a model for numbers on a picture.
pub struct GridPilot {
    asking: Asking,
    acts: u32,
}

impl GridPilot {
    pub fn new(asking: Asking, terms: &PilotTerms) -> GridPilot {
        GridPilot { asking, acts: terms.actions.unwrap_or(MOST_ACTS) }
    }
}

impl Pilot for GridPilot {
    fn name(&self) -> &'static str {
        NAME
    }

    fn take<'a>(
        &'a mut self,
        task: &'a StepTask,
        controls: &'a mut dyn Controls,
    ) -> LocalFuture<'a, PilotOutcome> {
        Box::pin(fly(&self.asking, self.acts, None, task, controls))
    }
}
