//! The turn itself: a question to the model, what it said, the next question, until there is an answer.

use std::cell::Cell;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use assay_coordinator::{AfterTurn, AgentEntryKind, AgentSession, AgentSessionId, AgentTurn, this_process};
use assay_protocol::Secrets;
use assay_provider::answer::{ModelAnswer, Stop};
use assay_provider::cache_minimum;
use assay_suite::{Agent, Skill};
use assay_tools::{Tool, find_tool};
use serde::Serialize;
use serde_json::{Value, json};

use super::choice::{Spoken, spoken};
use super::classes::{FoundClass, misnamed};
use super::guard::LoopGuard;
use super::history::History;
use super::prompts;
use super::record::{SavedTurn, Step};
use super::verdicts::{Agreement, agreement, latest, with_verdicts};
use super::{
    CallReport, Conversation, ConversationEnd, ConversationError, ConversationReport, Decision, MOST_TIME,
    verdict_of,
};
use crate::{AgentEvent, EventKind, refused_tools, share_of, subscriber_of};

/// The model sees at most so many characters before facts replace older turns.
const MOST_SHOWN: usize = 16_000;

/// How often the state is asked whether the user wants an end.
const LOOK_EVERY: Duration = Duration::from_millis(500);

pub(super) const TIME_IS_OVER: &str = "the time of the turn is over";

/// Whether the turn goes on.
pub(super) enum Flow {
    GoOn,
    End(ConversationEnd),
    /// The session waits for this decision.
    Wait(Value, String),
}

/// A turn under way.
pub(super) struct Work<'a> {
    pub talk: &'a Conversation<'a>,
    pub turn: AgentTurn,
    pub history: History,
    pub guard: LoopGuard,
    before: AgentSession,
    pub begun: Instant,
    pub deadline: Instant,
    looked_at: Cell<Option<Instant>>,
    is_stop_asked: Cell<bool>,
    /// The calls of this process.
    pub calls: Vec<CallReport>,
}

