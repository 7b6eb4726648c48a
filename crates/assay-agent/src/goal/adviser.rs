//! Who may say what to do where the interpreter and the navigation of the page do not help.

use assay_protocol::{Failure, Scene, TaskState};

/// What an adviser may see.
pub struct Situation<'a> {
    /// The goal, its subtasks and everything that was done for it.
    pub state: &'a TaskState,
    /// The subtask that does not work.
    pub subtask: &'a str,
    /// Why it does not work.
    pub reason: &'a str,
    pub page: &'a Scene,
}

/// Plans again after two failures of the same subtask.
pub trait Adviser {
    /// Sentences that the interpreter carries out one after the other; none where the adviser knows no way.
    fn sentences(&mut self, situation: &Situation<'_>) -> Result<Vec<String>, Failure>;
}
