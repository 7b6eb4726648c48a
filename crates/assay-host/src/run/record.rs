//! The record of a run: first in the project state, then in its journal and bundles, then with the job's caller.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::time::Duration;

use assay_coordinator::{Coordinator, Lease, Outlives, RunOpening, StateError};
use assay_protocol::{
    ErrorCode, Failure, LockedTest, Owner, Part, RunEvent, RunFact, Task, TaskId, TaskMessage, TaskStatus,
};
use assay_report::{FailureBundles, Journal, Reporter, TurnLog};
use assay_runner::EventLog;

use crate::job::{Desk, News};
use crate::state::state_failure;

/// How often the run gives a sign of life and checks for a pause or a stop.
pub const BEAT: Duration = Duration::from_millis(500);

/// The run's place in the state of its project.
pub struct ClaimedRun {
    pub coordinator: Coordinator,
    pub task: TaskId,
    lease: RefCell<Lease>,
}

impl ClaimedRun {
    /// A new run in the session that `lease` holds.
    pub fn begin(
        coordinator: Coordinator,
        lease: Lease,
        opening: &RunOpening,
    ) -> Result<ClaimedRun, Failure> {
        let task = coordinator.begin_run(opening).map_err(state_failure)?;
        Ok(ClaimedRun { coordinator, task, lease: RefCell::new(lease) })
    }

    /// Takes over a run that was cut off.
    pub fn go_on(
        coordinator: Coordinator,
        lease: Lease,
        task: TaskId,
        owner: &Owner,
    ) -> Result<ClaimedRun, Failure> {
        coordinator.take_over(task, owner).map_err(state_failure)?;
        Ok(ClaimedRun { coordinator, task, lease: RefCell::new(lease) })
    }

    /// Gives signs of life until a user pauses or stops the run, and returns which.
    pub async fn until_told_to_end(&self) -> TaskStatus {
        loop {
            tokio::time::sleep(BEAT).await;
            // Other trouble with the state is met by the next act, which is not begun then.
            if let Err(StateError::LeaseLost { .. }) = self.lease.borrow_mut().heartbeat() {
                return TaskStatus::Paused;
            }
            match self.coordinator.run(self.task) {
                Ok(run) if run.status != TaskStatus::Running && run.status != TaskStatus::Finished => {
                    return run.status;
                }
                _ => {}
            }
        }
    }
}

impl Drop for ClaimedRun {
    /// A run that ends without a result while its process lives would look as if it were still running.
    fn drop(&mut self) {
        let is_running = self.coordinator.run(self.task).is_ok_and(|run| run.status == TaskStatus::Running);
        if is_running {
            let reason = "it ended without a result".to_string();
            // Errors of the state were reported at their first occurrence.
            let _paused = self.coordinator.handle(TaskMessage::PauseTask { task: self.task, reason });
        }
    }
}

/// Runs that were cut off, in words.
pub fn orphan_words(task: &Task) -> String {
    format!(
        "task {} was interrupted ({}: {}); `assay resume {}` continues it",
        task.id, task.goal, task.reason, task.id
    )
}

pub struct Reporters {
    pub bundles: FailureBundles,
    pub turns: TurnLog,
    pub journal: Journal<std::fs::File>,
}

/// Keeps all that happens, and the first trouble with that.
pub struct RunRecorder {
    pub claimed: ClaimedRun,
    /// The job's caller gets each event once it is on record.
    pub desk: Desk,
    pub reporters: RefCell<Reporters>,
    pub trouble: RefCell<Option<Failure>>,
    /// The resolved entries of passed tests, by their ids.
    pub resolved: RefCell<BTreeMap<String, LockedTest>>,
    /// Events that wait for the next one that something hangs on.
    pub waiting: RefCell<Vec<RunEvent>>,
}

impl RunRecorder {
    /// Events on which an act or a result depends are on the disk before the run continues; events with mere details are
    /// written together with the next of those.
    fn put_on_record(&self, event: &RunEvent) -> Result<(), StateError> {
        let is_troubled = self.trouble.borrow().is_some();
        // An act that cannot be announced is not done.
        if is_troubled && matches!(event.what, RunFact::CommandStarted { .. }) {
            return Ok(());
        }
        let mut waiting = self.waiting.borrow_mut();
        waiting.push(event.clone());
        // For an act that commits nothing, the end of its step says enough.
        let is_harmless = matches!(&event.what, RunFact::Command { record, .. } if !record.commits);
        let can_wait = is_harmless
            || matches!(
                event.what,
                RunFact::TestStarted { .. }
                    | RunFact::StepStarted {
                        part: Part::Setup | Part::Step | Part::Expected | Part::Teardown,
                        ..
                    }
                    | RunFact::Screenshot { .. }
                    | RunFact::Note { .. }
                    | RunFact::Blocked { .. }
                    | RunFact::Retried { .. }
                    | RunFact::Recovered { .. }
                    | RunFact::WayBroken { .. }
            );
        // After a trouble the run ends. The results of its tests are worth another try, details are not.
        let is_result = matches!(event.what, RunFact::TestFinished { .. });
        if can_wait || (is_troubled && !is_result) {
            return Ok(());
        }
        // An act that commits nothing may be done again when the machine itself has died, a step as well.
        let outlives = match &event.what {
            RunFact::CommandStarted { commits: false, .. }
            | RunFact::TurnEnded { .. }
            | RunFact::StepFinished { .. } => Outlives::Process,
            _ => Outlives::Power,
        };
        let written = self.claimed.coordinator.record_together(self.claimed.task, &waiting, outlives);
        match &written {
            Ok(()) => waiting.clear(),
            // All that has happened waits for the next try.
            Err(_) => waiting.retain(|event| !matches!(event.what, RunFact::CommandStarted { .. })),
        }
        written
    }

