//! `tools`: what agents can call, with the arguments of each.

use std::process::ExitCode;

use assay_protocol::Format;
use assay_protocol::actions::{ACTIONS, ActionEntry, EffectClass};
use serde_json::{Value, json};

use crate::command::Invocation;
use crate::output::{print_json, print_line};

pub fn list(invocation: &Invocation) -> ExitCode {
    if invocation.format == Format::Json {
        let tools: Vec<Value> = ACTIONS.iter().map(|entry| tool(entry)).collect();
        print_json(&json!({ "ok": true, "data": { "tools": tools } }));
        return ExitCode::SUCCESS;
    }
    for entry in ACTIONS {
        print_line(&format!("{:<12} {}", entry.name(), entry.syntax.summary));
        let arguments = arguments(&entry.tool_parameters());
        if !arguments.is_empty() {
            print_line(&format!("{:<12} {}", "", arguments.join(", ")));
        }
    }
    ExitCode::SUCCESS
}

/// A tool as the Model Context Protocol describes one.
fn tool(entry: &ActionEntry) -> Value {
    json!({
        "name": entry.name(),
        "description": entry.syntax.summary,
        "inputSchema": entry.tool_parameters(),
        "annotations": {
            "readOnlyHint": entry.effect == EffectClass::Reads,
            "destructiveHint": entry.effect == EffectClass::Commits,
            "idempotentHint": entry.effect == EffectClass::Reads,
            "openWorldHint": true,
        },
    })
}

/// The names of the arguments; a mark on those that may be left out.
fn arguments(schema: &Value) -> Vec<String> {
    let required: Vec<&str> =
        schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let names = schema["properties"].as_object().into_iter().flat_map(|properties| properties.keys());
    let marked =
        |name: &String| if required.contains(&name.as_str()) { name.clone() } else { format!("{name}?") };
    names.map(marked).collect()
}
