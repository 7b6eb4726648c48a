//! Tools and events of a turn by rules, each on record before the next thing happens.

use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

use assay_coordinator::{AgentTurn, StateError};
use assay_protocol::{Agreed, Secrets};
use assay_tools::{Need, OpenQuestion, Tool, ToolAnswer};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::record::{BegunCall, EarlierCall, EndedCall, RuledStep, saved};
use crate::conversation::{ApprovalKind, ApprovalQuestion, Decision};
use crate::event::{AgentEvent, AgentListener, ApprovalAsked, EventKind};
use crate::matching::Order;
use crate::workflow::{Consent, ToolRunner};

/// How often the state is asked whether the user wants an end.
const LOOK_EVERY: Duration = Duration::from_millis(500);

const OPEN: u8 = 3;
const BROKEN: u8 = 4;

/// The result of a call that was cut off and that the user does not want again.
const UNKNOWN: &str = "outcome unknown: assay ended during this call, and it may have been carried out. It was not \
repeated; look at what is there.";

/// A turn on record, between the workflow and those who carry its calls out and hear of them.
pub(super) struct Recorded<'a> {
    pub turn: &'a AgentTurn,
    pub agent: &'a str,
    pub runner: &'a dyn ToolRunner,
    pub listener: &'a dyn AgentListener,
    pub secrets: &'a Secrets,
    pub decide: &'a dyn Fn(&ApprovalQuestion) -> Decision,
    /// The calls of an earlier process, in their order.
    pub earlier: &'a [EarlierCall],
    pub state: RecordedState,
}

#[derive(Default)]
pub(super) struct RecordedState {
    /// How many of the earlier calls were gone through.
    gone_through: Cell<usize>,
    /// What was decided before this process began; it counts once.
    pub decision: Cell<Option<bool>>,
    /// The order is on record.
    pub has_order: Cell<bool>,
    /// The call under way.
    call: RefCell<(String, Value)>,
    /// It is one that is on record with its end: nobody hears of it twice.
    is_silent: Cell<bool>,
    /// What a user has to decide.
    pub waits: RefCell<Option<Value>>,
    /// The state could not be written: nothing is done any more.
    pub trouble: RefCell<Option<StateError>>,
    looked_at: Cell<Option<Instant>>,
    is_stop_asked: Cell<bool>,
}

