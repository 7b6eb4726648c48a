//! The figures of all results: how many, how long, and what fails most.

use assay_coordinator::{Rate, Spread, Stats, TestDurations, TestFailures};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::clock::now_ms;
use crate::problem::Problem;
use crate::route::{Asked, Route};

const DAY: u64 = 24 * 3600 * 1000;

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct StatisticsQuery {
    /// Only results of the last so many days; all without it.
    days: Option<u64>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Statistics {
    runs: u64,
    /// Different tests.
    tests: u64,
    /// The four add up to the number of results.
    passed: u64,
    failed: u64,
    inconclusive: u64,
    errors: u64,
    /// Of those that passed, on a retry.
    flaky: u64,
    /// Absent without a result.
    #[serde(skip_serializing_if = "Option::is_none")]
    run_duration: Option<DurationsView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    test_duration: Option<DurationsView>,
    /// The slowest first.
    slowest: Vec<SlowTest>,
    /// The surest first.
    most_failing: Vec<FailingTest>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Durations")]
struct DurationsView {
    count: u64,
    median_ms: u64,
    /// 95 of 100 took no longer.
    p95_ms: u64,
}

#[derive(Debug, Serialize, JsonSchema)]
struct SlowTest {
    test: String,
    #[serde(flatten)]
    duration: DurationsView,
}

#[derive(Debug, Serialize, JsonSchema)]
struct FailingTest {
    test: String,
    /// Endings that were a failure or an error, among all.
    rate: RateView,
}

/// A share with the interval that holds the true one in 95 of 100 cases.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Rate")]
pub(super) struct RateView {
    hits: u64,
    of: u64,
    share: f64,
    low: f64,
    high: f64,
}

pub fn routes() -> Vec<Route> {
    vec![Route::get("/server/statistics", "get_statistics", "Tell the figures of all results", statistics)]
}

fn statistics(asked: &Asked, query: StatisticsQuery) -> Result<Statistics, Problem> {
    let since = query.days.map_or(0, |days| now_ms().saturating_sub(days.saturating_mul(DAY)));
    Ok(view(asked.service.coordinator.stats(since)?))
}

fn view(stats: Stats) -> Statistics {
    Statistics {
        runs: stats.runs,
        tests: stats.tests,
        passed: stats.passed,
        failed: stats.failed,
        inconclusive: stats.inconclusive,
        errors: stats.errors,
        flaky: stats.flaky,
        run_duration: stats.run_duration.map(durations),
        test_duration: stats.test_duration.map(durations),
        slowest: stats
            .slowest
            .into_iter()
            .map(|TestDurations { test, duration }| SlowTest { test, duration: durations(duration) })
            .collect(),
        most_failing: stats
            .most_failing
            .into_iter()
            .map(|TestFailures { test, rate: of }| FailingTest { test, rate: rate(of) })
            .collect(),
    }
}

fn durations(spread: Spread) -> DurationsView {
    DurationsView { count: spread.count, median_ms: spread.median_ms, p95_ms: spread.p95_ms }
}

pub(super) fn rate(rate: Rate) -> RateView {
    RateView { hits: rate.hits, of: rate.of, share: rate.share, low: rate.low, high: rate.high }
}
