//! The results of one test, run by run.

use assay_protocol::{TaskId, Verdict};
use rusqlite::{Connection, params};
use serde::Serialize;

use crate::error::{StateTrouble, read_json};
use crate::{Coordinator, StateError};

/// How a test ended once.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PastResult {
    /// Of its row.
    #[serde(skip)]
    pub id: i64,
    pub task: TaskId,
    pub run: String,
    /// The same in all runs and browsers.
    pub test: String,
    /// As the run named it.
    pub test_id: String,
    pub name: String,
    pub file: String,
    pub browser: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
    pub attempt: u32,
    pub verdict: Verdict,
    pub reason: String,
    /// It passed on a retry.
    pub flaky: bool,
    pub at: u64,
    pub duration_ms: u64,
}

impl Coordinator {
    /// The last results of a test, newest first. The test is named as in all runs, or as one run named it.
    pub fn history(&self, test: &str, limit: usize) -> Result<Vec<PastResult>, StateError> {
        self.store.look(|transaction| {
            let limit = i64::try_from(limit).unwrap_or(i64::MAX);
            select(
                transaction,
                "WHERE result.test = ?1 OR result.test_id = ?1 ORDER BY result.at DESC, result.id DESC LIMIT ?2",
                params![test, limit],
            )
        })
    }

    /// The results of one run.
    pub fn results_of(&self, task: TaskId) -> Result<Vec<PastResult>, StateError> {
        self.store.look(|transaction| {
            select(transaction, "WHERE result.task = ?1 ORDER BY result.id", params![task.0])
        })
    }

    /// The results of a test in one browser before a run that count, newest first.
    pub fn results_before(
        &self,
        task: TaskId,
        test: &str,
        browser: &str,
        limit: usize,
    ) -> Result<Vec<PastResult>, StateError> {
        self.store.look(|transaction| {
            let limit = i64::try_from(limit).unwrap_or(i64::MAX);
            let counts = that_count(transaction)?;
            let which = format!(
                "WHERE result.task < ?1 AND result.test = ?2 AND browser = ?3 {counts}
                 ORDER BY result.at DESC, result.id DESC LIMIT ?4"
            );
            select(transaction, &which, params![task.0, test, browser, limit])
        })
    }

    /// All results since a moment that count, oldest first.
    pub fn results_since(&self, since: u64) -> Result<Vec<PastResult>, StateError> {
        self.store.look(|transaction| since_moment(transaction, since))
    }
}

pub(super) fn since_moment(connection: &Connection, since: u64) -> Result<Vec<PastResult>, StateTrouble> {
    let counts = that_count(connection)?;
    select(
        connection,
        &format!("WHERE result.at >= ?1 {counts} ORDER BY result.at, result.id"),
        params![since],
    )
}

/// The results of one test since a moment that count, oldest first.
pub(super) fn of_test_since(
    connection: &Connection,
    test: &str,
    since: u64,
) -> Result<Vec<PastResult>, StateTrouble> {
    let counts = that_count(connection)?;
    select(
        connection,
        &format!("WHERE result.test = ?1 AND result.at >= ?2 {counts} ORDER BY result.at, result.id"),
        params![test, since],
    )
}

/// The tests of a run, by the names that they have in all runs.
pub(super) fn tests_of(connection: &Connection, task: TaskId) -> Result<Vec<String>, StateTrouble> {
    let mut statement =
        connection.prepare_cached("SELECT DISTINCT test FROM result WHERE task = ?1 ORDER BY test")?;
    let tests = statement.query_map(params![task.0], |row| row.get(0))?;
    Ok(tests.collect::<Result<_, _>>()?)
}

/// The condition that leaves discarded results out. A file of an older version, opened to be read only, has none.
fn that_count(connection: &Connection) -> Result<&'static str, StateTrouble> {
    let has_discarded: bool = connection
        .prepare_cached("SELECT count(*) > 0 FROM sqlite_schema WHERE name = 'discarded_result'")?
        .query_row([], |row| row.get(0))?;
    Ok(match has_discarded {
        true => {
            "AND NOT EXISTS (SELECT 1 FROM discarded_result AS gone
                 WHERE gone.task = result.task AND gone.test_id = result.test_id)"
        }
        false => "",
    })
}

fn select(
    connection: &Connection,
    which: &str,
    parameters: impl rusqlite::Params,
) -> Result<Vec<PastResult>, StateTrouble> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT result.id, result.task, run.run, test, test_id, name, file, browser, fingerprint, attempt,
                verdict, reason, flaky, at, result.duration_ms
         FROM result JOIN run ON run.task = result.task {which}"
    ))?;
    let mut rows = statement.query(parameters)?;
    let mut results = Vec::new();
    while let Some(row) = rows.next()? {
        let verdict: String = row.get(10)?;
        results.push(PastResult {
            id: row.get(0)?,
            task: TaskId(row.get(1)?),
            run: row.get(2)?,
            test: row.get(3)?,
            test_id: row.get(4)?,
            name: row.get(5)?,
            file: row.get(6)?,
            browser: row.get(7)?,
            fingerprint: row.get(8)?,
            attempt: row.get(9)?,
            verdict: read_json(&format!("\"{verdict}\""))?,
            reason: row.get(11)?,
            flaky: row.get(12)?,
            at: row.get(13)?,
            duration_ms: row.get(14)?,
        });
    }
    Ok(results)
}
