//! Orders: what the service accepted is on record, and is carried out once.

mod desk;
mod document;
mod planned;
mod settle;

pub use desk::{Desk, work};
pub use document::{AcceptedWork, RESULTS, RUNS, ResumeOrder, RunOrder, Wish, new_run_name};
pub use planned::{Cause, PlannedEvent, PlannedWork, priority_named};
pub use settle::settle;
