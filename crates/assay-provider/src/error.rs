//! What can go wrong between a question and its answer.

use std::time::{Duration, SystemTime};

use crate::budget::BudgetError;
use crate::cassette::CassetteError;
use crate::formats::WriteError;
use crate::key::KeyError;

#[derive(Debug, thiserror::Error)]
pub enum ProviderError {
    #[error(transparent)]
    Key(#[from] KeyError),

    /// Nothing was sent.
    #[error(transparent)]
    Budget(#[from] BudgetError),

    /// The question cannot be written in the provider's words. Nothing was sent.
    #[error("the request cannot be built: {0}")]
    Unaskable(#[from] WriteError),

    #[error("{provider} asks the client to wait{}: {message}", wait_words(*.wait))]
    RateLimited { provider: String, wait: Option<Duration>, until: Option<SystemTime>, message: String },

    #[error("the account at {provider} has no credit left: {message}")]
    QuotaSpent { provider: String, message: String },

    #[error("{provider} is overloaded, after {attempts} tries: {message}")]
    Overloaded { provider: String, attempts: u32, message: String },

    #[error("{provider} failed with status {status}, after {attempts} tries: {message}")]
    ServerBroke { provider: String, status: u16, attempts: u32, message: String },

    #[error("{provider} refused the request (status {status}{}): {message}", code_words(.code.as_deref()))]
    Refused { provider: String, status: u16, code: Option<String>, message: String },

    #[error("{provider} does not accept the key (status {status}): {message}")]
    NotAllowed { provider: String, status: u16, message: String },

    #[error("{provider} has no model `{model}`: {message}")]
    UnknownModel { provider: String, model: String, message: String },

    /// The connection ended in the middle of the answer. It may have been paid for.
    #[error("{provider} stopped in the middle of an answer, after {received} bytes ({attempts} tries)")]
    CutStream { provider: String, received: usize, attempts: u32 },

    #[error("{provider} sent an answer that cannot be read: expected {expected}, found `{found}`")]
    BadAnswer { provider: String, expected: &'static str, found: String },

    #[error("{provider} sent an answer that contains the key; it was discarded")]
    KeyInAnswer { provider: String },

    #[error("{provider} was too slow: {awaited} did not arrive within {}, {received} bytes had arrived", seconds(*.limit))]
    TimedOut { provider: String, awaited: &'static str, limit: Duration, received: usize },

    #[error("{provider} cannot be reached: {reason}")]
    Unreachable { provider: String, reason: String },

    #[error(transparent)]
    Cassette(#[from] CassetteError),
}

impl ProviderError {
    /// Whether the same question could be answered a while later without anybody changing anything.
    pub fn is_transient(&self) -> bool {
        match self {
            ProviderError::RateLimited { .. }
            | ProviderError::Overloaded { .. }
            | ProviderError::ServerBroke { .. }
            | ProviderError::CutStream { .. }
            | ProviderError::TimedOut { .. }
            | ProviderError::Unreachable { .. } => true,
            ProviderError::Key(_)
            | ProviderError::Budget(_)
            | ProviderError::Unaskable(_)
            | ProviderError::QuotaSpent { .. }
            | ProviderError::Refused { .. }
            | ProviderError::NotAllowed { .. }
            | ProviderError::UnknownModel { .. }
            | ProviderError::BadAnswer { .. }
            | ProviderError::KeyInAnswer { .. }
            | ProviderError::Cassette(_) => false,
        }
    }

    /// What to type about it, where there is something to type.
    pub fn hint(&self) -> Option<String> {
        match self {
            ProviderError::Key(error) => error.hint(),
            ProviderError::Cassette(error) => error.hint(),
            ProviderError::Budget(BudgetError::NoPrice { model }) => {
                Some(format!("add a row for `{model}` to the price list of your configuration"))
            }
            _ => None,
        }
    }
}

fn wait_words(wait: Option<Duration>) -> String {
    wait.map(|wait| format!(" {}", seconds(wait))).unwrap_or_default()
}

fn code_words(code: Option<&str>) -> String {
    code.map(|code| format!(", `{code}`")).unwrap_or_default()
}

fn seconds(length: Duration) -> String {
    format!("{:.1}s", length.as_secs_f64())
}
