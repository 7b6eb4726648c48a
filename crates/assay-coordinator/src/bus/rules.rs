//! What an event must be like to be taken.

use assay_protocol::{is_event_pattern, is_event_type};
use serde_json::Value;

/// The longest type and the longest key, in bytes.
const LONGEST_NAME: usize = 200;

/// The most that a payload may take as JSON: events say what happened, files hold what was seen.
const MOST_BYTES: usize = 64 * 1024;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EventError {
    #[error(
        "`{found}` is not a type of events: expected `word.word` in lower-case letters, digits and `_`, such as \
         `alert.app_crash`"
    )]
    Type { found: String },

    #[error("`{found}` is not a pattern for events: expected a type such as `alert.app_crash`, or `alert.*`")]
    Pattern { found: String },

    #[error("the payload of an event is a JSON object, and this is {found}")]
    NoObject { found: &'static str },

    #[error("the payload takes {found} bytes, and {MOST_BYTES} are the most; put what is large into a file")]
    TooLarge { found: usize },

    #[error("the {what} of an event has between 1 and {LONGEST_NAME} characters and no control characters")]
    Name { what: &'static str },
}

/// Types are open: anybody may publish an event of their own.
pub fn check_event_type(found: &str) -> Result<(), EventError> {
    match is_event_type(found) {
        true => Ok(()),
        false => Err(EventError::Type { found: found.chars().take(LONGEST_NAME).collect() }),
    }
}

/// A type, or all of one group.
pub(super) fn check_pattern(found: &str) -> Result<(), EventError> {
    match is_event_pattern(found) {
        true => Ok(()),
        false => Err(EventError::Pattern { found: found.to_owned() }),
    }
}

pub(super) fn check_name(what: &'static str, found: &str) -> Result<(), EventError> {
    let is_fine = !found.is_empty() && found.len() <= LONGEST_NAME && !found.chars().any(char::is_control);
    if is_fine { Ok(()) } else { Err(EventError::Name { what }) }
}

/// The payload as it is written.
pub(super) fn check_payload(payload: &Value) -> Result<String, EventError> {
    let found = match payload {
        Value::Object(_) => {
            let text = payload.to_string();
            return match text.len() {
                0..=MOST_BYTES => Ok(text),
                found => Err(EventError::TooLarge { found }),
            };
        }
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
    };
    Err(EventError::NoObject { found })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_is_two_words() {
        for fine in ["alert.app_crash", "a.b", "my_team2.deploy_3"] {
            assert_eq!(check_event_type(fine), Ok(()), "{fine}");
        }
        let long = format!("a.{}", "b".repeat(LONGEST_NAME));
        for wrong in [
            "",
            "alert",
            "alert.",
            ".crash",
            "alert.app.crash",
            "Alert.crash",
            "alert.app crash",
            "1.a",
            &long,
        ] {
            assert!(check_event_type(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_pattern_is_a_type_or_a_group() {
        assert_eq!(check_pattern("alert.*"), Ok(()));
        assert_eq!(check_pattern("alert.anr"), Ok(()));
        for wrong in ["*", "*.anr", "alert.a*", "alert*", ".*"] {
            assert!(check_pattern(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_payload_is_an_object_of_some_size() {
        assert!(check_payload(&serde_json::json!({ "a": 1 })).is_ok());
        assert_eq!(check_payload(&serde_json::json!([1])), Err(EventError::NoObject { found: "a list" }));
        let large = serde_json::json!({ "a": "x".repeat(MOST_BYTES) });
        assert!(matches!(check_payload(&large), Err(EventError::TooLarge { .. })));
    }
}
