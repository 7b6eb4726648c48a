//! The server and the client as others see them.
//!
//! The conformance tests and the clients of others need packages that `make packages` installs; without them these tests
//! fail. Nothing here measures time: a test that waits, waits for something to happen.

#![expect(clippy::unwrap_used, reason = "an unwrap is a failed test")]

mod asking;
mod cancelling;
mod client;
mod conformance;
mod context;
mod eras;
mod fuzz;
mod http_door;
mod other_clients;
mod tasks;
