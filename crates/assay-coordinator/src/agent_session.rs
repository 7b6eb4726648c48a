//! Conversations with agents: what was said and done, in order, and what each is waiting for.
//!
//! Knows sessions, their entries and who works on one. What stands in an entry is the agent's business, except that a
//! call of a tool is written down before it begins and after it ended. So a process that dies in between leaves a call
//! whose outcome is unknown, and nobody takes it for one that never was.

use std::fmt;

use assay_protocol::{LockName, Owner};
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};
use serde::Serialize;
use serde_json::{Value, json};

use crate::checksum::crc32;
use crate::error::{StateTrouble, read_json};
use crate::lock;
use crate::process::this_process;
use crate::time::now_ms;
use crate::{Coordinator, StateError};

/// The number of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct AgentSessionId(pub i64);

impl fmt::Display for AgentSessionId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

impl AgentSessionId {
    pub(crate) fn lock(self) -> LockName {
        LockName::AgentSession(self.0)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum AgentStatus {
    /// The last turn is over; another request may come.
    Idle,
    /// A living process works on it.
    Working,
    /// A user has to decide something first.
    Waiting,
    /// The process that worked on it died in the middle of a turn.
    Interrupted,
    Ended,
}

impl AgentStatus {
    pub fn name(self) -> &'static str {
        match self {
            AgentStatus::Idle => "idle",
            AgentStatus::Working => "working",
            AgentStatus::Waiting => "waiting",
            AgentStatus::Interrupted => "interrupted",
            AgentStatus::Ended => "ended",
        }
    }
}

/// One conversation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AgentSession {
    pub id: AgentSessionId,
    pub agent: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    pub title: String,
    pub status: AgentStatus,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skill: Option<String>,
    /// The last process that worked on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<Owner>,
    /// What a user has to decide.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approval: Option<Value>,
    /// What the user decided; the next turn acts on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<bool>,
    pub created_at: u64,
    pub updated_at: u64,
    pub used: AgentTotals,
}

/// What the questions to models used so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct AgentTotals {
    pub calls: u64,
    /// Of questions, neither read from a cache nor written to one.
    pub input: u64,
    pub cache_read: u64,
    pub cache_written: u64,
    pub output: u64,
    pub dollars: f64,
    /// Calls whose price nobody knows: `dollars` is without them.
    pub calls_without_price: u64,
}

#[derive(Debug, Clone, Copy)]
pub struct NewAgentSession<'a> {
    pub agent: &'a str,
    pub model: Option<&'a str>,
    pub title: &'a str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum AgentEntryKind {
    /// A step of the conversation, as the agent needs it to go on.
    Message,
    /// What a listener was told.
    Event,
    /// A call of a tool is about to be carried out.
    Begun,
    /// It was.
    Ended,
    /// The conversation begins anew after this.
    Cleared,
}

impl AgentEntryKind {
    const ALL: [AgentEntryKind; 5] = [
        AgentEntryKind::Message,
        AgentEntryKind::Event,
        AgentEntryKind::Begun,
        AgentEntryKind::Ended,
        AgentEntryKind::Cleared,
    ];

