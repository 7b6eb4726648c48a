//! Reports about pilots, which carry out steps that the built-in interpreter is not sure of: models of any kind.

use serde::{Deserialize, Serialize};

use crate::ErrorCode;

/// One question to a model and its outcome. Without the question and the screenshot, because both may contain page
/// content.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ModelCall {
    /// The pilot or judge that asked: `model`, `computer-use`, `grid`, `judge`.
    #[serde(rename = "guest")]
    pub pilot: String,
    /// `anthropic/claude-sonnet-5-5`.
    pub model: String,
    /// The provider's own name for the request, for questions to the provider.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// The provider's own name for the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer_id: Option<String>,
    /// What the model answered, in one line: `click e4`.
    pub decided: String,
    /// Why there is no answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    #[serde(default)]
    pub usage: CallUsage,
    /// Details of the call: lines about caches, waits and retries.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<String>,
    pub duration_ms: u64,
}

/// Tokens and money. The kinds of tokens do not overlap.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct CallUsage {
    pub input: u64,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub cache_read: u64,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub cache_written: u64,
    pub output: u64,
    /// In US dollars; none if the price is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub money: Option<f64>,
}

impl CallUsage {
    pub fn tokens(&self) -> u64 {
        self.input + self.cache_read + self.cache_written + self.output
    }
}

/// How a pilot left the step that it was asked to carry out.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PilotReport {
    #[serde(rename = "guest")]
    pub pilot: String,
    pub ending: PilotEnding,
    /// Its last message, or the reason why it failed.
    pub message: String,
    pub turns: u32,
    /// Every safety concern about its actions: the provider's and ours.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub safety: Vec<SafetyEvent>,
    /// The requested means failed permanently, and another one was used.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub degraded: bool,
    /// The kind of failure that made the model unavailable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<ErrorCode>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PilotEnding {
    Done,
    /// It was not sure either.
    #[default]
    Refused,
    /// It attempted something that is forbidden unless the test says so.
    Stopped,
    /// The model was not available.
    Broken,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SafetyEvent {
    /// `unnamed-value`, or the provider's own code.
    pub code: String,
    pub message: String,
    /// It did not stop the step: the configuration allows exactly this one, or it is for information only.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub allowed: bool,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}
