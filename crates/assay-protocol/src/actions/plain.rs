//! An action as JSON that people write and read: selectors stand in it as they are typed. Lock files hold this form, and
//! the schema of an action describes it.

use serde_json::{Map, Value, json};

use crate::{Action, Selector, SelectorError};

/// Why JSON is no action.
#[derive(Debug, thiserror::Error)]
pub enum PlainActionError {
    #[error(transparent)]
    Selector(#[from] SelectorError),
    #[error(transparent)]
    Shape(#[from] serde_json::Error),
}

impl Action {
    pub fn to_plain_json(&self) -> Value {
        plain(json!(self))
    }

    pub fn from_plain_json(value: Value) -> Result<Action, PlainActionError> {
        Ok(serde_json::from_value(whole(value, true)?)?)
    }
}

/// Nothing but a selector has a `source`.
fn plain(value: Value) -> Value {
    match value {
        Value::Object(mut fields) => match fields.remove("source") {
            Some(source) => source,
            None => Value::Object(fields.into_iter().map(|(key, value)| (key, plain(value))).collect()),
        },
        other => other,
    }
}

/// Where a drag goes to is a selector; inside of an action, `to` only says which way a scroll goes.
fn whole(value: Value, is_outermost: bool) -> Result<Value, PlainActionError> {
    let Value::Object(fields) = value else { return Ok(value) };
    let mut whole_fields = Map::new();
    for (key, value) in fields {
        let value = match value {
            Value::String(text)
                if matches!(key.as_str(), "target" | "over" | "within")
                    || (is_outermost && matches!(key.as_str(), "from" | "to")) =>
            {
                json!(Selector::parse(&text)?)
            }
            other => whole(other, false)?,
        };
        whole_fields.insert(key, value);
    }
    Ok(Value::Object(whole_fields))
}
