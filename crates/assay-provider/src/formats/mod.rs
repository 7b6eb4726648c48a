//! The words of each provider: pure functions from questions to JSON and from JSON to answers.
//!
//! Nothing in here knows a socket, a clock or a key. So every format is tested by tables, and a
//! recorded answer is read exactly as a live one.

mod anthropic;
mod chat;
mod gemini;
mod refusal;
mod responses;

use serde_json::Value;

use crate::answer::{ModelAnswer, Note};
use crate::conversation::Question;
use crate::sse::SseEvent;

pub use anthropic::{Anthropic, AnthropicVersion};
pub use chat::{Chat, ChatProfile};
pub use gemini::Gemini;
pub use refusal::{Refusal, RefusalKind};
pub use responses::{Responses, State};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FormatName {
    Anthropic,
    Responses,
    Chat,
    Gemini,
}

impl FormatName {
    pub fn describe(self) -> &'static str {
        match self {
            FormatName::Anthropic => "Anthropic's Messages API",
            FormatName::Responses => "OpenAI's Responses API",
            FormatName::Chat => "chat completions",
            FormatName::Gemini => "Gemini's API",
        }
    }
}

/// Whether the answer comes in pieces while it is made, or at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delivery {
    Streamed,
    Whole,
}

/// A question as it goes out, without address and key.
#[derive(Debug, Clone, PartialEq)]
pub struct WireRequest {
    /// Below the provider's address, with its query.
    pub path: String,
    pub headers: Vec<(&'static str, String)>,
    pub body: Value,
}

/// A question that a format has no words for. A mistake of whoever put it together.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WriteError {
    #[error("{} does not support {tool}", .format.describe())]
    ForeignTool { format: FormatName, tool: &'static str },
    #[error("the result of call `{call}` needs a picture of the screen")]
    NoPicture { call: String },
    #[error("a call of {} cannot be answered in {}", .from.describe(), .to.describe())]
    ForeignCall { from: FormatName, to: FormatName },
}

/// An answer that is not what the provider's contract says.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ReadError {
    #[error("expected {expected}, found `{found}`")]
    Unreadable { expected: &'static str, found: String },
    /// Sent as a success, but says that it is none.
    #[error("{0}")]
    Refused(Refusal),
    /// The stream ended before the answer did.
    #[error("the stream ended in the middle of the answer")]
    Cut,
}

/// What a piece of a stream told.
#[derive(Debug, Clone, PartialEq)]
pub enum Progress {
    Text(String),
    Thinking(String),
    /// A call has begun; its arguments follow.
    Call {
        name: String,
    },
    Note(Note),
}

/// One provider's format.
pub trait Format: Send + Sync {
    fn name(&self) -> FormatName;

    fn write(&self, question: &Question, model: &str, delivery: Delivery) -> Result<WireRequest, WriteError>;

    /// Reads a whole answer. Knows the question, because a name may be a function of ours or of theirs.
    fn read(&self, body: Value, question: &Question) -> Result<ModelAnswer, ReadError>;

    /// Something that makes a whole answer of a stream.
    fn assembler(&self) -> Box<dyn Assembler>;

    /// Reads the body of an answer whose status says that the call failed.
    fn read_refusal(&self, status: u16, body: &[u8]) -> Refusal;
}

/// Makes of the events of a stream what the same call would have answered as a whole.
pub trait Assembler: Send {
    fn take(&mut self, event: &SseEvent) -> Result<Vec<Progress>, ReadError>;

    /// True as soon as nothing more is needed. What a server sends after that is not waited for.
    fn is_complete(&self) -> bool;

    /// The whole answer, or that it is not whole.
    fn finish(self: Box<Self>) -> Result<Value, ReadError>;
}

/// The data of an event, which has to be JSON.
fn event_json(event: &SseEvent) -> Result<Value, ReadError> {
    serde_json::from_str(&event.data)
        .map_err(|_| ReadError::Unreadable { expected: "an event with JSON", found: beginning(&event.data) })
}

/// A text's first part, for messages: an answer may have megabytes.
pub(crate) fn beginning(text: &str) -> String {
    const LONGEST: usize = 200;
    match text.char_indices().nth(LONGEST) {
        None => text.to_string(),
        Some((at, _)) => format!("{}…", &text[..at]),
    }
}

/// Takes a field out of a value. What is no object has none: indexing it for writing would panic, and
/// what other people's servers send may be anything.
fn take(value: &mut Value, name: &str) -> Value {
    value.get_mut(name).map(Value::take).unwrap_or_default()
}

/// Sets a field of an object. What is no object stays as it is.
fn put(value: &mut Value, name: &str, new: Value) {
    if let Some(fields) = value.as_object_mut() {
        fields.insert(name.to_string(), new);
    }
}

/// Lengthens a text field of an object by a piece.
fn append(value: &mut Value, name: &str, piece: &str) {
    match value.get_mut(name) {
        Some(Value::String(text)) => text.push_str(piece),
        _ => put(value, name, Value::String(piece.to_string())),
    }
}

/// A number that may be missing.
fn count(value: &Value) -> u64 {
    value.as_u64().unwrap_or(0)
}

fn text_of(value: &Value) -> Option<String> {
    value.as_str().map(str::to_string)
}
