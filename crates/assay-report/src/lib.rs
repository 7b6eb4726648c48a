//! Reports of a run, made from its events only.
//!
//! Knows events, and folds them into a `Summary` that all formats share. Does not
//! know how a test runs, and reads nothing of the run but its events and their
//! screenshots: so it can report a recorded run as if it were live.

mod atomic;
mod bundle;
mod console;
mod ctrf;
mod exit;
mod folder;
mod github;
mod heals;
mod html;
mod journal;
mod json;
mod junit;
mod markdown;
mod paths;
mod plain;
mod png_size;
mod progress;
mod report_file;
mod run_folder;
mod score;
mod spending;
mod story;
mod style;
mod summary;
mod test_summary;
mod time;
mod trace;
mod triage;
mod turns;
mod xml;

#[cfg(test)]
mod no_expectation_tests;
#[cfg(test)]
mod sample;

pub use bundle::{BundleError, FailureBundles};
pub use console::Console;
pub use ctrf::write_ctrf_report;
pub use exit::exit_code;
pub use github::{github_annotations, write_step_summary};
pub use heals::{
    ChangedElement, HealPage, HealProposal, HealShot, NoShot, SentencePlace, earlier_shot, shot_of,
    write_heal_page,
};
pub use html::escaped as html_escaped;
pub use html::pictures::picture_address;
pub use html::{HtmlOptions, PicturesInHtml, html_report, write_html_report};
pub use journal::{Cut, Journal, JournalError, Recording, read_events, read_summary};
pub use json::{json_report, write_json_report};
pub use junit::{JunitDialect, write_junit_report};
pub use markdown::{code as markdown_code, escaped as markdown_escaped};
pub use paths::ReportPaths;
pub use plain::one_line;
pub use report_file::ReportError;
pub use score::score_words;
pub use spending::Spending;
pub use style::Style;
pub use summary::{BrokenWay, Proofs, RejectedFile, RunEnding, Summary, Totals};
pub use test_summary::{
    AttemptEnding, AttemptSummary, RecoverySummary, StepEnding, StepRecord, TestStatus, TestSummary,
};
pub use time::{duration_words, moment_words, rfc3339};
pub use trace::write_trace;
pub use triage::{Certainty, Class, Triage, is_unreachable};
pub use turns::{TurnLog, TurnProblem};

use assay_protocol::RunEvent;

/// Receives each event of a run, in order.
///
/// A reporter never fails a run: it keeps write errors and returns them on
/// request. Events of parallel tests arrive interleaved.
pub trait Reporter {
    fn event(&mut self, event: &RunEvent);
}
