//! Test files: read with a version, checked as one types, written only where nobody else has changed them.

use assay_protocol::Agreed;
use assay_tools::{
    CallSpec, SavedFile, TestFile, TestFileTrouble, check_test_text, load_test_file, save_test_file,
};
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::problem::Problem;
use crate::route::{Asked, Method, Route};

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct WhichFile {
    /// File of the project, such as `tests/login.yaml`.
    path: String,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NewText {
    /// File of the project, such as `tests/login.yaml`.
    path: String,
    /// The whole file.
    text: String,
    /// The version that was read; absent for a new file.
    version: Option<String>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Text {
    /// The file that it would be: other files are named as seen from there.
    #[serde(default = "draft")]
    path: String,
    text: String,
}

fn draft() -> String {
    "draft.yaml".to_string()
}

#[derive(Debug, Serialize, JsonSchema)]
struct Meanings {
    /// What each sentence means, test by test: as `assay run --dry-run --json` says it.
    tests: Value,
}

pub fn routes() -> Vec<Route> {
    vec![
        Route::get("/server/tests/file", "get_test_file", "Read a test file with its version", load),
        Route::write(
            Method::Put,
            "/server/tests/file",
            "save_test_file",
            "Write a test file that can be read; refused if somebody else has changed it",
            save,
        ),
        Route::write(
            Method::Post,
            "/server/tests/check",
            "check_test_text",
            "Say what the sentences of a text mean; nothing is kept",
            check,
        )
        .asking_only(),
    ]
}

pub(super) fn problem_of(trouble: TestFileTrouble) -> Problem {
    let text = trouble.to_string();
    match trouble {
        TestFileTrouble::NotATestFile { .. } => Problem::usage(text),
        trouble if trouble.is_absence() => Problem::not_found(text),
        TestFileTrouble::Changed { found, .. } => {
            let mut problem = Problem::conflict(text);
            problem.body.version = Some(found);
            problem
        }
        TestFileTrouble::ChangedMeanwhile { .. }
        | TestFileTrouble::Exists { .. }
        | TestFileTrouble::Gone { .. } => Problem::conflict(text),
        TestFileTrouble::Mistaken { .. } => Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "usage", text),
        TestFileTrouble::Unreadable { .. } | TestFileTrouble::Unwritable { .. } => {
            Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "io", text)
        }
        TestFileTrouble::Command(failure) => Problem::from(*failure),
    }
}

/// Commands that read texts need no browser, so all callers share the name.
fn with_program<T>(
    asked: &Asked,
    work: impl FnOnce(&CallSpec<'_>) -> Result<T, TestFileTrouble>,
) -> Result<T, Problem> {
    let _place = asked.service.place_for_call()?;
    let session = asked.service.sessions.session_of("service", "texts")?;
    let is_gone = || asked.is_gone();
    let spec = CallSpec { session: &session, agreed: &Agreed::Nothing, tell: &|_| {}, is_stopped: &is_gone };
    work(&spec).map_err(problem_of)
}

fn load(asked: &Asked, which: WhichFile) -> Result<TestFile, Problem> {
    load_test_file(&asked.service.seams.program.folder(), &which.path).map_err(problem_of)
}

fn save(asked: &Asked, new: NewText) -> Result<SavedFile, Problem> {
    let program = &*asked.service.seams.program;
    with_program(asked, |spec| save_test_file(program, spec, &new.path, &new.text, new.version.as_deref()))
}

fn check(asked: &Asked, text: Text) -> Result<Meanings, Problem> {
    let program = &*asked.service.seams.program;
    let mut data = with_program(asked, |spec| check_test_text(program, spec, &text.path, &text.text))?;
    let tests = data.get_mut("tests").map(Value::take);
    Ok(Meanings { tests: tests.unwrap_or(data) })
}
