//! A session by rules, from a terminal: who asks, what is secret, and what is shown of a session that waits.

use std::io::IsTerminal;

use assay_agent::{
    AgentListener, Given, Library, NameIndex, RuledConversation, RuledEnd, RuledError, ToolRunner,
};
use assay_coordinator::{AgentEntryKind, AgentSession, AgentSessionId, Coordinator, NewAgentSession};
use assay_host::state_failure;
use assay_protocol::{ErrorCode, Failure, Secrets};
use assay_report::one_line;
use assay_suite::Agent;

use super::ask::is_trusted;
use super::talk::decide;
use crate::environment::Environment;
use crate::hidden::secrets_here;
use crate::{output, state};

/// What the turns of a session by rules need.
pub(super) struct RuledDesk<'a> {
    pub library: &'a Library,
    pub agent: &'a Agent,
    pub environment: &'a Environment,
    /// The user agrees to calls that need a yes.
    pub is_agreed: bool,
    /// Somebody is there to be asked.
    pub can_ask: bool,
    /// Turns are work on an event.
    pub is_of_event: bool,
    coordinator: Coordinator,
    secrets: Secrets,
}

impl<'a> RuledDesk<'a> {
    pub fn open(
        library: &'a Library,
        agent: &'a Agent,
        environment: &'a Environment,
        is_agreed: bool,
        can_ask: bool,
    ) -> Result<RuledDesk<'a>, Failure> {
        Ok(RuledDesk {
            library,
            agent,
            environment,
            is_agreed,
            can_ask,
            is_of_event: false,
            coordinator: state::open_here(environment)?,
            secrets: secrets_here(environment)?,
        })
    }

    pub fn new_session(&self, request: &str) -> Result<AgentSessionId, Failure> {
        let title = self.secrets.mask(&one_line(request));
        let new = NewAgentSession { agent: &self.agent.id, model: None, title: &title };
        self.coordinator.open_agent_session(&new).map_err(state_failure)
    }

    /// The newest session of the agent with this title.
    pub fn session_called(&self, title: &str) -> Result<Option<AgentSessionId>, Failure> {
        let sessions = self.coordinator.agent_sessions().map_err(state_failure)?;
        let is_it = |session: &&AgentSession| session.agent == self.agent.id && session.title == title;
        Ok(sessions.iter().find(is_it).map(|session| session.id))
    }

    /// Whether anything was said in a session.
    pub fn was_used(&self, session: AgentSessionId) -> Result<bool, Failure> {
        let entries = self.coordinator.agent_entries(session).map_err(state_failure)?;
        Ok(entries.iter().any(|entry| entry.kind == AgentEntryKind::Message))
    }

    pub fn ask(
        &self,
        session: AgentSessionId,
        request: &str,
        given: &Given,
        with: With<'_>,
    ) -> Result<RuledEnd, Failure> {
        self.conversation(with, |talk| talk.ask(session, request, given))
    }

    /// A request, or the answer to the question with which the last turn ended.
    pub fn say(&self, session: AgentSessionId, said: &str, with: With<'_>) -> Result<RuledEnd, Failure> {
        self.conversation(with, |talk| talk.say(session, said))
    }

    pub fn resume(
        &self,
        session: AgentSessionId,
        decision: Option<bool>,
        with: With<'_>,
    ) -> Result<RuledEnd, Failure> {
        self.conversation(with, |talk| talk.resume(session, decision))
    }

    fn conversation(
        &self,
        with: With<'_>,
        work: impl FnOnce(&RuledConversation<'_>) -> Result<RuledEnd, RuledError>,
    ) -> Result<RuledEnd, Failure> {
        let talk = RuledConversation {
            library: self.library,
            agent: self.agent,
            is_trusted: is_trusted(self.library, self.environment),
            is_of_event: self.is_of_event,
            index: with.index,
            coordinator: &self.coordinator,
            runner: with.runner,
            listener: with.listener,
            secrets: &self.secrets,
            decide: &|asked| decide(asked, self.is_agreed, self.can_ask),
        };
        work(&talk).map_err(|error| match error {
            RuledError::State(error) => state_failure(error),
            error @ RuledError::Unreadable { .. } => Failure::new(ErrorCode::Io, error.to_string()),
        })
    }
}

/// Who carries the calls of a turn out, who hears of it, and which names there are.
pub(super) struct With<'a> {
    pub index: &'a NameIndex,
    pub runner: &'a dyn ToolRunner,
    pub listener: &'a dyn AgentListener,
}

/// Whether a user sits at the terminal.
pub(super) fn can_ask(json: bool) -> bool {
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal() && !json
}

/// How a session that waits goes on.
pub(super) fn tell_how_it_goes_on(session: AgentSessionId, end: &RuledEnd) {
    if end.waits {
        output::tell(&format!("hint: assay agent sessions approve {session}, or with --no to refuse it"));
    }
}
