//! Verdicts of runs: what the tools found of each test, and what an answer of a model says about it. Pure.
//!
//! The words of a model are never the only report of a test that did not pass: the lines of the tools come first.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::classes::{begins_with, words_of};
use super::history::DoneCall;

/// How a test or a script ended, as its tool said it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundVerdict {
    pub test: String,
    /// passed, failed, inconclusive or error.
    pub status: String,
    /// For people.
    pub line: String,
}

/// What an answer says of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Claim {
    Passed,
    Failed,
    Open,
}

/// How far an answer agrees with the tools.
#[derive(Debug, PartialEq, Eq)]
pub enum Agreement {
    Agrees,
    /// It says more than the tools did.
    Unconfirmed,
    /// It says something else; what is wrong.
    Contradicts(String),
}

const PASSED: &[&str] = &[
    "passed",
    "pass",
    "passes",
    "passing",
    "green",
    "fine",
    "ok",
    "okay",
    "success",
    "successful",
    "successfully",
    "succeeded",
    "succeeds",
    "works",
    "worked",
    "well",
    "good",
    "bestanden",
    "erfolgreich",
    "grün",
    "gut",
    "réussi",
    "réussie",
    "vert",
    "superado",
    "aprobado",
    "superato",
];
const FAILED: &[&str] = &[
    "failed",
    "fail",
    "fails",
    "failing",
    "failure",
    "failures",
    "red",
    "fehlgeschlagen",
    "gescheitert",
    "rot",
    "durchgefallen",
    "échoué",
    "fallado",
    "falló",
    "fallito",
];
const OPEN: &[&str] =
    &["inconclusive", "unclear", "undecided", "unknown", "error", "aborted", "stopped", "unklar"];
const NEGATIONS: &[&str] =
    &["not", "no", "never", "without", "0", "zero", "none", "nicht", "kein", "keine", "didn", "non", "pas"];
const SIGNS: &[(&[char], &str)] =
    &[(&['✅', '✓', '✔', '🟢', '👍', '☑'], " passed "), (&['❌', '✗', '✘', '🔴', '👎', '✖'], " failed ")];
/// Stands in front of words that no tool confirmed.
const NOT_CONFIRMED: &str = "The model adds, not confirmed by any tool:";

/// The verdicts in the answer of a tool that runs something.
pub fn verdicts_in(value: Option<&Value>) -> Vec<FoundVerdict> {
    let tests = value.and_then(|value| value.get("tests")).and_then(Value::as_array);
    let found = tests.into_iter().flatten().filter_map(|test| {
        let text = |key: &str| test.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
        let (name, status) = (text("id")?, text("status")?);
        let mut line = format!("**{name}**: {}", status.to_uppercase());
        if let Some(length) = test.get("duration_ms").and_then(Value::as_f64) {
            line.push_str(&format!(" ({:.1}s)", length / 1000.0));
        }
        if let Some(reason) = text("reason").and_then(|reason| reason.lines().next()) {
            line.push_str(&format!(", {reason}"));
        }
        Some(FoundVerdict { test: name.to_string(), status: status.to_string(), line })
    });
    found.collect()
}

/// Of several runs of one test, the latest counts.
pub fn latest(calls: &[DoneCall]) -> Vec<FoundVerdict> {
    let mut found: Vec<FoundVerdict> = Vec::new();
    for call in calls {
        found.retain(|one| !call.end.verdicts.iter().any(|other| other.test == one.test));
        found.extend(call.end.verdicts.iter().cloned());
    }
    found
}

