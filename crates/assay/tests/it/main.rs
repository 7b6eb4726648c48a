//! The binary from outside, with real browsers: one integration binary.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod accessible_names;
mod act_effects;
mod acts;
mod applications;
mod changing_pages;
mod conformance;
mod context;
mod crashes;
mod engines;
mod false_passes;
mod files;
mod first_address;
mod frames;
mod healing;
mod input_at_points;
mod lazy_page_script;
mod locks;
mod maps;
mod mistakes;
mod model_tasks;
mod model_turns;
mod models;
mod orphan_browsers;
mod parallel_clients;
mod planning;
mod policy;
mod proving;
mod recovery;
mod recovery_by_rules;
mod regressions;
mod remote;
mod repeated_flow;
mod report_formats;
mod resume;
mod secrecy;
mod sessions;
mod shared_browsers;
mod skill;
mod standby_workers;
mod suites;
mod targets;
mod visibility;
mod vision_pilots;
mod waiting;
