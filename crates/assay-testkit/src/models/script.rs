//! What a stand-in is to do.

use serde_json::Value;

use super::Misbehaviour;

/// What a stand-in does with one request.
#[derive(Debug, Clone)]
pub enum Act {
    /// Says this, in the words of its provider.
    Say(Turn),
    /// Gives this very body, as a stream where one was asked for.
    Body(Value),
    /// Gives an example of the contract: `anthropic/11-tool-use.stream.sse`.
    Example(&'static str),
    /// Streams this text as it is.
    Stream(String),
    Misbehave(Misbehaviour),
}

/// An answer of a model, in no provider's words.
#[derive(Debug, Clone, Default)]
pub struct Turn {
    pub said: Vec<Said>,
}

#[derive(Debug, Clone)]
pub enum Said {
    Text(String),
    Call {
        name: String,
        input: Value,
    },
    /// An item in the provider's own words: a call of its computer tool, or something unheard of.
    Native(Value),
}

impl Turn {
    pub fn text(text: &str) -> Turn {
        Turn::default().and_text(text)
    }

    pub fn call(name: &str, input: Value) -> Turn {
        Turn::default().and_call(name, input)
    }

    pub fn native(item: Value) -> Turn {
        Turn::default().and_native(item)
    }

    #[must_use]
    pub fn and_text(mut self, text: &str) -> Turn {
        self.said.push(Said::Text(text.to_string()));
        self
    }

    #[must_use]
    pub fn and_call(mut self, name: &str, input: Value) -> Turn {
        self.said.push(Said::Call { name: name.to_string(), input });
        self
    }

    #[must_use]
    pub fn and_native(mut self, item: Value) -> Turn {
        self.said.push(Said::Native(item));
        self
    }

    pub(super) fn has_calls(&self) -> bool {
        self.said.iter().any(|said| match said {
            Said::Call { .. } => true,
            Said::Native(item) => {
                let kind = item["type"].as_str().unwrap_or_default();
                matches!(kind, "tool_use" | "computer_call" | "function_call")
                    || item["functionCall"].is_object()
            }
            Said::Text(_) => false,
        })
    }
}

impl From<Turn> for Act {
    fn from(turn: Turn) -> Act {
        Act::Say(turn)
    }
}

impl From<Misbehaviour> for Act {
    fn from(misbehaviour: Misbehaviour) -> Act {
        Act::Misbehave(misbehaviour)
    }
}
