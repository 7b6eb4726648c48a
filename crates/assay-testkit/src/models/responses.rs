//! OpenAI's Responses API, played.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::anthropic::halves;
use super::prompt_cache::tokens;
use super::stand_in::State;
use super::{Asked, Said, Turn, contract, schema};

/// The smallest prompt that is cached.
const CACHE_MINIMUM: u64 = 1024;

pub fn problems(asked: &Asked, state: &State) -> Vec<String> {
    let mut problems = Vec::new();
    if asked.path != "/v1/responses" {
        problems.push(format!("no path `{}`", asked.path));
    }
    if !asked.header("authorization").is_some_and(|value| value.starts_with("Bearer ")) {
        problems.push("authorization: expected a bearer".to_string());
    }
    if !asked.header("content-type").is_some_and(|kind| kind.starts_with("application/json")) {
        problems.push("content-type: expected application/json".to_string());
    }
    problems.extend(schema::problems(contract::schema("openai-responses-request"), &asked.body));
    if !problems.is_empty() {
        return problems;
    }
    tools(&asked.body, &mut problems);
    calls(&asked.body, state, &mut problems);
    pictures(&asked.body, "", &mut problems);
    problems
}

fn tools(body: &Value, problems: &mut Vec<String>) {
    let is_legacy_model =
        body["model"].as_str().is_some_and(|model| model.starts_with("computer-use-preview"));
    let kinds: Vec<&str> = list(&body["tools"]).iter().filter_map(|tool| tool["type"].as_str()).collect();
    if kinds.iter().filter(|kind| kind.starts_with("computer")).count() > 1 {
        problems.push("at most one computer tool".to_string());
    }
    if kinds.contains(&"computer") && is_legacy_model {
        problems.push("this model takes the tool `computer_use_preview`".to_string());
    }
    if kinds.contains(&"computer_use_preview") && !is_legacy_model {
        problems.push("this model takes the tool `computer`".to_string());
    }
    if kinds.contains(&"computer_use_preview") && body["truncation"] != "auto" {
        problems.push("`computer_use_preview` needs truncation `auto`".to_string());
    }
}

/// Every call, of the earlier answer or quoted in the input, is answered once; its checks are acknowledged.
fn calls(body: &Value, state: &State, problems: &mut Vec<String>) {
    let input = list(&body["input"]);
    let mut open: Vec<&Value> = Vec::new();
    if let Some(id) = body["previous_response_id"].as_str() {
        match state.given.iter().find(|given| given["id"] == id) {
            Some(given) if given["store"] != false => open.extend(list(&given["output"])),
            _ => {
                problems.push(format!("Previous response with id '{id}' not found."));
                return;
            }
        }
    }
    open.extend(input);
    let is_call = |item: &&Value| item["type"] == "computer_call" || item["type"] == "function_call";
    let open: Vec<&Value> = open.into_iter().filter(is_call).collect();
    let mut answered = BTreeSet::new();
    let outputs =
        input.iter().filter(|item| item["type"].as_str().is_some_and(|kind| kind.ends_with("_output")));
    for output in outputs {
        let id = output["call_id"].as_str().unwrap_or_default();
        let Some(call) = open.iter().find(|call| call["call_id"] == id) else {
            problems.push(format!("No tool call found for call_id {id}."));
            continue;
        };
        if !answered.insert(id) {
            problems.push(format!("call_id {id} is answered twice"));
        }
        let expected = format!("{}_output", call["type"].as_str().unwrap_or_default());
        if output["type"] != expected.as_str() {
            problems.push(format!("call_id {id}: expected a {expected}"));
        }
        let acknowledged: Vec<&Value> =
            list(&output["acknowledged_safety_checks"]).iter().map(|check| &check["id"]).collect();
        let pending = list(&call["pending_safety_checks"]).iter().map(|check| &check["id"]);
        let missing: Vec<String> = pending
            .filter(|id| !acknowledged.contains(id))
            .map(|id| id.to_string().replace('"', "'"))
            .collect();
        if !missing.is_empty() {
            problems
                .push(format!("Computer tool has unacknowledged safety check for [{}]", missing.join(", ")));
        }
    }
    for call in open {
        let id = call["call_id"].as_str().unwrap_or_default();
        if !answered.contains(id) {
            let kind = call["type"].as_str().unwrap_or_default().replace('_', " ");
            problems.push(format!("No tool output found for {kind} {id}."));
        }
    }
}

/// Pictures are data URLs of a PNG.
fn pictures(value: &Value, at: &str, problems: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                let at = format!("{at}/{name}");
                if name == "image_url" {
                    if let Some(problem) = picture_problem(value) {
                        problems.push(format!("{at}: {problem}"));
                    }
                    continue;
                }
                pictures(value, &at, problems);
            }
        }
        Value::Array(values) => {
            for (index, value) in values.iter().enumerate() {
                pictures(value, &format!("{at}/{index}"), problems);
            }
        }
        _ => {}
    }
}

/// What is wrong with a picture that is sent as a data URL.
pub fn picture_problem(value: &Value) -> Option<&'static str> {
    let Some(url) = value.as_str() else { return Some("expected a text") };
    match url.strip_prefix("data:image/png;base64,") {
        None => Some("expected a data URL of a PNG"),
        Some(data) => base64_problem(data),
    }
}

