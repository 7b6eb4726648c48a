//! Chat completions as local servers serve them, played.

use serde_json::{Value, json};

use super::anthropic::halves;
use super::prompt_cache::tokens;
use super::responses::picture_problem;
use super::stand_in::State;
use super::{Asked, Said, Turn, contract, schema};

/// Fields that some server does not take.
const NOT_PORTABLE: &[&str] = &[
    "tool_choice",
    "parallel_tool_calls",
    "max_completion_tokens",
    "store",
    "metadata",
    "logit_bias",
    "user",
    "n",
    "reasoning_effort",
];

pub fn problems(asked: &Asked) -> Vec<String> {
    let mut problems = Vec::new();
    if asked.path != "/v1/chat/completions" {
        problems.push(format!("no path `{}`", asked.path));
    }
    if !asked.header("content-type").is_some_and(|kind| kind.starts_with("application/json")) {
        problems.push("content-type: expected application/json".to_string());
    }
    problems.extend(schema::problems(contract::schema("openai-chat-completions-request"), &asked.body));
    if !problems.is_empty() {
        return problems;
    }
    for name in NOT_PORTABLE.iter().filter(|name| !asked.body[**name].is_null()) {
        problems.push(format!("`{name}` is not taken by every server"));
    }
    let messages = list(&asked.body["messages"]);
    for (index, message) in messages.iter().enumerate() {
        match message["role"].as_str() {
            Some("developer") => problems.push(format!("messages/{index}: the role is `system`")),
            Some("assistant") => pairing(messages, index, &mut problems),
            Some("tool") if !message["content"].is_string() => {
                problems.push(format!("messages/{index}: a tool's message holds text only"));
            }
            _ => {}
        }
        for part in list(&message["content"]).iter().filter(|part| part["type"] == "image_url") {
            if let Some(problem) = picture_problem(&part["image_url"]["url"]) {
                problems.push(format!("messages/{index}: {problem}"));
            }
        }
    }
    problems
}

/// Each call has its tool message directly after.
fn pairing(messages: &[Value], index: usize, problems: &mut Vec<String>) {
    let calls: Vec<&str> =
        list(&messages[index]["tool_calls"]).iter().filter_map(|call| call["id"].as_str()).collect();
    let after = messages[index + 1..].iter().take_while(|message| message["role"] == "tool");
    let answered: Vec<&str> = after.filter_map(|message| message["tool_call_id"].as_str()).collect();
    if calls != answered {
        problems.push(format!("messages/{index}: the calls {calls:?} are answered by {answered:?}"));
    }
}

pub fn whole(asked: &Asked, turn: &Turn, state: &mut State) -> Value {
    let body = &asked.body;
    let number = state.given.len();
    let mut message = json!({"role": "assistant", "content": null, "refusal": null});
    let mut calls = Vec::new();
    for (index, said) in turn.said.iter().enumerate() {
        match said {
            Said::Text(text) => message["content"] = json!(text),
            Said::Call { name, input } => calls.push(json!({
                "id": format!("call_{number}_{index}"),
                "type": "function",
                "function": {"name": name, "arguments": input.to_string()},
            })),
            Said::Native(call) => calls.push(call.clone()),
        }
    }
    let finish_reason = if calls.is_empty() { "stop" } else { "tool_calls" };
    if !calls.is_empty() {
        message["tool_calls"] = Value::Array(calls);
    }
    let prompt = format!("{}{}", body["tools"], body["messages"]);
    let model = body["model"].as_str().unwrap_or_default();
    let used = state.automatic_cache.take(model, &prompt, 0);
    let (input, output) = (used.read + used.rest, tokens(&message.to_string()));
    json!({
        "id": format!("chatcmpl-{number}"),
        "object": "chat.completion",
        "created": 1_794_700_800,
        "model": body["model"],
        "choices": [{"index": 0, "message": message, "logprobs": null, "finish_reason": finish_reason}],
        "usage": {
            "prompt_tokens": input,
            "completion_tokens": output,
            "total_tokens": input + output,
            "prompt_tokens_details": {"cached_tokens": used.read},
        },
    })
}

pub fn events(whole: &Value) -> String {
    let mut out = String::new();
    let mut add = |choices: Value, usage: Option<&Value>| {
        let mut chunk = json!({
            "id": whole["id"],
            "object": "chat.completion.chunk",
            "created": whole["created"],
            "model": whole["model"],
            "choices": choices,
        });
        if let Some(usage) = usage {
            chunk["usage"] = usage.clone();
        }
        out.push_str(&format!("data: {chunk}\n\n"));
    };
    let delta = |delta: Value| json!([{"index": 0, "delta": delta, "logprobs": null, "finish_reason": null}]);
    let message = &whole["choices"][0]["message"];
    add(delta(json!({"role": "assistant", "content": ""})), None);
    for piece in halves(message["content"].as_str().unwrap_or_default()) {
        add(delta(json!({"content": piece})), None);
    }
    for (index, call) in list(&message["tool_calls"]).iter().enumerate() {
        let mut begun = call.clone();
        begun["index"] = json!(index);
        if call["function"].is_object() {
            begun["function"]["arguments"] = json!("");
        }
        add(delta(json!({"tool_calls": [begun]})), None);
        for piece in halves(call["function"]["arguments"].as_str().unwrap_or_default()) {
            let piece = json!({"tool_calls": [{"index": index, "function": {"arguments": piece}}]});
            add(delta(piece), None);
        }
    }
    let finish_reason = &whole["choices"][0]["finish_reason"];
    add(json!([{"index": 0, "delta": {}, "logprobs": null, "finish_reason": finish_reason}]), None);
    add(json!([]), Some(&whole["usage"]));
    out.push_str("data: [DONE]\n\n");
    out
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}
