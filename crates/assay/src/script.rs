//! `assay script`: the scripts of the project, listed, checked and run.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use assay_host::{LOCAL, ModelOptions, ScriptSpec, StartCommand, WantedReports, script_failure};
use assay_protocol::{ErrorCode, Failure, Format};
use assay_report::{Console, duration_words, one_line};
use assay_suite::{Script, ScriptBody, ScriptParameter, ScriptTrouble, load_scripts, ready_script};
use serde_json::{Value, json};

use crate::command::Invocation;
use crate::connect::oneshot_settings;
use crate::environment::Environment;
use crate::run::{finish_run, print_news, run_style};
use crate::{device, engines, host, output};

#[derive(Debug, Clone, PartialEq)]
pub enum ScriptOperation {
    Run(Box<ScriptRun>),
    List,
    Show { name: String },
    Check { name: Option<String> },
}

/// A script with its values and where its results go.
#[derive(Debug, Clone, PartialEq)]
pub struct ScriptRun {
    pub name: String,
    pub parameters: Vec<(String, String)>,
    pub host: Option<String>,
    pub device: Option<String>,
    pub base_url: Option<String>,
    pub results: String,
    pub reports: WantedReports,
    pub trust: bool,
}

pub fn run(operation: &ScriptOperation, invocation: &Invocation, environment: &Environment) -> ExitCode {
    let json = invocation.format == Format::Json;
    let done = match operation {
        ScriptOperation::Run(order) => carry_out(order, invocation, environment),
        ScriptOperation::List => list(json),
        ScriptOperation::Show { name } => show(name, json),
        ScriptOperation::Check { name } => check(name.as_deref(), json),
    };
    match done {
        Ok(code) => ExitCode::from(code),
        Err(failure) => output::print_failure(&failure, json),
    }
}

/// Refuses a host that is not there. This machine is the only one so far.
pub fn check_host(host: Option<&str>) -> Result<(), Failure> {
    match host {
        None | Some(LOCAL) => Ok(()),
        Some(other) => Err(Failure::new(ErrorCode::Usage, format!("there is no host `{other}`"))
            .hint(format!("hosts: {LOCAL}"))),
    }
}

fn carry_out(order: &ScriptRun, invocation: &Invocation, environment: &Environment) -> Result<u8, Failure> {
    check_host(order.host.as_deref())?;
    let chosen = order.device.clone().or_else(|| invocation.browser.engine.clone());
    if let Some(device) = &order.device {
        device::check_there(device, environment)?;
    }
    let folder = host::here()?;
    let spec = ScriptSpec {
        name: order.name.clone(),
        parameters: order.parameters.clone(),
        timeout: invocation.wait.then(|| Duration::from_millis(invocation.timeout_ms)),
        device: chosen,
        base_url: order.base_url.clone(),
        results: PathBuf::from(&order.results),
        reports: order.reports.clone(),
        trust: order.trust,
        models: host::models(&ModelOptions::default(), environment)?,
        browser: oneshot_settings(invocation, environment)?,
        start: StartCommand { arguments: std::env::args().skip(1).collect(), folder: folder.clone() },
        folder: folder.clone(),
    };
    let job = host::host(environment)?.run_script(spec)?;
    // Standard output is data: with --json it is the report, and the talk goes elsewhere.
    let out: Box<dyn std::io::Write> = match invocation.format {
        Format::Json => Box::new(std::io::stderr()),
        Format::Text => Box::new(std::io::stdout()),
    };
    let mut console = Some(Console::new(out, run_style(environment), None));
    let end = crate::following::follow(job, |news| print_news(news, &mut console))?;
    for log in ["stdout.txt", "stderr.txt"] {
        let file = end.results.join(log);
        let says_something = std::fs::metadata(&file).is_ok_and(|found| found.len() > 0);
        if says_something && invocation.format == Format::Text {
            let kind = if log == "stdout.txt" { "output" } else { "errors" };
            output::tell(&format!("{kind}: {}", file.display()));
        }
    }
    finish_run(&end, invocation, environment, &folder)
}

fn list(json: bool) -> Result<u8, Failure> {
    let loaded = load_scripts(&host::here()?, &engines::names(), &Environment::variable);
    loaded.problems.iter().for_each(|problem| output::tell(&problem.to_string()));
    if json {
        let scripts: Vec<Value> = loaded.scripts.iter().map(as_json).collect();
        output::print_json(&json!({ "ok": loaded.problems.is_empty(), "data": { "scripts": scripts } }));
    } else {
        let width = loaded.scripts.iter().map(|script| script.name.chars().count()).max().unwrap_or(0);
        for script in &loaded.scripts {
            let title = script.title.as_deref().map(one_line).unwrap_or_default();
            output::print_line(format!("{:width$}  {title}", script.name).trim_end());
        }
        match loaded.scripts.len() {
            1 => output::print_line("1 script"),
            number => output::print_line(&format!("{number} scripts")),
        }
    }
    Ok(if loaded.problems.is_empty() { 0 } else { ErrorCode::Usage.exit_code() })
}

