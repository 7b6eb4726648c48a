//! The files as JSON Schema, for editors: `# yaml-language-server: $schema=…`.

use serde_json::{Value, json};

use crate::keys::{self, object, object_with};

/// The schema of a test file. `browsers` are the names that it may ask for.
pub fn schema(browsers: &[&str]) -> Value {
    let mut schema = object_with(browsers, keys::TEST, &[]);
    schema["anyOf"] = json!([{ "required": ["steps"] }, { "required": ["expected"] }]);
    finish(schema, "An assay test", "A test in plain language; it needs `steps` or `expected`.")
}

/// The schema of the project file, `assay.yaml`.
pub fn schema_project(browsers: &[&str]) -> Value {
    finish(
        object_with(browsers, keys::PROJECT, &[]),
        "An assay project",
        "The settings that all tests of a suite share.",
    )
}

/// The schema of a file with requirements: one, or a list.
pub fn schema_requirements() -> Value {
    let one = object(keys::REQUIREMENT, &["code", "name"]);
    json!({
        "$schema": DRAFT,
        "title": "Requirements of an assay project",
        "description": "What the application should do: one requirement, or a list.",
        "anyOf": [{ "$ref": "#/$defs/requirement" }, { "type": "array", "items": { "$ref": "#/$defs/requirement" } }],
        "$defs": { "requirement": one },
    })
}

/// The schema of a script: a program, or steps that run in a browser.
pub fn schema_script(browsers: &[&str]) -> Value {
    let program = object(keys::PROGRAM_SCRIPT, &["run"]);
    let mut steps = object_with(browsers, keys::TEST, &[]);
    if let (Value::Object(properties), Value::Object(own)) =
        (&mut steps["properties"], object(keys::STEPS_SCRIPT, &[])["properties"].take())
    {
        properties.retain(|key, _| key != "test" && key != "data");
        properties.extend(own);
    }
    steps["anyOf"] = json!([{ "required": ["steps"] }, { "required": ["expected"] }]);
    let mut schema = finish(
        json!({ "oneOf": [program, steps] }),
        "An assay script",
        "A program or a list of steps with parameters; it needs `run`, `steps` or `expected`.",
    );
    schema["type"] = json!("object");
    schema
}

const DRAFT: &str = "https://json-schema.org/draft/2020-12/schema";

fn finish(mut schema: Value, title: &str, about: &str) -> Value {
    schema["$schema"] = json!(DRAFT);
    schema["title"] = json!(title);
    schema["description"] = json!(about);
    schema["$defs"] = json!({
        "step": one_of_object(keys::STEP, &["step", "run", "use"]),
        "expectation": one_of_object(keys::EXPECTATION, &["claim", "run"]),
    });
    schema
}

/// A mapping of which exactly one of `choices` is there.
fn one_of_object(rows: &[keys::KeyRow], choices: &[&str]) -> Value {
    let mut schema = object(rows, &[]);
    schema["oneOf"] = choices.iter().map(|choice| json!({ "required": [choice] })).collect();
    schema
}
