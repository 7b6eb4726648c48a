//! An answer in Anthropic's words.

use serde_json::{Value, json};

use super::actions;
use crate::answer::{CallInput, ComputerAction, ComputerCall, FunctionCall, Item, ModelAnswer, Note, Stop};
use crate::conversation::{ComputerTool, Question, Tool};
use crate::formats::{FormatName, ReadError, beginning, count, put, take, text_of};
use crate::usage::Usage;

pub fn read(mut body: Value, question: &Question) -> Result<ModelAnswer, ReadError> {
    let unreadable =
        |body: &Value| ReadError::Unreadable { expected: "a message", found: beginning(&body.to_string()) };
    let Value::Array(mut raw) = take(&mut body, "content") else { return Err(unreadable(&body)) };
    let mut notes = Vec::new();
    let mut items = Vec::new();
    for block in &mut raw {
        let item = read_block(block, question);
        if let Item::Unknown(block) = &item {
            notes.push(Note::UnknownItem { kind: text_of(&block["type"]).unwrap_or_default() });
        }
        items.push(item);
    }
    Ok(ModelAnswer {
        format: FormatName::Anthropic,
        id: text_of(&body["id"]),
        model: text_of(&body["model"]).unwrap_or_default(),
        items,
        stop: stop(&body),
        usage: usage(&body["usage"]),
        cost: None,
        notes,
        raw,
    })
}

fn read_block(block: &mut Value, question: &Question) -> Item {
    match block["type"].as_str() {
        Some("text") => Item::Text(text_of(&block["text"]).unwrap_or_default()),
        Some("thinking") => Item::Thinking(text_of(&block["thinking"]).unwrap_or_default()),
        // Its words are encrypted: there is a thought, and nothing to show of it.
        Some("redacted_thinking") => Item::Thinking(String::new()),
        Some("tool_use") => read_call(block, question),
        _ => Item::Unknown(block.clone()),
    }
}

fn read_call(block: &mut Value, question: &Question) -> Item {
    let (Some(id), Some(name)) = (text_of(&block["id"]), text_of(&block["name"])) else {
        return Item::Unknown(block.clone());
    };
    let toolset = text_of(&block["toolset_name"]);
    if !block["input"].is_object() {
        // Arguments that were garbled in the stream are kept as text; the provider wants an object back.
        let garbled = take(block, "input");
        put(block, "input", json!({}));
        if toolset.is_none() {
            let text = garbled.as_str().map_or_else(|| garbled.to_string(), str::to_string);
            return Item::Call(FunctionCall { id, name, input: CallInput::Malformed(text) });
        }
        let actions = vec![ComputerAction::unknown(&garbled, "the arguments are no object")];
        return Item::Computer(computer_call(id, name, toolset, actions, None));
    }
    let input = &block["input"];
    let action = match toolset.as_deref() {
        Some("browser") => actions::browser(&name, input),
        Some("computer") => actions::computer(&name, input),
        Some(other) => ComputerAction::unknown(input, format!("toolset `{other}`")),
        None if name == "computer" && declares_single_computer(question) => actions::single(input),
        None => return Item::Call(FunctionCall { id, name, input: CallInput::Json(input.clone()) }),
    };
    let tab = text_of(&input["tab_id"]);
    Item::Computer(computer_call(id, name, toolset, vec![action], tab))
}

fn computer_call(
    id: String,
    name: String,
    toolset: Option<String>,
    actions: Vec<ComputerAction>,
    tab: Option<String>,
) -> ComputerCall {
    ComputerCall { id, name, toolset, actions, pending_safety_checks: Vec::new(), tab, intent: None }
}

fn declares_single_computer(question: &Question) -> bool {
    question.tools.iter().any(|tool| matches!(tool, Tool::Computer(ComputerTool::AnthropicSingle { .. })))
}

fn stop(body: &Value) -> Stop {
    match body["stop_reason"].as_str() {
        Some("end_turn" | "stop_sequence") => Stop::Finished,
        Some("tool_use") => Stop::Calls,
        Some("max_tokens") => Stop::OutputLimit,
        Some("pause_turn") => Stop::Paused,
        Some("model_context_window_exceeded") => Stop::ContextFull,
        Some("refusal") => Stop::Refused {
            category: text_of(&body["stop_details"]["category"]),
            explanation: text_of(&body["stop_details"]["explanation"]),
        },
        Some(other) => Stop::Unknown(other.to_string()),
        None => Stop::Unknown("no reason".to_string()),
    }
}

/// `input_tokens` is what is left beside the cache, so the kinds do not overlap already.
fn usage(usage: &Value) -> Option<Usage> {
    if !usage.is_object() {
        return None;
    }
    let written = count(&usage["cache_creation_input_tokens"]);
    let long = count(&usage["cache_creation"]["ephemeral_1h_input_tokens"]).min(written);
    Some(Usage {
        input: count(&usage["input_tokens"]),
        cache_read: count(&usage["cache_read_input_tokens"]),
        cache_written: written - long,
        cache_written_long: long,
        output: count(&usage["output_tokens"]),
        thinking: count(&usage["output_tokens_details"]["thinking_tokens"]),
    })
}
