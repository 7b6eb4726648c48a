//! A tool for a model, in the one form in which all of ours are declared.

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
