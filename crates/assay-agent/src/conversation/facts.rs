//! What later turns may need of an earlier one: names, numbers, verdicts and paths. Pure.

use serde_json::Value;

/// Keys whose values are facts.
const TELLING: &[&str] = &[
    "address",
    "class",
    "code",
    "coverage",
    "device",
    "error",
    "file",
    "host",
    "id",
    "name",
    "owner",
    "path",
    "platform",
    "reason",
    "report",
    "requirement",
    "run",
    "script",
    "state",
    "status",
    "task",
    "testcase",
    "tests",
    "title",
    "tree",
    "url",
    "userinterface",
    "verdict",
    "passed",
    "failed",
];

/// Keys that name an entry of a list.
const NAMING: &[&str] = &["id", "path", "file"];

/// How many named entries of one call are kept, and how many other facts.
const MOST_ENTRIES: usize = 400;
const MOST: usize = 40;

/// How long one fact may be.
const LONGEST: usize = 160;

/// The facts in the answer of a tool: from its value, or from its words where there is no value.
pub fn facts_of(value: Option<&Value>, text: &str) -> Vec<String> {
    let mut facts = Vec::new();
    match value {
        Some(value) => collect("", value, &mut facts),
        None => facts.extend(text.split_whitespace().filter(|word| is_path(word)).map(str::to_string)),
    }
    let mut kept: Vec<String> = Vec::new();
    let mut others = 0;
    for fact in facts {
        let is_entry = NAMING.iter().any(|key| fact.starts_with(&format!("{key}=")));
        let has_room = if is_entry { kept.len() < MOST_ENTRIES } else { others < MOST };
        if has_room && !kept.contains(&fact) {
            others += usize::from(!is_entry);
            kept.push(fact);
        }
    }
    kept
}

fn collect(key: &str, value: &Value, facts: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            // What has a name is one fact with its verdict and its path: apart, nobody knows which belongs to which.
            let name = NAMING.iter().find(|key| fields.get(**key).is_some_and(Value::is_string));
            let Some(name) = name else {
                return fields.iter().for_each(|(key, value)| collect(key, value, facts));
            };
            let told = |key: &str| fields.get(key).and_then(|value| fact(key, value));
            let rest = fields.keys().filter(|key| key != name).filter_map(|key| told(key));
            let whole: Vec<String> = told(name).into_iter().chain(rest).collect();
            facts.push(whole.join(" "));
            let inner = fields.iter().filter(|(_, value)| value.is_object() || value.is_array());
            inner.for_each(|(key, value)| collect(key, value, facts));
        }
        Value::Array(values) => values.iter().for_each(|value| collect(key, value, facts)),
        value => facts.extend(fact(key, value)),
    }
}

fn fact(key: &str, value: &Value) -> Option<String> {
    match value {
        Value::String(text) if is_telling(key) && !text.is_empty() => {
            Some(format!("{key}={}", assay_prompt::shortened(text, LONGEST)))
        }
        Value::Number(number) if is_telling(key) => Some(format!("{key}={number}")),
        _ => None,
    }
}

fn is_telling(key: &str) -> bool {
    TELLING.contains(&key) || key.ends_with("_id") || key.ends_with("_name")
}

fn is_path(word: &str) -> bool {
    word.len() > 3 && word.len() <= LONGEST && word.contains('/') && word.contains('.')
}

/// The value as short as it can be written without losing anything: without what is empty.
pub fn without_nothing(value: &Value) -> Value {
    match slimmed(value) {
        // An empty list is an answer, if there is no other.
        slim if is_nothing(&slim) => value.clone(),
        slim => slim,
    }
}

fn slimmed(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let kept = fields.iter().map(|(key, value)| (key.clone(), slimmed(value)));
            Value::Object(kept.filter(|(_, value)| !is_nothing(value)).collect())
        }
        Value::Array(values) => Value::Array(values.iter().map(slimmed).collect()),
        other => other.clone(),
    }
}

fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(values) => values.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn names_verdicts_and_paths_are_kept() {
        let value = json!({
            "run": "7", "totals": {"tests": 2, "passed": 1, "failed": 1, "not_run": 0},
            "tests": [{"id": "login", "status": "passed", "duration_ms": 800}, {"id": "pay", "status": "failed"}],
            "report": "assay-results/report.html",
        });
        let facts = facts_of(Some(&value), "");
        for fact in ["run=7", "id=login status=passed", "id=pay status=failed", "tests=2", "failed=1"] {
            assert!(facts.iter().any(|kept| kept == fact), "{fact}: {facts:?}");
        }
        assert!(facts.contains(&"report=assay-results/report.html".to_string()));
        assert!(!facts.iter().any(|fact| fact.contains("duration")));
    }

    #[test]
    fn each_entry_of_a_long_list_is_kept_with_its_path_and_verdict() {
        let tests: Vec<Value> = (0..100)
            .map(|number| json!({"id": format!("t{number}"), "file": format!("tests/{number}.yaml"), "status": "passed"}))
            .collect();
        let facts = facts_of(Some(&json!({ "tests": tests })), "");
        assert_eq!(facts.len(), 100);
        assert_eq!(facts[99], "id=t99 file=tests/99.yaml status=passed");
    }

    #[test]
    fn of_words_the_paths_are_kept() {
        assert_eq!(facts_of(None, "written to tests/new.yaml and shown"), ["tests/new.yaml"]);
    }

    #[test]
    fn what_is_empty_costs_nothing() {
        let value = json!({"a": null, "b": [], "c": {"d": ""}, "e": 0, "f": [{"g": null}], "h": false});
        assert_eq!(without_nothing(&value), json!({"e": 0, "f": [{}], "h": false}));
    }
}
