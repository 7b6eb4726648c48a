//! The progress of a run, folded from its events.
//!
//! The process that records a run and the one that resumes it use the same fold, so they cannot disagree
//! about what was done.

use std::collections::{BTreeMap, HashMap, HashSet};

use assay_protocol::{CommandRecord, Judgement, LastingAct, Part, RunEvent, RunFact, TestLine, Verdict};
use serde::Serialize;

/// The rest of an interrupted run.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Unfinished {
    /// In the order in which they ended. These need not be run again.
    pub finished: Vec<FinishedTest>,
    pub under_way: Vec<TestUnderWay>,
    /// Announced and never begun.
    pub not_started: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FinishedTest {
    pub test: String,
    pub attempt: u32,
    pub verdict: Verdict,
    pub reason: String,
    pub flaky: bool,
}

/// A test that was begun and has no end.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct TestUnderWay {
    pub test: String,
    /// The attempt that was under way, or was to follow.
    pub attempt: u32,
    /// Of this attempt.
    pub steps: Vec<FinishedStep>,
    pub acts: Vec<EndedAct>,
    /// The act whose outcome is unknown.
    pub begun: Option<BegunAct>,
    /// Of the attempts before.
    #[serde(skip)]
    earlier: Vec<FinishedStep>,
    /// The steps of this attempt that were begun, by their number.
    #[serde(skip)]
    announced: HashMap<usize, (Part, String)>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FinishedStep {
    pub attempt: u32,
    pub step: usize,
    pub part: Part,
    pub text: String,
    pub verdict: Verdict,
    pub reason: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub judgements: Vec<Judgement>,
    pub duration_ms: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EndedAct {
    pub step: usize,
    #[serde(flatten)]
    pub record: CommandRecord,
    /// It was announced in advance, because it changes the page.
    pub changes: bool,
    /// By which it can be carried out again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lasting: Option<Box<LastingAct>>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BegunAct {
    pub step: usize,
    pub command: String,
    pub pilot: String,
    /// It commits something: it is not repeated without being asked.
    pub commits: bool,
    pub at: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lasting: Option<Box<LastingAct>>,
}

/// The counts of a run, beside its results.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub commands: u64,
    pub failed_commands: u64,
    pub retries: u64,
    pub recoveries: u64,
    pub rejected_files: u64,
}

#[derive(Default)]
pub(crate) struct Progress {
    announced: Vec<TestLine>,
    /// Where a test stands in the list above.
    places: HashMap<String, usize>,
    finished: Vec<FinishedTest>,
    under_way: BTreeMap<String, TestUnderWay>,
    pub counts: Counts,
}

