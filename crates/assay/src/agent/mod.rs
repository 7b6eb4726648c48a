//! `assay agent`: agents that work by themselves.

mod analyze;
mod watch;

use std::process::ExitCode;

use assay_protocol::Format;

use crate::command::Invocation;
use crate::environment::Environment;
use crate::output;

/// What an agent is to do without a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AgentWork {
    Analyze { run: Option<String>, form: AnalysisForm },
    Discard { run: String, test: String },
    Watch { once: bool },
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
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => output::print_failure(&failure, json),
    }
}
