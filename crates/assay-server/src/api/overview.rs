//! How the project is going: what is red, what has changed its colour, and each of the last days.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use assay_coordinator::PastResult;
use assay_protocol::{Verdict, write_moment};
use assay_suite::load_in;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::runs::{ResultView, shown_result};
use crate::problem::Problem;
use crate::route::{Asked, Route};

const USUAL_DAYS: u64 = 30;
const MOST_DAYS: u64 = 366;
const DAY: u64 = 24 * 3600 * 1000;

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OverviewQuery {
    /// Of the last so many days; 30 without it, 366 at most.
    days: Option<u64>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Overview {
    /// Different tests with a result. A test counts in each browser.
    tests: usize,
    /// The last results that are no pass, the newest first.
    red: Vec<RedResult>,
    /// The last results that are a pass where the one before was none, the newest first.
    fixed: Vec<ResultView>,
    /// The oldest first, without a gap.
    days: Vec<DayCounts>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct RedResult {
    #[serde(flatten)]
    result: ResultView,
    /// The first result since then that was no pass, in milliseconds since 1970.
    since: u64,
    /// It passed before that.
    was_passing: bool,
}

#[derive(Debug, Default, Serialize, JsonSchema)]
struct DayCounts {
    /// In UTC, such as `2026-11-19`.
    day: String,
    passed: u64,
    failed: u64,
    inconclusive: u64,
    errors: u64,
    /// Of those that passed, on a retry.
    flaky: u64,
}

pub fn routes() -> Vec<Route> {
    vec![Route::get(
        "/server/overview",
        "get_overview",
        "Say what is red, what is new, and how days went",
        overview,
    )]
}

fn overview(asked: &Asked, query: OverviewQuery) -> Result<Overview, Problem> {
    let days = query.days.unwrap_or(USUAL_DAYS).clamp(1, MOST_DAYS);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_millis() as u64);
    let first = (now / DAY + 1).saturating_sub(days) * DAY;
    let results = asked.service.coordinator.results_since(first)?;
    let suite = Suite::of(asked);
    Ok(overview_of(results, first, days, |result| suite.has(result)))
}

/// The tests that there are now: one that was deleted or renamed is not red for ever.
struct Suite {
    folder: PathBuf,
    tests: BTreeSet<String>,
    files: BTreeSet<String>,
}

impl Suite {
    fn of(asked: &Asked) -> Suite {
        let (folder, context) = (&asked.service.seams.folder, &asked.service.seams.context);
        let loaded = load_in(folder, &[], &context.drivers.names(), &*context.variables);
        Suite {
            folder: folder.clone(),
            tests: loaded.tests.iter().map(|test| test.id.clone()).collect(),
            files: loaded.tests.iter().map(|test| test.file.display().to_string()).collect(),
        }
    }

    /// Nobody knows what a file holds that cannot be read: its tests count.
    fn has(&self, result: &PastResult) -> bool {
        let is_unreadable = !self.files.contains(&result.file) && self.folder.join(&result.file).is_file();
        self.tests.contains(&result.test) || is_unreadable
    }
}

/// `results` are the oldest first. Results of tests that are gone count for their days.
fn overview_of(
    results: Vec<PastResult>,
    first: u64,
    days: u64,
    is_there: impl Fn(&PastResult) -> bool,
) -> Overview {
    let mut counts: Vec<DayCounts> =
        (0..days).map(|day| DayCounts { day: day_of(first + day * DAY), ..DayCounts::default() }).collect();
    let mut tests: BTreeMap<(String, String), Vec<PastResult>> = BTreeMap::new();
    for result in results {
        if let Some(day) =
            counts.get_mut(usize::try_from(result.at.saturating_sub(first) / DAY).unwrap_or(usize::MAX))
        {
            day.count(&result);
        }
        if !is_there(&result) {
            continue;
        }
        tests.entry((result.test.clone(), result.browser.clone())).or_default().push(result);
    }
    let count = tests.len();
    let (mut red, mut fixed) = (Vec::new(), Vec::new());
    for mut history in tests.into_values() {
        let streak = history.iter().rev().take_while(|result| result.verdict != Verdict::Passed).count();
        let (was_passing, since) = (streak < history.len(), history[history.len() - streak.max(1)].at);
        let was_red = history.len() > 1 && history[history.len() - 2].verdict != Verdict::Passed;
        let Some(last) = history.pop() else { continue };
        if streak > 0 {
            red.push(RedResult { result: shown_result(last), since, was_passing });
        } else if was_red {
            fixed.push(shown_result(last));
        }
    }
    red.sort_by_key(|one| std::cmp::Reverse(one.result.at));
    fixed.sort_by_key(|one| std::cmp::Reverse(one.at));
    Overview { tests: count, red, fixed, days: counts }
}

impl DayCounts {
    fn count(&mut self, result: &PastResult) {
        match result.verdict {
            Verdict::Passed => self.passed += 1,
            Verdict::Failed => self.failed += 1,
            Verdict::Inconclusive => self.inconclusive += 1,
            Verdict::Error => self.errors += 1,
        }
        self.flaky += u64::from(result.flaky);
    }
}

fn day_of(at: u64) -> String {
    write_moment(i64::try_from(at).unwrap_or(i64::MAX)).chars().take("2026-11-19".len()).collect()
}

#[cfg(test)]
mod tests {
    use assay_protocol::TaskId;

    use super::*;

    fn result(test: &str, day: u64, verdict: Verdict) -> PastResult {
        PastResult {
            id: 0,
            task: TaskId(1),
            run: format!("run-{day}"),
            test: test.to_string(),
            test_id: test.to_string(),
            name: test.to_string(),
            file: String::new(),
            browser: "chromium".to_string(),
            fingerprint: None,
            attempt: 1,
            verdict,
            reason: String::new(),
            flaky: false,
            at: day * DAY + 5,
            duration_ms: 1,
        }
    }

    #[test]
    fn a_test_is_red_since_its_first_failure_in_a_row() {
        use Verdict::{Failed, Inconclusive, Passed};
        let told = overview_of(
            vec![
                result("breaks", 0, Passed),
                result("always", 0, Failed),
                result("mends", 0, Failed),
                result("breaks", 1, Failed),
                result("mends", 1, Passed),
                result("breaks", 2, Inconclusive),
                result("well", 2, Passed),
                result("deleted", 2, Failed),
            ],
            0,
            3,
            |result| result.test != "deleted",
        );
        assert_eq!(told.tests, 4);
        let red: Vec<_> =
            told.red.iter().map(|one| (one.result.test.as_str(), one.since / DAY, one.was_passing)).collect();
        assert_eq!(red, [("breaks", 1, true), ("always", 0, false)]);
        assert_eq!(told.fixed.iter().map(|one| one.test.as_str()).collect::<Vec<_>>(), ["mends"]);
        let days: Vec<_> = told.days.iter().map(|day| (day.day.as_str(), day.passed, day.failed)).collect();
        assert_eq!(days, [("1970-01-01", 1, 2), ("1970-01-02", 1, 1), ("1970-01-03", 1, 1)]);
        assert_eq!(told.days[2].inconclusive, 1);
    }

    #[test]
    fn each_browser_has_its_own_colour() {
        let mut other = result("login", 1, Verdict::Failed);
        other.browser = "firefox".to_string();
        let told = overview_of(vec![result("login", 0, Verdict::Passed), other], 0, 2, |_| true);
        assert_eq!((told.tests, told.red.len()), (2, 1));
        assert_eq!(told.red[0].result.browser, "firefox");
    }
}
