//! Tools, and what they answer.

use serde_json::{Map, Value};

use super::content::Content;

/// A tool as clients see it.
#[derive(Debug, Clone)]
pub struct Tool {
    /// At most 64 of `A-Z a-z 0-9 _ . -`, so that every client accepts it.
    pub name: String,
    pub title: String,
    pub description: String,
    /// A JSON Schema of an object.
    pub input_schema: Map<String, Value>,
    /// A JSON Schema of the structured part of results.
    pub output_schema: Option<Map<String, Value>>,
    pub hints: Hints,
    /// The name of an argument that keeps what lasts between the calls of a caller that nothing else tells apart. Only
    /// such callers see it: see [`Caller::lasts`](super::Caller::lasts).
    pub handle: Option<String>,
}

/// What a call can do to the world. There are no defaults: a client that asks its user first needs all four.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hints {
    pub read_only: bool,
    pub destructive: bool,
    pub idempotent: bool,
    pub open_world: bool,
}

/// The answer of a tool.
#[derive(Debug, Clone, Default)]
pub struct ToolResult {
    pub content: Vec<Content>,
    pub structured: Option<Value>,
    /// The call failed in a way that the model can act on: wrong arguments, or an action that did not work.
    pub is_error: bool,
}

impl ToolResult {
    pub fn text(text: impl Into<String>) -> ToolResult {
        ToolResult { content: vec![Content::Text(text.into())], structured: None, is_error: false }
    }

    /// A failure; the text tells the model what to do next.
    pub fn error(text: impl Into<String>) -> ToolResult {
        ToolResult { is_error: true, ..ToolResult::text(text) }
    }

    /// A value for programs, repeated as text for models that read only text.
    pub fn structured(value: Value) -> ToolResult {
        ToolResult { structured: Some(value.clone()), ..ToolResult::text(value.to_string()) }
    }

    pub fn with(mut self, content: Content) -> ToolResult {
        self.content.push(content);
        self
    }
}
