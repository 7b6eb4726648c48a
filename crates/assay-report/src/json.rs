//! The report for machines: the whole run as one JSON document.
//!
//! `suite` and, for each test, `name`, `status`, `duration_ms`, `commands` and
//! `screenshots` are the contract; the fields beside them may grow.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use assay_protocol::{
    BlockedRequests, CommandRecord, Healing, Judgement, ModelCall, Part, PilotReport, PilotTurn, Proof,
    ProofJudgement, RequirementLink, Retry, Verdict,
};
use serde::Serialize;

use crate::exit::exit_code;
use crate::report_file::{self, ReportError};
use crate::spending::Spending;
use crate::summary::{BrokenWay, Proofs, RejectedFile, Summary, Totals};
use crate::test_summary::{AttemptSummary, RecoverySummary, StepRecord, TestSummary};
use crate::time::rfc3339;
use crate::triage::{Class, Triage};
use crate::turns::{TurnPlace, turns_file};

/// Raised when a field changes its meaning; new fields do not raise it.
const VERSION: u32 = 1;

pub fn json_report(summary: &Summary) -> serde_json::Result<String> {
    serde_json::to_string_pretty(&RunReport::of(summary)).map(|text| text + "\n")
}

/// Writes the report atomically.
pub fn write_json_report(summary: &Summary, path: &Path) -> Result<(), ReportError> {
    let text = json_report(summary).map_err(io::Error::from).map_err(ReportError::at(path))?;
    report_file::write(path, text.as_bytes())
}

#[derive(Serialize)]
struct RunReport<'a> {
    version: u32,
    suite: &'a str,
    run: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    started_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    finished_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    duration_ms: Option<u64>,
    /// False when the events stopped before the run did.
    finished: bool,
    interrupted: bool,
    exit_code: u8,
    totals: Totals,
    /// A test without an expectation was to be no pass.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    strict: bool,
    /// The cost of models, if one was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    models: Option<Spending>,
    /// Every turn of a model as a line of JSON, where one was asked; relative to the folder of the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    turns_file: Option<String>,
    /// Where things were broken on purpose.
    #[serde(skip_serializing_if = "Option::is_none")]
    proofs: Option<ProofsReport>,
    /// How many tests are of which class.
    classes: BTreeMap<Class, usize>,
    tests: Vec<TestReport<'a>>,
    rejected_files: &'a [RejectedFile],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    broken_ways: &'a [BrokenWay],
}

#[derive(Serialize)]
struct ProofsReport {
    #[serde(flatten)]
    counts: Proofs,
    /// The percentage of faults that made a test fail.
    kill_rate: f64,
}

#[derive(Serialize)]
struct ProofReport<'a> {
    judgement: ProofJudgement,
    caught: usize,
    counted: usize,
    #[serde(flatten)]
    proof: &'a Proof,
}

fn did_not_pass(step: &StepRecord) -> bool {
    step.ending.as_ref().is_some_and(|ending| ending.verdict != Verdict::Passed)
}

#[derive(Serialize)]
struct TestReport<'a> {
    /// The id, which is unique in the run and the same on the console.
    name: &'a str,
    status: &'static str,
    duration_ms: u64,
    /// As they could be typed, of the attempt that counts.
    commands: Vec<&'a str>,
    /// Relative to the folder of the run.
    screenshots: Vec<&'a str>,
    id: &'a str,
    /// As the file says it.
    title: &'a str,
    file: &'a str,
    browser: &'a str,
    tags: &'a [String],
    requirements: &'a [String],
    /// The same with their names and how much of each the test shows.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    requirement_links: Vec<RequirementLink>,
    #[serde(skip_serializing_if = "Option::is_none")]
    started_at: Option<String>,
    reason: String,
    /// The line of the test file that did not pass, by its key and number: `step 4`, `expected 1`.
    #[serde(skip_serializing_if = "Option::is_none")]
    failed_at: Option<String>,
    /// The kind of problem to fix; absent for a plain pass.
    #[serde(skip_serializing_if = "Option::is_none")]
    class: Option<Class>,
    /// Names the step and the evidence, and begins with `probably` if the evidence does not decide.
    #[serde(skip_serializing_if = "Option::is_none")]
    class_reason: Option<String>,
    flaky: bool,
    /// It passed and claims nothing.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    no_expectation: bool,
    /// Elements of its lock that had changed and were found again.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    healed: Vec<&'a Healing>,
    #[serde(skip_serializing_if = "Option::is_none")]
    proof: Option<ProofReport<'a>>,
    /// The cost of models in all its attempts, if one was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    models: Option<Spending>,
    /// How many there were.
    attempts: usize,
    steps: Vec<StepReport<'a>>,
    notes: &'a [String],
    /// The requests that the policy blocked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    blocked: Vec<BlockedRequests>,
    /// Which ways out of trouble were taken, each once.
    recovered_tiers: Vec<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    page_url: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    earlier_attempts: Vec<EarlierAttempt<'a>>,
}

