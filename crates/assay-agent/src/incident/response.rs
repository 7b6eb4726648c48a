//! One alert from its delivery to its end.

use std::cell::RefCell;
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use assay_coordinator::{
    Coordinator, Delivery, Incident, IncidentEntry, IncidentEntryKind, NewIncident, Severity, StateError,
};
use assay_protocol::Agreed;
use assay_suite::Agent;
use assay_tools::{CallSpec, Need, Program, Tool, ToolAnswer, call, find_tool};
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::event::{AgentEvent, AgentListener, ApprovalAsked, EventKind};
use crate::library::{Library, needs_approval};

use super::rules::{GuardianSkill, JOINS_WITHIN_MS, is_cooling, severity_of, skill_for};
use super::skills;

/// What an entry says once an alert is dealt with.
const HANDLED: &str = "handled";

pub(super) const TAKE_CONTROL: &str = "take_control";
pub(super) const RELEASE_CONTROL: &str = "release_control";

/// What is taken is given back, also where the time of a skill is over.
const TIME_TO_CLEAN_UP: Duration = Duration::from_secs(30);

/// The most of a tool's answer that a timeline keeps.
const LONGEST_TEXT: usize = 2_000;

/// Handles alerts with the tools of a program.
pub struct Guardian<'a> {
    pub coordinator: &'a Coordinator,
    pub program: &'a dyn Program,
    /// Who takes control, towards others; different in each process.
    pub session: &'a str,
    /// Its file: the skills that it has, how long it may take and what a person has to allow.
    pub agent: &'a Agent,
    /// Where its skills are described.
    pub library: &'a Library,
    /// Where pictures go: a folder for each incident.
    pub evidence: PathBuf,
    /// Hears of everything that is done.
    pub listener: &'a dyn AgentListener,
    pub is_stopped: &'a dyn Fn() -> bool,
}

/// What came of an alert.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Handled {
    pub event: u64,
    pub incident: Incident,
    /// The skill that was carried out; none where the alert was only counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skill: Option<&'static str>,
    pub summary: String,
}

impl Guardian<'_> {
    /// Handles an alert. Its caller acknowledges it when this returns.
    pub fn handle(&self, delivery: &Delivery) -> Result<Handled, StateError> {
        let handled = self.respond(delivery);
        let content = handled.as_ref().err().map(ToString::to_string).unwrap_or_default();
        if !content.is_empty() {
            self.say(EventKind::Error, &content);
        }
        self.say(EventKind::SessionEnded, "");
        handled
    }

    fn respond(&self, delivery: &Delivery) -> Result<Handled, StateError> {
        let (skill, class) = skill_for(&delivery.event);
        let joined = self.coordinator.join_incident(&NewIncident {
            event: &delivery.event,
            class,
            joins_within: JOINS_WITHIN_MS,
        })?;
        let of_skill = self.library.skill(skill.name()).map(|skill| skill.timeout);
        let allowed = of_skill.unwrap_or(self.agent.config.timeout).min(self.agent.config.timeout);
        let work = Work {
            guardian: self,
            delivery,
            incident: joined.incident.number,
            until: Instant::now() + allowed,
            waiting: RefCell::default(),
        };
        let answer = |incident, skill: Option<GuardianSkill>, summary: String| Handled {
            event: delivery.event.number,
            incident,
            skill: skill.map(GuardianSkill::name),
            summary,
        };
        if joined.was_known {
            let (incident, entries) = self.coordinator.incident(work.incident)?;
            if was_handled(&entries, delivery.event.number) {
                let summary = "an earlier process had handled it, and ended before it said so".to_owned();
                return Ok(answer(incident, None, summary));
            }
            work.note_what_was_cut_off(&entries)?;
        }
        if is_cooling(&joined.incident, skill, now_ms()) {
            let summary = format!(
                "counted ({} alerts); something was done a short while ago, so nothing is done now",
                joined.incident.repeats
            );
            work.enter(IncidentEntryKind::Note, &summary, &Value::Null)?;
            work.enter(IncidentEntryKind::Done, HANDLED, &json!({ "event": delivery.event.number }))?;
            return Ok(answer(joined.incident, None, summary));
        }
        if !self.agent.skills.iter().any(|known| known == skill.name()) {
            let summary = format!("counted; the agent does not have the skill {}", skill.name());
            work.enter(IncidentEntryKind::Note, &summary, &Value::Null)?;
            work.enter(IncidentEntryKind::Done, HANDLED, &json!({ "event": delivery.event.number }))?;
            return Ok(answer(joined.incident, None, summary));
        }
        self.say(EventKind::SkillLoaded, skill.name());
        let found = match skill {
            GuardianSkill::IncidentResponse => skills::incident_response(&work)?,
            GuardianSkill::HealthCheck => skills::health_check(&work)?,
            GuardianSkill::AlertTriage => skills::alert_triage(&work)?,
        };
        let summary = match work.waiting.borrow().as_slice() {
            [] => found.summary,
            calls => format!("{}; waits for a person to allow {}", found.summary, calls.join(", ")),
        };
        let severity = severity_of(skill, joined.incident.repeats, found.is_broken_now);
        let class = found.class.unwrap_or(class);
        let mut incident = self.coordinator.judge_incident(work.incident, class, severity, found.was_done)?;
        work.enter(IncidentEntryKind::Note, &summary, &Value::Null)?;
        work.enter(IncidentEntryKind::Done, HANDLED, &json!({ "event": delivery.event.number }))?;
        if skill == GuardianSkill::HealthCheck && severity == Severity::Minor {
            incident = self.coordinator.close_incident(work.incident, &summary)?;
        }
        self.say(EventKind::Message, &summary);
        Ok(answer(incident, Some(skill), summary))
    }

    fn say(&self, kind: EventKind, content: &str) {
        self.listener.event(&AgentEvent::new(kind, &self.agent.id, content, now_ms()));
    }
}

