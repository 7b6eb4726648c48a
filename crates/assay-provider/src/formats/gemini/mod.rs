//! Gemini's `generateContent`.

mod actions;
mod answer;
mod refusal;
mod request;
mod stream;

use serde_json::Value;

use super::{Assembler, Delivery, Format, FormatName, ReadError, Refusal, WireRequest, WriteError};
use crate::answer::ModelAnswer;
use crate::conversation::Question;

#[derive(Debug, Clone, Copy)]
pub struct Gemini;

impl Format for Gemini {
    fn name(&self) -> FormatName {
        FormatName::Gemini
    }

    fn write(&self, question: &Question, model: &str, delivery: Delivery) -> Result<WireRequest, WriteError> {
        request::write(question, model, delivery)
    }

    fn read(&self, body: Value, question: &Question) -> Result<ModelAnswer, ReadError> {
        answer::read(body, question)
    }

    fn assembler(&self) -> Box<dyn Assembler> {
        Box::new(stream::ContentAssembler::default())
    }

    fn read_refusal(&self, status: u16, body: &[u8]) -> Refusal {
        refusal::read(status, body)
    }
}
