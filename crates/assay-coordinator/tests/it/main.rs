//! The coordinator from outside: one folder a test, and real processes where processes matter.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod child;
mod context;
mod crash;
mod failures;
mod history;
mod lock;
mod messages;
mod restart;
mod retention;
mod runs;
