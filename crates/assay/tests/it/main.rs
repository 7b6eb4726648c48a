//! The binary from outside, with real browsers: one integration binary.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod acts;
mod answers;
mod context;
mod crashes;
mod crowds;
mod files;
mod frames;
mod mistakes;
mod mutations;
mod names;
mod promises;
mod remote;
mod sessions;
mod skill;
mod targets;
mod waiting;
