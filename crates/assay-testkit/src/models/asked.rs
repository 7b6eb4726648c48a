//! What a stand-in was asked.

use serde_json::Value;

use crate::Request;

/// One request, as a test or a script sees it.
#[derive(Debug, Clone)]
pub struct Asked {
    pub path: String,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    /// Null when it was no JSON.
    pub body: Value,
    /// Whether the answer is to come as a stream.
    pub is_streamed: bool,
}

impl Asked {
    pub(super) fn read(request: &Request) -> Asked {
        let body: Value = serde_json::from_slice(&request.body).unwrap_or(Value::Null);
        let is_streamed = body["stream"] == true || request.path.ends_with(":streamGenerateContent");
        Asked { path: request.path.clone(), headers: request.headers.clone(), body, is_streamed }
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// All texts of the request, for scripts that look for a word.
    pub fn text(&self) -> String {
        let mut out = String::new();
        collect(&self.body, &mut out);
        out
    }
}

fn collect(value: &Value, out: &mut String) {
    match value {
        Value::String(text) => {
            out.push_str(text);
            out.push('\n');
        }
        Value::Array(values) => values.iter().for_each(|value| collect(value, out)),
        Value::Object(fields) => fields.values().for_each(|value| collect(value, out)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
