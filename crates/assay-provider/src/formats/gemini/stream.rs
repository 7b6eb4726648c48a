//! Makes a whole answer of its pieces, each of which is an answer of its own.

use serde_json::{Map, Value, json};

use super::refusal;
use crate::answer::Note;
use crate::formats::{Assembler, Progress, ReadError, event_json};
use crate::sse::SseEvent;

#[derive(Debug, Default)]
pub struct ContentAssembler {
    whole: Map<String, Value>,
    candidate: Map<String, Value>,
    parts: Vec<Value>,
}

impl Assembler for ContentAssembler {
    fn take(&mut self, event: &SseEvent) -> Result<Vec<Progress>, ReadError> {
        let data = event_json(event)?;
        if data["error"].is_object() {
            return Err(ReadError::Refused(refusal::of_error(&data["error"], None)));
        }
        let is_known =
            ["candidates", "usageMetadata", "promptFeedback"].iter().any(|name| !data[*name].is_null());
        if !is_known {
            return Ok(vec![Progress::Note(Note::UnknownEvent { kind: event.name.clone() })]);
        }
        for (name, value) in data.as_object().into_iter().flatten() {
            if name != "candidates" {
                self.whole.insert(name.clone(), value.clone());
            }
        }
        let mut progress = Vec::new();
        for (name, value) in data["candidates"][0].as_object().into_iter().flatten() {
            if name != "content" {
                self.candidate.insert(name.clone(), value.clone());
                continue;
            }
            for part in value["parts"].as_array().into_iter().flatten() {
                progress.extend(told_by(part));
                self.parts.push(part.clone());
            }
        }
        Ok(progress)
    }

    fn is_complete(&self) -> bool {
        // What was used may come in a piece after the last word.
        self.has_ended() && self.whole.contains_key("usageMetadata")
    }

    fn finish(self: Box<Self>) -> Result<Value, ReadError> {
        if !self.has_ended() {
            return Err(ReadError::Cut);
        }
        let mut whole = self.whole;
        if !self.candidate.is_empty() {
            let mut candidate = self.candidate;
            candidate.insert("content".into(), json!({"role": "model", "parts": self.parts}));
            whole.insert("candidates".into(), json!([candidate]));
        }
        Ok(Value::Object(whole))
    }
}

impl ContentAssembler {
    fn has_ended(&self) -> bool {
        let blocked = self.whole.get("promptFeedback").is_some_and(|it| !it["blockReason"].is_null());
        blocked || self.candidate.get("finishReason").is_some_and(|reason| !reason.is_null())
    }
}

fn told_by(part: &Value) -> Option<Progress> {
    if let Some(text) = part["text"].as_str() {
        let text = text.to_string();
        return Some(if part["thought"] == true { Progress::Thinking(text) } else { Progress::Text(text) });
    }
    let name = part["functionCall"]["name"].as_str()?;
    Some(Progress::Call { name: name.to_string() })
}
