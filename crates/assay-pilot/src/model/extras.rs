//! What a model has beside the list of elements and the tools of every step.

use assay_protocol::Scene;
use assay_provider::answer::FunctionCall;
use assay_provider::conversation::Question;
use assay_runner::{Controls, LocalFuture, StepTask};

use super::conversation::CallOutcome;
use super::{NAME, prompt};

/// How a step is put to a model, and tools that only this way of asking has.
pub(crate) trait Extras {
    /// The name under which the questions stand in the reports.
    fn name(&self) -> &'static str;

    /// The first question, or why it cannot be put.
    fn question<'a>(
        &'a mut self,
        task: &'a StepTask,
        scene: &'a Scene,
        controls: &'a mut dyn Controls,
    ) -> LocalFuture<'a, Result<Question, String>>;

    /// What a call comes to that is for these tools. None for all others.
    fn answer<'a>(
        &'a mut self,
        call: &'a FunctionCall,
        task: &'a StepTask,
        controls: &'a mut dyn Controls,
    ) -> LocalFuture<'a, Option<CallOutcome>>;
}

/// Nothing beside.
pub(crate) struct PlainStep;

impl Extras for PlainStep {
    fn name(&self) -> &'static str {
        NAME
    }

    fn question<'a>(
        &'a mut self,
        task: &'a StepTask,
        scene: &'a Scene,
        _: &'a mut dyn Controls,
    ) -> LocalFuture<'a, Result<Question, String>> {
        Box::pin(async move { Ok(prompt::question(task, scene)) })
    }

    fn answer<'a>(
        &'a mut self,
        _: &'a FunctionCall,
        _: &'a StepTask,
        _: &'a mut dyn Controls,
    ) -> LocalFuture<'a, Option<CallOutcome>> {
        Box::pin(async { None })
    }
}