/// Compares each verdict in an answer with those of the tools. `known` are names of tests and scripts, run or not.
pub fn agreement(text: &str, found: &[FoundVerdict], known: &[String]) -> Agreement {
    if found.is_empty() {
        return Agreement::Agrees;
    }
    let (named, general) = claims(text, found, known);
    for (name, said) in &named {
        let right: Vec<Claim> =
            found.iter().filter(|one| one.test == *name).map(|one| claim_of(&one.status)).collect();
        if !right.is_empty() && !said.iter().any(|claim| right.contains(claim)) {
            return Agreement::Contradicts(contradiction(name, found));
        }
    }
    let is_right = |claim: &Claim| found.iter().any(|one| claim_of(&one.status) == *claim);
    let open = found.iter().find(|one| claim_of(&one.status) != Claim::Passed);
    let says_nothing_of_tests = named.iter().all(|(name, _)| !found.iter().any(|one| one.test == *name));
    if says_nothing_of_tests && !general.is_empty() {
        let only_passes = general.iter().all(|claim| *claim == Claim::Passed);
        let first = open.unwrap_or(&found[0]);
        if !general.iter().any(is_right) || only_passes && open.is_some() {
            return Agreement::Contradicts(contradiction(&first.test, found));
        }
    }
    let of_others = named.iter().any(|(name, _)| !found.iter().any(|one| one.test == *name));
    let praises = general.iter().any(|claim| !is_right(claim));
    // "FAILED, but it is fine": of one test, both.
    let wavers = named.iter().any(|(name, said)| {
        said.iter().any(|claim| {
            let of_it = |one: &&FoundVerdict| one.test == *name;
            !found.iter().filter(of_it).any(|one| claim_of(&one.status) == *claim)
        })
    });
    match of_others || praises || wavers {
        true => Agreement::Unconfirmed,
        false => Agreement::Agrees,
    }
}

fn contradiction(test: &str, found: &[FoundVerdict]) -> String {
    let status = found.iter().rev().find(|one| one.test == test).map_or("", |one| one.status.as_str());
    format!(
        "the tool's verdict of {test} is {}, and your answer says something else; report what the tools said, test by test",
        status.to_uppercase()
    )
}

/// The answer with the lines of the tools in front, where a test did not pass or the words are not confirmed.
pub fn with_verdicts(text: &str, found: &[FoundVerdict], agreement: &Agreement) -> String {
    let all_passed = found.iter().all(|one| one.status == "passed");
    if found.is_empty() || all_passed && *agreement == Agreement::Agrees {
        return text.to_string();
    }
    let lines: Vec<&str> = found.iter().map(|one| one.line.as_str()).collect();
    match agreement {
        Agreement::Agrees => format!("{}\n\n{text}", lines.join("\n")),
        Agreement::Unconfirmed | Agreement::Contradicts(_) => {
            format!("{}\n\n{NOT_CONFIRMED}\n{text}", lines.join("\n"))
        }
    }
}

fn claim_of(status: &str) -> Claim {
    match status {
        "passed" => Claim::Passed,
        "failed" => Claim::Failed,
        _ => Claim::Open,
    }
}

type Claims = Vec<Claim>;

