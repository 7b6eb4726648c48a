//! Why a request gets no result.
//!
//! A tool that did not work is not among these: its model should read the reason, so it is a
//! [`ToolResult`](super::ToolResult) with `is_error`.

use super::caller::Ability;

#[derive(Debug, Clone, thiserror::Error)]
pub enum RequestError {
    #[error("{0}")]
    InvalidParams(String),
    #[error("no tool is called `{0}`")]
    UnknownTool(String),
    #[error("no prompt is called `{0}`")]
    UnknownPrompt(String),
    #[error("no resource has the address `{0}`")]
    UnknownResource(String),
    #[error("this needs a client that declares: {}", ability_name(*.0))]
    MissingAbility(Ability),
    /// The work was stopped; nobody waits for the answer.
    #[error("the request was cancelled")]
    Cancelled,
    #[error("{0}")]
    Internal(String),
}

/// The name of an ability as clients declare it.
pub(crate) fn ability_name(ability: Ability) -> &'static str {
    match ability {
        Ability::Form => "elicitation.form",
        Ability::Link => "elicitation.url",
        Ability::Sample => "sampling",
        Ability::Roots => "roots",
        Ability::Tasks => "io.modelcontextprotocol/tasks",
    }
}
