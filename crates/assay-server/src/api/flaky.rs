//! Flaky tests: those with mixed results and no change.

use std::time::{SystemTime, UNIX_EPOCH};

use assay_coordinator::FlakyTest;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::statistics::{RateView, rate};
use crate::paging::{Page, PageQuery};
use crate::problem::Problem;
use crate::route::{Asked, Route};

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct FlakyQuery {
    /// `next` of the page before; without it the first page.
    cursor: Option<String>,
    /// At most so many; 50 without it, 500 at most.
    limit: Option<usize>,
    /// Only results of the last so many days; all without it.
    days: Option<u64>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "FlakyTest")]
struct FlakyView {
    test: String,
    name: String,
    file: String,
    /// Flaky endings among all endings.
    rate: RateView,
    /// Flaky for the first and the last time, in milliseconds since 1970.
    first_seen: u64,
    last_seen: u64,
    /// How often it ended otherwise than the time before.
    flips: u64,
    /// Where it failed when it was flaky, most often first.
    steps: Vec<StepView>,
    engines: Vec<EngineView>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "FlakyStep")]
struct StepView {
    part: String,
    text: String,
    times: u64,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "FlakyEngine")]
struct EngineView {
    browser: String,
    rate: RateView,
}

pub fn routes() -> Vec<Route> {
    vec![Route::get("/server/flaky", "list_flaky_tests", "List the flaky tests, the surest first", list)]
}

fn list(asked: &Asked, query: FlakyQuery) -> Result<Page<FlakyView>, Problem> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_millis() as u64);
    let since = query.days.map_or(0, |days| now.saturating_sub(days.saturating_mul(24 * 3600 * 1000)));
    let found = asked.service.coordinator.flaky(since)?;
    let page = PageQuery { cursor: query.cursor, limit: query.limit };
    page.of_whole(found.into_iter().map(view).collect())
}

fn view(found: FlakyTest) -> FlakyView {
    let steps = found.steps.into_iter();
    let engines = found.engines.into_iter();
    FlakyView {
        test: found.test,
        name: found.name,
        file: found.file,
        rate: rate(found.rate),
        first_seen: found.first_seen,
        last_seen: found.last_seen,
        flips: found.flips,
        steps: steps.map(|step| StepView { part: step.part, text: step.text, times: step.times }).collect(),
        engines: engines.map(|one| EngineView { browser: one.browser, rate: rate(one.rate) }).collect(),
    }
}
