//! One turn of a conversation with an agent, from the process that carries it out.
//!
//! Whoever has it holds the lock of the session. Every word is refused once somebody else took the lock over.

use std::collections::BTreeSet;
use std::sync::Arc;

use assay_protocol::{LockName, Owner};
use rusqlite::{Transaction, params};
use serde_json::Value;

use crate::agent_session::{self, AgentEntry, AgentEntryKind, AgentSession, AgentSessionId, AgentStatus};
use crate::agent_share::{self, AgentShare};
use crate::agent_use::{self, AgentUse};
use crate::error::StateTrouble;
use crate::lock;
use crate::process::this_process;
use crate::store::Store;
use crate::time::now_ms;
use crate::{Coordinator, Outlives, StateError};

/// A turn under way. Dropped without an end, it counts as interrupted.
pub struct AgentTurn {
    store: Arc<Store>,
    session: AgentSessionId,
    lock: LockName,
    token: i64,
    is_over: bool,
}

/// A call that was begun and of which no end is known.
#[derive(Debug, Clone, PartialEq)]
pub struct BegunCall {
    /// The entry with its beginning.
    pub number: u64,
    pub at: u64,
    pub body: Value,
}

/// What the session does when the turn is over.
#[derive(Debug, Clone, PartialEq)]
pub enum AfterTurn {
    Idle,
    /// It waits until a user has decided this.
    Waits(Value),
    Ended,
}

impl Coordinator {
    /// Takes the session for one turn, and says how it stood before. Refuses where the agent has as much under way as it
    /// may.
    pub fn begin_agent_turn(
        &self,
        session: AgentSessionId,
        owner: &Owner,
        share: Option<&AgentShare<'_>>,
    ) -> Result<(AgentTurn, AgentSession), StateError> {
        let here = this_process("")?;
        let lock = session.lock();
        let taken = self.or_keep_signs(self.store.change(|transaction| {
            let found = agent_session::find(transaction, session, &here)?;
            if found.status == AgentStatus::Ended {
                return Err(agent_session::wrong_status(&found, "continued").into());
            }
            let token = lock::take(transaction, &lock, owner, &here, None)?;
            if let Some(share) = share {
                agent_share::check(transaction, share, Some(session), &here)?;
            }
            transaction.execute(
                "UPDATE agent_session SET status = 'working', owner = ?2, stop_asked = 0, approval = NULL,
                 decision = NULL, updated_at = ?3 WHERE id = ?1",
                params![session.0, serde_json::to_string(owner)?, now_ms()],
            )?;
            Ok((token, found))
        }))?;
        let (token, found) = taken;
        let turn = AgentTurn { store: Arc::clone(&self.store), session, lock, token, is_over: false };
        Ok((turn, found))
    }
}

impl AgentTurn {
    pub fn session(&self) -> AgentSessionId {
        self.session
    }

    /// Everything that was said and done so far, oldest first.
    pub fn entries(&self) -> Result<Vec<AgentEntry>, StateError> {
        self.store.look(|transaction| agent_session::entries(transaction, self.session))
    }

    /// A step of the conversation.
    pub fn say(&self, body: &Value) -> Result<u64, StateError> {
        self.write(Outlives::Power, |transaction, session| {
            agent_session::append(transaction, session, AgentEntryKind::Message, None, body)
        })
    }

    /// What a listener was told. A cut of power may lose it.
    pub fn tell(&self, body: &Value) -> Result<u64, StateError> {
        self.write(Outlives::Process, |transaction, session| {
            agent_session::append(transaction, session, AgentEntryKind::Event, None, body)
        })
    }

    /// A call is about to be carried out. When this returns, that is on the disk.
    pub fn begin_call(&self, body: &Value) -> Result<u64, StateError> {
        self.write(Outlives::Power, |transaction, session| {
            agent_session::append(transaction, session, AgentEntryKind::Begun, None, body)
        })
    }

    /// The call with this beginning is over.
    pub fn end_call(&self, begun: u64, body: &Value) -> Result<u64, StateError> {
        self.write(Outlives::Power, |transaction, session| {
            agent_session::append(transaction, session, AgentEntryKind::Ended, Some(begun), body)
        })
    }

    /// The skill that the agent works with now.
    pub fn load_skill(&self, skill: &str) -> Result<(), StateError> {
        self.write(Outlives::Power, |transaction, session| {
            transaction.execute(
                "UPDATE agent_session SET skill = ?2, updated_at = ?3 WHERE id = ?1",
                params![session.0, skill, now_ms()],
            )?;
            Ok(())
        })
    }

    /// What a question to a model used.
    pub fn used(&self, used: &AgentUse) -> Result<(), StateError> {
        self.write(Outlives::Power, |transaction, session| agent_use::add(transaction, session, used))
    }

    /// What the questions for one request of the user used so far.
    pub fn used_for(&self, request: u64) -> Result<Vec<AgentUse>, StateError> {
        self.store.look(|transaction| agent_use::of_request(transaction, self.session, request))
    }

    /// Whether a user wants the turn to end. The question is a sign of life as well.
    pub fn is_stop_asked(&self) -> Result<bool, StateError> {
        self.write(Outlives::Process, |transaction, session| {
            let sql = "SELECT stop_asked FROM agent_session WHERE id = ?1";
            Ok(transaction.prepare_cached(sql)?.query_row(params![session.0], |row| row.get(0))?)
        })
    }

    /// The turn is over.
    pub fn finish(mut self, after: &AfterTurn) -> Result<(), StateError> {
        let (status, approval) = match after {
            AfterTurn::Idle => (AgentStatus::Idle, None),
            AfterTurn::Waits(approval) => (AgentStatus::Waiting, Some(approval.to_string())),
            AfterTurn::Ended => (AgentStatus::Ended, None),
        };
        self.is_over = true;
        self.write(Outlives::Power, |transaction, session| {
            transaction.execute(
                "UPDATE agent_session SET status = ?2, approval = ?3, stop_asked = 0, updated_at = ?4 WHERE id = ?1",
                params![session.0, status.name(), approval, now_ms()],
            )?;
            release(transaction, &self.lock, self.token)
        })
    }

    fn write<T>(
        &self,
        outlives: Outlives,
        work: impl FnOnce(&Transaction<'_>, AgentSessionId) -> Result<T, StateTrouble>,
    ) -> Result<T, StateError> {
        self.store.change_that(outlives, |transaction| {
            lock::heartbeat(transaction, &self.lock, self.token)?;
            work(transaction, self.session)
        })
    }
}

impl Drop for AgentTurn {
    fn drop(&mut self) {
        if !self.is_over {
            // A lock that cannot be released now is free as soon as this process is gone.
            let _ = self.store.change(|transaction| release(transaction, &self.lock, self.token));
        }
    }
}

fn release(transaction: &Transaction<'_>, lock: &LockName, token: i64) -> Result<(), StateTrouble> {
    transaction
        .execute("DELETE FROM lease WHERE name = ?1 AND token = ?2", params![lock.to_string(), token])?;
    Ok(())
}

impl BegunCall {
    /// The calls among these entries that have no end, oldest first.
    pub fn without_end(entries: &[AgentEntry]) -> Vec<BegunCall> {
        let ended: BTreeSet<u64> = entries.iter().filter_map(|entry| entry.refers).collect();
        let is_open =
            |entry: &&AgentEntry| entry.kind == AgentEntryKind::Begun && !ended.contains(&entry.number);
        let begun = entries.iter().filter(is_open);
        begun
            .map(|entry| BegunCall { number: entry.number, at: entry.at, body: entry.body.clone() })
            .collect()
    }
}
