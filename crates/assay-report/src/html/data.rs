//! The run in the form that the page reads. Only the scripts of the page depend on
//! these names; the report for machines is separate.

use assay_protocol::{
    CommandRecord, ElementMark, ErrorCode, FailedRequest, FaultTried, FoundAgain, Healing, Judgement,
    ModelCall, Part, PilotReport, PilotTurn, ProofJudgement, RequirementLink, Retry, SafetyEvent, TargetMark,
    TurnAct, Verdict,
};
use serde::Serialize;

use crate::console::healed_words;
use crate::score::score_words;
use crate::spending::{Spending, usage_words};
use crate::summary::{RejectedFile, Summary, Totals};
use crate::test_summary::{AttemptSummary, RecoverySummary, StepRecord, TestStatus, TestSummary};
use crate::time::rfc3339;
use crate::triage::{Certainty, Triage};
use crate::turns::{TurnPlace, turns_file};

use super::pictures::{Gallery, PictureData};

/// More of a page's text than anybody reads in a report.
const LONGEST_PAGE: usize = 8_000;

#[derive(Serialize)]
pub struct RunData<'a> {
    suite: &'a str,
    run: &'a str,
    workers: usize,
    started: Option<String>,
    duration_ms: Option<u64>,
    finished: bool,
    interrupted: bool,
    totals: Totals,
    /// The result of all proofs together.
    proofs: Option<String>,
    /// The cost of models.
    models: Option<String>,
    /// The address of all their turns as lines of JSON.
    turns: Option<String>,
    rejected: &'a [RejectedFile],
    tests: Vec<TestData<'a>>,
    /// To which the numbers below refer.
    pictures: Vec<PictureData>,
}

#[derive(Serialize)]
struct TestData<'a> {
    id: &'a str,
    name: &'a str,
    file: &'a str,
    browser: &'a str,
    tags: &'a [String],
    /// With their names.
    requirements: Vec<String>,
    status: &'static str,
    reason: String,
    flaky: bool,
    no_expectation: bool,
    duration_ms: u64,
    triage: Option<TriageData>,
    attempts: Vec<AttemptData<'a>>,
    proof: Option<ProofData<'a>>,
}

#[derive(Serialize)]
struct ProofData<'a> {
    judgement: ProofJudgement,
    caught: usize,
    counted: usize,
    void: Option<&'a str>,
    hollow: Option<&'a str>,
    faults: &'a [FaultTried],
    left_out: &'a [String],
}

/// One element that had changed.
#[derive(Serialize)]
struct HealedData {
    /// `button "Save" is now "Save changes" (similarity 0.82)`.
    words: String,
    /// `score 0.82, 0.31 ahead of button "Cancel"`.
    sure: String,
    because: String,
    recorded: String,
    effect: String,
}

#[derive(Serialize)]
struct TriageData {
    class: &'static str,
    sure: bool,
    evidence: String,
    rule: &'static str,
    /// The step where it began to go wrong, by its index in the last attempt.
    step: Option<usize>,
}

#[derive(Serialize)]
struct AttemptData<'a> {
    number: u32,
    worker: usize,
    started: String,
    status: &'static str,
    reason: &'a str,
    duration_ms: u64,
    notes: &'a [String],
    page: Option<PageData<'a>>,
    /// Which of the steps decided, by its place in the list.
    decisive: Option<usize>,
    steps: Vec<StepData<'a>>,
}

#[derive(Serialize)]
struct PageData<'a> {
    url: &'a str,
    text: &'a str,
    /// There was more of the text.
    cut: bool,
    picture: Option<usize>,
    console_errors: &'a [String],
    failed_requests: &'a [FailedRequest],
}

#[derive(Serialize)]
struct StepData<'a> {
    place: String,
    part: Part,
    text: &'a str,
    status: &'static str,
    reason: &'a str,
    duration_ms: u64,
    commands: Vec<CommandData<'a>>,
    judgements: &'a [Judgement],
    /// Where their elements are on the picture of the step.
    marks: &'a [ElementMark],
    recovered: &'a [RecoverySummary],
    retries: Vec<(Retry, &'a str)>,
    under_way: Option<&'a str>,
    pictures: Vec<usize>,
    notes: &'a [String],
    healed: Vec<HealedData>,
    /// Questions to models, and what came of each.
    turns: Vec<TurnData<'a>>,
    /// Their total cost.
    spent: Option<String>,
    #[serde(rename = "guests")]
    pilots: &'a [PilotReport],
}

