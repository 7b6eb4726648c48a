//! Schedules: what is begun at which times, and each time at most once.
//!
//! Knows no calendar: its caller says when the next tick is. A tick and what it becomes are one transaction, and a tick
//! at or before one that was taken is none any more. So neither a crash nor a clock that goes back begins anything twice.

use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};
use serde_json::Value;

use super::work::{self, BegunWork, NewWork};
use crate::error::{StateTrouble, read_json};
use crate::process::this_process;
use crate::{Coordinator, StateError};

/// So many ticks of each schedule stay on record.
const KEPT_TICKS: u64 = 500;

/// How a schedule is to be.
#[derive(Debug, Clone, Copy)]
pub struct ScheduleSettings<'a> {
    pub cron: &'a str,
    /// A name of the IANA database of time zones.
    pub zone: &'a str,
    /// What is begun: the service's own document.
    pub work: &'a Value,
    /// It begins also while the run of an earlier tick is under way.
    pub overlap: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Schedule {
    pub number: u64,
    pub name: String,
    pub cron: String,
    pub zone: String,
    pub work: Value,
    pub overlap: bool,
    pub is_paused: bool,
    pub revision: u64,
    /// Who made it.
    pub by: String,
    pub created_at: u64,
    /// Ticks up to here were taken, or are not wanted.
    pub settled_at: u64,
}

/// A tick that is to be taken.
#[derive(Debug, Clone)]
pub struct NewTick<'a> {
    pub schedule: u64,
    /// The schedule as the caller knows it. Another revision has other ticks.
    pub revision: u64,
    pub at: u64,
    pub now: u64,
    /// So many earlier ticks were missed; this one stands for them.
    pub missed: u64,
    pub work: NewWork<'a>,
}

/// A tick that was taken.
#[derive(Debug, Clone, PartialEq)]
pub struct Tick {
    pub at: u64,
    pub taken_at: u64,
    pub missed: u64,
    pub begun: BegunWork,
    /// Why it became nothing.
    pub note: String,
}

impl Coordinator {
    /// None: another schedule has the name.
    pub fn add_schedule(
        &self,
        name: &str,
        settings: &ScheduleSettings<'_>,
        by: &str,
        now: u64,
    ) -> Result<Option<Schedule>, StateError> {
        self.store.change(|transaction| {
            let added = transaction
                .prepare_cached(
                    "INSERT INTO schedule (name, cron, zone, work, overlap, by, created_at, settled_at)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7) ON CONFLICT (name) DO NOTHING",
                )?
                .execute(params![
                    name,
                    settings.cron,
                    settings.zone,
                    serde_json::to_string(settings.work)?,
                    settings.overlap,
                    by,
                    now
                ])?;
            if added == 0 { Ok(None) } else { find(transaction, name).map(Some) }
        })
    }

    /// Ticks before the change are not wanted any more.
    pub fn change_schedule(
        &self,
        name: &str,
        settings: &ScheduleSettings<'_>,
        now: u64,
    ) -> Result<Schedule, StateError> {
        self.store.change(|transaction| {
            find(transaction, name)?;
            transaction.execute(
                "UPDATE schedule SET cron = ?2, zone = ?3, work = ?4, overlap = ?5, revision = revision + 1,
                     settled_at = max(settled_at, ?6) WHERE name = ?1",
                params![
                    name,
                    settings.cron,
                    settings.zone,
                    serde_json::to_string(settings.work)?,
                    settings.overlap,
                    now
                ],
            )?;
            find(transaction, name)
        })
    }

    /// Pauses a schedule, or lets it go on. Ticks of the pause are not wanted.
    pub fn pause_schedule(&self, name: &str, is_paused: bool, now: u64) -> Result<Schedule, StateError> {
        self.store.change(|transaction| {
            if find(transaction, name)?.is_paused != is_paused {
                transaction.execute(
                    "UPDATE schedule SET paused = ?2, revision = revision + 1,
                         settled_at = max(settled_at, ?3) WHERE name = ?1",
                    params![name, is_paused, now],
                )?;
            }
            find(transaction, name)
        })
    }

    /// What its ticks have begun goes on.
    pub fn remove_schedule(&self, name: &str) -> Result<Schedule, StateError> {
        self.store.change(|transaction| {
            let found = find(transaction, name)?;
            transaction.execute("DELETE FROM schedule WHERE number = ?1", params![found.number])?;
            Ok(found)
        })
    }

    pub fn schedule(&self, name: &str) -> Result<Schedule, StateError> {
        self.store.look(|transaction| find(transaction, name))
    }

    /// By name.
    pub fn schedules(&self) -> Result<Vec<Schedule>, StateError> {
        self.store.look(|transaction| select(transaction, "ORDER BY name", params![]))
    }

