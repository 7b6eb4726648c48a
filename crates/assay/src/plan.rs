//! `assay plan`: tests written from a page, a goal or a document.

use std::path::PathBuf;
use std::process::ExitCode;

use assay_host::{ModelOptions, News, PlanReport, PlanSpec};
use assay_protocol::{Failure, Format};
use serde_json::json;

use crate::command::Invocation;
use crate::connect::oneshot_settings;
use crate::environment::Environment;
use crate::following::follow;
use crate::{host, output};

/// What the command line says.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PlanOptions {
    pub goal: Option<String>,
    pub url: Option<String>,
    /// A file with requirements.
    pub requirements: Option<String>,
    pub explore: bool,
    pub out: String,
    /// Answers to questions of an earlier call, one a line.
    pub answers: String,
    pub answers_file: Option<String>,
    /// Go on although the model has questions; what depends on them is left out.
    pub goes_on: bool,
    /// Replace files that are there.
    pub forces: bool,
    /// Run the tests that may send something, too.
    pub tries: bool,
    pub models: ModelOptions,
}

pub fn run(options: &PlanOptions, invocation: &Invocation, environment: &Environment) -> ExitCode {
    let json = invocation.format == Format::Json;
    match carry_out(options, invocation, environment) {
        Ok(report) => print(&report, json),
        Err(failure) => output::print_failure(&failure, json),
    }
}

fn carry_out(
    options: &PlanOptions,
    invocation: &Invocation,
    environment: &Environment,
) -> Result<PlanReport, Failure> {
    let spec = PlanSpec {
        folder: host::here()?,
        goal: options.goal.clone(),
        url: options.url.clone(),
        requirements: options.requirements.as_ref().map(PathBuf::from),
        explore: options.explore,
        out: PathBuf::from(&options.out),
        answers: options.answers.clone(),
        answers_file: options.answers_file.as_ref().map(PathBuf::from),
        goes_on: options.goes_on,
        forces: options.forces,
        tries: options.tries,
        models: host::models(&options.models, environment)?,
        browser: oneshot_settings(invocation, environment)?,
    };
    follow(host::host(environment)?.plan(spec)?, |news| {
        match news {
            News::Note(text) => output::tell(&format!("note: {text}")),
            News::Warning(text) => output::tell(&format!("warning: {text}")),
            News::Event(_) | News::Earlier(_) | News::Over => {}
        }
        Ok(())
    })
}

fn print(report: &PlanReport, json: bool) -> ExitCode {
    let failure = report.failure();
    if json {
        let mut answer = json!({ "ok": failure.is_none(), "data": report.data() });
        if let Some(failure) = &failure {
            answer["error"] = json!(failure);
        }
        output::print_json(&answer);
    } else {
        report.lines().iter().for_each(|line| output::print_line(line));
        if let Some(failure) = &failure {
            output::tell(&failure.to_text());
        }
    }
    failure.map_or(ExitCode::SUCCESS, |failure| ExitCode::from(failure.code.exit_code()))
}
