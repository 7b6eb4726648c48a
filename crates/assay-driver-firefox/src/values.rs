//! BiDi's description of JavaScript values, as plain JSON.

use assay_driver::Evaluation;
use serde_json::{Map, Value, json};

/// What an expression of the user came to.
pub(crate) fn evaluation(remote: &Value) -> Evaluation {
    match plain(remote) {
        Some(value) => Evaluation::Value(value),
        None => Evaluation::Described(describe(remote)),
    }
}

/// None for what JSON cannot hold: it, or something inside it.
fn plain(remote: &Value) -> Option<Value> {
    let value = &remote["value"];
    match remote["type"].as_str()? {
        "null" => Some(Value::Null),
        "string" | "boolean" => Some(value.clone()),
        // NaN and its like are told as words.
        "number" => value.is_number().then(|| value.clone()),
        "array" | "set" | "htmlcollection" | "nodelist" => {
            let parts = value.as_array()?;
            Some(Value::Array(parts.iter().map(inside).collect()))
        }
        "object" => {
            let mut object = Map::new();
            for pair in value.as_array()? {
                let (key, part) = (pair.get(0)?, pair.get(1)?);
                if part["type"] == "undefined" || part["type"] == "function" {
                    continue;
                }
                let key = key.as_str().map_or_else(|| describe(key), str::to_string);
                object.insert(key, inside(part));
            }
            Some(Value::Object(object))
        }
        "map" => Some(json!({})),
        "date" => Some(value.clone()),
        "regexp" | "error" | "promise" | "weakmap" | "weakset" => None,
        _ => None,
    }
}

/// Inside an object, what JSON cannot hold is left as its serialiser leaves it.
fn inside(remote: &Value) -> Value {
    match remote["type"].as_str() {
        Some("undefined" | "function" | "symbol") => Value::Null,
        Some("number") if !remote["value"].is_number() => Value::Null,
        _ => plain(remote).unwrap_or_else(|| json!({})),
    }
}

/// A value in words, as a console shows it.
pub(crate) fn describe(remote: &Value) -> String {
    let value = &remote["value"];
    match remote["type"].as_str().unwrap_or_default() {
        "string" => value.as_str().unwrap_or_default().to_string(),
        "number" => value.as_str().map_or_else(|| value.to_string(), str::to_string),
        "bigint" => format!("{}n", value.as_str().unwrap_or_default()),
        "boolean" => value.to_string(),
        "null" => "null".to_string(),
        "undefined" => "undefined".to_string(),
        "window" => "Window".to_string(),
        "node" => match value["localName"].as_str() {
            Some(name) => format!("<{name}>"),
            None => "a node".to_string(),
        },
        "object" | "array" | "map" | "set" | "date" => {
            plain(remote).map_or_else(|| "an object".to_string(), |value| value.to_string())
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(remote: Value) -> Option<Value> {
        match evaluation(&remote) {
            Evaluation::Value(value) => Some(value),
            Evaluation::Described(_) | Evaluation::Threw(_) => None,
        }
    }

    #[test]
    fn objects_become_json() {
        let remote = json!({ "type": "object", "value": [
            ["a", { "type": "array", "value": [{ "type": "number", "value": 1 }, { "type": "null" }] }],
            ["f", { "type": "function" }],
            ["d", { "type": "date", "value": "2026-01-01T00:00:00.000Z" }],
        ] });
        assert_eq!(value(remote), Some(json!({ "a": [1, null], "d": "2026-01-01T00:00:00.000Z" })));
    }

    #[test]
    fn what_json_cannot_hold_is_described() {
        assert_eq!(value(json!({ "type": "number", "value": "NaN" })), None);
        assert_eq!(describe(&json!({ "type": "number", "value": "NaN" })), "NaN");
        assert_eq!(describe(&json!({ "type": "bigint", "value": "12" })), "12n");
        assert_eq!(describe(&json!({ "type": "undefined" })), "undefined");
        assert_eq!(describe(&json!({ "type": "window", "value": { "context": "1" } })), "Window");
    }
}
