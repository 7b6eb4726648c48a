//! An answer in the words of OpenAI's Responses API.

use serde_json::Value;

use super::{actions, refusal};
use crate::answer::{CallInput, ComputerCall, FunctionCall, Item, ModelAnswer, Note, SafetyCheck, Stop};
use crate::formats::{FormatName, ReadError, beginning, count, take, text_of};
use crate::usage::Usage;

pub fn read(mut body: Value) -> Result<ModelAnswer, ReadError> {
    if body["status"] == "failed" {
        return Err(ReadError::Refused(refusal::of_failure(&body["error"])));
    }
    let Value::Array(raw) = take(&mut body, "output") else {
        let found = beginning(&body.to_string());
        return Err(ReadError::Unreadable { expected: "a response with its output", found });
    };
    let mut items = Vec::new();
    let mut notes = Vec::new();
    for item in &raw {
        read_item(item, &mut items, &mut notes);
    }
    let has_calls = items.iter().any(|item| matches!(item, Item::Call(_) | Item::Computer(_)));
    Ok(ModelAnswer {
        format: FormatName::Responses,
        id: text_of(&body["id"]),
        model: text_of(&body["model"]).unwrap_or_default(),
        stop: stop(&body, has_calls, &items),
        items,
        usage: usage(&body["usage"]),
        cost: None,
        notes,
        raw,
    })
}

fn read_item(item: &Value, items: &mut Vec<Item>, notes: &mut Vec<Note>) {
    let mut unknown = |value: &Value| {
        notes.push(Note::UnknownItem { kind: text_of(&value["type"]).unwrap_or_default() });
        Item::Unknown(value.clone())
    };
    match item["type"].as_str() {
        Some("message") => {
            for part in item["content"].as_array().into_iter().flatten() {
                items.push(match part["type"].as_str() {
                    Some("output_text") => Item::Text(text_of(&part["text"]).unwrap_or_default()),
                    Some("refusal") => Item::Refusal(text_of(&part["refusal"]).unwrap_or_default()),
                    _ => unknown(part),
                });
            }
        }
        Some("reasoning") => {
            let texts = item["summary"].as_array().into_iter().flatten();
            let texts: Vec<&str> = texts.filter_map(|part| part["text"].as_str()).collect();
            items.push(Item::Thinking(texts.join("\n")));
        }
        Some("function_call") => {
            let (Some(id), Some(name)) = (text_of(&item["call_id"]), text_of(&item["name"])) else {
                items.push(unknown(item));
                return;
            };
            let input = CallInput::from_text(item["arguments"].as_str().unwrap_or_default());
            items.push(Item::Call(FunctionCall { id, name, input }));
        }
        Some("computer_call") => match text_of(&item["call_id"]) {
            Some(id) => items.push(Item::Computer(computer_call(item, id))),
            None => items.push(unknown(item)),
        },
        _ => items.push(unknown(item)),
    }
}

fn computer_call(item: &Value, id: String) -> ComputerCall {
    // `actions` is today's shape, `action` the first one. Neither means: only look.
    let actions = match (item["actions"].as_array(), &item["action"]) {
        (Some(actions), _) => actions.iter().map(actions::read).collect(),
        (None, action) if action.is_object() => vec![actions::read(action)],
        (None, _) => vec![crate::answer::ComputerAction::Screenshot],
    };
    let checks = item["pending_safety_checks"].as_array().into_iter().flatten();
    ComputerCall {
        id,
        name: "computer".to_string(),
        toolset: None,
        actions,
        pending_safety_checks: checks
            .map(|check| SafetyCheck {
                id: text_of(&check["id"]).unwrap_or_default(),
                code: text_of(&check["code"]),
                message: text_of(&check["message"]),
            })
            .collect(),
        tab: None,
        intent: None,
    }
}

fn stop(body: &Value, has_calls: bool, items: &[Item]) -> Stop {
    match body["status"].as_str() {
        Some("completed") if has_calls => Stop::Calls,
        Some("completed") if items.iter().any(|item| matches!(item, Item::Refusal(_))) => {
            Stop::Refused { category: None, explanation: None }
        }
        Some("completed") => Stop::Finished,
        Some("incomplete") => match body["incomplete_details"]["reason"].as_str() {
            Some("max_output_tokens") => Stop::OutputLimit,
            Some("content_filter") => {
                Stop::Refused { category: Some("content_filter".into()), explanation: None }
            }
            other => Stop::Unknown(other.unwrap_or("incomplete").to_string()),
        },
        other => Stop::Unknown(other.unwrap_or("no status").to_string()),
    }
}

fn usage(usage: &Value) -> Option<Usage> {
    if !usage.is_object() {
        return None;
    }
    let details = &usage["input_tokens_details"];
    Some(Usage::from_inclusive(
        count(&usage["input_tokens"]),
        count(&details["cached_tokens"]),
        count(&details["cache_write_tokens"]),
        count(&usage["output_tokens"]),
        count(&usage["output_tokens_details"]["reasoning_tokens"]),
    ))
}
