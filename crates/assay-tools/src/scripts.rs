//! Scripts of a project as tools: commands of the command line with typed arguments.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use crate::suite::{Row, operands, plain, row, valued};
use crate::tool::{Effects, Tool};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Nothing {}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OneScript {
    /// Name, as list_scripts gives it.
    script: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Execution {
    /// Name, as list_scripts gives it.
    script: String,
    /// Values by the names of its parameters.
    #[serde(default)]
    parameters: Map<String, Value>,
    /// Seconds after which it is ended.
    timeout_s: Option<u32>,
    /// Host to run on; local without it.
    host: Option<String>,
    /// Device to work with, as get_device_info names it.
    device: Option<String>,
}

fn list(_: Nothing) -> Vec<String> {
    plain(&["script", "list"])
}

fn show(which: OneScript) -> Vec<String> {
    [plain(&["script", "show"]), operands(vec![which.script])].concat()
}

fn execution(order: Execution) -> Vec<String> {
    let parameters = (!order.parameters.is_empty()).then(|| Value::Object(order.parameters).to_string());
    [
        plain(&["script", "run"]),
        valued("params", parameters),
        valued("timeout", order.timeout_s.map(|seconds| u64::from(seconds) * 1000)),
        valued("host", order.host),
        valued("device", order.device),
        operands(vec![order.script]),
    ]
    .concat()
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct ScriptList {
    scripts: Vec<ScriptEntry>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct ScriptEntry {
    name: String,
    /// The name of its results in history and coverage.
    id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    file: String,
    /// program, or steps that run in a browser.
    kind: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    timeout_ms: Option<u64>,
    parameters: Vec<Parameter>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    requirements: Vec<Link>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Parameter {
    name: String,
    /// text, integer, number or boolean.
    r#type: String,
    required: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    default: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    /// The only values; any of its type if empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    allowed: Vec<String>,
    secret: bool,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Link {
    code: String,
    coverage: String,
}

/// A run of one script.
#[derive(Serialize, JsonSchema)]
struct ScriptRun {
    run: String,
    /// The script by its id. More than one entry for a script of steps in several browsers.
    tests: Vec<ScriptEnd>,
    /// For people to open.
    report: String,
}

#[derive(Serialize, JsonSchema)]
struct ScriptEnd {
    id: String,
    /// passed, failed, inconclusive or error.
    status: String,
    duration_ms: u64,
    #[serde(skip_serializing_if = "String::is_empty")]
    reason: String,
    /// The parameters with their values, the last line that it wrote, its files.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

impl<'de> Deserialize<'de> for ScriptRun {
    /// From the report of the run.
    fn deserialize<D: Deserializer<'de>>(report: D) -> Result<ScriptRun, D::Error> {
        let ReportedRun { run, tests } = ReportedRun::deserialize(report)?;
        let tests = tests.into_iter().map(|test| ScriptEnd {
            notes: test.steps.into_iter().flat_map(|step| step.notes).collect(),
            id: test.id,
            status: test.status,
            duration_ms: test.duration_ms,
            reason: test.reason,
        });
        let report = format!("assay-results/scripts/{run}/report.html");
        Ok(ScriptRun { run, tests: tests.collect(), report })
    }
}

#[derive(Deserialize)]
struct ReportedRun {
    run: String,
    tests: Vec<ReportedTest>,
}

#[derive(Deserialize)]
struct ReportedTest {
    id: String,
    status: String,
    duration_ms: u64,
    #[serde(default)]
    reason: String,
    #[serde(default)]
    steps: Vec<ReportedStep>,
}

#[derive(Deserialize)]
struct ReportedStep {
    #[serde(default)]
    notes: Vec<String>,
}

#[rustfmt::skip] // One tool, one entry.
const ROWS: &[Row] = &[
    row!("list_scripts", "List scripts", "List the scripts of the project with their parameters",
        Effects::READS, Scripts, Quick, Nothing, list, ScriptList, "scripts"),
    row!("get_script", "Show a script", "Show a script with its parameters and requirements",
        Effects::READS, Scripts, Quick, OneScript, show, ScriptEntry, ""),
    row!("execute_script", "Run a script", "Run a script of the project with parameters and report how it ended",
        Effects::RUNS, Scripts, Long, Execution, execution, ScriptRun, ""),
];

pub(crate) fn tools() -> impl Iterator<Item = Tool> {
    ROWS.iter().map(Row::tool)
}
