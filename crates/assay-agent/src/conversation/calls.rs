//! Carrying out the calls of a model: what is refused, what needs the user, and what is written down around each.

use assay_coordinator::AgentEntryKind;
use assay_prompt::shortened;
use assay_protocol::Agreed;
use assay_provider::answer::{CallInput, FunctionCall};
use assay_provider::conversation::Picture;
use assay_provider::formats::FormatName;
use assay_tools::{CallSpec, Need, Tool, ToolAnswer, call};
use serde_json::{Map, Value, json};

use super::asked_for::{is_asked_for, is_part_of, outlives_browsers};
use super::classes::classes_in;
use super::facts::{facts_of, without_nothing};
use super::history::OpenCalls;
use super::record::{BegunStep, EndedStep};
use super::results::{MOST_OF_LINE, MOST_OF_RESULT, for_model, short};
use super::turn::{Flow, TIME_IS_OVER, Work};
use super::verdicts::verdicts_in;
use super::{ApprovalKind, ApprovalQuestion, CallReport, ConversationEnd, ConversationError, Decision};
use crate::{AgentEvent, ApprovalAsked, EventKind, EventProgress, needs_approval};

/// The result that a model gets for a call whose process died.
const UNKNOWN: &str = "outcome unknown: assay ended during this call, and it may have been carried out. It was not \
repeated. Look at what is there before you go on.";

