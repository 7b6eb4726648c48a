//! Orders: work that a service accepted, in the order in which it came.

use assay_protocol::Owner;
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};
use serde::Serialize;
use serde_json::Value;

use super::keys::{self, RequestKey};
use crate::error::{StateTrouble, read_json};
use crate::process::{Life, life_of, this_process};
use crate::time::now_ms;
use crate::{Coordinator, StateError};

/// So many orders that are over stay on record.
const KEPT: u64 = 10_000;

/// So many lines about an order are kept.
const MOST_NOTES: usize = 200;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum OrderStatus {
    /// It waits for its turn.
    Accepted,
    Begun,
    Ended,
    /// It could not be carried out.
    Failed,
    /// Somebody took it back before it was begun.
    Withdrawn,
    /// The service died while it was carried out.
    Interrupted,
}

impl OrderStatus {
    const ALL: [OrderStatus; 6] = [
        OrderStatus::Accepted,
        OrderStatus::Begun,
        OrderStatus::Ended,
        OrderStatus::Failed,
        OrderStatus::Withdrawn,
        OrderStatus::Interrupted,
    ];

    pub fn name(self) -> &'static str {
        match self {
            OrderStatus::Accepted => "accepted",
            OrderStatus::Begun => "begun",
            OrderStatus::Ended => "ended",
            OrderStatus::Failed => "failed",
            OrderStatus::Withdrawn => "withdrawn",
            OrderStatus::Interrupted => "interrupted",
        }
    }

    pub fn named(name: &str) -> Option<OrderStatus> {
        OrderStatus::ALL.into_iter().find(|status| status.name() == name)
    }

    pub fn is_over(self) -> bool {
        !matches!(self, OrderStatus::Accepted | OrderStatus::Begun)
    }
}

#[derive(Debug, Clone)]
pub struct NewOrder<'a> {
    /// What is done: the service's own word.
    pub kind: &'a str,
    /// Unique among all orders.
    pub name: &'a str,
    /// All that is needed to carry it out.
    pub body: &'a Value,
    /// Who wants it.
    pub by: &'a str,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Order {
    pub number: u64,
    pub kind: String,
    pub name: String,
    pub body: Value,
    pub by: String,
    pub accepted_at: u64,
    pub status: OrderStatus,
    pub ended_at: Option<u64>,
    /// The process that carries it out, or did.
    pub owner: Option<Owner>,
    /// Why it failed.
    pub trouble: String,
    pub notes: Vec<String>,
}

/// Which orders of a list are wanted.
#[derive(Debug, Clone, Copy)]
pub struct OrderPage {
    pub status: Option<OrderStatus>,
    /// Only orders before this number.
    pub before: Option<u64>,
    pub limit: usize,
}

impl Coordinator {
    /// Accepts work. When this returns, it is on the disk, together with the key of the request that asked for it.
    pub fn accept_order(
        &self,
        new: &NewOrder<'_>,
        key: Option<&RequestKey<'_>>,
    ) -> Result<Order, StateError> {
        self.store.change(|transaction| {
            let number = accept(transaction, new)?;
            if let Some(key) = key {
                keys::tie_to_order(transaction, key, number)?;
            }
            find(transaction, number)
        })
    }

    /// The next order of these kinds that waits, which this process carries out from now on.
    pub fn begin_next_order(&self, kinds: &[&str]) -> Result<Option<Order>, StateError> {
        let kinds = serde_json::to_string(kinds).unwrap_or_default();
        let owner = this_process("assay serve")?;
        self.store.change(|transaction| {
            let next: Option<u64> = transaction
                .prepare_cached(
                    "SELECT number FROM service_order
                     WHERE status = 'accepted' AND kind IN (SELECT value FROM json_each(?1))
                     ORDER BY number LIMIT 1",
                )?
                .query_row(params![kinds], |row| row.get(0))
                .optional()?;
            let Some(number) = next else { return Ok(None) };
            transaction
                .prepare_cached("UPDATE service_order SET status = 'begun', owner = ?2 WHERE number = ?1")?
                .execute(params![number, serde_json::to_string(&owner)?])?;
            find(transaction, number).map(Some)
        })
    }

    /// The order is over. One that is over already stays as it is.
    pub fn end_order(&self, number: u64, status: OrderStatus, trouble: &str) -> Result<Order, StateError> {
        self.store.change(|transaction| {
            transaction
                .prepare_cached(
                    "UPDATE service_order SET status = ?2, trouble = ?3, ended_at = ?4
                     WHERE number = ?1 AND status IN ('accepted', 'begun')",
                )?
                .execute(params![number, status.name(), trouble, now_ms()])?;
            find(transaction, number)
        })
    }

    /// Takes an order back that was not begun. Says how it is now.
    pub fn withdraw_order(&self, number: u64) -> Result<Order, StateError> {
        self.store.change(|transaction| {
            transaction
                .prepare_cached(
                    "UPDATE service_order SET status = 'withdrawn', ended_at = ?2
                     WHERE number = ?1 AND status = 'accepted'",
                )?
                .execute(params![number, now_ms()])?;
            find(transaction, number)
        })
    }