impl Progress {
    pub(crate) fn of<'a>(events: impl IntoIterator<Item = &'a RunEvent>) -> Progress {
        let mut progress = Progress::default();
        events.into_iter().for_each(|event| progress.apply(event));
        progress
    }

    pub(crate) fn line(&self, test: &str) -> Option<&TestLine> {
        self.places.get(test).map(|place| &self.announced[*place])
    }

    pub(crate) fn finished(&self) -> &[FinishedTest] {
        &self.finished
    }

    pub(crate) fn announced(&self) -> usize {
        self.announced.len()
    }

    /// The steps of all attempts of a test that is under way.
    pub(crate) fn steps(&self, test: &str) -> impl Iterator<Item = &FinishedStep> {
        self.under_way.get(test).into_iter().flat_map(|test| test.earlier.iter().chain(&test.steps))
    }

    pub(crate) fn unfinished(self) -> Unfinished {
        let finished: HashSet<&str> = self.finished.iter().map(|finished| finished.test.as_str()).collect();
        let is_known = |id: &str| self.under_way.contains_key(id) || finished.contains(id);
        let not_started =
            self.announced.iter().filter(|line| !is_known(&line.id)).map(|line| line.id.clone()).collect();
        let under_way = self.under_way.into_values().collect();
        Unfinished { finished: self.finished, under_way, not_started }
    }

    pub(crate) fn apply(&mut self, event: &RunEvent) {
        match &event.what {
            RunFact::RunStarted { tests, .. } => {
                for line in tests {
                    if self.line(&line.id).is_none() {
                        self.places.insert(line.id.clone(), self.announced.len());
                        self.announced.push(line.clone());
                    }
                }
            }
            RunFact::FileRejected { .. } => self.counts.rejected_files += 1,
            RunFact::TestStarted { test, attempt, .. } => {
                let started = self.test(test);
                // An attempt of the same number is made again, after a run was cut off.
                let earlier = std::mem::take(&mut started.earlier);
                let earlier = earlier.into_iter().filter(|step| step.attempt < *attempt).collect();
                *started = TestUnderWay {
                    test: test.clone(),
                    attempt: *attempt,
                    earlier,
                    ..TestUnderWay::default()
                };
            }
            RunFact::StepStarted { test, step, part, text } => {
                self.test(test).announced.insert(*step, (*part, text.clone()));
            }
            RunFact::CommandStarted { test, step, command, pilot, commits, lasting } => {
                self.test(test).begun = Some(BegunAct {
                    step: *step,
                    command: command.clone(),
                    pilot: pilot.clone(),
                    commits: *commits,
                    at: event.at,
                    lasting: lasting.clone(),
                });
            }
            RunFact::Command { test, step, record } => {
                self.counts.commands += 1;
                self.counts.failed_commands += u64::from(!record.ok);
                let under_way = self.test(test);
                // A command that changes nothing is reported only at its end, and ends no other.
                let begun = under_way.begun.take_if(|begun| begun.command == record.command);
                let (step, record, changes) = (*step, (**record).clone(), begun.is_some());
                let lasting = begun.and_then(|begun| begun.lasting);
                under_way.acts.push(EndedAct { step, record, changes, lasting });
            }
            RunFact::Retried { .. } => self.counts.retries += 1,
            RunFact::Recovered { .. } => self.counts.recoveries += 1,
            RunFact::Screenshot { .. }
            | RunFact::Note { .. }
            | RunFact::Blocked { .. }
            | RunFact::WayBroken { .. }
            | RunFact::ModelCalled { .. }
            | RunFact::TurnEnded { .. }
            | RunFact::PilotLeft { .. }
            | RunFact::LockMissed { .. }
            | RunFact::Healed { .. }
            | RunFact::Resolved { .. }
            | RunFact::Proved { .. } => {}
            RunFact::StepFinished { test, step, verdict, reason, judgements, duration_ms, .. } => {
                let under_way = self.test(test);
                let (part, text) =
                    under_way.announced.get(step).cloned().unwrap_or((Part::Step, String::new()));
                let attempt = under_way.attempt;
                under_way.steps.push(FinishedStep {
                    attempt,
                    step: *step,
                    part,
                    text,
                    verdict: *verdict,
                    reason: reason.clone(),
                    judgements: judgements.clone(),
                    duration_ms: *duration_ms,
                });
            }
            RunFact::TestFinished { test, attempt, will_retry: true, .. } => {
                let ended = self.test(test);
                let mut earlier = std::mem::take(&mut ended.earlier);
                earlier.append(&mut ended.steps);
                *ended = TestUnderWay {
                    test: test.clone(),
                    attempt: attempt + 1,
                    earlier,
                    ..TestUnderWay::default()
                };
            }
            RunFact::TestFinished { test, attempt, verdict, reason, flaky, will_retry: false, .. } => {
                self.under_way.remove(test);
                // A resumed run repeats a test that ended in an error: its last result counts.
                self.finished.retain(|finished| finished.test != *test);
                self.finished.push(FinishedTest {
                    test: test.clone(),
                    attempt: *attempt,
                    verdict: *verdict,
                    reason: reason.clone(),
                    flaky: *flaky,
                });
            }
            RunFact::RunResumed { .. } | RunFact::RunFinished { .. } => {}
        }
    }

    fn test(&mut self, id: &str) -> &mut TestUnderWay {
        self.under_way.entry(id.to_owned()).or_insert_with(|| TestUnderWay {
            test: id.to_owned(),
            attempt: 1,
            ..TestUnderWay::default()
        })
    }
}
