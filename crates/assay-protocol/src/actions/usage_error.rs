//! A mistake in the words of a command: what was expected, what was found, and advice apart from both.

use crate::{ErrorCode, Failure, SelectorError};

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UsageError {
    #[error("there is no verb `{found}`")]
    UnknownVerb { found: String, nearest: Vec<&'static str> },
    #[error("{} has no flag `{found}`", .verb.map_or_else(|| "assay".to_string(), |verb| format!("`{verb}`")))]
    UnknownFlag { verb: Option<&'static str>, found: String, nearest: Option<&'static str> },
    #[error("{flag} takes no value")]
    NeedlessValue { flag: String },
    #[error("expected {value} after {flag}, found nothing")]
    MissingValue { verb: Option<&'static str>, flag: String, value: &'static str },
    /// The words after a verb have the wrong number or form.
    #[error("`{verb}` expects {expected}, found {found}")]
    WrongArguments { verb: &'static str, expected: String, found: String, example: &'static str },
    /// One value is not what it should be.
    #[error("expected {expected}, found {found}")]
    WrongValue { expected: String, found: String, example: Option<&'static str> },
    #[error("expected a closing {quote} in `{line}`")]
    UnclosedQuote { quote: char, line: String },
    #[error(transparent)]
    Selector(#[from] SelectorError),
}

impl UsageError {
    pub fn wrong_value(expected: impl Into<String>, found: impl Into<String>) -> UsageError {
        UsageError::WrongValue { expected: expected.into(), found: found.into(), example: None }
    }

    /// What would have been right.
    pub fn expected(&self) -> String {
        match self {
            UsageError::UnknownVerb { .. } => "a verb".to_string(),
            UsageError::UnknownFlag { .. } => "a flag".to_string(),
            UsageError::NeedlessValue { flag } => format!("{flag} without a value"),
            UsageError::MissingValue { flag, value, .. } => format!("{value} after {flag}"),
            UsageError::WrongArguments { expected, .. } | UsageError::WrongValue { expected, .. } => {
                expected.clone()
            }
            UsageError::UnclosedQuote { quote, .. } => format!("a closing {quote}"),
            UsageError::Selector(_) => "a selector".to_string(),
        }
    }

    /// What was there instead.
    pub fn found(&self) -> String {
        match self {
            UsageError::UnknownVerb { found, .. } | UsageError::UnknownFlag { found, .. } => {
                format!("`{found}`")
            }
            UsageError::NeedlessValue { .. } => "a value".to_string(),
            UsageError::MissingValue { .. } => "nothing".to_string(),
            UsageError::WrongArguments { found, .. } | UsageError::WrongValue { found, .. } => found.clone(),
            UsageError::UnclosedQuote { line, .. } => format!("`{line}`"),
            UsageError::Selector(err) => err.to_string(),
        }
    }

    /// Advice, often a command that can be pasted.
    pub fn hint(&self) -> Option<String> {
        match self {
            UsageError::UnknownVerb { nearest, .. } if nearest.is_empty() => {
                Some("assay --help lists all verbs".to_string())
            }
            UsageError::UnknownVerb { nearest, .. } => Some(format!("did you mean {}?", nearest.join(", "))),
            UsageError::UnknownFlag { nearest: Some(nearest), .. } => {
                Some(format!("did you mean --{nearest}? Text that begins with - goes after --"))
            }
            UsageError::UnknownFlag { verb, nearest: None, .. } => {
                Some(format!("{}; text that begins with - goes after --", help_command(*verb)))
            }
            UsageError::MissingValue { verb, .. } => Some(help_command(*verb)),
            UsageError::WrongArguments { example, .. } => Some((*example).to_string()),
            UsageError::WrongValue { example, .. } => example.map(str::to_string),
            UsageError::NeedlessValue { .. } | UsageError::UnclosedQuote { .. } => None,
            UsageError::Selector(_) => Some(
                "e12, CSS, xpath=…, button \"Name\", label=…, text=…, testid=…, or plain words".to_string(),
            ),
        }
    }
}

fn help_command(verb: Option<&'static str>) -> String {
    verb.map_or_else(|| "assay --help".to_string(), |verb| format!("assay {verb} --help"))
}

impl From<UsageError> for Failure {
    fn from(err: UsageError) -> Failure {
        let code = match &err {
            UsageError::Selector(_) => ErrorCode::BadSelector,
            _ => ErrorCode::Usage,
        };
        Failure { hint: err.hint(), ..Failure::new(code, err.to_string()) }
    }
}
