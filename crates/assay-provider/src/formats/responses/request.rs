//! A question in the words of OpenAI's Responses API.

use serde_json::{Map, Value, json};

use super::State;
use crate::answer::{CallInput, Item};
use crate::conversation::{
    AssistantTurn, CallKind, ComputerTool, Environment, Message, Outcome, Part, Picture, Question, Tool,
    ToolChoice, ToolResult,
};
use crate::formats::{Delivery, FormatName, WireRequest, WriteError};

pub fn write(
    question: &Question,
    model: &str,
    delivery: Delivery,
    state: State,
) -> Result<WireRequest, WriteError> {
    let mut body = Map::new();
    body.insert("model".into(), json!(model));
    // At least 16: less is refused.
    body.insert("max_output_tokens".into(), json!(question.max_output_tokens.max(16)));
    if delivery == Delivery::Streamed {
        body.insert("stream".into(), json!(true));
    }
    if !question.system.is_empty() {
        body.insert("instructions".into(), json!(question.system));
    }
    let tools = tools(&question.tools, model)?;
    if !tools.is_empty() {
        body.insert("tools".into(), Value::Array(tools));
        if let Some(choice) = tool_choice(&question.tool_choice) {
            body.insert("tool_choice".into(), choice);
        }
    }
    if is_legacy(model) {
        body.insert("truncation".into(), json!("auto"));
    }
    if let Some(effort) = question.effort {
        body.insert("reasoning".into(), json!({"effort": effort.name()}));
    }
    if let Some(name) = &question.asked_for {
        body.insert("safety_identifier".into(), json!(name));
        // Caching is automatic; the key keeps questions that begin alike on the same machine.
        body.insert("prompt_cache_key".into(), json!(name));
    }
    let messages = match state {
        State::Ours => {
            body.insert("store".into(), json!(false));
            body.insert("include".into(), json!(["reasoning.encrypted_content"]));
            question.messages.as_slice()
        }
        State::Theirs => {
            body.insert("store".into(), json!(true));
            let (previous, rest) = since_last_answer(&question.messages);
            if let Some(id) = previous {
                body.insert("previous_response_id".into(), json!(id));
            }
            rest
        }
    };
    let mut input = Vec::new();
    for message in messages {
        write_message(message, &mut input)?;
    }
    body.insert("input".into(), Value::Array(input));
    Ok(WireRequest { path: "/responses".into(), headers: Vec::new(), body: Value::Object(body) })
}

/// Models of this name are the only ones that take the tool's first shape, with a size.
fn is_legacy(model: &str) -> bool {
    model.starts_with("computer-use-preview")
}

fn since_last_answer(messages: &[Message]) -> (Option<&str>, &[Message]) {
    let last = messages.iter().enumerate().rev().find_map(|(index, message)| match message {
        Message::Assistant(AssistantTurn { format: FormatName::Responses, answer_id: Some(id), .. }) => {
            Some((id.as_str(), index))
        }
        _ => None,
    });
    match last {
        Some((id, index)) => (Some(id), &messages[index + 1..]),
        None => (None, messages),
    }
}

fn tools(tools: &[Tool], model: &str) -> Result<Vec<Value>, WriteError> {
    let mut theirs = Vec::new();
    let mut ours = Vec::new();
    for tool in tools {
        match tool {
            Tool::Computer(ComputerTool::OpenAi { width, height, environment }) if is_legacy(model) => {
                let environment = match environment {
                    Environment::Browser | Environment::Mobile => "browser",
                    Environment::Desktop => "linux",
                };
                theirs.push(json!({
                    "type": "computer_use_preview",
                    "display_width": width,
                    "display_height": height,
                    "environment": environment,
                }));
            }
            Tool::Computer(ComputerTool::OpenAi { .. }) => theirs.push(json!({"type": "computer"})),
            Tool::Computer(other) => {
                let format = FormatName::Responses;
                return Err(WriteError::ForeignTool { format, tool: other.describe() });
            }
            Tool::Function(tool) => {
                let declared = json!({
                    "type": "function",
                    "name": tool.name,
                    "description": tool.description,
                    "parameters": tool.schema,
                    "strict": tool.strict,
                });
                ours.push((tool.name.as_str(), declared));
            }
        }
    }
    ours.sort_by_key(|(name, _)| *name);
    theirs.extend(ours.into_iter().map(|(_, declared)| declared));
    Ok(theirs)
}

