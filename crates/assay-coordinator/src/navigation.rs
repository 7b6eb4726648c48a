//! What is measured and learned of an application: how ways between screens did, facts with their evidence, and
//! explorings that were cut off.

use assay_protocol::{EdgeMetrics, FactKind, LearnedFact};
use rusqlite::{OptionalExtension, params};

use crate::error::read_json;
use crate::store::Outlives;
use crate::time::now_ms;
use crate::{Coordinator, StateError};

/// One walk along an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EdgeTry<'a> {
    pub tree: &'a str,
    pub from: &'a str,
    pub to: &'a str,
    pub acts: &'a [String],
    pub milliseconds: u64,
    /// Why it did not lead there.
    pub trouble: Option<&'a str>,
}

/// An exploring that has not ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnfinishedExploring {
    /// What it was asked for, as JSON.
    pub about: String,
    pub begun_at: u64,
    /// What it saw, each as JSON.
    pub looks: Vec<String>,
}

impl Coordinator {
    /// Adds a walk to what is known of its edge.
    pub fn edge_tried(&self, tried: EdgeTry<'_>) -> Result<(), StateError> {
        self.store.change_that(Outlives::Process, |transaction| {
            let success = i64::from(tried.trouble.is_none());
            transaction.execute(
                "INSERT INTO navigation_edge
                     (tree, from_screen, to_screen, acts, tries, successes, spent_ms, last_seen, trouble)
                 VALUES (?1, ?2, ?3, ?4, 1, ?5, ?6, ?7, ?8)
                 ON CONFLICT DO UPDATE SET tries = tries + 1, successes = successes + ?5, spent_ms = spent_ms + ?6,
                     last_seen = ?7, trouble = ?8",
                params![
                    tried.tree,
                    tried.from,
                    tried.to,
                    serde_json::to_string(tried.acts)?,
                    success,
                    success * i64::try_from(tried.milliseconds).unwrap_or(i64::MAX / 1_000_000),
                    now_ms(),
                    tried.trouble
                ],
            )?;
            Ok(())
        })
    }

    /// What was measured of a tree's edges.
    pub fn edge_metrics(&self, tree: &str) -> Result<Vec<EdgeMetrics>, StateError> {
        self.store.look(|transaction| {
            let mut statement = transaction.prepare_cached(
                "SELECT from_screen, to_screen, acts, tries, successes, spent_ms, last_seen, trouble
                 FROM navigation_edge WHERE tree = ?1 ORDER BY from_screen, to_screen, acts",
            )?;
            let rows = statement.query_map(params![tree], |row| {
                let (successes, spent): (u32, u64) = (row.get(4)?, row.get(5)?);
                let metrics = EdgeMetrics {
                    from: row.get(0)?,
                    to: row.get(1)?,
                    acts: Vec::new(),
                    tries: row.get(3)?,
                    successes,
                    milliseconds: spent / u64::from(successes.max(1)),
                    last_seen: row.get(6)?,
                    trouble: row.get(7)?,
                };
                Ok((metrics, row.get::<_, String>(2)?))
            })?;
            rows.map(|row| {
                let (metrics, acts) = row?;
                Ok(EdgeMetrics { acts: read_json(&acts)?, ..metrics })
            })
            .collect()
        })
    }

    /// Remembers facts of a tree. Those that are known are seen once more; those that a user dropped stay dropped.
    pub fn learn(&self, tree: &str, facts: &[LearnedFact]) -> Result<(), StateError> {
        self.store.change(|transaction| {
            let mut statement = transaction.prepare_cached(
                "INSERT INTO learned_fact (tree, subject, kind, value, evidence, seen, last_seen)
                 VALUES (?1, ?2, ?3, ?4, ?5, 1, ?6)
                 ON CONFLICT DO UPDATE SET evidence = ?5, seen = seen + 1, last_seen = ?6",
            )?;
            for fact in facts {
                let values =
                    params![tree, fact.subject, fact.kind.name(), fact.value, fact.evidence, now_ms()];
                statement.execute(values)?;
            }
            Ok(())
        })
    }

