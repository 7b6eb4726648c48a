//! Pilots carry out steps that the interpreter is not sure of. The runner defines what they can see and do; it does not
//! know that some of them are language models.

mod available;
mod controls;
mod drawn_lists;
mod guarded_controls;
mod hidden;
mod judge;
mod ladder;
mod observations;
mod pilot;
mod pressing;
mod raw;
mod reachable_sites;
mod refusal;
mod rules;
mod turns;
mod values;
mod verdicts;

pub use available::{AvailablePilots, NoPilots, PilotTerms, Pilots, Steering};
pub use controls::{Controls, NotPerformed, PageView, Performed};
pub use judge::{Judge, ModelVerdict, Observation, QuotedEvidence, Ruling, fault_in};
pub use pilot::{Pilot, PilotEnd, PilotOutcome, PilotRecovery, StepTask, TestSentence};
pub use refusal::ActionRefusal;
pub use values::{NamedValue, ValueFrom};

pub(crate) use ladder::PilotRequest;
pub(crate) use verdicts::PassedByModel;