#[derive(Serialize)]
struct TurnData<'a> {
    #[serde(rename = "guest")]
    pilot: &'a str,
    model: &'a str,
    request_id: Option<&'a str>,
    answer_id: Option<&'a str>,
    /// The answer.
    answer: &'a str,
    failure: Option<&'a str>,
    /// Tokens and money.
    usage: String,
    /// Caches, waits and tries.
    lines: &'a [String],
    latency_ms: u64,
    /// What was done about it is known to its end.
    is_over: bool,
    acts: &'a [TurnAct],
    told: Option<&'a str>,
    safety: &'a [SafetyEvent],
    picture: Option<usize>,
    no_picture: Option<&'a str>,
    /// The address of the marked picture.
    marked: Option<String>,
}

#[derive(Serialize)]
struct CommandData<'a> {
    command: &'a str,
    pilot: &'a str,
    because: &'a str,
    score: Option<f64>,
    margin: Option<f64>,
    runner_up: Option<&'a str>,
    ok: bool,
    outcome: &'a str,
    code: Option<ErrorCode>,
    commits: bool,
    url: Option<&'a str>,
    /// The network requests, without values.
    requests: Vec<String>,
    failed_requests: &'a [FailedRequest],
    console_errors: &'a [String],
    target: Option<TargetMark>,
    before: Option<usize>,
    after: Option<usize>,
    duration_ms: u64,
}

impl<'a> RunData<'a> {
    pub fn of(summary: &'a Summary, gallery: &mut Gallery) -> Self {
        let tests = summary.tests.iter().map(|test| TestData::of(test, &summary.run, gallery)).collect();
        RunData {
            suite: &summary.suite,
            run: &summary.run,
            workers: summary.workers,
            started: summary.started_at.map(rfc3339),
            duration_ms: summary.ending.map(|ending| ending.duration_ms),
            finished: summary.ending.is_some(),
            interrupted: summary.ending.is_some_and(|ending| ending.interrupted),
            totals: summary.totals(),
            proofs: summary.proofs().map(|proofs| proofs.words()),
            models: summary.spent.words(),
            turns: (summary.spent.calls > 0).then(|| gallery.address(&turns_file(&summary.run))),
            rejected: &summary.rejected,
            tests,
            pictures: gallery.pictures(),
        }
    }
}

impl<'a> TestData<'a> {
    fn of(test: &'a TestSummary, run: &str, gallery: &mut Gallery) -> Self {
        let line = &test.line;
        let mut attempt_of = |attempt: &'a AttemptSummary| {
            let place = TurnPlace { run, test: &line.id, attempt: attempt.number, step: 0, turn: 0 };
            AttemptData::of(attempt, place, gallery)
        };
        TestData {
            id: &line.id,
            name: &line.name,
            file: &line.file,
            browser: &line.browser,
            tags: &line.tags,
            requirements: line.requirement_links().iter().map(RequirementLink::words).collect(),
            status: match test.status() {
                TestStatus::Ended(verdict) => verdict.name(),
                TestStatus::NotStarted | TestStatus::Running => "not-run",
            },
            reason: test.reason(),
            flaky: test.is_flaky(),
            no_expectation: test.has_no_expectation(),
            duration_ms: test.duration_ms(),
            triage: test.triage().map(|triage| TriageData::of(triage, test)),
            attempts: test.attempts.iter().map(&mut attempt_of).collect(),
            proof: test.proof.as_ref().map(|proof| ProofData {
                judgement: proof.judgement(),
                caught: proof.caught(),
                counted: proof.counted(),
                void: proof.void.as_deref(),
                hollow: proof.hollow.as_deref(),
                faults: &proof.faults,
                left_out: &proof.left_out,
            }),
        }
    }
}

impl HealedData {
    fn of(healing: &Healing) -> Vec<HealedData> {
        let element = |words: String, sure: String, because: &str| HealedData {
            words,
            sure,
            because: because.to_owned(),
            recorded: healing.was.effect.to_string(),
            effect: healing.now.effect.to_string(),
        };
        if healing.found.is_empty() {
            return vec![element("the step is carried out differently now".to_owned(), String::new(), "")];
        }
        let sure = |found: &FoundAgain| score_words(found.score, found.lead(), found.runner_up.as_deref());
        healing.found.iter().map(|found| element(healed_words(found), sure(found), &found.because)).collect()
    }
}

impl TriageData {
    fn of(triage: Triage, test: &TestSummary) -> Self {
        let steps = test.last_attempt().map(|attempt| attempt.steps.as_slice()).unwrap_or_default();
        let step = triage.step.and_then(|number| steps.iter().rposition(|step| step.number == number));
        TriageData {
            step,
            class: triage.class.name(),
            sure: triage.certainty == Certainty::Sure,
            evidence: triage.evidence,
            rule: triage.rule,
        }
    }
}

