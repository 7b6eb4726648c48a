//! `assay twin`: two builds compared by the same tests.

use std::path::PathBuf;
use std::process::ExitCode;

use assay_host::{LockMode, ModelOptions, News, StartCommand, TestChoice, TwinEnd, TwinSpec, twin_words};
use assay_protocol::{ErrorCode, Failure, Format};
use serde_json::json;

use crate::command::Invocation;
use crate::connect::oneshot_settings;
use crate::environment::Environment;
use crate::following::follow;
use crate::{host, output};

/// What the command line says.
#[derive(Debug, Clone, PartialEq)]
pub struct TwinOptions {
    pub old: String,
    pub new: String,
    pub paths: Vec<String>,
    pub choice: TestChoice,
    pub workers: Option<usize>,
    pub browsers: Vec<String>,
    pub locks: LockMode,
    pub reset_old: Option<String>,
    pub reset_new: Option<String>,
    pub noise: Option<String>,
    pub rounds: Option<usize>,
    pub results: String,
    pub html: Option<String>,
    pub trust: bool,
}

pub fn run(options: &TwinOptions, invocation: &Invocation, environment: &Environment) -> ExitCode {
    let json = invocation.format == Format::Json;
    match carry_out(options, invocation, environment) {
        Ok(end) => print(&end, json),
        Err(failure) => {
            let printed = output::print_failure(&failure, json);
            // The code 1 says that the builds differ, so nothing else may end with it.
            if failure.code.exit_code() == 1 { ExitCode::from(ErrorCode::Io.exit_code()) } else { printed }
        }
    }
}

fn carry_out(
    options: &TwinOptions,
    invocation: &Invocation,
    environment: &Environment,
) -> Result<TwinEnd, Failure> {
    let folder = host::here()?;
    let spec = TwinSpec {
        old: options.old.clone(),
        new: options.new.clone(),
        paths: options.paths.iter().map(PathBuf::from).collect(),
        choice: options.choice.clone(),
        workers: options.workers,
        browsers: options.browsers.clone(),
        locks: options.locks,
        reset_old: options.reset_old.clone(),
        reset_new: options.reset_new.clone(),
        noise: options.noise.as_ref().map(PathBuf::from),
        rounds: options.rounds,
        results: PathBuf::from(&options.results),
        html: options.html.as_ref().map(PathBuf::from),
        trust: options.trust,
        models: host::models(&ModelOptions::default(), environment)?,
        browser: oneshot_settings(invocation, environment)?,
        start: StartCommand { arguments: std::env::args().skip(1).collect(), folder: folder.clone() },
        folder,
    };
    follow(host::host(environment)?.twin(spec)?, |news| {
        match news {
            News::Note(text) => output::tell(&text),
            News::Warning(text) => output::tell(&format!("warning: {text}")),
            News::Event(_) | News::Earlier(_) | News::Over => {}
        }
        Ok(())
    })
}

fn print(end: &TwinEnd, json: bool) -> ExitCode {
    if json {
        output::print_json(&json!({ "ok": true, "data": end.report }));
    } else {
        output::print_line(&twin_words(&end.report));
        output::tell(&format!("report: {}", end.html.display()));
        output::tell(&format!("learnt: {}", end.noise.display()));
    }
    ExitCode::from(end.exit_code)
}
