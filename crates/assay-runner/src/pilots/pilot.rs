//! A pilot: it may carry out a step that the built-in interpreter is not sure of.

use assay_driver::Deadline;
use assay_protocol::{ElementLine, Failure, Part, SafetyEvent};

use super::controls::Controls;
use super::values::NamedValue;
use crate::test_surface::LocalFuture;

/// A pilot acts only through the controls, and reports to them every question to a model. It must end honestly: `Done`
/// if the step is carried out, `Refused` if it is not sure either.
pub trait Pilot {
    /// `model`, `computer-use`, `grid`: the name under which its commands stand in the reports.
    fn name(&self) -> &'static str;

    /// The recovery that this pilot provides, if any; read after it has left the step. A recovery pilot runs after all
    /// others, if none of them was sure. The step never ends worse than without it.
    fn recovery(&self) -> Option<PilotRecovery> {
        None
    }

    fn take<'a>(
        &'a mut self,
        task: &'a StepTask,
        controls: &'a mut dyn Controls,
    ) -> LocalFuture<'a, PilotOutcome>;
}

/// A recovery by a pilot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PilotRecovery {
    /// 2 looks at the screen, 3 looks closer.
    pub tier: u8,
    /// The means: `a picture of the page`.
    pub means: &'static str,
    /// The obstacle, in words; none if there was none.
    pub trouble: Option<String>,
}

/// The task. Contains no secret.
#[derive(Debug, Clone)]
pub struct StepTask {
    /// The step as its author wrote it.
    pub sentence: String,
    /// The whole test, if the step belongs to one.
    pub test: Vec<TestSentence>,
    /// The author's names for addresses, with the addresses.
    pub addresses: Vec<(String, String)>,
    /// The step only looks or waits: it can be done without an act.
    pub only_looks: bool,
    /// If only a part of the step is meant: that part, in the words of the interpreter.
    pub only: Option<String>,
    /// The values that may be typed.
    pub values: Vec<NamedValue>,
    /// Why the interpreter was not sure.
    pub why: String,
    /// The interpreter's candidates.
    pub candidates: Vec<ElementLine>,
    /// Commands already carried out for this step.
    pub done_so_far: Vec<String>,
    /// How the previous pilot ended.
    pub failure: Option<String>,
    pub deadline: Deadline,
    /// The maximum number of questions to a model.
    pub turns: u32,
}

/// One line of the test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestSentence {
    pub part: Part,
    pub text: String,
    /// The step in question is, or is part of, this line.
    pub is_current: bool,
}

/// How a pilot left the step, with everything for the record.
#[derive(Debug, Clone)]
pub struct PilotOutcome {
    pub end: PilotEnd,
    pub turns: u32,
    /// Safety concerns of the pilot; the controls add theirs.
    pub safety: Vec<SafetyEvent>,
    /// The pilot's own means failed permanently, and it used another one.
    pub degraded: bool,
}

#[derive(Debug, Clone)]
pub enum PilotEnd {
    /// The step is carried out. The message says what was done.
    Done { message: String },
    /// Not sure. With the candidates, if any.
    Refused { why: String, candidates: Vec<ElementLine> },
    /// Nobody could carry out the step here.
    Impossible { why: String },
    /// A safety concern ended it: no other pilot may continue.
    Stopped { why: String },
    /// It was not available: the application was not judged.
    Broken { failure: Failure },
}