    pub fn name(self) -> &'static str {
        match self {
            AgentEntryKind::Message => "message",
            AgentEntryKind::Event => "event",
            AgentEntryKind::Begun => "begun",
            AgentEntryKind::Ended => "ended",
            AgentEntryKind::Cleared => "cleared",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AgentEntry {
    pub number: u64,
    /// In milliseconds since 1970.
    pub at: u64,
    pub kind: AgentEntryKind,
    /// Of the end of a call: the entry with its beginning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refers: Option<u64>,
    pub body: Value,
}

impl Coordinator {
    pub fn open_agent_session(&self, new: &NewAgentSession<'_>) -> Result<AgentSessionId, StateError> {
        self.store.change(|transaction| {
            transaction.execute(
                "INSERT INTO agent_session (agent, model, title, status, created_at, updated_at)
                 VALUES (?1, ?2, ?3, 'idle', ?4, ?4)",
                params![new.agent, new.model, new.title, now_ms()],
            )?;
            Ok(AgentSessionId(transaction.last_insert_rowid()))
        })
    }

    /// All sessions, the newest first.
    pub fn agent_sessions(&self) -> Result<Vec<AgentSession>, StateError> {
        let here = this_process("")?;
        self.store.look(|transaction| {
            let mut statement =
                transaction.prepare_cached("SELECT id FROM agent_session ORDER BY id DESC")?;
            let ids = statement.query_map([], |row| row.get(0))?.collect::<Result<Vec<i64>, _>>()?;
            ids.into_iter().map(|id| find(transaction, AgentSessionId(id), &here)).collect()
        })
    }

    pub fn agent_session(&self, session: AgentSessionId) -> Result<AgentSession, StateError> {
        let here = this_process("")?;
        self.store.look(|transaction| find(transaction, session, &here))
    }

    /// Everything that was said and done, oldest first.
    pub fn agent_entries(&self, session: AgentSessionId) -> Result<Vec<AgentEntry>, StateError> {
        let here = this_process("")?;
        self.store.look(|transaction| {
            find(transaction, session, &here)?;
            entries(transaction, session)
        })
    }

    /// What was said and done after an entry, oldest first; at most so many.
    pub fn agent_entries_after(
        &self,
        session: AgentSessionId,
        after: u64,
        limit: usize,
    ) -> Result<Vec<AgentEntry>, StateError> {
        self.store.look(|transaction| {
            let mut statement = transaction.prepare_cached(
                "SELECT number, kind, refers, at, body, checksum FROM agent_entry
                 WHERE session = ?1 AND number > ?2 ORDER BY number LIMIT ?3",
            )?;
            let mut rows = statement.query(params![session.0, after, limit])?;
            let mut entries = Vec::new();
            while let Some(row) = rows.next()? {
                entries.push(read(row, session)?);
            }
            Ok(entries)
        })
    }

    /// The number of the newest entry of a session; 0 where nothing was said yet.
    pub fn newest_agent_entry(&self, session: AgentSessionId) -> Result<u64, StateError> {
        self.store.look(|transaction| {
            let sql = "SELECT coalesce(max(number), 0) FROM agent_entry WHERE session = ?1";
            Ok(transaction.prepare_cached(sql)?.query_row(params![session.0], |row| row.get(0))?)
        })
    }

    /// Ends the turn under way, if one is; a session that waits or was cut off is free for another request. Unlike
    /// [`Coordinator::stop_agent_session`], it never ends a session.
    pub fn stop_agent_turn(&self, session: AgentSessionId) -> Result<AgentStatus, StateError> {
        let here = this_process("")?;
        self.store.change(|transaction| {
            let found = find(transaction, session, &here)?;
            match found.status {
                AgentStatus::Idle | AgentStatus::Ended => Ok(found.status),
                AgentStatus::Working | AgentStatus::Waiting | AgentStatus::Interrupted => {
                    stop(transaction, &found)
                }
            }
        })
    }

    /// Ends the turn under way, if one is; a session that waits is free for another request. One without a turn ends.
    /// Returns the status that the session has now.
    pub fn stop_agent_session(&self, session: AgentSessionId) -> Result<AgentStatus, StateError> {
        let here = this_process("")?;
        self.store.change(|transaction| {
            let found = find(transaction, session, &here)?;
            stop(transaction, &found)
        })
    }

    /// The conversation begins anew. What was said stays on record.
    pub fn clear_agent_session(&self, session: AgentSessionId) -> Result<(), StateError> {
        let here = this_process("")?;
        self.store.change(|transaction| {
            let found = find(transaction, session, &here)?;
            if found.status == AgentStatus::Working {
                return Err(wrong_status(&found, "cleared").into());
            }
            append(transaction, session, AgentEntryKind::Cleared, None, &json!({}))?;
            transaction.execute(
                "UPDATE agent_session SET status = 'idle', skill = NULL, approval = NULL, decision = NULL,
                 updated_at = ?2 WHERE id = ?1",
                params![session.0, now_ms()],
            )?;
            Ok(())
        })
    }

    /// Writes down what a user decided about that for which the session waits.
    pub fn decide_agent_session(&self, session: AgentSessionId, is_approved: bool) -> Result<(), StateError> {
        let here = this_process("")?;
        self.store.change(|transaction| {
            let found = find(transaction, session, &here)?;
            if found.status != AgentStatus::Waiting {
                return Err(wrong_status(&found, "approved").into());
            }
            transaction.execute(
                "UPDATE agent_session SET decision = ?2, updated_at = ?3 WHERE id = ?1",
                params![session.0, is_approved, now_ms()],
            )?;
            Ok(())
        })
    }
}

fn stop(transaction: &Transaction<'_>, session: &AgentSession) -> Result<AgentStatus, StateTrouble> {
    let (status, asked) = match session.status {
        AgentStatus::Working => (AgentStatus::Working, true),
        AgentStatus::Waiting | AgentStatus::Interrupted => (AgentStatus::Idle, false),
        AgentStatus::Idle | AgentStatus::Ended => (AgentStatus::Ended, false),
    };
    transaction.execute(
        "UPDATE agent_session SET status = ?2, stop_asked = ?3, approval = NULL, decision = NULL,
         updated_at = ?4 WHERE id = ?1",
        params![session.id.0, status.name(), asked, now_ms()],
    )?;
    Ok(status)
}

pub(crate) fn wrong_status(session: &AgentSession, wanted: &'static str) -> StateError {
    StateError::WrongAgentStatus { session: session.id.0, status: session.status.name(), wanted }
}

pub(crate) fn find(
    transaction: &Transaction<'_>,
    session: AgentSessionId,
    here: &Owner,
) -> Result<AgentSession, StateTrouble> {
    let row = transaction
        .prepare_cached(
            "SELECT agent, model, title, status, skill, owner, approval, decision, created_at, updated_at
             FROM agent_session WHERE id = ?1",
        )?
        .query_row(params![session.0], |row| {
            let texts: (Option<String>, Option<String>) = (row.get(5)?, row.get(6)?);
            let found = AgentSession {
                id: session,
                agent: row.get(0)?,
                model: row.get(1)?,
                title: row.get(2)?,
                status: AgentStatus::Idle,
                skill: row.get(4)?,
                owner: None,
                approval: None,
                decision: row.get(7)?,
                created_at: row.get(8)?,
                updated_at: row.get(9)?,
                used: AgentTotals::default(),
            };
            Ok((found, row.get::<_, String>(3)?, texts))
        })
        .optional()?;
    let Some((mut found, status, (owner, approval))) = row else {
        return Err(StateError::NotFound { what: format!("agent session {session}") }.into());
    };
    found.owner = owner.as_deref().map(read_json).transpose()?;
    found.approval = approval.as_deref().map(read_json).transpose()?;
    found.used = totals(transaction, session)?;
    found.status = match status.as_str() {
        "idle" => AgentStatus::Idle,
        "waiting" => AgentStatus::Waiting,
        "ended" => AgentStatus::Ended,
        "working" if lock::is_held(transaction, &session.lock(), here)? => AgentStatus::Working,
        "working" => AgentStatus::Interrupted,
        other => return Err(StateTrouble::Content { detail: format!("no status `{other}`") }),
    };
    Ok(found)
}

fn totals(connection: &Connection, session: AgentSessionId) -> Result<AgentTotals, StateTrouble> {
    Ok(connection
        .prepare_cached(
            "SELECT count(*), total(input), total(cache_read), total(cache_written), total(output), total(dollars),
                    count(*) - count(dollars)
             FROM agent_use WHERE session = ?1",
        )?
        .query_row(params![session.0], |row| {
            let whole = |index| row.get::<_, f64>(index).map(|sum| sum as u64);
            Ok(AgentTotals {
                calls: row.get(0)?,
                input: whole(1)?,
                cache_read: whole(2)?,
                cache_written: whole(3)?,
                output: whole(4)?,
                dollars: row.get(5)?,
                calls_without_price: row.get(6)?,
            })
        })?)
}

/// Adds an entry, and gives its number.
pub(crate) fn append(
    transaction: &Transaction<'_>,
    session: AgentSessionId,
    kind: AgentEntryKind,
    refers: Option<u64>,
    body: &Value,
) -> Result<u64, StateTrouble> {
    let (at, body) = (now_ms(), serde_json::to_string(body)?);
    transaction
        .prepare_cached(
            "INSERT INTO agent_entry (session, kind, refers, at, body, checksum)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?
        .execute(params![session.0, kind.name(), refers, at, body, checksum_of(session, kind, at, &body)])?;
    Ok(transaction.last_insert_rowid() as u64)
}

pub(crate) fn entries(
    connection: &Connection,
    session: AgentSessionId,
) -> Result<Vec<AgentEntry>, StateTrouble> {
    let mut statement = connection.prepare_cached(
        "SELECT number, kind, refers, at, body, checksum FROM agent_entry WHERE session = ?1 ORDER BY number",
    )?;
    let mut rows = statement.query(params![session.0])?;
    let mut entries = Vec::new();
    while let Some(row) = rows.next()? {
        entries.push(read(row, session)?);
    }
    Ok(entries)
}

fn read(row: &Row<'_>, session: AgentSessionId) -> Result<AgentEntry, StateTrouble> {
    let number: u64 = row.get(0)?;
    let damaged = |detail: String| StateTrouble::Row { row: number, detail };
    let cells = || -> rusqlite::Result<(String, Option<u64>, u64, String, u32)> {
        Ok((row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?))
    };
    let (kind, refers, at, body, checksum) = cells().map_err(|source| damaged(source.to_string()))?;
    let known = AgentEntryKind::ALL.into_iter().find(|known| known.name() == kind);
    let kind = known.ok_or_else(|| damaged(format!("no kind `{kind}`")))?;
    if checksum != checksum_of(session, kind, at, &body) {
        return Err(damaged("its checksum does not match".to_string()));
    }
    let body = serde_json::from_str(&body).map_err(|source| damaged(source.to_string()))?;
    Ok(AgentEntry { number, at, kind, refers, body })
}

fn checksum_of(session: AgentSessionId, kind: AgentEntryKind, at: u64, body: &str) -> u32 {
    crc32(&[&session.0.to_le_bytes(), kind.name().as_bytes(), &at.to_le_bytes(), body.as_bytes()])
}

/// Removes sessions without a word since then. What waits or was cut off is never old.
pub(crate) fn remove_older(transaction: &Transaction<'_>, since: u64) -> Result<(), StateTrouble> {
    transaction.execute(
        "DELETE FROM agent_session WHERE updated_at < ?1 AND status IN ('idle', 'ended')",
        params![since],
    )?;
    Ok(())
}
