//! Events for people: what was published, and who has handled it.

use assay_protocol::BusEvent;
use rusqlite::{Connection, params};
use serde::Serialize;

use super::publish::{COLUMNS, read};
use crate::error::StateTrouble;
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

impl Coordinator {
    /// The newest events, newest first; of one type or device where that is named.
    pub fn bus_events(
        &self,
        event_type: Option<&str>,
        device: Option<&str>,
        limit: usize,
    ) -> Result<Vec<ListedEvent>, StateError> {
        self.bus_events_before(event_type, device, None, limit)
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
