//! One function for every message: only this module carries out the requests of front ends.

use assay_protocol::{
    ActionRecord, ContextPatch, LockName, Owner, Subtask, Task, TaskEvent, TaskId, TaskKind, TaskMessage,
    TaskReply, TaskStatus, TaskTab,
};
use rusqlite::{Transaction, params};
use serde_json::{Map, Value};

use crate::error::{StateTrouble, read_json};
use crate::process::this_process;
use crate::tasks::{self, NewTask};
use crate::time::now_ms;
use crate::{Coordinator, StateError, lock};

/// How many tasks a list has where the message does not say.
const LISTED: usize = 50;

impl Coordinator {
    /// Carries out one message. When it answers, the change and its event are on the disk.
    pub fn handle(&self, message: TaskMessage) -> Result<TaskReply, StateError> {
        match message {
            TaskMessage::StartTask { goal, subtasks, locks, owner } => {
                self.start_task(&goal, &subtasks, &locks, owner)
            }
            TaskMessage::GetState { task } => {
                let task = task.map_or_else(|| self.newest_task(), Ok)?;
                Ok(TaskReply::State(Box::new(self.state(task)?)))
            }
            TaskMessage::UpdateTaskContext { task, patch } => self.update_context(task, &patch),
            TaskMessage::RecordAction { task, action } => self.record_action(task, action),
            TaskMessage::TaskAddRelevantTab { task, tab } => self.add_tab(task, tab),
            TaskMessage::StopTask { task, reason } => self.end_task(task, TaskStatus::Stopped, &reason),
            TaskMessage::PauseTask { task, reason } => self.end_task(task, TaskStatus::Paused, &reason),
            TaskMessage::ResumeTask { task, owner } => {
                let owner = owner.map_or_else(|| this_process("a task"), Ok)?;
                Ok(TaskReply::Task { task: Box::new(self.take_over(task, &owner)?) })
            }
            TaskMessage::ListTasks { status, limit } => {
                let tasks = self
                    .store
                    .look(|transaction| tasks::list(transaction, status, limit.unwrap_or(LISTED)))?;
                Ok(TaskReply::Tasks { tasks })
            }
        }
    }

    fn start_task(
        &self,
        goal: &str,
        subtasks: &[Subtask],
        locks: &[LockName],
        owner: Option<Owner>,
    ) -> Result<TaskReply, StateError> {
        let here = this_process(goal)?;
        let owner = owner.unwrap_or_else(|| here.clone());
        self.or_keep_signs(self.answer_with_task(|transaction| {
            let new = NewTask { kind: TaskKind::Goal, goal, subtasks, locks, owner: &owner };
            let task = tasks::create(transaction, &new)?;
            for name in locks {
                lock::take(transaction, name, &owner, &here, Some(task))?;
            }
            Ok(task)
        }))
    }

    /// The context of an ended task may still be completed: what was found out stays worth knowing.
    fn update_context(&self, task: TaskId, patch: &ContextPatch) -> Result<TaskReply, StateError> {
        self.answer_with_task(|transaction| {
            tasks::find(transaction, task)?;
            apply(transaction, task, patch)?;
            tasks::touch(transaction, task)?;
            tasks::tell(transaction, task, &TaskEvent::ContextUpdated { patch: patch.clone() })?;
            Ok(task)
        })
    }

    /// The end of an act is recorded whatever the status: an act that ended after a user paused the
    /// task has still happened. Only the beginning of an act is refused.
    fn record_action(&self, task: TaskId, action: ActionRecord) -> Result<TaskReply, StateError> {
        let number = self.store.change(|transaction| {
            let status = tasks::find(transaction, task)?.task.status;
            if action.phase == assay_protocol::ActionPhase::Begun && status != TaskStatus::Running {
                return Err(StateError::WrongStatus { task, status, wanted: "acted for" }.into());
            }
            tasks::touch(transaction, task)?;
            tasks::tell(transaction, task, &TaskEvent::ActionRecorded { action })
        })?;
        Ok(TaskReply::Recorded { number })
    }

