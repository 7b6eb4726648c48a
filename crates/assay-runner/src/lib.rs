//! Carries out plans: the steps of a test through the pilots, claims judged before and after, recovery by rules,
//! workers side by side. Tells everything as events.
//!
//! Knows stages (a browser at hand) and surroundings (commands, requests) only through traits it owns. Does not know
//! which driver is underneath, where a plan was read from, or how a run is reported.

mod claims;
mod deeds;
mod destination;
mod history;
mod meaning;
mod outcome;
mod picture;
mod pilot;
mod plan;
mod recovery;
mod run;
mod stage;
mod step;
mod test;
mod walk;

pub use assay_actions::{Call, Policy, Taking};
pub use assay_driver::Deadline;
pub use meaning::meaning;
pub use picture::Pictures;
pub use pilot::{Builtin, Moment, Pilot};
pub use plan::{Making, Plan, PlanStep, Precondition, Timeouts, What};
pub use run::{Order, Settings, run};
pub use stage::{Doing, Stage, Surroundings, Theatre};
pub use step::StepEnd;
pub use walk::Walk;
