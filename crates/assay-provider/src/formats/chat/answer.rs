//! An answer as a chat completion, read with patience: local servers differ.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::answer::{CallInput, FunctionCall, Item, ModelAnswer, Note, Stop};
use crate::formats::{FormatName, ReadError, beginning, count, responses, text_of};
use crate::usage::Usage;

pub fn read(body: Value) -> Result<ModelAnswer, ReadError> {
    if body["error"].is_object() {
        return Err(ReadError::Refused(responses::refusal_of_error(&body["error"], None)));
    }
    let choice = &body["choices"][0];
    let message = &choice["message"];
    if !message.is_object() {
        let found = beginning(&body.to_string());
        return Err(ReadError::Unreadable { expected: "a chat completion with a message", found });
    }
    let mut notes = Vec::new();
    let mut items = Vec::new();
    let thinking = text_of(&message["reasoning_content"]).or_else(|| text_of(&message["reasoning"]));
    items.extend(thinking.filter(|text| !text.is_empty()).map(Item::Thinking));
    if let Some(text) = text_of(&message["content"]).filter(|text| !text.is_empty()) {
        if text.contains("<tool_call>") {
            notes.push(Note::ToolCallAsText);
        }
        items.push(Item::Text(text));
    }
    items.extend(text_of(&message["refusal"]).filter(|text| !text.is_empty()).map(Item::Refusal));
    let mut ids = BTreeSet::new();
    for call in message["tool_calls"].as_array().into_iter().flatten() {
        items.push(read_call(call, &mut ids, &mut notes));
    }
    let raw = vec![echo(&items)];
    Ok(ModelAnswer {
        format: FormatName::Chat,
        id: text_of(&body["id"]),
        model: text_of(&body["model"]).unwrap_or_default(),
        stop: stop(choice, &items),
        items,
        usage: usage(&body["usage"]),
        cost: None,
        notes,
        raw,
    })
}

fn read_call(call: &Value, ids: &mut BTreeSet<String>, notes: &mut Vec<Note>) -> Item {
    let function = &call["function"];
    let Some(name) = text_of(&function["name"]) else {
        notes.push(Note::UnknownItem { kind: text_of(&call["type"]).unwrap_or_default() });
        return Item::Unknown(call.clone());
    };
    let id = match text_of(&call["id"]).filter(|id| !id.is_empty() && !ids.contains(id)) {
        Some(id) => id,
        None => {
            // An id that is missing or was there before could not be answered.
            let id = format!("call_made_up_{}", ids.len());
            notes.push(Note::MadeUpCallId { id: id.clone() });
            id
        }
    };
    ids.insert(id.clone());
    let input = match &function["arguments"] {
        Value::String(text) => CallInput::from_text(text),
        Value::Null => CallInput::from_text(""),
        value @ Value::Object(_) => CallInput::Json(value.clone()),
        other => CallInput::Malformed(other.to_string()),
    };
    Item::Call(FunctionCall { id, name, input })
}

/// The message as it goes back: mended, and without the thoughts, which servers do not take.
fn echo(items: &[Item]) -> Value {
    let mut message = json!({"role": "assistant", "content": null});
    let mut calls = Vec::new();
    for item in items {
        match item {
            Item::Text(text) => message["content"] = json!(text),
            Item::Refusal(text) => message["refusal"] = json!(text),
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
            Item::Thinking(_) | Item::Computer(_) | Item::Unknown(_) => {}
        }
    }
    if !calls.is_empty() {
        message["tool_calls"] = Value::Array(calls);
    }
    message
}

fn stop(choice: &Value, items: &[Item]) -> Stop {
    // Some servers say `stop` though there are calls.
    if items.iter().any(|item| matches!(item, Item::Call(_))) && choice["finish_reason"] != "length" {
        return Stop::Calls;
    }
    match choice["finish_reason"].as_str() {
        Some("stop") => Stop::Finished,
        Some("tool_calls" | "function_call") => Stop::MalformedCall,
        Some("length") => Stop::OutputLimit,
        Some("content_filter") => {
            Stop::Refused { category: Some("content_filter".into()), explanation: None }
        }
        other => Stop::Unknown(other.unwrap_or("no reason").to_string()),
    }
}

fn usage(usage: &Value) -> Option<Usage> {
    if !usage.is_object() {
        return None;
    }
    Some(Usage::from_inclusive(
        count(&usage["prompt_tokens"]),
        count(&usage["prompt_tokens_details"]["cached_tokens"]),
        0,
        count(&usage["completion_tokens"]),
        count(&usage["completion_tokens_details"]["reasoning_tokens"]),
    ))
}
