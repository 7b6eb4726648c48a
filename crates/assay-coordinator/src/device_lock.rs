//! Control of devices: one owner at a time, with an expiry and a queue.
//!
//! An owner is a name: a person, an agent, a program. Its lock lasts for a period after its last sign, and no longer
//! than its process, where it names one. Those who wait are processes, so a waiter that died is out of the queue. Nobody
//! loses control to a higher priority; it only decides who is next. Times are those of the boot clock, which only runs
//! forward: a restart of the machine ends all locks.

use std::time::{Duration, Instant};

use assay_protocol::{DeviceLock, DeviceWaiter, LockPriority, Owner};
use rusqlite::{OptionalExtension, Row, Transaction, params};

use crate::error::{StateTrouble, read_json};
use crate::process::{Life, life_of, this_process};
use crate::time::now_ms;
use crate::watch::machine_ms;
use crate::{Coordinator, Outlives, StateError};

/// Who wants to control a device, and for how long.
#[derive(Debug, Clone)]
pub struct ControlWish {
    pub device: String,
    pub owner: String,
    /// What for, in words.
    pub purpose: String,
    pub priority: LockPriority,
    /// How long control lasts after the owner's last sign.
    pub period: Duration,
    /// Control ends with this process.
    pub process: Option<Owner>,
}

/// What came of a wish.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Controlled {
    Taken(DeviceLock),
    /// Somebody else has it, or is first in the queue for it.
    Refused {
        holder: Option<DeviceLock>,
        /// How many are before this wish.
        ahead: usize,
    },
}

/// A device that somebody controls or waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeviceQueue {
    pub device: String,
    pub lock: Option<DeviceLock>,
    pub queue: Vec<DeviceWaiter>,
}

/// How often a waiting process looks.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// The most signs of life that an owner writes in one period.
const SIGNS_IN_A_PERIOD: i64 = 20;

impl Coordinator {
    /// Takes control, or says who has it. An owner that has it already renews it.
    pub fn take_control(&self, wish: &ControlWish) -> Result<Controlled, StateError> {
        let here = this_process("")?;
        self.store.change(|transaction| take(transaction, wish, &here, Waits::No))
    }

