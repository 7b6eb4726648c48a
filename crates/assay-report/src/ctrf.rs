//! CTRF, the Common Test Report Format: one JSON document that dashboards and
//! pull-request bots read.
//!
//! Nearly every object of the format is closed, so assay's own data goes into
//! `extra`. A test that is inconclusive or broke is `failed` there, with the exact
//! word in `rawStatus`: no reader may mistake it for a pass.

use std::io;
use std::path::Path;

use assay_protocol::Verdict;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::paths::{FileNames, ReportPaths, mistake};
use crate::plain::one_line;
use crate::report_file::{self, ReportError};
use crate::story::story;
use crate::summary::{RejectedFile, Summary};
use crate::test_summary::{AttemptSummary, TestStatus, TestSummary};
use crate::time::rfc3339;

/// Writes the report atomically.
pub fn write_ctrf_report(summary: &Summary, paths: &ReportPaths, path: &Path) -> Result<(), ReportError> {
    let text = ctrf_report(summary, paths).map_err(io::Error::from).map_err(ReportError::at(path))?;
    report_file::write(path, text.as_bytes())
}

pub fn ctrf_report(summary: &Summary, paths: &ReportPaths) -> serde_json::Result<String> {
    let names = FileNames::of(summary);
    let mut tests: Vec<Test> =
        summary.tests.iter().map(|test| Test::of(test, summary, paths, &names)).collect();
    tests.extend(summary.rejected.iter().map(|rejected| Test::rejected(rejected, summary, paths)));
    let count = |status: &str| tests.iter().filter(|test| test.status == status).count();
    let start = summary.started_at.unwrap_or_default();
    let stop = summary.ending.map_or_else(|| last_moment(summary).max(start), |ending| ending.at);
    let mut document = json!({
        "reportFormat": "CTRF",
        "specVersion": "0.0.0",
        "reportId": document_id(&format!("{}\n{start}\n{stop}", summary.run)),
        "timestamp": rfc3339(stop),
        "generatedBy": "assay",
        "results": {
            "tool": { "name": "assay", "version": env!("CARGO_PKG_VERSION") },
            "summary": {
                "tests": tests.len(),
                "passed": count("passed"),
                "failed": count("failed"),
                "skipped": count("skipped"),
                "pending": count("pending"),
                "other": count("other"),
                "flaky": summary.totals().flaky,
                "suites": tests.iter().map(|test| &test.suite).collect::<std::collections::BTreeSet<_>>().len(),
                "start": start,
                "stop": stop,
                "duration": summary.ending.map_or(stop - start, |ending| ending.duration_ms),
            },
            "tests": tests,
        },
    });
    if !summary.run.is_empty() {
        document["runId"] = Value::from(summary.run.as_str());
    }
    serde_json::to_string_pretty(&document).map(|text| text + "\n")
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Test<'a> {
    name: String,
    status: &'static str,
    raw_status: &'static str,
    duration: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stop: Option<u64>,
    suite: Vec<String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    message: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    trace: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    file_path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    tags: &'a [String],
    #[serde(skip_serializing_if = "Map::is_empty")]
    labels: Map<String, Value>,
    #[serde(skip_serializing_if = "str::is_empty")]
    browser: &'a str,
    flaky: bool,
    retries: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    retry_attempts: Vec<RetryAttempt<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    steps: Vec<CtrfStep>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    attachments: Vec<Attachment>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    extra: Map<String, Value>,
}

#[derive(Serialize)]
struct RetryAttempt<'a> {
    attempt: u32,
    status: &'static str,
    duration: u64,
    start: u64,
    message: &'a str,
}

#[derive(Serialize)]
struct CtrfStep {
    name: String,
    status: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Attachment {
    name: String,
    content_type: &'static str,
    path: String,
}

impl<'a> Test<'a> {
    fn of(test: &'a TestSummary, summary: &Summary, paths: &ReportPaths, names: &FileNames) -> Self {
        let line = &test.line;
        let last = test.last_attempt();
        let retry_attempts: Vec<RetryAttempt> = test.retried().map(RetryAttempt::of).collect();
        let green = test.status() == TestStatus::Ended(Verdict::Passed);
        let start = last.map(|attempt| attempt.started_at);
        let mut extra = Map::new();
        extra.insert("title".into(), line.name.as_str().into());
        if let Some(triage) = test.triage() {
            extra.insert("class".into(), triage.class.name().into());
            extra.insert("classReason".into(), triage.reason().into());
        }
        if test.has_no_expectation() {
            extra.insert("noExpectation".into(), true.into());
        }
        let links = line.requirement_links();
        if !links.is_empty() {
            extra.insert("requirements".into(), json!(links));
        }
        let mut labels = Map::new();
        if !line.requirements.is_empty() {
            labels.insert("requirements".into(), json!(line.requirements));
        }
        Test {
            name: named(&line.id),
            status: status(test.status()),
            raw_status: match test.status() {
                TestStatus::Ended(verdict) => verdict.name(),
                TestStatus::NotStarted => "not-started",
                TestStatus::Running => "not-ended",
            },
            duration: test.duration_ms(),
            start,
            stop: start.filter(|_| test.verdict().is_some()).map(|start| start + test.duration_ms()),
            suite: vec![named(&summary.suite), named(&names.telling(&line.file))],
            message: test.reason(),
            trace: if green { String::new() } else { story(test) },
            file_path: paths.file(&line.file),
            line: None,
            kind: "e2e",
            tags: &line.tags,
            labels,
            browser: &line.browser,
            flaky: test.is_flaky(),
            retries: retry_attempts.len(),
            retry_attempts,
            steps: last.map(steps).unwrap_or_default(),
            attachments: if green { Vec::new() } else { attachments(test, paths) },
            extra,
        }
    }

