//! A question in Anthropic's words.

use serde_json::{Map, Value, json};

use super::AnthropicVersion;
use crate::answer::{CallInput, Item};
use crate::cache_minimum::cache_minimum;
use crate::conversation::{
    AssistantTurn, CacheLife, Caching, CallKind, ComputerTool, Message, Outcome, Part, Picture, Question,
    SingleComputerVersion, Tool, ToolChoice, ToolResult,
};
use crate::formats::{Delivery, FormatName, WireRequest, WriteError};

pub fn write(
    question: &Question,
    model: &str,
    delivery: Delivery,
    version: AnthropicVersion,
) -> Result<WireRequest, WriteError> {
    let mut headers = vec![("anthropic-version", version.header().to_string())];
    let betas = betas(&question.tools);
    if !betas.is_empty() {
        headers.push(("anthropic-beta", betas.join(",")));
    }

    let mut body = Map::new();
    body.insert("model".into(), json!(model));
    body.insert("max_tokens".into(), json!(question.max_output_tokens));
    if delivery == Delivery::Streamed {
        body.insert("stream".into(), json!(true));
    }
    let mut tools = tools(&question.tools)?;
    let mut system = Vec::new();
    if !question.system.is_empty() {
        system.push(json!({"type": "text", "text": question.system}));
    }
    let mut messages: Vec<Value> =
        question.messages.iter().map(|message| write_message(message, version)).collect::<Result<_, _>>()?;
    if let Caching::Marked(life) = question.caching {
        mark_prefixes(model, life, &mut tools, &mut system, &mut messages);
    }
    if !system.is_empty() {
        body.insert("system".into(), Value::Array(system));
    }
    if !tools.is_empty() {
        body.insert("tools".into(), Value::Array(tools));
        if let Some(choice) = tool_choice(&question.tool_choice) {
            body.insert("tool_choice".into(), choice);
        }
    }
    body.insert("messages".into(), Value::Array(messages));
    if let Some(effort) = question.effort {
        body.insert("output_config".into(), json!({"effort": effort.name()}));
    }
    if let Some(name) = &question.asked_for {
        body.insert("metadata".into(), json!({"user_id": name}));
    }
    Ok(WireRequest { path: "/v1/messages".into(), headers, body: Value::Object(body) })
}

/// Three of the four marks that a request may have, in the order in which a prefix is compared: the tools, the system
/// text, and all that was said so far. A prefix that is certainly too short for the model's cache has none.
fn mark_prefixes(
    model: &str,
    life: CacheLife,
    tools: &mut [Value],
    system: &mut [Value],
    messages: &mut [Value],
) {
    let long = match life {
        CacheLife::Minutes => json!({"type": "ephemeral"}),
        CacheLife::Hour => json!({"type": "ephemeral", "ttl": "1h"}),
    };
    let minimum = cache_minimum(model).unwrap_or_default();
    let mut length = 0;
    let mut is_enough = |blocks: &[Value]| {
        length += blocks.iter().map(|block| block.to_string().len() as u64).sum::<u64>();
        length / LEAST_BYTES_OF_A_TOKEN >= minimum
    };
    let (has_tools, has_system, has_messages) = (is_enough(tools), is_enough(system), is_enough(messages));
    let marks = [
        (tools.last_mut().filter(|_| has_tools), long.clone()),
        (system.last_mut().filter(|_| has_system), long),
        (last_block(messages).filter(|_| has_messages), json!({"type": "ephemeral"})),
    ];
    for (block, mark) in marks {
        if let Some(block) = block {
            block["cache_control"] = mark;
        }
    }
}

/// No text of ours has more tokens than half its bytes.
const LEAST_BYTES_OF_A_TOKEN: u64 = 2;

/// The newest block that may carry a mark. An assistant's own words go back unchanged.
fn last_block(messages: &mut [Value]) -> Option<&mut Value> {
    let message = messages.last_mut()?;
    if message["role"] != "user" {
        return None;
    }
    message["content"].as_array_mut()?.last_mut()
}

fn betas(tools: &[Tool]) -> Vec<&'static str> {
    tools
        .iter()
        .filter_map(|tool| match tool {
            Tool::Computer(ComputerTool::AnthropicSingle { version, .. }) => Some(match version {
                SingleComputerVersion::V20250124 => "computer-use-2025-01-24",
                SingleComputerVersion::V20251124 => "computer-use-2025-11-24",
            }),
            _ => None,
        })
        .collect()
}

/// The provider's tools first, then ours by name: the order must not depend on who put them together.
fn tools(tools: &[Tool]) -> Result<Vec<Value>, WriteError> {
    let mut theirs = Vec::new();
    let mut ours = Vec::new();
    for tool in tools {
        match tool {
            Tool::Computer(tool) => theirs.push(computer_tool(tool)?),
            Tool::Function(tool) => {
                let mut declared = json!({
                    "name": tool.name,
                    "description": tool.description,
                    "input_schema": tool.schema,
                });
                if tool.strict {
                    declared["strict"] = json!(true);
                }
                ours.push((tool.name.as_str(), declared));
            }
        }
    }
    ours.sort_by_key(|(name, _)| *name);
    theirs.extend(ours.into_iter().map(|(_, declared)| declared));
    Ok(theirs)
}

