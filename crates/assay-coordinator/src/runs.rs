//! The journal of runs: every event is on the disk before the run continues.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{MutexGuard, PoisonError};

use assay_protocol::{Owner, RunEvent, RunFact, TaskId, TaskKind, TaskStatus};
use rusqlite::{Connection, OptionalExtension, Transaction, params};
use serde::Serialize;
use serde_json::Value;

use crate::error::{StateTrouble, read_json};
use crate::journal::{self, JournalRow, Stream};
use crate::progress::{Progress, Unfinished};
use crate::store::Outlives;
use crate::tasks::{self, NewTask};
use crate::time::now_ms;
use crate::{Coordinator, StateError, bus, folder, results};

/// The data of a run before it begins.
#[derive(Debug, Clone)]
pub struct RunOpening {
    /// Its name, unique among the runs of the project.
    pub run: String,
    pub suite: String,
    /// Where its reports and pictures are put.
    pub results: PathBuf,
    /// How to start it again, in the caller's own format. After reading it back, trust it no more than the
    /// project that the file came with.
    pub order: Value,
    pub owner: Owner,
}

/// A run as it stands in the state.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunRecord {
    pub task: TaskId,
    pub run: String,
    pub suite: String,
    pub results: PathBuf,
    pub order: Value,
    pub status: TaskStatus,
    pub started_at: u64,
    pub ended_at: Option<u64>,
    pub interrupted: bool,
    pub duration_ms: Option<u64>,
}

/// The in-memory state of a run that this process records.
pub(crate) struct RecordedRun {
    progress: Progress,
    /// Another number in the file means that another process has taken over the run.
    generation: i64,
}

