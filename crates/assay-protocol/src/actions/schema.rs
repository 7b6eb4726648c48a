//! The JSON Schema of the parameters of an action, in its plain form.

use std::borrow::Cow;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};

use super::entry::ActionEntry;
use crate::{Action, Selector};

impl ActionEntry {
    /// The schema of an object with the parameters of this action; selectors are text.
    pub fn parameters(&self) -> Value {
        let settings = SchemaSettings::draft2020_12().with(|settings| {
            settings.inline_subschemas = true;
            settings.meta_schema = None;
        });
        let all = settings.into_generator().into_root_schema_for::<Action>().to_value();
        let variants = all.get("oneOf").and_then(Value::as_array).cloned().unwrap_or_default();
        let own = variants.into_iter().find(|variant| variant["properties"]["verb"]["const"] == self.name());
        let mut own = own.unwrap_or_else(|| json!({ "type": "object" }));
        // The name of the action stands beside its parameters, not among them.
        if let Some(properties) = own.get_mut("properties").and_then(Value::as_object_mut) {
            properties.remove("verb");
        }
        if let Some(required) = own.get_mut("required").and_then(Value::as_array_mut) {
            required.retain(|name| name != "verb");
        }
        own
    }
}

impl JsonSchema for Selector {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Selector".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "description": "An element: a ref (e12), CSS, button \"Name\", label=, text=, testid=, xpath=, or plain words",
        })
    }
}
