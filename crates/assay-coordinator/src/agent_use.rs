//! What questions to models used: by request, by skill.

use rusqlite::{Connection, Row, Transaction, params};
use serde::Serialize;

use crate::agent_session::AgentSessionId;
use crate::error::StateTrouble;
use crate::time::now_ms;
use crate::{Coordinator, StateError};

/// One question to a model, in tokens.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AgentUse {
    /// The entry with the request of the user.
    pub request: u64,
    /// None while a skill was being chosen.
    pub skill: Option<String>,
    pub model: String,
    /// How many tools were declared.
    pub tools: u64,
    /// Of the system text and the tools, counted by assay.
    pub prefix: u64,
    /// The same for one prompt with the tools of all skills.
    pub broad: u64,
    /// Neither read from a cache nor written to one.
    pub input: u64,
    pub cache_read: u64,
    pub cache_written: u64,
    pub output: u64,
    /// The question at the price of plain tokens.
    pub billed: f64,
    /// None: the price is unknown.
    pub dollars: Option<f64>,
}

impl AgentUse {
    pub fn question(&self) -> u64 {
        self.input + self.cache_read + self.cache_written
    }
}

/// The measured calls of a skill with a model. Means are per call.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SkillUse {
    pub skill: Option<String>,
    pub model: String,
    pub calls: u64,
    pub tools: u64,
    /// Tokens of a question that read nothing from a cache; none if there was none.
    pub cold: Option<f64>,
    /// How many calls that was.
    pub cold_calls: u64,
    /// Tokens of a question that read from a cache, at the price of plain ones.
    pub cached_billed: Option<f64>,
    pub cached_calls: u64,
    /// Tokens of all questions with the tools of all skills in place of those of this one.
    pub broad: f64,
    pub output: f64,
    pub dollars: f64,
}

impl Coordinator {
    /// All calls so far by skill and model, in the order of their names.
    pub fn agent_use(&self) -> Result<Vec<SkillUse>, StateError> {
        self.store.look(|transaction| {
            let mut statement = transaction.prepare_cached(
                "SELECT skill, model, count(*), max(tools),
                        avg(CASE WHEN cache_read = 0 THEN input + cache_written END),
                        count(CASE WHEN cache_read = 0 THEN 1 END),
                        avg(CASE WHEN cache_read > 0 THEN billed END),
                        count(CASE WHEN cache_read > 0 THEN 1 END),
                        avg(max(input + cache_read + cache_written - prefix, 0) + broad),
                        avg(output), total(dollars)
                 FROM agent_use GROUP BY skill, model ORDER BY skill IS NULL, skill, model",
            )?;
            let rows = statement.query_map([], |row| {
                Ok(SkillUse {
                    skill: row.get(0)?,
                    model: row.get(1)?,
                    calls: row.get(2)?,
                    tools: row.get(3)?,
                    cold: row.get(4)?,
                    cold_calls: row.get(5)?,
                    cached_billed: row.get(6)?,
                    cached_calls: row.get(7)?,
                    broad: row.get(8)?,
                    output: row.get(9)?,
                    dollars: row.get(10)?,
                })
            })?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
    }
}

pub(crate) fn add(
    transaction: &Transaction<'_>,
    session: AgentSessionId,
    used: &AgentUse,
) -> Result<(), StateTrouble> {
    transaction
        .prepare_cached(
            "INSERT INTO agent_use (session, request, at, skill, model, tools, prefix, broad, input, cache_read,
                                    cache_written, output, billed, dollars)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
        )?
        .execute(params![
            session.0,
            used.request,
            now_ms(),
            used.skill,
            used.model,
            used.tools,
            used.prefix,
            used.broad,
            used.input,
            used.cache_read,
            used.cache_written,
            used.output,
            used.billed,
            used.dollars
        ])?;
    Ok(())
}

pub(crate) fn of_request(
    connection: &Connection,
    session: AgentSessionId,
    request: u64,
) -> Result<Vec<AgentUse>, StateTrouble> {
    let mut statement = connection.prepare_cached(
        "SELECT request, skill, model, tools, prefix, broad, input, cache_read, cache_written, output, billed,
                dollars
         FROM agent_use WHERE session = ?1 AND request = ?2 ORDER BY id",
    )?;
    let rows = statement.query_map(params![session.0, request], read)?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn read(row: &Row<'_>) -> rusqlite::Result<AgentUse> {
    Ok(AgentUse {
        request: row.get(0)?,
        skill: row.get(1)?,
        model: row.get(2)?,
        tools: row.get(3)?,
        prefix: row.get(4)?,
        broad: row.get(5)?,
        input: row.get(6)?,
        cache_read: row.get(7)?,
        cache_written: row.get(8)?,
        output: row.get(9)?,
        billed: row.get(10)?,
        dollars: row.get(11)?,
    })
}
