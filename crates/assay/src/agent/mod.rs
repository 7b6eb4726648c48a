//! `assay agent`: requests in plain words, and the agents and skills that there are.

mod ask;
mod console;
mod library;
mod names;
mod runner;
mod talk;

use std::process::ExitCode;

use assay_protocol::{Failure, Format};

use crate::command::Invocation;
use crate::environment::Environment;
use crate::output;

#[derive(Debug, Clone, PartialEq)]
pub enum AgentOperation {
    /// A conversation in the terminal.
    Talk(AskOptions),
    Ask {
        request: String,
        options: AskOptions,
    },
    List,
    Show {
        name: String,
    },
    Check {
        files: Vec<String>,
    },
    SkillList,
    SkillShow {
        name: String,
    },
    SkillNew {
        name: String,
    },
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct AskOptions {
    pub agent: Option<String>,
    /// The user agrees to everything that needs a yes.
    pub is_agreed: bool,
    pub is_dry: bool,
}

pub fn run(operation: &AgentOperation, invocation: &Invocation, environment: &Environment) -> ExitCode {
    let json = invocation.format == Format::Json;
    let done: Result<u8, Failure> = match operation {
        AgentOperation::Talk(options) => talk::talk(options, invocation, environment),
        AgentOperation::Ask { request, options } => ask::ask(request, options, invocation, environment),
        AgentOperation::List => library::list(json),
        AgentOperation::Show { name } => library::show(name, json),
        AgentOperation::Check { files } => library::check(files, json),
        AgentOperation::SkillList => library::skill_list(json),
        AgentOperation::SkillShow { name } => library::skill_show(name, json),
        AgentOperation::SkillNew { name } => library::skill_new(name, json),
    };
    match done {
        Ok(code) => ExitCode::from(code),
        Err(failure) => output::print_failure(&failure, json),
    }
}
