//! The crate against strict stand-ins: every provider, every misbehaviour, every border of a stream.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod caching;
mod cassettes;
mod computer_actions;
mod computer_tools;
mod conversation;
mod costs;
mod examples;
mod keys;
mod local_servers;
mod malformed_answers;
mod misbehaving_servers;
mod model_test;
mod retry_delays;
mod test_bench;