impl Recorded<'_> {
    /// Something for the record. None: it is not there, and nothing may be done about it.
    fn keep<T>(&self, write: impl FnOnce() -> Result<T, StateError>) -> Option<T> {
        if self.state.trouble.borrow().is_some() {
            return None;
        }
        match write() {
            Ok(written) => Some(written),
            Err(error) => {
                *self.state.trouble.borrow_mut() = Some(error);
                None
            }
        }
    }

    pub fn body(&self, what: &impl Serialize) -> Value {
        // These are plain structures of texts and numbers.
        let body = serde_json::to_value(what).unwrap_or_default();
        masked(self.secrets, &body)
    }

    pub fn say(&self, step: &RuledStep) {
        self.keep(|| self.turn.say(&self.body(step)));
    }

    fn begin(&self, tool: &Tool, arguments: &Map<String, Value>) -> Option<u64> {
        let call = BegunCall {
            tool: tool.name.to_string(),
            arguments: arguments.clone(),
            has_effect: !tool.effects.reads_only,
        };
        self.keep(|| self.turn.begin_call(&self.body(&call)))
    }

    pub fn end(&self, begun: u64, end: &EndedCall) -> Option<u64> {
        self.keep(|| self.turn.end_call(begun, &self.body(end)))
    }

    /// The next earlier call that was not gone through.
    fn next_earlier(&self) -> Option<&EarlierCall> {
        self.earlier.get(self.state.gone_through.get())
    }

    fn go_past(&self) {
        self.state.gone_through.set(self.state.gone_through.get() + 1);
    }

    /// What is on record of this call, or what has to be said first; none if it is to be made.
    fn on_record(&self, tool: &'static Tool, arguments: &Map<String, Value>) -> Option<ToolAnswer> {
        let earlier = self.next_earlier()?;
        let wanted = masked(self.secrets, &Value::Object(arguments.clone()));
        if earlier.call.tool != tool.name || Value::Object(earlier.call.arguments.clone()) != wanted {
            let text = format!(
                "the turn cannot go on: `{}` was called here before, and now `{}` would be; the skill or the project \
                 has changed. Say the request again",
                earlier.call.tool, tool.name
            );
            return Some(failed(text));
        }
        if let Some(end) = &earlier.end {
            self.go_past();
            let answer = end.answer();
            self.runner.remember(tool, arguments, &answer);
            return Some(answer);
        }
        if tool.effects.reads_only {
            self.go_past();
            self.end(earlier.begun, &EndedCall::repeated("assay ended during this call"));
            return None;
        }
        let question = format!(
            "outcome unknown: `{} {wanted}` was begun, and assay ended before it did. Repeat it?",
            tool.name
        );
        self.tell(&AgentEvent {
            tool_name: Some(tool.name.to_string()),
            error: Some("outcome unknown".to_string()),
            ..self.event_of(EventKind::Error, &question)
        });
        let asked = ApprovalQuestion {
            what: ApprovalKind::UnknownOutcome,
            question: question.clone(),
            tool: tool.name.to_string(),
            arguments: wanted,
        };
        match self.decided(&asked) {
            Decision::Yes => {
                self.go_past();
                self.end(earlier.begun, &EndedCall::repeated("the user had it repeated"));
                None
            }
            Decision::No => {
                self.go_past();
                let end = EndedCall {
                    text: UNKNOWN.to_string(),
                    is_error: true,
                    exit_code: OPEN,
                    ..EndedCall::default()
                };
                self.end(earlier.begun, &end);
                Some(end.answer())
            }
            Decision::Later => {
                let asked = OpenQuestion {
                    id: "outcome".to_string(),
                    question: question.clone(),
                    why: String::new(),
                };
                Some(ToolAnswer { need: Some(Need::Answers(vec![asked])), ..failed(question) })
            }
        }
    }

    /// What the user says about a question; what was said before counts once.
    fn decided(&self, asked: &ApprovalQuestion) -> Decision {
        let approval = ApprovalAsked {
            id: self.turn.session().to_string(),
            options: vec!["approve".to_string(), "reject".to_string()],
        };
        let event = |kind, words: &str| AgentEvent {
            tool_name: Some(asked.tool.clone()),
            approval: Some(approval.clone()),
            ..self.event_of(kind, words)
        };
        let decision = match self.state.decision.take() {
            Some(true) => Decision::Yes,
            Some(false) => Decision::No,
            None => {
                self.tell(&AgentEvent {
                    tool_params: Some(asked.arguments.clone()),
                    ..event(EventKind::ApprovalRequired, &asked.question)
                });
                (self.decide)(asked)
            }
        };
        let word = match decision {
            Decision::Yes => "approved",
            Decision::No => "rejected",
            Decision::Later => {
                let waits = json!({
                    "what": asked.what, "question": asked.question, "tool": asked.tool, "arguments": asked.arguments,
                });
                *self.state.waits.borrow_mut() = Some(masked(self.secrets, &waits));
                return decision;
            }
        };
        let is_yes = decision == Decision::Yes;
        self.tell(&AgentEvent { success: Some(is_yes), ..event(EventKind::ApprovalReceived, word) });
        decision
    }

    fn event_of(&self, kind: EventKind, words: &str) -> AgentEvent {
        AgentEvent::new(kind, self.agent, words, self.runner.now_ms())
    }

    /// On record first.
    fn tell(&self, event: &AgentEvent) {
        self.keep(|| self.turn.tell(&self.body(event)));
        self.listener.event(event);
    }
}

