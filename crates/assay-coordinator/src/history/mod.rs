//! Queries about past runs, one file each.

mod flaky;
mod past;
mod rate;
mod stats;

pub use flaky::{FlakyEngine, FlakyStep, FlakyTest};
pub use past::PastResult;
pub use rate::Rate;
pub use stats::{Spread, Stats, TestDurations, TestFailures};

pub(crate) use flaky::became_flaky;