    /// A file that could not be read has no test, but it must not be overlooked.
    fn rejected(rejected: &'a RejectedFile, summary: &Summary, paths: &ReportPaths) -> Self {
        let mistake = mistake(rejected);
        let file = paths.file(&rejected.file);
        Test {
            name: named(&file),
            status: "failed",
            raw_status: "rejected",
            duration: 0,
            start: None,
            stop: None,
            suite: vec![named(&summary.suite), "rejected files".to_owned()],
            message: one_line(mistake.message.lines().next().unwrap_or_default()),
            trace: rejected.message.clone(),
            file_path: file,
            line: mistake.line,
            kind: "e2e",
            tags: &[],
            labels: Map::new(),
            browser: "",
            flaky: false,
            retries: 0,
            retry_attempts: Vec::new(),
            steps: Vec::new(),
            attachments: Vec::new(),
            extra: Map::new(),
        }
    }
}

impl<'a> RetryAttempt<'a> {
    fn of(attempt: &'a AttemptSummary) -> Self {
        let ending = attempt.ending.as_ref();
        RetryAttempt {
            attempt: attempt.number.max(1),
            status: ending.map_or("other", |ending| status(TestStatus::Ended(ending.verdict))),
            duration: ending.map_or(0, |ending| ending.duration_ms),
            start: attempt.started_at,
            message: ending.map(|ending| ending.reason.as_str()).unwrap_or_default(),
        }
    }
}

fn steps(attempt: &AttemptSummary) -> Vec<CtrfStep> {
    let told = attempt.steps.iter().filter(|step| !step.text.is_empty());
    told.map(|step| CtrfStep {
        name: step.text.clone(),
        status: step.verdict().map_or("other", |verdict| status(TestStatus::Ended(verdict))),
    })
    .collect()
}

/// The newest first: that is the one which shows the failure.
fn attachments(test: &TestSummary, paths: &ReportPaths) -> Vec<Attachment> {
    let pictures = test.pictures();
    let number = pictures.len();
    let newest_first = pictures.into_iter().enumerate().rev();
    newest_first
        .map(|(at, picture)| Attachment {
            name: format!("screenshot {} of {number}", at + 1),
            content_type: "image/png",
            path: paths.picture(picture),
        })
        .collect()
}

fn status(status: TestStatus) -> &'static str {
    match status {
        TestStatus::Ended(Verdict::Passed) => "passed",
        TestStatus::Ended(Verdict::Failed | Verdict::Inconclusive | Verdict::Error) => "failed",
        // What began and did not end was not left out on purpose.
        TestStatus::Running => "failed",
        TestStatus::NotStarted => "pending",
    }
}

/// The format does not allow an empty name.
fn named(text: &str) -> String {
    if text.is_empty() { "assay".to_owned() } else { text.to_owned() }
}

/// The last moment that is known of a run that did not come to its end.
fn last_moment(summary: &Summary) -> u64 {
    let attempts = summary.tests.iter().flat_map(|test| &test.attempts);
    attempts
        .map(|it| it.started_at + it.ending.as_ref().map_or(0, |end| end.duration_ms))
        .max()
        .unwrap_or_default()
}

/// A UUID that is the same each time the same report is made (version 8: of one's own making).
fn document_id(text: &str) -> String {
    let fingerprint = |seed: u64| {
        text.bytes().fold(seed, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
    };
    let (high, low) = (fingerprint(0xcbf2_9ce4_8422_2325), fingerprint(0x9e37_79b9_7f4a_7c15));
    format!(
        "{:08x}-{:04x}-8{:03x}-{:04x}-{:012x}",
        high >> 32,
        high >> 16 & 0xffff,
        high & 0xfff,
        low >> 48 & 0x3fff | 0x8000,
        low & 0xffff_ffff_ffff
    )
}

#[cfg(test)]
#[path = "ctrf_tests.rs"]
mod tests;
