//! The contracts of the providers, as they lie in `models/`: schemas and examples.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde_json::Value;

macro_rules! files {
    ($folder:literal: $($name:literal),+ $(,)?) => {
        &[$(($name, include_str!(concat!("../../models/", $folder, "/", $name)))),+]
    };
}

const SCHEMAS: &[(&str, &str)] = files!("schemas":
    "anthropic-messages-request.schema.json",
    "anthropic-messages-response.schema.json",
    "anthropic-messages-stream-event.schema.json",
    "anthropic-toolset-inputs.schema.json",
    "openai-responses-request.schema.json",
    "openai-responses-response.schema.json",
    "openai-responses-stream-event.schema.json",
    "openai-chat-completions-request.schema.json",
    "openai-chat-completions-response.schema.json",
    "openai-chat-completions-chunk.schema.json",
    "gemini-generate-content-request.schema.json",
);

const EXAMPLES: &[(&str, &str)] = files!("examples":
    "anthropic/01-browser-toolset.request.json",
    "anthropic/02-browser-toolset.response.json",
    "anthropic/03-browser-toolset-result.request.json",
    "anthropic/04-browser-toolset-error.request.json",
    "anthropic/05-screenshot-result.request.json",
    "anthropic/06-custom-tools-search.request.json",
    "anthropic/07-computer-20251124.request.json",
    "anthropic/08-overloaded.error-529.json",
    "anthropic/09-rate-limit.error-429.json",
    "anthropic/10-refusal.response.json",
    "anthropic/11-tool-use.stream.sse",
    "anthropic/12-error.stream.sse",
    "chat/01-create.request.json",
    "chat/02-tool-calls.response.json",
    "chat/03-tool-result.request.json",
    "chat/04-tool-calls.stream.sse",
    "responses/01-create.request.json",
    "responses/02-computer-call.response.json",
    "responses/03-computer-output.request.json",
    "responses/04-final.response.json",
    "responses/05-safety-check.response.json",
    "responses/06-acknowledge.request.json",
    "responses/07-unacknowledged.error-400.json",
    "responses/08-rate-limit.error-429.json",
    "responses/09-preview-legacy.request.json",
    "responses/10-preview-legacy.response.json",
    "responses/11-stateless.request.json",
    "responses/12-computer-call.stream.sse",
    "responses/13-text.stream.sse",
    "gemini/01-computer.request.json",
    "gemini/02-computer-call.response.json",
    "gemini/03-computer-result.request.json",
    "gemini/04-confirmation.response.json",
    "gemini/05-rate-limit.error-429.json",
    "gemini/06-text.stream.sse",
);

/// Read once: a stand-in looks at them for every request.
static READ: LazyLock<BTreeMap<&str, Value>> = LazyLock::new(|| {
    let read = |(name, text): &(&'static str, &str)| {
        let schema = serde_json::from_str(text).expect("a schema is JSON");
        (name.trim_end_matches(".schema.json"), schema)
    };
    SCHEMAS.iter().map(read).collect()
});

/// A schema by the beginning of its name: `anthropic-messages-request`.
pub fn schema(name: &str) -> &'static Value {
    READ.get(name).unwrap_or_else(|| panic!("there is no schema `{name}`"))
}

/// The text of an example: `anthropic/11-tool-use.stream.sse`.
pub fn example(name: &str) -> &'static str {
    let text = EXAMPLES.iter().find(|(known, _)| *known == name).map(|(_, text)| *text);
    text.unwrap_or_else(|| panic!("there is no example `{name}`"))
}

/// An example that is JSON.
pub fn example_json(name: &str) -> Value {
    serde_json::from_str(example(name)).expect("the example is JSON")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::schema::{problems, problems_of_part};

    /// The schema that an example has to satisfy, by its name.
    fn schema_of(example: &str) -> Option<&'static str> {
        let kind = if example.ends_with(".request.json") {
            "request"
        } else if example.ends_with(".response.json") {
            "response"
        } else if example.ends_with(".sse") {
            "event"
        } else {
            return None;
        };
        match (example.split('/').next()?, kind) {
            ("anthropic", "request") => Some("anthropic-messages-request"),
            ("anthropic", "response") => Some("anthropic-messages-response"),
            ("anthropic", _) => Some("anthropic-messages-stream-event"),
            ("responses", "request") => Some("openai-responses-request"),
            ("responses", "response") => Some("openai-responses-response"),
            ("responses", _) => Some("openai-responses-stream-event"),
            ("chat", "request") => Some("openai-chat-completions-request"),
            ("chat", "response") => Some("openai-chat-completions-response"),
            ("chat", _) => Some("openai-chat-completions-chunk"),
            ("gemini", "request") => Some("gemini-generate-content-request"),
            _ => None,
        }
    }

    fn values(text: &str) -> Vec<Value> {
        if let Ok(value) = serde_json::from_str(text) {
            return vec![value];
        }
        let data = text.lines().filter_map(|line| line.strip_prefix("data: "));
        data.filter(|data| *data != "[DONE]").map(|data| serde_json::from_str(data).unwrap()).collect()
    }

    #[test]
    fn every_example_keeps_to_its_schema() {
        let mut checked = 0;
        for (name, text) in EXAMPLES {
            let Some(schema_name) = schema_of(name) else { continue };
            let schema = schema(schema_name);
            for value in values(text) {
                // These two are in the contract, but not among the types that the schema was made of.
                if matches!(value["type"].as_str(), Some("ping" | "error")) {
                    continue;
                }
                assert_eq!(problems(schema, &value), Vec::<String>::new(), "{name}");
                checked += 1;
            }
        }
        assert!(checked > 60, "{checked}");
    }

    #[test]
    fn every_example_with_a_field_too_many_is_found() {
        for (name, text) in EXAMPLES.iter().filter(|(name, _)| name.ends_with(".request.json")) {
            let mut value: Value = serde_json::from_str(text).unwrap();
            value["surprise"] = true.into();
            let found = problems(schema(schema_of(name).unwrap()), &value);
            assert_eq!(found, ["/surprise: nothing may stand here"], "{name}");
        }
    }

    #[test]
    fn a_mistake_deep_inside_is_named_with_its_place() {
        let mut value = example_json("anthropic/03-browser-toolset-result.request.json");
        value["messages"][2]["content"][0]["content"][1]["tabs"][0]["url"] = 7.into();
        let found = problems(schema("anthropic-messages-request"), &value);
        assert_eq!(
            found,
            ["/messages/2/content/0/content/1/tabs/0/url: `type` \"string\" does not hold for 7"]
        );
    }

    #[test]
    fn the_input_of_a_member_is_checked_by_its_part() {
        let root = schema("anthropic-toolset-inputs");
        let part = &root["properties"]["browser"]["properties"]["left_click"];
        let good = serde_json::json!({"target": {"type": "ref", "ref": "ref_7"}});
        assert_eq!(problems_of_part(root, part, &good), Vec::<String>::new());
        assert!(!problems_of_part(root, part, &serde_json::json!({"target": 7})).is_empty());
    }
}
