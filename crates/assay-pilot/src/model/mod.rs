//! The model pilot: a step, the page as a list of elements, and a handful of tools.

mod conversation;
mod done;
mod extras;
mod moves;
mod prompt;
mod tools;

pub(crate) use done::is_seen;

use assay_runner::{Controls, LocalFuture, Pilot, PilotOutcome, StepTask};

use crate::asking::Asking;
use extras::PlainStep;

pub(crate) use conversation::{CallOutcome, fly, map};
pub(crate) use extras::Extras;
pub(crate) use prompt::question_with;

/// The name under which its commands stand in the reports.
pub(crate) const NAME: &str = "model";

/// Carries out a step by asking a language model, one act at a time.
pub struct ModelPilot {
    asking: Asking,
}

impl ModelPilot {
    pub fn new(asking: Asking) -> ModelPilot {
        ModelPilot { asking }
    }
}

impl Pilot for ModelPilot {
    fn name(&self) -> &'static str {
        NAME
    }

    fn take<'a>(
        &'a mut self,
        task: &'a StepTask,
        controls: &'a mut dyn Controls,
    ) -> LocalFuture<'a, PilotOutcome> {
        Box::pin(async move { fly(&self.asking, &mut PlainStep, task, controls).await })
    }
}
