//! Lock files during a run: replays the record of a passed run, compares it with the current run, and writes it again.

mod cursor;
mod kind;
mod records;
mod replay;
mod resolving;

pub(crate) use cursor::LockCursor;
pub(crate) use kind::kind_of;
pub(crate) use records::RecordNumbers;
pub(crate) use replay::{Agreement, LockAdvice, Replay};
pub(crate) use resolving::{ActInProgress, is_lockable};
