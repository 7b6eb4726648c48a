//! Carries out plans: the steps of a test through the pilots, claims judged before and after, recovery by rules,
//! workers side by side. Tells everything as events.
//!
//! Knows stages (a browser at hand), surroundings (commands, requests) and guests (those who are asked where the
//! interpreter is not sure) only through traits it owns. Does not know that language models exist, which driver is underneath, where a plan was read from, or how a run is reported.

mod claims;
mod committing;
mod deeds;
mod destination;
mod evidence;
mod guests;
mod history;
mod listener;
mod locked;
mod locking;
mod looks;
mod meaning;
mod neighbours;
mod outcome;
mod picture;
mod places;
mod plan;
mod points;
mod proving;
mod recovery;
mod resume;
mod run;
mod secrets;
mod stage;
mod step;
mod test;
mod walk;

pub use committing::may_commit;
pub use guests::{
    Cockpit, Company, Denied, Evidence, Guest, GuestEnd, GuestTerms, Invited, Judge, Left, ModelVerdict,
    NamedValue, NoCompany, Observation, PageView, Performed, Recovery, Refusal, Ruling, Steering, StepTask,
    ValueFrom, fault_in,
};
pub use listener::Listener;
pub use meaning::meaning;
pub use neighbours::Neighbours;
pub use picture::Pictures;
pub use plan::{Making, PastAct, Plan, PlanStep, Precondition, Resumed, Timeouts, What};
pub use run::{Beginning, Order, Record, Settings, run};
pub use secrets::{mask, secret_forms};
pub use stage::{Doing, Stage, Surroundings, Theatre};
pub use step::StepEnd;
pub use walk::{Walk, command_line};
