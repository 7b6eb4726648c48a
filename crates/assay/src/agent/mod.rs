//! `assay agent`: requests in plain words, with a model or without; agents that work by themselves; the agents and
//! skills that there are.

mod analyze;
mod ask;
mod console;
mod dialogue;
mod explain;
mod library;
mod names;
mod ruled;
mod runner;
mod sessions;
mod stats;
mod talk;
mod watch;
mod woken;

use std::process::ExitCode;

use assay_protocol::{Failure, Format};

use crate::command::Invocation;
use crate::environment::Environment;
use crate::output;

pub(crate) use analyze::{analysis_of, print_markdown};
pub use sessions::SessionOperation;
pub use talk::TalkOptions;

/// What an agent is to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AgentWork {
    Analyze { run: Option<String>, form: AnalysisForm },
    Discard { run: String, test: String },
    Watch { once: bool, model: Option<String> },
    Talk(AgentTalk),
    Library(LibraryQuestion),
}

/// What is asked of the agents and skills that there are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LibraryQuestion {
    List,
    Show { name: String },
    Check { files: Vec<String> },
    SkillList,
    SkillShow { name: String },
    SkillNew { name: String },
}

/// How a request is understood by rules.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AskOptions {
    pub agent: Option<String>,
    /// The user agrees to everything that needs a yes.
    pub is_agreed: bool,
    pub is_dry: bool,
    /// An earlier conversation to go on with.
    pub session: Option<i64>,
}

/// Conversations.
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
        AgentWork::Watch { once, model } => watch::watch(*once, model.as_deref(), invocation, environment),
        AgentWork::Talk(talk) => return converse(talk, invocation, environment),
        AgentWork::Library(question) => return look_up(question, json),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => output::print_failure(&failure, json),
    }
}

fn converse(talk: &AgentTalk, invocation: &Invocation, environment: &Environment) -> ExitCode {
    let done = match talk {
        AgentTalk::Converse { options } => match talk::has_model(options, environment) {
            Ok(true) => talk::converse(options, invocation, environment),
            Ok(false) => dialogue::converse(&options.by_rules(), invocation, environment).map(ExitCode::from),
            Err(failure) => Err(failure),
        },
        AgentTalk::Ask { request, options } => match talk::has_model(options, environment) {
            Ok(true) => talk::talk_once(request, options, invocation, environment),
            Ok(false) => ask::ask(request, &options.by_rules(), invocation, environment).map(ExitCode::from),
            Err(failure) => Err(failure),
        },
        AgentTalk::Sessions { operation, options } => {
            sessions::run(operation, options, invocation, environment)
        }
        AgentTalk::Stats => stats::run(invocation.format == Format::Json, environment),
    };
    ended(done, invocation.format == Format::Json)
}

fn look_up(question: &LibraryQuestion, json: bool) -> ExitCode {
    let done = match question {
        LibraryQuestion::List => library::list(json),
        LibraryQuestion::Show { name } => library::show(name, json),
        LibraryQuestion::Check { files } => library::check(files, json),
        LibraryQuestion::SkillList => library::skill_list(json),
        LibraryQuestion::SkillShow { name } => library::skill_show(name, json),
        LibraryQuestion::SkillNew { name } => library::skill_new(name, json),
    };
    ended(done.map(ExitCode::from), json)
}

fn ended(done: Result<ExitCode, Failure>, json: bool) -> ExitCode {
    done.unwrap_or_else(|failure| output::print_failure(&failure, json))
}
