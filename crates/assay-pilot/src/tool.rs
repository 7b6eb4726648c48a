//! A tool for a model, in the one form in which all of ours are declared.

use assay_protocol::{Action, DialogAnswer};
use assay_provider::conversation::{FunctionTool, Tool};
use serde_json::{Value, json};

/// All fields are required and no other is taken: what a model leaves out or makes up is the provider's to refuse.
pub(crate) fn tool(name: &str, description: &str, properties: Value) -> Tool {
    let required: Vec<String> =
        properties.as_object().into_iter().flatten().map(|(name, _)| name.clone()).collect();
    Tool::Function(FunctionTool {
        name: name.to_string(),
        description: description.to_string(),
        schema: json!({
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": false,
        }),
        strict: true,
    })
}

/// How the tool for dialogs of the browser answers, in all tool sets.
pub(crate) const DIALOG_ANSWERS: &[(&str, Action)] = &[
    ("accept", Action::Dialog { answer: Some(DialogAnswer::Accept { text: None }) }),
    ("dismiss", Action::Dialog { answer: Some(DialogAnswer::Dismiss) }),
];

/// The words of a table, for the `enum` of a schema.
pub(crate) fn words<T>(table: &[(&'static str, T)]) -> Vec<&'static str> {
    table.iter().map(|(word, _)| *word).collect()
}

/// What a word of a table stands for.
pub(crate) fn named<'t, T>(table: &'t [(&'static str, T)], word: &str) -> Option<&'t T> {
    table.iter().find(|(known, _)| *known == word).map(|(_, meant)| meant)
}