    /// The facts of a tree that nobody dropped.
    pub fn facts(&self, tree: &str) -> Result<Vec<LearnedFact>, StateError> {
        self.store.look(|transaction| {
            let mut statement = transaction.prepare_cached(
                "SELECT number, subject, kind, value, evidence, seen, last_seen
                 FROM learned_fact WHERE tree = ?1 AND dropped = 0 ORDER BY subject, kind, value",
            )?;
            let rows = statement.query_map(params![tree], |row| {
                let kind: String = row.get(2)?;
                let known = FactKind::ALL.iter().find(|(name, _)| *name == kind).map(|(_, kind)| *kind);
                let fact = LearnedFact {
                    number: row.get(0)?,
                    tree: tree.to_string(),
                    subject: row.get(1)?,
                    kind: known.unwrap_or_default(),
                    value: row.get(3)?,
                    evidence: row.get(4)?,
                    seen: row.get(5)?,
                    last_seen: row.get(6)?,
                };
                Ok(fact)
            })?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
    }

    /// Drops a fact; it is not learned again.
    pub fn drop_fact(&self, number: i64) -> Result<(), StateError> {
        self.store.change(|transaction| {
            let sql = "UPDATE learned_fact SET dropped = 1 WHERE number = ?1 AND dropped = 0";
            match transaction.execute(sql, params![number])? {
                0 => Err(StateError::NotFound { what: format!("fact {number}") }.into()),
                _ => Ok(()),
            }
        })
    }

    /// What is known of screens goes with their names.
    pub fn screen_renamed(&self, tree: &str, old: &str, new: &str) -> Result<(), StateError> {
        self.store.change(|transaction| {
            for sql in [
                "UPDATE OR REPLACE navigation_edge SET from_screen = ?3 WHERE tree = ?1 AND from_screen = ?2",
                "UPDATE OR REPLACE navigation_edge SET to_screen = ?3 WHERE tree = ?1 AND to_screen = ?2",
                "UPDATE OR REPLACE learned_fact SET subject = ?3 WHERE tree = ?1 AND subject = ?2",
            ] {
                transaction.execute(sql, params![tree, old, new])?;
            }
            Ok(())
        })
    }

    /// The exploring of a tree that was cut off.
    pub fn unfinished_exploring(&self, tree: &str) -> Result<Option<UnfinishedExploring>, StateError> {
        self.store.look(|transaction| {
            let sql = "SELECT about, begun_at FROM exploring WHERE tree = ?1";
            let found: Option<(String, u64)> =
                transaction.query_row(sql, params![tree], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
            let Some((about, begun_at)) = found else { return Ok(None) };
            let looks = transaction
                .prepare_cached("SELECT body FROM exploring_look WHERE tree = ?1 ORDER BY number")?
                .query_map(params![tree], |row| row.get(0))?
                .collect::<Result<_, _>>()?;
            Ok(Some(UnfinishedExploring { about, begun_at, looks }))
        })
    }

    /// Begins an exploring anew; an earlier one of the same tree is forgotten.
    pub fn begin_exploring(&self, tree: &str, about: &str) -> Result<(), StateError> {
        self.store.change(|transaction| {
            transaction.execute("DELETE FROM exploring WHERE tree = ?1", params![tree])?;
            let sql = "INSERT INTO exploring (tree, about, begun_at) VALUES (?1, ?2, ?3)";
            transaction.execute(sql, params![tree, about, now_ms()])?;
            Ok(())
        })
    }

    /// Adds what an exploring saw.
    pub fn exploring_saw(&self, tree: &str, number: usize, look: &str) -> Result<(), StateError> {
        self.store.change_that(Outlives::Process, |transaction| {
            let sql = "INSERT OR REPLACE INTO exploring_look (tree, number, body) VALUES (?1, ?2, ?3)";
            transaction.execute(sql, params![tree, number as i64, look])?;
            Ok(())
        })
    }

    /// Its tree is written: there is nothing to go on with.
    pub fn end_exploring(&self, tree: &str) -> Result<(), StateError> {
        self.store.change(|transaction| {
            transaction.execute("DELETE FROM exploring WHERE tree = ?1", params![tree])?;
            Ok(())
        })
    }
}
