//! The same test with other values: it enters and expects values that were never entered before.

use std::time::{SystemTime, UNIX_EPOCH};

use super::Observed;
use crate::plan::{Plan, PlanStep, StepBody};

/// None if the test does not check a value that it enters.
pub(crate) fn varied(plan: &Plan, observed: &Observed) -> Option<Plan> {
    let claimed = |value: &str| observed.claims.iter().any(|claim| claim.claim.contains(value));
    let mut values: Vec<String> = observed
        .acts
        .iter()
        .flat_map(|act| &act.values)
        .filter(|value| value.chars().count() > 1 && claimed(value) && !plan.secrets.contains(value))
        .cloned()
        .collect();
    values.sort_by_key(|value| std::cmp::Reverse(value.len()));
    values.dedup();
    if values.is_empty() {
        return None;
    }
    let mark = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.subsec_micros());
    let mut plan = plan.clone();
    // The lock stays valid, because values are not part of it. Only reworded sentences would not match.
    for step in plan.steps.iter_mut().chain(&mut plan.expected) {
        reword(step, &values, mark);
    }
    Some(plan)
}

fn reword(step: &mut PlanStep, values: &[String], mark: u32) {
    let StepBody::Sentence(sentence) = &mut step.what else { return };
    for value in values {
        *sentence = sentence.replace(value.as_str(), &another(value, mark));
    }
}

/// A value of the same kind: a number stays a number, an address an address.
fn another(value: &str, mark: u32) -> String {
    if value.chars().all(|letter| letter.is_ascii_digit()) {
        let most = 10u64.saturating_pow(value.len().min(18) as u32);
        let number = value.parse::<u64>().unwrap_or_default();
        let moved = (number + 1 + u64::from(mark) % most.max(2)) % most.max(2);
        return format!("{moved:0width$}", width = value.len());
    }
    match value.split_once('@') {
        Some((name, host)) if !name.is_empty() && host.contains('.') => format!("{name}.{mark}@{host}"),
        _ => format!("{value} {}", letters(mark)),
    }
}

/// The mark in letters: some fields take no digits.
fn letters(mut mark: u32) -> String {
    let mut text = String::new();
    while mark > 0 {
        text.push(char::from(b'a' + (mark % 26) as u8));
        mark /= 26;
    }
    if text.is_empty() { "a".to_string() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_value_is_of_the_same_kind() {
        assert_eq!(another("Pier 9", 30), "Pier 9 eb");
        assert_eq!(another("ada@example.com", 7), "ada.7@example.com");
        let number = another("042", 7);
        assert!(number != "042" && number.len() == 3 && number.parse::<u32>().is_ok(), "{number}");
    }
}
