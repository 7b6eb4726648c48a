//! Chat completions, as Ollama, vLLM, LM Studio and llama.cpp serve them.

mod answer;
mod request;
mod stream;

use serde_json::Value;

use super::{
    Assembler, Delivery, Format, FormatName, ReadError, Refusal, WireRequest, WriteError, responses,
};
use crate::answer::ModelAnswer;
use crate::conversation::Question;

/// What a server takes beyond what all of them do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChatProfile {
    /// Ollama takes none; then the model is left to choose, and the caller checks what it chose.
    pub takes_tool_choice: bool,
    /// Whether the last piece of a stream tells what was used.
    pub takes_stream_options: bool,
}

impl ChatProfile {
    pub const PORTABLE: ChatProfile = ChatProfile { takes_tool_choice: false, takes_stream_options: true };
}

#[derive(Debug, Clone, Copy)]
pub struct Chat {
    pub profile: ChatProfile,
}

impl Format for Chat {
    fn name(&self) -> FormatName {
        FormatName::Chat
    }

    fn write(&self, question: &Question, model: &str, delivery: Delivery) -> Result<WireRequest, WriteError> {
        request::write(question, model, delivery, self.profile)
    }

    fn read(&self, body: Value, _question: &Question) -> Result<ModelAnswer, ReadError> {
        answer::read(body)
    }

    fn assembler(&self) -> Box<dyn Assembler> {
        Box::new(stream::CompletionAssembler::default())
    }

    fn read_refusal(&self, status: u16, body: &[u8]) -> Refusal {
        responses::read_refusal(status, body)
    }
}
