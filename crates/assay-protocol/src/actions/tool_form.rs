//! An action as the arguments of a tool: one flat object with plain values. A parameter that is one of several shapes
//! (`wait until`: an element, a text, an address) lies open: its tag and its fields stand beside the other parameters.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde_json::{Map, Value, json};

use super::ACTIONS;
use super::entry::ActionEntry;
use super::plain::PlainActionError;
use crate::Action;

/// Why arguments are no action.
#[derive(Debug, thiserror::Error)]
pub enum ToolArgumentError {
    #[error("unknown argument `{name}`; `{tool}` takes {}", known(.takes))]
    Unknown { tool: &'static str, name: String, takes: Vec<String> },
    #[error("`{tool}` needs `{name}`")]
    Missing { tool: &'static str, name: String },
    #[error("`{name}` takes {takes}")]
    Unfitting { name: String, takes: &'static str },
    #[error(transparent)]
    Shape(#[from] PlainActionError),
}

fn known(names: &[String]) -> String {
    match names {
        [] => "no arguments".to_string(),
        names => names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "),
    }
}

/// The parameter of an action that lies open.
struct OpenParameter {
    name: String,
    tag: String,
    /// The values of the tag.
    shapes: Vec<Value>,
    fields: Map<String, Value>,
    is_required: bool,
}

/// What reading arguments needs of an action.
struct ToolForm {
    schema: Value,
    takes: Vec<String>,
    required: Vec<String>,
    open: Option<OpenParameter>,
}

/// The forms of all actions by name. Each call reads one; they are worked out once.
static FORMS: LazyLock<BTreeMap<&'static str, ToolForm>> = LazyLock::new(|| {
    let form = |entry: &'static ActionEntry| {
        let schema = entry.make_tool_parameters();
        let takes = properties_of(&schema).keys().cloned().collect();
        let required = required_of(&schema);
        (entry.name(), ToolForm { takes, required, open: open_parameter(&entry.parameters()), schema })
    };
    ACTIONS.iter().copied().map(form).collect()
});

impl ActionEntry {
    /// The schema of the arguments, in as few words as can be.
    pub fn tool_parameters(&self) -> Value {
        FORMS.get(self.name()).map_or_else(|| self.make_tool_parameters(), |form| form.schema.clone())
    }

    fn make_tool_parameters(&self) -> Value {
        let whole = self.parameters();
        let mut properties = properties_of(&whole);
        let mut required = required_of(&whole);
        if let Some(open) = open_parameter(&whole) {
            properties.remove(&open.name);
            required.retain(|name| *name != open.name);
            if open.is_required {
                required.push(open.tag.clone());
            }
            properties.insert(open.tag, json!({ "enum": open.shapes }));
            properties.extend(open.fields);
        }
        let properties: Map<String, Value> =
            properties.into_iter().map(|(name, schema)| (name, short(schema))).collect();
        let mut schema = json!({ "type": "object", "properties": properties });
        if !required.is_empty() {
            schema["required"] = json!(required);
        }
        schema
    }

    /// The action that arguments ask for.
    pub fn read_tool(&self, arguments: Map<String, Value>) -> Result<Action, ToolArgumentError> {
        let Some(form) = FORMS.get(self.name()) else {
            return Err(ToolArgumentError::Missing { tool: self.name(), name: "verb".to_string() });
        };
        if let Some(name) = arguments.keys().find(|name| !form.takes.contains(name)) {
            let takes = form.takes.clone();
            return Err(ToolArgumentError::Unknown { tool: self.name(), name: name.clone(), takes });
        }
        if let Some(name) = form.required.iter().find(|name| !arguments.contains_key(*name)) {
            return Err(ToolArgumentError::Missing { tool: self.name(), name: name.clone() });
        }
        let mut fields = in_lists(arguments, &form.schema);
        for (name, value) in &fields {
            if let Some(takes) = unfitting(value, &form.schema["properties"][name]) {
                return Err(ToolArgumentError::Unfitting { name: name.clone(), takes });
            }
            if form.required.contains(name) && value.as_array().is_some_and(Vec::is_empty) {
                return Err(ToolArgumentError::Missing { tool: self.name(), name: name.clone() });
            }
        }
        if let Some(open) = &form.open {
            let is_own = |name: &String| *name == open.tag || open.fields.contains_key(name);
            let (inner, mut outer): (Map<String, Value>, Map<String, Value>) =
                fields.into_iter().partition(|(name, _)| is_own(name));
            if !inner.is_empty() {
                outer.insert(open.name.clone(), Value::Object(inner));
            }
            fields = outer;
        }
        fields.insert("verb".to_string(), json!(self.name()));
        Ok(Action::from_plain_json(Value::Object(fields))?)
    }
}

impl Action {
    /// The arguments that ask for this action.
    pub fn tool_arguments(&self) -> Map<String, Value> {
        let Value::Object(mut fields) = self.to_plain_json() else { return Map::new() };
        fields.remove("verb");
        if let Some(open) = open_parameter(&self.entry().parameters())
            && let Some(Value::Object(inner)) = fields.remove(&open.name)
        {
            fields.extend(inner);
        }
        fields.retain(|_, value| !value.is_null());
        fields
    }
}

/// What is expected in place of this value; none if its type fits.
fn unfitting(value: &Value, schema: &Value) -> Option<&'static str> {
    let (fits, takes) = match schema["type"].as_str()? {
        "string" => (value.is_string(), "a text"),
        "integer" => (value.is_i64() || value.is_u64(), "a whole number"),
        "number" => (value.is_number(), "a number"),
        "boolean" => (value.is_boolean(), "`true` or `false`"),
        "array" => (value.is_array(), "a list"),
        _ => return None,
    };
    (!fits && !value.is_null()).then_some(takes)
}

