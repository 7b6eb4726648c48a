//! The JSON Schema of the parameters of an action, in its plain form.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};

use super::entry::ActionEntry;
use crate::{Action, Selector};

impl ActionEntry {
    /// The schema of an object with the parameters of this action; selectors are text.
    pub fn parameters(&self) -> Value {
        PARAMETERS.get(self.name()).cloned().unwrap_or_else(|| json!({ "type": "object" }))
    }
}

/// The parameters of all actions by name. They are worked out once, because the schema of the whole enum is needed.
static PARAMETERS: LazyLock<BTreeMap<String, Value>> = LazyLock::new(|| {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut all = settings.into_generator().into_root_schema_for::<Action>().to_value();
    let variants = all.get_mut("oneOf").and_then(Value::as_array_mut).map(std::mem::take).unwrap_or_default();
    variants.into_iter().filter_map(without_name).collect()
});

/// The name of the action stands beside its parameters, not among them.
fn without_name(mut variant: Value) -> Option<(String, Value)> {
    let name = variant.get_mut("properties")?.as_object_mut()?.remove("verb")?;
    if let Some(required) = variant.get_mut("required").and_then(Value::as_array_mut) {
        required.retain(|name| name != "verb");
    }
    Some((name["const"].as_str()?.to_string(), variant))
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
