//! The classes of results: what a tool found, and what an answer of a model says about the same tests. Pure.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::analysis::{INCONCLUSIVE, ResultClass};

/// What a tool found out about one test.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundClass {
    pub test: String,
    /// The name of the class, or `INCONCLUSIVE`.
    pub class: String,
}

/// The classes in the answer of a tool.
pub fn classes_in(value: Option<&Value>) -> Vec<FoundClass> {
    let tests = value.and_then(|value| value.get("tests")).and_then(Value::as_array);
    let found = tests.into_iter().flatten().filter_map(|test| {
        let analysis = test.get("analysis")?;
        let class = analysis.get("class").and_then(Value::as_str).unwrap_or(INCONCLUSIVE);
        Some(FoundClass { test: test.get("id")?.as_str()?.to_string(), class: class.to_string() })
    });
    found.collect()
}

/// What is wrong with an answer that gives a test another class than the tool did. Of several results of one test, the
/// latest counts.
pub fn misnamed(text: &str, found: &[FoundClass]) -> Option<String> {
    let words = words_of(text);
    let mut about: Option<&FoundClass> = None;
    let mut said: Vec<(&FoundClass, Vec<&str>)> = Vec::new();
    for (place, word) in words.iter().enumerate() {
        if word.is_line_begin && !word.is_indented {
            about = None;
        }
        // A longer name begins with a shorter one: `login` and `login_twice`.
        let named = found
            .iter()
            .rev()
            .filter(|one| begins_with(&words[place..], &one.test).is_some())
            .max_by_key(|one| one.test.len());
        if let Some(test) = named {
            about = Some(test);
        }
        let class = class_named(word.text);
        if let (Some(test), Some(class)) = (about, class) {
            match said.iter_mut().find(|(known, _)| known.test == test.test) {
                Some((_, classes)) => classes.push(class),
                None => said.push((test, vec![class])),
            }
        }
    }
    let (wrong, classes) =
        said.into_iter().find(|(test, classes)| !classes.contains(&test.class.as_str()))?;
    Some(format!(
        "the tool's class of {} is {}, and your answer says {}; report the class of the tool",
        wrong.test,
        wrong.class,
        classes.join(", ")
    ))
}

pub(super) struct Word<'a> {
    pub text: &'a str,
    pub is_line_begin: bool,
    /// The line belongs to the one above it.
    pub is_indented: bool,
}

/// Letters, digits and `_`; everything else is between words.
pub(super) fn words_of(text: &str) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    for line in text.lines() {
        let is_indented = line.starts_with([' ', '\t']);
        let parts = line.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
        for (place, part) in parts.filter(|part| !part.is_empty()).enumerate() {
            words.push(Word { text: part, is_line_begin: place == 0, is_indented });
        }
    }
    words
}

/// How many words the name of a test has, if they begin with it: its id, or in plain words: `login_page`, `Login page`.
pub(super) fn begins_with(words: &[Word<'_>], test: &str) -> Option<usize> {
    let plain = |text: &str| -> Vec<String> {
        text.split(|letter: char| !letter.is_alphanumeric())
            .filter(|part| !part.is_empty())
            .map(str::to_lowercase)
            .collect()
    };
    let name = plain(test);
    let mut there: Vec<String> = Vec::new();
    let mut length = 0;
    for word in words {
        if there.len() >= name.len() {
            break;
        }
        there.extend(plain(word.text));
        length += 1;
    }
    (!name.is_empty() && there == name).then_some(length)
}

fn class_named(word: &str) -> Option<&'static str> {
    match word {
        INCONCLUSIVE => Some(INCONCLUSIVE),
        word => ResultClass::named(word).map(ResultClass::name),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn found() -> Vec<FoundClass> {
        classes_in(Some(&json!({"tests": [
            {"id": "login_page", "analysis": {"class": "VALID_PASS"}},
            {"id": "login", "analysis": {"class": "BUG"}},
            {"id": "pay", "analysis": {"candidates": ["BUG", "SCRIPT_ISSUE"]}},
            {"id": "not_analysed"},
        ]})))
    }

    #[test]
    fn the_classes_of_the_tool_are_right_in_any_form() {
        for right in [
            "- **login_page**: VALID_PASS\n- **login**: BUG, because 13 € is no 12 €\n- pay: INCONCLUSIVE (BUG or SCRIPT_ISSUE)",
            "login is a BUG; login_page is a VALID_PASS.",
            "| test | class |\n| login | BUG |\n| Login page | VALID_PASS |",
            "## BUG\n- login\n## VALID_PASS\n- login_page",
            "**login**\n  class: BUG\n\nSo there is one BUG and one VALID_PASS.",
            "Nothing is known of not_analysed: BUG",
            "login_of_others: SYSTEM_ISSUE",
            "The login test failed.",
        ] {
            assert_eq!(misnamed(right, &found()), None, "{right}");
        }
    }

    #[test]
    fn another_class_is_told() {
        for (wrong, test, class) in [
            ("- **login**: SCRIPT_ISSUE", "login", "SCRIPT_ISSUE"),
            ("- login_page: VALID_PASS\n- login: VALID_PASS", "login", "VALID_PASS"),
            ("**pay**: BUG, because it failed", "pay", "BUG"),
            ("Login page is a BUG", "login_page", "BUG"),
            ("**login**\n  class: EXTERNAL_BLOCK", "login", "EXTERNAL_BLOCK"),
        ] {
            let told = misnamed(wrong, &found()).unwrap_or_else(|| panic!("{wrong}"));
            assert!(
                told.contains(&format!("of {test} is")) && told.contains(&format!("says {class}")),
                "{told}"
            );
        }
    }
}
