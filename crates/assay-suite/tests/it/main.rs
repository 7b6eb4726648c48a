//! The files of a suite, from outside: what they mean and what is said when they are wrong.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod documented_example;
mod fuzz;
mod limits;
mod mistakes;
mod preconditions;
mod project;
mod project_search;
mod schema;
mod shared_steps;
mod suite_folder;
mod test_file;
mod variables;
mod world;
