//! What has changed since the last run, and what to look at first.

use std::collections::{BTreeMap, BTreeSet};

use assay_protocol::Verdict;
use assay_report::RejectedFile;
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

/// More is a list of its own, and that is the report.
const MOST_LOOKS: usize = 7;

/// What to look at, the most telling first.
pub fn first_look(
    results: &[ResultAnalysis],
    rejected: &[RejectedFile],
    changes: Option<&Changes>,
) -> Vec<Look> {
    let open = |result: &&ResultAnalysis| {
        !result.discarded && !matches!(result.class, Some(ResultClass::ValidPass | ResultClass::ValidFail))
    };
    let mut groups: BTreeMap<(Option<ResultClass>, String), Vec<&ResultAnalysis>> = BTreeMap::new();
    for result in results.iter().filter(open) {
        groups.entry((result.class, cause(result))).or_default().push(result);
    }
    let groups = groups.into_iter().map(|((class, _), group)| {
        let rank = Rank::of(class, &group, results.len(), changes);
        (rank, look(class, &group, &rank, results.len()))
    });
    let mut ranked: Vec<(Rank, Look)> = groups.chain(rejected.iter().map(of_rejected)).collect();
    ranked.sort_by(|one, other| one.0.cmp(&other.0).then_with(|| one.1.tests.cmp(&other.1.tests)));
    ranked.into_iter().map(|(_, look)| look).take(MOST_LOOKS).collect()
}

fn of_rejected(file: &RejectedFile) -> (Rank, Look) {
    let look = Look {
        class: ResultClass::ScriptIssue.name().to_owned(),
        tests: vec![file.file.clone()],
        what: file.message.clone(),
        why: "the file cannot be read, so none of its tests ran".to_owned(),
    };
    let rank = Rank {
        is_not_everywhere: true,
        class: order_of(Some(ResultClass::ScriptIssue)),
        is_old: false,
        is_flaky: false,
        fewness: 0,
    };
    (rank, look)
}

