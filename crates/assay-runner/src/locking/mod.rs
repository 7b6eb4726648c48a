//! Lock files at work: what a passed run resolved is replayed, held against what happens, and written anew.

mod cursor;
mod kind;
mod replay;
mod resolving;

pub(crate) use cursor::LockCursor;
pub(crate) use kind::kind_of;
pub(crate) use replay::{Agreement, LockAdvice, Replay};
pub(crate) use resolving::{ActInProgress, is_lockable};