#[derive(Serialize)]
struct EarlierAttempt<'a> {
    attempt: u32,
    status: &'static str,
    reason: &'a str,
    duration_ms: u64,
    steps: Vec<StepReport<'a>>,
}

#[derive(Serialize)]
struct StepReport<'a> {
    step: usize,
    part: Part,
    text: &'a str,
    status: &'static str,
    reason: &'a str,
    duration_ms: u64,
    commands: &'a [CommandRecord],
    judgements: &'a [Judgement],
    recovered: &'a [RecoverySummary],
    /// The reactions to failed acts, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    retries: Vec<RetryReport<'a>>,
    /// A command that was begun and of which no end is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    under_way: Option<&'a str>,
    /// Questions to models, in order.
    #[serde(skip_serializing_if = "<[ModelCall]>::is_empty")]
    model_calls: &'a [ModelCall],
    /// The outcome of each question, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    turns: Vec<TurnReport<'a>>,
    /// The pilots that worked on it because the interpreter was not sure.
    #[serde(skip_serializing_if = "<[PilotReport]>::is_empty")]
    #[serde(rename = "guests")]
    pilots: &'a [PilotReport],
    screenshots: &'a [String],
    notes: &'a [String],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    blocked: &'a [BlockedRequests],
}

/// A turn with the picture on which it is marked.
#[derive(Serialize)]
struct TurnReport<'a> {
    #[serde(flatten)]
    turn: &'a PilotTurn,
    /// Relative to the folder of the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    marked_picture: Option<String>,
}

#[derive(Serialize)]
struct RetryReport<'a> {
    retry: Retry,
    reason: &'a str,
}

impl<'a> RunReport<'a> {
    fn of(summary: &'a Summary) -> Self {
        RunReport {
            version: VERSION,
            suite: &summary.suite,
            run: &summary.run,
            started_at: summary.started_at.map(rfc3339),
            finished_at: summary.ending.map(|ending| rfc3339(ending.at)),
            duration_ms: summary.ending.map(|ending| ending.duration_ms),
            finished: summary.ending.is_some(),
            interrupted: summary.ending.is_some_and(|ending| ending.interrupted),
            exit_code: exit_code(summary),
            totals: summary.totals(),
            strict: summary.strict,
            models: Some(summary.spent).filter(|spent| spent.calls > 0),
            turns_file: (summary.spent.calls > 0).then(|| turns_file(&summary.run)),
            proofs: summary.proofs().map(|counts| ProofsReport { counts, kill_rate: counts.kill_rate() }),
            classes: summary.classes(),
            tests: summary.tests.iter().map(|test| TestReport::of(test, &summary.run)).collect(),
            rejected_files: &summary.rejected,
            broken_ways: &summary.broken_ways,
        }
    }
}