fn computer_tool(tool: &ComputerTool) -> Result<Value, WriteError> {
    let toolset = |kind: &str, members: &std::collections::BTreeMap<String, bool>| {
        let mut declared = json!({"type": kind});
        if !members.is_empty() {
            let configs: Map<String, Value> =
                members.iter().map(|(name, on)| (name.clone(), json!({"enabled": on}))).collect();
            declared["configs"] = Value::Object(configs);
        }
        declared
    };
    match tool {
        ComputerTool::AnthropicBrowser { members } => Ok(toolset("browser_toolset_20260801", members)),
        ComputerTool::AnthropicComputer { members } => Ok(toolset("computer_toolset_20260801", members)),
        ComputerTool::AnthropicSingle { version, width, height } => Ok(json!({
            "type": match version {
                SingleComputerVersion::V20250124 => "computer_20250124",
                SingleComputerVersion::V20251124 => "computer_20251124",
            },
            "name": "computer",
            "display_width_px": width,
            "display_height_px": height,
        })),
        ComputerTool::OpenAi { .. } | ComputerTool::Gemini { .. } => {
            Err(WriteError::ForeignTool { format: FormatName::Anthropic, tool: tool.describe() })
        }
    }
}

fn tool_choice(choice: &ToolChoice) -> Option<Value> {
    match choice {
        ToolChoice::Auto => None,
        ToolChoice::Required => Some(json!({"type": "any"})),
        ToolChoice::Named(name) => Some(json!({"type": "tool", "name": name})),
        ToolChoice::Forbidden => Some(json!({"type": "none"})),
    }
}

fn write_message(message: &Message, version: AnthropicVersion) -> Result<Value, WriteError> {
    Ok(match message {
        Message::User(parts) => json!({"role": "user", "content": blocks(parts, version)}),
        Message::Assistant(turn) => json!({"role": "assistant", "content": assistant(turn)?}),
        Message::Results { results, remarks } => {
            let mut content: Vec<Value> = results.iter().map(|result| tool_result(result, version)).collect();
            content.extend(blocks(remarks, version));
            json!({"role": "user", "content": content})
        }
    })
}

fn blocks(parts: &[Part], version: AnthropicVersion) -> Vec<Value> {
    parts
        .iter()
        .filter_map(|part| match part {
            // An empty text is refused by the provider, and says nothing.
            Part::Text(text) if text.is_empty() => None,
            Part::Text(text) => Some(json!({"type": "text", "text": text})),
            Part::Picture(picture) => Some(image(picture, version)),
        })
        .collect()
}

fn image(picture: &Picture, version: AnthropicVersion) -> Value {
    let mut block = json!({
        "type": "image",
        "source": {"type": "base64", "media_type": "image/png", "data": picture.base64()},
    });
    if version == AnthropicVersion::V20261021 {
        // Otherwise a picture that is too large is scaled down in silence, and clicks go astray.
        block["transformations"] = json!({"oversized_image": "error"});
    }
    block
}

fn assistant(turn: &AssistantTurn) -> Result<Vec<Value>, WriteError> {
    if turn.format == FormatName::Anthropic {
        return Ok(turn.raw.clone());
    }
    turn.items
        .iter()
        .filter_map(|item| match item {
            Item::Text(text) | Item::Refusal(text) if !text.is_empty() => {
                Some(Ok(json!({"type": "text", "text": text})))
            }
            Item::Call(call) => {
                let input = match &call.input {
                    CallInput::Json(input) => input.clone(),
                    CallInput::Malformed(_) => json!({}),
                };
                Some(Ok(json!({"type": "tool_use", "id": call.id, "name": call.name, "input": input})))
            }
            Item::Computer(_) => {
                Some(Err(WriteError::ForeignCall { from: turn.format, to: FormatName::Anthropic }))
            }
            Item::Text(_) | Item::Refusal(_) | Item::Thinking(_) | Item::Unknown(_) => None,
        })
        .collect()
}

fn tool_result(result: &ToolResult, version: AnthropicVersion) -> Value {
    let toolset = match &result.call.kind {
        CallKind::Function => None,
        CallKind::Computer { toolset } => toolset.as_deref(),
    };
    let failed = result.outcome == Outcome::Failed;
    let mut content = blocks(&result.parts, version);
    if failed && content.is_empty() {
        content.push(json!({"type": "text", "text": "It did not work."}));
    }
    // The state of the tabs belongs to what worked, and to browsers.
    if !failed && toolset == Some("browser") && !result.tabs.is_empty() {
        let tabs: Vec<Value> = result
            .tabs
            .iter()
            .map(|tab| {
                let mut entry = json!({"tab_id": tab.id, "title": tab.title, "url": tab.url});
                if tab.active {
                    entry["active"] = json!(true);
                }
                entry
            })
            .collect();
        content.push(json!({"type": "browser_state", "tabs": tabs}));
    }
    let mut block = json!({"type": "tool_result", "tool_use_id": result.call.id, "content": content});
    if failed {
        block["is_error"] = json!(true);
    }
    if let Some(toolset) = toolset {
        block["toolset_name"] = json!(toolset);
    }
    block
}
