//! The state of a run, folded from its events.
//!
//! Every format uses this and nothing else, at the end of a run or in its middle.
//! It keeps events that do not fit, such as a step of a test that was never
//! announced: a report must not lose what happened.

use assay_protocol::{Part, ProofJudgement, RunEvent, RunFact, TestLine, Verdict};

use crate::Reporter;
use crate::spending::Spending;
use crate::test_summary::{
    AttemptEnding, AttemptSummary, RecoverySummary, StepEnding, StepRecord, TestStatus, TestSummary, merged,
};

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Summary {
    pub run: String,
    pub suite: String,
    pub workers: usize,
    /// Milliseconds since 1970; None before the run started.
    pub started_at: Option<u64>,
    /// In the order in which they were announced.
    pub tests: Vec<TestSummary>,
    pub rejected: Vec<RejectedFile>,
    /// A test without an expectation is no pass.
    pub strict: bool,
    /// Ways of navigation trees that did not lead where the trees say: findings of the run, not of a test.
    pub broken_ways: Vec<BrokenWay>,
    /// The cost of models in all attempts, including tests of which only the result is kept.
    pub spent: Spending,
    /// None while it runs, and for good when the events were cut off.
    pub ending: Option<RunEnding>,
}

#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct RejectedFile {
    pub file: String,
    pub message: String,
}

#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct BrokenWay {
    /// Empty where the screen was unknown.
    pub from: String,
    pub to: String,
    pub acts: String,
    pub reason: String,
    /// The tests that took another way.
    pub tests: Vec<String>,
}

impl BrokenWay {
    /// `broken way: Home → Orders (click link "Orders"): it led to Log in`.
    pub fn words(&self) -> String {
        let from = if self.from.is_empty() { "anywhere" } else { &self.from };
        format!("broken way: {from} → {} ({}): {}", self.to, self.acts, self.reason)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunEnding {
    pub at: u64,
    pub interrupted: bool,
    pub duration_ms: u64,
}

/// How many tests ended how. The counts but `flaky` and `no_expectation` add up to `tests`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct Totals {
    pub tests: usize,
    pub passed: usize,
    pub failed: usize,
    pub inconclusive: usize,
    pub errors: usize,
    /// Not started, or started and without an end.
    pub not_run: usize,
    /// Of those that passed.
    pub flaky: usize,
    /// Of those that passed: they claim nothing.
    pub no_expectation: usize,
    pub rejected_files: usize,
}

/// The result of all proofs of a run together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct Proofs {
    pub tests: usize,
    pub proved: usize,
    pub hollow: usize,
    /// Of these nothing could be shown.
    pub open: usize,
    /// Faults of those that were proved or are hollow.
    pub faults: usize,
    pub caught: usize,
}

impl Proofs {
    /// The percentage of faults that make a test fail.
    pub fn kill_rate(&self) -> f64 {
        if self.faults == 0 { 0.0 } else { 100.0 * self.caught as f64 / self.faults as f64 }
    }

    pub fn words(&self) -> String {
        let mut parts = vec![format!("{} proved", self.proved)];
        if self.hollow > 0 {
            parts.push(format!("{} hollow", self.hollow));
        }
        if self.open > 0 {
            parts.push(format!("{} not proved", self.open));
        }
        format!(
            "{}; {} of {} faults caught, {:.0} %",
            parts.join(", "),
            self.caught,
            self.faults,
            self.kill_rate()
        )
    }
}

