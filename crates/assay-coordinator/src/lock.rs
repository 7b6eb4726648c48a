//! One active run per session and per device.
//!
//! A lock is a row with its owner. A process that finds the row of a dead owner takes it over in the
//! transaction that looked, so two processes cannot both take it. Pid, start time of the process and boot
//! of the machine together identify a process permanently; no clean-up is needed. An owner that cannot be looked at
//! counts as dead when it was seen to give no sign of life for long enough (`watch.rs`).

use std::sync::Arc;
use std::time::Duration;

use assay_protocol::{LockName, Owner, TaskId, TaskStatus};
use rusqlite::{OptionalExtension, Transaction, params};
use serde::Serialize;

use crate::error::{StateTrouble, read_json};
use crate::process::{Life, life_of, this_process};
use crate::store::Store;
use crate::time::now_ms;
use crate::watch::Sign;
use crate::{Coordinator, StateError, tasks};

/// The time after which a lease without a sign of life ends, if its process cannot be seen. The clock of the machine that
/// wants the lease measures it.
/// Three heartbeats fit in. Where the process can be looked at, its life decides and no clock does.
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
        let taken = self.store.change(|transaction| take(transaction, name, owner, &here, None));
        let token = self.or_keep_signs(taken)?;
        Ok(Lease { store: Arc::clone(&self.store), name: name.clone(), token, over: false })
    }

    /// Where something is refused because of another owner, what is seen of it now is left for the next try.
    pub(crate) fn or_keep_signs<T>(&self, done: Result<T, StateError>) -> Result<T, StateError> {
        if let Err(StateError::Busy { .. } | StateError::TaskBusy { .. }) = &done {
            // Without it the next try only has to wait for longer.
            let _ = self.keep_signs();
        }
        done
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
                if let Some(held) = find(transaction, &name)?
                    && held.is_valid(transaction, &name, &here)?
                {
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
        let told = self.store.change(|transaction| heartbeat(transaction, &self.name, self.token));
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
    token: i64,
    seen_at: u64,
}

impl Held {
    fn is_valid(
        &self,
        transaction: &Transaction<'_>,
        name: &LockName,
        here: &Owner,
    ) -> Result<bool, StateTrouble> {
        match life_of(&self.owner, here) {
            Life::Alive => Ok(true),
            Life::Dead => Ok(false),
            Life::OutOfSight => Ok(!self.sign(name).is_old(transaction, here, lease_ms())?),
        }
    }

    fn sign(&self, name: &LockName) -> Sign {
        Sign { subject: name.to_string(), last: format!("{} {}", self.token, self.seen_at) }
    }
}

/// The last sign of life of each owner of a lock.
pub(crate) fn signs(transaction: &Transaction<'_>) -> Result<Vec<(Owner, Sign)>, StateTrouble> {
    let mut statement = transaction.prepare_cached("SELECT name FROM lease")?;
    let names = statement.query_map([], |row| row.get::<_, String>(0))?;
    let mut signs = Vec::new();
    for name in names {
        let name: LockName = read_json(&serde_json::to_string(&name?)?)?;
        if let Some(held) = find(transaction, &name)? {
            let sign = held.sign(&name);
            signs.push((held.owner, sign));
        }
    }
    Ok(signs)
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
        && held.is_valid(transaction, name, here)?
    {
        let is_in_sight = life_of(&held.owner, here) != Life::OutOfSight;
        let (holder, seen_at) = (Box::new(held.owner), held.seen_at);
        let (name, now) = (name.clone(), now_ms());
        return Err(StateError::Busy { name, holder, seen_at, now, is_in_sight }.into());
    }
    pause_task_behind(transaction, name, owner)?;
    let token: i64 = transaction
        .prepare_cached("UPDATE lease_counter SET last = last + 1 RETURNING last")?
        .query_row([], |row| row.get(0))?;
    transaction
        .prepare_cached(
            "INSERT OR REPLACE INTO lease (name, token, owner, task, taken_at, seen_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?5)",
        )?
        .execute(params![
            name.to_string(),
            token,
            serde_json::to_string(owner)?,
            task.map(|task| task.0),
            now_ms()
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

/// Whether the lock has a living holder.
pub(crate) fn is_held(
    transaction: &Transaction<'_>,
    name: &LockName,
    here: &Owner,
) -> Result<bool, StateTrouble> {
    match find(transaction, name)? {
        Some(held) => held.is_valid(transaction, name, here),
        None => Ok(false),
    }
}

/// A sign of life of the holder with this token; `LeaseLost` if there is another by now.
pub(crate) fn heartbeat(
    transaction: &Transaction<'_>,
    name: &LockName,
    token: i64,
) -> Result<(), StateTrouble> {
    let changed = transaction
        .prepare_cached("UPDATE lease SET seen_at = ?3 WHERE name = ?1 AND token = ?2")?
        .execute(params![name.to_string(), token, now_ms()])?;
    if changed == 0 { Err(lost(transaction, name)?) } else { Ok(()) }
}

/// Releases all locks of a task.
pub(crate) fn release_of_task(transaction: &Transaction<'_>, task: TaskId) -> Result<(), StateTrouble> {
    transaction.execute("DELETE FROM lease WHERE task = ?1", params![task.0])?;
    Ok(())
}

/// Every message of a task is a sign of life for its locks.
pub(crate) fn heartbeat_of_task(transaction: &Transaction<'_>, task: TaskId) -> Result<(), StateTrouble> {
    transaction.execute("UPDATE lease SET seen_at = ?2 WHERE task = ?1", params![task.0, now_ms()])?;
    Ok(())
}

fn find(transaction: &Transaction<'_>, name: &LockName) -> Result<Option<Held>, StateTrouble> {
    let row = transaction
        .prepare_cached("SELECT owner, token, seen_at FROM lease WHERE name = ?1")?
        .query_row(params![name.to_string()], |row| Ok((row.get::<_, String>(0)?, row.get(1)?, row.get(2)?)))
        .optional()?;
    let Some((owner, token, seen_at)) = row else { return Ok(None) };
    Ok(Some(Held { owner: read_json(&owner)?, token, seen_at }))
}

fn lost(transaction: &Transaction<'_>, name: &LockName) -> Result<StateTrouble, StateTrouble> {
    let holder = find(transaction, name)?.map(|held| Box::new(held.owner));
    Ok(StateError::LeaseLost { name: name.clone(), holder }.into())
}

fn lease_ms() -> u64 {
    LEASE_TIME.as_millis() as u64
}
