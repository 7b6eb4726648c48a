//! The figures of all runs together.

use std::collections::BTreeMap;

use assay_protocol::Verdict;
use serde::Serialize;

use super::past::{self, PastResult};
use super::rate::Rate;
use crate::error::StateTrouble;
use crate::{Coordinator, StateError};

/// How many tests the lists of the slowest and the most failing have.
const LISTED: usize = 10;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Stats {
    pub runs: u64,
    /// Different tests.
    pub tests: u64,
    /// The four add up to the number of results.
    pub passed: u64,
    pub failed: u64,
    pub inconclusive: u64,
    pub errors: u64,
    /// Of those that passed, on a retry.
    pub flaky: u64,
    /// None without a result.
    pub run_duration: Option<Spread>,
    pub test_duration: Option<Spread>,
    pub slowest: Vec<TestDurations>,
    pub most_failing: Vec<TestFailures>,
}

/// Durations in milliseconds: the median and the 95th percentile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Spread {
    pub count: u64,
    pub median_ms: u64,
    pub p95_ms: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TestDurations {
    pub test: String,
    #[serde(flatten)]
    pub duration: Spread,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TestFailures {
    pub test: String,
    /// Endings that were a failure or an error, among all.
    pub rate: Rate,
}

impl Coordinator {
    /// The figures of all results since a moment, 0 for all.
    pub fn stats(&self, since: u64) -> Result<Stats, StateError> {
        self.store.look(|transaction| {
            let results = past::since_moment(transaction, since)?;
            let run_durations: Vec<(u64, Option<u64>)> = transaction
                .prepare_cached("SELECT started_at, duration_ms FROM run WHERE started_at >= ?1")?
                .query_map([since], |row| Ok((row.get(0)?, row.get(1)?)))?
                .collect::<Result<_, _>>()
                .map_err(StateTrouble::from)?;
            let ended = run_durations.iter().filter_map(|(_, duration)| *duration).collect();
            Ok(Stats {
                runs: run_durations.len() as u64,
                run_duration: Spread::of(ended),
                ..figures(&results)
            })
        })
    }
}

fn figures(results: &[PastResult]) -> Stats {
    let ended = |verdict: Verdict| results.iter().filter(|result| result.verdict == verdict).count() as u64;
    let mut tests: BTreeMap<&str, Vec<&PastResult>> = BTreeMap::new();
    for result in results {
        tests.entry(&result.test).or_default().push(result);
    }
    Stats {
        runs: 0,
        tests: tests.len() as u64,
        passed: ended(Verdict::Passed),
        failed: ended(Verdict::Failed),
        inconclusive: ended(Verdict::Inconclusive),
        errors: ended(Verdict::Error),
        flaky: results.iter().filter(|result| result.flaky).count() as u64,
        run_duration: None,
        test_duration: Spread::of(results.iter().map(|result| result.duration_ms).collect()),
        slowest: slowest(&tests),
        most_failing: most_failing(&tests),
    }
}

fn slowest(tests: &BTreeMap<&str, Vec<&PastResult>>) -> Vec<TestDurations> {
    let mut all: Vec<TestDurations> = tests
        .iter()
        .filter_map(|(test, results)| {
            let duration = Spread::of(results.iter().map(|result| result.duration_ms).collect())?;
            Some(TestDurations { test: (*test).to_owned(), duration })
        })
        .collect();
    all.sort_by_key(|test| std::cmp::Reverse(test.duration.median_ms));
    all.truncate(LISTED);
    all
}

fn most_failing(tests: &BTreeMap<&str, Vec<&PastResult>>) -> Vec<TestFailures> {
    let is_failure = |result: &&&PastResult| matches!(result.verdict, Verdict::Failed | Verdict::Error);
    let mut all: Vec<TestFailures> = tests
        .iter()
        .map(|(test, results)| {
            let failures = results.iter().filter(is_failure).count() as u64;
            TestFailures { test: (*test).to_owned(), rate: Rate::new(failures, results.len() as u64) }
        })
        .filter(|test| test.rate.hits > 0)
        .collect();
    all.sort_by(|one, other| {
        other.rate.hits.cmp(&one.rate.hits).then(other.rate.share.total_cmp(&one.rate.share))
    });
    all.truncate(LISTED);
    all
}

impl Spread {
    fn of(mut durations: Vec<u64>) -> Option<Spread> {
        durations.sort_unstable();
        let median_ms = at_most(&durations, 50)?;
        Some(Spread { count: durations.len() as u64, median_ms, p95_ms: at_most(&durations, 95)? })
    }
}

/// The percentile of the sorted values by nearest rank, which is always a measured value.
fn at_most(sorted: &[u64], percent: usize) -> Option<u64> {
    let rank = (sorted.len() * percent).div_ceil(100).max(1);
    sorted.get(rank - 1).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentile_is_one_of_the_values() {
        let hundred: Vec<u64> = (1..=100).collect();
        assert_eq!((at_most(&hundred, 50), at_most(&hundred, 95)), (Some(50), Some(95)));
        assert_eq!((at_most(&[7], 50), at_most(&[7], 95)), (Some(7), Some(7)));
        assert_eq!((at_most(&[1, 2, 3], 50), at_most(&[1, 2, 3], 95)), (Some(2), Some(3)));
        assert_eq!(at_most(&[], 50), None);
    }
}
