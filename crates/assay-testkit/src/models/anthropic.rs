//! Anthropic's Messages API, played.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::prompt_cache::{anthropic_minimum, tokens, without_mark};
use super::stand_in::State;
use super::{Asked, Said, Turn, contract};
use crate::schema;

/// What is wrong with a request, by the contract.
pub fn problems(asked: &Asked, state: &State) -> Vec<String> {
    let mut problems = Vec::new();
    if asked.path != "/v1/messages" {
        problems.push(format!("no path `{}`", asked.path));
    }
    let credentials =
        ["x-api-key", "authorization"].iter().filter(|name| asked.header(name).is_some()).count();
    if credentials != 1 {
        problems.push(format!("expected one header with a key, found {credentials}"));
    }
    if !asked.header("content-type").is_some_and(|kind| kind.starts_with("application/json")) {
        problems.push("content-type: expected application/json".to_string());
    }
    if !matches!(asked.header("anthropic-version"), Some("2026-10-21" | "2023-06-01")) {
        problems.push("anthropic-version: expected a version that is known".to_string());
    }
    problems.extend(schema::problems(contract::schema("anthropic-messages-request"), &asked.body));
    if !problems.is_empty() {
        return problems;
    }
    beta_headers(asked, &mut problems);
    let marks = blocks(&asked.body).iter().filter(|(_, has_mark)| *has_mark).count();
    if marks > 4 {
        problems.push(format!("at most 4 cache marks, found {marks}"));
    }
    let lives = lives(&asked.body);
    if lives.iter().any(|(_, life)| !matches!(life.as_str(), "5m" | "1h")) {
        problems.push("cache_control.ttl: expected 5m or 1h".to_string());
    }
    if lives.windows(2).any(|pair| pair[0].1 == "5m" && pair[1].1 == "1h") {
        problems.push("a cache mark with a longer ttl must come before those with a shorter one".to_string());
    }
    turns(&asked.body, &mut problems);
    echoes(&asked.body, state, &mut problems);
    problems
}

fn beta_headers(asked: &Asked, problems: &mut Vec<String>) {
    let sent: Vec<&str> = asked.header("anthropic-beta").unwrap_or_default().split(',').collect();
    for tool in list(&asked.body["tools"]) {
        let needed = match tool["type"].as_str() {
            Some("computer_20250124") => "computer-use-2025-01-24",
            Some("computer_20251124") => "computer-use-2025-11-24",
            _ => continue,
        };
        if !sent.contains(&needed) {
            problems.push(format!("anthropic-beta: expected `{needed}`"));
        }
    }
}

/// Every call of a turn is answered at the beginning of the next, once, and in its own words.
fn turns(body: &Value, problems: &mut Vec<String>) {
    let messages = list(&body["messages"]);
    for (index, message) in messages.iter().enumerate() {
        let calls: BTreeMap<&str, Option<&str>> = if message["role"] == "assistant" {
            list(&message["content"])
                .iter()
                .filter(|block| block["type"] == "tool_use")
                .filter_map(|block| Some((block["id"].as_str()?, block["toolset_name"].as_str())))
                .collect()
        } else {
            continue;
        };
        let next = messages.get(index + 1).map(|message| list(&message["content"])).unwrap_or_default();
        let results: Vec<&Value> = next.iter().take_while(|block| block["type"] == "tool_result").collect();
        if next.iter().filter(|block| block["type"] == "tool_result").count() != results.len() {
            problems.push(format!("messages.{}: results must come first", index + 1));
        }
        let answered: Vec<&str> =
            results.iter().filter_map(|result| result["tool_use_id"].as_str()).collect();
        let missing: Vec<&str> = calls.keys().copied().filter(|id| !answered.contains(id)).collect();
        if !missing.is_empty() {
            problems.push(format!(
                "messages.{index}: `tool_use` ids were found without `tool_result` blocks immediately after: {}",
                missing.join(", ")
            ));
        }
        for result in results {
            let id = result["tool_use_id"].as_str().unwrap_or_default();
            let Some(toolset) = calls.get(id) else {
                problems.push(format!("messages.{}: no call `{id}`", index + 1));
                continue;
            };
            if answered.iter().filter(|other| **other == id).count() > 1 {
                problems.push(format!("messages.{}: call `{id}` is answered twice", index + 1));
            }
            check_result(result, *toolset, problems);
        }
    }
}

