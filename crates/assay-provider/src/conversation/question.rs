//! One question: everything that a model is given for one answer.

use super::{Message, Tool};

/// What is sent for one answer. Models remember nothing, so it holds the whole conversation.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// Who the model is to be and what it may do. Comes first, so that it can be cached.
    pub system: String,
    /// Written sorted by name, whatever their order here: another order would lose the cache.
    pub tools: Vec<Tool>,
    pub messages: Vec<Message>,
    pub tool_choice: ToolChoice,
    /// The most tokens the answer may have. The budget counts them as spent until the answer is there.
    pub max_output_tokens: u32,
    pub effort: Option<Effort>,
    pub caching: Caching,
    /// A stable name of who asks, for the providers' own checks against abuse. No name of a person.
    pub asked_for: Option<String>,
}

impl Question {
    pub fn new(system: impl Into<String>, max_output_tokens: u32) -> Question {
        Question {
            system: system.into(),
            tools: Vec::new(),
            messages: Vec::new(),
            tool_choice: ToolChoice::Auto,
            max_output_tokens,
            effort: None,
            caching: Caching::Marked(CacheLife::Minutes),
            asked_for: None,
        }
    }
}

/// Whether the model has to use a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToolChoice {
    Auto,
    /// Some tool. Servers that do not know this are not told: the caller checks the answer in any case.
    Required,
    /// This function.
    Named(String),
    /// No tool, though tools are declared: their declarations stay, and with them the cache.
    Forbidden,
}

/// How long a model may think.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    Low,
    Medium,
    High,
}

impl Effort {
    pub fn name(self) -> &'static str {
        match self {
            Effort::Low => "low",
            Effort::Medium => "medium",
            Effort::High => "high",
        }
    }
}

/// Whether the beginning of the question is marked, so that the next one that begins alike costs less.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Caching {
    /// Marks on the last tool, on the system text and on the newest message, where the format has marks and the text up
    /// to there is long enough for the model's cache.
    Marked(CacheLife),
    /// No marks: for a question that is asked once, since writing a cache costs more than reading plainly.
    Unmarked,
}

/// How long what is written to a cache stays after its last use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CacheLife {
    Minutes,
    /// Tools and system text stay for an hour, which costs more to write; messages for minutes.
    Hour,
}
