//! Resources and prompts.

use assay_mcp::{
    Answer, Call, Content, Contents, Prompt, PromptArgument, PromptMessage, PromptReply, Question,
    RequestError, Resource, ResourceTemplate, Role,
};
use serde_json::{Map, Value, json};

/// One red pixel, as PNG.
pub const IMAGE: &[u8] = &[
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52, 0x00,
    0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x02, 0x00, 0x00, 0x00, 0x90, 0x77, 0x53, 0xde, 0x00,
    0x00, 0x00, 0x0c, 0x49, 0x44, 0x41, 0x54, 0x08, 0xd7, 0x63, 0xf8, 0xcf, 0xc0, 0x00, 0x00, 0x03, 0x01,
    0x01, 0x00, 0x18, 0xdd, 0x8d, 0xb0, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60,
    0x82,
];
/// No sample at 8 kHz, as WAV.
pub const SOUND: &[u8] =
    b"RIFF\x24\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x40\x1f\x00\x00\x40\x1f\x00\x00\
    \x01\x00\x08\x00data\x00\x00\x00\x00";

const TEXT: &str = "test://static-text";
const BINARY: &str = "test://static-binary";
const WATCHED: &str = "test://watched-resource";

pub fn resources() -> Vec<Resource> {
    let resource = |uri: &str, name: &str, mime_type: &str| {
        let mut resource = Resource::new(uri, name);
        resource.mime_type = Some(mime_type.to_string());
        resource
    };
    vec![
        resource(TEXT, "Static text", "text/plain"),
        resource(BINARY, "Static picture", "image/png"),
        resource(WATCHED, "Watched", "text/plain"),
    ]
}

pub fn templates() -> Vec<ResourceTemplate> {
    let mut template = ResourceTemplate::new("test://template/{id}/data", "Data by number");
    template.mime_type = Some("application/json".to_string());
    vec![template]
}

pub fn read(uri: &str) -> Result<Vec<Contents>, RequestError> {
    let contents = match uri {
        TEXT => Contents::text(uri, "text/plain", "This is the content of the static text resource."),
        BINARY => Contents::bytes(uri, "image/png", IMAGE.to_vec()),
        WATCHED => Contents::text(uri, "text/plain", "Watched resource content"),
        _ => {
            let id = uri.strip_prefix("test://template/").and_then(|rest| rest.strip_suffix("/data"));
            let id = id.ok_or_else(|| RequestError::UnknownResource(uri.to_string()))?;
            let data = json!({"id": id, "templateTest": true, "data": format!("Data for ID: {id}")});
            Contents::text(uri, "application/json", data.to_string())
        }
    };
    Ok(vec![contents])
}

pub fn prompts() -> Vec<Prompt> {
    let prompt = |name: &str, description: &str, arguments: &[&str]| Prompt {
        name: name.to_string(),
        title: None,
        description: Some(description.to_string()),
        arguments: arguments
            .iter()
            .map(|name| PromptArgument { name: (*name).to_string(), description: None, required: true })
            .collect(),
    };
    vec![
        prompt("test_simple_prompt", "A text", &[]),
        prompt("test_prompt_with_arguments", "A text with two arguments", &["arg1", "arg2"]),
        prompt("test_prompt_with_embedded_resource", "A resource", &["resourceUri"]),
        prompt("test_prompt_with_image", "A picture", &[]),
        prompt("test_input_required_result_prompt", "Asks for its context", &[]),
    ]
}

pub async fn prompt(
    name: &str,
    arguments: &Map<String, Value>,
    call: &Call,
) -> Result<PromptReply, RequestError> {
    let argument = |name: &str| arguments.get(name).and_then(Value::as_str).unwrap_or_default();
    let text = |text: String| Content::Text(text);
    let content = match name {
        "test_simple_prompt" => vec![text("This is a simple prompt for testing.".to_string())],
        "test_prompt_with_arguments" => {
            let (one, two) = (argument("arg1"), argument("arg2"));
            vec![text(format!("Prompt with arguments: arg1='{one}', arg2='{two}'"))]
        }
        "test_prompt_with_embedded_resource" => vec![
            Content::Embedded(Contents::text(
                argument("resourceUri"),
                "text/plain",
                "Embedded resource content for testing.",
            )),
            text("Please process the embedded resource above.".to_string()),
        ],
        "test_prompt_with_image" => vec![
            Content::Image { data: IMAGE.to_vec(), mime_type: "image/png".to_string() },
            text("Please analyze the image above.".to_string()),
        ],
        "test_input_required_result_prompt" => {
            let properties = json!({"context": {"type": "string"}});
            let question = Question::form("What context should the prompt use?", properties, &["context"]);
            match call.ask_as("user_context", question).await? {
                Answer::Given(given) => vec![text(format!("Use the context {}.", given["context"]))],
                Answer::Declined | Answer::Dismissed => vec![text("Use no context.".to_string())],
            }
        }
        _ => return Err(RequestError::UnknownPrompt(name.to_string())),
    };
    let messages = content.into_iter().map(|content| PromptMessage { role: Role::User, content }).collect();
    Ok(PromptReply { description: None, messages })
}
