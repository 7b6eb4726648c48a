//! Events for people: what was published, and who has handled it.

use assay_protocol::{BusEvent, EventPriority};
use rusqlite::{Connection, params};
use serde::Serialize;

use super::publish::{COLUMNS, read};
use crate::error::{StateTrouble, read_json};
use crate::{Coordinator, StateError};

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ListedEvent {
    #[serde(flatten)]
    pub event: BusEvent,
    /// To whom it was delivered.
    pub deliveries: Vec<DeliveryState>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DeliveryState {
    pub subscriber: String,
    pub attempt: u32,
    /// None while a process has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub done_at: Option<u64>,
    /// Why it was given up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trouble: Option<String>,
}

/// An event that had to go before everybody had handled it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LostEvent {
    pub number: u64,
    #[serde(rename = "type")]
    pub event_type: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub device: String,
    pub priority: EventPriority,
    pub at: u64,
    pub lost_at: u64,
    /// The subscribers that had not handled it.
    pub waiting: Vec<String>,
}

impl Coordinator {
    /// The events that were lost, the newest first.
    pub fn lost_events(&self) -> Result<Vec<LostEvent>, StateError> {
        self.store.look(|transaction| {
            let mut statement = transaction.prepare_cached(
                "SELECT number, type, device, priority, at, lost_at, waiting FROM bus_lost
                 ORDER BY lost_at DESC, number DESC",
            )?;
            let mut rows = statement.query([])?;
            let mut lost = Vec::new();
            while let Some(row) = rows.next()? {
                let (priority, waiting): (usize, String) = (row.get(3)?, row.get(6)?);
                lost.push(LostEvent {
                    number: row.get(0)?,
                    event_type: row.get(1)?,
                    device: row.get(2)?,
                    priority: EventPriority::ALL.get(priority).map(|(_, known)| *known).unwrap_or_default(),
                    at: row.get(4)?,
                    lost_at: row.get(5)?,
                    waiting: read_json(&waiting)?,
                });
            }
            Ok(lost)
        })
    }

    /// The newest events, newest first; of one type or device where that is named.
    pub fn bus_events(
        &self,
        event_type: Option<&str>,
        device: Option<&str>,
        limit: usize,
    ) -> Result<Vec<ListedEvent>, StateError> {
        self.bus_events_before(event_type, device, None, limit)
    }

    /// Alerts, newest first: events whose type begins with `alert.`.
    pub fn alerts_before(
        &self,
        device: Option<&str>,
        before: Option<u64>,
        limit: usize,
    ) -> Result<Vec<ListedEvent>, StateError> {
        self.store.look(|transaction| {
            let mut statement = transaction.prepare_cached(&format!(
                "SELECT {COLUMNS} FROM bus_event AS event
                 WHERE type GLOB 'alert.*' AND (?1 IS NULL OR device = ?1) AND (?2 IS NULL OR number < ?2)
                 ORDER BY number DESC LIMIT ?3"
            ))?;
            let limit = i64::try_from(limit).unwrap_or(i64::MAX);
            let mut rows = statement.query(params![device, before, limit])?;
            let mut found = Vec::new();
            while let Some(row) = rows.next()? {
                let event = read(row)?;
                let deliveries = deliveries_of(transaction, event.number)?;
                found.push(ListedEvent { event, deliveries });
            }
            Ok(found)
        })
    }

    /// The same for those before a number, where one is given.
    pub fn bus_events_before(
        &self,
        event_type: Option<&str>,
        device: Option<&str>,
        before: Option<u64>,
        limit: usize,
    ) -> Result<Vec<ListedEvent>, StateError> {
        self.store.look(|transaction| {
            let mut statement = transaction.prepare_cached(&format!(
                "SELECT {COLUMNS} FROM bus_event AS event
                 WHERE (?1 IS NULL OR type = ?1) AND (?2 IS NULL OR device = ?2) AND (?4 IS NULL OR number < ?4)
                 ORDER BY number DESC LIMIT ?3"
            ))?;
            let limit = i64::try_from(limit).unwrap_or(i64::MAX);
            let mut rows = statement.query(params![event_type, device, limit, before])?;
            let mut found = Vec::new();
            while let Some(row) = rows.next()? {
                let event = read(row)?;
                let deliveries = deliveries_of(transaction, event.number)?;
                found.push(ListedEvent { event, deliveries });
            }
            Ok(found)
        })
    }
}

fn deliveries_of(connection: &Connection, event: u64) -> Result<Vec<DeliveryState>, StateTrouble> {
    let mut statement = connection.prepare_cached(
        "SELECT subscriber, attempt, done_at, trouble FROM bus_delivery WHERE event = ?1 ORDER BY subscriber",
    )?;
    let states = statement.query_map(params![event], |row| {
        Ok(DeliveryState {
            subscriber: row.get(0)?,
            attempt: row.get(1)?,
            done_at: row.get(2)?,
            trouble: row.get(3)?,
        })
    })?;
    Ok(states.collect::<Result<_, _>>()?)
}
