//! The program that carries tools out.

use std::path::PathBuf;

use assay_protocol::{Action, Failure, Reply};

/// What a tool needs of its program. Blocking: callers that must not wait use a thread of their own.
pub trait Program: Send + Sync {
    /// The folder that paths in arguments count from.
    fn folder(&self) -> PathBuf;

    /// Where files go that are removed at once.
    fn temporary(&self) -> PathBuf;

    /// Carries an action out in the browser of a session, and answers in text within the budget of the command line.
    fn act(&self, session: &str, action: Action) -> Result<Reply, Failure>;

    /// Runs a command line of ours to its end. `tell` gets each line of talk as it comes; when `is_stopped` turns true,
    /// the command is asked to end, as by an interrupt.
    fn run_command(
        &self,
        words: &[String],
        tell: &dyn Fn(&str),
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<CommandRun, Failure>;
}

/// What came of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandRun {
    /// Standard output.
    pub data: String,
    /// Standard error.
    pub talk: String,
    pub exit_code: i32,
}
