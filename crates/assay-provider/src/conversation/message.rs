//! The turns of a conversation.

use serde_json::Value;

use super::{Picture, ToolResult};
use crate::answer::Item;
use crate::formats::FormatName;

/// One turn. A conversation is appended to, never rewritten: what was cached stays cached.
#[derive(Debug, Clone, PartialEq)]
pub enum Message {
    User(Vec<Part>),
    Assistant(AssistantTurn),
    /// The results of all calls of the turn before, in their order, and what there is to say beside them.
    Results {
        results: Vec<ToolResult>,
        remarks: Vec<Part>,
    },
}

impl Message {
    pub fn user(text: impl Into<String>) -> Message {
        Message::User(vec![Part::Text(text.into())])
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    Text(String),
    Picture(Picture),
}

/// What a model said, both as it was understood and as it was sent.
///
/// Providers want their own words back letter for letter: signatures of thoughts
/// and encrypted reasoning among them. So the same format is given `raw`; another
/// one gets what `items` can tell it.
#[derive(Debug, Clone, PartialEq)]
pub struct AssistantTurn {
    pub format: FormatName,
    /// The id that the provider gave to the answer, if it gives one.
    pub answer_id: Option<String>,
    pub items: Vec<Item>,
    pub raw: Vec<Value>,
}