impl Summary {
    pub fn of<'a>(events: impl IntoIterator<Item = &'a RunEvent>) -> Self {
        let mut summary = Summary::default();
        for event in events {
            summary.event(event);
        }
        summary
    }

    pub fn test(&self, id: &str) -> Option<&TestSummary> {
        self.tests.iter().find(|test| test.line.id == id)
    }

    pub fn totals(&self) -> Totals {
        let mut totals =
            Totals { tests: self.tests.len(), rejected_files: self.rejected.len(), ..Totals::default() };
        for test in &self.tests {
            let count = match test.status() {
                TestStatus::Ended(Verdict::Passed) => &mut totals.passed,
                TestStatus::Ended(Verdict::Failed) => &mut totals.failed,
                TestStatus::Ended(Verdict::Inconclusive) => &mut totals.inconclusive,
                TestStatus::Ended(Verdict::Error) => &mut totals.errors,
                TestStatus::NotStarted | TestStatus::Running => &mut totals.not_run,
            };
            *count += 1;
            totals.flaky += usize::from(test.is_flaky());
            totals.no_expectation += usize::from(test.has_no_expectation());
        }
        totals
    }

    fn broken_way(&mut self, test: &str, from: String, to: String, acts: String, reason: String) {
        let is_it = |way: &&mut BrokenWay| way.from == from && way.to == to && way.acts == acts;
        if let Some(known) = self.broken_ways.iter_mut().find(is_it) {
            if !known.tests.iter().any(|other| other == test) {
                known.tests.push(test.to_string());
            }
            return;
        }
        self.broken_ways.push(BrokenWay { from, to, acts, reason, tests: vec![test.to_string()] });
    }

    /// The result of all proofs together; none without proofs.
    pub fn proofs(&self) -> Option<Proofs> {
        let mut proofs = Proofs::default();
        for proof in self.tests.iter().filter_map(|test| test.proof.as_ref()) {
            proofs.tests += 1;
            match proof.judgement() {
                ProofJudgement::Proved => proofs.proved += 1,
                ProofJudgement::Hollow => proofs.hollow += 1,
                ProofJudgement::Open => {
                    proofs.open += 1;
                    continue;
                }
            }
            proofs.faults += proof.counted();
            proofs.caught += proof.caught();
        }
        (proofs.tests > 0).then_some(proofs)
    }

    /// Keeps only the result of a test. For watching a long run: the journal has the details.
    pub(crate) fn keep_the_ending_of(&mut self, id: &str) {
        for attempt in &mut self.test_mut(id).attempts {
            attempt.keep_the_ending();
        }
    }

    fn test_mut(&mut self, id: &str) -> &mut TestSummary {
        let at = self.tests.iter().position(|test| test.line.id == id).unwrap_or_else(|| {
            self.tests.push(TestSummary { line: unannounced(id), attempts: Vec::new(), proof: None });
            self.tests.len() - 1
        });
        &mut self.tests[at]
    }

    fn attempt_mut(&mut self, id: &str, at: u64) -> &mut AttemptSummary {
        let attempts = &mut self.test_mut(id).attempts;
        if attempts.is_empty() {
            attempts.push(AttemptSummary::begun(1, 0, at));
        }
        let last = attempts.len() - 1;
        &mut attempts[last]
    }

    fn step_mut(&mut self, id: &str, number: usize, at: u64) -> &mut StepRecord {
        let attempt = self.attempt_mut(id, at);
        match attempt.steps.iter().rposition(|step| step.number == number) {
            Some(place) => &mut attempt.steps[place],
            None => attempt.begin_step(number, Part::Step, "", at),
        }
    }
}

