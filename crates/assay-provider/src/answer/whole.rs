//! One answer as a whole.

use serde_json::Value;

use super::{ComputerCall, FunctionCall, Item, Stop};
use crate::conversation::{AssistantTurn, CallRef, Message};
use crate::formats::FormatName;
use crate::money::Money;
use crate::usage::Usage;

#[derive(Debug, Clone, PartialEq)]
pub struct ModelAnswer {
    pub format: FormatName,
    /// The provider's id of the answer, for traces and for questions to the provider.
    pub id: Option<String>,
    /// The model that answered, which may be a dated version of the one that was asked.
    pub model: String,
    pub items: Vec<Item>,
    pub stop: Stop,
    /// Nothing when the server did not say.
    pub usage: Option<Usage>,
    /// Nothing where the price is not known. Filled in by whoever asked: a format knows no prices.
    pub cost: Option<Money>,
    /// What is odd about the answer. Told to the listener as well.
    pub notes: Vec<Note>,
    /// The items as they were sent.
    pub raw: Vec<Value>,
}

/// Something in an answer that was not understood or had to be mended, and is told rather than dropped.
#[derive(Debug, Clone, PartialEq)]
pub enum Note {
    /// An item of a kind that this version does not know. It is kept in the answer as `Item::Unknown`.
    UnknownItem { kind: String },
    /// An event of a stream that this version does not know.
    UnknownEvent { kind: String },
    /// The server printed a tool call as text: it runs without a parser for the model's calls.
    ToolCallAsText,
    /// The server counted far fewer tokens than were sent: it cut the question without a word, as Ollama
    /// does beyond its `num_ctx`. The answer is to a part of the question.
    QuestionCut { counted: u64, sent_at_least: u64 },
    /// The server sent no id for a call, or the same twice; this one was made up.
    MadeUpCallId { id: String },
}

impl ModelAnswer {
    /// All that was said, without thoughts.
    pub fn text(&self) -> String {
        let texts: Vec<&str> = self
            .items
            .iter()
            .filter_map(|item| match item {
                Item::Text(text) => Some(text.as_str()),
                _ => None,
            })
            .collect();
        texts.join("\n")
    }

    pub fn function_calls(&self) -> impl Iterator<Item = &FunctionCall> {
        self.items.iter().filter_map(|item| match item {
            Item::Call(call) => Some(call),
            _ => None,
        })
    }

    pub fn computer_calls(&self) -> impl Iterator<Item = &ComputerCall> {
        self.items.iter().filter_map(|item| match item {
            Item::Computer(call) => Some(call),
            _ => None,
        })
    }

    /// Every call that has to be answered, in order.
    pub fn calls(&self) -> Vec<CallRef> {
        self.items
            .iter()
            .filter_map(|item| match item {
                Item::Call(call) => Some(call.call_ref()),
                Item::Computer(call) => Some(call.call_ref()),
                _ => None,
            })
            .collect()
    }

    /// The turn to append to the conversation before the next question.
    pub fn turn(&self) -> Message {
        Message::Assistant(AssistantTurn {
            format: self.format,
            answer_id: self.id.clone(),
            items: self.items.clone(),
            raw: self.raw.clone(),
        })
    }
}
