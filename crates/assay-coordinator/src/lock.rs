//! One active run per session and per device.
//!
//! A lock is a row with its owner. A process that finds the row of a dead owner takes it over in the
//! transaction that looked, so two processes cannot both take it. Pid, start time of the process and boot
//! of the machine together identify a process permanently; no clean-up is needed.

use std::sync::Arc;
use std::time::Duration;

use assay_protocol::{LockName, Owner, TaskId, TaskStatus};
use rusqlite::{OptionalExtension, Transaction, params};
use serde::Serialize;

use crate::error::{StateTrouble, read_json};
use crate::process::{Life, life_of, this_process};
use crate::store::Store;
use crate::time::now_ms;
use crate::{Coordinator, StateError, tasks};

/// How long a lease holds without a sign of life where its process cannot be looked at. Three
/// heartbeats fit in. Where the process can be looked at, its life decides and the clock does not.
pub const LEASE_TIME: Duration = Duration::from_secs(60);

/// A lock that is held. Dropping it releases it.
pub struct Lease {
    store: Arc<Store>,
    name: LockName,
    token: i64,
    /// Released, or lost: nothing is left to give back.
    over: bool,
}

impl Coordinator {
    /// Takes the lock, or names its holder.
    pub fn acquire(&self, name: &LockName, owner: &Owner) -> Result<Lease, StateError> {
        let here = this_process("")?;
        let token = self.store.change(|transaction| take(transaction, name, owner, &here, None))?;
        Ok(Lease { store: Arc::clone(&self.store), name: name.clone(), token, over: false })
    }

    /// The living holder of the lock.
    pub fn holder(&self, name: &LockName) -> Result<Option<HeldLock>, StateError> {
        Ok(self.locks()?.into_iter().find(|held| held.name == *name))
    }

    /// All locks whose owners have not died, by name.
    pub fn locks(&self) -> Result<Vec<HeldLock>, StateError> {
        let here = this_process("")?;
        self.store.look(|transaction| {
            let mut statement = transaction.prepare_cached("SELECT name FROM lease ORDER BY name")?;
            let names = statement.query_map([], |row| row.get::<_, String>(0))?;
            let mut locks = Vec::new();
            for name in names {
                let name: LockName = read_json(&serde_json::to_string(&name?)?)?;
                if let Some(held) = find(transaction, &name)?.filter(|held| held.is_valid(&here)) {
                    locks.push(HeldLock { name, owner: held.owner, seen_at: held.seen_at });
                }
            }
            Ok(locks)
        })
    }
}

/// A lock with a living holder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HeldLock {
    pub name: LockName,
    pub owner: Owner,
    /// The last sign of life, in milliseconds since 1970.
    pub seen_at: u64,
}

impl Lease {
    pub fn name(&self) -> &LockName {
        &self.name
    }

    /// Gives a sign of life; three in each `LEASE_TIME` are enough. After `LeaseLost`, the owner has to stop its work.
    pub fn heartbeat(&mut self) -> Result<(), StateError> {
        let told = self.store.change(|transaction| {
            let now = now_ms();
            let changed = transaction
                .prepare_cached(
                    "UPDATE lease SET seen_at = ?3, expires_at = ?4 WHERE name = ?1 AND token = ?2",
                )?
                .execute(params![self.name.to_string(), self.token, now, now + lease_ms()])?;
            if changed == 0 { Err(lost(transaction, &self.name)?) } else { Ok(()) }
        });
        self.over |= matches!(told, Err(StateError::LeaseLost { .. }));
        told
    }

    /// Returns the lock. If another process took it over meanwhile, this returns an error and the new lease stays.
    pub fn release(mut self) -> Result<(), StateError> {
        self.over = true;
        self.give_back()
    }

    fn give_back(&self) -> Result<(), StateError> {
        self.store.change(|transaction| {
            let changed = transaction
                .prepare_cached("DELETE FROM lease WHERE name = ?1 AND token = ?2")?
                .execute(params![self.name.to_string(), self.token])?;
            if changed == 0 { Err(lost(transaction, &self.name)?) } else { Ok(()) }
        })
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        if !self.over {
            // A lock that cannot be released now is free as soon as this process is gone.
            let _ = self.give_back();
        }
    }
}