/// What is wrong with base64 that should be a PNG.
pub fn base64_problem(data: &str) -> Option<&'static str> {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'+' || byte == b'/';
    let body = data.trim_end_matches('=');
    if !data.len().is_multiple_of(4) || data.len() - body.len() > 2 || !body.bytes().all(is_letter) {
        return Some("expected base64");
    }
    (!body.starts_with("iVBORw0KGgo")).then_some("expected the signature of a PNG")
}

pub fn whole(asked: &Asked, turn: &Turn, state: &mut State) -> Value {
    let body = &asked.body;
    let number = state.given.len();
    let mut output = Vec::new();
    for (index, said) in turn.said.iter().enumerate() {
        output.push(match said {
            Said::Text(text) => json!({
                "type": "message",
                "id": format!("msg_{number}_{index}"),
                "status": "completed",
                "role": "assistant",
                "phase": "final_answer",
                "content": [{"type": "output_text", "text": text, "annotations": [], "logprobs": []}],
            }),
            Said::Call { name, input } => json!({
                "type": "function_call",
                "id": format!("fc_{number}_{index}"),
                "call_id": format!("call_{number}_{index}"),
                "name": name,
                "arguments": input.to_string(),
                "status": "completed",
            }),
            Said::Native(item) => item.clone(),
        });
    }
    let prompt = format!("{}{}{}", body["instructions"], body["tools"], body["input"]);
    let model = body["model"].as_str().unwrap_or_default();
    let used = state.automatic_cache.take(model, &prompt, CACHE_MINIMUM);
    let (read, input) = (used.read, used.read + used.rest);
    let out: u64 = output.iter().map(|item| tokens(&item.to_string())).sum();
    let mut whole = contract::example_json("responses/04-final.response.json");
    whole["id"] = json!(format!("resp_{number}"));
    whole["model"] = body["model"].clone();
    whole["output"] = Value::Array(output);
    whole["store"] = json!(body["store"] != false);
    whole["tools"] = if body["tools"].is_null() { json!([]) } else { body["tools"].clone() };
    whole["previous_response_id"] = body["previous_response_id"].clone();
    whole["usage"] = json!({
        "input_tokens": input,
        "input_tokens_details": {"cached_tokens": read, "cache_write_tokens": 0},
        "output_tokens": out,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": input + out,
    });
    whole
}

pub fn events(whole: &Value) -> String {
    let mut out = String::new();
    let mut sequence = 0;
    let mut add = |kind: &str, mut data: Value| {
        data["type"] = json!(kind);
        data["sequence_number"] = json!(sequence);
        sequence += 1;
        out.push_str(&format!("event: {kind}\ndata: {data}\n\n"));
    };
    let mut begun = whole.clone();
    begun["status"] = json!("in_progress");
    begun["output"] = json!([]);
    begun["usage"] = Value::Null;
    begun["completed_at"] = Value::Null;
    add("response.created", json!({"response": begun}));
    add("response.in_progress", json!({"response": begun}));
    for (index, item) in list(&whole["output"]).iter().enumerate() {
        let mut begun = item.clone();
        if item["status"].is_string() {
            begun["status"] = json!("in_progress");
        }
        match item["type"].as_str() {
            Some("message") => begun["content"] = json!([]),
            Some("function_call") => begun["arguments"] = json!(""),
            Some("computer_call") => begun["actions"] = json!([]),
            _ => {}
        }
        add("response.output_item.added", json!({"output_index": index, "item": begun}));
        match item["type"].as_str() {
            Some("message") => {
                for (part_index, part) in list(&item["content"]).iter().enumerate() {
                    let place =
                        json!({"item_id": item["id"], "output_index": index, "content_index": part_index});
                    let with = |more: Value| merged(&place, &more);
                    let mut empty = part.clone();
                    empty["text"] = json!("");
                    add("response.content_part.added", with(json!({"part": empty})));
                    for piece in halves(part["text"].as_str().unwrap_or_default()) {
                        let data = json!({"delta": piece, "logprobs": [], "obfuscation": "x9Kd"});
                        add("response.output_text.delta", with(data));
                    }
                    add("response.output_text.done", with(json!({"text": part["text"], "logprobs": []})));
                    add("response.content_part.done", with(json!({"part": part})));
                }
            }
            Some("function_call") => {
                let place = json!({"item_id": item["id"], "output_index": index});
                for piece in halves(item["arguments"].as_str().unwrap_or_default()) {
                    add("response.function_call_arguments.delta", merged(&place, &json!({"delta": piece})));
                }
                let done = json!({"name": item["name"], "arguments": item["arguments"]});
                add("response.function_call_arguments.done", merged(&place, &done));
            }
            _ => {}
        }
        add("response.output_item.done", json!({"output_index": index, "item": item}));
    }
    let last = match whole["status"].as_str() {
        Some("incomplete") => "response.incomplete",
        Some("failed") => "response.failed",
        _ => "response.completed",
    };
    add(last, json!({"response": whole}));
    out
}

fn merged(one: &Value, other: &Value) -> Value {
    let fields = [one, other].into_iter().filter_map(Value::as_object).flatten();
    Value::Object(fields.map(|(name, value)| (name.clone(), value.clone())).collect())
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}
