//! The crate against strict stand-ins: every provider, every misbehaviour, every border of a stream.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod actions;
mod bench;
mod caching;
mod cassettes;
mod computer;
mod conversation;
mod examples;
mod garbage;
mod keys;
mod misbehaviour;
mod model_test;
mod money;
mod patience;
mod waiting;