    /// As `take_control`, but in a queue until `most` is over or `is_stopped` says so.
    pub fn await_control(
        &self,
        wish: &ControlWish,
        most: Duration,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<Controlled, StateError> {
        let here = this_process("")?;
        let begun = Instant::now();
        loop {
            let came = self.store.change(|transaction| take(transaction, wish, &here, Waits::Yes))?;
            let is_over = begun.elapsed() >= most || is_stopped();
            if is_over && matches!(came, Controlled::Refused { .. }) {
                self.store.change(|transaction| leave_queue(transaction, wish, &here))?;
            }
            if is_over || matches!(came, Controlled::Taken(_)) {
                return Ok(came);
            }
            std::thread::sleep(LOOK_EVERY.min(most.saturating_sub(begun.elapsed())));
        }
    }

    /// Ends the lock of this owner and returns it. With `by_force`, it ends the lock of any owner.
    pub fn release_control(
        &self,
        device: &str,
        owner: &str,
        by_force: bool,
    ) -> Result<Option<DeviceLock>, StateError> {
        let here = this_process("")?;
        self.store.change(|transaction| {
            let Some(held) = valid(transaction, device, &here)? else { return Ok(None) };
            if held.lock.owner != owner && !by_force {
                return Ok(None);
            }
            transaction.execute("DELETE FROM device_lock WHERE device = ?1", params![device])?;
            Ok(Some(held.lock))
        })
    }

    /// The lock of somebody else that keeps this owner from driving one of these devices. Driving is a sign of the
    /// owner's own locks.
    pub fn who_keeps_from(&self, devices: &[&str], owner: &str) -> Result<Option<DeviceLock>, StateError> {
        let here = this_process("")?;
        let held = self.store.look(|transaction| {
            devices.iter().filter_map(|device| valid(transaction, device, &here).transpose()).collect()
        })?;
        let held: Vec<Held> = held;
        let now = machine_now()?;
        let is_due =
            |held: &&Held| held.lock.owner == owner && (now - held.sign_at) * SIGNS_IN_A_PERIOD > held.period;
        for own in held.iter().filter(is_due) {
            // A cut of power ends the lock anyway.
            self.store.change_that(Outlives::Process, |transaction| {
                let text = "UPDATE device_lock SET sign_at = ?3 WHERE device = ?1 AND owner = ?2";
                transaction.prepare_cached(text)?.execute(params![own.lock.device, owner, now])?;
                Ok(())
            })?;
        }
        Ok(held.into_iter().map(|held| held.lock).find(|lock| lock.owner != owner))
    }

    /// Every device that is controlled or waited for, by its name.
    pub fn controls(&self) -> Result<Vec<DeviceQueue>, StateError> {
        let here = this_process("")?;
        self.store.look(|transaction| {
            let text = "SELECT device FROM device_lock UNION SELECT device FROM device_queue ORDER BY device";
            let mut statement = transaction.prepare_cached(text)?;
            let devices = statement.query_map([], |row| row.get::<_, String>(0))?;
            let mut found = Vec::new();
            for device in devices {
                let device = device?;
                let lock = valid(transaction, &device, &here)?.map(|held| held.lock);
                let queue: Vec<DeviceWaiter> =
                    waiters(transaction, &device, &here)?.into_iter().map(|waiter| waiter.shown).collect();
                if lock.is_some() || !queue.is_empty() {
                    found.push(DeviceQueue { device, lock, queue });
                }
            }
            Ok(found)
        })
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Waits {
    Yes,
    No,
}

fn take(
    transaction: &Transaction<'_>,
    wish: &ControlWish,
    here: &Owner,
    waits: Waits,
) -> Result<Controlled, StateTrouble> {
    forget_the_dead(transaction, &wish.device, here)?;
    let holder = valid(transaction, &wish.device, here)?.map(|held| held.lock);
    let is_own = holder.as_ref().is_some_and(|lock| lock.owner == wish.owner);
    let before = waiters_before(transaction, wish, here)?;
    if is_own || (holder.is_none() && before == 0) {
        leave_queue(transaction, wish, here)?;
        return Ok(Controlled::Taken(write(transaction, wish, here, holder.map(|lock| lock.taken_at))?));
    }
    if waits == Waits::Yes {
        join_queue(transaction, wish, here)?;
    }
    Ok(Controlled::Refused { ahead: before + usize::from(holder.is_some()), holder })
}

fn write(
    transaction: &Transaction<'_>,
    wish: &ControlWish,
    here: &Owner,
    taken_at: Option<u64>,
) -> Result<DeviceLock, StateTrouble> {
    let (now, period) = (machine_now()?, wish.period.as_millis() as i64);
    let taken_at = taken_at.unwrap_or_else(now_ms);
    transaction
        .prepare_cached(
            "INSERT OR REPLACE INTO device_lock
             (device, owner, purpose, priority, process, taken_at, boot, sign_at, period)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        )?
        .execute(params![
            wish.device,
            wish.owner,
            wish.purpose,
            rank(wish.priority),
            wish.process.as_ref().map(serde_json::to_string).transpose()?,
            taken_at,
            here.boot,
            now,
            period
        ])?;
    Ok(DeviceLock {
        device: wish.device.clone(),
        owner: wish.owner.clone(),
        purpose: wish.purpose.clone(),
        priority: wish.priority,
        taken_at,
        expires_in_s: seconds(period),
    })
}

struct Held {
    lock: DeviceLock,
    sign_at: i64,
    period: i64,
}

/// The lock of a device, if it has not ended.
fn valid(transaction: &Transaction<'_>, device: &str, here: &Owner) -> Result<Option<Held>, StateTrouble> {
    let row = transaction
        .prepare_cached(
            "SELECT owner, purpose, priority, taken_at, sign_at, period, boot, process
             FROM device_lock WHERE device = ?1",
        )?
        .query_row(params![device], |row| {
            let (sign_at, period): (i64, i64) = (row.get(4)?, row.get(5)?);
            let lock = DeviceLock {
                device: device.to_string(),
                owner: row.get(0)?,
                purpose: row.get(1)?,
                priority: priority(row.get(2)?),
                taken_at: row.get(3)?,
                expires_in_s: 0,
            };
            Ok((Held { lock, sign_at, period }, row.get::<_, String>(6)?, row.get::<_, Option<String>>(7)?))
        })
        .optional()?;
    let Some((mut held, boot, process)) = row else { return Ok(None) };
    let left = held.sign_at + held.period - machine_now()?;
    if boot != here.boot || left <= 0 {
        return Ok(None);
    }
    if let Some(process) = process
        && life_of(&read_json(&process)?, here) == Life::Dead
    {
        return Ok(None);
    }
    held.lock.expires_in_s = seconds(left);
    Ok(Some(held))
}

struct Waiting {
    number: i64,
    process: Owner,
    shown: DeviceWaiter,
}

/// The living processes in the queue, the next one first.
fn waiters(transaction: &Transaction<'_>, device: &str, here: &Owner) -> Result<Vec<Waiting>, StateTrouble> {
    let mut statement = transaction.prepare_cached(
        "SELECT number, owner, priority, since, process FROM device_queue
         WHERE device = ?1 ORDER BY priority DESC, number",
    )?;
    let read = |row: &Row<'_>| -> rusqlite::Result<(i64, DeviceWaiter, String)> {
        let shown = DeviceWaiter { owner: row.get(1)?, priority: priority(row.get(2)?), since: row.get(3)? };
        Ok((row.get(0)?, shown, row.get(4)?))
    };
    let mut found = Vec::new();
    for row in statement.query_map(params![device], read)? {
        let (number, shown, process) = row?;
        let process: Owner = read_json(&process)?;
        if process.boot == here.boot && life_of(&process, here) != Life::Dead {
            found.push(Waiting { number, process, shown });
        }
    }
    Ok(found)
}

/// How many others are before this wish: all of a higher priority, and those of the same that came earlier.
fn waiters_before(
    transaction: &Transaction<'_>,
    wish: &ControlWish,
    here: &Owner,
) -> Result<usize, StateTrouble> {
    let queue = waiters(transaction, &wish.device, here)?;
    let is_own = |waiter: &&Waiting| waiter.shown.owner == wish.owner;
    let place = queue.iter().find(is_own).map_or(i64::MAX, |own| own.number);
    let is_before = |waiter: &&Waiting| {
        waiter.shown.owner != wish.owner
            && (waiter.shown.priority > wish.priority
                || waiter.shown.priority == wish.priority && waiter.number < place)
    };
    Ok(queue.iter().filter(is_before).count())
}

fn join_queue(transaction: &Transaction<'_>, wish: &ControlWish, here: &Owner) -> Result<(), StateTrouble> {
    let is_in =
        waiters(transaction, &wish.device, here)?.iter().any(|waiter| is_place_of(waiter, wish, here));
    if !is_in {
        transaction
            .prepare_cached(
                "INSERT INTO device_queue (device, owner, priority, process, since) VALUES (?1, ?2, ?3, ?4, ?5)",
            )?
            .execute(params![
                wish.device,
                wish.owner,
                rank(wish.priority),
                serde_json::to_string(here)?,
                now_ms()
            ])?;
    }
    Ok(())
}

fn leave_queue(transaction: &Transaction<'_>, wish: &ControlWish, here: &Owner) -> Result<(), StateTrouble> {
    for waiter in waiters(transaction, &wish.device, here)? {
        if is_place_of(&waiter, wish, here) {
            transaction.execute("DELETE FROM device_queue WHERE number = ?1", params![waiter.number])?;
        }
    }
    Ok(())
}

fn is_place_of(waiter: &Waiting, wish: &ControlWish, here: &Owner) -> bool {
    waiter.shown.owner == wish.owner
        && waiter.process.pid == here.pid
        && waiter.process.process_start == here.process_start
}

/// Removes waiters that died, so that the table does not grow.
fn forget_the_dead(transaction: &Transaction<'_>, device: &str, here: &Owner) -> Result<(), StateTrouble> {
    let living: Vec<i64> = waiters(transaction, device, here)?.iter().map(|waiter| waiter.number).collect();
    transaction.execute(
        "DELETE FROM device_queue WHERE device = ?1 AND number NOT IN (SELECT value FROM json_each(?2))",
        params![device, serde_json::to_string(&living)?],
    )?;
    Ok(())
}

fn machine_now() -> Result<i64, StateError> {
    machine_ms().map_err(|source| StateError::ProcessUnknown { source })
}

/// Rounded up: a lock that still holds never shows 0.
fn seconds(milliseconds: i64) -> u64 {
    milliseconds.max(0).unsigned_abs().div_ceil(1000)
}

fn rank(priority: LockPriority) -> i64 {
    priority as i64
}

fn priority(rank: i64) -> LockPriority {
    LockPriority::ALL.into_iter().find(|priority| *priority as i64 == rank).unwrap_or_default()
}
