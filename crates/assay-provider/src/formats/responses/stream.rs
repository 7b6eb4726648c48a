//! Makes a response of its events.

use std::collections::BTreeMap;

use serde_json::Value;

use super::refusal;
use crate::answer::Note;
use crate::formats::{Assembler, Progress, ReadError, event_json, put, take};
use crate::sse::SseEvent;

#[derive(Debug, Default)]
pub struct ResponseAssembler {
    /// Items as they were when they were done, by their place.
    done: BTreeMap<u64, Value>,
    response: Option<Value>,
}

/// Events that say nothing which the items do not say when they are done.
const WITHOUT_NEWS: &[&str] = &[
    "response.queued",
    "response.created",
    "response.in_progress",
    "response.content_part.added",
    "response.content_part.done",
    "response.output_text.done",
    "response.output_text.annotation.added",
    "response.function_call_arguments.delta",
    "response.function_call_arguments.done",
    "response.reasoning_summary_part.added",
    "response.reasoning_summary_part.done",
    "response.reasoning_summary_text.done",
    "response.reasoning_text.done",
    "response.refusal.delta",
    "response.refusal.done",
    "keepalive",
];

impl Assembler for ResponseAssembler {
    fn take(&mut self, event: &SseEvent) -> Result<Vec<Progress>, ReadError> {
        if event.data == "[DONE]" {
            return Ok(Vec::new());
        }
        let mut data = event_json(event)?;
        let kind = data["type"].as_str().unwrap_or(&event.name).to_string();
        let delta = || data["delta"].as_str().unwrap_or_default().to_string();
        Ok(match kind.as_str() {
            "response.output_text.delta" => vec![Progress::Text(delta())],
            "response.reasoning_summary_text.delta" | "response.reasoning_text.delta" => {
                vec![Progress::Thinking(delta())]
            }
            "response.output_item.added" => match data["item"]["type"].as_str() {
                Some("function_call") => {
                    let name = data["item"]["name"].as_str().unwrap_or_default().to_string();
                    vec![Progress::Call { name }]
                }
                Some("computer_call") => vec![Progress::Call { name: "computer".to_string() }],
                _ => Vec::new(),
            },
            "response.output_item.done" => {
                let place = data["output_index"].as_u64().unwrap_or(self.done.len() as u64);
                self.done.insert(place, take(&mut data, "item"));
                Vec::new()
            }
            "response.completed" | "response.incomplete" => {
                self.response = Some(take(&mut data, "response"));
                Vec::new()
            }
            "response.failed" => {
                return Err(ReadError::Refused(refusal::of_failure(&data["response"]["error"])));
            }
            "error" => {
                let error = if data["error"].is_object() { &data["error"] } else { &data };
                return Err(ReadError::Refused(refusal::of_failure(error)));
            }
            known if WITHOUT_NEWS.contains(&known) => Vec::new(),
            _ => vec![Progress::Note(Note::UnknownEvent { kind })],
        })
    }

    fn is_complete(&self) -> bool {
        self.response.is_some()
    }

    fn finish(self: Box<Self>) -> Result<Value, ReadError> {
        let Some(mut response) = self.response else { return Err(ReadError::Cut) };
        // An item as it was when it was done has all there is to it; the list at the end may lack the
        // encrypted reasoning, and compatible servers leave it empty.
        let mut output = match take(&mut response, "output") {
            Value::Array(output) => output,
            _ => Vec::new(),
        };
        for (place, item) in self.done {
            match usize::try_from(place).ok().and_then(|place| output.get_mut(place)) {
                Some(known) => *known = item,
                None => output.push(item),
            }
        }
        put(&mut response, "output", Value::Array(output));
        Ok(response)
    }
}
