//! The files of a suite, from outside: what they mean and what is said when they are wrong.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod design;
mod folder;
mod fuzz;
mod limits;
mod mistakes;
mod names;
mod preconditions;
mod project;
mod reuse;
mod schema;
mod test_file;
