//! After a crash: running tasks become paused, and another process can continue them.

use assay_protocol::{Owner, Task, TaskId, TaskStatus};
use rusqlite::Transaction;

use crate::error::StateTrouble;
use crate::lock::LEASE_TIME;
use crate::process::{Life, life_of, this_process};
use crate::watch::{Sign, keep_signs};
use crate::{Coordinator, StateError, lock, tasks};

/// A process that cannot be inspected counts as gone if it was seen to be silent for this long, in milliseconds.
const SILENCE: u64 = 10 * LEASE_TIME.as_millis() as u64;

impl Coordinator {
    /// Pauses every task that runs and whose process is dead, and gives them, oldest first.
    pub fn pause_orphans(&self) -> Result<Vec<Task>, StateError> {
        let here = this_process("")?;
        self.store.change(|transaction| {
            let mut orphans = Vec::new();
            for task in tasks::list(transaction, Some(TaskStatus::Running), usize::MAX)? {
                if is_alive(transaction, &task, &here)? {
                    continue;
                }
                let reason = format!("{} exited without finishing it", task.owner);
                tasks::set_status(transaction, task.id, TaskStatus::Paused, &reason)?;
                orphans.push(tasks::find(transaction, task.id)?.task);
            }
            keep_signs(transaction, &here)?;
            orphans.reverse();
            Ok(orphans)
        })
    }

    /// Makes a task run again under a new owner. It must be paused or stopped, or its owner dead. From
    /// now on, whatever the old owner still wants to record is refused.
    pub fn take_over(&self, task: TaskId, owner: &Owner) -> Result<Task, StateError> {
        let here = this_process("")?;
        let taken = self.or_keep_signs(self.store.change(|transaction| {
            let found = tasks::find(transaction, task)?.task;
            match found.status {
                TaskStatus::Paused | TaskStatus::Stopped => {}
                TaskStatus::Running if !is_alive(transaction, &found, &here)? => {}
                TaskStatus::Running => {
                    return Err(StateError::TaskBusy { task, holder: Box::new(found.owner) }.into());
                }
                status @ TaskStatus::Finished => {
                    return Err(StateError::WrongStatus { task, status, wanted: "resumed" }.into());
                }
            }
            lock::release_of_task(transaction, task)?;
            for name in &found.locks {
                lock::take(transaction, name, owner, &here, Some(task))?;
            }
            tasks::hand_over(transaction, task, owner)?;
            Ok(tasks::find(transaction, task)?.task)
        }))?;
        // This process's knowledge of the task is out of date.
        self.recorders().remove(&task);
        Ok(taken)
    }
}

pub(crate) fn is_alive(
    transaction: &Transaction<'_>,
    task: &Task,
    here: &Owner,
) -> Result<bool, StateTrouble> {
    match life_of(&task.owner, here) {
        Life::Alive => Ok(true),
        Life::Dead => Ok(false),
        Life::OutOfSight => Ok(!Sign::of_task(transaction, task)?.is_old(transaction, here, SILENCE)?),
    }
}
