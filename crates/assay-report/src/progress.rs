//! The progress line below the others.

use crate::plain::{cut_to_columns, one_line};
use crate::style::Style;
use crate::summary::Summary;
use crate::test_summary::{TestStatus, TestSummary};

/// To the beginning of the line, and away with what stands there.
const ERASE: &str = "\r\u{1b}[K";

pub struct Progress {
    /// None if there is no progress line.
    columns: Option<usize>,
    /// The current text on the screen.
    drawn: String,
}

impl Progress {
    pub fn new(style: Style) -> Self {
        Progress { columns: style.progress, drawn: String::new() }
    }

    /// No line is drawn any more.
    pub fn stop(&mut self) {
        self.columns = None;
    }

    /// Text that stays, with what takes the old progress line away before it and
    /// draws the new one after it. Nothing when the screen is right as it is.
    pub fn around(&mut self, text: &str, summary: &Summary) -> String {
        let next = match self.columns {
            // The last column stays free: some terminals begin a new line when it is written.
            Some(columns) if summary.ending.is_none() => {
                cut_to_columns(&words(summary), columns.saturating_sub(1))
            }
            _ => String::new(),
        };
        if text.is_empty() && next == self.drawn {
            return String::new();
        }
        let erase = if self.drawn.is_empty() { "" } else { ERASE };
        self.drawn = next;
        format!("{erase}{text}{}", self.drawn)
    }
}

/// `3/40 · 2 failed · 2 running: login_x (step 3), …`; empty before the run begins.
fn words(summary: &Summary) -> String {
    if summary.started_at.is_none() || summary.tests.is_empty() {
        return String::new();
    }
    let totals = summary.totals();
    let mut parts = vec![format!("{}/{}", totals.tests - totals.not_run, totals.tests)];
    for (count, word) in
        [(totals.failed, "failed"), (totals.inconclusive, "inconclusive"), (totals.errors, "errors")]
    {
        if count > 0 {
            parts.push(format!("{count} {word}"));
        }
    }
    let running: Vec<String> =
        summary.tests.iter().filter(|test| test.status() == TestStatus::Running).map(running_words).collect();
    if !running.is_empty() {
        parts.push(format!("{} running: {}", running.len(), running.join(", ")));
    }
    parts.join(" · ")
}

fn running_words(test: &TestSummary) -> String {
    let id = one_line(&test.line.id);
    match test.last_attempt().and_then(|attempt| attempt.steps.last()) {
        Some(step) => format!("{id} ({})", step.place_words()),
        None => id,
    }
}
