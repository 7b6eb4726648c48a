//! `assay resume`: continues an interrupted run.
//!
//! Finished tests keep their results. An unfinished test starts again, or with `--steps` continues at the step it had
//! reached. Either way its committing acts would happen a second time, so a test that has any ends inconclusive, unless
//! the user says that they may. A test whose surroundings have changed since does not continue: it starts again.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;

use assay_coordinator::{Coordinator, FinishedStep, RunRecord, TestUnderWay, Unfinished};
use assay_protocol::{Basis, ErrorCode, Failure, Part, RunEvent, RunFact, TaskStatus, Verdict};
use assay_runner::{PastAct, Plan, Resumed};
use serde::{Deserialize, Serialize};

use super::basis::Difference;
use super::committed::Committed;
use crate::state::{run_called, state_failure};

/// How a run was started, for starting it again.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct StartCommand {
    pub arguments: Vec<String>,
    pub folder: std::path::PathBuf,
}

impl StartCommand {
    /// For messages to other processes that want the session.
    pub fn command_line(&self) -> String {
        format!("assay {}", self.arguments.join(" "))
    }
}

/// The folder that a run was started in, from which its files are named.
pub(crate) fn folder_of(run: &RunRecord) -> Result<PathBuf, Failure> {
    let order: StartCommand = serde_json::from_value(run.order.clone()).map_err(|err| {
        Failure::new(
            ErrorCode::Internal,
            format!("the record does not say how {} was started: {err}", run.run),
        )
    })?;
    Ok(order.folder)
}

/// A resumed run and its progress.
pub struct Resuming {
    /// The one that it was found in.
    pub coordinator: Coordinator,
    pub record: RunRecord,
    pub events: Vec<RunEvent>,
    unfinished: Unfinished,
    granularity: Granularity,
    repeats: Repeats,
}

/// What becomes of a test whose earlier attempt committed something, or may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repeats {
    /// It is carried out again, with all its acts.
    Allowed,
    /// It ends inconclusive.
    Refused,
}

/// A test that committed something before its run was interrupted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepeatedTest {
    pub test: String,
    /// Each act, and whether it happened.
    pub acts: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Granularity {
    /// An unfinished test starts again.
    Tests,
    /// It continues at the step it had reached.
    Steps,
}

impl Resuming {
    pub fn find(
        coordinator: Coordinator,
        which: Option<&str>,
        granularity: Granularity,
        repeats: Repeats,
    ) -> Result<Resuming, Failure> {
        coordinator.pause_orphans().map_err(state_failure)?;
        let record = match which {
            Some(which) => run_called(&coordinator, which)?,
            None => newest(coordinator.runs().map_err(state_failure)?)?,
        };
        let events = coordinator.events_of(record.task).map_err(state_failure)?;
        let unfinished = coordinator.unfinished(record.task).map_err(state_failure)?;
        Ok(Resuming { coordinator, record, events, unfinished, granularity, repeats })
    }

    /// The tests that are left and whose committing acts would happen again.
    pub fn repeated(&self) -> Vec<RepeatedTest> {
        let under_way = self.unfinished.under_way.iter().map(|test| &test.test);
        let broken = self.unfinished.finished.iter().filter(|test| test.verdict == Verdict::Error);
        let mut repeated: Vec<RepeatedTest> = under_way
            .chain(broken.map(|test| &test.test))
            .map(|test| RepeatedTest { test: test.clone(), acts: Committed::by(test, &self.events).words() })
            .collect();
        repeated.retain(|test| !test.acts.is_empty());
        repeated.sort_by(|one, other| one.test.cmp(&other.test));
        repeated
    }

    /// Whether their acts may happen again.
    pub fn set_repeats(&mut self, repeats: Repeats) {
        self.repeats = repeats;
    }

    pub fn repeats(&self) -> Repeats {
        self.repeats
    }

    pub fn start_command(&self) -> Result<StartCommand, Failure> {
        serde_json::from_value(self.record.order.clone()).map_err(|err| {
            let message = format!("the record does not say how {} was started: {err}", self.record.run);
            Failure::new(ErrorCode::Usage, message)
        })
    }

    /// The remaining plans, with the progress of unfinished tests.
    pub(crate) fn left(&self, plans: Vec<Plan>, note: &mut dyn FnMut(String)) -> Vec<Plan> {
        let announced: BTreeSet<&str> = self
            .events
            .iter()
            .filter_map(|event| match &event.what {
                RunFact::RunStarted { tests, .. } => Some(tests.iter().map(|line| line.id.as_str())),
                _ => None,
            })
            .flatten()
            .collect();
        // An error says nothing about the application, so such a test runs again.
        let has_result = |id: &str| {
            self.unfinished.finished.iter().any(|test| test.test == id && test.verdict != Verdict::Error)
        };
        for plan in plans.iter().filter(|plan| has_result(&plan.line.id)) {
            let why = match self.difference(plan) {
                difference @ Difference::In(_) => difference.words(),
                _ => self.is_rewritten(plan).then(|| "its file has changed".to_string()),
            };
            if let Some(why) = why {
                note(format!("{}: {why} since; its earlier result is kept", plan.line.id));
            }
        }
        let known: BTreeSet<&str> = plans.iter().map(|plan| plan.line.id.as_str()).collect();
        for gone in announced.iter().filter(|id| !known.contains(*id) && !has_result(id)) {
            note(format!("{gone} is no longer in the suite, so it is not run"));
        }
        let attempts = self.attempts();
        let left = plans
            .into_iter()
            // A run that was cut off before it announced its tests has all of them before it.
            .filter(|plan| announced.is_empty() || announced.contains(plan.line.id.as_str()))
            .filter(|plan| !has_result(&plan.line.id));
        left.map(|mut plan| {
            plan.attempts_before = attempts.get(plan.line.id.as_str()).copied().unwrap_or(0);
            self.continue_test(&mut plan, note);
            plan
        })
        .collect()
    }

