//! Whether an owner that cannot be looked at still gives signs of life, by the clock of this machine alone.
//!
//! Two machines need not agree on the time, so no moment that another one wrote is compared with one of ours. Only the
//! sign itself is compared: a process that sees the same sign for long enough knows that the owner sent no other. Few
//! processes live that long. Each records the last sign it saw, for the next process since the same start of the same
//! machine: the boot clock only runs forward, and nobody can set it.

use std::io;
use std::mem::MaybeUninit;

use assay_protocol::{Owner, Task, TaskStatus};
use rusqlite::{OptionalExtension, Transaction, params};

use crate::error::StateTrouble;
use crate::process::{Life, life_of, this_process};
use crate::{Coordinator, StateError, lock, tasks};

/// The last sign of life of an owner, and what it owns.
pub(crate) struct Sign {
    /// `session:default`, `task:7`.
    pub subject: String,
    /// Another text with each sign of life.
    pub last: String,
}

impl Sign {
    pub fn of_task(transaction: &Transaction<'_>, task: &Task) -> Result<Sign, StateTrouble> {
        let row: Option<u64> = transaction.query_row(
            "SELECT max(number) FROM journal WHERE task = ?1",
            params![task.id.0],
            |row| row.get(0),
        )?;
        let last = format!("{} {}", task.updated_at, row.unwrap_or_default());
        Ok(Sign { subject: format!("task:{}", task.id), last })
    }

    /// Whether it has been the last one for so many milliseconds, as far as this machine saw.
    pub fn is_old(
        &self,
        transaction: &Transaction<'_>,
        here: &Owner,
        milliseconds: u64,
    ) -> Result<bool, StateTrouble> {
        if !is_kept(transaction)? {
            return Ok(false);
        }
        let since: Option<i64> = transaction
            .prepare_cached("SELECT since FROM watch WHERE subject = ?1 AND boot = ?2 AND sign = ?3")?
            .query_row(params![self.subject, here.boot, self.last], |row| row.get(0))
            .optional()?;
        let now = machine_ms().map_err(|source| StateError::ProcessUnknown { source })?;
        Ok(since.is_some_and(|since| now - since >= milliseconds as i64))
    }

    /// Keeps when it was first seen.
    fn keep(&self, transaction: &Transaction<'_>, here: &Owner) -> Result<(), StateTrouble> {
        let now = machine_ms().map_err(|source| StateError::ProcessUnknown { source })?;
        transaction
            .prepare_cached(
                "INSERT INTO watch (subject, boot, sign, since) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT (subject, boot) DO UPDATE SET sign = excluded.sign, since = excluded.since
                 WHERE sign <> excluded.sign",
            )?
            .execute(params![self.subject, here.boot, self.last, now])?;
        Ok(())
    }
}

impl Coordinator {
    /// Leaves for later what is seen now of all owners out of sight. Callers that were refused because of one call this,
    /// so that a later one can tell whether it lives.
    pub(crate) fn keep_signs(&self) -> Result<(), StateError> {
        let here = this_process("")?;
        self.store.change(|transaction| keep_signs(transaction, &here))
    }
}

pub(crate) fn keep_signs(transaction: &Transaction<'_>, here: &Owner) -> Result<(), StateTrouble> {
    let mut signs = Vec::new();
    for (owner, sign) in lock::signs(transaction)? {
        if life_of(&owner, here) == Life::OutOfSight {
            signs.push(sign);
        }
    }
    for task in tasks::list(transaction, Some(TaskStatus::Running), usize::MAX)? {
        if life_of(&task.owner, here) == Life::OutOfSight {
            signs.push(Sign::of_task(transaction, &task)?);
        }
    }
    let subjects: Vec<&str> = signs.iter().map(|sign| sign.subject.as_str()).collect();
    transaction.execute(
        "DELETE FROM watch WHERE subject NOT IN (SELECT value FROM json_each(?1))",
        params![serde_json::to_string(&subjects)?],
    )?;
    signs.iter().try_for_each(|sign| sign.keep(transaction, here))
}

/// A file that is only read may be of an older version, without this table.
fn is_kept(transaction: &Transaction<'_>) -> Result<bool, StateTrouble> {
    let found: i64 = transaction
        .prepare_cached("SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'watch'")?
        .query_row([], |row| row.get(0))?;
    Ok(found > 0)
}

/// Milliseconds since this machine was started, with the time it slept.
pub(crate) fn machine_ms() -> io::Result<i64> {
    let mut time = MaybeUninit::<libc::timespec>::uninit();
    // SAFETY: the clock exists on every supported system, and the structure is only read when the call filled it.
    let time = unsafe {
        if libc::clock_gettime(libc::CLOCK_BOOTTIME, time.as_mut_ptr()) != 0 {
            return Err(io::Error::last_os_error());
        }
        time.assume_init()
    };
    Ok(time.tv_sec * 1000 + time.tv_nsec / 1_000_000)
}
