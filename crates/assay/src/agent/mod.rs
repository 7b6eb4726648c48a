//! `assay agent`: conversations with agents, and what they cost.

mod console;
mod sessions;
mod stats;
mod talk;

use std::process::ExitCode;

use assay_protocol::Format;

use crate::command::Invocation;
use crate::environment::Environment;
use crate::output;

pub use sessions::SessionOperation;
pub use talk::TalkOptions;

#[derive(Debug, Clone, PartialEq)]
pub enum AgentOperation {
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

pub fn run(operation: &AgentOperation, invocation: &Invocation, environment: &Environment) -> ExitCode {
    let json = invocation.format == Format::Json;
    let done = match operation {
        AgentOperation::Converse { options } => talk::converse(options, invocation, environment),
        AgentOperation::Ask { request, options } => {
            talk::talk_once(request, options, invocation, environment)
        }
        AgentOperation::Sessions { operation, options } => {
            sessions::run(operation, options, invocation, environment)
        }
        AgentOperation::Stats => stats::run(json, environment),
    };
    match done {
        Ok(code) => code,
        Err(failure) => output::print_failure(&failure, json),
    }
}