impl<'a> AttemptData<'a> {
    fn of(attempt: &'a AttemptSummary, place: TurnPlace<'_>, gallery: &mut Gallery) -> Self {
        let ending = attempt.ending.as_ref();
        let steps = attempt.steps.iter().map(|step| StepData::of(step, place, gallery)).collect();
        let decisive = attempt.decisive_step();
        let page = ending.and_then(|ending| ending.last_page.as_ref()).map(|page| {
            let end = page.text.char_indices().nth(LONGEST_PAGE).map(|(end, _)| end);
            PageData {
                url: &page.url,
                text: &page.text[..end.unwrap_or(page.text.len())],
                cut: end.is_some(),
                picture: page.screenshot.as_deref().and_then(|picture| gallery.number(picture)),
                console_errors: &page.console_errors,
                failed_requests: &page.failed_requests,
            }
        });
        AttemptData {
            number: attempt.number,
            worker: attempt.worker,
            started: rfc3339(attempt.started_at),
            status: status_name(ending.map(|ending| ending.verdict)),
            reason: ending.map(|ending| ending.reason.as_str()).unwrap_or_default(),
            duration_ms: ending.map_or(0, |ending| ending.duration_ms),
            notes: &attempt.notes,
            page,
            decisive: decisive
                .and_then(|decisive| attempt.steps.iter().position(|step| std::ptr::eq(step, decisive))),
            steps,
        }
    }
}

impl<'a> StepData<'a> {
    fn of(step: &'a StepRecord, place: TurnPlace<'_>, gallery: &mut Gallery) -> Self {
        let ending = step.ending.as_ref();
        let turns = step.calls.iter().enumerate().map(|(at, call)| {
            let turn = step.turns.iter().find(|turn| turn.turn == at + 1);
            let place = TurnPlace { step: step.number, turn: at + 1, ..place };
            TurnData::of(call, turn, place, gallery)
        });
        let turns = turns.collect();
        StepData {
            place: step.place_words(),
            part: step.part,
            text: &step.text,
            status: status_name(step.verdict()),
            reason: ending.map(|ending| ending.reason.as_str()).unwrap_or_default(),
            duration_ms: ending.map_or(0, |ending| ending.duration_ms),
            commands: step.commands.iter().map(|command| CommandData::of(command, gallery)).collect(),
            judgements: ending.map(|ending| ending.judgements.as_slice()).unwrap_or_default(),
            marks: ending.map(|ending| ending.marks.as_slice()).unwrap_or_default(),
            recovered: &step.recoveries,
            retries: step.retries.iter().map(|(retry, reason)| (*retry, reason.as_str())).collect(),
            under_way: step.under_way.as_deref(),
            pictures: step.screenshots.iter().filter_map(|picture| gallery.number(picture)).collect(),
            notes: &step.notes,
            healed: step.healings.iter().flat_map(HealedData::of).collect(),
            turns,
            spent: Spending::of(&step.calls).words(),
            pilots: &step.pilots,
        }
    }
}

impl<'a> TurnData<'a> {
    fn of(
        call: &'a ModelCall,
        turn: Option<&'a PilotTurn>,
        place: TurnPlace<'_>,
        gallery: &mut Gallery,
    ) -> Self {
        let picture = turn.and_then(|turn| turn.picture.as_deref());
        TurnData {
            pilot: &call.pilot,
            model: &call.model,
            request_id: call.request_id.as_deref(),
            answer_id: call.answer_id.as_deref(),
            answer: &call.decided,
            failure: call.failure.as_deref(),
            usage: usage_words(&call.usage),
            lines: &call.lines,
            latency_ms: call.duration_ms,
            is_over: turn.is_some(),
            acts: turn.map(|turn| turn.acts.as_slice()).unwrap_or_default(),
            told: turn.and_then(|turn| turn.told.as_deref()),
            safety: turn.map(|turn| turn.safety.as_slice()).unwrap_or_default(),
            picture: picture.and_then(|picture| gallery.number(picture)),
            no_picture: turn.and_then(|turn| turn.no_picture.as_deref()),
            marked: picture.map(|_| gallery.address(&place.picture())),
        }
    }
}

impl<'a> CommandData<'a> {
    fn of(record: &'a CommandRecord, gallery: &mut Gallery) -> Self {
        let mut number =
            |picture: &Option<String>| picture.as_deref().and_then(|picture| gallery.number(picture));
        CommandData {
            command: &record.command,
            pilot: &record.pilot,
            because: &record.because,
            score: record.score,
            margin: record.margin,
            runner_up: record.runner_up.as_deref(),
            ok: record.ok,
            outcome: &record.outcome,
            code: record.code,
            commits: record.commits,
            url: record.url.as_deref(),
            requests: record.effect.requests.iter().map(ToString::to_string).collect(),
            failed_requests: &record.failed_requests,
            console_errors: &record.console_errors,
            target: record.target,
            before: number(&record.before),
            after: number(&record.after),
            duration_ms: record.duration_ms,
        }
    }
}

/// An unfinished test has no verdict.
fn status_name(verdict: Option<Verdict>) -> &'static str {
    verdict.map_or("not-run", Verdict::name)
}
