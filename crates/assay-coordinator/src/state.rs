//! The state of a task for display and export.
//!
//! The history of acts has no separate table: it is read from the journal, so the two cannot differ.

use std::collections::HashMap;
use std::hash::Hash;

use assay_protocol::{
    ActionPhase, ActionRecord, PastAction, RunEvent, RunFact, Task, TaskContext, TaskError, TaskEvent,
    TaskId, TaskKind, TaskState, TaskTab,
};
use rusqlite::{Connection, OptionalExtension, params};

use crate::error::{StateTrouble, read_json};
use crate::journal::{self, JournalRow, Stream};
use crate::{Coordinator, StateError, tasks};

impl Coordinator {
    /// Written as JSON, it is `{ "taskContext": …, "actionHistory": … }`.
    pub fn state(&self, task: TaskId) -> Result<TaskState, StateError> {
        self.store.look(|transaction| {
            let kind = tasks::find(transaction, task)?.task.kind;
            let action_history = match kind {
                TaskKind::Goal => acts_of_goal(journal::of_task(transaction, task, Stream::Task, 0)?),
                TaskKind::Run => acts_of_run(journal::of_task(transaction, task, Stream::Run, 0)?),
            };
            Ok(TaskState { task_context: context_of(transaction, task)?, action_history })
        })
    }

    /// One line about a task. The process that carries it out checks here between two acts whether a user
    /// paused or stopped it.
    pub fn task(&self, task: TaskId) -> Result<Task, StateError> {
        self.store.look(|transaction| Ok(tasks::find(transaction, task)?.task))
    }

    /// The newest task that runs, or else the newest.
    pub(crate) fn newest_task(&self) -> Result<TaskId, StateError> {
        self.store.look(|transaction| {
            let sql = "SELECT id FROM task ORDER BY status = 'running' DESC, id DESC LIMIT 1";
            let found: Option<i64> = transaction.query_row(sql, [], |row| row.get(0)).optional()?;
            found.map(TaskId).ok_or_else(|| StateError::NotFound { what: "task yet".to_string() }.into())
        })
    }
}

fn context_of(connection: &Connection, task: TaskId) -> Result<TaskContext, StateTrouble> {
    let found = tasks::find(connection, task)?.task;
    let (subtasks, collected): (String, String) = connection.query_row(
        "SELECT subtasks, collected FROM task WHERE id = ?1",
        params![task.0],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    let relevant_tabs = connection
        .prepare_cached("SELECT id, url, title FROM tab WHERE task = ?1 ORDER BY added_at, rowid")?
        .query_map(params![task.0], |row| {
            Ok(TaskTab { id: row.get(0)?, url: row.get(1)?, title: row.get(2)? })
        })?
        .collect::<Result<_, _>>()?;
    let errors = connection
        .prepare_cached("SELECT at, text FROM task_error WHERE task = ?1 ORDER BY id")?
        .query_map(params![task.0], |row| Ok(TaskError { at: row.get(0)?, text: row.get(1)? }))?
        .collect::<Result<_, _>>()?;
    Ok(TaskContext {
        task,
        goal: found.goal,
        status: found.status,
        subtasks: read_json(&subtasks)?,
        relevant_tabs,
        collected_data: read_json(&collected)?,
        errors,
    })
}

fn acts_of_goal(entries: Vec<JournalRow<TaskEvent>>) -> Vec<PastAction> {
    let mut acts = Acts::default();
    for entry in entries {
        if let TaskEvent::ActionRecorded { action } = entry.what {
            let place = action.tab.clone();
            acts.put(place, PastAction { number: entry.number, at: entry.at, action });
        }
    }
    acts.history
}

/// The commands of all tests of the run, in the order in which they were begun.
fn acts_of_run(entries: Vec<JournalRow<RunEvent>>) -> Vec<PastAction> {
    let mut acts = Acts::default();
    for entry in entries {
        let (test, action) = match entry.what.what {
            RunFact::CommandStarted { test, command, pilot, commits, .. } => {
                let phase = ActionPhase::Begun;
                (test, ActionRecord { command, pilot, commits, phase, ..ActionRecord::default() })
            }
            RunFact::Command { test, record, .. } => {
                let action = ActionRecord {
                    command: record.command,
                    phase: ActionPhase::Ended,
                    commits: record.commits,
                    tab: None,
                    pilot: record.pilot,
                    signature: None,
                    ok: record.ok,
                    outcome: record.outcome,
                    code: record.code,
                    duration_ms: Some(record.duration_ms),
                };
                (test, action)
            }
            _ => continue,
        };
        acts.put(test, PastAction { number: entry.number, at: entry.at, action });
    }
    acts.history
}

/// Acts in order. In one place, a tab or a test, one act is carried out at a time.
struct Acts<P> {
    history: Vec<PastAction>,
    /// Where the last act of a place stands that was begun and has not ended.
    open: HashMap<P, usize>,
}

impl<P> Default for Acts<P> {
    fn default() -> Self {
        Acts { history: Vec::new(), open: HashMap::new() }
    }
}

impl<P: Eq + Hash> Acts<P> {
    /// An act that ended takes the place of its beginning.
    fn put(&mut self, place: P, past: PastAction) {
        match past.action.phase {
            ActionPhase::Begun => {
                self.open.insert(place, self.history.len());
                self.history.push(past);
            }
            ActionPhase::Ended => match self.open.get(&place).copied() {
                Some(begun) if self.history[begun].action.command == past.action.command => {
                    self.open.remove(&place);
                    self.history[begun] = past;
                }
                _ => self.history.push(past),
            },
        }
    }
}