/// One text where a list of texts is expected is a list of one: `"keys": "Enter"`.
fn in_lists(mut arguments: Map<String, Value>, schema: &Value) -> Map<String, Value> {
    for (name, value) in &mut arguments {
        let shape = &schema["properties"][name];
        if value.is_string() && shape["type"] == "array" && shape["items"]["type"] == "string" {
            *value = Value::Array(vec![value.take()]);
        }
    }
    arguments
}

fn properties_of(schema: &Value) -> Map<String, Value> {
    schema.get("properties").and_then(Value::as_object).cloned().unwrap_or_default()
}

fn required_of(schema: &Value) -> Vec<String> {
    let names = schema.get("required").and_then(Value::as_array).into_iter().flatten();
    names.filter_map(Value::as_str).map(str::to_string).collect()
}

/// The only parameter with several shapes, if none of its fields has the name of another parameter.
fn open_parameter(schema: &Value) -> Option<OpenParameter> {
    let properties = properties_of(schema);
    let required = required_of(schema);
    let mut all = properties.iter().filter_map(|(name, schema)| Some((name, shapes_of(schema)?)));
    let (name, variants) = all.next()?;
    if all.next().is_some() {
        return None;
    }
    let tag = tag_of(&variants)?;
    let mut shapes = Vec::new();
    let mut fields = Map::new();
    for variant in &variants {
        let mut own = properties_of(variant);
        shapes.push(own.remove(&tag)?.get("const")?.clone());
        let inner = variant.get("oneOf").and_then(Value::as_array).into_iter().flatten();
        for (field, schema) in own.into_iter().chain(inner.flat_map(properties_of)) {
            merge(&mut fields, field, schema);
        }
    }
    let clashes = |field: &String| field != name && properties.contains_key(field);
    if fields.keys().any(clashes) || clashes(&tag) || fields.contains_key(&tag) {
        return None;
    }
    Some(OpenParameter { name: name.clone(), tag, shapes, fields, is_required: required.contains(name) })
}

/// Fields of one name in several shapes are one; where each has a value of its own, it is one of them.
fn merge(fields: &mut Map<String, Value>, name: String, schema: Value) {
    let Some(only) = schema.get("const") else {
        fields.entry(name).or_insert(schema);
        return;
    };
    let values = fields.entry(name).or_insert_with(|| json!({ "enum": [] }));
    if let Some(values) = values.get_mut("enum").and_then(Value::as_array_mut)
        && !values.contains(only)
    {
        values.push(only.clone());
    }
}

/// The shapes of a parameter; it may be absent as a whole.
fn shapes_of(schema: &Value) -> Option<Vec<Value>> {
    let one_of = schema.get("oneOf").or_else(|| {
        let parts = schema.get("anyOf")?.as_array()?;
        parts.iter().find_map(|part| part.get("oneOf"))
    })?;
    one_of.as_array().filter(|shapes| tag_of(shapes).is_some()).cloned()
}

/// The field that says in every shape which one it is.
fn tag_of(shapes: &[Value]) -> Option<String> {
    let is_tag = |name: &&String| {
        shapes
            .iter()
            .all(|shape| properties_of(shape).get(*name).is_some_and(|field| field.get("const").is_some()))
    };
    properties_of(shapes.first()?).keys().find(is_tag).cloned()
}

/// A schema without what its reader knows anyway: what may be absent is not required, and the instructions say once what
/// a target is.
fn short(schema: Value) -> Value {
    let Value::Object(mut fields) = schema else { return schema };
    for noise in ["format", "default", "minimum", "title", "description", "additionalProperties"] {
        fields.remove(noise);
    }
    if let Some(Value::Array(values)) = fields.get_mut("enum") {
        values.retain(|value| !value.is_null());
        // The values say what they are.
        fields.remove("type");
    }
    if let Some(Value::Array(types)) = fields.get("type") {
        let mut types: Vec<Value> = types.iter().filter(|kind| *kind != "null").cloned().collect();
        if types.len() == 1 {
            fields.insert("type".to_string(), types.remove(0));
        }
    }
    if let Some(Value::Array(parts)) = fields.get("anyOf") {
        let mut parts: Vec<Value> = parts.iter().filter(|part| part["type"] != "null").cloned().collect();
        if parts.len() == 1 {
            return short(parts.remove(0));
        }
    }
    fields.into_iter().map(|(name, value)| (name, short_inner(value))).collect::<Map<_, _>>().into()
}

fn short_inner(value: Value) -> Value {
    match value {
        Value::Object(fields)
            if fields.keys().any(|key| matches!(key.as_str(), "type" | "enum" | "oneOf" | "anyOf")) =>
        {
            short(Value::Object(fields))
        }
        Value::Object(fields) => {
            fields.into_iter().map(|(name, value)| (name, short_inner(value))).collect::<Map<_, _>>().into()
        }
        Value::Array(items) => items.into_iter().map(short_inner).collect(),
        other => other,
    }
}
