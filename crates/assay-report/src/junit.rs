//! JUnit XML, in the dialect that Jenkins' xUnit step enforces and every other
//! reader understands.
//!
//! An inconclusive test is an `<error>`: no assertion was false, but it must not
//! pass. A rejected file is a case with an error, so nobody can overlook it.

use std::path::Path;

use assay_protocol::{TestLine, Verdict};

use crate::paths::{FileNames, ReportPaths, mistake};
use crate::plain::one_line;
use crate::report_file::{self, ReportError};
use crate::summary::Summary;
use crate::test_summary::{AttemptSummary, TestStatus, TestSummary};
use crate::time::rfc3339;
use crate::xml::Xml;

/// Of a pass that shows little.
const NO_EXPECTATION: &str = "no expectation: the test shows only that its steps could be carried out";
/// More pictures than anybody looks at would only make the file long.
const MAX_PICTURES: usize = 20;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum JunitDialect {
    /// Valid against `junit-10.xsd`.
    #[default]
    Strict,
    /// With `file` and `<properties>` at each case, which some services read and
    /// the schema of Jenkins refuses.
    Extended,
}

/// Writes the report atomically.
pub fn write_junit_report(
    summary: &Summary,
    paths: &ReportPaths,
    dialect: JunitDialect,
    path: &Path,
) -> Result<(), ReportError> {
    report_file::write(path, junit_report(summary, paths, dialect).as_bytes())
}

pub fn junit_report(summary: &Summary, paths: &ReportPaths, dialect: JunitDialect) -> String {
    let suites = suites_of(summary);
    let writer = Writer { summary, paths, dialect, names: FileNames::of(summary) };
    let mut counts = Counts::default();
    suites.iter().for_each(|suite| counts.add(&suite.counts()));
    let name = if summary.suite.is_empty() { "assay" } else { &summary.suite };
    let duration = summary.ending.map_or(counts.duration_ms, |ending| ending.duration_ms);
    let mut xml = Xml::new();
    xml.open(
        "testsuites",
        &[
            ("name", name),
            ("tests", &counts.tests.to_string()),
            ("failures", &counts.failures.to_string()),
            ("errors", &counts.errors.to_string()),
            ("time", &seconds(duration)),
        ],
    );
    for suite in &suites {
        writer.suite(&mut xml, suite);
    }
    xml.close("testsuites");
    xml.finish()
}

/// The tests of one file, or the files that were rejected.
struct Suite<'a> {
    file: &'a str,
    tests: Vec<&'a TestSummary>,
    rejected: usize,
}

#[derive(Default)]
struct Counts {
    tests: usize,
    failures: usize,
    errors: usize,
    skipped: usize,
    duration_ms: u64,
}

/// The result of a case in JUnit's terms.
#[derive(Clone, Copy, PartialEq)]
enum CaseKind {
    Passed,
    Failure,
    Error,
    Skipped,
}

impl CaseKind {
    fn of(test: &TestSummary) -> Self {
        match test.status() {
            TestStatus::Ended(Verdict::Passed) => CaseKind::Passed,
            TestStatus::Ended(Verdict::Failed) => CaseKind::Failure,
            // A test that began and did not end was not skipped.
            TestStatus::Ended(Verdict::Inconclusive | Verdict::Error) | TestStatus::Running => {
                CaseKind::Error
            }
            TestStatus::NotStarted => CaseKind::Skipped,
        }
    }
}

impl Suite<'_> {
    fn counts(&self) -> Counts {
        let mut counts = Counts { tests: self.rejected, errors: self.rejected, ..Counts::default() };
        for test in &self.tests {
            let kind = CaseKind::of(test);
            counts.tests += 1;
            counts.failures += usize::from(kind == CaseKind::Failure);
            counts.errors += usize::from(kind == CaseKind::Error);
            counts.skipped += usize::from(kind == CaseKind::Skipped);
            counts.duration_ms += test.duration_ms();
        }
        counts
    }
}

impl Counts {
    fn add(&mut self, other: &Counts) {
        self.tests += other.tests;
        self.failures += other.failures;
        self.errors += other.errors;
        self.skipped += other.skipped;
        self.duration_ms += other.duration_ms;
    }
}

