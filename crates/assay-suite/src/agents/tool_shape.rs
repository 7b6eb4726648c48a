//! A tool as the workflow of a skill may call it.

/// Which arguments a tool takes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToolShape {
    pub name: String,
    /// The names of its arguments; none where any will do.
    pub takes: Option<Vec<String>>,
    /// Those that must be there.
    pub needs: Vec<String>,
}

impl ToolShape {
    /// A tool with the JSON schema of its arguments.
    pub fn of_schema(name: &str, schema: &serde_json::Value) -> ToolShape {
        let properties = schema.get("properties").and_then(serde_json::Value::as_object);
        let is_closed = schema.get("additionalProperties") == Some(&serde_json::Value::Bool(false));
        let takes = match properties {
            Some(properties) => Some(properties.keys().cloned().collect()),
            // It takes nothing at all.
            None => is_closed.then(Vec::new),
        };
        let needs = schema.get("required").and_then(serde_json::Value::as_array).into_iter().flatten();
        let needs = needs.filter_map(|name| name.as_str().map(str::to_string)).collect();
        ToolShape { name: name.to_string(), takes, needs }
    }
}
