//! The audit log: who changed what through a service. Rows are added; a row gets its outcome once.

use rusqlite::params;
use serde::Serialize;

use crate::time::now_ms;
use crate::{Coordinator, StateError};

/// So many entries are kept.
const KEPT: u64 = 100_000;

#[derive(Debug, Clone, Copy)]
pub struct NewAuditEntry<'a> {
    /// The token, or the user of this machine.
    pub who: &'a str,
    /// The address of the client.
    pub peer: &'a str,
    pub method: &'a str,
    pub path: &'a str,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AuditEntry {
    pub number: u64,
    pub at: u64,
    pub who: String,
    pub peer: String,
    pub method: String,
    pub path: String,
    /// The status of the answer. None: there was none, because the service died.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
}

impl Coordinator {
    /// Enters a request before it is carried out, and gives the number of its entry.
    pub fn enter_audit(&self, new: &NewAuditEntry<'_>) -> Result<u64, StateError> {
        self.store.change(|transaction| {
            transaction
                .prepare_cached(
                    "INSERT INTO service_audit (at, who, peer, method, path) VALUES (?1, ?2, ?3, ?4, ?5)",
                )?
                .execute(params![now_ms(), new.who, new.peer, new.method, new.path])?;
            let number = transaction.last_insert_rowid() as u64;
            if number.is_multiple_of(1000) && number > KEPT {
                transaction
                    .execute("DELETE FROM service_audit WHERE number <= ?1", params![number - KEPT])?;
            }
            Ok(number)
        })
    }

    pub fn finish_audit(&self, number: u64, status: u16) -> Result<(), StateError> {
        self.store.change(|transaction| {
            transaction
                .prepare_cached("UPDATE service_audit SET status = ?2 WHERE number = ?1 AND status IS NULL")?
                .execute(params![number, status])?;
            Ok(())
        })
    }

    /// Newest first.
    pub fn audit(&self, before: Option<u64>, limit: usize) -> Result<Vec<AuditEntry>, StateError> {
        self.store.look(|transaction| {
            let mut statement = transaction.prepare_cached(
                "SELECT number, at, who, peer, method, path, status FROM service_audit
                 WHERE ?1 IS NULL OR number < ?1 ORDER BY number DESC LIMIT ?2",
            )?;
            let limit = i64::try_from(limit).unwrap_or(i64::MAX);
            let entries = statement.query_map(params![before, limit], |row| {
                Ok(AuditEntry {
                    number: row.get(0)?,
                    at: row.get(1)?,
                    who: row.get(2)?,
                    peer: row.get(3)?,
                    method: row.get(4)?,
                    path: row.get(5)?,
                    status: row.get(6)?,
                })
            })?;
            Ok(entries.collect::<Result<_, _>>()?)
        })
    }
}
