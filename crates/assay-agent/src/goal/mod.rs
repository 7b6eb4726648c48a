//! A goal carried out in a session: subtask by subtask.
//!
//! The goal is split where each part can be done alone. A part that does not work is tried again on a fresh look at the
//! page, then by another way through the navigation of the page. Where only a user knows what is meant, the task pauses
//! with a question. Knows no browser and no model: [`Hands`] may ask one for what the interpreter cannot carry out.

mod subtasks;
mod ways;
mod worker;
#[cfg(test)]
mod worker_tests;

pub use subtasks::{CutOff, settle_cut_off, subtasks_of};
pub use worker::{Doubt, GoalEnd, GoalError, GoalLimits, Hands, Tried, Worker};
