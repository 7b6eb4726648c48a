//! A tool for a model, in the one form in which all of ours are declared. Those that act come from the catalogue.

use assay_prompt::shortened;
use assay_protocol::actions::{ModelInput, ModelTool, Pointed};
use assay_provider::answer::{CallInput, FunctionCall};
use assay_provider::conversation::{FunctionTool, Tool};
use assay_runner::StepTask;
use serde_json::{Map, Value, json};

/// The field in which a model says why, where it is asked to.
pub(crate) const WHY: &str = "why";

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

/// A tool of the catalogue.
pub(crate) fn acting(tool_of_catalogue: &'static ModelTool) -> Tool {
    tool(tool_of_catalogue.name, tool_of_catalogue.help, Value::Object(tool_of_catalogue.properties()))
}

/// A tool of the catalogue that also asks why.
pub(crate) fn reasoned(tool_of_catalogue: &'static ModelTool) -> Tool {
    let mut properties = tool_of_catalogue.properties();
    properties.insert(WHY.to_string(), json!({"type": "string", "description": "Why, in a few words."}));
    tool(tool_of_catalogue.name, tool_of_catalogue.help, Value::Object(properties))
}

/// The tool that a call names.
pub(crate) fn called<'t>(tools: &[&'t ModelTool], call: &FunctionCall) -> Option<&'t ModelTool> {
    tools.iter().copied().find(|tool| tool.name == call.name)
}

/// The arguments of a call, or what is wrong with them, in words for the model.
pub(crate) fn fields(call: &FunctionCall) -> Result<&Map<String, Value>, String> {
    match &call.input {
        CallInput::Json(Value::Object(fields)) => Ok(fields),
        CallInput::Json(other) => Err(format!("expected an object as arguments, found {other}")),
        CallInput::Malformed(text) => Err(format!("the arguments are no JSON: {}", shortened(text, 80))),
    }
}

/// What stands for the value of a step with this number.
pub(crate) fn value_of(task: &StepTask) -> impl Fn(u64) -> Option<String> {
    move |number| {
        task.values.iter().find(|value| value.number as u64 == number).map(|value| value.reference())
    }
}

/// Arguments with which a model points nowhere.
pub(crate) fn input<'a>(
    fields: &'a Map<String, Value>,
    values: &'a dyn Fn(u64) -> Option<String>,
) -> ModelInput<'a> {
    ModelInput { fields, values, pointed: Pointed::Nowhere }
}
