//! The runner from outside, with a surface that answers as it is told.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod pilots;
mod retries;
