//! What a tool answers.

use serde_json::Value;

/// A text for readers, and the same as a value for programs.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ToolAnswer {
    pub text: String,
    pub value: Option<Value>,
    pub picture: Option<Picture>,
    /// The call did not do what it should; the text says what to do next.
    pub is_error: bool,
    /// The exit code of the same on a command line; 0 if none is known.
    pub exit_code: u8,
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

    pub(crate) fn value(text: impl Into<String>, value: Value) -> ToolAnswer {
        ToolAnswer { value: Some(value), ..ToolAnswer::text(text) }
    }
}
