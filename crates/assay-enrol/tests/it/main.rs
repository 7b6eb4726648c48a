//! The crate from outside: files in folders of their own.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod documentation;
mod files;
mod plans;
mod scene;
