//! Conversations by rules: each request is a turn of a session, and goes on after a crash.
//!
//! The same events, the same beginnings and ends of calls as in a conversation with a model. Does not know a terminal.

mod answering;
mod picking;
mod record;
mod recorded;

use assay_coordinator::{AfterTurn, AgentSessionId, AgentTurn, Coordinator, StateError, this_process};
use assay_protocol::Secrets;
use assay_suite::Agent;

use crate::conversation::{ApprovalQuestion, Decision};
use crate::event::{AgentEvent, AgentListener, EventKind};
use crate::library::{Library, share_of, subscriber_of};
use crate::matching::{Given, NameIndex};
use crate::turn::{TurnEnd, TurnSpec, turn};
use crate::workflow::ToolRunner;
pub use answering::{Unanswered, answered};
use record::{EndedCall, OpenTurn, RuledStep, SavedQuestion, saved};
use recorded::{Recorded, RecordedState};

const OPEN: u8 = 3;

/// All that a conversation by rules needs.
pub struct RuledConversation<'a> {
    pub library: &'a Library,
    pub agent: &'a Agent,
    pub is_trusted: bool,
    /// It is work on an event, which has its place already among what the agent may do at a time.
    pub is_of_event: bool,
    pub index: &'a NameIndex,
    pub coordinator: &'a Coordinator,
    pub runner: &'a dyn ToolRunner,
    pub listener: &'a dyn AgentListener,
    /// Values that no record may hold.
    pub secrets: &'a Secrets,
    /// Asks the user.
    pub decide: &'a dyn Fn(&ApprovalQuestion) -> Decision,
}

/// What came of a turn.
#[derive(Debug, Clone, PartialEq)]
pub struct RuledEnd {
    pub end: TurnEnd,
    /// The session waits for a decision.
    pub waits: bool,
    /// There was nothing to go on with.
    pub is_nothing: bool,
}

/// Why a turn could not be carried out.
#[derive(Debug, thiserror::Error)]
pub enum RuledError {
    #[error(transparent)]
    State(#[from] StateError),
    #[error("entry {number} of the session cannot be read: {source}")]
    Unreadable { number: u64, source: serde_json::Error },
}

impl RuledConversation<'_> {
    /// What a user says in a session: a request, or the answer to the question with which the last turn ended.
    pub fn say(&self, session: AgentSessionId, said: &str) -> Result<RuledEnd, RuledError> {
        let entries = self.coordinator.agent_entries(session)?;
        let open =
            Unanswered::of(&entries).map_err(|(number, source)| RuledError::Unreadable { number, source })?;
        match open {
            Some(open) => {
                let (request, given) = answered(said, open, self.library, self.index);
                self.ask(session, &request, &given)
            }
            None => self.ask(session, said, &Given::default()),
        }
    }

    /// One request of the user, until it is answered.
    pub fn ask(&self, session: AgentSessionId, request: &str, given: &Given) -> Result<RuledEnd, RuledError> {
        let (turn, open, _) = self.begin(session)?;
        let recorded = self.recorded(&turn, &[]);
        // The user goes on: what was cut off before is not repeated.
        for call in open.iter().flat_map(|open| &open.calls).filter(|call| call.end.is_none()) {
            let told = format!("outcome unknown: `{}` was cut off and was not repeated", call.call.tool);
            recorded.end(call.begun, &EndedCall { text: told, is_error: true, ..EndedCall::default() });
        }
        let text = self.secrets.mask(request);
        let slots = saved(&given.slots);
        let is_masked = text != request || recorded.body(&slots) != serde_json::json!(slots);
        recorded.say(&RuledStep::Request { text, skill: given.skill.clone(), slots, is_masked });
        let end = self.carry_out(request, given, &recorded);
        finish(turn, end)
    }

    /// Goes on after a crash or a decision. `decision` is what the user said about that for which the session waits.
    pub fn resume(&self, session: AgentSessionId, decision: Option<bool>) -> Result<RuledEnd, RuledError> {
        let (turn, open, earlier_decision) = self.begin(session)?;
        let Some(open) = open else {
            turn.finish(&AfterTurn::Idle)?;
            return Ok(RuledEnd { end: TurnEnd::default(), waits: false, is_nothing: true });
        };
        let recorded = self.recorded(&turn, &open.calls);
        recorded.state.decision.set(decision.or(earlier_decision));
        if open.is_masked {
            let answer =
                "The request holds a secret value, which is not on record. Say it again.".to_string();
            recorded.say(&RuledStep::Done { answer: answer.clone(), exit_code: OPEN, question: None });
            let end = TurnEnd { answer, exit_code: OPEN, ..TurnEnd::default() };
            return finish(turn, Ended { end, waits: None, trouble: None });
        }
        recorded.state.has_order.set(open.order.is_some());
        let end = match &open.order {
            // It means what it meant then, whatever names there are now.
            Some(order) => {
                let given = Given { skill: Some(order.skill.clone()), slots: order.slots.clone() };
                self.carry_out("", &given, &recorded)
            }
            None => self.carry_out(&open.request, &open.given, &recorded),
        };
        finish(turn, end)
    }

    fn begin(
        &self,
        session: AgentSessionId,
    ) -> Result<(AgentTurn, Option<OpenTurn>, Option<bool>), RuledError> {
        let subscriber = subscriber_of(&self.agent.id);
        let share = share_of(self.agent, &subscriber);
        let owner = this_process("assay agent")?;
        let (turn, before) =
            self.coordinator.begin_agent_turn(session, &owner, (!self.is_of_event).then_some(&share))?;
        let open = OpenTurn::of(&turn.entries()?)
            .map_err(|(number, source)| RuledError::Unreadable { number, source })?;
        Ok((turn, open, before.decision))
    }

    fn recorded<'r>(&'r self, turn: &'r AgentTurn, earlier: &'r [record::EarlierCall]) -> Recorded<'r> {
        Recorded {
            turn,
            agent: &self.agent.id,
            runner: self.runner,
            listener: self.listener,
            secrets: self.secrets,
            decide: self.decide,
            earlier,
            state: RecordedState::default(),
        }
    }

    fn carry_out(&self, request: &str, given: &Given, recorded: &Recorded<'_>) -> Ended {
        let started = format!("session {}", recorded.turn.session());
        recorded.event(&AgentEvent::new(
            EventKind::SessionStarted,
            &self.agent.id,
            started,
            self.runner.now_ms(),
        ));
        let spec = TurnSpec {
            library: self.library,
            agent: self.agent,
            is_trusted: self.is_trusted,
            index: self.index,
            given,
            is_dry: false,
        };
        let end = turn(request, &spec, recorded, recorded);
        let waits = recorded.state.waits.take();
        if waits.is_none() {
            let said = end.question.as_ref().map_or(&end.answer, |question| &question.text);
            let question = end.question.as_ref().map(SavedQuestion::of);
            recorded.say(&RuledStep::Done { answer: said.clone(), exit_code: end.exit_code, question });
        }
        Ended { end, waits, trouble: recorded.state.trouble.take() }
    }
}

/// A turn that is over, and what its session does then.
struct Ended {
    end: TurnEnd,
    waits: Option<serde_json::Value>,
    trouble: Option<StateError>,
}

fn finish(turn: AgentTurn, ended: Ended) -> Result<RuledEnd, RuledError> {
    if let Some(trouble) = ended.trouble {
        return Err(trouble.into());
    }
    let waits = ended.waits.is_some();
    turn.finish(&ended.waits.map_or(AfterTurn::Idle, AfterTurn::Waits))?;
    Ok(RuledEnd { end: ended.end, waits, is_nothing: false })
}
