//! Tasks of a session: records acts as they happen, and repeats them in a new browser.

mod replay;
mod witness;

pub use replay::{repeated_commits, replay_task};
pub use witness::call_witness;
pub(crate) use witness::witness_for;
