//! `tools` and `tool`: what agents can call, from a shell.

use std::process::ExitCode;

use assay_protocol::{Agreed, ErrorCode, Failure, Format};
use assay_tools::{CallSpec, Profile, Tool, call, find_tool, tools_of};
use serde_json::{Map, Value, json};

use crate::command::Invocation;
use crate::environment::Environment;
use crate::output::{print_failure, print_json, print_line, tell};
use crate::own_program::OwnProgram;

pub fn list(profile: Profile, invocation: &Invocation) -> ExitCode {
    let tools = tools_of(profile);
    if invocation.format == Format::Json {
        let tools: Vec<Value> = tools.iter().map(|tool| as_json(tool)).collect();
        print_json(&json!({ "ok": true, "data": { "tools": tools } }));
        return ExitCode::SUCCESS;
    }
    let width = tools.iter().map(|tool| tool.name.len()).max().unwrap_or(0);
    for tool in &tools {
        print_line(&format!("{:<width$}  {}", tool.name, tool.description));
        let arguments = arguments(&tool.input);
        if !arguments.is_empty() {
            print_line(&format!("{:<width$}  {}", "", arguments.join(", ")));
        }
    }
    ExitCode::SUCCESS
}

/// A tool as the Model Context Protocol describes one.
fn as_json(tool: &Tool) -> Value {
    let hints = tool.hints();
    json!({
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "group": tool.group.name(),
        "cost": tool.cost.name(),
        "inputSchema": tool.input,
        "outputSchema": tool.output,
        "annotations": {
            "readOnlyHint": hints.reads_only,
            "destructiveHint": hints.destroys,
            "idempotentHint": hints.is_idempotent,
            "openWorldHint": hints.is_open_world,
        },
    })
}

/// The names of the arguments; a mark on those that may be left out.
fn arguments(schema: &Map<String, Value>) -> Vec<String> {
    let required: Vec<&str> = schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let names = schema.get("properties").and_then(Value::as_object).into_iter().flat_map(Map::keys);
    let marked =
        |name: &String| if required.contains(&name.as_str()) { name.clone() } else { format!("{name}?") };
    names.map(marked).collect()
}

/// `assay tool NAME JSON`, for tools that are no verbs of the browser: those answer as their verbs do.
pub fn run(
    name: &str,
    arguments: &Map<String, Value>,
    invocation: &Invocation,
    environment: &Environment,
) -> ExitCode {
    let Some(tool) = find_tool(name) else {
        let failure = Failure::new(ErrorCode::Usage, format!("there is no tool `{name}`"));
        return print_failure(&failure, invocation.format == Format::Json);
    };
    let program = OwnProgram::of_user(invocation, environment);
    let spec = CallSpec {
        session: &invocation.session,
        agreed: if environment.allows_destructive { &Agreed::Everything } else { &Agreed::Nothing },
        tell: &|line| tell(line),
        is_stopped: &|| false,
    };
    let answer = call(tool, arguments.clone(), &program, &spec);
    match (invocation.format, &answer.value) {
        (Format::Json, value) => {
            print_json(&json!({ "ok": !answer.is_error, "data": { "text": answer.text, "value": value } }));
        }
        (Format::Text, Some(value)) => print_json(value),
        (Format::Text, None) if answer.is_error => tell(&answer.text),
        (Format::Text, None) => print_line(&answer.text),
    }
    match (answer.exit_code, answer.is_error) {
        (0, true) => ExitCode::from(ErrorCode::Usage.exit_code()),
        (code, _) => ExitCode::from(code),
    }
}
