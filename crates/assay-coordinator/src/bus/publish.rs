//! Publishing an event.

use assay_protocol::{BusEvent, EventPriority};
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};
use serde_json::Value;

use super::retention;
use super::rules::{EventError, check_event_type, check_name, check_payload};
use crate::error::{StateTrouble, read_json};
use crate::process::this_process;
use crate::time::now_ms;
use crate::{Coordinator, StateError};

/// Two events with the same key are one: the second is not kept.
pub type EventKey = String;

#[derive(Debug, Clone, PartialEq)]
pub struct NewEvent {
    pub event_type: String,
    /// Empty where it is about no device.
    pub device: String,
    /// By default that of the type.
    pub priority: Option<EventPriority>,
    pub key: Option<EventKey>,
    /// A JSON object.
    pub payload: Value,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Published {
    pub number: u64,
    /// An event with the same key was there before, and has this number.
    pub is_duplicate: bool,
}

impl NewEvent {
    /// Whether it would be taken.
    pub fn check(&self) -> Result<(), EventError> {
        check_event_type(&self.event_type)?;
        if !self.device.is_empty() {
            check_name("device", &self.device)?;
        }
        if let Some(key) = &self.key {
            check_name("key", key)?;
        }
        check_payload(&self.payload).map(drop)
    }
}

impl Coordinator {
    /// When this returns, the event is on the disk.
    pub fn publish(&self, event: &NewEvent) -> Result<Published, StateError> {
        event.check().map_err(StateError::Event)?;
        let host = this_process("")?.host;
        self.store.change(|transaction| publish(transaction, event, &host))
    }

    pub fn bus_event(&self, number: u64) -> Result<BusEvent, StateError> {
        self.store.look(|transaction| {
            find(transaction, number)?
                .ok_or_else(|| StateError::NotFound { what: format!("event {number}") }.into())
        })
    }
}

/// In the transaction of what the event tells of: there is never one without the other.
pub(crate) fn publish(
    transaction: &Transaction<'_>,
    event: &NewEvent,
    host: &str,
) -> Result<Published, StateTrouble> {
    check_event_type(&event.event_type)?;
    let payload = check_payload(&event.payload)?;
    if let Some(key) = &event.key {
        let known: Option<u64> = transaction
            .prepare_cached("SELECT number FROM bus_event WHERE key = ?1")?
            .query_row(params![key], |row| row.get(0))
            .optional()?;
        if let Some(number) = known {
            return Ok(Published { number, is_duplicate: true });
        }
    }
    let priority = event.priority.unwrap_or_else(|| EventPriority::usual_of(&event.event_type));
    transaction
        .prepare_cached(
            "INSERT INTO bus_event (type, device, host, priority, at, key, payload) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        )?
        .execute(params![event.event_type, event.device, host, rank(priority), now_ms(), event.key, payload])?;
    let number = transaction.last_insert_rowid() as u64;
    retention::trim_sometimes(transaction, number)?;
    Ok(Published { number, is_duplicate: false })
}

pub(super) fn rank(priority: EventPriority) -> i64 {
    priority as i64
}

/// The columns that `read` reads.
pub(super) const COLUMNS: &str =
    "event.number, event.type, event.device, event.host, event.priority, event.at, event.key, event.payload";

pub(super) fn read(row: &Row<'_>) -> Result<BusEvent, StateTrouble> {
    let (priority, payload): (usize, String) = (row.get(4)?, row.get(7)?);
    let unknown = || StateTrouble::Content { detail: format!("an event has the priority {priority}") };
    Ok(BusEvent {
        number: row.get(0)?,
        event_type: row.get(1)?,
        device: row.get(2)?,
        host: row.get(3)?,
        priority: EventPriority::ALL.get(priority).ok_or_else(unknown)?.1,
        at: row.get(5)?,
        key: row.get(6)?,
        payload: read_json(&payload)?,
    })
}

/// The number of the newest event; 0 where there was none.
pub(crate) fn newest(connection: &Connection) -> Result<u64, StateTrouble> {
    Ok(connection
        .prepare_cached("SELECT coalesce(max(number), 0) FROM bus_event")?
        .query_row([], |row| row.get(0))?)
}

/// The events after one, the oldest first.
pub(crate) fn after(connection: &Connection, after: u64, most: usize) -> Result<Vec<BusEvent>, StateTrouble> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM bus_event AS event WHERE number > ?1 ORDER BY number LIMIT ?2"
    ))?;
    let mut rows = statement.query(params![after, most as i64])?;
    let mut events = Vec::new();
    while let Some(row) = rows.next()? {
        events.push(read(row)?);
    }
    Ok(events)
}

pub(super) fn find(connection: &Connection, number: u64) -> Result<Option<BusEvent>, StateTrouble> {
    let mut statement =
        connection.prepare_cached(&format!("SELECT {COLUMNS} FROM bus_event AS event WHERE number = ?1"))?;
    let mut rows = statement.query(params![number])?;
    rows.next()?.map(read).transpose()
}
