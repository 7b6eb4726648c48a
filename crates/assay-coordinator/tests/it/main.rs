//! The coordinator from outside: one folder a test, and real processes where processes matter.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod agent_sessions;
mod analyses;
mod bus;
mod child_process;
mod context;
mod copies;
mod crash;
mod device_lock;
mod history;
mod hooks;
mod incidents;
mod lock;
mod messages;
mod migration;
mod restart;
mod retention;
mod runs;
mod service;
mod storage_failures;
