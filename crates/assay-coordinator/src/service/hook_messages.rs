//! Messages of outgoing webhooks: what happened becomes a message once, which is sent until somebody has taken it.

use rusqlite::{Connection, Row, params};
use serde::Serialize;
use serde_json::Value;

use super::outgoing_hooks::{self, MessageKind, OutgoingHook};
use crate::error::{StateTrouble, read_json};
use crate::time::now_ms;
use crate::{Coordinator, StateError};

const DAY: u64 = 24 * 60 * 60 * 1000;

/// So long messages that are over stay on record.
const KEPT: u64 = 30 * DAY;

/// No attempt is further away than this. A clock that went back would hold messages up for longer.
const LONGEST_WAIT: u64 = DAY;

/// So many messages of one webhook are sent at the same time.
const AT_ONCE: usize = 4;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum MessageStatus {
    /// For its first or its next attempt.
    Waiting,
    Sent,
    /// All attempts failed. It can be sent again.
    Dead,
}

impl MessageStatus {
    const ALL: [MessageStatus; 3] = [MessageStatus::Waiting, MessageStatus::Sent, MessageStatus::Dead];

    pub fn name(self) -> &'static str {
        match self {
            MessageStatus::Waiting => "waiting",
            MessageStatus::Sent => "sent",
            MessageStatus::Dead => "dead",
        }
    }

    pub fn named(name: &str) -> Option<MessageStatus> {
        MessageStatus::ALL.into_iter().find(|status| status.name() == name)
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct HookMessage {
    pub number: u64,
    /// The name of its webhook.
    pub hook: String,
    /// The same in every attempt.
    pub id: String,
    pub kind: MessageKind,
    pub at: u64,
    pub data: Value,
    pub status: MessageStatus,
    pub attempts: u32,
    /// Of the next attempt.
    pub next_at: u64,
    pub ended_at: Option<u64>,
    /// The status of the last answer.
    pub answer: Option<u16>,
    /// Why the last attempt failed.
    pub trouble: String,
}

/// Which messages of a list are wanted.
#[derive(Debug, Clone, Copy)]
pub struct MessagePage<'a> {
    pub hook: Option<&'a str>,
    pub status: Option<MessageStatus>,
    /// Only messages before this number.
    pub before: Option<u64>,
    pub limit: usize,
}

/// What came of an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Attempted {
    Taken {
        answer: u16,
    },
    Failed {
        answer: Option<u16>,
        trouble: String,
        /// None: there is no other attempt.
        next_at: Option<u64>,
    },
}

impl Coordinator {
    /// The messages that are to be sent now, with their webhooks; the longest waiting first.
    pub fn due_messages(&self, now: u64) -> Result<Vec<(OutgoingHook, HookMessage)>, StateError> {
        self.store.look(|transaction| {
            let mut due = Vec::new();
            for hook in outgoing_hooks::select(transaction, "WHERE enabled", params![])? {
                let messages = select(
                    transaction,
                    "WHERE hook = ?1 AND status = 'waiting' AND (next_at <= ?2 OR next_at > ?2 + ?3)
                     ORDER BY next_at, message.number LIMIT ?4",
                    params![hook.number, now, LONGEST_WAIT, AT_ONCE as i64],
                )?;
                due.extend(messages.into_iter().map(|message| (hook.clone(), message)));
            }
            Ok(due)
        })
    }

    /// When the next message is to be sent.
    pub fn next_message_at(&self) -> Result<Option<u64>, StateError> {
        self.store.look(|transaction| {
            let mut statement = transaction.prepare_cached(
                "SELECT min(next_at) FROM hook_message AS message JOIN outgoing_hook ON outgoing_hook.number = hook
                 WHERE status = 'waiting' AND enabled",
            )?;
            Ok(statement.query_row([], |row| row.get(0))?)
        })
    }

    /// Keeps what came of an attempt. A message that is over already stays as it is.
    pub fn attempted_message(&self, number: u64, attempted: &Attempted) -> Result<(), StateError> {
        let now = now_ms();
        let (status, answer, trouble, next_at) = match attempted {
            Attempted::Taken { answer } => (MessageStatus::Sent, Some(*answer), "", now),
            Attempted::Failed { answer, trouble, next_at: Some(next_at) } => {
                (MessageStatus::Waiting, *answer, trouble.as_str(), *next_at)
            }
            Attempted::Failed { answer, trouble, next_at: None } => {
                (MessageStatus::Dead, *answer, trouble.as_str(), now)
            }
        };
        let ended_at = Some(now).filter(|_| status != MessageStatus::Waiting);
        self.store.change(|transaction| {
            transaction
                .prepare_cached(
                    "UPDATE hook_message SET status = ?2, attempts = attempts + 1, answer = ?3, trouble = ?4,
                         next_at = ?5, ended_at = ?6
                     WHERE number = ?1 AND status = 'waiting'",
                )?
                .execute(params![number, status.name(), answer, trouble, next_at, ended_at])?;
            if number.is_multiple_of(100) {
                transaction.execute(
                    "DELETE FROM hook_message WHERE ended_at < ?1",
                    params![now.saturating_sub(KEPT)],
                )?;
            }
            Ok(())
        })
    }

