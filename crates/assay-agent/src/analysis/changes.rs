//! What has changed since the last run, and what to look at first.

use std::collections::{BTreeMap, BTreeSet};

use assay_protocol::Verdict;
use serde::{Deserialize, Serialize};

use super::class::{INCONCLUSIVE, ResultClass};
use super::result::ResultAnalysis;

/// The results of one run against those of the run before. Tests are named as the runs name them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Changes {
    /// The earlier run.
    pub since: i64,
    /// Passed before, and not now.
    pub broken: Vec<String>,
    /// Did not pass before, and passed now.
    pub fixed: Vec<String>,
    /// Did not pass in both, with another error now.
    pub other_error: Vec<String>,
    /// Did not pass in both, with the same error.
    pub same_error: Vec<String>,
    pub added: Vec<String>,
    pub gone: Vec<String>,
}

impl Changes {
    pub fn between(before: &[ResultAnalysis], now: &[ResultAnalysis], since: i64) -> Changes {
        let earlier: BTreeMap<&str, &ResultAnalysis> =
            before.iter().map(|result| (result.test_id.as_str(), result)).collect();
        let mut changes = Changes { since, ..Changes::default() };
        for result in now {
            let list = match earlier.get(result.test_id.as_str()) {
                None => &mut changes.added,
                Some(earlier) => match (passed(earlier), passed(result)) {
                    (true, true) => continue,
                    (true, false) => &mut changes.broken,
                    (false, true) => &mut changes.fixed,
                    (false, false) if earlier.signature == result.signature => &mut changes.same_error,
                    (false, false) => &mut changes.other_error,
                },
            };
            list.push(result.test_id.clone());
        }
        let there: BTreeSet<&str> = now.iter().map(|result| result.test_id.as_str()).collect();
        let gone = before.iter().map(|result| &result.test_id).filter(|test| !there.contains(test.as_str()));
        changes.gone = gone.cloned().collect();
        changes
    }

    pub fn is_empty(&self) -> bool {
        let Changes { since: _, broken, fixed, other_error, same_error: _, added, gone } = self;
        [broken, fixed, other_error, added, gone].iter().all(|list| list.is_empty())
    }
}

fn passed(result: &ResultAnalysis) -> bool {
    result.verdict == Some(Verdict::Passed)
}

/// Results of one cause, and why they come at this place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Look {
    /// The name of the class.
    pub class: String,
    pub tests: Vec<String>,
    pub what: String,
    pub why: String,
}

/// What to look at, the most telling first.
pub fn first_look(results: &[ResultAnalysis], changes: Option<&Changes>) -> Vec<Look> {
    let open = |result: &&ResultAnalysis| {
        !result.discarded && !matches!(result.class, Some(ResultClass::ValidPass | ResultClass::ValidFail))
    };
    let mut groups: BTreeMap<(Option<ResultClass>, String), Vec<&ResultAnalysis>> = BTreeMap::new();
    for result in results.iter().filter(open) {
        groups.entry((result.class, cause(result))).or_default().push(result);
    }
    let mut ranked: Vec<(Rank, Look)> = groups
        .into_iter()
        .map(|((class, _), group)| {
            let rank = Rank::of(class, &group, results.len(), changes);
            (rank, look(class, &group, &rank, results.len()))
        })
        .collect();
    ranked.sort_by(|one, other| one.0.cmp(&other.0).then_with(|| one.1.tests.cmp(&other.1.tests)));
    ranked.into_iter().map(|(_, look)| look).collect()
}

/// Causes from outside hit many tests at different steps: their evidence counts, not the step.
fn cause(result: &ResultAnalysis) -> String {
    match result.class {
        Some(ResultClass::SystemIssue | ResultClass::ExternalBlock) => result.rule.clone(),
        _ => format!("{} {}", result.test, result.signature),
    }
}

/// The smaller, the sooner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    /// Trouble from outside that hit half of the tests: the others say little before that is gone.
    is_not_everywhere: bool,
    class: u8,
    is_old: bool,
    is_flaky: bool,
    /// More tests come first.
    fewness: usize,
}

impl Rank {
    fn of(class: Option<ResultClass>, group: &[&ResultAnalysis], all: usize, changes: Option<&Changes>) -> Rank {
        let is_outside = matches!(class, Some(ResultClass::SystemIssue | ResultClass::ExternalBlock));
        let is_new = |result: &&ResultAnalysis| match changes {
            Some(changes) => !changes.same_error.contains(&result.test_id),
            None => result.times <= 1,
        };
        Rank {
            is_not_everywhere: !(is_outside && group.len() * 2 >= all && group.len() > 1),
            class: match class {
                Some(ResultClass::Bug) => 0,
                None => 1,
                Some(ResultClass::ScriptIssue) => 2,
                Some(ResultClass::ExternalBlock) => 3,
                Some(ResultClass::SystemIssue) => 4,
                Some(ResultClass::ValidFail | ResultClass::ValidPass) => 5,
            },
            is_old: !group.iter().any(is_new),
            is_flaky: group.iter().all(|result| result.is_flaky()),
            fewness: usize::MAX - group.len(),
        }
    }
}

fn look(class: Option<ResultClass>, group: &[&ResultAnalysis], rank: &Rank, all: usize) -> Look {
    let first = group[0];
    let mut why = Vec::new();
    if !rank.is_not_everywhere {
        why.push(format!("it hit {} of {all} tests; their results say nothing before it is gone", group.len()));
    }
    match (rank.is_old, first.since) {
        (false, _) => why.push("it is new".to_owned()),
        (true, Some(since)) => why.push(format!("it has been there since run {since}")),
        (true, None) => why.push("it is not new".to_owned()),
    }
    if rank.is_flaky {
        why.push(first.suspicions[0].clone());
    }
    if class.is_none() && !first.missing.is_empty() {
        why.push(format!("a person has to decide; missing: {}", first.missing));
    }
    let what = first.evidence.first().cloned().unwrap_or_else(|| first.reason.clone());
    Look {
        class: class.map_or(INCONCLUSIVE, ResultClass::name).to_owned(),
        tests: group.iter().map(|result| result.test_id.clone()).collect(),
        what,
        why: why.join("; "),
    }
}
