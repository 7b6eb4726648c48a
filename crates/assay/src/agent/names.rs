//! The names that exist here, as the tools that list them know them.

use std::collections::HashMap;

use assay_agent::NameIndex;
use assay_protocol::Agreed;
use assay_tools::{CallSpec, ToolAnswer, call, find_tool};
use serde_json::{Map, Value, json};

use crate::command::Invocation;
use crate::environment::Environment;
use crate::output::tell;
use crate::own_program::OwnProgram;

const LISTS: &[&str] = &[
    "list_scripts",
    "list_testcases",
    "list_hosts",
    "list_userinterfaces",
    "list_requirements",
    "list_trees",
    "list_runs",
];

/// Warns about a list that cannot be read: its names will be missing.
pub fn names(invocation: &Invocation, environment: &Environment) -> NameIndex {
    let listed = |name: &&'static str| -> Option<(&'static str, ToolAnswer)> {
        let program = OwnProgram::of_user(invocation, environment);
        let spec = CallSpec {
            session: &invocation.session,
            agreed: &Agreed::Nothing,
            tell: &|_| {},
            is_stopped: &|| false,
        };
        let arguments = match *name {
            "list_runs" => json!({ "limit": 200 }),
            _ => json!({}),
        };
        let arguments = arguments.as_object().cloned().unwrap_or_else(Map::new);
        Some((*name, call(find_tool(name)?, arguments, &program, &spec)))
    };
    // Each is a process of its own: they can all work at once.
    let answers: HashMap<&str, ToolAnswer> = std::thread::scope(|scope| {
        let threads: Vec<_> = LISTS.iter().map(|name| scope.spawn(move || listed(name))).collect();
        threads.into_iter().filter_map(|thread| thread.join().ok().flatten()).collect()
    });
    for (name, answer) in answers.iter().filter(|(_, answer)| answer.value.is_none()) {
        let why = answer.text.lines().next().unwrap_or_default();
        if !why.contains("no tests") && !why.contains("no such file") {
            tell(&format!("note: {name}: {why}"));
        }
    }
    NameIndex::from_answers(&|name: &str| -> Option<Value> { answers.get(name)?.value.clone() })
}
