//! Completion: values for an argument that a person is typing.

use std::collections::BTreeMap;

/// What is being typed.
#[derive(Debug, Clone)]
pub struct CompletionQuestion {
    pub of: CompletionOf,
    /// The argument, and what was typed so far.
    pub argument: String,
    pub typed: String,
    /// The arguments that have their values already.
    pub known: BTreeMap<String, String>,
}

#[derive(Debug, Clone)]
pub enum CompletionOf {
    /// The name of a prompt.
    Prompt(String),
    /// The pattern of a resource template.
    Template(String),
}

/// Values that begin as typed, the best first. The answer holds at most 100 of them and says if there are more.
#[derive(Debug, Clone, Default)]
pub struct Completion {
    pub values: Vec<String>,
}
