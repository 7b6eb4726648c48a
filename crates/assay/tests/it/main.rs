//! The binary from outside, with real browsers: one integration binary.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod acts;
mod answers;
mod applications;
mod arrivals;
mod conformance;
mod context;
mod crashes;
mod crowds;
mod engines;
mod eyes;
mod files;
mod flow;
mod frames;
mod healing;
mod leftovers;
mod locks;
mod maps;
mod mistakes;
mod models;
mod mutations;
mod names;
mod openings;
mod papers;
mod planning;
mod points;
mod policy;
mod promises;
mod proving;
mod recovery;
mod reliefs;
mod remote;
mod resume;
mod secrecy;
mod sessions;
mod sharing;
mod sights;
mod skill;
mod suites;
mod targets;
mod tasks;
mod traps;
mod troubles;
mod turns;
mod waiting;
