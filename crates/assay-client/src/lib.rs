//! The thin side of the command line: find or start the daemon, send, receive.
//!
//! Blocking and small, because every command pays for it. Knows requests and
//! replies; cannot reach a driver even by accident.

mod conversation;
mod runtime;

pub use conversation::{Client, IsStopped, StartDaemon, ask_running};
pub use runtime::RuntimeFolder;
