//! When a model goes round in circles: the same failure three times ends a turn.
//!
//! Pure: takes what happened, and decides whether the turn goes on.

use std::collections::HashMap;

use serde_json::Value;

/// How often the same failure may happen in a turn.
const MOST_FAILURES: u32 = 3;

/// How often the same call may be carried out in a turn, if it changes something or says the same each time.
const MOST_REPEATS: u32 = 3;

/// How many failures of any kind a turn survives.
const MOST_FAILURES_IN_ALL: u32 = 12;

#[derive(Debug, Default)]
pub struct LoopGuard {
    failed_calls: HashMap<String, u32>,
    failures: HashMap<String, u32>,
    in_all: u32,
    calls: HashMap<String, Repeated>,
}

#[derive(Debug, Default)]
struct Repeated {
    times: u32,
    last_result: String,
}

impl LoopGuard {
    /// Why this call is not carried out once more.
    pub fn refuses(&self, tool: &str, arguments: &Value) -> Option<String> {
        let seen = self.calls.get(&key(tool, arguments)).filter(|seen| seen.times >= MOST_REPEATS)?;
        Some(format!(
            "not carried out: this very call was made {} times in this turn; use its results",
            seen.times
        ))
    }

    /// A call was carried out.
    pub fn worked(&mut self, tool: &str, arguments: &Value, has_effect: bool, result: &str) {
        let seen = self.calls.entry(key(tool, arguments)).or_default();
        // A tool that only looks may be asked until something has changed.
        if !has_effect && seen.last_result != result {
            seen.times = 0;
        }
        seen.times += 1;
        seen.last_result = result.to_string();
    }

    /// A call failed. Returns why the turn ends, if it does.
    pub fn failed(&mut self, tool: &str, arguments: &Value, error: &str) -> Option<String> {
        let calls = count(&mut self.failed_calls, key(tool, arguments));
        let errors = count(&mut self.failures, format!("{tool}\n{error}"));
        if calls.max(errors) >= MOST_FAILURES {
            return Some(format!(
                "`{tool}` failed {MOST_FAILURES} times in the same way: {}",
                first_line(error)
            ));
        }
        self.one_more()
    }

    /// The model said something that leads nowhere. Returns why the turn ends, if it does.
    pub fn misspoke(&mut self, what: &str) -> Option<String> {
        if count(&mut self.failures, what.to_string()) >= MOST_FAILURES {
            return Some(format!("the model answered {MOST_FAILURES} times in the same way: {what}"));
        }
        self.one_more()
    }

    fn one_more(&mut self) -> Option<String> {
        self.in_all += 1;
        (self.in_all >= MOST_FAILURES_IN_ALL).then(|| format!("{MOST_FAILURES_IN_ALL} attempts failed"))
    }
}

fn count(counts: &mut HashMap<String, u32>, key: String) -> u32 {
    let seen = counts.entry(key).or_default();
    *seen += 1;
    *seen
}

/// Objects are sorted by their keys, so equal arguments have equal texts.
fn key(tool: &str, arguments: &Value) -> String {
    format!("{tool} {arguments}")
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_same_failure_three_times_ends_the_turn() {
        let mut guard = LoopGuard::default();
        assert_eq!(guard.failed("run", &json!({"a": 1}), "no"), None);
        assert_eq!(guard.failed("run", &json!({"a": 1}), "other"), None);
        assert!(guard.failed("run", &json!({"a": 1}), "third").unwrap().contains("`run` failed 3 times"));
        let mut guard = LoopGuard::default();
        let ends: Vec<bool> =
            (0..3).map(|number| guard.failed("run", &json!({"a": number}), "no").is_some()).collect();
        assert_eq!(ends, [false, false, true], "other arguments, the same error");
    }

    #[test]
    fn different_failures_end_it_too_in_the_end() {
        let mut guard = LoopGuard::default();
        let ended = (1..100).find(|number| guard.misspoke(&format!("{number}")).is_some());
        assert_eq!(ended, Some(12));
    }

    #[test]
    fn a_call_with_an_effect_is_not_made_over_and_over() {
        let mut guard = LoopGuard::default();
        for number in 0..3 {
            assert_eq!(guard.refuses("run", &json!({})), None);
            guard.worked("run", &json!({}), true, &format!("run {number}"));
        }
        assert!(guard.refuses("run", &json!({})).is_some());
        assert_eq!(guard.refuses("run", &json!({"other": 1})), None);
    }

    #[test]
    fn a_look_may_be_repeated_until_something_changes() {
        let mut guard = LoopGuard::default();
        for number in 0..10 {
            guard.worked("status", &json!({}), false, &format!("{number} done"));
            assert_eq!(guard.refuses("status", &json!({})), None);
        }
        for _ in 0..2 {
            guard.worked("status", &json!({}), false, "9 done");
        }
        assert!(guard.refuses("status", &json!({})).is_some());
    }
}