fn suites_of(summary: &Summary) -> Vec<Suite<'_>> {
    let mut suites: Vec<Suite> = Vec::new();
    for test in &summary.tests {
        match suites.iter_mut().find(|suite| suite.file == test.line.file) {
            Some(suite) => suite.tests.push(test),
            None => suites.push(Suite { file: &test.line.file, tests: vec![test], rejected: 0 }),
        }
    }
    if !summary.rejected.is_empty() {
        suites.push(Suite { file: "", tests: Vec::new(), rejected: summary.rejected.len() });
    }
    suites
}

/// Data for all parts of the document.
struct Writer<'a> {
    summary: &'a Summary,
    paths: &'a ReportPaths,
    dialect: JunitDialect,
    names: FileNames,
}

impl Writer<'_> {
    fn suite(&self, xml: &mut Xml, suite: &Suite) {
        let Writer { summary, paths, names, .. } = self;
        let counts = suite.counts();
        let name = match suite.rejected {
            0 => names.telling(suite.file),
            _ => "rejected files".to_owned(),
        };
        let file = paths.file(suite.file);
        let numbers = [counts.tests, counts.failures, counts.errors, counts.skipped].map(|it| it.to_string());
        let time = seconds(counts.duration_ms);
        let started =
            suite.tests.iter().filter_map(|test| test.attempts.first()).map(|it| it.started_at).min();
        let timestamp = started.or(summary.started_at).map(moment);
        let mut attributes = vec![
            ("name", if name.is_empty() { "assay" } else { name.as_str() }),
            ("tests", &numbers[0]),
            ("failures", &numbers[1]),
            ("errors", &numbers[2]),
            ("skipped", &numbers[3]),
            ("time", &time),
        ];
        if let Some(timestamp) = &timestamp {
            attributes.push(("timestamp", timestamp));
        }
        if !file.is_empty() {
            attributes.push(("file", &file));
        }
        xml.open("testsuite", &attributes);
        for test in &suite.tests {
            self.case(xml, test);
        }
        if suite.rejected > 0 {
            write_rejected(xml, summary, paths);
        }
        xml.close("testsuite");
    }

    fn case(&self, xml: &mut Xml, test: &TestSummary) {
        let Writer { summary, paths, dialect, names } = self;
        let class = class_name(&summary.suite, &names.telling(&test.line.file));
        let time = seconds(test.duration_ms());
        let file = paths.file(&test.line.file);
        let mut attributes = vec![("name", test.line.id.as_str()), ("classname", &class), ("time", &time)];
        if *dialect == JunitDialect::Extended {
            attributes.push(("file", &file));
        }
        let kind = CaseKind::of(test);
        let is_plain = kind == CaseKind::Passed && !test.is_flaky() && !test.has_no_expectation();
        if is_plain && *dialect == JunitDialect::Strict {
            return xml.empty("testcase", &attributes);
        }
        xml.open("testcase", &attributes);
        if *dialect == JunitDialect::Extended {
            write_properties(xml, test);
        }
        let message = one_line(&test.reason());
        let triage = test.triage();
        let result_type = triage.as_ref().map_or("not-run", |triage| triage.class.name());
        let result = [("message", message.as_str()), ("type", result_type)];
        match kind {
            CaseKind::Passed => {}
            CaseKind::Failure => xml.holding("failure", &result, &details(test, &file)),
            CaseKind::Error => xml.holding("error", &result, &details(test, &file)),
            CaseKind::Skipped => xml.empty("skipped", &result[..1]),
        }
        for attempt in test.retried() {
            write_earlier(xml, attempt, kind);
        }
        if matches!(kind, CaseKind::Failure | CaseKind::Error) {
            xml.holding("system-out", &[], &output_of(test, paths));
        } else if test.has_no_expectation() {
            xml.holding("system-out", &[], NO_EXPECTATION);
        }
        xml.close("testcase");
    }
}

/// The requirements of a test, for texts about one that did not pass.
fn requirement_line(line: &TestLine) -> Option<String> {
    let words = line.requirement_words();
    (!words.is_empty()).then(|| format!("requirements: {words}"))
}

/// The first line is the file, which some services look for there.
fn details(test: &TestSummary, file: &str) -> String {
    let mut lines = vec![file.to_owned(), test.reason()];
    lines.extend(test.triage().map(|triage| triage.line()));
    lines.extend(requirement_line(&test.line));
    if let Some(step) = test.last_attempt().and_then(AttemptSummary::decisive_step) {
        lines.push(format!("at {}: {}", step.place_words(), step.text));
        for judgement in step.ending.iter().flat_map(|ending| &ending.judgements) {
            for (label, value) in [("expected", &judgement.expected), ("found", &judgement.found)] {
                lines.extend(value.iter().map(|value| format!("{label}: {value}")));
            }
        }
    }
    lines.retain(|line| !line.is_empty());
    lines.join("\n")
}

