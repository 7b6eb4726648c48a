//! `assay mcp install`: the server in the configuration files of coding agents.

use std::process::ExitCode;

use assay_enrol::{
    Change, Client, EnrolError, Memory, Places, Platform, Scope, Server, What, apply, detect, plan, remove,
};
use assay_protocol::{ErrorCode, Failure, Format};
use serde_json::json;

use crate::command::Invocation;
use crate::environment::Environment;
use crate::host::here;
use crate::output::{print_failure, print_json, print_line, tell};

/// Which agents, and what is done in their files.
#[derive(Debug, Clone, PartialEq)]
pub struct EnrolOptions {
    /// Empty: every agent that is installed.
    pub clients: Vec<Client>,
    pub in_project: bool,
    pub undo: bool,
    /// What follows `assay` in the entry.
    pub arguments: Vec<String>,
}

const NAME: &str = "assay";

pub fn run(options: &EnrolOptions, invocation: &Invocation, environment: &Environment) -> ExitCode {
    let is_json = invocation.format == Format::Json;
    match carry_out(options, environment, is_json) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => print_failure(&failure, is_json),
    }
}

fn carry_out(options: &EnrolOptions, environment: &Environment, is_json: bool) -> Result<(), Failure> {
    let Some(home) = environment.home.clone() else {
        return Err(Failure::new(
            ErrorCode::Usage,
            "HOME is not set, so the files of agents cannot be found",
        ));
    };
    let places = Places {
        project: here()?,
        home,
        config: environment.user_configuration.clone(),
        platform: Platform::HERE,
    };
    let clients = if options.clients.is_empty() { detect(&places) } else { options.clients.clone() };
    if clients.is_empty() {
        return Err(Failure::new(ErrorCode::Usage, "no coding agent was found here")
            .hint("assay mcp install --client NAME"));
    }
    let scope = if options.in_project { Scope::Project } else { Scope::User };
    let server =
        Server { name: NAME.to_string(), command: NAME.to_string(), args: options.arguments.clone() };
    let memory = match environment.configuration.clone() {
        Some(folder) => Memory::in_folder(folder.join("enrolled")),
        None => return Err(Failure::new(ErrorCode::Usage, "HOME is not set, so nothing can be kept")),
    };
    let change_of = |client: Client| match options.undo {
        true => memory.undo(remove(client, scope, &places, NAME)?),
        false => plan(client, scope, &places, &server),
    };
    // What a file said is kept before it says something else.
    let make = |change: Change| {
        memory.remember(&change)?;
        apply(&change)?;
        if options.undo {
            memory.forget(&change.file);
        }
        Ok(change)
    };
    let mut done = Vec::new();
    let mut refused = None;
    for client in clients {
        let change = match change_of(client) {
            // With --all, an agent without a file for projects is none of those meant.
            Err(EnrolError::NoProjectFile { .. }) if options.clients.is_empty() => continue,
            change => change,
        };
        // One file that cannot be edited does not keep the others.
        match change.and_then(make) {
            Ok(change) => done.push((client, change)),
            Err(err) => {
                // The first is told at the end.
                match &refused {
                    Some(_) => tell(&failure_of(&err).to_text()),
                    None => refused = Some(failure_of(&err)),
                }
            }
        }
    }
    if is_json && refused.is_none() {
        let files: Vec<_> = done.iter().map(|(client, change)| as_json(*client, change)).collect();
        print_json(&json!({ "ok": true, "data": { "files": files } }));
    } else if !is_json {
        for (client, change) in &done {
            show(*client, change);
        }
    }
    match refused {
        Some(failure) => Err(failure),
        None => Ok(()),
    }
}

fn failure_of(err: &EnrolError) -> Failure {
    let failure = Failure::new(ErrorCode::Io, err.to_string());
    match err.hint() {
        Some(hint) => failure.hint(hint),
        None => failure,
    }
}

fn word(change: &Change) -> &'static str {
    match change.what {
        What::Nothing => "unchanged",
        What::Added => "added",
        What::Updated => "updated",
        What::Removed => "removed",
        What::Restored => "restored",
    }
}

fn show(client: Client, change: &Change) {
    print_line(&format!("{}: {} in {}", client.title(), word(change), change.file.display()));
    if change.what != What::Nothing {
        print_line(change.diff().trim_end());
    }
}

fn as_json(client: Client, change: &Change) -> serde_json::Value {
    json!({ "client": client.name(), "file": change.file, "change": word(change) })
}