/// What is said of each test, and of none.
fn claims(text: &str, found: &[FoundVerdict], known: &[String]) -> (Vec<(String, Claims)>, Claims) {
    let mut plain = text.to_string();
    for (signs, word) in SIGNS {
        plain = plain.replace(*signs, word);
    }
    let words = words_of(&plain);
    let names: Vec<&str> =
        found.iter().map(|one| one.test.as_str()).chain(known.iter().map(String::as_str)).collect();
    let (mut named, mut general): (Vec<(String, Claims)>, Claims) = (Vec::new(), Vec::new());
    let mut about: Option<&str> = None;
    // The words of a name say nothing: `login_ok`.
    let mut name_ends = 0;
    for (place, word) in words.iter().enumerate() {
        if word.is_line_begin && !word.is_indented {
            about = None;
        }
        let fits = names.iter().filter_map(|name| Some((*name, begins_with(&words[place..], name)?)));
        if let Some((name, length)) = fits.max_by_key(|(name, _)| name.len())
            && place >= name_ends
        {
            about = Some(name);
            name_ends = place + length;
        }
        if place < name_ends {
            continue;
        }
        let lower = word.text.to_lowercase();
        let before = words[place.saturating_sub(2)..place].iter();
        let is_negated = before.clone().any(|word| NEGATIONS.contains(&word.text.to_lowercase().as_str()));
        let claim = match (lower.as_str(), is_negated) {
            (word, false) if PASSED.contains(&word) => Claim::Passed,
            (word, true) if PASSED.contains(&word) => Claim::Failed,
            (word, false) if FAILED.contains(&word) => Claim::Failed,
            (word, true) if FAILED.contains(&word) => Claim::Passed,
            (word, false) if OPEN.contains(&word) => Claim::Open,
            _ => continue,
        };
        match about {
            None => general.push(claim),
            Some(name) => match named.iter_mut().find(|(known, _)| known == name) {
                Some((_, said)) => said.push(claim),
                None => named.push((name.to_string(), vec![claim])),
            },
        }
    }
    (named, general)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn found(tests: &[(&str, &str)]) -> Vec<FoundVerdict> {
        let tests: Vec<Value> = tests
            .iter()
            .map(|(id, status)| json!({ "id": id, "status": status, "duration_ms": 800 }))
            .collect();
        verdicts_in(Some(&json!({ "tests": tests })))
    }

    fn of(text: &str, tests: &[(&str, &str)]) -> Agreement {
        agreement(text, &found(tests), &["login".to_string(), "boarding_pass".to_string()])
    }

    const BOTH: &[(&str, &str)] = &[("book_lesson", "failed"), ("login", "passed")];
    const ONE: &[(&str, &str)] = &[("book_lesson", "failed")];

    #[test]
    fn a_reversed_verdict_is_a_contradiction() {
        for text in [
            "**book_lesson**: PASSED\n**login**: FAILED",
            "book_lesson ✅ and login ❌",
            "Book lesson is green, login is red.",
            "All is well.",
            "Der Test book_lesson ist bestanden",
            "login: fehlgeschlagen",
        ] {
            assert!(matches!(of(text, BOTH), Agreement::Contradicts(_)), "{text}");
        }
        for text in [
            "It went well: everything is green.",
            "Der Test ist bestanden.",
            "book_lesson on local/chromium ✅",
            "Alles grün 🟢",
            "book_lesson: INCONCLUSIVE",
        ] {
            assert!(matches!(of(text, ONE), Agreement::Contradicts(_)), "{text}");
        }
        assert!(matches!(of("login: failed", &[("login", "passed")]), Agreement::Contradicts(_)));
        assert!(matches!(of("It failed", &[("login", "passed")]), Agreement::Contradicts(_)));
        assert!(matches!(of("login: FAILED", &[("login", "inconclusive")]), Agreement::Contradicts(_)));
    }

    #[test]
    fn what_says_more_than_the_tools_is_not_confirmed() {
        for text in [
            "The failure is caused by a slow network; the application is fine.",
            "**book_lesson**: FAILED, and login: PASSED",
            "book_lesson FAILED, but it is fine",
        ] {
            assert_eq!(of(text, ONE), Agreement::Unconfirmed, "{text}");
            let shown = with_verdicts(text, &found(ONE), &Agreement::Unconfirmed);
            assert!(shown.starts_with("**book_lesson**: FAILED (0.8s)\n\nThe model adds"), "{shown}");
        }
    }

    #[test]
    fn what_the_tools_said_agrees() {
        for (text, tests) in [
            ("**book_lesson**: FAILED\n**login**: PASSED", BOTH),
            ("login passed, book_lesson did not pass", BOTH),
            ("1 passed, 1 failed", BOTH),
            ("**book_lesson** failed: \"Checkout\" is not shown", ONE),
            ("Here is what I found.", ONE),
            ("**login** on local/chromium: PASSED (0.8s), no failures", &[("login", "passed")]),
            ("boarding_pass: FAILED", &[("boarding_pass", "failed")]),
            ("login: INCONCLUSIVE", &[("login", "inconclusive")]),
        ] {
            assert_eq!(of(text, tests), Agreement::Agrees, "{text}");
        }
        assert!(
            with_verdicts("so it is", &found(ONE), &Agreement::Agrees).starts_with("**book_lesson**: FAILED")
        );
        assert_eq!(
            with_verdicts("all passed", &found(&[("login", "passed")]), &Agreement::Agrees),
            "all passed"
        );
    }
}