    /// The last ticks that were taken, newest first.
    pub fn ticks(&self, schedule: u64, limit: usize) -> Result<Vec<Tick>, StateError> {
        self.store.look(|transaction| {
            let limit = i64::try_from(limit).unwrap_or(i64::MAX);
            let mut statement = transaction.prepare_cached(
                "SELECT at, taken_at, missed, order_number, event, note FROM schedule_tick
                 WHERE schedule = ?1 ORDER BY at DESC LIMIT ?2",
            )?;
            let ticks = statement.query_map(params![schedule, limit], |row| {
                Ok(Tick {
                    at: row.get(0)?,
                    taken_at: row.get(1)?,
                    missed: row.get(2)?,
                    begun: BegunWork { order: row.get(3)?, event: row.get(4)? },
                    note: row.get(5)?,
                })
            })?;
            Ok(ticks.collect::<Result<_, _>>()?)
        })
    }

    /// Takes a tick and begins its work. None: the tick was taken before, or the schedule is another one by now.
    pub fn take_tick(&self, new: &NewTick<'_>) -> Result<Option<Tick>, StateError> {
        let host = this_process("")?.host;
        self.store.change(|transaction| {
            let found = select(transaction, "WHERE number = ?1", params![new.schedule])?.pop();
            let is_wanted = |schedule: &Schedule| {
                !schedule.is_paused && schedule.revision == new.revision && schedule.settled_at < new.at
            };
            let Some(schedule) = found.filter(is_wanted) else { return Ok(None) };
            let (begun, note) = match under_way(transaction, &schedule)? {
                Some(order) => (BegunWork::default(), format!("order {order} was still under way")),
                None => (work::begin(transaction, &new.work, &host)?, String::new()),
            };
            let tick = Tick { at: new.at, taken_at: new.now, missed: new.missed, begun, note };
            enter(transaction, schedule.number, &tick)?;
            Ok(Some(tick))
        })
    }
}

/// The order of an earlier tick that is not over, where the schedule must not overlap.
fn under_way(transaction: &Transaction<'_>, schedule: &Schedule) -> Result<Option<u64>, StateTrouble> {
    if schedule.overlap {
        return Ok(None);
    }
    // A run that was resumed is under way without an order of the schedule.
    Ok(transaction
        .prepare_cached(
            "SELECT service_order.number FROM schedule_tick AS tick
             JOIN service_order ON service_order.number = tick.order_number
             WHERE tick.schedule = ?1 AND (service_order.status IN ('accepted', 'begun') OR EXISTS (
                 SELECT 1 FROM run JOIN task ON task.id = run.task
                 WHERE run.run = service_order.name AND task.status = 'running'))
             ORDER BY tick.at DESC LIMIT 1",
        )?
        .query_row(params![schedule.number], |row| row.get(0))
        .optional()?)
}

fn enter(transaction: &Transaction<'_>, schedule: u64, tick: &Tick) -> Result<(), StateTrouble> {
    transaction
        .prepare_cached(
            "INSERT INTO schedule_tick (schedule, at, taken_at, missed, order_number, event, note)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        )?
        .execute(params![
            schedule,
            tick.at,
            tick.taken_at,
            tick.missed,
            tick.begun.order,
            tick.begun.event,
            tick.note
        ])?;
    transaction
        .prepare_cached("UPDATE schedule SET settled_at = ?2 WHERE number = ?1")?
        .execute(params![schedule, tick.at])?;
    transaction
        .prepare_cached(
            "DELETE FROM schedule_tick WHERE schedule = ?1 AND at <= (
                 SELECT at FROM schedule_tick WHERE schedule = ?1 ORDER BY at DESC LIMIT 1 OFFSET ?2)",
        )?
        .execute(params![schedule, KEPT_TICKS])?;
    Ok(())
}

fn find(connection: &Connection, name: &str) -> Result<Schedule, StateTrouble> {
    let found = select(connection, "WHERE name = ?1", params![name])?.pop();
    found.ok_or_else(|| StateError::NotFound { what: format!("schedule `{name}`") }.into())
}

fn select(
    connection: &Connection,
    which: &str,
    parameters: impl rusqlite::Params,
) -> Result<Vec<Schedule>, StateTrouble> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT number, name, cron, zone, work, overlap, paused, revision, by, created_at, settled_at
         FROM schedule {which}"
    ))?;
    let mut rows = statement.query(parameters)?;
    let mut schedules = Vec::new();
    while let Some(row) = rows.next()? {
        schedules.push(read(row)?);
    }
    Ok(schedules)
}

fn read(row: &Row<'_>) -> Result<Schedule, StateTrouble> {
    let work: String = row.get(4)?;
    Ok(Schedule {
        number: row.get(0)?,
        name: row.get(1)?,
        cron: row.get(2)?,
        zone: row.get(3)?,
        work: read_json(&work)?,
        overlap: row.get(5)?,
        is_paused: row.get(6)?,
        revision: row.get(7)?,
        by: row.get(8)?,
        created_at: row.get(9)?,
        settled_at: row.get(10)?,
    })
}
