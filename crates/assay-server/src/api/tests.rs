//! The tests of the project, and how they went.

use assay_suite::load_in;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::runs::{ResultView, shown_result};
use crate::paging::{Page, PageQuery};
use crate::problem::Problem;
use crate::route::{Asked, Route};

#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "Test")]
struct TestView {
    id: String,
    name: String,
    /// As seen from the folder of the service.
    file: String,
    line: usize,
    tags: Vec<String>,
    /// Codes.
    requirements: Vec<String>,
    /// Empty: the default browser.
    browsers: Vec<String>,
    steps: usize,
    expectations: usize,
    /// The last result, in whichever browser.
    #[serde(skip_serializing_if = "Option::is_none")]
    last: Option<ResultView>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct TestsPage {
    suite: String,
    #[serde(flatten)]
    tests: Page<TestView>,
    /// Mistakes in files, with their places. No test of a broken file is listed.
    problems: Vec<String>,
}

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct TestsQuery {
    /// `next` of the page before; without it the first page.
    cursor: Option<String>,
    /// At most so many; 50 without it, 500 at most.
    limit: Option<usize>,
    /// Only tests whose id, name or file contains this.
    grep: Option<String>,
    /// Only tests with this tag.
    tag: Option<String>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct HistoryQuery {
    /// Id of a test.
    test: String,
    /// The newest so many; 50 without it, 500 at most.
    limit: Option<usize>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct TestHistory {
    test: String,
    /// The newest first.
    results: Vec<ResultView>,
}

pub fn routes() -> Vec<Route> {
    vec![
        Route::get(
            "/server/tests",
            "list_tests",
            "List the tests of the project with their last results",
            list,
        ),
        Route::get("/server/tests/history", "get_test_history", "Tell how a test went, run by run", history),
    ]
}

fn list(asked: &Asked, query: TestsQuery) -> Result<TestsPage, Problem> {
    let (service, context) = (&asked.service, &asked.service.seams.context);
    let loaded = load_in(&service.seams.folder, &[], &context.drivers.names(), &*context.variables);
    let has = |text: &str, part: &Option<String>| part.as_deref().is_none_or(|part| text.contains(part));
    let tests = loaded.tests.iter().filter(|test| {
        let file = test.file.display().to_string();
        let is_called = [&test.id, &test.name, &file].into_iter().any(|text| has(text, &query.grep));
        is_called && query.tag.as_ref().is_none_or(|tag| test.tags.contains(tag))
    });
    let views: Vec<TestView> = tests
        .map(|test| TestView {
            id: test.id.clone(),
            name: test.name.clone(),
            file: test.file.display().to_string(),
            line: test.line,
            tags: test.tags.clone(),
            requirements: test.requirements.iter().map(|link| link.code.clone()).collect(),
            browsers: test.browsers.iter().map(|browser| browser.as_str().to_string()).collect(),
            steps: test.steps.len(),
            expectations: test.expected.len(),
            last: None,
        })
        .collect();
    let mut tests = PageQuery { cursor: query.cursor, limit: query.limit }.of_whole(views)?;
    // Only of those that are shown.
    for test in &mut tests.items {
        test.last = service.coordinator.history(&test.id, 1)?.pop().map(shown_result);
    }
    let problems = loaded.problems.iter().map(|problem| problem.to_string().trim().to_string()).collect();
    Ok(TestsPage { suite: loaded.project.suite, tests, problems })
}

fn history(asked: &Asked, query: HistoryQuery) -> Result<TestHistory, Problem> {
    let limit = PageQuery { cursor: None, limit: query.limit }.limit();
    let results = asked.service.coordinator.history(&query.test, limit)?;
    Ok(TestHistory { test: query.test, results: results.into_iter().map(shown_result).collect() })
}
