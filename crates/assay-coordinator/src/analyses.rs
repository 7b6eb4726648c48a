//! What the analysis of finished runs found, and results that do not count.

use assay_protocol::TaskId;
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::Serialize;
use serde_json::Value;

use crate::error::{StateTrouble, read_json};
use crate::time::now_ms;
use crate::{Coordinator, StateError, tasks};

/// A result: a test in one run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResultKey<'a> {
    pub task: TaskId,
    /// As the run names the test.
    pub test_id: &'a str,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct KeptAnalysis {
    pub task: TaskId,
    pub test_id: String,
    /// The same in all runs and browsers.
    pub test: String,
    pub browser: String,
    /// None where the evidence does not decide.
    pub class: Option<String>,
    /// Of the error; empty for a pass.
    pub signature: String,
    /// It was not taken over from an earlier one.
    pub is_full: bool,
    pub at: u64,
    pub body: Value,
}

impl Coordinator {
    /// Keeps the analyses of a run, in place of earlier ones of the same results.
    pub fn keep_analyses(&self, analyses: &[KeptAnalysis]) -> Result<(), StateError> {
        self.store.change(|transaction| {
            for analysis in analyses {
                tasks::find(transaction, analysis.task)?;
                transaction
                    .prepare_cached(
                        "INSERT OR REPLACE INTO analysis
                         (task, test_id, test, browser, class, signature, is_full, at, body)
                         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
                    )?
                    .execute(params![
                        analysis.task.0,
                        analysis.test_id,
                        analysis.test,
                        analysis.browser,
                        analysis.class,
                        analysis.signature,
                        analysis.is_full,
                        analysis.at,
                        analysis.body.to_string()
                    ])?;
            }
            Ok(())
        })
    }

    /// The analyses of one run.
    pub fn analyses_of(&self, task: TaskId) -> Result<Vec<KeptAnalysis>, StateError> {
        self.store
            .look(|transaction| select(transaction, "WHERE task = ?1 ORDER BY test_id", params![task.0]))
    }

    /// The analyses of a test in one browser before a run, newest first.
    pub fn analyses_before(
        &self,
        task: TaskId,
        test: &str,
        browser: &str,
    ) -> Result<Vec<KeptAnalysis>, StateError> {
        self.store.look(|transaction| {
            let which = "WHERE test = ?2 AND browser = ?3 AND task < ?1 ORDER BY task DESC";
            select(transaction, which, params![task.0, test, browser])
        })
    }

    /// Takes a result out of the figures. The caller knows that it may be.
    pub fn discard_result(&self, which: ResultKey<'_>, class: &str, reason: &str) -> Result<(), StateError> {
        self.store.change(|transaction| {
            let known: Option<i64> = transaction
                .query_row(
                    "SELECT id FROM result WHERE task = ?1 AND test_id = ?2",
                    params![which.task.0, which.test_id],
                    |row| row.get(0),
                )
                .optional()?;
            if known.is_none() {
                let what = format!("result of `{}` in run {}", which.test_id, which.task);
                return Err(StateError::NotFound { what }.into());
            }
            transaction.execute(
                "INSERT OR IGNORE INTO discarded_result (task, test_id, class, reason, at)
                 VALUES (?1, ?2, ?3, ?4, ?5)",
                params![which.task.0, which.test_id, class, reason, now_ms()],
            )?;
            Ok(())
        })
    }

    /// The results of a run that do not count.
    pub fn discarded_in(&self, task: TaskId) -> Result<Vec<String>, StateError> {
        self.store.look(|transaction| {
            let mut statement =
                transaction.prepare_cached("SELECT test_id FROM discarded_result WHERE task = ?1")?;
            let found = statement.query_map(params![task.0], |row| row.get(0))?;
            Ok(found.collect::<Result<_, _>>()?)
        })
    }
}

fn select(
    connection: &Connection,
    which: &str,
    parameters: impl rusqlite::Params,
) -> Result<Vec<KeptAnalysis>, StateTrouble> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT task, test_id, test, browser, class, signature, is_full, at, body FROM analysis {which}"
    ))?;
    let mut rows = statement.query(parameters)?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(read(row)?);
    }
    Ok(found)
}

fn read(row: &Row<'_>) -> Result<KeptAnalysis, StateTrouble> {
    let body: String = row.get(8)?;
    Ok(KeptAnalysis {
        task: TaskId(row.get(0)?),
        test_id: row.get(1)?,
        test: row.get(2)?,
        browser: row.get(3)?,
        class: row.get(4)?,
        signature: row.get(5)?,
        is_full: row.get(6)?,
        at: row.get(7)?,
        body: read_json(&body)?,
    })
}
