//! Webhooks of other systems: each delivery is on record with what it became, and counts once.

use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};
use serde_json::Value;

use super::work::{self, BegunWork, NewWork};
use crate::error::{StateTrouble, read_json};
use crate::process::this_process;
use crate::time::now_ms;
use crate::{Coordinator, StateError};

/// So many deliveries of each hook stay on record. A delivery that is older could be sent again, if the signature says
/// nothing about its time.
const KEPT: u64 = 100_000;

#[derive(Debug, Clone, PartialEq)]
pub struct IncomingHook {
    pub number: u64,
    pub name: String,
    /// The service's own document.
    pub settings: Value,
    pub is_enabled: bool,
    /// Who made it.
    pub by: String,
    pub created_at: u64,
}

/// A delivery whose signature is right.
#[derive(Debug, Clone)]
pub struct NewDelivery<'a> {
    pub hook: u64,
    /// As its sender names it.
    pub id: &'a str,
    /// Of what was signed, where the signature does not cover the name.
    pub digest: Option<&'a str>,
    /// What it says, in a line.
    pub summary: &'a str,
    /// None: nothing is to be done about it.
    pub work: Option<NewWork<'a>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookDelivery {
    pub number: u64,
    pub id: String,
    pub at: u64,
    pub summary: String,
    pub begun: BegunWork,
}

impl Coordinator {
    /// None: another hook has the name.
    pub fn add_incoming_hook(
        &self,
        name: &str,
        settings: &Value,
        is_enabled: bool,
        by: &str,
    ) -> Result<Option<IncomingHook>, StateError> {
        self.store.change(|transaction| {
            let added = transaction.execute(
                "INSERT INTO incoming_hook (name, settings, enabled, by, created_at) VALUES (?1, ?2, ?3, ?4, ?5)
                 ON CONFLICT (name) DO NOTHING",
                params![name, settings.to_string(), is_enabled, by, now_ms()],
            )?;
            if added == 0 { Ok(None) } else { find(transaction, name).map(Some) }
        })
    }

    pub fn change_incoming_hook(
        &self,
        name: &str,
        settings: &Value,
        is_enabled: bool,
    ) -> Result<IncomingHook, StateError> {
        self.store.change(|transaction| {
            transaction.execute(
                "UPDATE incoming_hook SET settings = ?2, enabled = ?3 WHERE name = ?1",
                params![name, settings.to_string(), is_enabled],
            )?;
            find(transaction, name)
        })
    }

    /// With the record of its deliveries.
    pub fn remove_incoming_hook(&self, name: &str) -> Result<IncomingHook, StateError> {
        self.store.change(|transaction| {
            let found = find(transaction, name)?;
            transaction.execute("DELETE FROM incoming_hook WHERE number = ?1", params![found.number])?;
            Ok(found)
        })
    }

    pub fn incoming_hook(&self, name: &str) -> Result<IncomingHook, StateError> {
        self.store.look(|transaction| find(transaction, name))
    }

    /// By name.
    pub fn incoming_hooks(&self) -> Result<Vec<IncomingHook>, StateError> {
        self.store.look(|transaction| select(transaction, "ORDER BY name", params![]))
    }

    /// Accepts a delivery with its work. None: it was accepted before.
    pub fn accept_delivery(&self, new: &NewDelivery<'_>) -> Result<Option<HookDelivery>, StateError> {
        let host = this_process("")?.host;
        self.store.change(|transaction| {
            if is_known(transaction, new)? {
                return Ok(None);
            }
            let begun = match &new.work {
                Some(work) => work::begin(transaction, work, &host)?,
                None => BegunWork::default(),
            };
            let at = now_ms();
            transaction
                .prepare_cached(
                    "INSERT INTO hook_delivery (hook, id, digest, at, summary, order_number, event)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                )?
                .execute(params![new.hook, new.id, new.digest, at, new.summary, begun.order, begun.event])?;
            let number = transaction.last_insert_rowid() as u64;
            trim(transaction, new.hook, number)?;
            let (id, summary) = (new.id.to_string(), new.summary.to_string());
            Ok(Some(HookDelivery { number, id, at, summary, begun }))
        })
    }

    /// Newest first.
    pub fn deliveries(
        &self,
        hook: u64,
        before: Option<u64>,
        limit: usize,
    ) -> Result<Vec<HookDelivery>, StateError> {
        self.store.look(|transaction| {
            let limit = i64::try_from(limit).unwrap_or(i64::MAX);
            let mut statement = transaction.prepare_cached(
                "SELECT number, id, at, summary, order_number, event FROM hook_delivery
                 WHERE hook = ?1 AND (?2 IS NULL OR number < ?2) ORDER BY number DESC LIMIT ?3",
            )?;
            let found = statement.query_map(params![hook, before, limit], |row| {
                Ok(HookDelivery {
                    number: row.get(0)?,
                    id: row.get(1)?,
                    at: row.get(2)?,
                    summary: row.get(3)?,
                    begun: BegunWork { order: row.get(4)?, event: row.get(5)? },
                })
            })?;
            Ok(found.collect::<Result<_, _>>()?)
        })
    }
}

fn is_known(transaction: &Transaction<'_>, new: &NewDelivery<'_>) -> Result<bool, StateTrouble> {
    let known: Option<u64> = transaction
        .prepare_cached("SELECT number FROM hook_delivery WHERE hook = ?1 AND (id = ?2 OR digest = ?3)")?
        .query_row(params![new.hook, new.id, new.digest], |row| row.get(0))
        .optional()?;
    Ok(known.is_some())
}

fn trim(transaction: &Transaction<'_>, hook: u64, newest: u64) -> Result<(), StateTrouble> {
    if newest.is_multiple_of(1000) {
        transaction.execute(
            "DELETE FROM hook_delivery WHERE hook = ?1 AND number <= (
                 SELECT number FROM hook_delivery WHERE hook = ?1 ORDER BY number DESC LIMIT 1 OFFSET ?2)",
            params![hook, KEPT],
        )?;
    }
    Ok(())
}

fn find(connection: &Connection, name: &str) -> Result<IncomingHook, StateTrouble> {
    let found = select(connection, "WHERE name = ?1", params![name])?.pop();
    found.ok_or_else(|| StateError::NotFound { what: format!("incoming webhook `{name}`") }.into())
}

fn select(
    connection: &Connection,
    which: &str,
    parameters: impl rusqlite::Params,
) -> Result<Vec<IncomingHook>, StateTrouble> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT number, name, settings, enabled, by, created_at FROM incoming_hook {which}"
    ))?;
    let mut rows = statement.query(parameters)?;
    let mut hooks = Vec::new();
    while let Some(row) = rows.next()? {
        hooks.push(read(row)?);
    }
    Ok(hooks)
}

fn read(row: &Row<'_>) -> Result<IncomingHook, StateTrouble> {
    let settings: String = row.get(2)?;
    Ok(IncomingHook {
        number: row.get(0)?,
        name: row.get(1)?,
        settings: read_json(&settings)?,
        is_enabled: row.get(3)?,
        by: row.get(4)?,
        created_at: row.get(5)?,
    })
}
