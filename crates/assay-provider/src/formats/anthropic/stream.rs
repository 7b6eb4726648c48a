//! Makes a message of its events.

use serde_json::{Map, Value, json};

use super::refusal;
use crate::answer::Note;
use crate::formats::{Assembler, Progress, ReadError, append, event_json, put, take};
use crate::sse::SseEvent;

#[derive(Debug, Default)]
pub struct MessageAssembler {
    message: Option<Map<String, Value>>,
    blocks: Vec<Block>,
    stopped: bool,
}

#[derive(Debug)]
struct Block {
    index: u64,
    value: Value,
    /// The arguments of a call arrive as pieces of text.
    arguments: Option<String>,
}

impl Assembler for MessageAssembler {
    fn take(&mut self, event: &SseEvent) -> Result<Vec<Progress>, ReadError> {
        if event.data == "[DONE]" {
            return Ok(Vec::new());
        }
        let mut data = event_json(event)?;
        let kind = data["type"].as_str().unwrap_or(&event.name).to_string();
        match kind.as_str() {
            "ping" => Ok(Vec::new()),
            "message_start" => {
                self.message = data["message"].as_object().cloned();
                Ok(Vec::new())
            }
            "content_block_start" => {
                let value = take(&mut data, "content_block");
                let progress = match value["type"].as_str() {
                    Some("tool_use") => {
                        vec![Progress::Call { name: value["name"].as_str().unwrap_or_default().to_string() }]
                    }
                    _ => Vec::new(),
                };
                let index = data["index"].as_u64().unwrap_or(self.blocks.len() as u64);
                self.blocks.push(Block { index, value, arguments: None });
                Ok(progress)
            }
            "content_block_delta" => Ok(self.grow(&data)),
            "content_block_stop" => Ok(Vec::new()),
            "message_delta" => {
                self.end(&data);
                Ok(Vec::new())
            }
            "message_stop" => {
                self.stopped = true;
                Ok(Vec::new())
            }
            "error" => Err(ReadError::Refused(refusal::of_error(&data["error"], None))),
            _ => Ok(vec![Progress::Note(Note::UnknownEvent { kind })]),
        }
    }

    fn is_complete(&self) -> bool {
        self.stopped
    }

    fn finish(self: Box<Self>) -> Result<Value, ReadError> {
        let (Some(mut message), true) = (self.message, self.stopped) else { return Err(ReadError::Cut) };
        let content = self.blocks.into_iter().map(Block::finish).collect();
        message.insert("content".into(), Value::Array(content));
        Ok(Value::Object(message))
    }
}

impl MessageAssembler {
    fn grow(&mut self, data: &Value) -> Vec<Progress> {
        let delta = &data["delta"];
        let kind = delta["type"].as_str().unwrap_or_default();
        let unknown = || vec![Progress::Note(Note::UnknownEvent { kind: kind.to_string() })];
        let index = data["index"].as_u64();
        let Some(block) = self.blocks.iter_mut().rev().find(|block| Some(block.index) == index) else {
            return unknown();
        };
        let piece = |name: &str| delta[name].as_str().unwrap_or_default().to_string();
        match kind {
            "text_delta" => {
                append(&mut block.value, "text", &piece("text"));
                vec![Progress::Text(piece("text"))]
            }
            "thinking_delta" => {
                append(&mut block.value, "thinking", &piece("thinking"));
                vec![Progress::Thinking(piece("thinking"))]
            }
            "signature_delta" => {
                append(&mut block.value, "signature", &piece("signature"));
                Vec::new()
            }
            "input_json_delta" => {
                block.arguments.get_or_insert_default().push_str(&piece("partial_json"));
                Vec::new()
            }
            _ => unknown(),
        }
    }

    /// The last words of a message: why it stopped, and what it used in all.
    fn end(&mut self, data: &Value) {
        let Some(message) = &mut self.message else { return };
        for (name, value) in data["delta"].as_object().into_iter().flatten() {
            message.insert(name.clone(), value.clone());
        }
        let usage = message.entry("usage").or_insert_with(|| json!({}));
        for (name, value) in data["usage"].as_object().into_iter().flatten() {
            // Counts are cumulative, and one that is not repeated stays as it was.
            if !value.is_null() {
                put(usage, name, value.clone());
            }
        }
    }
}

impl Block {
    fn finish(self) -> Value {
        let mut value = self.value;
        if let Some(text) = self.arguments {
            // What is no JSON is handed on as text: the reader keeps it as a malformed call.
            let input = match serde_json::from_str(&text) {
                Ok(input @ Value::Object(_)) => input,
                _ if text.trim().is_empty() => json!({}),
                _ => Value::String(text),
            };
            put(&mut value, "input", input);
        }
        value
    }
}