fn check_result(result: &Value, toolset: Option<&str>, problems: &mut Vec<String>) {
    let id = &result["tool_use_id"];
    if result["toolset_name"].as_str() != toolset {
        problems.push(format!("result {id}: expected the toolset {toolset:?}"));
    }
    let content = list(&result["content"]);
    let is_error = result["is_error"] == true;
    let is_empty = content.is_empty() && result["content"].as_str().is_none_or(str::is_empty);
    if is_error && is_empty {
        problems.push(format!("result {id}: an error needs a word"));
    }
    let states: Vec<&Value> = content.iter().filter(|block| block["type"] == "browser_state").collect();
    if !states.is_empty() && (is_error || toolset != Some("browser")) {
        problems.push(format!("result {id}: a browser_state does not belong here"));
    }
    for state in states {
        let tabs = list(&state["tabs"]);
        let active = tabs.iter().filter(|tab| tab["active"] == true).count();
        if !tabs.is_empty() && active != 1 {
            problems.push(format!("result {id}: expected one active tab, found {active}"));
        }
    }
}

/// What was said comes back as it was said.
fn echoes(body: &Value, state: &State, problems: &mut Vec<String>) {
    for message in list(&body["messages"]).iter().filter(|message| message["role"] == "assistant") {
        let content = list(&message["content"]);
        let first_id = content.iter().find_map(|block| block["id"].as_str());
        let given = state.given.iter().find(|given| {
            first_id.is_some() && list(&given["content"]).iter().any(|block| block["id"].as_str() == first_id)
        });
        if let Some(given) = given
            && list(&given["content"]) != content
        {
            problems.push(format!("the turn with {first_id:?} came back changed"));
        }
    }
}

/// A whole answer, with the counters of the cache.
pub fn whole(asked: &Asked, turn: &Turn, state: &mut State) -> Value {
    let model = asked.body["model"].as_str().unwrap_or_default();
    let number = state.given.len();
    let mut content = Vec::new();
    for (index, said) in turn.said.iter().enumerate() {
        content.push(match said {
            Said::Text(text) => json!({"type": "text", "text": text}),
            Said::Call { name, input } => {
                json!({"type": "tool_use", "id": format!("toolu_{number}_{index}"), "name": name, "input": input})
            }
            Said::Native(block) => {
                state.violations.extend(script_problems(block));
                block.clone()
            }
        });
    }
    let used = state.marked_cache.take(model, &blocks(&asked.body), anthropic_minimum(model));
    let hour = lives(&asked.body).into_iter().rev().find(|(_, life)| life == "1h");
    let long = hour.map_or(0, |(end, _)| end.saturating_sub(used.read).min(used.written));
    let output: u64 = content.iter().map(|block| tokens(&block.to_string())).sum();
    json!({
        "id": format!("msg_{number}"),
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": content,
        "stop_reason": if turn.has_calls() { "tool_use" } else { "end_turn" },
        "stop_sequence": null,
        "usage": {
            "input_tokens": used.rest,
            "cache_creation_input_tokens": used.written,
            "cache_read_input_tokens": used.read,
            "cache_creation": {
                "ephemeral_5m_input_tokens": used.written - long,
                "ephemeral_1h_input_tokens": long,
            },
            "output_tokens": output,
            "service_tier": "standard",
        },
    })
}

