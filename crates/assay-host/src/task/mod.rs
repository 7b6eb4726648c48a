//! Tasks of a session: acts put on record as they happen, and done again in a new browser.

mod replay;
mod witness;

pub use replay::replay_task;
pub use witness::call_witness;
