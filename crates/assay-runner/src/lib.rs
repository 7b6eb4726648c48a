//! Carries out plans: the steps of a test through the pilots, claims judged before and after, recovery by rules,
//! parallel workers. Reports everything as events.
//!
//! Knows surfaces (an open browser), preconditions (commands, requests) and pilots (for steps that the interpreter is
//! not sure of) only through traits it owns. Does not know that language models exist, which driver is underneath,
//! where a plan comes from, or how a run is reported.

mod acting;
mod acting_slots;
mod attempt;
mod attempt_state;
mod claimed;
mod claims;
mod committing;
mod destination;
mod evidence;
mod history;
mod listener;
mod locked;
mod locking;
mod looks;
mod masking;
mod meaning;
mod neighbours;
mod new_tab;
mod outcome;
mod passwords;
mod picture;
mod pilots;
mod plan;
mod points;
mod proving;
mod recovery;
mod resume;
mod run;
mod screens;
mod step;
mod stepping;
mod test;
mod test_context;
mod test_surface;
mod things;
mod witness;

pub use attempt::Attempt;
pub use claimed::Claimed;
pub use committing::may_commit;
pub use listener::Listener;
pub use meaning::Meanings;
pub use neighbours::Neighbours;
pub use picture::Pictures;
pub use pilots::{
    ActionRefusal, AvailablePilots, Controls, Judge, ModelVerdict, NamedValue, NoPilots, NotPerformed,
    Observation, PageView, Performed, Pilot, PilotEnd, PilotOutcome, PilotRecovery, PilotTerms, Pilots,
    QuotedEvidence, Ruling, Steering, StepTask, TestSentence, ValueFrom, fault_in,
};
pub use plan::{PastAct, Plan, PlanStep, Precondition, PreconditionMeans, Resumed, StepBody, Timeouts};
pub use run::{EventLog, RunPlan, RunSettings, RunStart, Seams, run};
pub use screens::{
    Against, LegEnd, LegHow, ScreenCalled, ScreenLeg, ScreenName, ScreenPlace, Screens, Walk,
    screen_of_precondition,
};
pub use step::StepEnd;
pub use stepping::{NextStep, SteppedTest, Stepper, step_through};
pub use test_context::TestContext;
pub use test_surface::{LocalFuture, Preconditions, SurfaceSource, TestSurface};
pub use things::Thing;
pub use witness::{StepPicture, StepSight, StepWitness};