/// What is wrong with a call of a toolset that a script makes: a model would not make it.
fn script_problems(block: &Value) -> Vec<String> {
    let (Some(toolset), Some(member)) = (block["toolset_name"].as_str(), block["name"].as_str()) else {
        return Vec::new();
    };
    let problems = super::member_problems(toolset, member, &block["input"]);
    problems.into_iter().map(|problem| format!("the script calls `{member}`: {problem}")).collect()
}

/// All blocks in the order of a prefix: tools, system, messages.
fn blocks(body: &Value) -> Vec<(String, bool)> {
    in_order(body).iter().map(without_mark).collect()
}

fn in_order(body: &Value) -> Vec<Value> {
    let texts = |content: &Value| match content {
        Value::Array(blocks) => blocks.clone(),
        Value::Null => Vec::new(),
        text => vec![text.clone()],
    };
    let mut blocks = list(&body["tools"]).to_vec();
    blocks.extend(texts(&body["system"]));
    blocks.extend(list(&body["messages"]).iter().flat_map(|message| texts(&message["content"])));
    blocks
}

/// Each cache mark: how many tokens it ends after, and how long it lasts.
fn lives(body: &Value) -> Vec<(u64, String)> {
    let mut length = 0;
    let mut lives = Vec::new();
    for block in in_order(body) {
        let mark = block.get("cache_control").cloned();
        length += tokens(&without_mark(&block).0);
        if let Some(mark) = mark {
            lives.push((length, mark["ttl"].as_str().unwrap_or("5m").to_string()));
        }
    }
    lives
}

/// The same answer as a stream.
pub fn events(whole: &Value) -> String {
    let mut out = String::new();
    let mut add = |kind: &str, data: Value| out.push_str(&format!("event: {kind}\ndata: {data}\n\n"));
    let mut start = whole.clone();
    start["content"] = json!([]);
    start["stop_reason"] = Value::Null;
    start["usage"]["output_tokens"] = json!(1);
    add("message_start", json!({"type": "message_start", "message": start}));
    for (index, block) in list(&whole["content"]).iter().enumerate() {
        let mut begun = block.clone();
        let mut deltas = Vec::new();
        match block["type"].as_str() {
            Some("text") => {
                begun["text"] = json!("");
                for piece in halves(block["text"].as_str().unwrap_or_default()) {
                    deltas.push(json!({"type": "text_delta", "text": piece}));
                }
            }
            Some("thinking") => {
                begun["thinking"] = json!("");
                begun["signature"] = json!("");
                deltas.push(json!({"type": "thinking_delta", "thinking": block["thinking"]}));
                deltas.push(json!({"type": "signature_delta", "signature": block["signature"]}));
            }
            Some("tool_use") => {
                begun["input"] = json!({});
                deltas.push(json!({"type": "input_json_delta", "partial_json": ""}));
                for piece in halves(&block["input"].to_string()) {
                    deltas.push(json!({"type": "input_json_delta", "partial_json": piece}));
                }
            }
            _ => {}
        }
        add(
            "content_block_start",
            json!({"type": "content_block_start", "index": index, "content_block": begun}),
        );
        add("ping", json!({"type": "ping"}));
        for delta in deltas {
            add(
                "content_block_delta",
                json!({"type": "content_block_delta", "index": index, "delta": delta}),
            );
        }
        add("content_block_stop", json!({"type": "content_block_stop", "index": index}));
    }
    let mut end = json!({"stop_reason": whole["stop_reason"], "stop_sequence": null});
    if !whole["stop_details"].is_null() {
        end["stop_details"] = whole["stop_details"].clone();
    }
    let usage = json!({"output_tokens": whole["usage"]["output_tokens"]});
    add("message_delta", json!({"type": "message_delta", "delta": end, "usage": usage}));
    add("message_stop", json!({"type": "message_stop"}));
    out
}

/// A text in two pieces, so that putting it together is put to the test.
pub fn halves(text: &str) -> [&str; 2] {
    let middle = text.char_indices().nth(text.chars().count() / 2).map_or(text.len(), |(at, _)| at);
    let (start, end) = text.split_at(middle);
    [start, end]
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}
