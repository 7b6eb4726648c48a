//! Commands about tools: what coding agents call, from a shell.

use assay_protocol::actions::ACTIONS;
use assay_protocol::{ErrorCode, Failure};
use serde_json::{Map, Value};

use super::{CommandEntry, command};
use crate::argv::{standard_input, with_surroundings};
use crate::command::Command;

pub(super) const TOOLS: CommandEntry = command(
    "tools",
    "",
    "List the tools for agents with their arguments; with --json as JSON Schemas",
    "assay tools --json",
    |_| Ok(Command::Tools),
);

pub(super) const TOOL: CommandEntry = command(
    "tool",
    "NAME [JSON]",
    "Call a tool with its arguments as a JSON object; `-` reads them from standard input",
    "assay tool click '{\"target\": \"Log in\"}'",
    |words| {
        let name = words.at(0);
        let Some(entry) = ACTIONS.iter().find(|entry| entry.name() == name) else {
            return Err(
                Failure::new(ErrorCode::Usage, format!("there is no tool `{name}`")).hint("assay tools")
            );
        };
        let action = entry.read_tool(arguments(words.optional(1))?);
        let action = action
            .map_err(|err| Failure::new(ErrorCode::Usage, err.to_string()).hint("assay tools --json"))?;
        Ok(Command::Act(with_surroundings(action)?))
    },
);

fn arguments(text: Option<&str>) -> Result<Map<String, Value>, Failure> {
    let wrong = |why: String| Failure::new(ErrorCode::Usage, why).hint("assay tools --json");
    let text = match text {
        None => return Ok(Map::new()),
        Some("-") => standard_input()?,
        Some(text) => text.to_string(),
    };
    match serde_json::from_str(&text) {
        Ok(Value::Object(arguments)) => Ok(arguments),
        Ok(_) => Err(wrong("the arguments of a tool are a JSON object".to_string())),
        Err(err) => Err(wrong(format!("the arguments are not valid JSON: {err}"))),
    }
}
