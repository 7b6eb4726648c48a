//! What an editor accepts is what is accepted.

use assay_suite::{schema, schema_project, template};
use serde_json::Value;

use crate::suite_folder::BROWSERS;

/// The part of JSON Schema that the schemas use. Patterns are left to editors.
fn fits(schema: &Value, value: &Value, root: &Value) -> bool {
    let Some(rules) = schema.as_object() else { return true };
    rules.iter().all(|(rule, wanted)| match rule.as_str() {
        "$ref" => {
            let path = wanted.as_str().unwrap().trim_start_matches('#');
            fits(root.pointer(path).expect("the reference leads somewhere"), value, root)
        }
        "type" => match wanted {
            Value::Array(types) => types.iter().any(|wanted| is_of(wanted.as_str().unwrap(), value)),
            wanted => is_of(wanted.as_str().unwrap(), value),
        },
        "enum" => wanted.as_array().unwrap().contains(value),
        "anyOf" => wanted.as_array().unwrap().iter().any(|schema| fits(schema, value, root)),
        "oneOf" => wanted.as_array().unwrap().iter().filter(|schema| fits(schema, value, root)).count() == 1,
        "items" => value.as_array().is_none_or(|items| items.iter().all(|item| fits(wanted, item, root))),
        "required" => {
            let has = |name: &Value| value.get(name.as_str().unwrap()).is_some();
            value.is_object() && wanted.as_array().unwrap().iter().all(has)
        }
        "properties" => value.as_object().is_none_or(|object| {
            object.iter().all(|(name, value)| wanted.get(name).is_none_or(|schema| fits(schema, value, root)))
        }),
        "additionalProperties" => value.as_object().is_none_or(|object| {
            let known = rules.get("properties").and_then(Value::as_object);
            let mut others =
                object.iter().filter(|(name, _)| known.is_none_or(|known| !known.contains_key(*name)));
            match wanted {
                Value::Bool(allowed) => *allowed || others.next().is_none(),
                schema => others.all(|(_, value)| fits(schema, value, root)),
            }
        }),
        "minimum" => value.as_f64().is_none_or(|number| number >= wanted.as_f64().unwrap()),
        "maximum" => value.as_f64().is_none_or(|number| number <= wanted.as_f64().unwrap()),
        "exclusiveMinimum" => value.as_f64().is_none_or(|number| number > wanted.as_f64().unwrap()),
        "minLength" => value.as_str().is_none_or(|text| !text.is_empty()),
        "pattern" | "description" | "title" | "$schema" | "$defs" => true,
        other => panic!("the schema uses `{other}`, which is not checked here"),
    })
}

fn is_of(wanted: &str, value: &Value) -> bool {
    match wanted {
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.is_u64() || value.is_i64(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("unknown type `{other}`"),
    }
}

fn check(schema: &Value, json: Value, expected: bool) {
    assert_eq!(fits(schema, &json, schema), expected, "{json}");
}

#[test]
fn the_schema_takes_tests_and_refuses_mistakes() {
    use serde_json::json;
    let schema = schema(&BROWSERS);
    check(
        &schema,
        json!({
            "test": "Login", "steps": ["Go", { "run": "click #a", "timeout": "5s" }, { "use": "x", "with": { "a": 1 } }],
            "expected": ["Fine", { "claim": "x" }], "browser": ["firefox"], "timeout": { "step": 5 },
            "viewport": "10x10", "secrets": ["A"], "data": [{ "a": 1 }], "budget": { "money": 0.5 },
        }),
        true,
    );
    check(&schema, json!({ "test": "Login" }), false);
    check(&schema, json!({ "steps": ["Go"], "stepz": [] }), false);
    check(&schema, json!({ "steps": [42] }), false);
    check(&schema, json!({ "steps": [{ "run": "a", "use": "b" }] }), false);
    check(&schema, json!({ "expected": [{ "use": "b" }] }), false);
    check(&schema, json!({ "steps": ["Go"], "browser": "chrome" }), false);
    let project = schema_project(&BROWSERS);
    check(&project, json!({ "start": { "command": "x", "url": "y" }, "workers": 2 }), true);
    check(&project, json!({ "start": { "command": "x" } }), false);
    check(
        &project,
        json!({ "preconditions": [{ "match": "x", "request": { "url": "y", "json": {} } }] }),
        true,
    );
}

#[test]
fn every_key_has_a_description() {
    for schema in [schema(&BROWSERS), schema_project(&BROWSERS)] {
        for (name, key) in schema["properties"].as_object().unwrap() {
            assert!(key["description"].as_str().is_some_and(|about| about.ends_with('.')), "{name}");
        }
    }
}

#[test]
fn the_keys_of_the_template_are_in_the_schema() {
    for (path, text) in template() {
        let schema = match path {
            "assay.yaml" => schema_project(&BROWSERS),
            path if path.ends_with(".yaml") => schema(&BROWSERS),
            _ => continue,
        };
        let keys = text.lines().filter_map(|line| line.split_once(':').map(|(key, _)| key));
        for key in keys.filter(|key| key.chars().all(|letter| letter.is_ascii_lowercase() || letter == '_')) {
            assert!(schema["properties"].get(key).is_some(), "{path}: {key}");
        }
    }
}
