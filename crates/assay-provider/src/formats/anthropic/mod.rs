//! Anthropic's Messages API.

mod actions;
mod answer;
mod refusal;
mod request;
mod stream;

use serde_json::Value;

use super::{Assembler, Delivery, Format, FormatName, ReadError, Refusal, WireRequest, WriteError};
use crate::answer::ModelAnswer;
use crate::conversation::Question;

/// The version of the API that requests are written for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnthropicVersion {
    V20261021,
    /// What proxies and local servers expect.
    V20230601,
}

impl AnthropicVersion {
    pub fn header(self) -> &'static str {
        match self {
            AnthropicVersion::V20261021 => "2026-10-21",
            AnthropicVersion::V20230601 => "2023-06-01",
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub struct Anthropic {
    pub version: AnthropicVersion,
}

impl Format for Anthropic {
    fn name(&self) -> FormatName {
        FormatName::Anthropic
    }

    fn write(&self, question: &Question, model: &str, delivery: Delivery) -> Result<WireRequest, WriteError> {
        request::write(question, model, delivery, self.version)
    }

    fn read(&self, body: Value, question: &Question) -> Result<ModelAnswer, ReadError> {
        answer::read(body, question)
    }

    fn assembler(&self) -> Box<dyn Assembler> {
        Box::new(stream::MessageAssembler::default())
    }

    fn read_refusal(&self, status: u16, body: &[u8]) -> Refusal {
        refusal::read(status, body)
    }
}
