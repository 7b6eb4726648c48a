//! A question as chat completions, in the words that all servers take.

use serde_json::{Map, Value, json};

use super::ChatProfile;
use crate::answer::{CallInput, Item};
use crate::conversation::{AssistantTurn, Message, Outcome, Part, Question, Tool, ToolChoice};
use crate::formats::{Delivery, FormatName, WireRequest, WriteError};

pub fn write(
    question: &Question,
    model: &str,
    delivery: Delivery,
    profile: ChatProfile,
) -> Result<WireRequest, WriteError> {
    let mut body = Map::new();
    body.insert("model".into(), json!(model));
    body.insert("max_tokens".into(), json!(question.max_output_tokens));
    // The likeliest answer each time: a test should not depend on chance.
    body.insert("temperature".into(), json!(0));
    if delivery == Delivery::Streamed {
        body.insert("stream".into(), json!(true));
        if profile.takes_stream_options {
            body.insert("stream_options".into(), json!({"include_usage": true}));
        }
    }
    let tools = tools(&question.tools)?;
    if !tools.is_empty() && question.tool_choice != ToolChoice::Forbidden {
        body.insert("tools".into(), Value::Array(tools));
        if profile.takes_tool_choice
            && let Some(choice) = tool_choice(&question.tool_choice)
        {
            body.insert("tool_choice".into(), choice);
        }
    }
    let mut messages = Vec::new();
    if !question.system.is_empty() {
        messages.push(json!({"role": "system", "content": question.system}));
    }
    for message in &question.messages {
        write_message(message, &mut messages)?;
    }
    body.insert("messages".into(), Value::Array(messages));
    Ok(WireRequest { path: "/chat/completions".into(), headers: Vec::new(), body: Value::Object(body) })
}

fn tools(tools: &[Tool]) -> Result<Vec<Value>, WriteError> {
    let mut ours = Vec::new();
    for tool in tools {
        match tool {
            Tool::Computer(tool) => {
                return Err(WriteError::ForeignTool { format: FormatName::Chat, tool: tool.describe() });
            }
            Tool::Function(tool) => {
                let mut function = json!({
                    "name": tool.name,
                    "description": tool.description,
                    "parameters": tool.schema,
                });
                if tool.strict {
                    function["strict"] = json!(true);
                }
                ours.push((tool.name.as_str(), json!({"type": "function", "function": function})));
            }
        }
    }
    ours.sort_by_key(|(name, _)| *name);
    Ok(ours.into_iter().map(|(_, declared)| declared).collect())
}

fn tool_choice(choice: &ToolChoice) -> Option<Value> {
    match choice {
        ToolChoice::Auto | ToolChoice::Forbidden => None,
        ToolChoice::Required => Some(json!("required")),
        ToolChoice::Named(name) => Some(json!({"type": "function", "function": {"name": name}})),
    }
}

fn write_message(message: &Message, messages: &mut Vec<Value>) -> Result<(), WriteError> {
    match message {
        Message::User(parts) => messages.extend(user(parts)),
        Message::Assistant(turn) => messages.push(assistant(turn)?),
        Message::Results { results, remarks } => {
            // A tool's message holds text only, so its pictures follow as the user's.
            let mut pictures = Vec::new();
            for result in results {
                let prefix = if result.outcome == Outcome::Failed { "Failed: " } else { "" };
                messages.push(json!({
                    "role": "tool",
                    "tool_call_id": result.call.id,
                    "content": format!("{prefix}{}", result.text()),
                }));
                pictures.extend(result.parts.iter().filter(|part| matches!(part, Part::Picture(_))).cloned());
            }
            if !pictures.is_empty() {
                pictures.insert(0, Part::Text("Screenshot after the action:".to_string()));
            }
            pictures.extend(remarks.iter().cloned());
            messages.extend(user(&pictures));
        }
    }
    Ok(())
}

fn user(parts: &[Part]) -> Option<Value> {
    if parts.is_empty() {
        return None;
    }
    // Plain text where there is nothing else: models without eyes take no list.
    let texts: Option<Vec<&str>> = parts
        .iter()
        .map(|part| match part {
            Part::Text(text) => Some(text.as_str()),
            Part::Picture(_) => None,
        })
        .collect();
    if let Some(texts) = texts {
        return Some(json!({"role": "user", "content": texts.join("\n\n")}));
    }
    let content: Vec<Value> = parts
        .iter()
        .map(|part| match part {
            Part::Text(text) => json!({"type": "text", "text": text}),
            Part::Picture(picture) => {
                json!({"type": "image_url", "image_url": {"url": picture.data_url()}})
            }
        })
        .collect();
    Some(json!({"role": "user", "content": content}))
}

fn assistant(turn: &AssistantTurn) -> Result<Value, WriteError> {
    if turn.format == FormatName::Chat
        && let [message] = turn.raw.as_slice()
    {
        return Ok(message.clone());
    }
    let mut texts = Vec::new();
    let mut calls = Vec::new();
    for item in &turn.items {
        match item {
            Item::Text(text) | Item::Refusal(text) => texts.push(text.as_str()),
            Item::Call(call) => {
                let arguments = match &call.input {
                    CallInput::Json(value) => value.to_string(),
                    CallInput::Malformed(text) => text.clone(),
                };
                calls.push(json!({
                    "id": call.id,
                    "type": "function",
                    "function": {"name": call.name, "arguments": arguments},
                }));
            }
            Item::Computer(_) => {
                return Err(WriteError::ForeignCall { from: turn.format, to: FormatName::Chat });
            }
            Item::Thinking(_) | Item::Unknown(_) => {}
        }
    }
    let content = if texts.is_empty() { Value::Null } else { json!(texts.join("\n")) };
    let mut message = json!({"role": "assistant", "content": content});
    if !calls.is_empty() {
        message["tool_calls"] = Value::Array(calls);
    }
    Ok(message)
}