    /// Whether the event belongs into the state. The end of a run that could not be recorded is not its end: it can be
    /// resumed.
    fn is_of_state(&self, event: &RunEvent) -> bool {
        !matches!(event.what, RunFact::RunFinished { .. }) || self.trouble.borrow().is_none()
    }
}

impl EventLog for RunRecorder {
    fn event(&self, event: RunEvent) {
        if let RunFact::Resolved { test, locked } = &event.what {
            self.resolved.borrow_mut().insert(test.clone(), (**locked).clone());
        }
        // Unrecorded events are still reported: the run ends, and the user sees its progress.
        if self.is_of_state(&event)
            && let Err(error) = self.put_on_record(&event)
        {
            self.trouble.borrow_mut().get_or_insert(state_failure(error));
        }
        let mut reporters = self.reporters.borrow_mut();
        reporters.journal.event(&event);
        reporters.bundles.event(&event);
        reporters.turns.event(&event);
        if let Some(trouble) = reporters.journal.trouble()
            && self.trouble.borrow().is_none()
        {
            let message = format!("the run cannot be recorded: {trouble}");
            *self.trouble.borrow_mut() = Some(Failure::new(ErrorCode::Io, message));
        }
        drop(reporters);
        self.desk.post(News::Event(Box::new(event)));
    }

    fn trouble(&self) -> Option<Failure> {
        self.trouble.borrow().clone()
    }
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use assay_coordinator::this_process;
    use assay_protocol::{CommandRecord, LockName, Verdict};

    use super::*;

    struct Home(PathBuf);

    impl Drop for Home {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    fn recorder(folder: &Path) -> RunRecorder {
        let coordinator = Coordinator::open(&folder.join("state")).unwrap();
        let owner = this_process("a test").unwrap();
        let lease = coordinator.acquire(&LockName::Session("default".to_string()), &owner).unwrap();
        let opening = RunOpening {
            run: "r1".to_string(),
            suite: "demo".to_string(),
            results: folder.to_path_buf(),
            order: serde_json::Value::Null,
            owner,
        };
        let journal = Journal::begin(std::fs::File::create(folder.join("events.jsonl")).unwrap()).unwrap();
        RunRecorder {
            claimed: ClaimedRun::begin(coordinator, lease, &opening).unwrap(),
            desk: Desk::unheard(),
            reporters: RefCell::new(Reporters {
                bundles: FailureBundles::new(folder.to_path_buf(), folder.join("failures")),
                turns: TurnLog::new(folder.to_path_buf()),
                journal,
            }),
            trouble: RefCell::default(),
            resolved: RefCell::default(),
            waiting: RefCell::default(),
        }
    }

    fn started(command: &str) -> RunFact {
        RunFact::CommandStarted {
            test: "order".to_string(),
            step: 1,
            command: command.to_string(),
            pilot: "builtin".to_string(),
            commits: true,
            lasting: None,
        }
    }

    #[test]
    fn what_could_not_be_written_is_written_with_the_next_result() {
        let home = Home(std::env::temp_dir().join(format!("assay-host-record-{}", std::process::id())));
        std::fs::create_dir_all(&home.0).unwrap();
        let recorder = recorder(&home.0);
        let tell = |what: RunFact| recorder.event(RunEvent { at: 1, what });
        let test = "order".to_string();
        tell(RunFact::TestStarted { test: test.clone(), attempt: 1, worker: 0 });
        tell(started("click e1"));
        // The file is not where it was: nothing can be written.
        let (file, aside) = (home.0.join("state/state.db"), home.0.join("state/aside.db"));
        std::fs::rename(&file, &aside).unwrap();
        let record = CommandRecord {
            command: "click e1".to_string(),
            ok: true,
            commits: true,
            ..CommandRecord::default()
        };
        tell(RunFact::Command { test: test.clone(), step: 1, record: Box::new(record) });
        assert!(recorder.trouble().is_some(), "no further act is begun");
        tell(started("click e2"));
        std::fs::rename(&aside, &file).unwrap();
        tell(RunFact::TestFinished {
            test: test.clone(),
            attempt: 1,
            verdict: Verdict::Error,
            reason: "the run cannot be recorded".to_string(),
            flaky: false,
            will_retry: false,
            interrupted: false,
            claims_nothing: false,
            last_page: None,
            duration_ms: 1,
        });
        tell(RunFact::RunFinished { interrupted: false, duration_ms: 1 });
        let coordinator = recorder.claimed.coordinator.clone();
        let kinds: Vec<String> = coordinator
            .events_of(recorder.claimed.task)
            .unwrap()
            .iter()
            .map(|event| serde_json::to_value(&event.what).unwrap()["event"].as_str().unwrap().to_string())
            .collect();
        assert_eq!(kinds, ["test-started", "command-started", "command", "test-finished"]);
        let task = recorder.claimed.task;
        drop(recorder);
        assert_eq!(coordinator.run(task).unwrap().status, TaskStatus::Paused, "it can be resumed");
    }
}
