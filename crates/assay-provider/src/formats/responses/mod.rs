//! OpenAI's Responses API.

mod actions;
mod answer;
mod refusal;
mod request;
mod stream;

use serde_json::Value;

use super::{Assembler, Delivery, Format, FormatName, ReadError, Refusal, WireRequest, WriteError};
use crate::answer::ModelAnswer;
use crate::conversation::Question;

/// Who remembers the conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// We do, and send all of it each time. Nothing of a test is kept by the provider.
    Ours,
    /// The provider does, for a month or so; only what is new is sent.
    Theirs,
}

#[derive(Debug, Clone, Copy)]
pub struct Responses {
    pub state: State,
}

impl Format for Responses {
    fn name(&self) -> FormatName {
        FormatName::Responses
    }

    fn write(&self, question: &Question, model: &str, delivery: Delivery) -> Result<WireRequest, WriteError> {
        request::write(question, model, delivery, self.state)
    }

    fn read(&self, body: Value, _question: &Question) -> Result<ModelAnswer, ReadError> {
        answer::read(body)
    }

    fn assembler(&self) -> Box<dyn Assembler> {
        Box::new(stream::ResponseAssembler::default())
    }

    fn read_refusal(&self, status: u16, body: &[u8]) -> Refusal {
        refusal::read(status, body)
    }
}

/// Chat completions say no in the same words.
pub(super) use refusal::{of_error as refusal_of_error, read as read_refusal};