impl AgentListener for Recorded<'_> {
    fn event(&self, event: &AgentEvent) {
        let is_known = self.next_earlier().is_some_and(|earlier| earlier.end.is_some());
        match event.kind {
            EventKind::Progress if event.progress.is_some() && is_known => return,
            EventKind::ToolCall => {
                let name = event.tool_name.clone().unwrap_or_default();
                *self.state.call.borrow_mut() = (name, event.tool_params.clone().unwrap_or_default());
                self.state.is_silent.set(is_known);
                if is_known {
                    return;
                }
            }
            EventKind::ToolResult if self.state.is_silent.replace(false) => return,
            _ => {}
        }
        self.tell(event);
    }
}

impl ToolRunner for Recorded<'_> {
    fn call(
        &self,
        tool: &'static Tool,
        arguments: Map<String, Value>,
        agreed: &Agreed,
        is_stopped: &dyn Fn() -> bool,
    ) -> ToolAnswer {
        if let Some(answer) = self.on_record(tool, &arguments) {
            return answer;
        }
        let Some(begun) = self.begin(tool, &arguments) else { return self.unwritten() };
        let answer = self.runner.call(tool, arguments, agreed, is_stopped);
        let end = match &answer.need {
            Some(_) => EndedCall::repeated("it needs an answer first; nothing was done"),
            None => EndedCall {
                text: answer.text.clone(),
                value: answer.value.clone(),
                is_error: answer.is_error,
                exit_code: answer.exit_code,
                is_repeated: false,
            },
        };
        match self.end(begun, &end) {
            Some(_) => answer,
            None => self.unwritten(),
        }
    }

    fn ask_consent(&self, question: &str) -> Consent {
        // What has been carried out was allowed.
        if self.next_earlier().is_some_and(|earlier| earlier.end.is_some()) {
            return Consent::Given;
        }
        let (tool, arguments) = self.state.call.borrow().clone();
        let question = question.to_string();
        let asked = ApprovalQuestion { what: ApprovalKind::Call, question, tool, arguments };
        match self.decided(&asked) {
            Decision::Yes => Consent::Given,
            Decision::No => Consent::Refused,
            Decision::Later => Consent::Nobody,
        }
    }

    fn now_ms(&self) -> u64 {
        self.runner.now_ms()
    }

    fn report(&self, answer: &Value) -> Option<String> {
        self.runner.report(answer)
    }

    fn begins(&self, order: &Order) {
        if !self.state.has_order.replace(true) {
            let slots = saved(&order.slots);
            let is_masked = self.body(&slots) != serde_json::to_value(&slots).unwrap_or_default();
            self.say(&RuledStep::Order { skill: order.skill.clone(), slots, is_masked });
        }
        self.keep(|| self.turn.load_skill(&order.skill));
    }

    /// Whether the user wants an end, here or from another process; or whether nothing can be written any more.
    fn is_stopped(&self) -> bool {
        if self.runner.is_stopped() || self.state.is_stop_asked.get() || self.state.trouble.borrow().is_some()
        {
            return true;
        }
        if self.state.looked_at.get().is_none_or(|at| at.elapsed() >= LOOK_EVERY) {
            self.state.looked_at.set(Some(Instant::now()));
            self.state.is_stop_asked.set(self.keep(|| self.turn.is_stop_asked()).unwrap_or(true));
        }
        self.state.is_stop_asked.get()
    }
}

impl Recorded<'_> {
    fn unwritten(&self) -> ToolAnswer {
        let why = self.state.trouble.borrow().as_ref().map(ToString::to_string).unwrap_or_default();
        ToolAnswer { exit_code: BROKEN, ..failed(why) }
    }
}

fn failed(text: String) -> ToolAnswer {
    ToolAnswer { text, is_error: true, exit_code: OPEN, ..ToolAnswer::default() }
}

/// A value without secrets.
fn masked(secrets: &Secrets, value: &Value) -> Value {
    if secrets.is_empty() {
        return value.clone();
    }
    match value {
        Value::String(text) => Value::String(secrets.mask(text)),
        Value::Array(values) => values.iter().map(|value| masked(secrets, value)).collect(),
        Value::Object(fields) => {
            fields.iter().map(|(name, value)| (name.clone(), masked(secrets, value))).collect()
        }
        other => other.clone(),
    }
}
