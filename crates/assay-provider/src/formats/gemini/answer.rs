//! An answer in Gemini's words.

use serde_json::Value;

use super::actions;
use crate::answer::{CallInput, ComputerCall, FunctionCall, Item, ModelAnswer, Note, SafetyCheck, Stop};
use crate::conversation::{ComputerTool, Question, Tool};
use crate::formats::{FormatName, ReadError, beginning, count, text_of};
use crate::usage::Usage;

/// Calls have no id with older models; then they are told apart by their order.
const MADE_UP: &str = "made_up_";

pub fn is_made_up(id: &str) -> bool {
    id.starts_with(MADE_UP)
}

pub fn read(body: Value, question: &Question) -> Result<ModelAnswer, ReadError> {
    let candidate = body["candidates"][0].clone();
    let blocked = text_of(&body["promptFeedback"]["blockReason"]);
    if !candidate.is_object() && blocked.is_none() {
        let found = beginning(&body.to_string());
        return Err(ReadError::Unreadable { expected: "a candidate", found });
    }
    let raw = candidate["content"]["parts"].as_array().cloned().unwrap_or_default();
    let mut items: Vec<Item> = Vec::new();
    let mut notes = Vec::new();
    for part in &raw {
        let item = read_part(part, question, items.len());
        match (&item, items.last_mut()) {
            // A stream cuts one text into many parts.
            (Item::Text(more), Some(Item::Text(text))) => text.push_str(more),
            (Item::Thinking(more), Some(Item::Thinking(text))) => text.push_str(more),
            (Item::Unknown(part), _) => {
                let kinds: Vec<&str> =
                    part.as_object().into_iter().flatten().map(|(name, _)| name.as_str()).collect();
                notes.push(Note::UnknownItem { kind: kinds.join("+") });
                items.push(item);
            }
            _ => items.push(item),
        }
    }
    let has_calls = items.iter().any(|item| matches!(item, Item::Call(_) | Item::Computer(_)));
    let stop = match blocked {
        Some(category) => Stop::Refused { category: Some(category), explanation: None },
        None => stop(&candidate, has_calls),
    };
    Ok(ModelAnswer {
        format: FormatName::Gemini,
        id: text_of(&body["responseId"]),
        model: text_of(&body["modelVersion"]).unwrap_or_default(),
        items,
        stop,
        usage: usage(&body["usageMetadata"]),
        cost: None,
        notes,
        raw,
    })
}

fn read_part(part: &Value, question: &Question, place: usize) -> Item {
    if let Some(text) = text_of(&part["text"]) {
        return if part["thought"] == true { Item::Thinking(text) } else { Item::Text(text) };
    }
    let call = &part["functionCall"];
    let Some(name) = text_of(&call["name"]) else { return Item::Unknown(part.clone()) };
    let id = text_of(&call["id"]).unwrap_or_else(|| format!("{MADE_UP}{place}"));
    let args = if call["args"].is_null() { serde_json::json!({}) } else { call["args"].clone() };
    if is_ours(&name, question) {
        return Item::Call(FunctionCall { id, name, input: CallInput::Json(args) });
    }
    Item::Computer(ComputerCall {
        actions: actions::read(&name, &args),
        pending_safety_checks: safety_checks(&id, &args["safety_decision"]),
        id,
        name,
        toolset: None,
        tab: None,
        intent: text_of(&args["intent"]),
    })
}

/// Predefined functions have names of their own; without the computer tool there are none of them.
fn is_ours(name: &str, question: &Question) -> bool {
    let declared = |tool: &Tool| matches!(tool, Tool::Function(function) if function.name == name);
    let computer = |tool: &Tool| matches!(tool, Tool::Computer(ComputerTool::Gemini { .. }));
    question.tools.iter().any(declared) || !question.tools.iter().any(computer)
}

/// Any decision but a plain permission is a check.
fn safety_checks(call_id: &str, decision: &Value) -> Vec<SafetyCheck> {
    let word = match decision {
        Value::Null => return Vec::new(),
        Value::String(word) => Some(word.clone()),
        other => text_of(&other["decision"]),
    };
    if matches!(word.as_deref(), Some("regular" | "allowed")) {
        return Vec::new();
    }
    vec![SafetyCheck { id: call_id.to_string(), code: word, message: text_of(&decision["explanation"]) }]
}

fn stop(candidate: &Value, has_calls: bool) -> Stop {
    match candidate["finishReason"].as_str() {
        Some("STOP") if has_calls => Stop::Calls,
        Some("STOP") => Stop::Finished,
        Some("MAX_TOKENS") => Stop::OutputLimit,
        Some("MALFORMED_FUNCTION_CALL" | "UNEXPECTED_TOOL_CALL" | "MALFORMED_RESPONSE") => {
            Stop::MalformedCall
        }
        Some(
            reason @ ("SAFETY" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII" | "RECITATION" | "LANGUAGE"),
        ) => {
            let explanation = text_of(&candidate["finishMessage"]);
            Stop::Refused { category: Some(reason.to_string()), explanation }
        }
        other => Stop::Unknown(other.unwrap_or("no reason").to_string()),
    }
}

fn usage(usage: &Value) -> Option<Usage> {
    if !usage.is_object() {
        return None;
    }
    let question = count(&usage["promptTokenCount"]) + count(&usage["toolUsePromptTokenCount"]);
    let thinking = count(&usage["thoughtsTokenCount"]);
    // Thoughts are counted beside the answer here, and paid like it.
    let output = count(&usage["candidatesTokenCount"]) + thinking;
    Some(Usage::from_inclusive(question, count(&usage["cachedContentTokenCount"]), 0, output, thinking))
}