fn was_handled(entries: &[IncidentEntry], event: u64) -> bool {
    entries.iter().any(|entry| {
        entry.kind == IncidentEntryKind::Done && entry.text == HANDLED && entry.body["event"] == event
    })
}

/// What a skill found out.
pub(super) struct Found {
    pub summary: String,
    /// If it knows better than the alert.
    pub class: Option<&'static str>,
    pub is_broken_now: bool,
    /// Something was done: later alerts are only counted for a while.
    pub was_done: bool,
}

/// Work on one alert.
pub(super) struct Work<'a> {
    guardian: &'a Guardian<'a>,
    pub delivery: &'a Delivery,
    pub incident: u64,
    until: Instant,
    /// The tools of calls that wait for a person.
    waiting: RefCell<Vec<&'static str>>,
}

impl Work<'_> {
    pub fn device(&self) -> &str {
        &self.delivery.event.device
    }

    pub fn enter(&self, kind: IncidentEntryKind, text: &str, body: &Value) -> Result<(), StateError> {
        self.guardian.coordinator.enter_into_incident(self.incident, kind, text, body)
    }

    /// Calls a tool: entered before it begins and when it has ended.
    pub fn call(&self, tool: &str, arguments: Value) -> Result<ToolAnswer, StateError> {
        self.call_in(self.guardian.session, tool, arguments)
    }

    pub fn call_in(&self, session: &str, tool: &str, arguments: Value) -> Result<ToolAnswer, StateError> {
        if let Some(known) = find_tool(tool)
            && tool != RELEASE_CONTROL
            && needs_approval(known, self.guardian.agent)
        {
            return self.leave_to_a_person(known, &arguments);
        }
        self.enter(IncidentEntryKind::Begun, tool, &arguments)?;
        // Whoever has the event now handles it: nothing is done for them.
        self.guardian.coordinator.renew_delivery(self.delivery)?;
        let called = AgentEvent {
            tool_name: Some(tool.to_owned()),
            tool_params: Some(arguments.clone()),
            ..AgentEvent::new(EventKind::ToolCall, &self.guardian.agent.id, tool, now_ms())
        };
        self.guardian.listener.event(&called);
        let answer = self.perform(session, tool, arguments);
        let text: String = answer.text.chars().take(LONGEST_TEXT).collect();
        let kind = if answer.is_error { IncidentEntryKind::Failed } else { IncidentEntryKind::Done };
        self.enter(kind, tool, &json!({ "said": text }))?;
        let told = AgentEvent {
            tool_name: Some(tool.to_owned()),
            tool_result: answer.value.clone(),
            success: Some(!answer.is_error),
            ..AgentEvent::new(EventKind::ToolResult, &self.guardian.agent.id, text, now_ms())
        };
        self.guardian.listener.event(&told);
        Ok(answer)
    }

    /// A call that nobody makes before a person has allowed it. It stands in the incident.
    fn leave_to_a_person(&self, tool: &'static Tool, arguments: &Value) -> Result<ToolAnswer, StateError> {
        let question = format!("{}: `{} {arguments}`", tool.title, tool.name);
        self.enter(IncidentEntryKind::Waiting, tool.name, arguments)?;
        self.waiting.borrow_mut().push(tool.name);
        let event = |kind, content: &str| AgentEvent {
            tool_name: Some(tool.name.to_owned()),
            tool_params: Some(arguments.clone()),
            ..AgentEvent::new(kind, &self.guardian.agent.id, content, now_ms())
        };
        let listener = self.guardian.listener;
        listener.event(&event(EventKind::ToolCall, tool.name));
        let approval = ApprovalAsked { id: format!("incident-{}", self.incident), options: Vec::new() };
        listener
            .event(&AgentEvent { approval: Some(approval), ..event(EventKind::ApprovalRequired, &question) });
        let why = "a person has to allow it first; nothing was done";
        listener.event(&AgentEvent {
            success: Some(false),
            error: Some(why.to_owned()),
            ..event(EventKind::ToolResult, why)
        });
        Ok(ToolAnswer {
            text: why.to_owned(),
            is_error: true,
            need: Some(Need::Consent(question)),
            ..ToolAnswer::default()
        })
    }

    fn perform(&self, session: &str, tool: &str, arguments: Value) -> ToolAnswer {
        let Some(known) = find_tool(tool) else {
            return ToolAnswer {
                is_error: true,
                text: format!("there is no tool `{tool}`"),
                ..ToolAnswer::default()
            };
        };
        let arguments: Map<String, Value> = arguments.as_object().cloned().unwrap_or_default();
        let until = match tool {
            RELEASE_CONTROL => self.until.max(Instant::now() + TIME_TO_CLEAN_UP),
            _ => self.until,
        };
        let is_stopped = &|| Instant::now() >= until || (self.guardian.is_stopped)();
        if is_stopped() && tool != RELEASE_CONTROL {
            return ToolAnswer {
                is_error: true,
                text: "the time is over".to_owned(),
                ..ToolAnswer::default()
            };
        }
        let ask = |agreed: &Agreed| {
            let spec = CallSpec { session, agreed, tell: &|_| {}, is_stopped };
            call(known, arguments.clone(), self.guardian.program, &spec)
        };
        let answer = ask(&Agreed::Nothing);
        match &answer.need {
            // Whoever starts a watch agrees that it looks at browsers that are open, and to nothing else.
            Some(Need::Consent(question)) if tool == TAKE_CONTROL => ask(&Agreed::To(question.clone())),
            _ => answer,
        }
    }

    /// Keeps the picture of an answer beside the state.
    pub fn keep_picture(&self, answer: &ToolAnswer) -> Result<(), StateError> {
        let Some(picture) = &answer.picture else { return Ok(()) };
        let folder = self.guardian.evidence.join(self.incident.to_string());
        let file = folder.join(format!("event-{}.png", self.delivery.event.number));
        let written = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&file, &picture.bytes));
        match written {
            Ok(()) => {
                let body = json!({ "file": file.display().to_string() });
                self.enter(IncidentEntryKind::Evidence, "a picture of the device", &body)
            }
            Err(err) => self.enter(
                IncidentEntryKind::Failed,
                &format!("the picture could not be kept: {err}"),
                &Value::Null,
            ),
        }
    }

    /// What an earlier process had begun, so that nothing is done twice unseen.
    fn note_what_was_cut_off(&self, entries: &[IncidentEntry]) -> Result<(), StateError> {
        let mut open: Option<&str> = None;
        for entry in entries {
            match entry.kind {
                IncidentEntryKind::Begun => open = Some(&entry.text),
                IncidentEntryKind::Done | IncidentEntryKind::Failed if open == Some(entry.text.as_str()) => {
                    open = None
                }
                _ => {}
            }
        }
        let attempt = self.delivery.attempt;
        let text = match open {
            Some(tool) => format!(
                "attempt {attempt}: an earlier process ended during `{tool}`, which may have been done; it begins again"
            ),
            None => format!("attempt {attempt}: an earlier process ended between two steps; it begins again"),
        };
        self.enter(IncidentEntryKind::Note, &text, &Value::Null)
    }
}

fn now_ms() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}