impl Coordinator {
    pub fn begin_run(&self, opening: &RunOpening) -> Result<TaskId, StateError> {
        let results = folder::absolute(&opening.results)?;
        let task = self.store.change(|transaction| {
            let goal = format!("run {}", opening.suite);
            let new = NewTask {
                kind: TaskKind::Run,
                goal: &goal,
                subtasks: &[],
                locks: &[],
                owner: &opening.owner,
            };
            let task = tasks::create(transaction, &new)?;
            transaction.execute(
                "INSERT INTO run (task, run, suite, results, start_order, started_at)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                params![
                    task.0,
                    opening.run,
                    opening.suite,
                    path_text(&results)?,
                    serde_json::to_string(&opening.order)?,
                    now_ms()
                ],
            )?;
            Ok(task)
        })?;
        self.recorders().insert(task, RecordedRun { progress: Progress::default(), generation: 1 });
        Ok(task)
    }

    /// Puts one event into the journal. When this returns, it is on the disk; when it fails, nothing of
    /// it is there, and what the event announces must not be done.
    pub fn record(&self, task: TaskId, event: &RunEvent) -> Result<(), StateError> {
        self.record_together(task, std::slice::from_ref(event), Outlives::Power)
    }

    /// Puts several events into the journal, all of them or none. The disk is waited for once: events that
    /// nothing hangs on can wait for one that something does.
    pub fn record_together(
        &self,
        task: TaskId,
        events: &[RunEvent],
        outlives: Outlives,
    ) -> Result<(), StateError> {
        let mut recorders = self.recorders();
        let recorder = match recorders.remove(&task) {
            Some(recorder) => recorder,
            None => self.recall(task)?,
        };
        let recorder = recorders.entry(task).or_insert(recorder);
        self.store.change_that(outlives, |transaction| {
            check_generation(transaction, task, recorder.generation)?;
            for event in events {
                journal::append(transaction, task, Stream::Run, kind_of(&event.what), event.at, event)?;
                bus::publish_of(transaction, task, event, &recorder.progress)?;
                match &event.what {
                    // An attempt that a user stopped is no result.
                    RunFact::TestFinished { will_retry: false, interrupted: false, .. } => {
                        results::write(transaction, task, event, &recorder.progress)?;
                    }
                    RunFact::RunFinished { interrupted, duration_ms } => {
                        results::write_metrics(transaction, task, &recorder.progress, *duration_ms)?;
                        end(transaction, task, event.at, *interrupted, *duration_ms)?;
                    }
                    _ => {}
                }
            }
            Ok(())
        })?;
        events.iter().for_each(|event| recorder.progress.apply(event));
        Ok(())
    }

    /// All events of a run in order, for writing its reports again.
    pub fn events_of(&self, task: TaskId) -> Result<Vec<RunEvent>, StateError> {
        self.store.look(|transaction| {
            tasks::find(transaction, task)?;
            events(transaction, task)
        })
    }

    /// The number of the newest event of a run.
    pub fn newest_event_of(&self, task: TaskId) -> Result<Option<u64>, StateError> {
        self.store.look(|transaction| {
            let mut statement = transaction
                .prepare_cached("SELECT max(number) FROM journal WHERE task = ?1 AND stream = 'run'")?;
            Ok(statement.query_row(params![task.0], |row| row.get(0))?)
        })
    }

    /// The acts of a run that were done, and those that may have been.
    pub fn unfinished(&self, task: TaskId) -> Result<Unfinished, StateError> {
        Ok(Progress::of(&self.events_of(task)?).unfinished())
    }

    pub fn run(&self, task: TaskId) -> Result<RunRecord, StateError> {
        self.store.look(|transaction| {
            let found = read_runs(transaction, "WHERE run.task = ?1", params![task.0])?.pop();
            found.ok_or_else(|| StateError::NotFound { what: format!("run {task}") }.into())
        })
    }

    /// The newest run of this name.
    pub fn run_named(&self, name: &str) -> Result<RunRecord, StateError> {
        self.store.look(|transaction| {
            let found = read_runs(transaction, "WHERE run.run = ?1", params![name])?.into_iter().next();
            found.ok_or_else(|| StateError::NotFound { what: format!("run `{name}`") }.into())
        })
    }

    /// The counts of a run, by name. Empty until it ends.
    pub fn metrics(&self, task: TaskId) -> Result<BTreeMap<String, f64>, StateError> {
        self.store.look(|transaction| {
            let mut statement =
                transaction.prepare_cached("SELECT name, value FROM metric WHERE task = ?1")?;
            let rows = statement.query_map(params![task.0], |row| Ok((row.get(0)?, row.get(1)?)))?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
    }

    /// All runs, newest first.
    pub fn runs(&self) -> Result<Vec<RunRecord>, StateError> {
        self.store.look(|transaction| read_runs(transaction, "", []))
    }

    /// Some runs, newest first: only those before a task, of one status where that is named.
    pub fn runs_before(
        &self,
        before: Option<TaskId>,
        status: Option<TaskStatus>,
        limit: usize,
    ) -> Result<Vec<RunRecord>, StateError> {
        self.store.look(|transaction| {
            let limit = i64::try_from(limit).unwrap_or(i64::MAX);
            read_runs(
                transaction,
                "WHERE run.task IN (
                     SELECT some.task FROM run AS some JOIN task AS of_it ON of_it.id = some.task
                     WHERE (?1 IS NULL OR some.task < ?1) AND (?2 IS NULL OR of_it.status = ?2)
                     ORDER BY some.task DESC LIMIT ?3)",
                params![before.map(|task| task.0), status.map(TaskStatus::name), limit],
            )
        })
    }

    /// Whether a run of this name was begun.
    pub fn has_run(&self, name: &str) -> Result<bool, StateError> {
        self.store.look(|transaction| {
            let mut statement = transaction.prepare_cached("SELECT 1 FROM run WHERE run = ?1")?;
            Ok(statement.exists(params![name])?)
        })
    }

    /// A run that this process did not begin is known from its journal.
    fn recall(&self, task: TaskId) -> Result<RecordedRun, StateError> {
        self.store.look(|transaction| {
            let generation = tasks::find(transaction, task)?.generation;
            Ok(RecordedRun { progress: Progress::of(&events(transaction, task)?), generation })
        })
    }

    pub(crate) fn recorders(&self) -> MutexGuard<'_, HashMap<TaskId, RecordedRun>> {
        // A recorder changes only after its event is committed: after a panic it still matches the file.
        self.recorders.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn events(connection: &Connection, task: TaskId) -> Result<Vec<RunEvent>, StateTrouble> {
    let entries: Vec<JournalRow<RunEvent>> = journal::of_task(connection, task, Stream::Run, 0)?;
    Ok(entries.into_iter().map(|entry| entry.what).collect())
}

pub(crate) fn read_runs(
    connection: &Connection,
    which: &str,
    parameters: impl rusqlite::Params,
) -> Result<Vec<RunRecord>, StateTrouble> {
    let mut statement = connection.prepare(&format!(
        "SELECT run.task, run, suite, results, start_order, task.status, started_at, run.ended_at, interrupted,
                duration_ms
         FROM run JOIN task ON task.id = run.task {which} ORDER BY run.task DESC"
    ))?;
    let mut rows = statement.query(parameters)?;
    let mut runs = Vec::new();
    while let Some(row) = rows.next()? {
        let (results, order, status): (String, String, String) = (row.get(3)?, row.get(4)?, row.get(5)?);
        runs.push(RunRecord {
            task: TaskId(row.get(0)?),
            run: row.get(1)?,
            suite: row.get(2)?,
            results: PathBuf::from(results),
            order: read_json(&order)?,
            status: read_json(&format!("\"{status}\""))?,
            started_at: row.get(6)?,
            ended_at: row.get(7)?,
            interrupted: row.get::<_, Option<bool>>(8)?.unwrap_or_default(),
            duration_ms: row.get(9)?,
        });
    }
    Ok(runs)
}

fn check_generation(transaction: &Transaction<'_>, task: TaskId, known: i64) -> Result<(), StateTrouble> {
    let found: Option<i64> = transaction
        .prepare_cached("SELECT generation FROM task WHERE id = ?1")?
        .query_row(params![task.0], |row| row.get(0))
        .optional()?;
    match found {
        None => Err(StateError::no_task(task).into()),
        Some(found) if found == known => Ok(()),
        Some(_) => {
            let holder = Box::new(tasks::find(transaction, task)?.task.owner);
            Err(StateError::TakenOver { task, holder }.into())
        }
    }
}

/// An interrupted run counts as stopped, unless a user paused or stopped it explicitly.
fn end(
    transaction: &Transaction<'_>,
    task: TaskId,
    at: u64,
    interrupted: bool,
    duration_ms: u64,
) -> Result<(), StateTrouble> {
    transaction.execute(
        "UPDATE run SET ended_at = ?2, interrupted = ?3, duration_ms = ?4 WHERE task = ?1",
        params![task.0, at, interrupted, duration_ms],
    )?;
    let found = tasks::find(transaction, task)?.task.status;
    match (interrupted, found) {
        (false, _) => tasks::set_status(transaction, task, TaskStatus::Finished, ""),
        (true, TaskStatus::Running) => {
            tasks::set_status(transaction, task, TaskStatus::Stopped, "it was interrupted")
        }
        (true, _) => Ok(()),
    }
}

/// A path that is not valid text can be neither reported nor stored.
fn path_text(path: &Path) -> Result<&str, StateTrouble> {
    path.to_str().ok_or_else(|| {
        let source = std::io::Error::new(std::io::ErrorKind::InvalidInput, "its name is not UTF-8");
        StateError::Unwritable { folder: path.to_path_buf(), source }.into()
    })
}

/// The tag under which the event is written as JSON.
fn kind_of(what: &RunFact) -> &'static str {
    match what {
        RunFact::RunStarted { .. } => "run-started",
        RunFact::FileRejected { .. } => "file-rejected",
        RunFact::TestStarted { .. } => "test-started",
        RunFact::StepStarted { .. } => "step-started",
        RunFact::CommandStarted { .. } => "command-started",
        RunFact::Command { .. } => "command",
        RunFact::ModelCalled { .. } => "model-called",
        RunFact::TurnEnded { .. } => "turn-ended",
        RunFact::PilotLeft { .. } => "guest-left",
        RunFact::LockMissed { .. } => "lock-missed",
        RunFact::Healed { .. } => "healed",
        RunFact::Resolved { .. } => "resolved",
        RunFact::Proved { .. } => "proved",
        RunFact::Retried { .. } => "retried",
        RunFact::Recovered { .. } => "recovered",
        RunFact::Screenshot { .. } => "screenshot",
        RunFact::Note { .. } => "note",
        RunFact::Blocked { .. } => "blocked",
        RunFact::WayBroken { .. } => "way-broken",
        RunFact::StepFinished { .. } => "step-finished",
        RunFact::TestFinished { .. } => "test-finished",
        RunFact::RunResumed { .. } => "run-resumed",
        RunFact::RunFinished { .. } => "run-finished",
    }
}