impl Work<'_> {
    /// The open calls of the last answer, in their order.
    pub fn carry_out(
        &mut self,
        open: &OpenCalls,
        decision: &mut Option<Decision>,
    ) -> Result<Flow, ConversationError> {
        for (index, wanted) in open.calls.iter().enumerate() {
            if open.results[index].is_some() {
                continue;
            }
            if self.is_late() {
                return Ok(Flow::End(ConversationEnd::Stopped(TIME_IS_OVER.to_string())));
            }
            if self.is_stopped()? {
                return Ok(Flow::End(ConversationEnd::Stopped("stopped by the user".to_string())));
            }
            let place = Place { said: open.said, index };
            let flow = match open.begun[index] {
                Some(begun) => self.cut_off(place, begun, wanted, decision)?,
                None => self.one_call(place, wanted, decision, false)?,
            };
            if !matches!(flow, Flow::GoOn) {
                return Ok(flow);
            }
        }
        Ok(Flow::GoOn)
    }

    /// A call that an earlier process began, and of which no end is known. Nobody repeats it unseen.
    fn cut_off(
        &mut self,
        place: Place,
        begun: u64,
        wanted: &FunctionCall,
        decision: &mut Option<Decision>,
    ) -> Result<Flow, ConversationError> {
        let repeated = EndedStep { is_repeated: true, ..EndedStep::failed(UNKNOWN) };
        let tool = self.tool(&wanted.name);
        if tool.is_some_and(|tool| tool.effects.reads_only) {
            self.keep(AgentEntryKind::Ended, Some(begun), &repeated)?;
            return self.one_call(place, wanted, decision, false);
        }
        let arguments = wanted.input.json().cloned().unwrap_or_default();
        let question = format!(
            "outcome unknown: `{} {arguments}` was begun, and assay ended before it did. Repeat it?",
            wanted.name
        );
        self.tell(&AgentEvent {
            tool_name: Some(wanted.name.clone()),
            error: Some("outcome unknown".to_string()),
            ..self.event(EventKind::Error, question.clone())
        })?;
        let asked = ApprovalQuestion {
            what: ApprovalKind::UnknownOutcome,
            question,
            tool: wanted.name.clone(),
            arguments,
        };
        match self.decided(&asked, decision)? {
            Decision::Yes => {
                self.keep(AgentEntryKind::Ended, Some(begun), &repeated)?;
                self.one_call(place, wanted, decision, true)
            }
            Decision::No => {
                self.keep(AgentEntryKind::Ended, Some(begun), &EndedStep::failed(UNKNOWN))?;
                Ok(Flow::GoOn)
            }
            Decision::Later => Ok(waiting(&asked)),
        }
    }

    fn one_call(
        &mut self,
        place: Place,
        wanted: &FunctionCall,
        decision: &mut Option<Decision>,
        is_approved: bool,
    ) -> Result<Flow, ConversationError> {
        let (tool, arguments) = match self.checked(wanted) {
            Ok(fit) => fit,
            Err(why) => return self.refuse(place, wanted, &why),
        };
        let shown = Value::Object(arguments.clone());
        if let Some(why) = self.guard.refuses(tool.name, &shown) {
            return self.refuse(place, wanted, &why);
        }
        let ask = |question: String| ApprovalQuestion {
            what: ApprovalKind::Call,
            question,
            tool: tool.name.to_string(),
            arguments: shown.clone(),
        };
        let mut agreed = Agreed::Nothing;
        if is_approved {
            agreed = Agreed::Everything;
        } else if needs_approval(tool, self.agent()) || !self.is_asked_for(tool, &shown) {
            let asked = ask(format!("{}: `{} {shown}`", tool.title, tool.name));
            match self.decided(&asked, decision)? {
                Decision::Yes => agreed = Agreed::Everything,
                Decision::No => {
                    return self.refuse(place, wanted, "the user did not allow it; nothing was done");
                }
                Decision::Later => return Ok(waiting(&asked)),
            }
        }
        loop {
            let begun = self.begin_call(place, tool, &shown)?;
            let answer = self.call(tool, arguments.clone(), &agreed);
            let Some(Need::Consent(question)) = answer.need.clone() else {
                return self.end(begun, tool, &shown, answer);
            };
            // Nothing was done: the call is begun again if the user agrees.
            let nothing = EndedStep { is_repeated: true, ..EndedStep::failed("it needs consent") };
            self.keep(AgentEntryKind::Ended, Some(begun), &nothing)?;
            if agreed == Agreed::To(question.clone()) {
                return self.refuse(place, wanted, "it needs consent that was given, and asks again");
            }
            let asked = ask(question.clone());
            match self.decided(&asked, decision)? {
                Decision::Yes => agreed = Agreed::To(question),
                Decision::No => {
                    return self.refuse(place, wanted, "the user did not allow it; nothing was done");
                }
                Decision::Later => return Ok(waiting(&asked)),
            }
        }
    }

    /// What outlives the browsers of the turn is done at the user's own words; what a page or a file says is none of them.
    fn is_asked_for(&self, tool: &Tool, arguments: &Value) -> bool {
        let (request, before) = self.history.requests();
        // What does not exist does nothing.
        let scripts = &self.talk.terms.surroundings.scripts;
        let is_known = |name: &str| scripts.iter().any(|script| script.split('(').next() == Some(name));
        let is_nothing =
            arguments.get("script").and_then(Value::as_str).is_some_and(|script| !is_known(script));
        let skill = self.history.skill.as_deref().and_then(|name| self.talk.library.skill(name).ok());
        !outlives_browsers(tool)
            || is_nothing
            || is_asked_for(tool, arguments, request, before)
            || skill.is_some_and(|skill| is_part_of(skill, tool, arguments, request))
    }

    /// The tool and its arguments, or why there is no such call.
    fn checked(&self, wanted: &FunctionCall) -> Result<(&'static Tool, Map<String, Value>), String> {
        let Some(tool) = self.tool(&wanted.name) else {
            let names: Vec<&str> = self.own_tools().iter().map(|tool| tool.name).collect();
            return Err(format!("this skill has no tool `{}`; it has: {}", wanted.name, names.join(", ")));
        };
        let arguments = match &wanted.input {
            CallInput::Json(Value::Object(arguments)) => arguments.clone(),
            CallInput::Json(Value::Null) => Map::new(),
            CallInput::Json(other) => return Err(format!("expected an object of arguments, found {other}")),
            CallInput::Malformed(text) => {
                return Err(format!("expected JSON as arguments, found `{}`", shortened(text, 80)));
            }
        };
        if self.talk.secrets.are_in(&Value::Object(arguments.clone()).to_string()) {
            return Err("the arguments hold a secret value; it was not passed on".to_string());
        }
        Ok((tool, arguments))
    }

    fn own_tools(&self) -> Vec<&'static Tool> {
        let skill = self.history.skill.as_deref().and_then(|name| self.talk.library.skill(name).ok());
        skill.map(|skill| self.tools_of(skill)).unwrap_or_default()
    }

    fn tool(&self, name: &str) -> Option<&'static Tool> {
        let plain = |name: &str| name.replace(['-', '.'], "_");
        self.own_tools().into_iter().find(|tool| plain(tool.name) == plain(name))
    }

    /// A call that is not carried out, with its reason for the model.
    fn refuse(&mut self, place: Place, wanted: &FunctionCall, why: &str) -> Result<Flow, ConversationError> {
        let arguments = wanted.input.json().cloned().unwrap_or_default();
        let arguments = self.masked(&arguments);
        let begun = BegunStep {
            said: place.said,
            index: place.index,
            tool: wanted.name.clone(),
            arguments: arguments.clone(),
            has_effect: false,
        };
        let begun = self.keep(AgentEntryKind::Begun, None, &begun)?;
        self.tell(&AgentEvent {
            tool_name: Some(wanted.name.clone()),
            tool_params: Some(arguments.clone()),
            ..self.event(EventKind::ToolCall, wanted.name.clone())
        })?;
        self.keep(AgentEntryKind::Ended, Some(begun), &EndedStep::failed(why))?;
        self.tell(&AgentEvent {
            tool_name: Some(wanted.name.clone()),
            tool_params: Some(arguments.clone()),
            success: Some(false),
            error: Some(why.to_string()),
            ..self.event(EventKind::ToolResult, shortened(why, MOST_OF_LINE))
        })?;
        self.calls.push(CallReport {
            tool: wanted.name.clone(),
            arguments: arguments.clone(),
            result: shortened(why, MOST_OF_LINE),
            worked: false,
            exit_code: 2,
        });
        Ok(ended_by(self.guard.failed(&wanted.name, &arguments, why)))
    }

    fn begin_call(&mut self, place: Place, tool: &Tool, arguments: &Value) -> Result<u64, ConversationError> {
        let step = BegunStep {
            said: place.said,
            index: place.index,
            tool: tool.name.to_string(),
            arguments: arguments.clone(),
            has_effect: !tool.effects.reads_only,
        };
        let begun = self.keep(AgentEntryKind::Begun, None, &step)?;
        self.tell_position(tool)?;
        self.tell(&AgentEvent {
            tool_name: Some(tool.name.to_string()),
            tool_params: Some(arguments.clone()),
            ..self.event(EventKind::ToolCall, tool.name)
        })?;
        Ok(begun)
    }

    /// Where the call stands in the workflow of the skill. A tool that is none of its steps has no place there.
    fn tell_position(&self, tool: &Tool) -> Result<(), ConversationError> {
        let skill = self.history.skill.as_deref().and_then(|name| self.talk.library.skill(name).ok());
        let steps = skill.map(|skill| skill.workflow.as_slice()).unwrap_or_default();
        let Some(place) = steps.iter().position(|step| step.tool == tool.name) else { return Ok(()) };
        let progress = EventProgress { current: place as u64 + 1, total: steps.len() as u64 };
        self.tell(&AgentEvent { progress: Some(progress), ..self.event(EventKind::Progress, tool.name) })
    }

    fn call(&self, tool: &'static Tool, arguments: Map<String, Value>, agreed: &Agreed) -> ToolAnswer {
        let tell = |line: &str| self.talk.listener.event(&self.event(EventKind::Progress, line));
        let spec = CallSpec {
            session: &self.talk.terms.browser_session,
            agreed,
            tell: &tell,
            is_stopped: &|| self.is_late() || self.is_stopped().unwrap_or(true),
        };
        call(tool, arguments, self.talk.program, &spec)
    }

    fn end(
        &mut self,
        begun: u64,
        tool: &Tool,
        arguments: &Value,
        answer: ToolAnswer,
    ) -> Result<Flow, ConversationError> {
        let secrets = self.talk.secrets;
        let value = answer.value.as_ref().map(|value| self.masked(&without_nothing(value)));
        let text = secrets.mask(&answer.text);
        let facts = facts_of(value.as_ref(), &text);
        let shown = for_model(tool, &answer, value.as_ref(), &text);
        let line = short(&answer, value.as_ref(), &text);
        if let Some(picture) = answer.picture.filter(|_| self.takes_pictures()) {
            // What is no PNG cannot be shown; its words are.
            self.history.pictures.extend(Picture::png(picture.bytes).ok());
        }
        // What only reads has no verdict: that a run failed is what it says, not how it ended.
        let exit_code = if tool.effects.reads_only && !answer.is_error { 0 } else { answer.exit_code };
        let end = EndedStep {
            text: shown.clone(),
            is_error: answer.is_error,
            exit_code,
            facts,
            classes: classes_in(answer.value.as_ref()),
            verdicts: match tool.effects.reads_only {
                true => Vec::new(),
                false => verdicts_in(value.as_ref()),
            },
            is_repeated: false,
        };
        self.keep(AgentEntryKind::Ended, Some(begun), &end)?;
        self.tell(&AgentEvent {
            tool_name: Some(tool.name.to_string()),
            tool_params: Some(arguments.clone()),
            tool_result: Some(value.unwrap_or_else(|| json!(shortened(&text, MOST_OF_RESULT)))),
            success: Some(!answer.is_error),
            error: answer.is_error.then(|| text.clone()),
            ..self.event(EventKind::ToolResult, line.clone())
        })?;
        self.calls.push(CallReport {
            tool: tool.name.to_string(),
            arguments: arguments.clone(),
            result: line,
            worked: !answer.is_error,
            exit_code,
        });
        let ends = match answer.is_error {
            true => self.guard.failed(tool.name, arguments, &text),
            false => {
                self.guard.worked(tool.name, arguments, !tool.effects.reads_only, &shown);
                None
            }
        };
        Ok(ended_by(ends))
    }

    fn takes_pictures(&self) -> bool {
        self.talk.terms.pictures && self.talk.model.format() != FormatName::Chat
    }

    /// What the user says about a question; what was said before counts once.
    fn decided(
        &mut self,
        asked: &ApprovalQuestion,
        decision: &mut Option<Decision>,
    ) -> Result<Decision, ConversationError> {
        let approval = ApprovalAsked {
            id: format!("{}", self.turn.session()),
            options: vec!["approve".to_string(), "reject".to_string()],
        };
        let said = match decision.take() {
            Some(said) => said,
            None => {
                self.tell(&AgentEvent {
                    tool_name: Some(asked.tool.clone()),
                    tool_params: Some(asked.arguments.clone()),
                    approval: Some(approval.clone()),
                    ..self.event(EventKind::ApprovalRequired, asked.question.clone())
                })?;
                (self.talk.decide)(asked)
            }
        };
        if said != Decision::Later {
            let word = if said == Decision::Yes { "approved" } else { "rejected" };
            self.tell(&AgentEvent {
                tool_name: Some(asked.tool.clone()),
                success: Some(said == Decision::Yes),
                approval: Some(approval),
                ..self.event(EventKind::ApprovalReceived, word)
            })?;
        }
        Ok(said)
    }

    /// Answers calls that nobody will carry out any more: the user went on, or the turn was ended.
    pub fn close_open_calls(&mut self) -> Result<(), ConversationError> {
        let Some(open) = self.history.open.clone() else { return Ok(()) };
        for (index, wanted) in open.calls.iter().enumerate() {
            if open.results[index].is_some() {
                continue;
            }
            let begun = match open.begun[index] {
                Some(begun) => {
                    let told = format!("outcome unknown: `{}` was cut off and was not repeated", wanted.name);
                    self.tell(&AgentEvent {
                        tool_name: Some(wanted.name.clone()),
                        error: Some(told.clone()),
                        ..self.event(EventKind::Error, told)
                    })?;
                    self.keep(AgentEntryKind::Ended, Some(begun), &EndedStep::failed(UNKNOWN))?;
                    continue;
                }
                None => BegunStep {
                    said: open.said,
                    index,
                    tool: wanted.name.clone(),
                    arguments: self.masked(&wanted.input.json().cloned().unwrap_or_default()),
                    has_effect: false,
                },
            };
            let begun = self.keep(AgentEntryKind::Begun, None, &begun)?;
            self.keep(
                AgentEntryKind::Ended,
                Some(begun),
                &EndedStep::failed("not carried out: the turn ended before"),
            )?;
        }
        Ok(())
    }

    fn masked(&self, value: &Value) -> Value {
        if self.talk.secrets.is_empty() {
            return value.clone();
        }
        match value {
            Value::String(text) => Value::String(self.talk.secrets.mask(text)),
            Value::Array(values) => Value::Array(values.iter().map(|value| self.masked(value)).collect()),
            Value::Object(fields) => {
                let masked = fields.iter().map(|(key, value)| (key.clone(), self.masked(value)));
                Value::Object(masked.collect())
            }
            other => other.clone(),
        }
    }
}

/// Where a call stands: its answer, and its place there.
#[derive(Clone, Copy)]
struct Place {
    said: u64,
    index: usize,
}

fn waiting(asked: &ApprovalQuestion) -> Flow {
    let approval = json!({
        "what": asked.what,
        "question": asked.question,
        "tool": asked.tool,
        "arguments": asked.arguments,
    });
    Flow::Wait(approval, asked.question.clone())
}

fn ended_by(why: Option<String>) -> Flow {
    match why {
        Some(why) => Flow::End(ConversationEnd::Stopped(why)),
        None => Flow::GoOn,
    }
}
