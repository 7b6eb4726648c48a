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

fn finish(mut schema: Value, title: &str, about: &str) -> Value {
    schema["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
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
