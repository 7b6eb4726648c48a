//! The prompts: texts that a person picks in a client.

use assay_mcp::{Content, Prompt, PromptArgument, PromptMessage, PromptReply, RequestError, Role};
use serde_json::{Map, Value};

struct Entry {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    /// With whether they must be given.
    arguments: &'static [(&'static str, &'static str, bool)],
    text: &'static str,
}

const URL: (&str, &str, bool) = ("url", "Address of the application", true);
const GOAL: (&str, &str, bool) = ("goal", "What should be tested", false);
const TESTCASE: (&str, &str, bool) = ("testcase", "Id of a test", true);
const RUN: (&str, &str, bool) = ("run", "Number or name of a run; the newest without it", false);

const ENTRIES: &[Entry] = &[
    Entry {
        name: "plan_suite",
        title: "Plan a suite",
        description: "Write tests for an application, and show that they can fail",
        arguments: &[URL, GOAL],
        text: include_str!("../../../../skills/prompts/plan_suite.md"),
    },
    Entry {
        name: "mend_test",
        title: "Mend a red test",
        description: "Find out why a test is not green, and mend it without weakening it",
        arguments: &[TESTCASE],
        text: include_str!("../../../../skills/prompts/mend_test.md"),
    },
    Entry {
        name: "review_heals",
        title: "Review heals",
        description: "Decide which healed steps still mean the same element",
        arguments: &[RUN],
        text: include_str!("../../../../skills/prompts/review_heals.md"),
    },
    Entry {
        name: "explain_failure",
        title: "Explain a failure",
        description: "Say what went wrong in a test, with evidence",
        arguments: &[TESTCASE, RUN],
        text: include_str!("../../../../skills/prompts/explain_failure.md"),
    },
];

pub fn list() -> Vec<Prompt> {
    let argument = |(name, about, required): &(&str, &str, bool)| PromptArgument {
        name: (*name).to_string(),
        description: Some((*about).to_string()),
        required: *required,
    };
    let prompt = |entry: &Entry| Prompt {
        name: entry.name.to_string(),
        title: Some(entry.title.to_string()),
        description: Some(entry.description.to_string()),
        arguments: entry.arguments.iter().map(argument).collect(),
    };
    ENTRIES.iter().map(prompt).collect()
}

/// A prompt with its arguments in their places.
pub fn filled(name: &str, arguments: &Map<String, Value>) -> Result<PromptReply, RequestError> {
    let entry = ENTRIES.iter().find(|entry| entry.name == name);
    let entry = entry.ok_or_else(|| RequestError::UnknownPrompt(name.to_string()))?;
    let is_known = |name: &String| entry.arguments.iter().any(|(known, _, _)| known == name);
    if let Some(unknown) = arguments.keys().find(|name| !is_known(name)) {
        return Err(RequestError::InvalidParams(format!("`{name}` has no argument `{unknown}`")));
    }
    // Piece by piece: a value may look like a place for another.
    let mut text = String::new();
    let mut rest = entry.text;
    while let Some((before, after)) = rest.split_once('{') {
        let place = after.split_once('}');
        let Some((name, after)) = place.filter(|(name, _)| is_known(&(*name).to_string())) else {
            text.push_str(before);
            text.push('{');
            rest = &rest[before.len() + 1..];
            continue;
        };
        text.push_str(before);
        text.push_str(arguments.get(name).and_then(Value::as_str).unwrap_or("(not given)"));
        rest = after;
    }
    text.push_str(rest);
    Ok(PromptReply {
        description: Some(entry.description.to_string()),
        messages: vec![PromptMessage { role: Role::User, content: Content::Text(text) }],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_argument_has_its_place() {
        for entry in ENTRIES {
            for (name, _, _) in entry.arguments {
                assert!(entry.text.contains(&format!("{{{name}}}")), "{} has no {{{name}}}", entry.name);
            }
        }
    }

    #[test]
    fn a_value_is_not_filled_again() {
        let arguments = [("testcase", "{run}"), ("run", "7")];
        let arguments = arguments.map(|(name, value)| (name.to_string(), Value::String(value.to_string())));
        let reply = filled("explain_failure", &arguments.into_iter().collect()).unwrap();
        let Content::Text(text) = &reply.messages[0].content else { panic!("no text") };
        assert!(text.contains("{run}") && text.contains('7'), "{text}");
        assert!(filled("explain_failure", &Map::from_iter([("x".to_string(), Value::Null)])).is_err());
    }
}
