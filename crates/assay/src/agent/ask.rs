//! `assay agent ask`: one request, one answer.

use std::collections::BTreeMap;
use std::io::IsTerminal;

use assay_agent::{Bound, Given, Library, TurnEnd, TurnSpec, turn};
use assay_protocol::{Failure, Format};
use serde_json::{Value, json};

use super::AskOptions;
use super::console::Console;
use super::library::{library_here, trouble};
use super::names::names;
use super::runner::AgentRunner;
use crate::command::Invocation;
use crate::environment::Environment;
use crate::host;
use crate::output::{print_json, print_line, tell};

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
    let spec = TurnSpec {
        library: &library,
        agent,
        is_trusted: is_trusted(&library, environment),
        index: &names(invocation, environment),
        given: &Given::default(),
        is_dry: options.is_dry,
    };
    let can_ask = std::io::stdin().is_terminal() && std::io::stderr().is_terminal() && !json;
    let runner = AgentRunner::new(invocation, environment, options.is_agreed, can_ask);
    let end = turn(request, &spec, &runner, &Console { is_silent: json });
    if json {
        // Another agent may have taken over.
        let agent = end.skill.as_ref().map_or(agent, |skill| library.agent_for(skill, agent));
        print_json(&as_json(&end, &agent.id));
    } else {
        print_end(&end, options.is_dry);
    }
    Ok(end.exit_code)
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
