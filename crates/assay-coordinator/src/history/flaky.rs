//! Flaky tests: those with mixed results and no change.
//!
//! A result counts as flaky if the test passed on a retry, or if it failed (or broke) in a browser in
//! which the very same test also passed. The same means the same fingerprint: without one, nobody can
//! say whether the test was the same. An inconclusive result is neither a pass nor a failure, and does
//! not count at all.

use std::collections::{BTreeMap, HashMap};

use assay_protocol::{TaskId, Verdict};
use rusqlite::{Connection, OptionalExtension, params};
use serde::Serialize;

use super::past::{self, PastResult};
use super::rate::Rate;
use crate::error::StateTrouble;
use crate::{Coordinator, StateError};

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FlakyTest {
    pub test: String,
    pub name: String,
    pub file: String,
    /// Flaky endings among all endings.
    pub rate: Rate,
    /// Flaky for the first and the last time, in milliseconds since 1970.
    pub first_seen: u64,
    pub last_seen: u64,
    /// How often it ended otherwise than the time before. A single time may as well be a defect that
    /// came, or one that went.
    pub flips: u64,
    /// Where it failed when it was flaky, most often first.
    pub steps: Vec<FlakyStep>,
    pub engines: Vec<FlakyEngine>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FlakyStep {
    pub part: String,
    pub text: String,
    pub times: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FlakyEngine {
    pub browser: String,
    pub rate: Rate,
}

impl Coordinator {
    /// The flaky tests by all results since a moment (0 for all), the surest first: a test that was
    /// flaky in 1 of 2 runs stands behind one that was in 40 of 100.
    pub fn flaky(&self, since: u64) -> Result<Vec<FlakyTest>, StateError> {
        self.store.look(|transaction| {
            let mut tests: BTreeMap<String, Vec<PastResult>> = BTreeMap::new();
            for result in past::since_moment(transaction, since)? {
                if result.verdict != Verdict::Inconclusive {
                    tests.entry(result.test.clone()).or_default().push(result);
                }
            }
            let mut found = Vec::new();
            for results in tests.values() {
                found.extend(judge(transaction, results)?);
            }
            found.sort_by(|one, other| other.rate.low.total_cmp(&one.rate.low));
            Ok(found)
        })
    }
}

/// The tests of a run that are flaky since, and were not before it, by all results since a moment.
pub(crate) fn became_flaky(
    connection: &Connection,
    task: TaskId,
    since: u64,
) -> Result<Vec<FlakyTest>, StateTrouble> {
    let mut found = Vec::new();
    for test in past::tests_of(connection, task)? {
        let mut results = past::of_test_since(connection, &test, since)?;
        results.retain(|result| result.verdict != Verdict::Inconclusive && result.task <= task);
        let Some(flaky) = judge(connection, &results)? else { continue };
        results.retain(|result| result.task != task);
        if judge(connection, &results)?.is_none() {
            found.push(flaky);
        }
    }
    Ok(found)
}

/// All results of one test, oldest first.
fn judge(connection: &Connection, results: &[PastResult]) -> Result<Option<FlakyTest>, StateTrouble> {
    let mixed = mixed_groups(results);
    let is_flaky = |result: &PastResult| {
        let failed_where_it_passed =
            result.verdict != Verdict::Passed && key(result).is_some_and(|key| mixed.contains_key(&key));
        result.flaky || failed_where_it_passed
    };
    let flaky: Vec<&PastResult> = results.iter().filter(|result| is_flaky(result)).collect();
    let (Some(first), Some(last), Some(newest)) = (flaky.first(), flaky.last(), results.last()) else {
        return Ok(None);
    };
    let mut engines: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for result in results {
        let (hits, of) = engines.entry(&result.browser).or_default();
        *hits += u64::from(is_flaky(result));
        *of += 1;
    }
    Ok(Some(FlakyTest {
        test: newest.test.clone(),
        name: newest.name.clone(),
        file: newest.file.clone(),
        rate: Rate::new(flaky.len() as u64, results.len() as u64),
        first_seen: first.at,
        last_seen: last.at,
        flips: flips(results),
        steps: steps(connection, &flaky)?,
        engines: engines
            .into_iter()
            .map(|(browser, (hits, of))| FlakyEngine {
                browser: browser.to_owned(),
                rate: Rate::new(hits, of),
            })
            .collect(),
    }))
}

/// One browser and one state of the test's file.
type Key<'a> = (&'a str, &'a str);

fn key(result: &PastResult) -> Option<Key<'_>> {
    result.fingerprint.as_deref().map(|fingerprint| (result.browser.as_str(), fingerprint))
}

/// The groups with a pass and a failure among them.
fn mixed_groups(results: &[PastResult]) -> HashMap<Key<'_>, (bool, bool)> {
    let mut groups: HashMap<Key<'_>, (bool, bool)> = HashMap::new();
    for result in results {
        if let Some(key) = key(result) {
            let (passed, failed) = groups.entry(key).or_default();
            *passed |= result.verdict == Verdict::Passed;
            *failed |= result.verdict != Verdict::Passed;
        }
    }
    groups.retain(|_, (passed, failed)| *passed && *failed);
    groups
}

fn flips(results: &[PastResult]) -> u64 {
    let mut last: HashMap<&str, bool> = HashMap::new();
    let mut flips = 0;
    for result in results {
        let passed = result.verdict == Verdict::Passed;
        let before = last.insert(&result.browser, passed);
        flips += u64::from(before.is_some_and(|before| before != passed));
    }
    flips
}

/// The first step that did not pass, of each of these results.
fn steps(connection: &Connection, flaky: &[&PastResult]) -> Result<Vec<FlakyStep>, StateTrouble> {
    let mut statement = connection.prepare_cached(
        "SELECT part, text FROM step_result WHERE result = ?1 AND verdict <> 'passed' ORDER BY rowid LIMIT 1",
    )?;
    let mut counted: BTreeMap<(String, String), u64> = BTreeMap::new();
    for result in flaky {
        let found =
            statement.query_row(params![result.id], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
        if let Some(step) = found {
            *counted.entry(step).or_default() += 1;
        }
    }
    let mut steps: Vec<FlakyStep> =
        counted.into_iter().map(|((part, text), times)| FlakyStep { part, text, times }).collect();
    steps.sort_by_key(|step| std::cmp::Reverse(step.times));
    Ok(steps)
}
