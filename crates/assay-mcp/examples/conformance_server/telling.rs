//! Tools that answer, report progress, log and announce changes.

use std::time::Duration;

use assay_mcp::{Call, Change, Content, Contents, LogLevel, RequestError, ToolResult};
use serde_json::{Map, Value, json};

use crate::fixtures::{Answer, Fixture, Fixtures};
use crate::library::{IMAGE, SOUND};

pub const SCHEMA_TOOL: &str = "json_schema_2020_12_tool";
pub const HEADER_TOOL: &str = "test_header";
pub const STRUCTURED_TOOL: &str = "test_structured_content";

pub const TOOLS: &[Fixture] = &[
    Fixture {
        name: "test_simple_text",
        description: "Answers with a text",
        arguments: &[],
        run: simple_text,
    },
    Fixture { name: "test_image_content", description: "Answers with a picture", arguments: &[], run: image },
    Fixture { name: "test_audio_content", description: "Answers with a sound", arguments: &[], run: audio },
    Fixture {
        name: "test_embedded_resource",
        description: "Answers with a resource",
        arguments: &[],
        run: embedded,
    },
    Fixture {
        name: "test_multiple_content_types",
        description: "Answers with a text, a picture and a resource",
        arguments: &[],
        run: mixed,
    },
    Fixture { name: STRUCTURED_TOOL, description: "Answers with an object", arguments: &[], run: structured },
    Fixture {
        name: "test_tool_with_progress",
        description: "Reports progress",
        arguments: &[],
        run: progress,
    },
    Fixture {
        name: "test_tool_with_logging",
        description: "Writes log messages",
        arguments: &[],
        run: logging,
    },
    Fixture { name: "test_logging_tool", description: "Writes log messages", arguments: &[], run: logging },
    Fixture { name: "test_error_handling", description: "Fails", arguments: &[], run: error },
    Fixture { name: "test_reconnection", description: "Takes a moment", arguments: &[], run: reconnection },
    Fixture {
        name: SCHEMA_TOOL,
        description: "Tool with JSON Schema 2020-12 features",
        arguments: &[],
        run: simple_text,
    },
    Fixture {
        name: HEADER_TOOL,
        description: "Takes an argument that is also a header",
        arguments: &["region"],
        run: simple_text,
    },
    Fixture {
        name: "test_trigger_tool_change",
        description: "Announces a change of the tools",
        arguments: &[],
        run: change_tools,
    },
    Fixture {
        name: "test_trigger_prompt_change",
        description: "Announces a change of the prompts",
        arguments: &[],
        run: change_prompts,
    },
];

fn simple_text<'a>(_: &'a Fixtures, _: &'a Map<String, Value>, _: &'a Call) -> Answer<'a> {
    Box::pin(async { Ok(ToolResult::text("This is a simple text response for testing.")) })
}

fn of(content: Content) -> Result<ToolResult, RequestError> {
    Ok(ToolResult::default().with(content))
}

fn picture() -> Content {
    Content::Image { data: IMAGE.to_vec(), mime_type: "image/png".to_string() }
}

fn image<'a>(_: &'a Fixtures, _: &'a Map<String, Value>, _: &'a Call) -> Answer<'a> {
    Box::pin(async { of(picture()) })
}

fn audio<'a>(_: &'a Fixtures, _: &'a Map<String, Value>, _: &'a Call) -> Answer<'a> {
    Box::pin(async { of(Content::Audio { data: SOUND.to_vec(), mime_type: "audio/wav".to_string() }) })
}

fn embedded<'a>(_: &'a Fixtures, _: &'a Map<String, Value>, _: &'a Call) -> Answer<'a> {
    let text = "This is an embedded resource content.";
    Box::pin(
        async move { of(Content::Embedded(Contents::text("test://embedded-resource", "text/plain", text))) },
    )
}

fn mixed<'a>(_: &'a Fixtures, _: &'a Map<String, Value>, _: &'a Call) -> Answer<'a> {
    Box::pin(async {
        let resource = Contents::text(
            "test://mixed-content-resource",
            "application/json",
            r#"{"test":"data","value":123}"#,
        );
        let result = ToolResult::text("Multiple content types test:");
        Ok(result.with(picture()).with(Content::Embedded(resource)))
    })
}

fn structured<'a>(_: &'a Fixtures, _: &'a Map<String, Value>, _: &'a Call) -> Answer<'a> {
    Box::pin(async { Ok(ToolResult::structured(json!({"passed": 3, "failed": 0}))) })
}

pub fn structured_schema() -> Map<String, Value> {
    object(json!({
        "type": "object",
        "properties": {"passed": {"type": "integer"}, "failed": {"type": "integer"}},
        "required": ["passed", "failed"],
    }))
}

fn progress<'a>(_: &'a Fixtures, _: &'a Map<String, Value>, call: &'a Call) -> Answer<'a> {
    Box::pin(async move {
        for done in [0.0, 50.0, 100.0] {
            call.progress(done, Some(100.0), Some("working"));
            pause().await;
        }
        Ok(ToolResult::text("Done, in three steps."))
    })
}

fn logging<'a>(_: &'a Fixtures, _: &'a Map<String, Value>, call: &'a Call) -> Answer<'a> {
    Box::pin(async move {
        for message in ["Tool execution started", "Tool processing data", "Tool execution completed"] {
            call.log(LogLevel::Info, message);
            pause().await;
        }
        Ok(ToolResult::text("Done, with three messages."))
    })
}

fn error<'a>(_: &'a Fixtures, _: &'a Map<String, Value>, _: &'a Call) -> Answer<'a> {
    Box::pin(async { Ok(ToolResult::error("This tool intentionally returns an error for testing")) })
}

fn reconnection<'a>(_: &'a Fixtures, _: &'a Map<String, Value>, _: &'a Call) -> Answer<'a> {
    Box::pin(async {
        pause().await;
        Ok(ToolResult::text("The stream went on to the end."))
    })
}

fn change_tools<'a>(fixtures: &'a Fixtures, _: &'a Map<String, Value>, _: &'a Call) -> Answer<'a> {
    fixtures.changes.announce(Change::Tools);
    Box::pin(async { Ok(ToolResult::text("announced")) })
}

fn change_prompts<'a>(fixtures: &'a Fixtures, _: &'a Map<String, Value>, _: &'a Call) -> Answer<'a> {
    fixtures.changes.announce(Change::Prompts);
    Box::pin(async { Ok(ToolResult::text("announced")) })
}

/// The tests want to see messages arrive one by one.
async fn pause() {
    tokio::time::sleep(Duration::from_millis(50)).await;
}

/// Its argument comes as the header `Mcp-Param-Region` as well.
pub fn header_schema() -> Map<String, Value> {
    object(json!({
        "type": "object",
        "properties": {"region": {"type": "string", "x-mcp-header": "Region"}},
        "required": ["region"],
        "additionalProperties": false,
    }))
}

pub fn schema_2020_12() -> Map<String, Value> {
    object(json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {
            "address": {
                "$anchor": "addressDef",
                "type": "object",
                "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
            },
        },
        "properties": {
            "name": {"type": "string"},
            "address": {"$ref": "#/$defs/address"},
            "contactMethod": {"type": "string", "enum": ["phone", "email"]},
            "phone": {"type": "string"},
            "email": {"type": "string"},
        },
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
        "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
        "then": {"required": ["phone"]},
        "else": {"required": ["email"]},
        "additionalProperties": false,
    }))
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}
