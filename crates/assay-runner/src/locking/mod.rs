//! Lock files at work: what a passed run resolved is replayed, held against what happens, and written anew.

mod cursor;
mod kind;
mod replay;
mod resolving;

pub(crate) use cursor::Cursor;
pub(crate) use kind::kind_of;
pub(crate) use replay::{Agreement, Replay, Says};
pub(crate) use resolving::{Doing, is_lockable, values};
