//! Somebody who may carry out a step that the built-in interpreter is not sure of.

use assay_driver::Deadline;
use assay_protocol::{ElementLine, Failure, SafetyEvent};

use super::controls::Controls;
use super::values::NamedValue;
use crate::test_surface::LocalFuture;

/// A pilot acts through the controls only, and tells it of every question that it puts to a model. It owes an end that
/// says what it knows: `Done` when the step is carried out, `Refused` when it is not sure either.
pub trait Pilot {
    /// `model`, `computer-use`, `grid`: the name under which its commands stand in the reports.
    fn name(&self) -> &'static str;

    /// What it is as a way out of trouble, where it is one; asked once it has left the step. Such a pilot is asked after
    /// all others, when none of them was sure, and whatever becomes of it, the step never ends worse than without it.
    fn recovery(&self) -> Option<PilotRecovery> {
        None
    }

    fn take<'a>(
        &'a mut self,
        task: &'a StepTask,
        controls: &'a mut dyn Controls,
    ) -> LocalFuture<'a, PilotOutcome>;
}

/// A way out of trouble that a pilot took.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PilotRecovery {
    /// 2 looks at the screen, 3 looks closer.
    pub tier: u8,
    /// By what: `a picture of the page`.
    pub means: &'static str,
    /// What was in the way, in words; none where nothing was.
    pub trouble: Option<String>,
}

/// What is to be done. No secret can be read in it.
#[derive(Debug, Clone)]
pub struct StepTask {
    /// The step as its author wrote it.
    pub sentence: String,
    /// Where a part of it is to be done: which, in the words of the interpreter. All else of it is somebody else's.
    pub only: Option<String>,
    /// What may be typed.
    pub values: Vec<NamedValue>,
    /// Why the interpreter was not sure.
    pub why: String,
    /// What could be meant, by what the interpreter thinks.
    pub candidates: Vec<ElementLine>,
    /// Commands that were carried out for this step before.
    pub done_so_far: Vec<String>,
    /// How the pilot before this one ended.
    pub failure: Option<String>,
    pub deadline: Deadline,
    /// So many questions to a model, and no more.
    pub turns: u32,
}

/// How a pilot left the step, with all that is to be put on record of it.
#[derive(Debug, Clone)]
pub struct PilotOutcome {
    pub end: PilotEnd,
    pub turns: u32,
    /// Doubts that the pilot knows of; those of the controls are added to them.
    pub safety: Vec<SafetyEvent>,
    /// Another means than its own was used, because that one failed for good.
    pub degraded: bool,
}

#[derive(Debug, Clone)]
pub enum PilotEnd {
    /// The step is carried out. The message says what was done.
    Done { message: String },
    /// Not sure. What could be meant, where something could.
    Refused { why: String, candidates: Vec<ElementLine> },
    /// A doubt about safety ended it: nobody else is asked to go on.
    Stopped { why: String },
    /// It could not be asked: nothing was learnt about the application.
    Broken { failure: Failure },
}
