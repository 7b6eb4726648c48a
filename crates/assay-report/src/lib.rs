//! Reports of a run, made from its events only.
//!
//! Knows events, and folds them into a `Summary` that all formats share. Does
//! not know how a test is run, and reads nothing of the run but its events and
//! the pictures they name: so a recorded run is told again as if it were live.

mod atomic;
mod bundle;
mod console;
mod exit;
mod folder;
mod journal;
mod json;
mod plain;
mod progress;
mod story;
mod style;
mod summary;
mod test_summary;
mod time;
mod triage;

#[cfg(test)]
mod sample;

pub use bundle::{BundleError, FailureBundles, write_bundle};
pub use console::Console;
pub use exit::exit_code;
pub use folder::folder_name;
pub use journal::{Cut, Journal, JournalError, Recording, read_events, write_event};
pub use json::{JsonReportError, json_report, write_json_report};
pub use plain::one_line;
pub use style::Style;
pub use summary::{RejectedFile, RunEnding, Summary, Totals};
pub use test_summary::{Attempt, AttemptEnding, Recovery, Status, StepEnding, StepRecord, TestSummary};
pub use time::{duration_words, rfc3339};
pub use triage::{Certainty, Class, Triage};

use assay_protocol::RunEvent;

/// Something that is told each event of a run, in order.
///
/// A reporter never fails a run: what it cannot write it keeps, and tells when
/// it is asked. It is told events of tests that run side by side, interleaved.
pub trait Reporter {
    fn event(&mut self, event: &RunEvent);
}
