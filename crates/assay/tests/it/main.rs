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
mod planning;
mod points;
mod policy;
mod proving;
mod recovery;
mod recovery_by_rules;
mod regressions;
mod remote;
mod report_formats;
mod resume;
mod secrecy;
mod sessions;
mod sharing;
mod skill;
mod standby_workers;
mod suites;
mod targets;
mod tasks;
mod traps;
mod turns;
mod visibility;
mod vision_pilots;
mod waiting;