    fn add_tab(&self, task: TaskId, tab: TaskTab) -> Result<TaskReply, StateError> {
        self.answer_with_task(|transaction| {
            tasks::find(transaction, task)?;
            put_tab(transaction, task, &tab)?;
            tasks::touch(transaction, task)?;
            tasks::tell(transaction, task, &TaskEvent::TabAdded { tab })?;
            Ok(task)
        })
    }

    /// Stops or pauses. If the task already has this status, nothing changes and no event is sent.
    fn end_task(&self, task: TaskId, status: TaskStatus, reason: &str) -> Result<TaskReply, StateError> {
        self.answer_with_task(|transaction| {
            let found = tasks::find(transaction, task)?.task.status;
            let may = match status {
                TaskStatus::Paused => found == TaskStatus::Running,
                _ => matches!(found, TaskStatus::Running | TaskStatus::Paused),
            };
            if may {
                tasks::set_status(transaction, task, status, reason)?;
            } else if found != status {
                let wanted = if status == TaskStatus::Paused { "paused" } else { "stopped" };
                return Err(StateError::WrongStatus { task, status: found, wanted }.into());
            }
            Ok(task)
        })
    }

    /// A task came to its end. A run does so by its last event; this is for goals.
    pub fn finish_task(&self, task: TaskId) -> Result<Task, StateError> {
        self.store.change(|transaction| {
            let status = tasks::find(transaction, task)?.task.status;
            match status {
                TaskStatus::Finished => {}
                TaskStatus::Running | TaskStatus::Paused => {
                    tasks::set_status(transaction, task, TaskStatus::Finished, "")?;
                }
                TaskStatus::Stopped => {
                    return Err(StateError::WrongStatus { task, status, wanted: "finished" }.into());
                }
            }
            Ok(tasks::find(transaction, task)?.task)
        })
    }

    fn answer_with_task(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> Result<TaskId, StateTrouble>,
    ) -> Result<TaskReply, StateError> {
        let task: Task = self.store.change(|transaction| {
            let task = work(transaction)?;
            Ok(tasks::find(transaction, task)?.task)
        })?;
        Ok(TaskReply::Task { task: Box::new(task) })
    }
}

fn apply(transaction: &Transaction<'_>, task: TaskId, patch: &ContextPatch) -> Result<(), StateTrouble> {
    if let Some(subtasks) = &patch.subtasks {
        let written = serde_json::to_string(subtasks)?;
        transaction.execute("UPDATE task SET subtasks = ?2 WHERE id = ?1", params![task.0, written])?;
    }
    for tab in &patch.relevant_tabs {
        put_tab(transaction, task, tab)?;
    }
    if !patch.collected_data.is_empty() {
        let sql = "SELECT collected FROM task WHERE id = ?1";
        let old: String = transaction.query_row(sql, params![task.0], |row| row.get(0))?;
        let mut collected: Map<String, Value> = read_json(&old)?;
        collected.extend(patch.collected_data.clone());
        let written = serde_json::to_string(&collected)?;
        transaction.execute("UPDATE task SET collected = ?2 WHERE id = ?1", params![task.0, written])?;
    }
    for text in &patch.errors {
        transaction.execute(
            "INSERT INTO task_error (task, at, text) VALUES (?1, ?2, ?3)",
            params![task.0, now_ms(), text],
        )?;
    }
    Ok(())
}

/// Absent fields of a known tab keep their values.
fn put_tab(transaction: &Transaction<'_>, task: TaskId, tab: &TaskTab) -> Result<(), StateTrouble> {
    transaction.execute(
        "INSERT INTO tab (task, id, url, title, added_at, seen_at) VALUES (?1, ?2, ?3, ?4, ?5, ?5)
         ON CONFLICT (task, id) DO UPDATE SET
             url = CASE excluded.url WHEN '' THEN url ELSE excluded.url END,
             title = CASE excluded.title WHEN '' THEN title ELSE excluded.title END,
             seen_at = excluded.seen_at",
        params![task.0, tab.id, tab.url, tab.title, now_ms()],
    )?;
    Ok(())
}
