//! Arguments as a caller writes them, in the shapes that the schema of their tool names.

use serde_json::{Map, Value};

use crate::tool::Misfit;

/// One text where a list of texts is expected is a list of one, and null is as good as nothing. What has another shape
/// than its parameter is named, with both.
pub(crate) fn shaped(
    mut arguments: Map<String, Value>,
    schema: &Map<String, Value>,
) -> Result<Map<String, Value>, Misfit> {
    arguments.retain(|_, value| !value.is_null());
    let properties = schema.get("properties").and_then(Value::as_object);
    for (name, value) in &mut arguments {
        let Some(shape) = properties.and_then(|known| known.get(name)) else { continue };
        let Some(wanted) = shape.get("type").and_then(Value::as_str) else { continue };
        let takes_texts =
            shape.get("items").and_then(|item| item.get("type")).is_some_and(|kind| kind == "string");
        if wanted == "array" && takes_texts && value.is_string() {
            *value = Value::Array(vec![value.take()]);
        }
        let found = kind_of(value);
        let fits = found == wanted || (wanted == "number" && found == "integer");
        if !fits {
            let expected = expected(wanted);
            return Err(Misfit::Value(format!("expected {expected} in `{name}`, found {value}")));
        }
    }
    Ok(arguments)
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

fn expected(kind: &str) -> &'static str {
    match kind {
        "array" => "a list",
        "object" => "names with values",
        "string" => "a text",
        "integer" => "a whole number",
        "number" => "a number",
        _ => "true or false",
    }
}

/// A value without the fields that hold nothing: what may be missing is missing, so no schema has to allow null.
pub(crate) fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(fields) => Value::Object(
            fields
                .into_iter()
                .filter(|(_, value)| !value.is_null())
                .map(|(name, value)| (name, without_nulls(value)))
                .collect(),
        ),
        Value::Array(items) => Value::Array(items.into_iter().map(without_nulls).collect()),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(tool: &str, given: Value, expected: Result<Value, &str>) {
        let schema = &crate::catalogue::find_tool(tool).unwrap().input;
        let shaped = shaped(given.as_object().cloned().unwrap(), schema).map(Value::Object);
        assert_eq!(shaped.map_err(|misfit| misfit.to_string()), expected.map_err(str::to_string));
    }

    #[test]
    fn one_text_is_a_list_of_one_and_null_is_nothing() {
        let edge = json!({ "from": "a", "to": "b", "do": "click link \"b\"", "back": null });
        check("create_edge", edge, Ok(json!({ "from": "a", "to": "b", "do": ["click link \"b\""] })));
        check("list_testcases", json!({ "paths": "tests" }), Ok(json!({ "paths": ["tests"] })));
    }

    #[test]
    fn an_argument_of_another_shape_is_named() {
        check("create_edge", json!({ "do": 7 }), Err("expected a list in `do`, found 7"));
        check(
            "list_runs",
            json!({ "limit": "ten" }),
            Err("expected a whole number in `limit`, found \"ten\""),
        );
        check(
            "execute_testcase",
            json!({ "lock": "yes" }),
            Err("expected true or false in `lock`, found \"yes\""),
        );
    }

    #[test]
    fn what_is_missing_is_not_null() {
        let value = json!({ "class": null, "tests": [{ "analysis": { "class": null, "times": 1 } }] });
        assert_eq!(without_nulls(value), json!({ "tests": [{ "analysis": { "times": 1 } }] }));
    }
}