    /// A line about an order that its run has no event for.
    pub fn note_order(&self, number: u64, note: &str) -> Result<(), StateError> {
        self.store.change(|transaction| {
            let mut notes = find(transaction, number)?.notes;
            if notes.len() < MOST_NOTES {
                notes.push(note.to_string());
                transaction
                    .prepare_cached("UPDATE service_order SET notes = ?2 WHERE number = ?1")?
                    .execute(params![number, serde_json::to_string(&notes)?])?;
            }
            Ok(())
        })
    }

    /// Settles what a process that died had begun. `was_begun` says whether anything was done of an order: if not, it waits
    /// again and is carried out. Returns those that are interrupted now.
    pub fn settle_orders(
        &self,
        was_begun: impl Fn(&Order) -> Result<bool, StateError>,
    ) -> Result<Vec<Order>, StateError> {
        let here = this_process("")?;
        let begun = self
            .store
            .look(|transaction| select(transaction, "WHERE status = 'begun' ORDER BY number", params![]))?;
        let is_dead = |order: &Order| {
            order.owner.as_ref().is_none_or(|owner| matches!(life_of(owner, &here), Life::Dead))
        };
        let mut interrupted = Vec::new();
        for order in begun.into_iter().filter(is_dead) {
            if was_begun(&order)? {
                let reason = "the service ended before it was done";
                interrupted.push(self.end_order(order.number, OrderStatus::Interrupted, reason)?);
                continue;
            }
            self.store.change(|transaction| {
                transaction.execute(
                    "UPDATE service_order SET status = 'accepted', owner = NULL WHERE number = ?1 AND status = 'begun'",
                    params![order.number],
                )?;
                Ok(())
            })?;
        }
        Ok(interrupted)
    }

    /// Newest first.
    pub fn orders(&self, page: OrderPage) -> Result<Vec<Order>, StateError> {
        self.store.look(|transaction| {
            let limit = i64::try_from(page.limit).unwrap_or(i64::MAX);
            select(
                transaction,
                "WHERE (?1 IS NULL OR status = ?1) AND (?2 IS NULL OR number < ?2)
                 ORDER BY number DESC LIMIT ?3",
                params![page.status.map(OrderStatus::name), page.before, limit],
            )
        })
    }

    /// Those of a kind, newest first.
    pub fn orders_of_kind(
        &self,
        kind: &str,
        before: Option<u64>,
        limit: usize,
    ) -> Result<Vec<Order>, StateError> {
        self.store.look(|transaction| {
            let limit = i64::try_from(limit).unwrap_or(i64::MAX);
            let rest = "WHERE kind = ?1 AND (?2 IS NULL OR number < ?2) ORDER BY number DESC LIMIT ?3";
            select(transaction, rest, params![kind, before, limit])
        })
    }

    pub fn order(&self, number: u64) -> Result<Order, StateError> {
        self.store.look(|transaction| find(transaction, number))
    }

    pub fn order_named(&self, name: &str) -> Result<Option<Order>, StateError> {
        self.store.look(|transaction| Ok(select(transaction, "WHERE name = ?1", params![name])?.pop()))
    }
}

/// In the transaction of what wants the order.
pub(super) fn accept(transaction: &Transaction<'_>, new: &NewOrder<'_>) -> Result<u64, StateTrouble> {
    transaction
        .prepare_cached(
            "INSERT INTO service_order (kind, name, body, by, accepted_at, status)
             VALUES (?1, ?2, ?3, ?4, ?5, 'accepted')",
        )?
        .execute(params![new.kind, new.name, serde_json::to_string(new.body)?, new.by, now_ms()])?;
    let number = transaction.last_insert_rowid() as u64;
    trim(transaction, number)?;
    Ok(number)
}

fn find(connection: &Connection, number: u64) -> Result<Order, StateTrouble> {
    let found = select(connection, "WHERE number = ?1", params![number])?.pop();
    found.ok_or_else(|| StateError::NotFound { what: format!("order {number}") }.into())
}

fn select(
    connection: &Connection,
    which: &str,
    parameters: impl rusqlite::Params,
) -> Result<Vec<Order>, StateTrouble> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT number, kind, name, body, by, accepted_at, status, ended_at, owner, trouble, notes
         FROM service_order {which}"
    ))?;
    let mut rows = statement.query(parameters)?;
    let mut orders = Vec::new();
    while let Some(row) = rows.next()? {
        orders.push(read(row)?);
    }
    Ok(orders)
}

fn read(row: &Row<'_>) -> Result<Order, StateTrouble> {
    let (body, status, notes): (String, String, String) = (row.get(3)?, row.get(6)?, row.get(10)?);
    let owner: Option<String> = row.get(8)?;
    let unknown = || StateTrouble::Content { detail: format!("an order has the status `{status}`") };
    Ok(Order {
        number: row.get(0)?,
        kind: row.get(1)?,
        name: row.get(2)?,
        body: read_json(&body)?,
        by: row.get(4)?,
        accepted_at: row.get(5)?,
        status: OrderStatus::named(&status).ok_or_else(unknown)?,
        ended_at: row.get(7)?,
        owner: owner.as_deref().map(read_json).transpose()?,
        trouble: row.get(9)?,
        notes: read_json(&notes)?,
    })
}

fn trim(transaction: &Transaction<'_>, newest: u64) -> Result<(), StateTrouble> {
    if newest.is_multiple_of(100) && newest > KEPT {
        transaction.execute(
            "DELETE FROM service_order WHERE number <= ?1 AND status NOT IN ('accepted', 'begun')",
            params![newest - KEPT],
        )?;
    }
    Ok(())
}
