//! The binary: argv in, the right part of assay called, output and exit code out.

mod agent;
mod argv;
mod backup;
mod batch;
mod catalogue;
mod command;
mod commands;
mod completions;
mod connect;
mod coverage;
mod daemon;
mod device;
mod doctor;
mod engines;
mod enrol;
mod environment;
mod event;
mod following;
mod guest_lines;
mod heal;
mod help;
mod hidden;
mod history;
mod host;
mod incident;
mod init;
mod live_page;
mod mcp;
mod models;
mod navigation;
mod output;
mod own_program;
mod plan;
mod remote;
mod report;
mod requirement;
mod run;
mod script;
mod sentence;
mod serve;
mod serve_check;
mod setup;
mod skill;
mod state;
mod task;
mod tools;
mod trust;
mod twin;

use std::process::ExitCode;

use crate::command::{Command, ReferencePage};

fn main() -> ExitCode {
    // A reader that goes away (`assay map | head`) ends us quietly, as it does other tools.
    // SAFETY: sets a signal's disposition before any thread exists.
    unsafe { libc::signal(libc::SIGPIPE, libc::SIG_DFL) };
    let arguments: Vec<String> = match collect_arguments() {
        Ok(arguments) => arguments,
        Err(failure) => return output::print_failure(&failure, output::wants_json()),
    };
    if let Some(code) = daemon::run_if_asked(&arguments) {
        return code;
    }
    let environment = match environment::Environment::read() {
        Ok(environment) => environment,
        Err(failure) => return output::print_failure(&failure, output::wants_json()),
    };
    let invocation = match argv::parse(&arguments, &environment) {
        Ok(invocation) => invocation,
        Err(failure) => return output::print_failure(&failure, output::wants_json()),
    };
    match &invocation.command {
        Command::Help { verb } => help::print(verb.as_deref()),
        Command::Version => {
            println!("assay {}", environment::VERSION);
            ExitCode::SUCCESS
        }
        Command::Reference(page) => {
            let page = match page {
                ReferencePage::Verbs => help::reference(),
                ReferencePage::Engines => engines::table(),
                ReferencePage::Sentences => help::sentences(),
            };
            print!("{page}");
            ExitCode::SUCCESS
        }
        Command::Completions { shell } => completions::print(shell),
        Command::Act(_) => connect::act(&invocation, &environment),
        Command::Run(options) => run::run(options, &invocation, &environment),
        Command::Resume { which, granularity, repeats } => {
            run::resume(which.as_deref(), *granularity, *repeats, &invocation, &environment)
        }
        Command::Twin(options) => twin::run(options, &invocation, &environment),
        Command::Explore(options) => navigation::explore(options, &invocation, &environment),
        Command::Goto(options) => navigation::goto(options, &invocation, &environment),
        Command::Tree(operation) => navigation::tree(operation, &invocation, &environment),
        Command::Plan(options) => plan::run(options, &invocation, &environment),
        Command::Past(question) => history::run(question, &invocation, &environment),
        Command::Backup(operation) => backup::run(operation, &invocation, &environment),
        Command::Agent(work) => agent::run(work, &invocation, &environment),
        Command::Event(operation) => event::run(operation, &invocation, &environment),
        Command::Incident(operation) => incident::run(operation, &invocation, &environment),
        Command::Heal(order) => heal::run(order, &invocation, &environment),
        Command::Report(operation) => report::run(operation, &invocation, &environment),
        Command::Task(operation) => task::run(operation, &invocation, &environment),
        Command::Init { folder } => init::run(folder.as_deref(), &invocation),
        Command::Schema(kind) => init::schema(*kind),
        Command::Coverage(options) => coverage::run(options, &invocation, &environment),
        Command::Requirement(operation) => requirement::run(operation, &invocation, &environment),
        Command::Script(operation) => script::run(operation, &invocation, &environment),
        Command::Trust { folder } => {
            trust::run(folder.as_deref(), &environment, invocation.format == assay_protocol::Format::Json)
        }
        Command::Model(operation) => models::run(operation, &invocation, &environment),
        Command::Do { sentence } => sentence::run(sentence, &invocation, &environment),
        Command::Batch { bail } => batch::run(&invocation, &environment, *bail),
        Command::Daemon(operation) => daemon::control(*operation, &invocation, &environment),
        Command::Device(operation) => device::run(operation, &invocation, &environment),
        Command::SessionList => daemon::list(&invocation, &environment),
        Command::SessionStop { name, all } => {
            daemon::stop_named(name.as_deref(), *all, &invocation, &environment)
        }
        Command::Doctor => doctor::run(&invocation, &environment),
        Command::Setup { all, dry_run } => setup::run(&invocation, *all, *dry_run),
        Command::Tools { profile } => tools::list(*profile, &invocation),
        Command::Tool { name, arguments } => tools::run(name, arguments, &invocation, &environment),
        Command::Serve(operation) => serve::run(operation, &invocation, &environment),
        Command::Mcp(options) => mcp::run(options, &invocation, &environment),
        Command::Enrol(options) => enrol::run(options, &invocation, &environment),
        Command::Skill(operation) => skill::run(operation, &invocation, &environment),
    }
}

/// Arguments that are not text cannot name anything on a page.
fn collect_arguments() -> Result<Vec<String>, assay_protocol::Failure> {
    std::env::args_os()
        .skip(1)
        .map(|argument| {
            argument.into_string().map_err(|raw| {
                assay_protocol::Failure::new(
                    assay_protocol::ErrorCode::Usage,
                    format!("expected text (UTF-8), found `{}`", raw.to_string_lossy()),
                )
            })
        })
        .collect()
}
