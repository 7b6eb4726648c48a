//! `assay resume`: continues an interrupted run.
//!
//! Finished tests keep their results. An unfinished test starts again, or with `--steps` continues at the step it had
//! reached. Committing acts that happen a second time are reported.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;

use assay_coordinator::{Coordinator, FinishedStep, RunRecord, TestUnderWay, Unfinished};
use assay_protocol::{ErrorCode, Failure, Part, RunEvent, RunFact, TaskStatus, Verdict};
use assay_runner::{PastAct, Plan, Resumed};
use serde::{Deserialize, Serialize};

use crate::state::{run_called, state_failure};

/// How a run was started, for starting it again.
#[derive(Debug, Serialize, Deserialize)]
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
    ) -> Result<Resuming, Failure> {
        coordinator.pause_orphans().map_err(state_failure)?;
        let record = match which {
            Some(which) => run_called(&coordinator, which)?,
            None => newest(coordinator.runs().map_err(state_failure)?)?,
        };
        let events = coordinator.events_of(record.task).map_err(state_failure)?;
        let unfinished = coordinator.unfinished(record.task).map_err(state_failure)?;
        Ok(Resuming { coordinator, record, events, unfinished, granularity })
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
        for plan in plans.iter().filter(|plan| has_result(&plan.line.id) && self.is_changed(plan)) {
            note(format!("{} has changed since; its earlier result is kept", plan.line.id));
        }
        let attempts = self.attempts();
        plans
            .into_iter()
            // A run that was cut off before it announced its tests has all of them before it.
            .filter(|plan| announced.is_empty() || announced.contains(plan.line.id.as_str()))
            .filter(|plan| !has_result(&plan.line.id))
            .map(|mut plan| {
                plan.attempts_before = attempts.get(plan.line.id.as_str()).copied().unwrap_or(0);
                let under_way = self.unfinished.under_way.iter().find(|test| test.test == plan.line.id);
                match (under_way, self.granularity) {
                    (Some(test), Granularity::Steps) if is_unchanged(&plan, test) => {
                        let Committed { done, doubtful } = self.committed(&plan.line.id);
                        plan.resumed = Some(resumed(test, doubtful.last()));
                        // Acts of an earlier process beyond the repeated steps also happen again.
                        plan.notes.extend(done.iter().map(|command| {
                            format!("before the interruption it ran `{command}`, which commits something")
                        }));
                    }
                    (test, granularity) => {
                        if test.is_some() && granularity == Granularity::Steps {
                            plan.notes.push("its steps have changed since, so it starts over".to_string());
                        }
                        plan.notes.extend(self.repeated(&plan.line.id));
                    }
                }
                plan
            })
            .collect()
    }

    fn is_changed(&self, plan: &Plan) -> bool {
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

    /// Acts that earlier attempts committed, or may have: they will happen again.
    fn repeated(&self, id: &str) -> Vec<String> {
        let Committed { done, doubtful } = self.committed(id);
        let said = |command: &String, how: &str| {
            format!("repeated, and it commits something: `{command}` {how} before the run was interrupted")
        };
        let done = done.iter().map(|command| said(command, "was done"));
        done.chain(doubtful.iter().map(|command| said(command, "may have been done"))).collect()
    }

    /// Over all attempts that came to no result: a second life of the run must not forget the first.
    fn committed(&self, id: &str) -> Committed {
        let mut committed = Committed::default();
        let mut begun: Option<&str> = None;
        for event in &self.events {
            match &event.what {
                // A user who allows retries accepts repeated acts.
                RunFact::TestFinished { test, will_retry: true, .. } if test == id => {
                    committed = Committed::default();
                    begun = None;
                }
                RunFact::TestStarted { test, .. } if test == id => committed.doubt(begun.take()),
                RunFact::CommandStarted { test, command, commits: true, .. } if test == id => {
                    committed.doubt(begun.replace(command));
                }
                RunFact::Command { test, record, .. }
                    if test == id && begun == Some(record.command.as_str()) =>
                {
                    begun = None;
                    match record.code {
                        None if record.ok => committed.done.push(record.command.clone()),
                        Some(code) if code.leaves_it_open() => committed.doubt(Some(&record.command)),
                        _ => {}
                    }
                }
                _ => {}
            }
        }
        committed.doubt(begun);
        committed
    }
}

/// A committing act of a test.
#[derive(Default)]
struct Committed {
    done: Vec<String>,
    /// Begun, with an unknown outcome.
    doubtful: Vec<String>,
}

impl Committed {
    fn doubt(&mut self, command: Option<&str>) {
        self.doubtful.extend(command.map(str::to_string));
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

fn resumed(test: &TestUnderWay, doubtful: Option<&String>) -> Resumed {
    let mut resumed = Resumed::default();
    for step in &test.steps {
        if step.verdict != Verdict::Passed || step.step != resumed.finished_steps + 1 {
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
    // Done in the step that was under way: to take the step again would do it again.
    let beyond = test
        .acts
        .iter()
        .rfind(|act| act.record.commits && act.record.ok && act.step > resumed.finished_steps);
    resumed.in_doubt = doubtful.cloned().or(beyond.map(|act| act.record.command.clone()));
    resumed
}
