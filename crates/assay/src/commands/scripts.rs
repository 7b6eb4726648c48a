//! Commands about the scripts of a project.

use assay_host::WantedReports;
use assay_protocol::actions::{Arguments, Flag, UsageError};
use assay_protocol::{ErrorCode, Failure};
use serde_json::Value;

use super::testing::{BASE_URL, DEFAULT_RESULTS, HTML, JSON_REPORT, RESULTS, TRUST};
use super::{CommandEntry, command, optional_text};
use crate::command::Command;
use crate::script::{ScriptOperation, ScriptRun};

const VERBS: &str = "run, list, show or check";

pub(super) const SCRIPT: CommandEntry = command(
    "script",
    "run|list|show|check [NAME]",
    "Run a script of the project with parameters, and put its result on record as that of a test",
    "assay script run seed --param orders=20",
    |words| Ok(Command::Script(operation(words)?)),
)
.flags(&[
    Flag::values("param", "NAME=VALUE", "run: value of a parameter; repeatable"),
    Flag::value("params", "JSON", "run: values of parameters as a JSON object"),
    Flag::value("host", "NAME", "run: host to run on (default local)"),
    Flag::value("device", "NAME", "run: device to work with, as `assay device list` names it"),
    BASE_URL,
    RESULTS,
    JSON_REPORT,
    HTML,
    Flag::value("junit", "FILE", "write a JUnit XML report to FILE"),
    Flag::value("ctrf", "FILE", "write a CTRF report to FILE"),
    TRUST,
])
.counts_itself();

fn operation(words: &Arguments<'_>) -> Result<ScriptOperation, Failure> {
    let name = |what: &str| -> Result<String, UsageError> {
        optional_text(words, 1).ok_or_else(|| UsageError::wrong_value(what, "nothing"))
    };
    if words.optional(2).is_some() {
        return Err(words.wrong_word(VERBS).into());
    }
    Ok(match words.at(0) {
        "run" => ScriptOperation::Run(Box::new(script_run(words, name("the name of a script")?)?)),
        "list" if words.optional(1).is_none() => ScriptOperation::List,
        "show" => ScriptOperation::Show { name: name("the name of a script")? },
        "check" => ScriptOperation::Check { name: optional_text(words, 1) },
        _ => return Err(words.wrong_word(VERBS).into()),
    })
}

fn script_run(words: &Arguments<'_>, name: String) -> Result<ScriptRun, Failure> {
    let flag = |name: &str| words.flag(name).map(str::to_string);
    let mut parameters = Vec::new();
    for said in words.flag("param").into_iter().flat_map(str::lines) {
        let Some((name, value)) = said.split_once('=') else {
            return Err(UsageError::wrong_value("--param NAME=VALUE", format!("`{said}`")).into());
        };
        parameters.push((name.trim().to_string(), value.to_string()));
    }
    if let Some(json) = words.flag("params") {
        parameters.extend(parameters_of(json)?);
    }
    Ok(ScriptRun {
        name,
        parameters,
        host: flag("host"),
        device: flag("device"),
        base_url: flag("base-url"),
        results: flag("results").unwrap_or_else(|| DEFAULT_RESULTS.to_string()),
        reports: WantedReports {
            json: flag("json-report"),
            junit: flag("junit"),
            ctrf: flag("ctrf"),
            html: flag("html"),
            trace: false,
        },
        trust: words.has("trust"),
    })
}

/// Texts, numbers and booleans by the names of their parameters.
fn parameters_of(json: &str) -> Result<Vec<(String, String)>, Failure> {
    let wrong = |found: String| {
        Failure::new(ErrorCode::Usage, format!("expected --params {{\"name\": \"value\"}}, found {found}"))
    };
    let value: Value = serde_json::from_str(json).map_err(|err| wrong(format!("no JSON: {err}")))?;
    let Value::Object(fields) = value else { return Err(wrong(format!("`{json}`"))) };
    fields
        .into_iter()
        .map(|(name, value)| match value {
            Value::String(text) => Ok((name, text)),
            Value::Number(number) => Ok((name, number.to_string())),
            Value::Bool(value) => Ok((name, value.to_string())),
            other => Err(wrong(format!("`{other}` for `{name}`"))),
        })
        .collect()
}
