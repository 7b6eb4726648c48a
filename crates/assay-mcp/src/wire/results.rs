//! Tools and results as types of the SDK, in the dialect of an era.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rmcp::model::{
    CallToolResult, ClientCapabilities, ContentBlock, ErrorData, GetPromptResult,
    PromptMessage as WireMessage, ReadResourceResult, ResourceContents, Role as WireRole, Tool as WireTool,
    ToolAnnotations,
};
use serde_json::{Map, Value, json};

use super::types::resource;
use crate::seam::{Ability, Body, Content, Contents, Era, PromptReply, RequestError, Role, Tool, ToolResult};

/// The results that an era understands.
#[derive(Debug, Clone, Copy)]
pub struct Dialect(pub Era);

impl Dialect {
    /// Before 2026-07-28, structured results are objects.
    fn takes_structured(self, value: &Value) -> bool {
        self.0 == Era::Modern || value.is_object()
    }

    fn takes_schema(self, schema: &Map<String, Value>) -> bool {
        self.0 == Era::Modern || schema.get("type").and_then(Value::as_str) == Some("object")
    }
}

/// `lasts`: whether the client is known from one request to the next.
pub fn tool(tool: &Tool, dialect: Dialect, lasts: bool) -> WireTool {
    let hints = tool.hints;
    let handle = tool.handle.as_deref().filter(|_| !lasts);
    let input =
        handle.map_or_else(|| tool.input_schema.clone(), |handle| with_text(&tool.input_schema, handle));
    let annotations = ToolAnnotations::from_raw(
        Some(tool.title.clone()),
        Some(hints.read_only),
        Some(hints.destructive),
        Some(hints.idempotent),
        Some(hints.open_world),
    );
    let mut wire = WireTool::new(tool.name.clone(), tool.description.clone(), Arc::new(input))
        .with_title(tool.title.clone())
        .with_annotations(annotations);
    let output = tool.output_schema.as_ref().filter(|schema| dialect.takes_schema(schema));
    wire.output_schema = output.cloned().map(Arc::new);
    wire
}

/// A schema with one text more.
fn with_text(schema: &Map<String, Value>, name: &str) -> Map<String, Value> {
    let mut schema = schema.clone();
    let properties = schema.entry("properties").or_insert_with(|| json!({}));
    if let Value::Object(properties) = properties {
        properties.insert(name.to_string(), json!({ "type": "string" }));
    }
    schema
}

pub fn tool_result(result: ToolResult, dialect: Dialect) -> CallToolResult {
    let content = result.content.into_iter().map(block).collect();
    let mut wire =
        if result.is_error { CallToolResult::error(content) } else { CallToolResult::success(content) };
    wire.structured_content = result.structured.filter(|value| dialect.takes_structured(value));
    wire
}

pub fn prompt_reply(reply: PromptReply) -> GetPromptResult {
    let messages = reply.messages.into_iter().map(|message| {
        let role = match message.role {
            Role::User => WireRole::User,
            Role::Assistant => WireRole::Assistant,
        };
        WireMessage::new(role, block(message.content))
    });
    let mut wire = GetPromptResult::new(messages.collect());
    wire.description = reply.description;
    wire
}

pub fn read_result(contents: Vec<Contents>) -> ReadResourceResult {
    ReadResourceResult::new(contents.into_iter().map(resource_contents).collect())
}

fn block(content: Content) -> ContentBlock {
    match content {
        Content::Text(text) => ContentBlock::text(text),
        Content::Image { data, mime_type } => ContentBlock::image(STANDARD.encode(data), mime_type),
        Content::Audio { data, mime_type } => ContentBlock::audio(STANDARD.encode(data), mime_type),
        Content::Link(linked) => ContentBlock::resource_link(resource(linked)),
        Content::Embedded(contents) => ContentBlock::resource(resource_contents(contents)),
    }
}

fn resource_contents(contents: Contents) -> ResourceContents {
    match contents.body {
        Body::Text(text) => ResourceContents::TextResourceContents {
            uri: contents.uri,
            mime_type: contents.mime_type,
            text,
            meta: None,
        },
        Body::Bytes(bytes) => ResourceContents::BlobResourceContents {
            uri: contents.uri,
            mime_type: contents.mime_type,
            blob: STANDARD.encode(bytes),
            meta: None,
        },
    }
}

pub fn request_error(error: RequestError) -> ErrorData {
    let message = error.to_string();
    match error {
        RequestError::InvalidParams(_) | RequestError::UnknownTool(_) | RequestError::UnknownPrompt(_) => {
            ErrorData::invalid_params(message, None)
        }
        // The SDK turns the code into -32602 for clients of the stateless era.
        RequestError::UnknownResource(uri) => {
            ErrorData::resource_not_found(message, Some(json!({ "uri": uri })))
        }
        RequestError::MissingAbility(ability) => missing(ability),
        RequestError::Cancelled | RequestError::Internal(_) => ErrorData::internal_error(message, None),
    }
}

fn missing(ability: Ability) -> ErrorData {
    let required = match ability {
        Ability::Form => json!({"elicitation": {"form": {}}}),
        Ability::Link => json!({"elicitation": {"url": {}}}),
        Ability::Sample => json!({"sampling": {}}),
        Ability::Roots => json!({"roots": {}}),
        Ability::Tasks => json!({"extensions": {"io.modelcontextprotocol/tasks": {}}}),
    };
    let required: ClientCapabilities = serde_json::from_value(required).unwrap_or_default();
    ErrorData::missing_required_client_capability(required)
}
