//! The append-only journal: events in order, each row with a checksum.

use assay_protocol::TaskId;
use rusqlite::{Connection, Row, Transaction, params};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::checksum::crc32;
use crate::error::StateTrouble;

/// The subject of a row. Both kinds share one numbering, and therefore one order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stream {
    /// A `TaskEvent`.
    Task,
    /// A `RunEvent`.
    Run,
}

impl Stream {
    fn name(self) -> &'static str {
        match self {
            Stream::Task => "task",
            Stream::Run => "run",
        }
    }
}

/// A row whose checksum was right.
pub(crate) struct JournalRow<T> {
    pub number: u64,
    pub task: TaskId,
    pub at: u64,
    pub what: T,
}

/// Adds a row. It is on the disk when the transaction is committed.
///
/// The kind of the row is the tag `event` of what is written, so that a look at one kind does not have
/// to read all.
pub(crate) fn append<T: Serialize>(
    transaction: &Transaction<'_>,
    task: TaskId,
    stream: Stream,
    kind: &str,
    at: u64,
    what: &T,
) -> Result<u64, StateTrouble> {
    let body = serde_json::to_string(what)?;
    let checksum = checksum_of(task.0, stream.name(), kind, at, &body);
    transaction
        .prepare_cached(
            "INSERT INTO journal (task, stream, kind, at, body, checksum) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?
        .execute(params![task.0, stream.name(), kind, at, body, checksum])?;
    Ok(transaction.last_insert_rowid() as u64)
}

/// The first rows of one task after a number, oldest first.
pub(crate) fn some_of_task<T: DeserializeOwned>(
    connection: &Connection,
    task: TaskId,
    stream: Stream,
    after: u64,
    limit: usize,
) -> Result<Vec<JournalRow<T>>, StateTrouble> {
    let mut statement = connection.prepare_cached(
        "SELECT number, task, stream, kind, at, body, checksum FROM journal
         WHERE task = ?1 AND stream = ?2 AND number > ?3 ORDER BY number LIMIT ?4",
    )?;
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    collect(statement.query(params![task.0, stream.name(), after, limit])?)
}

/// The rows of one task after a number, oldest first.
pub(crate) fn of_task<T: DeserializeOwned>(
    connection: &Connection,
    task: TaskId,
    stream: Stream,
    after: u64,
) -> Result<Vec<JournalRow<T>>, StateTrouble> {
    let mut statement = connection.prepare_cached(
        "SELECT number, task, stream, kind, at, body, checksum FROM journal
         WHERE task = ?1 AND stream = ?2 AND number > ?3 ORDER BY number",
    )?;
    collect(statement.query(params![task.0, stream.name(), after])?)
}

/// The rows of one task that are of one of two kinds, oldest first.
pub(crate) fn of_kinds<T: DeserializeOwned>(
    connection: &Connection,
    task: TaskId,
    kinds: [&str; 2],
) -> Result<Vec<JournalRow<T>>, StateTrouble> {
    let mut statement = connection.prepare_cached(
        "SELECT number, task, stream, kind, at, body, checksum FROM journal
         WHERE task = ?1 AND kind IN (?2, ?3) ORDER BY number",
    )?;
    collect(statement.query(params![task.0, kinds[0], kinds[1]])?)
}

/// The rows of all tasks after a number, oldest first.
pub(crate) fn of_all_tasks<T: DeserializeOwned>(
    connection: &Connection,
    after: u64,
    limit: usize,
) -> Result<Vec<JournalRow<T>>, StateTrouble> {
    let mut statement = connection.prepare_cached(
        "SELECT number, task, stream, kind, at, body, checksum FROM journal
         WHERE stream = 'task' AND number > ?1 ORDER BY number LIMIT ?2",
    )?;
    collect(statement.query(params![after, i64::try_from(limit).unwrap_or(i64::MAX)])?)
}

fn collect<T: DeserializeOwned>(mut rows: rusqlite::Rows<'_>) -> Result<Vec<JournalRow<T>>, StateTrouble> {
    let mut entries = Vec::new();
    while let Some(row) = rows.next()? {
        entries.push(read(row)?);
    }
    Ok(entries)
}

fn read<T: DeserializeOwned>(row: &Row<'_>) -> Result<JournalRow<T>, StateTrouble> {
    let number: u64 = row.get(0)?;
    let damaged = |detail: String| StateTrouble::Row { row: number, detail };
    // A damaged row may hold anything, a number where a text was for one.
    let cells = || -> rusqlite::Result<(i64, String, String, u64, String, u32)> {
        Ok((row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?, row.get(6)?))
    };
    let (task, stream, kind, at, body, checksum) = cells().map_err(|source| damaged(source.to_string()))?;
    if checksum != checksum_of(task, &stream, &kind, at, &body) {
        return Err(damaged("its checksum does not match".to_string()));
    }
    let what = serde_json::from_str(&body).map_err(|source| damaged(source.to_string()))?;
    Ok(JournalRow { number, task: TaskId(task), at, what })
}

fn checksum_of(task: i64, stream: &str, kind: &str, at: u64, body: &str) -> u32 {
    crc32(&[&task.to_le_bytes(), stream.as_bytes(), kind.as_bytes(), &at.to_le_bytes(), body.as_bytes()])
}