/// One cause hits many tests: trouble from outside at any step, an error of the application in any sentence.
fn cause(result: &ResultAnalysis) -> String {
    let first = result.evidence.first().map(String::as_str).unwrap_or_default();
    match (result.class, result.rule.as_str()) {
        (Some(ResultClass::SystemIssue | ResultClass::ExternalBlock), rule) => rule.to_owned(),
        (_, "server-broke" | "page-threw") => first.split(" at ").next().unwrap_or_default().to_owned(),
        // The signature leaves out what is quoted: two tests that miss different things are no one cause.
        _ => format!("{} {}", result.signature, result.reason),
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
    fn of(
        class: Option<ResultClass>,
        group: &[&ResultAnalysis],
        all: usize,
        changes: Option<&Changes>,
    ) -> Rank {
        let is_outside = matches!(class, Some(ResultClass::SystemIssue | ResultClass::ExternalBlock));
        // What passed the last time is as urgent as what was never seen.
        let is_new = |result: &&ResultAnalysis| match changes {
            Some(changes) => {
                changes.broken.contains(&result.test_id)
                    || result.times <= 1 && !changes.same_error.contains(&result.test_id)
            }
            None => result.times <= 1,
        };
        Rank {
            is_not_everywhere: !(is_outside && group.len() * 2 >= all && group.len() > 1),
            class: order_of(class),
            is_old: !group.iter().any(is_new),
            is_flaky: group.iter().all(|result| result.is_flaky()),
            fewness: usize::MAX - group.len(),
        }
    }
}

fn order_of(class: Option<ResultClass>) -> u8 {
    match class {
        Some(ResultClass::Bug) => 0,
        None => 1,
        Some(ResultClass::ScriptIssue) => 2,
        Some(ResultClass::ExternalBlock) => 3,
        Some(ResultClass::SystemIssue) => 4,
        Some(ResultClass::ValidFail | ResultClass::ValidPass) => 5,
    }
}

fn look(class: Option<ResultClass>, group: &[&ResultAnalysis], rank: &Rank, all: usize) -> Look {
    let first = group[0];
    let mut why = vec![match class {
        Some(ResultClass::Bug) => "the application is at fault".to_owned(),
        None if first.missing.is_empty() => "a person has to decide".to_owned(),
        None => format!("a person has to decide; missing: {}", first.missing),
        Some(ResultClass::ScriptIssue) => "the test shows nothing before it is mended".to_owned(),
        Some(_) if !rank.is_not_everywhere => {
            format!("it hit {} of {all} tests; their results say nothing before it is gone", group.len())
        }
        Some(_) => "the test shows nothing before it is gone".to_owned(),
    }];
    let seen_before = group.iter().filter(|result| result.times > 1).find_map(|result| result.since);
    why.push(match (rank.is_old, first.since) {
        (false, _) => match seen_before {
            Some(since) => format!("it is back: run {since} had it first"),
            None => "it is new".to_owned(),
        },
        (true, Some(since)) => format!("it has been there since run {since}"),
        (true, None) => "it is not new".to_owned(),
    });
    if group.len() > 1 && rank.is_not_everywhere {
        why.push(format!("{} tests have it", group.len()));
    }
    if rank.is_flaky {
        why.push(first.suspicions[0].clone());
    }
    let evidence = first.evidence.first().map(String::as_str).unwrap_or_default();
    let what = match first.reason.as_str() {
        "" => evidence.to_owned(),
        reason if evidence.contains(reason) => evidence.to_owned(),
        reason => format!("{reason} ({evidence})"),
    };
    Look {
        class: class.map_or(INCONCLUSIVE, ResultClass::name).to_owned(),
        tests: group.iter().map(|result| result.test_id.clone()).collect(),
        what,
        why: why.join("; "),
    }
}

#[cfg(test)]
mod tests {
    use super::super::result::Depth;
    use super::*;

    fn result(test: &str, class: Option<ResultClass>, signature: &str) -> ResultAnalysis {
        ResultAnalysis {
            test: test.to_string(),
            test_id: test.to_string(),
            name: test.to_string(),
            file: String::new(),
            browser: String::new(),
            verdict: Some(if class == Some(ResultClass::ValidPass) {
                Verdict::Passed
            } else {
                Verdict::Failed
            }),
            class,
            candidates: Vec::new(),
            missing: String::new(),
            rule: "a-rule".to_string(),
            reason: signature.to_string(),
            evidence: vec!["what was seen".to_string()],
            notes: Vec::new(),
            suspicions: Vec::new(),
            signature: signature.to_string(),
            times: 1,
            since: None,
            depth: Depth::First,
            picture: None,
            discarded: false,
        }
    }

    fn tests_of(looks: &[Look]) -> Vec<String> {
        looks.iter().map(|look| look.tests.join("+")).collect()
    }

    #[test]
    fn new_defects_come_before_old_ones_and_those_before_everything_else() {
        let bug = Some(ResultClass::Bug);
        let results = [
            result("mend", Some(ResultClass::ScriptIssue), "s"),
            result("old", bug, "o"),
            result("open", None, "i"),
            result("one", bug, "same"),
            result("two", bug, "same"),
            result("three", bug, "t"),
            result("fine", Some(ResultClass::ValidPass), ""),
        ];
        let changes = Changes { same_error: vec!["old".to_string()], ..Changes::default() };
        let looks = first_look(&results, &[], Some(&changes));
        assert_eq!(tests_of(&looks), ["one+two", "three", "old", "open", "mend"]);
        assert_eq!(looks[0].what, "same (what was seen)");
    }

    #[test]
    fn what_was_seen_before_is_not_called_new() {
        let mut again = result("again", Some(ResultClass::Bug), "e");
        (again.times, again.since) = (2, Some(5));
        let broken = Changes { broken: vec!["again".to_string()], ..Changes::default() };
        let looks = first_look(std::slice::from_ref(&again), &[], Some(&broken));
        assert!(looks[0].why.ends_with("it is back: run 5 had it first"), "{looks:?}");
        let other = Changes { other_error: vec!["again".to_string()], ..Changes::default() };
        let looks = first_look(&[again], &[], Some(&other));
        assert!(looks[0].why.ends_with("it has been there since run 5"), "{looks:?}");
    }

    #[test]
    fn what_hit_half_of_the_tests_from_outside_comes_first() {
        let away = Some(ResultClass::ExternalBlock);
        let results =
            [result("a", away, "x"), result("b", away, "y"), result("c", Some(ResultClass::Bug), "z")];
        let looks = first_look(&results, &[], None);
        assert_eq!(tests_of(&looks), ["a+b", "c"]);
        assert!(looks[0].why.contains("2 of 3 tests"), "{looks:?}");
        let one = [result("a", away, "x"), result("c", Some(ResultClass::Bug), "z")];
        assert_eq!(tests_of(&first_look(&one, &[], None)), ["c", "a"], "one test is not everywhere");
    }

    #[test]
    fn changes_are_told_by_result_and_error() {
        let (pass, bug) = (Some(ResultClass::ValidPass), Some(ResultClass::Bug));
        let before = [
            result("broken", pass, ""),
            result("fixed", bug, "e"),
            result("same", bug, "e"),
            result("other", bug, "e"),
            result("gone", pass, ""),
            result("fine", pass, ""),
        ];
        let now = [
            result("broken", bug, "e"),
            result("fixed", pass, ""),
            result("same", bug, "e"),
            result("other", bug, "f"),
            result("new", bug, "e"),
            result("fine", pass, ""),
        ];
        let one = |test: &str| vec![test.to_string()];
        let expected = Changes {
            since: 3,
            broken: one("broken"),
            fixed: one("fixed"),
            other_error: one("other"),
            same_error: one("same"),
            added: one("new"),
            gone: one("gone"),
        };
        assert_eq!(Changes::between(&before, &now, 3), expected);
    }
}