fn show(name: &str, json: bool) -> Result<u8, Failure> {
    let script = script_called(name)?;
    if json {
        output::print_json(&json!({ "ok": true, "data": as_json(&script) }));
        return Ok(0);
    }
    let title = script.title.as_deref().map(|title| format!(": {}", one_line(title))).unwrap_or_default();
    output::print_line(&format!("{}{title}", script.name));
    let mut lines = vec![script.file.display().to_string()];
    lines.extend(script.description.iter().flat_map(|text| text.lines()).map(one_line));
    lines.push(match &script.body {
        ScriptBody::Program(words) => format!("runs {}", one_line(&words.join(" "))),
        ScriptBody::Steps => "steps in a browser".to_string(),
    });
    lines.extend(
        script
            .timeout
            .map(|time| format!("ends after {} at the latest", duration_words(time.as_millis() as u64))),
    );
    lines.extend(script.parameters.iter().map(parameter_words));
    let requirements: Vec<String> = script.requirements.iter().map(|link| one_line(&link.words())).collect();
    lines.extend((!requirements.is_empty()).then(|| format!("requirements: {}", requirements.join(", "))));
    lines.iter().for_each(|line| output::print_line(&format!("  {line}")));
    Ok(0)
}

/// `--param size=…  text, small by default, one of small, large: How much`.
fn parameter_words(parameter: &ScriptParameter) -> String {
    let mut facts = vec![parameter.kind.name().to_string()];
    if parameter.is_required {
        facts.push("required".to_string());
    }
    if parameter.is_secret {
        facts.push("secret".to_string());
    }
    facts.extend(parameter.default.as_ref().map(|value| format!("{} by default", one_line(value))));
    if !parameter.allowed.is_empty() {
        facts.push(format!("one of {}", parameter.allowed.join(", ")));
    }
    let about =
        parameter.description.as_deref().map(|text| format!(": {}", one_line(text))).unwrap_or_default();
    format!("--param {}=…  {}{about}", parameter.name, facts.join(", "))
}

/// A script that can be read; otherwise why not.
fn script_called(name: &str) -> Result<Script, Failure> {
    let here = host::here()?;
    let loaded = load_scripts(&here, &engines::names(), &Environment::variable);
    if let Some(script) = loaded.scripts.into_iter().find(|script| script.name == name) {
        return Ok(script);
    }
    match ready_script(&here, name, &[], &engines::names(), &Environment::variable) {
        Err(trouble) => Err(script_failure(trouble)),
        Ok(ready) => Ok(ready.script),
    }
}

/// Reads scripts to their last step, with values that fit, and runs nothing.
fn check(name: Option<&str>, json: bool) -> Result<u8, Failure> {
    let here = host::here()?;
    let names = engines::names();
    let loaded = load_scripts(&here, &names, &Environment::variable);
    let mut problems: Vec<String> = loaded.problems.iter().map(ToString::to_string).collect();
    if let Some(name) = name {
        script_called(name)?;
        problems.clear();
    }
    let scripts: Vec<&Script> =
        loaded.scripts.iter().filter(|script| name.is_none_or(|name| script.name == name)).collect();
    for script in &scripts {
        let values: Vec<(String, String)> =
            script.parameters.iter().map(|one| (one.name.clone(), one.example())).collect();
        match ready_script(&here, &script.name, &values, &names, &Environment::variable) {
            Ok(_) => {}
            Err(ScriptTrouble::Broken { problems: found, .. }) => {
                problems.extend(found.iter().map(ToString::to_string));
            }
            Err(trouble) => problems.push(trouble.to_string()),
        }
    }
    problems.iter().for_each(|problem| output::tell(problem));
    let checked: Vec<&str> = scripts.iter().map(|script| script.name.as_str()).collect();
    if json {
        output::print_json(&json!({
            "ok": problems.is_empty(), "data": { "scripts": checked, "problems": problems },
        }));
    } else if problems.is_empty() {
        output::print_line(&match checked.len() {
            1 => "1 script can be run".to_string(),
            number => format!("{number} scripts can be run"),
        });
    }
    Ok(if problems.is_empty() { 0 } else { ErrorCode::Usage.exit_code() })
}

fn as_json(script: &Script) -> Value {
    let parameters: Vec<Value> = script
        .parameters
        .iter()
        .map(|one| {
            json!({
                "name": one.name, "type": one.kind.name(), "required": one.is_required, "default": one.default,
                "description": one.description, "allowed": one.allowed, "secret": one.is_secret,
            })
        })
        .collect();
    json!({
        "name": script.name,
        "id": script.id(),
        "title": script.title,
        "description": script.description,
        "file": script.file.display().to_string(),
        "kind": match script.body { ScriptBody::Program(_) => "program", ScriptBody::Steps => "steps" },
        "timeout_ms": script.timeout.map(|time| time.as_millis() as u64),
        "tags": script.tags,
        "parameters": parameters,
        "requirements": script.requirements,
    })
}