fn tool_choice(choice: &ToolChoice) -> Option<Value> {
    match choice {
        ToolChoice::Auto => None,
        ToolChoice::Required => Some(json!("required")),
        ToolChoice::Named(name) => Some(json!({"type": "function", "name": name})),
        ToolChoice::Forbidden => Some(json!("none")),
    }
}

fn write_message(message: &Message, input: &mut Vec<Value>) -> Result<(), WriteError> {
    match message {
        Message::User(parts) => input.extend(user(parts)),
        Message::Assistant(turn) => assistant(turn, input)?,
        Message::Results { results, remarks } => {
            // All outputs first; what a picture cannot say follows as the user's words.
            let mut afterwards = Vec::new();
            for result in results {
                input.push(output(result, &mut afterwards)?);
            }
            afterwards.extend(remarks.iter().cloned());
            input.extend(user(&afterwards));
        }
    }
    Ok(())
}

fn user(parts: &[Part]) -> Option<Value> {
    let content = content(parts);
    (!content.is_empty()).then(|| json!({"role": "user", "content": content}))
}

fn content(parts: &[Part]) -> Vec<Value> {
    parts
        .iter()
        .filter_map(|part| match part {
            Part::Text(text) if text.is_empty() => None,
            Part::Text(text) => Some(json!({"type": "input_text", "text": text})),
            // In its own size: a picture that is scaled shifts every coordinate.
            Part::Picture(picture) => {
                Some(json!({"type": "input_image", "image_url": picture.data_url(), "detail": "original"}))
            }
        })
        .collect()
}

fn assistant(turn: &AssistantTurn, input: &mut Vec<Value>) -> Result<(), WriteError> {
    if turn.format == FormatName::Responses {
        input.extend(turn.raw.iter().cloned());
        return Ok(());
    }
    for item in &turn.items {
        match item {
            Item::Text(text) | Item::Refusal(text) => {
                input.push(json!({"role": "assistant", "content": text}));
            }
            Item::Call(call) => {
                let arguments = match &call.input {
                    CallInput::Json(value) => value.to_string(),
                    CallInput::Malformed(text) => text.clone(),
                };
                input.push(json!({
                    "type": "function_call",
                    "call_id": call.id,
                    "name": call.name,
                    "arguments": arguments,
                }));
            }
            Item::Computer(_) => {
                return Err(WriteError::ForeignCall { from: turn.format, to: FormatName::Responses });
            }
            Item::Thinking(_) | Item::Unknown(_) => {}
        }
    }
    Ok(())
}

fn output(result: &ToolResult, afterwards: &mut Vec<Part>) -> Result<Value, WriteError> {
    match &result.call.kind {
        CallKind::Function => Ok(json!({
            "type": "function_call_output",
            "call_id": result.call.id,
            "output": function_output(result),
        })),
        CallKind::Computer { .. } => {
            let picture =
                last_picture(result).ok_or_else(|| WriteError::NoPicture { call: result.call.id.clone() })?;
            let text = result.text();
            if !text.is_empty() {
                afterwards.push(Part::Text(text));
            }
            if let Some(url) = result.active_url() {
                afterwards.push(Part::Text(format!("The page is now {url}")));
            }
            let mut output = json!({
                "type": "computer_call_output",
                "call_id": result.call.id,
                "output": {
                    "type": "computer_screenshot",
                    "image_url": picture.data_url(),
                    "detail": "original",
                },
            });
            if !result.acknowledged.is_empty() {
                let checks: Vec<Value> = result
                    .acknowledged
                    .iter()
                    .map(|check| json!({"id": check.id, "code": check.code, "message": check.message}))
                    .collect();
                output["acknowledged_safety_checks"] = Value::Array(checks);
            }
            Ok(output)
        }
    }
}

fn function_output(result: &ToolResult) -> Value {
    let only_text = result.parts.iter().all(|part| matches!(part, Part::Text(_)));
    let prefix = if result.outcome == Outcome::Failed { "Failed: " } else { "" };
    if only_text {
        return json!(format!("{prefix}{}", result.text()));
    }
    let mut parts = result.parts.clone();
    if !prefix.is_empty() {
        parts.insert(0, Part::Text(prefix.trim_end().to_string()));
    }
    Value::Array(content(&parts))
}

fn last_picture(result: &ToolResult) -> Option<&Picture> {
    result.parts.iter().rev().find_map(|part| match part {
        Part::Picture(picture) => Some(picture),
        Part::Text(_) => None,
    })
}
