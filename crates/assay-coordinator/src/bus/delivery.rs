//! Delivering events to named subscribers, each until it is acknowledged.

use std::time::{Duration, Instant};

use assay_protocol::{BusEvent, EventPriority, Owner};
use rusqlite::{Connection, OptionalExtension, Transaction, params};
use serde::{Deserialize, Serialize};

use super::publish::{COLUMNS, rank, read};
use super::rules::{check_name, check_pattern};
use crate::agent_share::{self, AgentShare};
use crate::error::{StateTrouble, read_json};
use crate::events::wait;
use crate::process::{Life, life_of};
use crate::store::named;
use crate::time::now_ms;
use crate::watch::machine_ms;
use crate::{Coordinator, StateError};

/// How long a process has an event after its last sign, if it says nothing else.
pub const LEASE: Duration = Duration::from_secs(60);

/// An event that ended this many processes, or outlasted them, would end the next as well.
const MOST_ATTEMPTS: u32 = 5;

/// Which events a subscriber wants.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trigger {
    /// `alert.anr`, or `alert.*` for a whole group.
    pub event: String,
    /// Its own opinion of how urgent they are. The more urgent of this and the event's own counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<EventPriority>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subscription {
    pub name: String,
    pub triggers: Vec<Trigger>,
}

/// An event in the hands of one process.
#[derive(Debug, Clone, PartialEq)]
pub struct Delivery {
    pub subscriber: String,
    pub event: BusEvent,
    /// From 1. With more, an earlier process did not say what came of it.
    pub attempt: u32,
}

impl Coordinator {
    /// Enters a subscriber, or changes what it wants. It gets what is kept of the past as well.
    pub fn subscribe(&self, subscription: &Subscription) -> Result<(), StateError> {
        let checked = check_name("subscriber", &subscription.name).and_then(|()| {
            subscription.triggers.iter().try_for_each(|trigger| check_pattern(&trigger.event))
        });
        checked.map_err(StateError::Event)?;
        self.store.change(|transaction| {
            transaction.execute(
                "INSERT INTO bus_subscriber (name, triggers, seen_at) VALUES (?1, ?2, ?3)
                 ON CONFLICT (name) DO UPDATE SET triggers = excluded.triggers, seen_at = excluded.seen_at",
                params![subscription.name, serde_json::to_string(&subscription.triggers)?, now_ms()],
            )?;
            Ok(())
        })
    }

    /// Forgets a subscriber: nothing is kept for it any more.
    pub fn unsubscribe(&self, name: &str) -> Result<(), StateError> {
        self.store.change(|transaction| {
            match transaction.execute("DELETE FROM bus_subscriber WHERE name = ?1", params![name])? {
                0 => Err(no_subscriber(name).into()),
                _ => Ok(()),
            }
        })
    }

    /// The next event for this subscriber, the most urgent and then the oldest; none if there is nothing to do. The
    /// process has it until it acknowledges it, dies, or gives no sign for `lease`. Nothing is handed out where the agent
    /// has as much under way as it may.
    pub fn take_event(
        &self,
        subscriber: &str,
        owner: &Owner,
        lease: Duration,
        share: Option<&AgentShare<'_>>,
    ) -> Result<Option<Delivery>, StateError> {
        let taken = self.store.change(|transaction| {
            if let Some(share) = share {
                agent_share::check(transaction, share, None, owner)?;
            }
            loop {
                let Some(open) = next(transaction, subscriber, owner)? else { return Ok(None) };
                if open.attempts < MOST_ATTEMPTS {
                    return hand_out(transaction, subscriber, open, owner, lease).map(Some);
                }
                let trouble = format!("given up after {MOST_ATTEMPTS} processes that did not finish it");
                end(transaction, subscriber, open.event.number, Some(&trouble))?;
            }
        });
        match taken {
            Err(StateError::AgentBusy { .. }) => Ok(None),
            taken => taken,
        }
    }

    /// Waits until there is something for this subscriber, or the time is up.
    pub fn wait_for_bus(
        &self,
        subscriber: &str,
        owner: &Owner,
        timeout: Duration,
    ) -> Result<bool, StateError> {
        let begun = Instant::now();
        let observer = self.store.observer()?;
        let look = |connection: &Connection| next(connection, subscriber, owner).map(|found| found.map(drop));
        wait(&observer, begun, timeout, look)
            .map(|found| found.is_some())
            .map_err(|trouble| named(&observer, self.store.file(), trouble))
    }

    /// The event was handled; it is not delivered again.
    pub fn acknowledge(&self, delivery: &Delivery) -> Result<(), StateError> {
        self.store.change(|transaction| {
            check_it_is_ours(transaction, delivery)?;
            end(transaction, &delivery.subscriber, delivery.event.number, None)
        })
    }

    /// A sign that work on the event goes on.
    pub fn renew_delivery(&self, delivery: &Delivery) -> Result<(), StateError> {
        self.store.change(|transaction| {
            check_it_is_ours(transaction, delivery)?;
            transaction.execute(
                "UPDATE bus_delivery SET sign_at = ?3 WHERE subscriber = ?1 AND event = ?2",
                params![delivery.subscriber, delivery.event.number, machine_now()?],
            )?;
            Ok(())
        })
    }

    /// Work on the event could not be finished: it is delivered again.
    pub fn give_back(&self, delivery: &Delivery) -> Result<(), StateError> {
        self.store.change(|transaction| {
            check_it_is_ours(transaction, delivery)?;
            transaction.execute(
                "UPDATE bus_delivery SET period = 0 WHERE subscriber = ?1 AND event = ?2",
                params![delivery.subscriber, delivery.event.number],
            )?;
            Ok(())
        })
    }
}

