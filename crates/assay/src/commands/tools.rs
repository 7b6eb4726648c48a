//! Commands about tools: what coding agents call, from a shell and over the Model Context Protocol.

use assay_enrol::Client;
use assay_protocol::actions::{ACTIONS, Arguments, Flag, UsageError};
use assay_protocol::{ErrorCode, Failure};
use assay_tools::{Profile, find_tool};
use serde_json::{Map, Value};

use super::{CommandEntry, command};
use crate::argv::{standard_input, with_surroundings};
use crate::command::Command;
use crate::enrol::EnrolOptions;
use crate::mcp::McpOptions;

const PROFILE: Flag = Flag::value("profile", "NAME", "which tools: cli, browser, tests, agents or all");

pub(super) const TOOLS: CommandEntry = command(
    "tools",
    "",
    "List the tools for agents with their arguments; with --json as JSON Schemas",
    "assay tools --json",
    |words| Ok(Command::Tools { profile: profile(words)?.unwrap_or(Profile::All) }),
)
.flags(&[PROFILE]);

pub(super) const TOOL: CommandEntry = command(
    "tool",
    "NAME [JSON]",
    "Call a tool with its arguments as a JSON object; `-` reads them from standard input",
    "assay tool click '{\"target\": \"Log in\"}'",
    |words| {
        let name = words.at(0);
        let arguments = || arguments(words.optional(1));
        if let Some(entry) = ACTIONS.iter().find(|entry| entry.name() == name) {
            let action = entry.read_tool(arguments()?);
            let action = action
                .map_err(|err| Failure::new(ErrorCode::Usage, err.to_string()).hint("assay tools --json"))?;
            return Ok(Command::Act(with_surroundings(action)?));
        }
        if find_tool(name).is_none() {
            return Err(
                Failure::new(ErrorCode::Usage, format!("there is no tool `{name}`")).hint("assay tools")
            );
        }
        Ok(Command::Tool { name: name.to_string(), arguments: arguments()? })
    },
);

pub(super) const MCP: CommandEntry = command(
    "mcp",
    "[install]",
    "Serve the tools to a coding agent over the Model Context Protocol, or enter the server into its settings",
    "assay mcp install --client cursor",
    |words| match words.optional(0) {
        None => serving(words),
        Some("install") => enrolment(words),
        Some(_) => Err(words.wrong_word("install, or nothing").into()),
    },
)
.flags(&[
    PROFILE,
    Flag::value("http", "ADDRESS", "serve over HTTP at this address, instead of the standard streams"),
    Flag::switch("allow-destructive", "let clients pay, delete and run code in pages without asking their user"),
    Flag::value("client", "NAMES", "with install: the agents, such as cursor or claude-code, separated by commas"),
    Flag::switch("all", "with install: every agent that is installed here"),
    Flag::switch("project", "with install: only in this project"),
    Flag::switch("undo", "with install: take the entry out again"),
]);

fn serving(words: &Arguments<'_>) -> Result<Command, Failure> {
    if let Some(flag) = ["client", "all", "project", "undo"].into_iter().find(|flag| words.has(flag)) {
        let failure = Failure::new(ErrorCode::Usage, format!("--{flag} goes with `assay mcp install`"));
        return Err(failure.hint("assay mcp install --help"));
    }
    let http = words.flag("http").map(str::parse).transpose();
    let http = http.map_err(|_| {
        UsageError::wrong_value("an address such as 127.0.0.1:7358", words.flag("http").unwrap_or_default())
    })?;
    Ok(Command::Mcp(McpOptions {
        profile: profile(words)?.unwrap_or(Profile::Browser),
        http,
        allows_destructive: words.has("allow-destructive"),
    }))
}

fn enrolment(words: &Arguments<'_>) -> Result<Command, Failure> {
    let names = words.flag("client").unwrap_or_default();
    let known = || {
        let names: Vec<&str> = Client::ALL.iter().map(|client| client.name()).collect();
        format!("agents: {}", names.join(", "))
    };
    let clients = names.split(',').map(str::trim).filter(|name| !name.is_empty()).map(|name| {
        let unknown = || Failure::new(ErrorCode::Usage, format!("no agent is called `{name}`")).hint(known());
        Client::named(name).ok_or_else(unknown)
    });
    let clients = clients.collect::<Result<Vec<Client>, Failure>>()?;
    if clients.is_empty() != words.has("all") {
        return Err(Failure::new(ErrorCode::Usage, "expected --client NAME or --all").hint(known()));
    }
    let arguments = match profile(words)? {
        Some(profile) => vec!["mcp".to_string(), "--profile".to_string(), profile.name().to_string()],
        None => vec!["mcp".to_string()],
    };
    let allowing = words.has("allow-destructive").then(|| "--allow-destructive".to_string());
    let arguments = arguments.into_iter().chain(allowing).collect();
    Ok(Command::Enrol(EnrolOptions {
        clients,
        in_project: words.has("project"),
        undo: words.has("undo"),
        arguments,
    }))
}

fn profile(words: &Arguments<'_>) -> Result<Option<Profile>, Failure> {
    let Some(name) = words.flag("profile") else { return Ok(None) };
    let wrong = || UsageError::wrong_value("cli, browser, tests, agents or all after --profile", name);
    Profile::named(name).map(Some).ok_or_else(|| wrong().into())
}

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
