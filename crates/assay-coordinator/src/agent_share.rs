//! How much an agent does at a time: turns of conversations and events, counted together.
//!
//! Whoever begins one counts in the transaction that begins it, so two processes never both find the last place free.

use assay_protocol::{LockName, Owner};
use rusqlite::{Connection, Transaction, params};

use crate::StateError;
use crate::agent_session::AgentSessionId;
use crate::bus;
use crate::error::{StateTrouble, read_json};
use crate::lock;

/// What an agent may do at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AgentShare<'a> {
    pub agent: &'a str,
    /// Its name on the bus.
    pub subscriber: &'a str,
    /// The most turns and events that living processes may have under way.
    pub most: u32,
}

/// Something that an agent is doing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AgentWork {
    /// A turn of this session.
    Turn { session: i64, owner: Box<Owner> },
    /// This event.
    Event { event: u64, owner: Box<Owner> },
}

impl std::fmt::Display for AgentWork {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            AgentWork::Turn { session, owner } => write!(out, "a turn of session {session}, {owner}"),
            AgentWork::Event { event, owner } => write!(out, "event {event}, {owner}"),
        }
    }
}

/// Refuses if the agent has as much under way as it may. `beside` is what begins now.
pub(crate) fn check(
    transaction: &Transaction<'_>,
    share: &AgentShare<'_>,
    beside: Option<AgentSessionId>,
    here: &Owner,
) -> Result<(), StateTrouble> {
    let events = bus::held_by_the_living(transaction, share.subscriber, here)?;
    // A turn in a process that has events is its work on one of them.
    let is_of_event = |owner: &Owner| {
        let is_it = |other: &Owner| (other.pid, other.process_start) == (owner.pid, owner.process_start);
        events.iter().any(|(_, other)| is_it(other))
    };
    let mut work: Vec<AgentWork> = turns(transaction, share.agent, beside, here)?
        .into_iter()
        .filter(|(_, owner)| !is_of_event(owner))
        .map(|(session, owner)| AgentWork::Turn { session, owner: Box::new(owner) })
        .collect();
    work.extend(events.into_iter().map(|(event, owner)| AgentWork::Event { event, owner: Box::new(owner) }));
    match work.into_iter().nth(share.most.max(1) as usize - 1) {
        Some(work) => {
            Err(StateError::AgentBusy { agent: share.agent.to_owned(), most: share.most, work }.into())
        }
        None => Ok(()),
    }
}

fn turns(
    transaction: &Transaction<'_>,
    agent: &str,
    beside: Option<AgentSessionId>,
    here: &Owner,
) -> Result<Vec<(i64, Owner)>, StateTrouble> {
    let mut turns = Vec::new();
    for (session, owner) in working(transaction, agent)? {
        let is_this = beside.is_some_and(|beside| beside.0 == session);
        if !is_this && lock::is_held(transaction, &LockName::AgentSession(session), here)? {
            turns.push((session, read_json(&owner)?));
        }
    }
    Ok(turns)
}

fn working(connection: &Connection, agent: &str) -> Result<Vec<(i64, String)>, StateTrouble> {
    let mut statement = connection.prepare_cached(
        "SELECT id, owner FROM agent_session
         WHERE agent = ?1 AND status = 'working' AND owner IS NOT NULL ORDER BY id",
    )?;
    let rows = statement.query_map(params![agent], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}
