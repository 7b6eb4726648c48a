//! A question in Gemini's words.

use serde_json::{Map, Value, json};

use crate::answer::{CallInput, Item};
use crate::conversation::{
    AssistantTurn, CallKind, ComputerTool, Environment, Message, Outcome, Part, Question, Tool, ToolChoice,
    ToolResult,
};
use crate::formats::{Delivery, FormatName, WireRequest, WriteError};

pub fn write(question: &Question, model: &str, delivery: Delivery) -> Result<WireRequest, WriteError> {
    let mut body = Map::new();
    if !question.system.is_empty() {
        body.insert("systemInstruction".into(), json!({"parts": [{"text": question.system}]}));
    }
    let tools = tools(&question.tools)?;
    if !tools.is_empty() {
        body.insert("tools".into(), Value::Array(tools));
        if let Some(config) = tool_config(&question.tool_choice) {
            body.insert("toolConfig".into(), config);
        }
    }
    let mut generation = json!({"maxOutputTokens": question.max_output_tokens});
    if let Some(effort) = question.effort {
        generation["thinkingConfig"] = json!({"thinkingLevel": effort.name().to_ascii_uppercase()});
    }
    body.insert("generationConfig".into(), generation);
    let mut contents: Vec<Value> = Vec::new();
    for message in &question.messages {
        contents.push(content(message)?);
    }
    body.insert("contents".into(), Value::Array(contents));
    let path = match delivery {
        Delivery::Streamed => format!("/v1beta/models/{model}:streamGenerateContent?alt=sse"),
        Delivery::Whole => format!("/v1beta/models/{model}:generateContent"),
    };
    Ok(WireRequest { path, headers: Vec::new(), body: Value::Object(body) })
}

fn tools(tools: &[Tool]) -> Result<Vec<Value>, WriteError> {
    let mut written = Vec::new();
    let mut ours = Vec::new();
    for tool in tools {
        match tool {
            Tool::Computer(ComputerTool::Gemini { environment, excluded, detects_injection }) => {
                let mut computer = json!({"environment": match environment {
                    Environment::Browser => "ENVIRONMENT_BROWSER",
                    Environment::Desktop => "ENVIRONMENT_DESKTOP",
                    Environment::Mobile => "ENVIRONMENT_MOBILE",
                }});
                if !excluded.is_empty() {
                    computer["excludedPredefinedFunctions"] = json!(excluded);
                }
                if *detects_injection {
                    computer["enablePromptInjectionDetection"] = json!(true);
                }
                written.push(json!({"computerUse": computer}));
            }
            Tool::Computer(other) => {
                let format = FormatName::Gemini;
                return Err(WriteError::ForeignTool { format, tool: other.describe() });
            }
            Tool::Function(tool) => {
                let declared = json!({
                    "name": tool.name,
                    "description": tool.description,
                    "parametersJsonSchema": tool.schema,
                });
                ours.push((tool.name.as_str(), declared));
            }
        }
    }
    ours.sort_by_key(|(name, _)| *name);
    if !ours.is_empty() {
        let declared: Vec<Value> = ours.into_iter().map(|(_, declared)| declared).collect();
        written.push(json!({"functionDeclarations": declared}));
    }
    Ok(written)
}

fn tool_config(choice: &ToolChoice) -> Option<Value> {
    let config = match choice {
        ToolChoice::Auto => return None,
        ToolChoice::Required => json!({"mode": "ANY"}),
        ToolChoice::Named(name) => json!({"mode": "ANY", "allowedFunctionNames": [name]}),
        ToolChoice::Forbidden => json!({"mode": "NONE"}),
    };
    Some(json!({"functionCallingConfig": config}))
}

fn content(message: &Message) -> Result<Value, WriteError> {
    Ok(match message {
        Message::User(parts) => json!({"role": "user", "parts": write_parts(parts)}),
        Message::Assistant(turn) => json!({"role": "model", "parts": model_parts(turn)?}),
        Message::Results { results, remarks } => {
            let mut parts: Vec<Value> = results.iter().map(function_response).collect();
            parts.extend(write_parts(remarks));
            json!({"role": "user", "parts": parts})
        }
    })
}

fn write_parts(parts: &[Part]) -> Vec<Value> {
    parts
        .iter()
        .map(|part| match part {
            Part::Text(text) => json!({"text": text}),
            Part::Picture(picture) => {
                json!({"inlineData": {"mimeType": "image/png", "data": picture.base64()}})
            }
        })
        .collect()
}

fn model_parts(turn: &AssistantTurn) -> Result<Vec<Value>, WriteError> {
    if turn.format == FormatName::Gemini {
        return Ok(turn.raw.clone());
    }
    turn.items
        .iter()
        .filter_map(|item| match item {
            Item::Text(text) | Item::Refusal(text) => Some(Ok(json!({"text": text}))),
            Item::Call(call) => {
                let args = match &call.input {
                    CallInput::Json(value) => value.clone(),
                    CallInput::Malformed(_) => json!({}),
                };
                Some(Ok(json!({"functionCall": {"id": call.id, "name": call.name, "args": args}})))
            }
            Item::Computer(_) => {
                Some(Err(WriteError::ForeignCall { from: turn.format, to: FormatName::Gemini }))
            }
            Item::Thinking(_) | Item::Unknown(_) => None,
        })
        .collect()
}

fn function_response(result: &ToolResult) -> Value {
    let text = result.text();
    let mut response = Map::new();
    match (result.outcome, &result.call.kind) {
        (Outcome::Failed, _) => drop(response.insert("error".into(), json!(text))),
        (Outcome::Done, CallKind::Function) => drop(response.insert("output".into(), json!(text))),
        (Outcome::Done, CallKind::Computer { .. }) if text.is_empty() => {}
        (Outcome::Done, CallKind::Computer { .. }) => drop(response.insert("output".into(), json!(text))),
    }
    if let (CallKind::Computer { .. }, Some(url)) = (&result.call.kind, result.active_url()) {
        response.insert("url".into(), json!(url));
    }
    if !result.acknowledged.is_empty() {
        response.insert("safety_acknowledgement".into(), json!("true"));
    }
    let pictures: Vec<Part> =
        result.parts.iter().filter(|part| matches!(part, Part::Picture(_))).cloned().collect();
    let mut written = json!({"name": result.call.name, "response": response});
    // An id that we made up for ourselves means nothing to the provider.
    if !super::answer::is_made_up(&result.call.id) {
        written["id"] = json!(result.call.id);
    }
    if !pictures.is_empty() {
        written["parts"] = Value::Array(write_parts(&pictures));
    }
    json!({"functionResponse": written})
}
