//! Orders: what the service accepted is on record, and is carried out once.

mod desk;
mod document;
mod settle;

pub use desk::{Desk, work};
pub use document::{AcceptedWork, RUNS, ResumeOrder, RunOrder, Wish};
pub use settle::settle;