impl<'a> TestReport<'a> {
    fn of(test: &'a TestSummary, run: &str) -> Self {
        let line = &test.line;
        let place = |attempt: &AttemptSummary| TurnPlace {
            run,
            test: &line.id,
            attempt: attempt.number,
            step: 0,
            turn: 0,
        };
        let (last, earlier) = match test.attempts.split_last() {
            Some((last, earlier)) => (Some(last), earlier),
            None => (None, Default::default()),
        };
        let steps = last.map(|attempt| attempt.steps.as_slice()).unwrap_or_default();
        let page =
            last.and_then(|attempt| attempt.ending.as_ref()).and_then(|ending| ending.last_page.as_ref());
        let mut recovered_tiers: Vec<u8> =
            steps.iter().flat_map(|step| &step.recoveries).map(|recovery| recovery.tier).collect();
        recovered_tiers.sort_unstable();
        recovered_tiers.dedup();
        let triage = test.triage();
        TestReport {
            name: &line.id,
            status: status_name(test.verdict()),
            duration_ms: test.duration_ms(),
            commands: steps.iter().flat_map(|step| &step.commands).map(|it| it.command.as_str()).collect(),
            screenshots: test.pictures(),
            id: &line.id,
            title: &line.name,
            file: &line.file,
            browser: &line.browser,
            tags: &line.tags,
            requirements: &line.requirements,
            requirement_links: line.requirement_links(),
            started_at: test.attempts.first().map(|attempt| rfc3339(attempt.started_at)),
            reason: test.reason(),
            failed_at: steps.iter().find(|step| did_not_pass(step)).map(|step| {
                let key = match step.part {
                    Part::Precondition => "precondition",
                    Part::Setup => "setup",
                    Part::Step => "step",
                    Part::Expected => "expected",
                    Part::Teardown => "teardown",
                };
                format!("{key} {}", step.place)
            }),
            class: triage.as_ref().map(|triage| triage.class),
            class_reason: triage.as_ref().map(Triage::reason),
            flaky: test.is_flaky(),
            no_expectation: test.has_no_expectation(),
            healed: test.healings().map(|(_, healing)| healing).collect(),
            proof: test.proof.as_ref().map(|proof| ProofReport {
                judgement: proof.judgement(),
                caught: proof.caught(),
                counted: proof.counted(),
                proof,
            }),
            models: Some(test.spending()).filter(|spent| spent.calls > 0),
            attempts: test.attempts.len(),
            steps: last.map(|attempt| steps_of(attempt, place(attempt))).unwrap_or_default(),
            notes: last.map(|attempt| attempt.notes.as_slice()).unwrap_or_default(),
            blocked: last.map(AttemptSummary::blocked).unwrap_or_default(),
            recovered_tiers,
            page_url: page.map(|page| page.url.as_str()),
            earlier_attempts: earlier
                .iter()
                .map(|attempt| EarlierAttempt::of(attempt, place(attempt)))
                .collect(),
        }
    }
}

impl<'a> EarlierAttempt<'a> {
    fn of(attempt: &'a AttemptSummary, place: TurnPlace<'_>) -> Self {
        let ending = attempt.ending.as_ref();
        EarlierAttempt {
            attempt: attempt.number,
            status: status_name(ending.map(|ending| ending.verdict)),
            reason: ending.map(|ending| ending.reason.as_str()).unwrap_or_default(),
            duration_ms: ending.map_or(0, |ending| ending.duration_ms),
            steps: steps_of(attempt, place),
        }
    }
}

fn steps_of<'a>(attempt: &'a AttemptSummary, place: TurnPlace<'_>) -> Vec<StepReport<'a>> {
    attempt.steps.iter().map(|step| StepReport::of(step, place)).collect()
}

impl<'a> StepReport<'a> {
    fn of(step: &'a StepRecord, place: TurnPlace<'_>) -> Self {
        let ending = step.ending.as_ref();
        StepReport {
            step: step.number,
            part: step.part,
            text: &step.text,
            status: status_name(step.verdict()),
            reason: ending.map(|ending| ending.reason.as_str()).unwrap_or_default(),
            duration_ms: ending.map_or(0, |ending| ending.duration_ms),
            commands: &step.commands,
            judgements: ending.map(|ending| ending.judgements.as_slice()).unwrap_or_default(),
            recovered: &step.recoveries,
            retries: step
                .retries
                .iter()
                .map(|(retry, reason)| RetryReport { retry: *retry, reason })
                .collect(),
            under_way: step.under_way.as_deref(),
            model_calls: &step.calls,
            turns: step
                .turns
                .iter()
                .map(|turn| TurnReport {
                    turn,
                    marked_picture: turn
                        .picture
                        .as_ref()
                        .map(|_| TurnPlace { step: step.number, turn: turn.turn, ..place }.picture()),
                })
                .collect(),
            pilots: &step.pilots,
            screenshots: &step.screenshots,
            notes: &step.notes,
            blocked: &step.blocked,
        }
    }
}

/// Tests that did not start or did not end have no result.
fn status_name(verdict: Option<Verdict>) -> &'static str {
    verdict.map_or("not-run", Verdict::name)
}

#[cfg(test)]
#[path = "json_tests.rs"]
mod tests;
