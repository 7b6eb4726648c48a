//! What a tool answers.

use serde::Deserialize;
use serde_json::Value;

/// A text for readers, and the same as a value for programs.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ToolAnswer {
    pub text: String,
    pub value: Option<Value>,
    pub picture: Option<Picture>,
    /// The text may hold words of a page.
    pub quotes_page: bool,
    /// The call did not do what it should; the text says what to do next.
    pub is_error: bool,
    /// What a user has to say before the call can do its work; nothing was done.
    pub need: Option<Need>,
    /// The exit code of the same on a command line; 0 if none is known.
    pub exit_code: u8,
}

/// What only a user can give.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Need {
    /// Yes or no to what the call would do.
    Consent(String),
    /// Answers to questions, which the call takes as `answers`.
    Answers(Vec<OpenQuestion>),
}

/// A question that keeps work from going on.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct OpenQuestion {
    pub id: String,
    pub question: String,
    #[serde(default)]
    pub why: String,
}

/// A picture that was taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    pub bytes: Vec<u8>,
    pub media_type: &'static str,
}

impl ToolAnswer {
    pub(crate) fn text(text: impl Into<String>) -> ToolAnswer {
        ToolAnswer { text: text.into(), ..ToolAnswer::default() }
    }

    pub(crate) fn error(text: impl Into<String>) -> ToolAnswer {
        ToolAnswer { is_error: true, ..ToolAnswer::text(text) }
    }

    pub(crate) fn needs_consent(question: String) -> ToolAnswer {
        let text = format!("a user has to allow this first; nothing was done:\n{question}");
        ToolAnswer { need: Some(Need::Consent(question)), exit_code: 2, ..ToolAnswer::error(text) }
    }

    pub(crate) fn value(text: impl Into<String>, value: Value) -> ToolAnswer {
        ToolAnswer { value: Some(value), ..ToolAnswer::text(text) }
    }
}
