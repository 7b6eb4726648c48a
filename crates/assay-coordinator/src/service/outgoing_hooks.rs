//! Webhooks of the project: where other systems want to be told, and of what.

use rusqlite::{Connection, Row, Transaction, params};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::{StateTrouble, read_json};
use crate::time::now_ms;
use crate::{Coordinator, StateError};

/// What a message tells of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum MessageKind {
    #[serde(rename = "run.finished")]
    RunFinished,
    /// A test gave mixed results without a change, for the first time in a while.
    #[serde(rename = "test.flaky")]
    TestFlaky,
    #[serde(rename = "alert.raised")]
    AlertRaised,
    #[serde(rename = "incident.opened")]
    IncidentOpened,
    /// Somebody wants to see whether messages arrive.
    #[serde(rename = "ping")]
    Ping,
}

impl MessageKind {
    const ALL: [MessageKind; 5] = [
        MessageKind::RunFinished,
        MessageKind::TestFlaky,
        MessageKind::AlertRaised,
        MessageKind::IncidentOpened,
        MessageKind::Ping,
    ];

    pub fn name(self) -> &'static str {
        match self {
            MessageKind::RunFinished => "run.finished",
            MessageKind::TestFlaky => "test.flaky",
            MessageKind::AlertRaised => "alert.raised",
            MessageKind::IncidentOpened => "incident.opened",
            MessageKind::Ping => "ping",
        }
    }

    pub fn named(name: &str) -> Option<MessageKind> {
        MessageKind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// How a webhook is to be.
#[derive(Debug, Clone, Copy)]
pub struct OutgoingSettings<'a> {
    /// The service's own document.
    pub settings: &'a Value,
    pub kinds: &'a [MessageKind],
    pub is_enabled: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct OutgoingHook {
    pub number: u64,
    pub name: String,
    pub settings: Value,
    pub kinds: Vec<MessageKind>,
    pub is_enabled: bool,
    /// Who made it.
    pub by: String,
    pub created_at: u64,
    /// Events and incidents up to here became messages.
    pub(super) seen_event: u64,
    pub(super) seen_incident: u64,
}

const NEWEST_EVENT: &str = "(SELECT coalesce(max(number), 0) FROM bus_event)";
const NEWEST_INCIDENT: &str = "(SELECT coalesce(max(number), 0) FROM incident)";

impl Coordinator {
    /// It tells of what happens from now on. None: another hook has the name.
    pub fn add_outgoing_hook(
        &self,
        name: &str,
        new: &OutgoingSettings<'_>,
        by: &str,
    ) -> Result<Option<OutgoingHook>, StateError> {
        self.store.change(|transaction| {
            let added = transaction.execute(
                &format!(
                    "INSERT INTO outgoing_hook
                         (name, settings, kinds, enabled, by, created_at, seen_event, seen_incident)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, {NEWEST_EVENT}, {NEWEST_INCIDENT})
                     ON CONFLICT (name) DO NOTHING"
                ),
                params![
                    name,
                    new.settings.to_string(),
                    serde_json::to_string(new.kinds)?,
                    new.is_enabled,
                    by,
                    now_ms()
                ],
            )?;
            if added == 0 { Ok(None) } else { find(transaction, name).map(Some) }
        })
    }

    /// One that was not enabled tells of what happens from now on.
    pub fn change_outgoing_hook(
        &self,
        name: &str,
        new: &OutgoingSettings<'_>,
    ) -> Result<OutgoingHook, StateError> {
        self.store.change(|transaction| {
            if !find(transaction, name)?.is_enabled {
                skip_the_past(transaction, name)?;
            }
            transaction.execute(
                "UPDATE outgoing_hook SET settings = ?2, kinds = ?3, enabled = ?4 WHERE name = ?1",
                params![name, new.settings.to_string(), serde_json::to_string(new.kinds)?, new.is_enabled],
            )?;
            find(transaction, name)
        })
    }

    /// With its messages, also those that wait.
    pub fn remove_outgoing_hook(&self, name: &str) -> Result<OutgoingHook, StateError> {
        self.store.change(|transaction| {
            let found = find(transaction, name)?;
            transaction.execute("DELETE FROM outgoing_hook WHERE number = ?1", params![found.number])?;
            Ok(found)
        })
    }

    pub fn outgoing_hook(&self, name: &str) -> Result<OutgoingHook, StateError> {
        self.store.look(|transaction| find(transaction, name))
    }

    /// By name.
    pub fn outgoing_hooks(&self) -> Result<Vec<OutgoingHook>, StateError> {
        self.store.look(|transaction| select(transaction, "ORDER BY name", params![]))
    }
}

fn skip_the_past(transaction: &Transaction<'_>, name: &str) -> Result<(), StateTrouble> {
    transaction.execute(
        &format!(
            "UPDATE outgoing_hook SET seen_event = {NEWEST_EVENT}, seen_incident = {NEWEST_INCIDENT}
             WHERE name = ?1"
        ),
        params![name],
    )?;
    Ok(())
}

pub(super) fn find(connection: &Connection, name: &str) -> Result<OutgoingHook, StateTrouble> {
    let found = select(connection, "WHERE name = ?1", params![name])?.pop();
    found.ok_or_else(|| StateError::NotFound { what: format!("outgoing webhook `{name}`") }.into())
}

pub(super) fn select(
    connection: &Connection,
    which: &str,
    parameters: impl rusqlite::Params,
) -> Result<Vec<OutgoingHook>, StateTrouble> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT number, name, settings, kinds, enabled, by, created_at, seen_event, seen_incident
         FROM outgoing_hook {which}"
    ))?;
    let mut rows = statement.query(parameters)?;
    let mut hooks = Vec::new();
    while let Some(row) = rows.next()? {
        hooks.push(read(row)?);
    }
    Ok(hooks)
}

fn read(row: &Row<'_>) -> Result<OutgoingHook, StateTrouble> {
    let (settings, kinds): (String, String) = (row.get(2)?, row.get(3)?);
    Ok(OutgoingHook {
        number: row.get(0)?,
        name: row.get(1)?,
        settings: read_json(&settings)?,
        kinds: read_json(&kinds)?,
        is_enabled: row.get(4)?,
        by: row.get(5)?,
        created_at: row.get(6)?,
        seen_event: row.get(7)?,
        seen_incident: row.get(8)?,
    })
}
