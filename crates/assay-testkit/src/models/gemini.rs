//! Gemini's `generateContent`, played.

use serde_json::{Value, json};

use super::prompt_cache::tokens;
use super::responses::base64_problem;
use super::stand_in::State;
use super::{Asked, Said, Turn, contract, schema};

const CACHE_MINIMUM: u64 = 1024;

pub fn problems(asked: &Asked) -> Vec<String> {
    let mut problems = Vec::new();
    let known = asked.path.strip_prefix("/v1beta/models/").and_then(|rest| rest.split_once(':'));
    if !matches!(known, Some((_, "generateContent" | "streamGenerateContent"))) {
        problems.push(format!("no path `{}`", asked.path));
    }
    if asked.header("x-goog-api-key").is_none() {
        problems.push("x-goog-api-key: expected a key".to_string());
    }
    problems.extend(schema::problems(contract::schema("gemini-generate-content-request"), &asked.body));
    if !problems.is_empty() {
        return problems;
    }
    let contents = list(&asked.body["contents"]);
    for (index, content) in contents.iter().enumerate() {
        let parts = list(&content["parts"]);
        for part in parts {
            problems.extend(picture_problems(part));
        }
        if content["role"] == "model" {
            let calls = names(parts, "functionCall");
            let next = contents.get(index + 1).map(|next| list(&next["parts"])).unwrap_or_default();
            let responses = names(next, "functionResponse");
            if calls != responses {
                problems.push(format!("contents/{index}: the calls {calls:?} are answered by {responses:?}"));
            }
        }
    }
    problems
}

/// Ids and names of calls or of their results, in order.
fn names<'p>(parts: &'p [Value], kind: &str) -> Vec<(Option<&'p str>, Option<&'p str>)> {
    let calls = parts.iter().map(|part| &part[kind]).filter(|call| call.is_object());
    calls.map(|call| (call["id"].as_str(), call["name"].as_str())).collect()
}

fn picture_problems(part: &Value) -> Vec<String> {
    let inner = list(&part["functionResponse"]["parts"]).iter();
    let pictures = std::iter::once(part).chain(inner).filter_map(|part| part["inlineData"]["data"].as_str());
    pictures.filter_map(base64_problem).map(str::to_string).collect()
}

pub fn whole(asked: &Asked, turn: &Turn, state: &mut State) -> Value {
    let number = state.given.len();
    let mut parts = Vec::new();
    for (index, said) in turn.said.iter().enumerate() {
        parts.push(match said {
            Said::Text(text) => json!({"text": text}),
            Said::Call { name, input } => {
                let id = format!("fc_{number}_{index}");
                json!({"functionCall": {"id": id, "name": name, "args": input}, "thoughtSignature": "CkQBVKhc"})
            }
            Said::Native(part) => part.clone(),
        });
    }
    let body = &asked.body;
    let prompt = format!("{}{}{}", body["systemInstruction"], body["tools"], body["contents"]);
    let model = asked.path.trim_start_matches("/v1beta/models/").split(':').next().unwrap_or_default();
    let used = state.automatic_cache.take(model, &prompt, CACHE_MINIMUM);
    let input = used.read + used.rest;
    let output: u64 = parts.iter().map(|part| tokens(&part.to_string())).sum();
    json!({
        "candidates": [{"index": 0, "content": {"role": "model", "parts": parts}, "finishReason": "STOP"}],
        "usageMetadata": {
            "promptTokenCount": input,
            "cachedContentTokenCount": used.read,
            "candidatesTokenCount": output,
            "totalTokenCount": input + output,
        },
        "modelVersion": model,
        "responseId": format!("gm_{number}"),
    })
}

pub fn events(whole: &Value) -> String {
    let mut out = String::new();
    let parts = list(&whole["candidates"][0]["content"]["parts"]);
    // One piece a part, and the last word in a piece of its own with an empty text, as it happens.
    for part in parts {
        let mut piece = whole.clone();
        piece["candidates"] = json!([{"index": 0, "content": {"role": "model", "parts": [part]}}]);
        piece["usageMetadata"] = json!({"promptTokenCount": whole["usageMetadata"]["promptTokenCount"]});
        out.push_str(&format!("data: {piece}\r\n\r\n"));
    }
    let mut last = whole.clone();
    last["candidates"][0]["content"] = json!({"role": "model", "parts": []});
    out.push_str(&format!("data: {last}\r\n\r\n"));
    out
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}
