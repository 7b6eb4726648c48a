//! The Markdown that GitHub shows on the page of a job.
//!
//! GitHub drops a summary above one mebibyte, so it is cut before that, with a line
//! that says so; failures come first.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;

use assay_protocol::Verdict;

use crate::console::totals_words;
use crate::markdown::escaped;
use crate::report_file::ReportError;
use crate::summary::Summary;
use crate::test_summary::{AttemptSummary, TestStatus, TestSummary};
use crate::time::duration_words;

/// The maximum that GitHub accepts from one step.
const LIMIT: usize = 1024 * 1024;
/// Room for the line about omitted tests.
const TAIL: usize = 256;

/// Appends the summary to the file that `GITHUB_STEP_SUMMARY` names, within what
/// GitHub still takes beside that which is there already.
pub fn write_step_summary(summary: &Summary, path: &Path) -> Result<(), ReportError> {
    append(summary, path).map_err(ReportError::at(path))
}

fn append(summary: &Summary, path: &Path) -> io::Result<()> {
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    let there = usize::try_from(file.metadata()?.len()).unwrap_or(LIMIT);
    // In one write, so that two writers do not mix their lines.
    file.write_all(step_summary(summary, LIMIT.saturating_sub(there)).as_bytes())
}

/// The summary in at most this many bytes; empty if not even its head fits.
pub fn step_summary(summary: &Summary, limit: usize) -> String {
    let mut text = head(summary);
    if text.len() + TAIL > limit {
        return String::new();
    }
    let mut red: Vec<(u8, &TestSummary)> = Vec::new();
    red.extend(summary.tests.iter().filter_map(|test| Some((rank(test)?, test))));
    red.sort_by_key(|(rank, _)| *rank);
    let rejected = summary.rejected.iter().map(|it| {
        let message = it.message.lines().next().unwrap_or_default();
        format!("| 🚫 rejected | {} | | {} | |\n", escaped(&it.file), escaped(message))
    });
    let rows: Vec<String> = rejected.chain(red.iter().map(|(_, test)| row(test))).collect();
    if rows.is_empty() {
        return text;
    }
    text += "\n| | test | class | why | time |\n|---|---|---|---|---|\n";
    for (number, row) in rows.iter().enumerate() {
        if text.len() + row.len() + TAIL > limit {
            text +=
                &format!("\n{} more not shown: GitHub limits the size of a summary.\n", rows.len() - number);
            break;
        }
        text += row;
    }
    text
}

fn head(summary: &Summary) -> String {
    let name = if summary.suite.is_empty() { "assay" } else { &summary.suite };
    let mut line = totals_words(&summary.totals());
    match summary.ending {
        Some(ending) if ending.interrupted => line += "; interrupted",
        Some(ending) => line += &format!(" in {}", duration_words(ending.duration_ms)),
        None => line += "; the run did not finish",
    }
    format!("### {}\n\n{line}\n", escaped(name))
}

/// The lower, the worse; None for a plain pass.
fn rank(test: &TestSummary) -> Option<u8> {
    match test.status() {
        TestStatus::Ended(Verdict::Failed) => Some(0),
        TestStatus::Ended(Verdict::Error) | TestStatus::Running => Some(1),
        TestStatus::Ended(Verdict::Inconclusive) => Some(2),
        TestStatus::NotStarted => Some(3),
        TestStatus::Ended(Verdict::Passed) => test.is_flaky().then_some(4),
    }
}

fn row(test: &TestSummary) -> String {
    let word = match test.status() {
        TestStatus::Ended(Verdict::Passed) => "⚠️ flaky",
        TestStatus::Ended(Verdict::Failed) => "❌ failed",
        TestStatus::Ended(Verdict::Error) => "💥 error",
        TestStatus::Ended(Verdict::Inconclusive) => "❓ inconclusive",
        TestStatus::Running => "💥 did not finish",
        TestStatus::NotStarted => "⏭️ not run",
    };
    let triage = test.triage();
    let class = triage.as_ref().map(|it| it.class.words()).unwrap_or_default();
    let mut why = vec![escaped(&test.reason())];
    why.extend(triage.iter().map(|triage| format!("<sub>{}</sub>", escaped(&triage.reason()))));
    if let Some(step) = test.last_attempt().and_then(AttemptSummary::decisive_step) {
        why.push(format!("<sub>at {}: {}</sub>", step.place_words(), escaped(&step.text)));
    }
    why.retain(|line| !line.is_empty());
    let (name, time) = (escaped(&test.line.id), duration_words(test.duration_ms()));
    format!("| {word} | {name} | {class} | {} | {time} |\n", why.join("<br>"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{Story, every_ending, failed_login};

    #[test]
    fn a_failure_is_a_row_with_its_class_and_its_step() {
        assert_eq!(
            step_summary(&Summary::of(&failed_login()), LIMIT),
            "### demo\n\n1 test: 1 failed in 9.0s\n\n\
             | | test | class | why | time |\n|---|---|---|---|---|\n\
             | ❌ failed | login_expired_account | product defect | Expected \"Account expired\", got \"Welcome\"<br>\
             <sub>step 2 found \"Welcome\"; every earlier step was fine</sub><br>\
             <sub>at step 2: Verify the message \"Account expired\"</sub> | 5.1s |\n"
        );
    }

    #[test]
    fn all_that_is_not_a_plain_pass_is_told_the_worst_first() {
        let text = step_summary(&Summary::of(&every_ending()), LIMIT);
        let told: Vec<&str> =
            text.lines().filter(|it| it.starts_with("| ")).filter_map(|it| it.split(" | ").nth(1)).collect();
        assert_eq!(
            told,
            ["test", "bad.yaml", "failed", "twice", "broken", "cut_off", "unclear", "not_started", "flaky"]
        );
    }

    #[test]
    fn it_stays_within_what_github_takes_and_says_what_is_missing() {
        let ids: Vec<String> = (0..200).map(|number| format!("t{number}")).collect();
        let mut story = Story::of(&ids.iter().map(String::as_str).collect::<Vec<_>>());
        for id in &ids {
            story = story.start(id, 1).end(id, Verdict::Failed, &"<b>|".repeat(100), 1);
        }
        let summary = Summary::of(&story.finish());
        let text = step_summary(&summary, 20_000);
        assert!(text.len() <= 20_000 && text.len() > 15_000, "{}", text.len());
        assert!(text.ends_with(" more not shown: GitHub limits the size of a summary.\n"));
        assert!(text.contains("\\<b>\\|\\<b>") && !text.contains("<b>|"), "{text}");
        assert_eq!(step_summary(&summary, 100), "");
    }

    #[test]
    fn it_is_appended_to_what_is_there() {
        let path = std::env::temp_dir().join(format!("assay-step-summary-{}", std::process::id()));
        std::fs::write(&path, "before\n").unwrap();
        write_step_summary(&Summary::of(&failed_login()), &path).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("before\n### demo\n"), "{text}");
        std::fs::write(&path, "x".repeat(LIMIT)).unwrap();
        write_step_summary(&Summary::of(&failed_login()), &path).unwrap();
        assert_eq!(std::fs::metadata(&path).unwrap().len(), LIMIT as u64);
        std::fs::remove_file(path).unwrap();
    }
}
