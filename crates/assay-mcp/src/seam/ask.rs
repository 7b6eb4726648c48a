//! Questions to the user of a client, in the middle of a call.

use serde_json::{Map, Value, json};

use super::caller::Ability;
use super::error::{RequestError, ability_name};

/// What a client is asked for. Never ask for a secret in a form: clients show and keep what is typed.
#[derive(Debug, Clone)]
pub enum Question {
    /// A form with the properties of a flat object schema: strings, numbers, booleans and choices.
    Form { message: String, schema: Map<String, Value> },
    /// An address that the user should visit.
    Link { message: String, url: String },
    /// A message from the client's model; the parameters of `sampling/createMessage`.
    Sample(Map<String, Value>),
    /// The folders that the client works in.
    Roots,
}

/// What came back.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// The fields of a form, the message of a model, or the list of folders. Null for a link.
    Given(Value),
    /// The user said no.
    Declined,
    /// The user closed the question.
    Dismissed,
}

#[derive(Debug, Clone, thiserror::Error)]
pub enum AskError {
    #[error("the client cannot be asked; it does not declare {}", ability_name(*.0))]
    Unsupported(Ability),
    #[error("the client answered with what was not asked for")]
    Unfitting,
    #[error("the call was cancelled before the answer came")]
    Cancelled,
    #[error("the client did not answer: {0}")]
    Refused(String),
}

impl From<AskError> for RequestError {
    fn from(error: AskError) -> RequestError {
        match error {
            AskError::Unsupported(ability) => RequestError::MissingAbility(ability),
            AskError::Cancelled => RequestError::Cancelled,
            AskError::Unfitting | AskError::Refused(_) => RequestError::Internal(error.to_string()),
        }
    }
}

impl Question {
    pub fn form(message: impl Into<String>, properties: Value, required: &[&str]) -> Question {
        let mut schema = Map::new();
        schema.insert("type".to_string(), json!("object"));
        schema.insert("properties".to_string(), properties);
        if !required.is_empty() {
            schema.insert("required".to_string(), json!(required));
        }
        Question::Form { message: message.into(), schema }
    }

    pub fn ability(&self) -> Ability {
        match self {
            Question::Form { .. } => Ability::Form,
            Question::Link { .. } => Ability::Link,
            Question::Sample(_) => Ability::Sample,
            Question::Roots => Ability::Roots,
        }
    }

    pub(crate) fn method(&self) -> &'static str {
        match self {
            Question::Form { .. } | Question::Link { .. } => "elicitation/create",
            Question::Sample(_) => "sampling/createMessage",
            Question::Roots => "roots/list",
        }
    }

    /// `id` names a question that is answered elsewhere.
    pub(crate) fn params(&self, id: &str) -> Value {
        match self {
            Question::Form { message, schema } => {
                json!({"mode": "form", "message": message, "requestedSchema": schema})
            }
            Question::Link { message, url } => {
                json!({"mode": "url", "message": message, "url": url, "elicitationId": id})
            }
            Question::Sample(params) => Value::Object(params.clone()),
            Question::Roots => json!({}),
        }
    }

    /// The answer in what a client sent, if it fits the question.
    pub(crate) fn read(&self, sent: &Value) -> Option<Answer> {
        let sent = sent.as_object()?;
        match self {
            Question::Form { schema, .. } => match sent.get("action")?.as_str()? {
                "accept" => {
                    let fields = sent.get("content")?.as_object()?;
                    is_filled_in(schema, fields).then(|| Answer::Given(Value::Object(fields.clone())))
                }
                action => refusal(action),
            },
            Question::Link { .. } => match sent.get("action")?.as_str()? {
                "accept" => Some(Answer::Given(Value::Null)),
                action => refusal(action),
            },
            Question::Sample(_) => sent.get("content").map(|_| Answer::Given(Value::Object(sent.clone()))),
            Question::Roots => {
                sent.get("roots")?.as_array().map(|_| Answer::Given(Value::Object(sent.clone())))
            }
        }
    }
}

fn refusal(action: &str) -> Option<Answer> {
    match action {
        "decline" => Some(Answer::Declined),
        "cancel" => Some(Answer::Dismissed),
        _ => None,
    }
}

/// Whether all required fields are there, and each field is of its kind.
fn is_filled_in(schema: &Map<String, Value>, fields: &Map<String, Value>) -> bool {
    let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
    let properties = schema.get("properties").and_then(Value::as_object);
    required.filter_map(Value::as_str).all(|name| fields.contains_key(name))
        && fields.iter().all(|(name, value)| {
            properties.and_then(|properties| properties.get(name)).is_none_or(|kind| is_of_kind(kind, value))
        })
}

fn is_of_kind(kind: &Value, value: &Value) -> bool {
    let fits = match kind.get("type").and_then(Value::as_str) {
        Some("string") => value.is_string(),
        Some("number") => value.is_number(),
        Some("integer") => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        Some("boolean") => value.is_boolean(),
        Some("array") => value.as_array().is_some_and(|chosen| {
            kind.get("items").is_none_or(|item| chosen.iter().all(|one| is_of_kind(item, one)))
        }),
        _ => true,
    };
    fits && choices(kind).is_none_or(|choices| choices.contains(&value))
}

/// The values to choose from, with or without titles.
fn choices(kind: &Value) -> Option<Vec<&Value>> {
    if let Some(values) = kind.get("enum").and_then(Value::as_array) {
        return Some(values.iter().collect());
    }
    let titled = kind.get("oneOf").or_else(|| kind.get("anyOf"))?.as_array()?;
    titled.iter().map(|choice| choice.get("const")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(sent: Value, expected: Option<Answer>) {
        let properties = json!({
            "name": {"type": "string"},
            "age": {"type": "integer"},
            "size": {"type": "string", "oneOf": [{"const": "s", "title": "Small"}]},
            "tags": {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}},
        });
        assert_eq!(Question::form("Who?", properties, &["name"]).read(&sent), expected);
    }

    fn accepted(content: Value) -> Value {
        json!({"action": "accept", "content": content})
    }

    #[test]
    fn a_filled_in_form_is_an_answer() {
        for content in
            [json!({"name": "Ada"}), json!({"name": "Ada", "age": 36, "size": "s", "tags": ["b"], "x": 1})]
        {
            check(accepted(content.clone()), Some(Answer::Given(content)));
        }
    }

    #[test]
    fn fields_that_are_missing_or_of_another_kind_are_no_answer() {
        for content in [
            json!({}),
            json!({"name": 7}),
            json!({"name": "Ada", "age": 1.5}),
            json!({"name": "Ada", "size": "xl"}),
            json!({"name": "Ada", "tags": ["c"]}),
            json!([]),
        ] {
            check(accepted(content), None);
        }
        check(json!({"action": "accept"}), None);
        check(json!(12345), None);
        check(json!({"action": "shrug"}), None);
    }

    #[test]
    fn no_is_an_answer() {
        check(json!({"action": "decline"}), Some(Answer::Declined));
        check(json!({"action": "cancel"}), Some(Answer::Dismissed));
    }
}