fn no_subscriber(name: &str) -> StateError {
    StateError::NotFound { what: format!("subscriber `{name}`") }
}

/// An event that nobody has.
struct Open {
    event: BusEvent,
    /// How often it was delivered before.
    attempts: u32,
}

/// A type matches a pattern as a file name does; neither has other special characters.
fn next(connection: &Connection, subscriber: &str, here: &Owner) -> Result<Option<Open>, StateTrouble> {
    let known: Option<String> = connection
        .prepare_cached("SELECT triggers FROM bus_subscriber WHERE name = ?1")?
        .query_row(params![subscriber], |row| row.get(0))
        .optional()?;
    let triggers: Vec<Trigger> = read_json(&known.ok_or_else(|| no_subscriber(subscriber))?)?;
    let ranked: Vec<(&str, i64)> = triggers
        .iter()
        .map(|trigger| (trigger.event.as_str(), rank(trigger.priority.unwrap_or(EventPriority::Normal))))
        .collect();
    let mut statement = connection.prepare_cached(&format!(
        "WITH trigger (pattern, rank) AS
             (SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(?2)),
         wanted AS
             (SELECT bus_event.*, (SELECT min(rank) FROM trigger WHERE type GLOB pattern) AS rank FROM bus_event)
         SELECT {COLUMNS}, attempt, owner, sign_at, period FROM wanted AS event
         LEFT JOIN bus_delivery AS delivery ON delivery.event = event.number AND delivery.subscriber = ?1
         WHERE event.rank IS NOT NULL AND done_at IS NULL
         ORDER BY min(event.rank, event.priority), event.number"
    ))?;
    let mut rows = statement.query(params![subscriber, serde_json::to_string(&ranked)?])?;
    while let Some(row) = rows.next()? {
        let Some(attempts) = row.get::<_, Option<u32>>(8)? else {
            return Ok(Some(Open { event: read(row)?, attempts: 0 }));
        };
        let (owner, sign_at, period): (String, i64, i64) = (row.get(9)?, row.get(10)?, row.get(11)?);
        if !is_held(&read_json(&owner)?, sign_at, period, here)? {
            return Ok(Some(Open { event: read(row)?, attempts }));
        }
    }
    Ok(None)
}

/// Signs count from the start of the owner's machine. Those of another machine cannot be compared with ours, so it
/// keeps an event until it is done, or until somebody ends its subscriber.
fn is_held(owner: &Owner, sign_at: i64, period: i64, here: &Owner) -> Result<bool, StateTrouble> {
    if period == 0 {
        return Ok(false);
    }
    Ok(match life_of(owner, here) {
        Life::Dead => false,
        _ if owner.boot == here.boot => machine_now()? - sign_at < period,
        _ => true,
    })
}

/// The events that living processes have in the name of this subscriber.
pub(crate) fn held_by_the_living(
    connection: &Connection,
    subscriber: &str,
    here: &Owner,
) -> Result<Vec<(u64, Owner)>, StateTrouble> {
    let mut statement = connection.prepare_cached(
        "SELECT event, owner, sign_at, period FROM bus_delivery
         WHERE subscriber = ?1 AND done_at IS NULL ORDER BY event",
    )?;
    let mut rows = statement.query(params![subscriber])?;
    let mut held = Vec::new();
    while let Some(row) = rows.next()? {
        let (owner, sign_at, period): (String, i64, i64) = (row.get(1)?, row.get(2)?, row.get(3)?);
        let owner: Owner = read_json(&owner)?;
        if is_held(&owner, sign_at, period, here)? {
            held.push((row.get(0)?, owner));
        }
    }
    Ok(held)
}

fn hand_out(
    transaction: &Transaction<'_>,
    subscriber: &str,
    open: Open,
    owner: &Owner,
    lease: Duration,
) -> Result<Delivery, StateTrouble> {
    let attempt = open.attempts + 1;
    transaction
        .prepare_cached(
            "INSERT OR REPLACE INTO bus_delivery (subscriber, event, attempt, owner, sign_at, period)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?
        .execute(params![
            subscriber,
            open.event.number,
            attempt,
            serde_json::to_string(owner)?,
            machine_now()?,
            lease.as_millis().clamp(1, i64::MAX as u128) as i64
        ])?;
    transaction
        .execute("UPDATE bus_subscriber SET seen_at = ?2 WHERE name = ?1", params![subscriber, now_ms()])?;
    Ok(Delivery { subscriber: subscriber.to_owned(), event: open.event, attempt })
}

fn check_it_is_ours(transaction: &Transaction<'_>, delivery: &Delivery) -> Result<(), StateTrouble> {
    let attempt: Option<u32> = transaction
        .prepare_cached(
            "SELECT attempt FROM bus_delivery WHERE subscriber = ?1 AND event = ?2 AND done_at IS NULL",
        )?
        .query_row(params![delivery.subscriber, delivery.event.number], |row| row.get(0))
        .optional()?;
    match attempt == Some(delivery.attempt) {
        true => Ok(()),
        false => Err(StateError::DeliveryLost {
            subscriber: delivery.subscriber.clone(),
            event: delivery.event.number,
        }
        .into()),
    }
}

fn end(
    transaction: &Transaction<'_>,
    subscriber: &str,
    event: u64,
    trouble: Option<&str>,
) -> Result<(), StateTrouble> {
    transaction.execute(
        "UPDATE bus_delivery SET done_at = ?3, trouble = ?4 WHERE subscriber = ?1 AND event = ?2",
        params![subscriber, event, now_ms(), trouble],
    )?;
    Ok(())
}

fn machine_now() -> Result<i64, StateTrouble> {
    machine_ms().map_err(|source| StateError::ProcessUnknown { source }.into())
}
