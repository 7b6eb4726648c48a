//! Results of tools in words: for the model, behind the fence where they may hold text of a page; and in one line for people.
//! Pure.

use assay_prompt::{fenced, harmless, shortened};
use assay_tools::{Tool, ToolAnswer};
use serde_json::Value;

/// How many characters of a result the model is shown.
pub const MOST_OF_RESULT: usize = 6_000;

/// How many characters of a result people are shown beside the call.
pub const MOST_OF_LINE: usize = 100;

/// The verdict of an exit code, in one word.
pub fn verdict_word(exit_code: u8) -> &'static str {
    match exit_code {
        0 => "PASSED",
        1 => "FAILED",
        3 => "INCONCLUSIVE",
        _ => "ERROR",
    }
}

/// A result in the words for the model. What may be text of a page stands behind the fence.
pub fn for_model(tool: &Tool, answer: &ToolAnswer, value: Option<&Value>, text: &str) -> String {
    let body = match value {
        Some(value) if !answer.is_error => value.to_string(),
        _ => text.to_string(),
    };
    let whole = body.chars().count();
    let mut body = shortened(&body, MOST_OF_RESULT);
    if whole > MOST_OF_RESULT {
        body.push_str(&format!(" ({} more characters)", whole - MOST_OF_RESULT));
    }
    let lines: Vec<String> = body.lines().map(harmless).collect();
    let body = lines.join("\n");
    let body = match answer.quotes_page {
        true => fenced(&format!("or result of {}", tool.name), &body),
        false => body,
    };
    // What only reads has no verdict of its own, and a mistake says what it is.
    match answer.exit_code {
        code if code != 0 && !answer.is_error && !tool.effects.reads_only => {
            format!("{}: {body}", verdict_word(code))
        }
        _ => body,
    }
}

/// A result in a few words.
pub fn short(answer: &ToolAnswer, value: Option<&Value>, text: &str) -> String {
    let status = value.and_then(|value| {
        let tests = value.get("tests")?.as_array()?;
        let one =
            |test: &Value| Some(format!("{} {}", test.get("id")?.as_str()?, test.get("status")?.as_str()?));
        let lines: Vec<String> = tests.iter().filter_map(one).collect();
        (!lines.is_empty()).then(|| lines.join(", "))
    });
    let names = |value: &Value| -> Option<String> {
        let (key, list) = value.as_object()?.iter().find_map(|(key, list)| Some((key, list.as_array()?)))?;
        let name = |entry: &Value| {
            ["name", "host", "userinterface", "code", "device", "id", "file"]
                .iter()
                .find_map(|key| Some(entry.get(*key)?.as_str()?.to_string()))
        };
        let names: Vec<String> = list.iter().filter_map(name).collect();
        Some(if names.is_empty() { format!("{} {key}", list.len()) } else { names.join(", ") })
    };
    let said = match answer.is_error {
        true => None,
        false => status.or_else(|| value.and_then(names)),
    };
    let line = said.unwrap_or_else(|| text.lines().next().unwrap_or_default().to_string());
    shortened(&harmless(&line), MOST_OF_LINE)
}
