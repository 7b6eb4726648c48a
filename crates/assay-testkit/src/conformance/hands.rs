//! What a case is run through.

use std::path::Path;

/// What one command said.
#[derive(Debug, Clone, Default)]
pub struct Reply {
    pub exit: i32,
    pub stdout: String,
    pub stderr: String,
}

/// A browser session that takes command lines.
pub trait Hands {
    /// Does one command, given as the words that would follow `assay`, and waits for its reply.
    fn act(&mut self, words: &[&str]) -> Reply;

    /// The folder in which commands run: files that they read and write are named from here.
    fn folder(&self) -> &Path;

    /// Gives up the browser with all its tabs, so that the next command begins with a fresh one.
    fn renew(&mut self);
}