    /// Sends a message again, with all its attempts.
    pub fn resend_message(&self, number: u64) -> Result<HookMessage, StateError> {
        self.store.change(|transaction| {
            transaction.execute(
                "UPDATE hook_message SET status = 'waiting', attempts = 0, next_at = ?2, ended_at = NULL
                 WHERE number = ?1",
                params![number, now_ms()],
            )?;
            let found = select(transaction, "WHERE message.number = ?1", params![number])?.pop();
            found.ok_or_else(|| StateError::NotFound { what: format!("message {number}") }.into())
        })
    }

    /// A message that tells of nothing.
    pub fn ping_hook(&self, name: &str) -> Result<HookMessage, StateError> {
        self.store.change(|transaction| {
            let hook = outgoing_hooks::find(transaction, name)?;
            let subject: String =
                transaction.query_row("SELECT lower(hex(randomblob(16)))", [], |row| row.get(0))?;
            let data = serde_json::json!({ "webhook": name });
            let number = write(transaction, hook.number, MessageKind::Ping, &subject, &data)?;
            let found = select(transaction, "WHERE message.number = ?1", params![number])?.pop();
            found.ok_or_else(|| StateError::NotFound { what: "message".to_string() }.into())
        })
    }

    /// Newest first.
    pub fn messages(&self, page: MessagePage<'_>) -> Result<Vec<HookMessage>, StateError> {
        self.store.look(|transaction| {
            let limit = i64::try_from(page.limit).unwrap_or(i64::MAX);
            select(
                transaction,
                "WHERE (?1 IS NULL OR outgoing_hook.name = ?1) AND (?2 IS NULL OR status = ?2)
                 AND (?3 IS NULL OR message.number < ?3) ORDER BY message.number DESC LIMIT ?4",
                params![page.hook, page.status.map(MessageStatus::name), page.before, limit],
            )
        })
    }
}

/// Queues a message, unless there is one about the same. Gives its number, or 0.
pub(super) fn write(
    connection: &Connection,
    hook: u64,
    kind: MessageKind,
    subject: &str,
    data: &Value,
) -> Result<u64, StateTrouble> {
    let written = connection
        .prepare_cached(
            "INSERT INTO hook_message (hook, id, kind, subject, at, data, status, next_at)
             VALUES (?1, 'msg_' || lower(hex(randomblob(16))), ?2, ?3, ?4, ?5, 'waiting', ?4)
             ON CONFLICT (hook, kind, subject) DO NOTHING",
        )?
        .execute(params![hook, kind.name(), subject, now_ms(), data.to_string()])?;
    Ok(if written == 0 { 0 } else { connection.last_insert_rowid() as u64 })
}

fn select(
    connection: &Connection,
    which: &str,
    parameters: impl rusqlite::Params,
) -> Result<Vec<HookMessage>, StateTrouble> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT message.number, outgoing_hook.name, id, kind, at, data, status, attempts, next_at, ended_at, answer,
                trouble
         FROM hook_message AS message JOIN outgoing_hook ON outgoing_hook.number = message.hook {which}"
    ))?;
    let mut rows = statement.query(parameters)?;
    let mut messages = Vec::new();
    while let Some(row) = rows.next()? {
        messages.push(read(row)?);
    }
    Ok(messages)
}

fn read(row: &Row<'_>) -> Result<HookMessage, StateTrouble> {
    let (kind, data, status): (String, String, String) = (row.get(3)?, row.get(5)?, row.get(6)?);
    let unknown = |what: &str, found: &str| StateTrouble::Content {
        detail: format!("a message has the {what} `{found}`"),
    };
    Ok(HookMessage {
        number: row.get(0)?,
        hook: row.get(1)?,
        id: row.get(2)?,
        kind: MessageKind::named(&kind).ok_or_else(|| unknown("kind", &kind))?,
        at: row.get(4)?,
        data: read_json(&data)?,
        status: MessageStatus::named(&status).ok_or_else(|| unknown("status", &status))?,
        attempts: row.get(7)?,
        next_at: row.get(8)?,
        ended_at: row.get(9)?,
        answer: row.get(10)?,
        trouble: row.get(11)?,
    })
}
