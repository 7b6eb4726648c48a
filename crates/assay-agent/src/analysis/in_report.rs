//! The analysis as a part of a run's report: what each result means beside what it was, in a few fields.

use serde::Serialize;
use serde_json::{Map, Value};

use super::class::{INCONCLUSIVE, ResultClass};
use super::result::ResultAnalysis;
use super::run::RunAnalysis;

/// The meaning of one result.
#[derive(Serialize)]
struct Meaning<'a> {
    /// None where the evidence does not decide.
    class: Option<ResultClass>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    candidates: &'a [ResultClass],
    /// The class in words, with the candidates where there is none.
    meaning: String,
    reason: &'a str,
    /// In one line.
    evidence: String,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    suspicions: &'a [String],
    times: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    since: Option<i64>,
}

impl<'a> Meaning<'a> {
    fn of(result: &'a ResultAnalysis) -> Meaning<'a> {
        Meaning {
            class: result.class,
            candidates: &result.candidates,
            meaning: meaning_of(result),
            reason: &result.reason,
            evidence: one_line(result),
            suspicions: &result.suspicions,
            times: result.times,
            since: result.since,
        }
    }
}

/// `BUG`, or `INCONCLUSIVE (BUG or SCRIPT_ISSUE)`.
fn meaning_of(result: &ResultAnalysis) -> String {
    let names: Vec<&str> = result.candidates.iter().map(|class| class.name()).collect();
    match (result.class, names.is_empty()) {
        (Some(class), _) => class.name().to_owned(),
        (None, true) => INCONCLUSIVE.to_owned(),
        (None, false) => format!("{INCONCLUSIVE} ({})", names.join(" or ")),
    }
}

fn one_line(result: &ResultAnalysis) -> String {
    let mut parts: Vec<String> = result.evidence.iter().map(|line| assay_report::one_line(line)).collect();
    if !result.missing.is_empty() {
        parts.push(format!("missing: {}", result.missing));
    }
    parts.join("; ")
}

/// The report with `analysis` in each test, and with `changes` and `first_look`.
pub fn in_report(mut report: Value, analysis: &RunAnalysis) -> Value {
    let Some(fields) = report.as_object_mut() else { return report };
    for test in fields.get_mut("tests").and_then(Value::as_array_mut).into_iter().flatten() {
        let found = analysis.results.iter().find(|result| test["id"] == result.test_id.as_str());
        if let (Some(found), Some(test)) = (found, test.as_object_mut()) {
            put(test, "analysis", &Meaning::of(found));
        }
    }
    if let Some(changes) = &analysis.changes {
        put(fields, "changes", changes);
    }
    put(fields, "first_look", &analysis.first_look);
    report
}

/// Our own types are always JSON.
fn put(fields: &mut Map<String, Value>, name: &str, value: &impl Serialize) {
    fields.insert(name.to_owned(), serde_json::to_value(value).unwrap_or_default());
}
