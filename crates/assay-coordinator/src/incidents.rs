//! Incidents: what went wrong with a device, what was seen of it and what was done.
//!
//! Alerts about one device and of one type join one incident while it is open. Whatever is done about an incident is
//! entered before it is begun and again when it has ended, so a process that died in between leaves a trace.

use assay_protocol::BusEvent;
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::{StateTrouble, read_json};
use crate::time::now_ms;
use crate::{Coordinator, StateError};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    Minor,
    Major,
    Critical,
}

impl Severity {
    pub const ALL: [Severity; 3] = [Severity::Minor, Severity::Major, Severity::Critical];

    pub fn name(self) -> &'static str {
        match self {
            Severity::Minor => "minor",
            Severity::Major => "major",
            Severity::Critical => "critical",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum IncidentStatus {
    Open,
    Closed,
}

impl IncidentStatus {
    pub fn name(self) -> &'static str {
        match self {
            IncidentStatus::Open => "open",
            IncidentStatus::Closed => "closed",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum IncidentEntryKind {
    /// An alert joined the incident.
    Alert,
    /// Something is about to be done.
    Begun,
    Done,
    Failed,
    /// A file, or what a tool said.
    Evidence,
    /// A person has to allow it; it is not done.
    Waiting,
    Note,
    Closed,
}

impl IncidentEntryKind {
    const ALL: [IncidentEntryKind; 8] = [
        IncidentEntryKind::Alert,
        IncidentEntryKind::Begun,
        IncidentEntryKind::Done,
        IncidentEntryKind::Failed,
        IncidentEntryKind::Evidence,
        IncidentEntryKind::Waiting,
        IncidentEntryKind::Note,
        IncidentEntryKind::Closed,
    ];

    pub fn name(self) -> &'static str {
        match self {
            IncidentEntryKind::Alert => "alert",
            IncidentEntryKind::Begun => "begun",
            IncidentEntryKind::Done => "done",
            IncidentEntryKind::Failed => "failed",
            IncidentEntryKind::Evidence => "evidence",
            IncidentEntryKind::Waiting => "waiting",
            IncidentEntryKind::Note => "note",
            IncidentEntryKind::Closed => "closed",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Incident {
    pub number: u64,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub device: String,
    pub host: String,
    /// The type of its alerts.
    #[serde(rename = "type")]
    pub event_type: String,
    /// What it is, in a word or two.
    pub class: String,
    pub severity: Severity,
    pub status: IncidentStatus,
    /// How many alerts it has.
    pub repeats: u64,
    pub opened_at: u64,
    pub last_at: u64,
    /// When something was last done about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub handled_at: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closed_at: Option<u64>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub resolution: String,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct IncidentEntry {
    pub at: u64,
    pub kind: IncidentEntryKind,
    pub text: String,
    #[serde(skip_serializing_if = "Value::is_null")]
    pub body: Value,
}

/// How an alert's incident begins, if none is open.
#[derive(Debug, Clone)]
pub struct NewIncident<'a> {
    pub event: &'a BusEvent,
    pub class: &'a str,
    /// An alert this long after the last one begins a new incident, in milliseconds.
    pub joins_within: u64,
}

/// The incident that an alert belongs to.
#[derive(Debug, Clone, PartialEq)]
pub struct Joined {
    pub incident: Incident,
    /// The alert joined it before: an earlier process began with it.
    pub was_known: bool,
}

/// A file, or a text, that shows something about an incident.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct IncidentEvidence {
    pub what: String,
    /// Relative to the folder of the project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

impl Coordinator {
    /// Enters an alert into the open incident of its device and type, or into a new one. The same alert counts once,
    /// however often it is delivered.
    pub fn join_incident(&self, new: &NewIncident<'_>) -> Result<Joined, StateError> {
        self.store.change(|transaction| {
            let known: Option<u64> = transaction
                .prepare_cached("SELECT incident FROM incident_event WHERE event = ?1")?
                .query_row(params![new.event.number], |row| row.get(0))
                .optional()?;
            if let Some(number) = known {
                return Ok(Joined { incident: find(transaction, number)?, was_known: true });
            }
            let number = match open_for(transaction, new)? {
                Some(number) => {
                    transaction.execute(
                        "UPDATE incident SET repeats = repeats + 1, last_at = max(last_at, ?2) WHERE number = ?1",
                        params![number, new.event.at],
                    )?;
                    number
                }
                None => begin(transaction, new)?,
            };
            transaction.execute(
                "INSERT INTO incident_event (event, incident) VALUES (?1, ?2)",
                params![new.event.number, number],
            )?;
            let body = serde_json::to_value(new.event)?;
            enter(transaction, number, IncidentEntryKind::Alert, &new.event.event_type, &body)?;
            Ok(Joined { incident: find(transaction, number)?, was_known: false })
        })
    }

    pub fn enter_into_incident(
        &self,
        incident: u64,
        kind: IncidentEntryKind,
        text: &str,
        body: &Value,
    ) -> Result<(), StateError> {
        self.store.change(|transaction| {
            find(transaction, incident)?;
            enter(transaction, incident, kind, text, body)
        })
    }

    /// What is known of an incident now.
    pub fn judge_incident(
        &self,
        incident: u64,
        class: &str,
        severity: Severity,
        was_handled: bool,
    ) -> Result<Incident, StateError> {
        self.store.change(|transaction| {
            transaction.execute(
                "UPDATE incident SET class = ?2, severity = ?3,
                     handled_at = CASE WHEN ?4 THEN ?5 ELSE handled_at END WHERE number = ?1",
                params![incident, class, severity.name(), was_handled, now_ms()],
            )?;
            find(transaction, incident)
        })
    }

    /// Ends an incident. The next alert begins another one.
    pub fn close_incident(&self, incident: u64, resolution: &str) -> Result<Incident, StateError> {
        self.store.change(|transaction| {
            if find(transaction, incident)?.status == IncidentStatus::Open {
                transaction.execute(
                    "UPDATE incident SET status = 'closed', closed_at = ?2, resolution = ?3 WHERE number = ?1",
                    params![incident, now_ms(), resolution],
                )?;
                enter(transaction, incident, IncidentEntryKind::Closed, resolution, &Value::Null)?;
            }
            find(transaction, incident)
        })
    }

    /// Newest first.
    pub fn incidents(
        &self,
        status: Option<IncidentStatus>,
        limit: usize,
    ) -> Result<Vec<Incident>, StateError> {
        self.incidents_before(status, None, limit)
    }

    /// The same for those before a number, where one is given.
    pub fn incidents_before(
        &self,
        status: Option<IncidentStatus>,
        before: Option<u64>,
        limit: usize,
    ) -> Result<Vec<Incident>, StateError> {
        self.store.look(|transaction| {
            let limit = i64::try_from(limit).unwrap_or(i64::MAX);
            let which = "WHERE (?1 IS NULL OR status = ?1) AND (?3 IS NULL OR number < ?3)
                         ORDER BY number DESC LIMIT ?2";
            select(transaction, which, params![status.map(IncidentStatus::name), limit, before])
        })
    }

    pub fn incident(&self, number: u64) -> Result<(Incident, Vec<IncidentEntry>), StateError> {
        self.store.look(|transaction| Ok((find(transaction, number)?, entries(transaction, number)?)))
    }
}

fn open_for(transaction: &Transaction<'_>, new: &NewIncident<'_>) -> Result<Option<u64>, StateTrouble> {
    let since = new.event.at.saturating_sub(new.joins_within);
    Ok(transaction
        .prepare_cached(
            "SELECT number FROM incident WHERE device = ?1 AND host = ?2 AND type = ?3 AND status = 'open'
             AND last_at >= ?4 ORDER BY number DESC LIMIT 1",
        )?
        .query_row(params![new.event.device, new.event.host, new.event.event_type, since], |row| row.get(0))
        .optional()?)
}

fn begin(transaction: &Transaction<'_>, new: &NewIncident<'_>) -> Result<u64, StateTrouble> {
    transaction.execute(
        "INSERT INTO incident (device, host, type, class, severity, status, repeats, opened_at, last_at)
         VALUES (?1, ?2, ?3, ?4, 'minor', 'open', 1, ?5, ?5)",
        params![new.event.device, new.event.host, new.event.event_type, new.class, new.event.at],
    )?;
    Ok(transaction.last_insert_rowid() as u64)
}

fn enter(
    transaction: &Transaction<'_>,
    incident: u64,
    kind: IncidentEntryKind,
    text: &str,
    body: &Value,
) -> Result<(), StateTrouble> {
    transaction
        .prepare_cached(
            "INSERT INTO incident_entry (incident, at, kind, text, body) VALUES (?1, ?2, ?3, ?4, ?5)",
        )?
        .execute(params![incident, now_ms(), kind.name(), text, body.to_string()])?;
    Ok(())
}

pub(crate) fn find(connection: &Connection, number: u64) -> Result<Incident, StateTrouble> {
    let found = select(connection, "WHERE number = ?1", params![number])?.pop();
    found.ok_or_else(|| StateError::NotFound { what: format!("incident {number}") }.into())
}

fn select(
    connection: &Connection,
    which: &str,
    parameters: impl rusqlite::Params,
) -> Result<Vec<Incident>, StateTrouble> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT number, device, host, type, class, severity, status, repeats, opened_at, last_at, handled_at,
                closed_at, resolution FROM incident {which}"
    ))?;
    let mut rows = statement.query(parameters)?;
    let mut incidents = Vec::new();
    while let Some(row) = rows.next()? {
        incidents.push(Incident {
            number: row.get(0)?,
            device: row.get(1)?,
            host: row.get(2)?,
            event_type: row.get(3)?,
            class: row.get(4)?,
            severity: word(row, 5)?,
            status: word(row, 6)?,
            repeats: row.get(7)?,
            opened_at: row.get(8)?,
            last_at: row.get(9)?,
            handled_at: row.get(10)?,
            closed_at: row.get(11)?,
            resolution: row.get(12)?,
        });
    }
    Ok(incidents)
}

fn word<T: serde::de::DeserializeOwned>(row: &Row<'_>, column: usize) -> Result<T, StateTrouble> {
    read_json(&Value::String(row.get(column)?).to_string())
}

fn entries(connection: &Connection, incident: u64) -> Result<Vec<IncidentEntry>, StateTrouble> {
    let mut statement = connection.prepare_cached(
        "SELECT at, kind, text, body FROM incident_entry WHERE incident = ?1 ORDER BY number",
    )?;
    let mut rows = statement.query(params![incident])?;
    let mut entries = Vec::new();
    while let Some(row) = rows.next()? {
        let (kind, body): (String, String) = (row.get(1)?, row.get(3)?);
        let kind = IncidentEntryKind::ALL.into_iter().find(|known| known.name() == kind);
        // A newer assay may know more kinds.
        let kind = kind.unwrap_or(IncidentEntryKind::Note);
        entries.push(IncidentEntry { at: row.get(0)?, kind, text: row.get(2)?, body: read_json(&body)? });
    }
    Ok(entries)
}
