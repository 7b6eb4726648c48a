//! The rows of tasks: creating them, finding them, and changing their status.

use assay_protocol::{LockName, Owner, Subtask, Task, TaskEvent, TaskId, TaskKind, TaskStatus};
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};

use crate::error::{StateTrouble, read_json};
use crate::journal::{self, Stream};
use crate::time::now_ms;
use crate::{StateError, lock};

pub(crate) struct NewTask<'a> {
    pub kind: TaskKind,
    pub goal: &'a str,
    pub subtasks: &'a [Subtask],
    pub locks: &'a [LockName],
    pub owner: &'a Owner,
}

/// Creates a running task, and sends an event.
pub(crate) fn create(transaction: &Transaction<'_>, new: &NewTask<'_>) -> Result<TaskId, StateTrouble> {
    let now = now_ms();
    transaction.execute(
        "INSERT INTO task (kind, goal, status, created_at, updated_at, owner, locks, subtasks)
         VALUES (?1, ?2, 'running', ?3, ?3, ?4, ?5, ?6)",
        params![
            kind_name(new.kind),
            new.goal,
            now,
            serde_json::to_string(new.owner)?,
            serde_json::to_string(new.locks)?,
            serde_json::to_string(new.subtasks)?
        ],
    )?;
    let task = TaskId(transaction.last_insert_rowid());
    tell(transaction, task, &TaskEvent::Started { goal: new.goal.to_owned() })?;
    Ok(task)
}

const COLUMNS: &str =
    "id, kind, goal, status, reason, created_at, updated_at, ended_at, owner, locks, generation";

/// A task and how many owners it has had.
pub(crate) struct StoredTask {
    pub task: Task,
    pub generation: i64,
}

pub(crate) fn find(connection: &Connection, task: TaskId) -> Result<StoredTask, StateTrouble> {
    let row = connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM task WHERE id = ?1"))?
        .query_row(params![task.0], cells)
        .optional()?;
    row.ok_or_else(|| StateTrouble::from(StateError::no_task(task)))?.read()
}

/// Newest first.
pub(crate) fn list(
    connection: &Connection,
    status: Option<TaskStatus>,
    limit: usize,
) -> Result<Vec<Task>, StateTrouble> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM task WHERE ?1 IS NULL OR status = ?1 ORDER BY id DESC LIMIT ?2"
    ))?;
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let rows = statement.query_map(params![status.map(TaskStatus::name), limit], cells)?;
    rows.map(|row| Ok(row?.read()?.task)).collect()
}

/// Sets a status and its reason, and releases the task's locks unless it keeps running.
pub(crate) fn set_status(
    transaction: &Transaction<'_>,
    task: TaskId,
    status: TaskStatus,
    reason: &str,
) -> Result<(), StateTrouble> {
    let now = now_ms();
    let ended = matches!(status, TaskStatus::Stopped | TaskStatus::Finished).then_some(now);
    transaction.execute(
        "UPDATE task SET status = ?2, reason = ?3, updated_at = ?4, ended_at = ?5 WHERE id = ?1",
        params![task.0, status.name(), reason, now, ended],
    )?;
    let event = match status {
        TaskStatus::Running => return Ok(()),
        TaskStatus::Paused => TaskEvent::Paused { reason: reason.to_owned() },
        TaskStatus::Stopped => TaskEvent::Stopped { reason: reason.to_owned() },
        TaskStatus::Finished => TaskEvent::Finished,
    };
    lock::release_of_task(transaction, task)?;
    tell(transaction, task, &event)?;
    Ok(())
}

/// Transfers the task to another owner and marks it as running.
pub(crate) fn hand_over(
    transaction: &Transaction<'_>,
    task: TaskId,
    owner: &Owner,
) -> Result<(), StateTrouble> {
    transaction.execute(
        "UPDATE task SET owner = ?2, generation = generation + 1 WHERE id = ?1",
        params![task.0, serde_json::to_string(owner)?],
    )?;
    set_status(transaction, task, TaskStatus::Running, "")?;
    tell(transaction, task, &TaskEvent::Resumed { owner: owner.clone() })?;
    Ok(())
}

pub(crate) fn touch(transaction: &Transaction<'_>, task: TaskId) -> Result<(), StateTrouble> {
    transaction.execute("UPDATE task SET updated_at = ?2 WHERE id = ?1", params![task.0, now_ms()])?;
    lock::heartbeat_of_task(transaction, task)
}

/// Adds an event for all followers of the tasks.
pub(crate) fn tell(
    transaction: &Transaction<'_>,
    task: TaskId,
    event: &TaskEvent,
) -> Result<u64, StateTrouble> {
    let kind = match event {
        TaskEvent::Started { .. } => "started",
        TaskEvent::Paused { .. } => "paused",
        TaskEvent::Resumed { .. } => "resumed",
        TaskEvent::Stopped { .. } => "stopped",
        TaskEvent::ContextUpdated { .. } => "context-updated",
        TaskEvent::ActionRecorded { .. } => "action-recorded",
        TaskEvent::TabAdded { .. } => "tab-added",
        TaskEvent::Finished => "finished",
    };
    journal::append(transaction, task, Stream::Task, kind, now_ms(), event)
}

/// A row as it is, before its JSON was read.
struct Cells {
    task: (i64, String, String, String, String, u64, u64, Option<u64>),
    owner: String,
    locks: String,
    generation: i64,
}

fn cells(row: &Row<'_>) -> rusqlite::Result<Cells> {
    let task = (
        row.get(0)?,
        row.get(1)?,
        row.get(2)?,
        row.get(3)?,
        row.get(4)?,
        row.get(5)?,
        row.get(6)?,
        row.get(7)?,
    );
    Ok(Cells { task, owner: row.get(8)?, locks: row.get(9)?, generation: row.get(10)? })
}

impl Cells {
    fn read(self) -> Result<StoredTask, StateTrouble> {
        let (id, kind, goal, status, reason, created_at, updated_at, ended_at) = self.task;
        let task = Task {
            id: TaskId(id),
            kind: read_json(&format!("\"{kind}\""))?,
            goal,
            status: read_json(&format!("\"{status}\""))?,
            reason,
            created_at,
            updated_at,
            ended_at,
            owner: read_json(&self.owner)?,
            locks: read_json(&self.locks)?,
        };
        Ok(StoredTask { task, generation: self.generation })
    }
}

fn kind_name(kind: TaskKind) -> &'static str {
    match kind {
        TaskKind::Goal => "goal",
        TaskKind::Run => "run",
    }
}
