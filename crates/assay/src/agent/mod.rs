//! `assay agent`: agents that work by themselves, and conversations with agents.

mod analyze;
mod console;
mod sessions;
mod stats;
mod talk;
mod watch;

use std::process::ExitCode;

use assay_protocol::Format;

use crate::command::Invocation;
use crate::environment::Environment;
use crate::output;

pub use sessions::SessionOperation;
pub use talk::TalkOptions;

/// What an agent is to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AgentWork {
    Analyze { run: Option<String>, form: AnalysisForm },
    Discard { run: String, test: String },
    Watch { once: bool },
    Talk(AgentTalk),
}

/// Conversations with a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AgentTalk {
    /// A conversation at the terminal.
    Converse {
        options: TalkOptions,
    },
    Ask {
        request: String,
        options: TalkOptions,
    },
    Sessions {
        operation: SessionOperation,
        options: TalkOptions,
    },
    /// What questions to models used, by skill.
    Stats,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnalysisForm {
    Markdown,
    Html { file: String },
}

pub fn run(work: &AgentWork, invocation: &Invocation, environment: &Environment) -> ExitCode {
    let json = invocation.format == Format::Json;
    let done = match work {
        AgentWork::Analyze { run, form } => analyze::analyze(run.as_deref(), form, json, environment),
        AgentWork::Discard { run, test } => analyze::discard(run, test, json, environment),
        AgentWork::Watch { once } => watch::watch(*once, invocation, environment),
        AgentWork::Talk(talk) => return converse(talk, invocation, environment),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => output::print_failure(&failure, json),
    }
}

fn converse(talk: &AgentTalk, invocation: &Invocation, environment: &Environment) -> ExitCode {
    let json = invocation.format == Format::Json;
    let done = match talk {
        AgentTalk::Converse { options } => talk::converse(options, invocation, environment),
        AgentTalk::Ask { request, options } => talk::talk_once(request, options, invocation, environment),
        AgentTalk::Sessions { operation, options } => {
            sessions::run(operation, options, invocation, environment)
        }
        AgentTalk::Stats => stats::run(json, environment),
    };
    match done {
        Ok(code) => code,
        Err(failure) => output::print_failure(&failure, json),
    }
}
