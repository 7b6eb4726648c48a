//! Workflow commands, one per line on standard output, that become annotations.
//!
//! GitHub shows ten errors and ten warnings of a step and silently drops the rest.
//! So the worst come first, no more than ten of a kind are printed, and a closing
//! notice counts them all.

use assay_protocol::Verdict;

use crate::console::totals_words;
use crate::paths::{ReportPaths, mistake};
use crate::plain::one_line;
use crate::summary::Summary;
use crate::test_summary::{AttemptSummary, TestStatus, TestSummary};

/// As many of one kind as GitHub shows.
const SHOWN: usize = 10;

/// The lines for standard output, to be printed where `GITHUB_ACTIONS` is `true`.
pub fn github_annotations(summary: &Summary, paths: &ReportPaths) -> String {
    let mut errors: Vec<(u8, String)> = Vec::new();
    let mut warnings = Vec::new();
    for rejected in &summary.rejected {
        let mistake = mistake(rejected);
        let place =
            FilePosition { file: &paths.file(&rejected.file), line: mistake.line, column: mistake.column };
        errors.push((0, command("error", &place, "rejected file", mistake.message)));
    }
    for test in &summary.tests {
        let place = FilePosition { file: &paths.file(&test.line.file), line: None, column: None };
        let annotation = |level: &str| command(level, &place, &test.line.id, &message(test));
        match test.status() {
            TestStatus::Ended(Verdict::Passed) if test.is_flaky() => warnings.push(annotation("warning")),
            TestStatus::Ended(Verdict::Passed) => {}
            TestStatus::Ended(Verdict::Failed) => errors.push((1, annotation("error"))),
            TestStatus::Ended(Verdict::Error) | TestStatus::Running => errors.push((2, annotation("error"))),
            TestStatus::Ended(Verdict::Inconclusive) => errors.push((3, annotation("error"))),
            // Nothing is known of it: the closing notice counts it.
            TestStatus::NotStarted => {}
        }
    }
    errors.sort_by_key(|(rank, _)| *rank);
    let (all_errors, all_warnings) = (errors.len(), warnings.len());
    let mut text = String::new();
    text.extend(errors.into_iter().take(SHOWN).map(|(_, line)| line));
    text.extend(warnings.into_iter().take(SHOWN));
    let mut closing = totals_words(&summary.totals());
    for (all, kind) in [(all_errors, "errors"), (all_warnings, "warnings")] {
        if all > SHOWN {
            closing += &format!("; {} more {kind} than GitHub shows", all - SHOWN);
        }
    }
    text += &format!("::notice title={}::{}\n", property("assay"), data(&closing));
    text
}

fn message(test: &TestSummary) -> String {
    let mut lines = vec![one_line(&test.reason())];
    lines.extend(test.triage().map(|triage| triage.line()));
    if let Some(step) = test.last_attempt().and_then(AttemptSummary::decisive_step) {
        lines.push(format!("at {}: {}", step.place_words(), one_line(&step.text)));
    }
    lines.retain(|line| !line.is_empty());
    lines.join("\n")
}

struct FilePosition<'a> {
    file: &'a str,
    line: Option<u32>,
    column: Option<u32>,
}

fn command(level: &str, place: &FilePosition, title: &str, message: &str) -> String {
    let mut properties = Vec::new();
    if !place.file.is_empty() {
        properties.push(format!("file={}", property(place.file)));
    }
    if let Some(line) = place.line {
        properties.push(format!("line={line},endLine={line}"));
    }
    if let Some(column) = place.column {
        properties.push(format!("col={column}"));
    }
    properties.push(format!("title={}", property(&one_line(title))));
    format!("::{level} {}::{}\n", properties.join(","), data(message))
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{Story, every_ending, failed_login};

    #[track_caller]
    fn check(events: &[assay_protocol::RunEvent], expected: &str) {
        assert_eq!(github_annotations(&Summary::of(events), &ReportPaths::default()), expected);
    }

    #[test]
    fn a_failure_stands_at_its_file() {
        check(
            &failed_login(),
            "::error file=login.yaml,title=login_expired_account::Expected \"Account expired\", got \"Welcome\"\
             %0Aproduct defect: step 2 found \"Welcome\"; every earlier step was fine\
             %0Aat step 2: Verify the message \"Account expired\"\n\
             ::notice title=assay::1 test: 1 failed\n",
        );
    }

    #[test]
    fn the_worst_come_first() {
        let text = github_annotations(&Summary::of(&every_ending()), &ReportPaths::default());
        let told: Vec<&str> = text
            .lines()
            .filter_map(|line| line.split_once("title=")?.1.split_once("::").map(|(title, _)| title))
            .collect();
        assert_eq!(
            told,
            ["rejected file", "failed", "twice", "broken", "cut_off", "unclear", "flaky", "assay"]
        );
        assert!(
            text.starts_with("::error file=bad.yaml,line=2,endLine=2,col=1,title=rejected file::unknown key")
        );
        assert!(
            text.contains("\n::warning file=login.yaml,title=flaky::flaky: the test passed on attempt 2"),
            "{text}"
        );
    }

    #[test]
    fn a_page_cannot_give_commands() {
        let events = Story::of(&["a,b::c"])
            .start("a,b::c", 1)
            .end("a,b::c", Verdict::Failed, "100%\n::error::forged\r", 10)
            .finish();
        check(
            &events,
            "::error file=login.yaml,title=a%2Cb%3A%3Ac::100%25 ::error::forged\
             %0Aprobably product defect: there is no evidence beyond the reason given by the test\n\
             ::notice title=assay::1 test: 1 failed\n",
        );
    }

    #[test]
    fn what_github_does_not_show_is_counted() {
        let ids: Vec<String> = (0..15).map(|number| format!("t{number}")).collect();
        let mut story = Story::of(&ids.iter().map(String::as_str).collect::<Vec<_>>());
        for id in &ids {
            story = story.start(id, 1).end(id, Verdict::Failed, "why", 1);
        }
        let text = github_annotations(&Summary::of(&story.finish()), &ReportPaths::default());
        assert_eq!(text.lines().filter(|line| line.starts_with("::error ")).count(), 10);
        assert!(
            text.ends_with("::notice title=assay::15 tests: 15 failed; 5 more errors than GitHub shows\n")
        );
    }
}
