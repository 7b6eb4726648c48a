//! `assay agent ask`: one request, one answer.

use std::collections::BTreeMap;

use assay_agent::{Bound, Given, Library, RuledEnd, TurnEnd, TurnSpec, turn};
use assay_coordinator::AgentSessionId;
use assay_host::state_failure;
use assay_protocol::{Failure, Format};
use assay_suite::Agent;
use serde_json::{Value, json};

use super::AskOptions;
use super::console::Console;
use super::library::{library_here, trouble};
use super::names::names;
use super::ruled::{RuledDesk, With, can_ask, tell_how_it_goes_on};
use super::runner::AgentRunner;
use crate::command::Invocation;
use crate::environment::Environment;
use crate::output::{print_json, print_line, tell};
use crate::{host, state};

pub fn ask(
    request: &str,
    options: &AskOptions,
    invocation: &Invocation,
    environment: &Environment,
) -> Result<u8, Failure> {
    let library = library_here()?;
    library.problems.iter().for_each(|problem| tell(&problem.to_string()));
    let agent = match &options.agent {
        Some(name) => library.agent(name).map_err(trouble)?,
        None => library.default_agent().map_err(trouble)?,
    };
    let json = invocation.format == Format::Json;
    let index = names(invocation, environment);
    let console = Console::of_request(json);
    let can_ask = can_ask(json);
    if options.is_dry {
        let spec = TurnSpec {
            library: &library,
            agent,
            is_trusted: is_trusted(&library, environment),
            index: &index,
            given: &Given::default(),
            is_dry: true,
        };
        let runner = AgentRunner::new(invocation, environment, None, options.is_agreed, can_ask);
        let end = turn(request, &spec, &runner, &console);
        show(&end, None, &who(&end, &library, agent).id, json, true);
        return Ok(end.exit_code);
    }
    let desk = RuledDesk::open(&library, agent, environment, options.is_agreed, can_ask)?;
    let session = match options.session {
        Some(number) => AgentSessionId(number),
        None => desk.new_session(request)?,
    };
    let runner = AgentRunner::new(invocation, environment, Some(session), options.is_agreed, can_ask);
    let with = With { index: &index, runner: &runner, listener: &console };
    let done = desk.say(session, request, with)?;
    show_turn(session, &done, &who(&done.end, &library, agent).id, json);
    Ok(done.end.exit_code)
}

/// Goes on with a session that was cut off, or that waited for a decision.
pub fn go_on(
    session: AgentSessionId,
    decision: Option<bool>,
    options: &AskOptions,
    invocation: &Invocation,
    environment: &Environment,
) -> Result<u8, Failure> {
    let library = library_here()?;
    let of_session = state::ask_here(environment)?.agent_session(session).map_err(state_failure)?.agent;
    let agent = library.agent(options.agent.as_deref().unwrap_or(&of_session)).map_err(trouble)?;
    let json = invocation.format == Format::Json;
    let can_ask = can_ask(json);
    let desk = RuledDesk::open(&library, agent, environment, options.is_agreed, can_ask)?;
    let index = names(invocation, environment);
    let runner = AgentRunner::new(invocation, environment, Some(session), options.is_agreed, can_ask);
    let console = Console::of_request(json);
    let with = With { index: &index, runner: &runner, listener: &console };
    let done = desk.resume(session, decision, with)?;
    if done.is_nothing && !json {
        tell(&format!("session {session} has nothing to go on with"));
        return Ok(0);
    }
    show_turn(session, &done, &who(&done.end, &library, agent).id, json);
    Ok(done.end.exit_code)
}

/// The agent that did it: another one may have taken over.
fn who<'l>(end: &TurnEnd, library: &'l Library, asked: &'l Agent) -> &'l Agent {
    end.skill.as_ref().map_or(asked, |skill| library.agent_for(skill, asked))
}

fn show_turn(session: AgentSessionId, done: &RuledEnd, agent: &str, json: bool) {
    show(&done.end, Some(session), agent, json, false);
    if !json {
        tell_how_it_goes_on(session, done);
        tell(&format!("session {session}"));
    }
}

fn show(end: &TurnEnd, session: Option<AgentSessionId>, agent: &str, json: bool, is_dry: bool) {
    if !json {
        return print_end(end, is_dry);
    }
    let mut answer = as_json(end, agent);
    if let Some(session) = session {
        answer["data"]["session"] = json!(session);
    }
    print_json(&answer);
}

pub fn is_trusted(library: &Library, environment: &Environment) -> bool {
    host::trusted(environment).contains(&library.folder)
}

pub fn print_end(end: &TurnEnd, is_dry: bool) {
    if let Some(question) = &end.question {
        if !end.answer.is_empty() && end.answer != question.text {
            print_line(&end.answer);
        }
        print_line(&question.text);
        for (number, candidate) in question.candidates.iter().enumerate() {
            print_line(&format!("  {}. {candidate}", number + 1));
        }
        return;
    }
    if is_dry && let Some(skill) = &end.skill {
        print_line(&format!("{skill} {}", Value::Object(values(&end.slots))));
        return;
    }
    print_line(&end.answer);
}

fn as_json(end: &TurnEnd, agent: &str) -> Value {
    let calls: Vec<Value> = end
        .calls
        .iter()
        .map(|call| {
            json!({
                "tool": call.tool, "arguments": call.arguments, "ok": call.ok, "result": call.value,
                "short": call.short, "duration_ms": call.duration_ms,
            })
        })
        .collect();
    let question = end.question.as_ref().map(
        |question| json!({ "text": question.text, "candidates": question.candidates, "slot": question.slot }),
    );
    json!({ "ok": matches!(end.exit_code, 0 | 1 | 3), "data": {
        "agent": agent, "skill": end.skill, "slots": values(&end.slots), "calls": calls,
        "answer": end.answer, "question": question,
    } })
}

/// One value as it is, several as a list.
fn values(slots: &BTreeMap<String, Vec<Bound>>) -> serde_json::Map<String, Value> {
    let value = |values: &Vec<Bound>| match values.as_slice() {
        [one] => one.value.clone(),
        several => several.iter().map(|bound| bound.value.clone()).collect(),
    };
    slots.iter().map(|(name, values)| (name.clone(), value(values))).collect()
}
