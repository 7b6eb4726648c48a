//! What an event makes an agent do that has no rules of its own: the workflow of one of its skills.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use assay_agent::{Bound, CallMade, Given, Library, NameIndex, RuledEnd, TurnEnd, TurnSpec, turn};
use assay_coordinator::{AgentSessionId, Coordinator, Delivery};
use assay_protocol::{BusEvent, Failure, TaskId};
use assay_report::one_line;
use assay_suite::{Agent, Skill, SlotKind};
use assay_tools::find_tool;
use serde_json::Value;

use super::console::Console;
use super::names::names;
use super::ruled::{RuledDesk, With};
use super::runner::AgentRunner;
use crate::command::Invocation;
use crate::environment::Environment;

/// The runs that agents began themselves: an agent whose run wakes it would never end.
#[derive(Default)]
pub(super) struct OwnRuns(Mutex<BTreeSet<(String, String)>>);

impl OwnRuns {
    pub fn note(&self, agent: &str, end: &TurnEnd) {
        let acts = |call: &&CallMade| find_tool(&call.tool).is_some_and(|tool| !tool.effects.reads_only);
        let runs = end.calls.iter().filter(acts).filter_map(|call| call.value.as_ref()?.get("run")?.as_str());
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.extend(runs.map(|run| (agent.to_string(), run.to_string())));
    }

    pub fn has(&self, agent: &str, event: &BusEvent, coordinator: &Coordinator) -> bool {
        let Some(number) = event.payload["run"].as_i64() else { return false };
        let Ok(record) = coordinator.run(TaskId(number)) else { return false };
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.contains(&(agent.to_string(), record.run.clone()))
    }
}

/// Carries out the first skill of the agent that has all it needs, as a turn of a session of its own. Nobody is there to
/// be asked: a session that needs somebody waits. An event that comes again goes on with its session, so that nothing
/// is done twice unseen.
pub(super) fn work(
    agent: &Agent,
    delivery: &Delivery,
    library: &Library,
    invocation: &Invocation,
    environment: &Environment,
) -> Result<Worked, Failure> {
    let event = &delivery.event;
    let mut desk = RuledDesk::open(library, agent, environment, false, false)?;
    desk.is_of_event = true;
    let index = names(invocation, environment);
    let title = format!("event {} {}", event.number, event.event_type);
    let before = match delivery.attempt {
        0 | 1 => None,
        _ => desk.session_called(&title)?,
    };
    let session = match before {
        Some(before) => before,
        None => desk.new_session(&title)?,
    };
    let runner = AgentRunner::new(invocation, environment, Some(session), false, false);
    let console = Console::of_request(false);
    let with = || With { index: &index, runner: &runner, listener: &console };
    if before.is_some() {
        let done = desk.resume(session, None, with())?;
        if !done.is_nothing {
            return Ok(Worked { session, done, was_done: false });
        }
        if desk.was_used(session)? {
            return Ok(Worked { session, done, was_done: true });
        }
    }
    let given = given(agent, event, library, &index, &runner);
    let done = desk.ask(session, "", &given, with())?;
    Ok(Worked { session, done, was_done: false })
}

/// What came of an event.
pub(super) struct Worked {
    pub session: AgentSessionId,
    pub done: RuledEnd,
    /// An earlier process had done it, and ended before it said so.
    pub was_done: bool,
}

/// The first skill that has all it needs, with the values of the event; the last one, if none has.
fn given(
    agent: &Agent,
    event: &BusEvent,
    library: &Library,
    index: &NameIndex,
    runner: &AgentRunner<'_>,
) -> Given {
    let mut given = Given::default();
    for skill in candidates(agent, event, library) {
        given = Given { skill: Some(skill.name.clone()), slots: slots(skill, event, index) };
        // Only agents of trusted projects are woken.
        let spec = TurnSpec { library, agent, is_trusted: true, index, given: &given, is_dry: true };
        if turn("", &spec, runner, &()).question.is_none() {
            break;
        }
    }
    given
}

/// The skill that the event names, or one that it calls for by its type, or all of them in their order.
fn candidates<'l>(agent: &Agent, event: &BusEvent, library: &'l Library) -> Vec<&'l Skill> {
    let skills = library.skills_of(agent);
    let named = |skill: &&&Skill| event.payload["skill"].as_str() == Some(skill.name.as_str());
    let called = |skill: &&&Skill| skill.triggers.contains(&event.event_type);
    match skills.iter().find(named).or_else(|| skills.iter().find(called)) {
        Some(skill) => vec![*skill],
        None => skills,
    }
}

/// Values of the event for the slots of a skill: fields of the same name, and the device that it is about.
fn slots(skill: &Skill, event: &BusEvent, index: &NameIndex) -> BTreeMap<String, Vec<Bound>> {
    let mut slots = BTreeMap::new();
    for slot in &skill.slots {
        let value = match event.payload.get(&slot.name) {
            None if slot.kind == SlotKind::Device && !event.device.is_empty() => {
                Value::String(event.device.clone())
            }
            None | Some(Value::Null) => continue,
            Some(value) => value.clone(),
        };
        let values = match value {
            Value::Array(values) if slot.is_many => values,
            value => vec![value],
        };
        let bound = values.into_iter().map(|value| {
            let name = value.as_str().map_or_else(|| value.to_string(), str::to_string);
            let known = index.of(slot.kind).find(|known| known.name == name);
            Bound { value, facts: known.map(|known| known.facts.clone()).unwrap_or_default() }
        });
        slots.insert(slot.name.clone(), bound.collect());
    }
    slots
}

pub(super) fn line(agent: &Agent, event: &BusEvent, worked: &Worked) -> String {
    let end = &worked.done.end;
    let said = match (&end.question, worked.was_done) {
        (_, true) => "an earlier process had done it, and ended before it said so".to_string(),
        (Some(question), false) if worked.done.waits => {
            format!("waits for `assay agent sessions approve {}`: {}", worked.session, question.text)
        }
        (Some(question), false) => format!("nothing was done: {}", question.text),
        (None, false) => end.answer.clone(),
    };
    let skill = end.skill.as_deref().unwrap_or("no skill");
    format!("event {} {} → {} ({skill}): {}", event.number, event.event_type, agent.nickname, one_line(&said))
}