struct Held {
    owner: Owner,
    seen_at: u64,
    expires_at: u64,
}

impl Held {
    fn is_valid(&self, here: &Owner) -> bool {
        match life_of(&self.owner, here) {
            Life::Alive => true,
            Life::Dead => false,
            Life::OutOfSight => now_ms() < self.expires_at,
        }
    }
}

/// Takes the lock inside a transaction that may write, and gives its token.
pub(crate) fn take(
    transaction: &Transaction<'_>,
    name: &LockName,
    owner: &Owner,
    here: &Owner,
    task: Option<TaskId>,
) -> Result<i64, StateTrouble> {
    if let Some(held) = find(transaction, name)?
        && held.is_valid(here)
    {
        let (holder, seen_at) = (Box::new(held.owner), held.seen_at);
        return Err(StateError::Busy { name: name.clone(), holder, seen_at, now: now_ms() }.into());
    }
    pause_task_behind(transaction, name, owner)?;
    let token: i64 = transaction
        .prepare_cached("UPDATE lease_counter SET last = last + 1 RETURNING last")?
        .query_row([], |row| row.get(0))?;
    let now = now_ms();
    transaction
        .prepare_cached(
            "INSERT OR REPLACE INTO lease (name, token, owner, task, taken_at, seen_at, expires_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?5, ?6)",
        )?
        .execute(params![
            name.to_string(),
            token,
            serde_json::to_string(owner)?,
            task.map(|task| task.0),
            now,
            now + lease_ms()
        ])?;
    Ok(token)
}

/// A task whose lock is taken away must not act any more, should its process be alive after all.
fn pause_task_behind(
    transaction: &Transaction<'_>,
    name: &LockName,
    owner: &Owner,
) -> Result<(), StateTrouble> {
    let behind: Option<i64> = transaction
        .prepare_cached(
            "SELECT task.id FROM lease JOIN task ON task.id = lease.task
             WHERE lease.name = ?1 AND task.status = 'running'",
        )?
        .query_row(params![name.to_string()], |row| row.get(0))
        .optional()?;
    if let Some(task) = behind {
        let reason = format!("its lock `{name}` was taken over by {owner}");
        tasks::set_status(transaction, TaskId(task), TaskStatus::Paused, &reason)?;
    }
    Ok(())
}

/// Releases all locks of a task.
pub(crate) fn release_of_task(transaction: &Transaction<'_>, task: TaskId) -> Result<(), StateTrouble> {
    transaction.execute("DELETE FROM lease WHERE task = ?1", params![task.0])?;
    Ok(())
}

/// Every message of a task is a sign of life for its locks.
pub(crate) fn heartbeat_of_task(transaction: &Transaction<'_>, task: TaskId) -> Result<(), StateTrouble> {
    let now = now_ms();
    transaction.execute(
        "UPDATE lease SET seen_at = ?2, expires_at = ?3 WHERE task = ?1",
        params![task.0, now, now + lease_ms()],
    )?;
    Ok(())
}

fn find(transaction: &Transaction<'_>, name: &LockName) -> Result<Option<Held>, StateTrouble> {
    let row = transaction
        .prepare_cached("SELECT owner, seen_at, expires_at FROM lease WHERE name = ?1")?
        .query_row(params![name.to_string()], |row| Ok((row.get::<_, String>(0)?, row.get(1)?, row.get(2)?)))
        .optional()?;
    let Some((owner, seen_at, expires_at)) = row else { return Ok(None) };
    Ok(Some(Held { owner: read_json(&owner)?, seen_at, expires_at }))
}

fn lost(transaction: &Transaction<'_>, name: &LockName) -> Result<StateTrouble, StateTrouble> {
    let holder = find(transaction, name)?.map(|held| Box::new(held.owner));
    Ok(StateError::LeaseLost { name: name.clone(), holder }.into())
}

fn lease_ms() -> u64 {
    LEASE_TIME.as_millis() as u64
}
