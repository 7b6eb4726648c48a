//! Makes a completion of its pieces.

use serde_json::{Map, Value, json};

use crate::answer::Note;
use crate::formats::{Assembler, Progress, ReadError, event_json, responses};
use crate::sse::SseEvent;

#[derive(Debug, Default)]
pub struct CompletionAssembler {
    head: Map<String, Value>,
    /// Text fields of the message that come in pieces.
    texts: Map<String, Value>,
    calls: Vec<Call>,
    finish_reason: Option<Value>,
    usage: Option<Value>,
    done: bool,
}

#[derive(Debug)]
struct Call {
    index: Option<u64>,
    id: Option<String>,
    name: String,
    arguments: Value,
    /// A call of a kind that is not known, as it came.
    unknown: Option<Value>,
}

const TEXTS: &[&str] = &["content", "reasoning_content", "reasoning", "refusal"];

impl Assembler for CompletionAssembler {
    fn take(&mut self, event: &SseEvent) -> Result<Vec<Progress>, ReadError> {
        if event.data.trim() == "[DONE]" {
            self.done = true;
            return Ok(Vec::new());
        }
        let chunk = event_json(event)?;
        if chunk["error"].is_object() {
            return Err(ReadError::Refused(responses::refusal_of_error(&chunk["error"], None)));
        }
        if !chunk["choices"].is_array() {
            let kind = chunk["object"].as_str().unwrap_or(&event.name).to_string();
            return Ok(vec![Progress::Note(Note::UnknownEvent { kind })]);
        }
        for name in ["id", "model"] {
            if !chunk[name].is_null() {
                self.head.insert(name.to_string(), chunk[name].clone());
            }
        }
        if chunk["usage"].is_object() {
            self.usage = Some(chunk["usage"].clone());
        }
        let choice = &chunk["choices"][0];
        if !choice["finish_reason"].is_null() {
            self.finish_reason = Some(choice["finish_reason"].clone());
        }
        Ok(self.grow(&choice["delta"]))
    }

    fn is_complete(&self) -> bool {
        self.done
    }

    fn finish(self: Box<Self>) -> Result<Value, ReadError> {
        // Some servers close the connection without a last line, but not before a reason.
        let Some(finish_reason) = self.finish_reason else { return Err(ReadError::Cut) };
        let mut message = self.texts;
        message.insert("role".into(), json!("assistant"));
        if !self.calls.is_empty() {
            let calls = self.calls.into_iter().map(|call| match call.unknown {
                Some(unknown) => unknown,
                None => json!({
                    "id": call.id,
                    "type": "function",
                    "function": {"name": call.name, "arguments": call.arguments},
                }),
            });
            message.insert("tool_calls".into(), calls.collect());
        }
        let mut whole = self.head;
        let choice = json!({"index": 0, "message": message, "finish_reason": finish_reason});
        whole.insert("choices".into(), json!([choice]));
        whole.insert("usage".into(), self.usage.unwrap_or_default());
        Ok(Value::Object(whole))
    }
}

impl CompletionAssembler {
    fn grow(&mut self, delta: &Value) -> Vec<Progress> {
        let mut progress = Vec::new();
        for name in TEXTS {
            let Some(piece) = delta[*name].as_str().filter(|piece| !piece.is_empty()) else { continue };
            match self.texts.entry(*name).or_insert_with(|| json!("")) {
                Value::String(text) => text.push_str(piece),
                other => *other = json!(piece),
            }
            match *name {
                "content" => progress.push(Progress::Text(piece.to_string())),
                "refusal" => {}
                _ => progress.push(Progress::Thinking(piece.to_string())),
            }
        }
        for piece in delta["tool_calls"].as_array().into_iter().flatten() {
            progress.extend(self.grow_call(piece));
        }
        progress
    }

    fn grow_call(&mut self, piece: &Value) -> Option<Progress> {
        let index = piece["index"].as_u64();
        let name = piece["function"]["name"].as_str().unwrap_or_default();
        // Without an index every piece that has a name begins another call.
        let known = match index {
            Some(_) => self.calls.iter_mut().find(|call| call.index == index),
            None if name.is_empty() => self.calls.last_mut(),
            None => None,
        };
        let arguments = &piece["function"]["arguments"];
        match known {
            Some(call) => {
                call.name.push_str(name);
                match (&mut call.arguments, arguments) {
                    (Value::String(text), Value::String(more)) => text.push_str(more),
                    (_, Value::Null) => {}
                    (held, more) => *held = more.clone(),
                }
                None
            }
            None => {
                let arguments = if arguments.is_null() { json!("") } else { arguments.clone() };
                let id = piece["id"].as_str().map(str::to_string);
                let unknown = (!piece["function"].is_object()).then(|| piece.clone());
                let is_known = unknown.is_none();
                self.calls.push(Call { index, id, name: name.to_string(), arguments, unknown });
                is_known.then(|| Progress::Call { name: name.to_string() })
            }
        }
    }
}