fn write_earlier(xml: &mut Xml, attempt: &AttemptSummary, kind: CaseKind) {
    let Some(ending) = &attempt.ending else { return };
    let name = match (kind, ending.verdict) {
        (_, Verdict::Passed) => return,
        (CaseKind::Passed, Verdict::Failed) => "flakyFailure",
        (CaseKind::Passed, Verdict::Inconclusive | Verdict::Error) => "flakyError",
        (_, Verdict::Failed) => "rerunFailure",
        (_, Verdict::Inconclusive | Verdict::Error) => "rerunError",
    };
    let message = one_line(&ending.reason);
    xml.open(name, &[("message", &message), ("type", ending.verdict.name())]);
    let place = attempt.decisive_step().map(|step| format!("at {}: {}\n", step.place_words(), step.text));
    let trace = format!("attempt {}\n{}{}", attempt.number, place.unwrap_or_default(), ending.reason);
    xml.holding("stackTrace", &[], &trace);
    xml.close(name);
}

fn write_properties(xml: &mut Xml, test: &TestSummary) {
    xml.open("properties", &[]);
    let mut property = |name: &str, value: &str| {
        if !value.is_empty() {
            xml.empty("property", &[("name", name), ("value", value)]);
        }
    };
    property("title", &test.line.name);
    property("browser", &test.line.browser);
    test.line.tags.iter().for_each(|tag| property("tag", tag));
    test.line.requirements.iter().for_each(|requirement| property("requirement", requirement));
    if test.has_no_expectation() {
        property("expectation", "none");
    }
    if let Some(triage) = test.triage() {
        property("class", triage.class.name());
        property("class_reason", &triage.reason());
    }
    xml.close("properties");
}

/// Its steps, and its pictures: each alone on its line, the newest first, since
/// GitLab shows the first one only.
fn output_of(test: &TestSummary, paths: &ReportPaths) -> String {
    let mut text = String::new();
    let steps = test.last_attempt().map(|attempt| attempt.steps.as_slice()).unwrap_or_default();
    for step in steps.iter().filter(|step| !step.text.is_empty()) {
        let verdict = step.verdict().map_or("did not finish", Verdict::name);
        text += &format!("{}: {} → {verdict}\n", step.place_words(), one_line(&step.text));
    }
    for picture in test.pictures().into_iter().rev().take(MAX_PICTURES) {
        text += &format!("[[ATTACHMENT|{}]]\n", one_line(&paths.picture(picture)));
    }
    text
}

fn write_rejected(xml: &mut Xml, summary: &Summary, paths: &ReportPaths) {
    let class = class_name(&summary.suite, "rejected");
    for (number, rejected) in summary.rejected.iter().enumerate() {
        let file = paths.file(&rejected.file);
        let mistake = mistake(rejected);
        let place = match mistake.line {
            Some(line) => format!("{file}:{line}"),
            None => file.clone(),
        };
        // One file may have several mistakes, and a name may be there only once.
        let before = summary.rejected[..number].iter().filter(|it| it.file == rejected.file).count();
        let name = if before == 0 { file } else { format!("{file} ({})", before + 1) };
        xml.open("testcase", &[("name", &name), ("classname", &class), ("time", "0.000")]);
        let message = one_line(mistake.message.lines().next().unwrap_or_default());
        let text = format!("{place}\n{}", mistake.message);
        xml.holding("error", &[("message", &message), ("type", "rejected-file")], &text);
        xml.close("testcase");
    }
}

/// Jenkins groups by the part before the last dot, so there is one dot only.
fn class_name(suite: &str, file: &str) -> String {
    let safe = |text: &str| -> String {
        let name = text.chars().map(|it| if matches!(it, '.' | '/' | '\\') { '_' } else { it }).collect();
        if text.is_empty() { "assay".to_owned() } else { name }
    };
    format!("{}.{}", safe(suite), safe(file))
}

fn seconds(milliseconds: u64) -> String {
    format!("{}.{:03}", milliseconds / 1000, milliseconds % 1000)
}

/// Without fraction and zone, which some readers refuse.
fn moment(milliseconds: u64) -> String {
    let mut moment = rfc3339(milliseconds);
    moment.truncate("2026-11-15T10:48:52".len());
    moment
}

#[cfg(test)]
#[path = "junit_tests.rs"]
mod tests;