    /// How a test goes on that has no result: at its step, from its beginning, or not at all.
    fn continue_test(&self, plan: &mut Plan, note: &mut dyn FnMut(String)) {
        let committed = Committed::by(&plan.line.id, &self.events);
        let has_begun = plan.attempts_before > 0;
        let difference = if has_begun { self.difference(plan) } else { Difference::None };
        if self.repeats == Repeats::Refused && !committed.is_empty() {
            let acts = committed.words().join(", ");
            let mut reason =
                format!("not repeated: {acts} before the run was interrupted, and that commits something");
            if let Some(words) = difference.words() {
                reason = format!("{reason}; {words} since");
            }
            note(format!(
                "{} is {reason}; `assay resume --again` would repeat it, and `assay run --last-failed` runs it anew",
                plan.line.id
            ));
            plan.withheld = Some(reason);
            return;
        }
        let under_way = self.unfinished.under_way.iter().find(|test| test.test == plan.line.id);
        let is_same = difference.is_of_steps_at_most();
        match under_way {
            Some(test) if self.granularity == Granularity::Steps && is_same && is_unchanged(plan, test) => {
                plan.resumed = Some(resumed(test));
                // Acts of an earlier process beyond the repeated steps also happen again.
                plan.notes.extend(
                    committed
                        .words()
                        .iter()
                        .map(|act| format!("before the interruption {act}, and that commits something")),
                );
            }
            _ => {
                let is_named =
                    matches!(difference, Difference::In(_)) || self.granularity == Granularity::Steps;
                if let Some(words) = difference.words().filter(|_| is_named) {
                    plan.notes.push(format!("{words} since the run was interrupted, so it starts over"));
                }
                plan.notes.extend(committed.words().iter().map(|act| {
                    format!("repeated, and it commits something: {act} before the run was interrupted")
                }));
            }
        }
    }

    /// What the test depends on and is not as it was when it was last begun.
    fn difference(&self, plan: &Plan) -> Difference {
        let mut was = Basis::default();
        for event in &self.events {
            match &event.what {
                RunFact::RunStarted { tests, .. } => {
                    let line = tests.iter().find(|line| line.id == plan.line.id);
                    was = line.map(|line| line.basis.clone()).unwrap_or(was);
                }
                RunFact::RunResumed { basis, .. } => {
                    was = basis.get(&plan.line.id).cloned().unwrap_or(was);
                }
                _ => {}
            }
        }
        Difference::between(&was, &plan.line.basis)
    }

    /// Whether its file has changed.
    fn is_rewritten(&self, plan: &Plan) -> bool {
        let lines = self.events.iter().filter_map(|event| match &event.what {
            RunFact::RunStarted { tests, .. } => Some(tests),
            _ => None,
        });
        lines.flatten().any(|line| line.id == plan.line.id && line.fingerprint != plan.line.fingerprint)
    }

    fn attempts(&self) -> HashMap<&str, u32> {
        let mut last = HashMap::new();
        for event in &self.events {
            if let RunFact::TestStarted { test, attempt, .. } = &event.what {
                last.insert(test.as_str(), *attempt);
            }
        }
        last
    }
}

fn newest(runs: Vec<RunRecord>) -> Result<RunRecord, Failure> {
    let can_go_on = |run: &RunRecord| matches!(run.status, TaskStatus::Paused | TaskStatus::Stopped);
    runs.into_iter().find(can_go_on).ok_or_else(|| {
        Failure::new(ErrorCode::Usage, "nothing to resume: the last run finished")
            .hint("assay task list shows all tasks")
    })
}

/// Whether the steps that were finished are still those of the test: what was done for others must not be done for these.
fn is_unchanged(plan: &Plan, test: &TestUnderWay) -> bool {
    let steps = [&plan.setup, &plan.steps, &plan.expected].into_iter().flatten().map(|step| &step.text);
    let now: Vec<String> = plan
        .preconditions
        .iter()
        .map(|fact| &fact.text)
        .chain(steps)
        .map(|text| plan.secrets.mask(text))
        .collect();
    let is_kept = |step: &&FinishedStep| step.verdict == Verdict::Passed && step.part != Part::Teardown;
    let passed = test.steps.iter().filter(is_kept);
    passed.into_iter().all(|step| step.step.checked_sub(1).and_then(|at| now.get(at)) == Some(&step.text))
}

fn resumed(test: &TestUnderWay) -> Resumed {
    let mut resumed = Resumed::default();
    for step in &test.steps {
        let is_next = step.part != Part::Teardown && step.step == resumed.finished_steps + 1;
        if step.verdict != Verdict::Passed || !is_next {
            break;
        }
        resumed.finished_steps = step.step;
        resumed.judgements.insert(step.step, step.judgements.clone());
    }
    let mut acts: BTreeMap<usize, Vec<PastAct>> = BTreeMap::new();
    for act in test.acts.iter().filter(|act| act.record.ok && act.changes) {
        acts.entry(act.step).or_default().push(PastAct {
            command: act.record.command.clone(),
            commits: act.record.commits,
            lasting: act.lasting.as_deref().cloned(),
        });
    }
    resumed.acts = acts;
    resumed
}
