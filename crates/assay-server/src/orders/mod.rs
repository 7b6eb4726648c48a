//! Orders: what the service accepted is on record, and is carried out once.

mod desk;
mod document;
mod plan;
mod planned;
mod planning;
mod settle;
mod turn;

pub use desk::{Desk, work};
pub use document::{AcceptedWork, RESULTS, RUNS, ResumeOrder, RunOrder, Wish, new_run_name};
pub use plan::plan_result;
pub use planned::{Cause, PlannedEvent, PlannedWork, priority_named};
pub use planning::{PlanOrder, ProofOrder};
pub use settle::settle;
