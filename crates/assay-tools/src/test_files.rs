//! Test files as resources: loaded with a version, saved only where nobody else has changed them.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::answer::ToolAnswer;
use crate::browser::object;
use crate::call::CallSpec;
use crate::outputs::{SavedFile, TestFile};
use crate::program::Program;
use crate::suite::schema_of;
use crate::test_store::{TestFileTrouble, load_test_file, save_test_file};
use crate::tool::{Cost, Does, Effects, Group, Misfit, Tool};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Load {
    /// File of the project, such as tests/login.yaml.
    path: Option<String>,
    /// Id or name of a test, instead of its file.
    testcase: Option<String>,
    /// Host whose tests are meant; local without it.
    host: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Save {
    /// File of the project, such as tests/login.yaml.
    path: String,
    /// The whole file.
    text: String,
    /// The version that load_testcase gave; leave it out for a new file.
    version: Option<String>,
    /// Host whose tests are meant; local without it.
    host: Option<String>,
}

pub(crate) fn tools() -> [Tool; 2] {
    let tool = |name, title, description, input, output, effects, does| Tool {
        name,
        title,
        description,
        input: object(input),
        output: Some(object(output)),
        effects,
        group: Group::Tests,
        cost: Cost::Quick,
        says: None,
        shows_first: None,
        does: Does::Here(does),
    };
    [
        tool(
            "load_testcase",
            "Read a test file",
            "Read a test file of the project and its version",
            schema_of::<Load>(),
            schema_of::<TestFile>(),
            Effects::READS,
            load,
        ),
        tool(
            "save_testcase",
            "Write a test file",
            "Write a test file after checking that it can be read; refuses to overwrite changes of others",
            schema_of::<Save>(),
            schema_of::<SavedFile>(),
            // It replaces only what the caller has read.
            Effects::WRITES,
            save,
        ),
    ]
}

/// A path that is wrong is a mistake in the arguments, everything else is an answer.
fn refused(trouble: TestFileTrouble) -> Result<ToolAnswer, Misfit> {
    match trouble {
        TestFileTrouble::NotATestFile { .. } => Err(Misfit::Value(trouble.to_string())),
        trouble => Ok(ToolAnswer::error(trouble.to_string())),
    }
}

fn load(
    arguments: Map<String, Value>,
    program: &dyn Program,
    spec: &CallSpec<'_>,
) -> Result<ToolAnswer, Misfit> {
    let Load { path, testcase, host } = serde_json::from_value(Value::Object(arguments))?;
    if let Some(refused) = unknown_host(host.as_deref(), program) {
        return Ok(refused);
    }
    let path = match (path, testcase) {
        (Some(path), None) => path,
        (None, Some(name)) => match file_of_test(&name, program, spec) {
            Ok(path) => path,
            Err(why) => return Ok(ToolAnswer::error(why)),
        },
        _ => return Err(Misfit::Value("expected `path` or `testcase`, one of both".to_string())),
    };
    match load_test_file(&program.folder(), &path) {
        Ok(file) => Ok(ToolAnswer::value(format!("version {}\n{}", file.version, file.text), json!(file))),
        Err(trouble) => refused(trouble),
    }
}

fn save(
    arguments: Map<String, Value>,
    program: &dyn Program,
    spec: &CallSpec<'_>,
) -> Result<ToolAnswer, Misfit> {
    let Save { path, text, version, host } = serde_json::from_value(Value::Object(arguments))?;
    if let Some(refused) = unknown_host(host.as_deref(), program) {
        return Ok(refused);
    }
    let saved = match save_test_file(program, spec, &path, &text, version.as_deref()) {
        Ok(saved) => saved,
        Err(trouble) => return refused(trouble),
    };
    let note = match saved.is_understood {
        true => "",
        false => "\nsome sentences are not understood: check_testcases shows which",
    };
    let text = format!("saved {path}, version {}{note}", saved.version);
    Ok(ToolAnswer::value(text, json!(saved)))
}

/// The refusal of a host that is not there. This machine is the only one so far.
fn unknown_host(host: Option<&str>, program: &dyn Program) -> Option<ToolAnswer> {
    const LOCAL: &str = "local";
    let named = host.filter(|host| *host != LOCAL)?;
    match program.host() {
        Ok(known) if known.host == named => None,
        Ok(known) => {
            Some(ToolAnswer::error(format!("there is no host `{named}`\nhint: hosts: {}", known.host)))
        }
        Err(failure) => Some(crate::call::failed(&failure)),
    }
}

/// The file of the test with this id or name.
fn file_of_test(name: &str, program: &dyn Program, spec: &CallSpec<'_>) -> Result<String, String> {
    let words = ["run", "--list", "--json"].map(str::to_string);
    let run = program.run_command(spec, &words).map_err(|failure| failure.to_text())?;
    let listed: Value = serde_json::from_str(run.data.trim()).map_err(|_| run.talk.trim().to_string())?;
    let tests = listed["data"]["tests"].as_array().cloned().unwrap_or_default();
    let is_called = |test: &&Value| {
        let id = test["id"].as_str().unwrap_or_default();
        id == name || id.split([' ', '[']).next() == Some(name) || test["name"] == name
    };
    let file = tests.iter().find(is_called).and_then(|test| test["file"].as_str());
    file.map(str::to_string).ok_or_else(|| {
        let ids: Vec<&str> = tests.iter().filter_map(|test| test["id"].as_str()).take(20).collect();
        format!("there is no test `{name}`\nhint: tests: {}", ids.join(", "))
    })
}