impl<'a> Work<'a> {
    pub fn begin(talk: &'a Conversation<'a>, session: AgentSessionId) -> Result<Work<'a>, ConversationError> {
        let subscriber = subscriber_of(&talk.agent.id);
        let share = share_of(talk.agent, &subscriber);
        let owner = this_process("assay agent")?;
        let (turn, before) = talk.coordinator.begin_agent_turn(session, &owner, Some(&share))?;
        let history = History::of(&turn.entries()?)?;
        let mut guard = LoopGuard::default();
        for call in &history.calls {
            match call.end.is_error {
                true => drop(guard.failed(&call.tool, &call.arguments, &call.end.text)),
                false => guard.worked(&call.tool, &call.arguments, call.has_effect, &call.end.text),
            }
        }
        let time = talk.agent.config.timeout.min(MOST_TIME);
        Ok(Work {
            talk,
            turn,
            history,
            guard,
            before,
            begun: Instant::now(),
            deadline: Instant::now() + time,
            looked_at: Cell::new(None),
            is_stop_asked: Cell::new(false),
            calls: Vec::new(),
        })
    }

    /// What the user decided while nobody was at work.
    pub fn earlier_decision(&self) -> Option<bool> {
        self.before.decision
    }

    pub fn take_request(&mut self, request: &str) -> Result<(), ConversationError> {
        let text = self.talk.secrets.mask(request);
        self.step(&Step::Request { text })?;
        if self.history.length() > MOST_SHOWN {
            self.step(&Step::Folded)?;
        }
        Ok(())
    }

    /// Until there is an answer, a question, or an end.
    pub fn carry_on(
        mut self,
        mut decision: Option<Decision>,
    ) -> Result<ConversationReport, ConversationError> {
        self.tell(&self.event(EventKind::SessionStarted, format!("session {}", self.turn.session())))?;
        self.tell(&self.event(EventKind::AgentStarted, self.talk.agent.nickname.clone()))?;
        if self.history.request.is_none() && self.history.open.is_none() {
            return self.finish(ConversationEnd::Nothing, AfterTurn::Idle);
        }
        loop {
            let skill = self.history.skill.as_deref().and_then(|name| self.talk.library.skill(name).ok());
            if let Some(skill) = skill {
                self.deadline = self.deadline.min(self.begun + skill.timeout);
            }
            let flow = if self.is_late() {
                Flow::End(ConversationEnd::Stopped(TIME_IS_OVER.to_string()))
            } else if self.is_stopped()? {
                Flow::End(ConversationEnd::Stopped("stopped by the user".to_string()))
            } else if let Some(open) = self.history.open.clone() {
                self.carry_out(&open, &mut decision)?
            } else {
                match self.ask_and_hear() {
                    Ok(flow) => flow,
                    Err(error) => {
                        let told = self.talk.secrets.mask(&error.to_string());
                        self.tell(&AgentEvent {
                            error: Some(told.clone()),
                            ..self.event(EventKind::Error, told)
                        })?;
                        self.tell_the_end()?;
                        self.turn.finish(&AfterTurn::Idle)?;
                        return Err(error);
                    }
                }
            };
            match flow {
                Flow::GoOn => {}
                Flow::End(end) => return self.finish(end, AfterTurn::Idle),
                Flow::Wait(approval, question) => {
                    return self.finish(ConversationEnd::Waits(question), AfterTurn::Waits(approval));
                }
            }
        }
    }

    fn finish(
        mut self,
        end: ConversationEnd,
        after: AfterTurn,
    ) -> Result<ConversationReport, ConversationError> {
        let said = match &end {
            ConversationEnd::Answered(text) | ConversationEnd::Asks(text) => {
                Some((EventKind::Message, text.clone()))
            }
            ConversationEnd::Stopped(why) => Some((EventKind::Error, why.clone())),
            ConversationEnd::Waits(_) | ConversationEnd::Nothing => None,
        };
        if let Some((kind, text)) = said {
            let error = (kind == EventKind::Error).then(|| text.clone());
            let event =
                AgentEvent { error, metrics: Some(self.metrics()?), ..self.event(kind, text.clone()) };
            // A turn that ended with calls still open is closed with them.
            self.close_open_calls()?;
            self.step(&Step::Done { answer: text })?;
            self.tell(&event)?;
        }
        self.tell_the_end()?;
        let report = ConversationReport {
            session: self.turn.session(),
            skill: self.history.skill.clone(),
            calls: self.calls,
            end,
        };
        self.turn.finish(&after)?;
        Ok(report)
    }

    /// The last events of each turn.
    fn tell_the_end(&self) -> Result<(), ConversationError> {
        self.tell(&self.event(EventKind::AgentCompleted, self.talk.agent.nickname.clone()))?;
        self.tell(&self.event(EventKind::SessionEnded, String::new()))
    }

    // What is said to the model, and what it says.

    fn ask_and_hear(&mut self) -> Result<Flow, ConversationError> {
        if self.history.can_fold_calls() && self.history.length() > MOST_SHOWN {
            self.step(&Step::CallsFolded)?;
        }
        let skills = self.talk.library.skills_of(self.talk.agent);
        if skills.is_empty() {
            return Err(ConversationError::NoSkills { agent: self.talk.agent.id.clone() });
        }
        let beside = self.talk.library.skills_beside(self.talk.agent);
        let all: Vec<&Skill> = skills.iter().chain(&beside).copied().collect();
        let skill =
            self.history.skill.as_deref().and_then(|name| all.iter().find(|skill| skill.name == name));
        let prefix = match skill {
            None => prompts::choosing(self.talk.agent, &skills, &beside),
            Some(skill) => prompts::working(
                self.agent(),
                skill,
                &all,
                &self.tools_of(skill),
                &self.talk.terms.surroundings,
                cache_minimum(self.talk.model.model()),
            ),
        };
        let broad = prompts::broad_tokens(self.talk.agent, &skills);
        let skill = skill.map(|skill| skill.name.clone());
        let answer = match self.ask(&prefix, skill.as_deref(), broad)? {
            Ok(answer) => answer,
            Err(why) => return Ok(Flow::End(ConversationEnd::Stopped(why))),
        };
        let saved = SavedTurn::of(&answer);
        if self.leaks(&answer) {
            let why = "the model's answer held a secret value; it was discarded";
            return Ok(Flow::End(ConversationEnd::Stopped(why.to_string())));
        }
        match &answer.stop {
            Stop::Refused { category, explanation } => {
                let why =
                    explanation.clone().or(category.clone()).unwrap_or_else(|| "no reason given".to_string());
                return Ok(Flow::End(ConversationEnd::Stopped(format!("the model refused: {why}"))));
            }
            Stop::OutputLimit => {
                return Ok(Flow::End(ConversationEnd::Stopped(
                    "the model's answer was longer than it may be".to_string(),
                )));
            }
            Stop::ContextFull => {
                return Ok(Flow::End(ConversationEnd::Stopped(
                    "the conversation is too long for the model".to_string(),
                )));
            }
            Stop::MalformedCall => return Ok(self.misspoke("a call that cannot be read")),
            Stop::Finished | Stop::Calls | Stop::Paused | Stop::Unknown(_) => {}
        }
        // A skill is loaded by words or by a call, whatever else is said beside it.
        let by_call =
            saved.calls().iter().find(|call| call.name.replace('-', "_") == "load_skill").map(|call| {
                let input = call.input.json();
                let name =
                    input.and_then(|input| input.get("name").or(input.get("skill"))).and_then(Value::as_str);
                name.unwrap_or_default().to_lowercase().replace('_', "-")
            });
        let by_words = match spoken(&saved.text()) {
            Spoken::Load(name) => Some(name),
            _ => None,
        };
        if let Some(name) = by_call.or(by_words) {
            return self.load(&name, &all, &saved);
        }
        match skill {
            None => self.choose(&saved),
            Some(_) => self.work(&saved),
        }
    }

    fn load(&mut self, name: &str, skills: &[&Skill], saved: &SavedTurn) -> Result<Flow, ConversationError> {
        let Some(skill) = skills.iter().find(|skill| skill.name == name) else {
            let names: Vec<&str> = skills.iter().map(|skill| skill.name.as_str()).collect();
            let known = names.join(", ");
            return self.correct(saved, &format!("there is no skill `{name}`; there are: {known}"));
        };
        if self.history.skill.as_deref() == Some(name) {
            return self
                .correct(saved, &format!("the skill {name} is loaded already: call its tools, or answer"));
        }
        if let Some(lacking) = self.lacks_device(skill) {
            self.load_now(skill)?;
            return Ok(Flow::End(ConversationEnd::Asks(lacking)));
        }
        self.load_now(skill)?;
        Ok(Flow::GoOn)
    }

    /// The agent at work: another one where the skill is theirs.
    pub fn agent(&self) -> &'a Agent {
        let (talk, skill) = (self.talk, self.history.skill.as_deref());
        skill.map_or(talk.agent, |skill| talk.library.agent_for(skill, talk.agent))
    }

    fn load_now(&mut self, skill: &Skill) -> Result<(), ConversationError> {
        let before = self.agent();
        self.step(&Step::Skill { name: skill.name.clone() })?;
        self.turn.load_skill(&skill.name)?;
        let now = self.agent();
        if now.id != before.id {
            let words = format!("{} hands over to {}", before.nickname, now.nickname);
            self.tell(&self.event(EventKind::AgentDelegated, words))?;
        }
        let refused = refused_tools(skill, self.agent(), self.talk.terms.is_trusted);
        if !refused.is_empty() {
            let names = refused.join(", ");
            (self.talk.note)(&format!("this project is not trusted, so {} may not use {names}", skill.name));
        }
        let count = self.tools_of(skill).len();
        self.tell(&AgentEvent {
            tool_result: Some(json!({"skill": skill.name, "tools": count})),
            ..self.event(EventKind::SkillLoaded, skill.name.clone())
        })
    }

    /// What to say where a skill needs a kind of device that is not there.
    fn lacks_device(&self, skill: &Skill) -> Option<String> {
        let platform = skill.platform.filter(|_| skill.requires_device)?;
        let host = self.talk.program.host().ok()?;
        let has_one = host.devices.iter().any(|device| device.platform == platform.name());
        (!has_one).then(|| {
            let known: Vec<String> = host
                .devices
                .iter()
                .map(|device| format!("{} ({})", device.device, device.platform))
                .collect();
            format!("No {} device is registered here; there are: {}.", platform.name(), known.join(", "))
        })
    }

    /// Without a skill: a question for the user, or once more.
    fn choose(&mut self, saved: &SavedTurn) -> Result<Flow, ConversationError> {
        match spoken(&saved.text()) {
            Spoken::Asks(question) => self.hear_last(saved, ConversationEnd::Asks(question)),
            Spoken::Says(text) | Spoken::Earlier(text) if text.ends_with('?') && saved.calls().is_empty() => {
                self.hear_last(saved, ConversationEnd::Asks(text))
            }
            _ => self.correct(saved, "answer one line: `LOAD SKILL name`, or `ASK` and a question"),
        }
    }

    /// With a skill: calls, a question or an answer.
    fn work(&mut self, saved: &SavedTurn) -> Result<Flow, ConversationError> {
        let text = saved.text();
        if !saved.calls().is_empty() {
            if !text.is_empty() {
                self.tell(&self.event(EventKind::Thinking, text))?;
            }
            self.step(&Step::Said(saved.clone()))?;
            return Ok(Flow::GoOn);
        }
        let has_called = !self.history.calls.is_empty();
        match spoken(&text) {
            Spoken::Asks(question) => self.hear_last(saved, ConversationEnd::Asks(question)),
            Spoken::Earlier(answer) if self.history.has_earlier_calls() && !has_called => {
                (self.talk.note)("answered from earlier results; no tool was called for this request");
                self.hear_last(saved, ConversationEnd::Answered(answer))
            }
            Spoken::Says(text) | Spoken::Earlier(text) if has_called && !text.is_empty() => {
                match self.false_claim(&text) {
                    None => {
                        let found = latest(&self.history.calls);
                        let answer = with_verdicts(&text, &found, &self.agreement(&text));
                        self.hear_last(saved, ConversationEnd::Answered(answer))
                    }
                    Some(correction) => self.correct(saved, &correction),
                }
            }
            Spoken::Says(text) if text.ends_with('?') => self.hear_last(saved, ConversationEnd::Asks(text)),
            _ => self.correct(
                saved,
                "nothing was done: no tool was called for this request. Call a tool, or ask the user with `ASK`",
            ),
        }
    }

    /// A claim that no tool made.
    fn false_claim(&self, text: &str) -> Option<String> {
        let calls = self.history.calls.iter();
        let calls = calls.map(|call| (call.tool.as_str(), call.end.exit_code, !call.end.is_error));
        let verdict = verdict_of(calls);
        let upper = text.to_uppercase();
        let admits = ["FAIL", "INCONCLUSIVE", "ERROR", "NOT PASS", "COULD NOT", "CANNOT"];
        let is_false =
            verdict != 0 && upper.contains("PASSED") && !admits.iter().any(|word| upper.contains(word));
        let as_passed = is_false.then(|| {
            let how = super::results::verdict_word(verdict);
            format!("the tools ended with {how}, and your answer says PASSED; report what the tools said")
        });
        let found: Vec<FoundClass> =
            self.history.calls.iter().flat_map(|call| call.end.classes.iter().cloned()).collect();
        let contradiction = || match self.agreement(text) {
            Agreement::Contradicts(what) => Some(what),
            Agreement::Agrees | Agreement::Unconfirmed => None,
        };
        as_passed.or_else(contradiction).or_else(|| misnamed(text, &found))
    }

    fn agreement(&self, text: &str) -> Agreement {
        let known = &self.talk.terms.surroundings;
        let scripts = known.scripts.iter().filter_map(|script| script.split('(').next());
        let names: Vec<String> = known.tests.iter().cloned().chain(scripts.map(str::to_string)).collect();
        agreement(text, &latest(&self.history.calls), &names)
    }

    /// The last word of a turn.
    fn hear_last(&mut self, saved: &SavedTurn, end: ConversationEnd) -> Result<Flow, ConversationError> {
        if saved.calls().is_empty() {
            self.step(&Step::Said(saved.clone()))?;
        }
        Ok(Flow::End(end))
    }

    /// Tells the model what was wrong. Words without calls stay in the conversation; a call that nobody can answer
    /// does not.
    fn correct(&mut self, saved: &SavedTurn, remark: &str) -> Result<Flow, ConversationError> {
        if let Flow::End(end) = self.misspoke(remark) {
            return Ok(Flow::End(end));
        }
        if saved.calls().is_empty() && !saved.text().is_empty() {
            self.step(&Step::Said(saved.clone()))?;
            self.step(&Step::Remark { text: remark.to_string() })?;
        }
        Ok(Flow::GoOn)
    }

    fn misspoke(&mut self, what: &str) -> Flow {
        match self.guard.misspoke(what) {
            Some(why) => Flow::End(ConversationEnd::Stopped(why)),
            None => Flow::GoOn,
        }
    }

    /// Whether what the model sent holds a secret value, in any form.
    fn leaks(&self, answer: &ModelAnswer) -> bool {
        let secrets: &Secrets = self.talk.secrets;
        !secrets.is_empty()
            && (secrets.are_in(&answer.text())
                || secrets.are_in(&Value::from(answer.raw.clone()).to_string()))
    }

    /// The tools of a skill that may be used here.
    pub fn tools_of(&self, skill: &Skill) -> Vec<&'static Tool> {
        let refused = refused_tools(skill, self.agent(), self.talk.terms.is_trusted);
        let allowed = skill.tools.iter().filter(|name| !refused.contains(&name.as_str()));
        allowed.filter_map(|name| find_tool(name)).collect()
    }

    // What is written down.

    pub fn event(&self, kind: EventKind, content: impl Into<String>) -> AgentEvent {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64);
        AgentEvent::new(kind, &self.agent().id, self.talk.secrets.mask(&content.into()), now)
    }

    pub fn tell(&self, event: &AgentEvent) -> Result<(), ConversationError> {
        self.turn.tell(&serde_json::to_value(event)?)?;
        self.talk.listener.event(event);
        Ok(())
    }

    fn step(&mut self, step: &Step) -> Result<(), ConversationError> {
        self.keep(AgentEntryKind::Message, None, step).map(drop)
    }

    /// Writes an entry down, and takes it into the history as if it had been read.
    pub fn keep(
        &mut self,
        kind: AgentEntryKind,
        refers: Option<u64>,
        body: &impl Serialize,
    ) -> Result<u64, ConversationError> {
        let body = serde_json::to_value(body)?;
        let number = match (kind, refers) {
            (AgentEntryKind::Begun, _) => self.turn.begin_call(&body)?,
            (AgentEntryKind::Ended, Some(begun)) => self.turn.end_call(begun, &body)?,
            _ => self.turn.say(&body)?,
        };
        self.history.apply(kind, number, refers, &body)?;
        Ok(number)
    }

    /// Whether the time of the turn is over.
    pub fn is_late(&self) -> bool {
        Instant::now() >= self.deadline
    }

    /// Whether the user wants an end, here or from another process.
    pub fn is_stopped(&self) -> Result<bool, ConversationError> {
        if (self.talk.is_stopped)() || self.is_stop_asked.get() {
            return Ok(true);
        }
        let is_due = self.looked_at.get().is_none_or(|at| at.elapsed() >= LOOK_EVERY);
        if is_due {
            self.looked_at.set(Some(Instant::now()));
            self.is_stop_asked.set(self.turn.is_stop_asked()?);
        }
        Ok(self.is_stop_asked.get())
    }
}