impl Reporter for Summary {
    fn event(&mut self, event: &RunEvent) {
        let at = event.at;
        match event.what.clone() {
            RunFact::RunStarted { run, suite, tests, workers, strict } => {
                (self.run, self.suite, self.workers, self.started_at) = (run, suite, workers, Some(at));
                self.strict = strict;
                for line in tests {
                    if self.test(&line.id).is_none() {
                        self.tests.push(TestSummary { line, attempts: Vec::new(), proof: None });
                    }
                }
            }
            RunFact::FileRejected { file, message } => self.rejected.push(RejectedFile { file, message }),
            RunFact::TestStarted { test, attempt, worker } => {
                self.test_mut(&test).attempts.push(AttemptSummary::begun(attempt, worker, at));
            }
            RunFact::StepStarted { test, step, part, text } => {
                self.attempt_mut(&test, at).begin_step(step, part, &text, at);
            }
            RunFact::CommandStarted { test, step, command, lasting, .. } => {
                let step = self.step_mut(&test, step, at);
                step.under_way = Some(command);
                step.aimed_at.resize(step.commands.len(), Vec::new());
                step.aimed_at
                    .push(lasting.map(|act| act.elements.into_values().collect()).unwrap_or_default());
            }
            RunFact::Command { test, step, record } => {
                let step = self.step_mut(&test, step, at);
                step.under_way = None;
                step.commands.push(*record);
                step.aimed_at.resize(step.commands.len(), Vec::new());
            }
            RunFact::Retried { test, step, retry, reason } => {
                self.step_mut(&test, step, at).retries.push((retry, reason));
            }
            RunFact::ModelCalled { test, step, call } => {
                self.spent.add(&call);
                self.step_mut(&test, step, at).calls.push(*call);
            }
            RunFact::TurnEnded { test, step, turn } => self.step_mut(&test, step, at).turns.push(*turn),
            RunFact::PilotLeft { test, step, report } => self.step_mut(&test, step, at).pilots.push(*report),
            RunFact::LockMissed { test, step, reason } => {
                self.step_mut(&test, step, at).notes.push(format!("not replayed: {reason}"));
            }
            RunFact::Healed { test, step, healing } => self.step_mut(&test, step, at).healings.push(*healing),
            RunFact::Recovered { test, step, tier, reason } => {
                self.step_mut(&test, step, at).recoveries.push(RecoverySummary { tier, reason });
            }
            RunFact::WayBroken { test, step: _, from, to, acts, reason } => {
                self.broken_way(&test, from, to, acts, reason);
            }
            RunFact::Blocked { test, step, blocked } => {
                let step = self.step_mut(&test, step, at);
                step.notes.extend(blocked.iter().map(ToString::to_string));
                step.blocked = merged(step.blocked.iter().chain(&blocked));
            }
            RunFact::Screenshot { test, step, path, after } => {
                // The same one comes again where a command changed nothing that can be seen.
                let is_new = self.attempt_mut(&test, at).last_picture() != Some(path.as_str());
                let step = self.step_mut(&test, step, at);
                let command = after.and_then(|number| step.commands.get_mut(number.checked_sub(1)?));
                if let Some(command) = command {
                    command.after = Some(path.clone());
                }
                if is_new {
                    step.screenshots.push(path);
                }
            }
            RunFact::Note { test, step: Some(step), text } => self.step_mut(&test, step, at).notes.push(text),
            RunFact::Note { test, step: None, text } => self.attempt_mut(&test, at).notes.push(text),
            RunFact::StepFinished {
                test,
                step,
                verdict,
                reason,
                judgements,
                marks,
                duration_ms,
                own_us: _,
            } => {
                let ending = StepEnding { verdict, reason, judgements, marks, duration_ms };
                self.step_mut(&test, step, at).ending = Some(ending);
            }
            RunFact::TestFinished {
                test,
                attempt,
                verdict,
                reason,
                flaky,
                will_retry,
                interrupted,
                claims_nothing,
                last_page,
                duration_ms,
            } => {
                let ended = self.attempt_mut(&test, at);
                ended.number = attempt;
                ended.ending = Some(AttemptEnding {
                    verdict,
                    reason,
                    flaky,
                    will_retry,
                    interrupted,
                    claims_nothing,
                    last_page,
                    duration_ms,
                });
            }
            RunFact::Proved { test, proof } => self.test_mut(&test).proof = Some(*proof),
            // Lock entries are not part of a report.
            RunFact::Resolved { .. } => {}
            RunFact::RunResumed { .. } => self.ending = None,
            RunFact::RunFinished { interrupted, duration_ms } => {
                self.ending = Some(RunEnding { at, interrupted, duration_ms });
            }
        }
    }
}

impl AttemptSummary {
    fn begun(number: u32, worker: usize, started_at: u64) -> Self {
        AttemptSummary { number, worker, started_at, steps: Vec::new(), notes: Vec::new(), ending: None }
    }

    fn keep_the_ending(&mut self) {
        // A pass that its own steps contradict is none, and they are what says so.
        if self.contradiction().is_none() {
            self.steps = Vec::new();
        }
        self.notes = Vec::new();
        if let Some(ending) = &mut self.ending {
            ending.last_page = None;
        }
    }

    fn begin_step(&mut self, number: usize, part: Part, text: &str, started_at: u64) -> &mut StepRecord {
        let place = self.steps.iter().filter(|step| step.part == part).count() + 1;
        self.steps.push(StepRecord {
            number,
            place,
            part,
            text: text.to_owned(),
            started_at,
            commands: Vec::new(),
            aimed_at: Vec::new(),
            under_way: None,
            retries: Vec::new(),
            recoveries: Vec::new(),
            calls: Vec::new(),
            turns: Vec::new(),
            pilots: Vec::new(),
            screenshots: Vec::new(),
            notes: Vec::new(),
            blocked: Vec::new(),
            healings: Vec::new(),
            ending: None,
        });
        let last = self.steps.len() - 1;
        &mut self.steps[last]
    }
}

/// A test that the run did not announce. It counts all the same.
fn unannounced(id: &str) -> TestLine {
    TestLine {
        id: id.to_owned(),
        name: id.to_owned(),
        file: String::new(),
        browser: String::new(),
        tags: Vec::new(),
        requirements: Vec::new(),
        links: Vec::new(),
        fingerprint: None,
        basis: Default::default(),
    }
}

#[cfg(test)]
#[path = "summary_tests.rs"]
mod tests;
