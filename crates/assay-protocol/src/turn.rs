//! One turn of a pilot: a question to a model, and the actions that followed the answer.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{SafetyEvent, TargetMark};

/// The outcome of one question. The question itself is a [`ModelCall`](crate::ModelCall), reported before it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PilotTurn {
    /// Which question of the step it is, from 1: its call has the same place among the calls of the step.
    pub turn: usize,
    /// Who asked: `model`, `computer-use`, `grid`, `judge`.
    #[serde(rename = "guest")]
    pub pilot: String,
    /// The actions attempted because of the answer, in order. Empty if the model only looked, spoke or ended.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub acts: Vec<TurnAct>,
    /// The message to the model if no action followed its answer: a call that is unreadable or out of place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub told: Option<String>,
    /// Safety concerns of this turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub safety: Vec<SafetyEvent>,
    /// The page when the answer arrived, before any action, unmarked; relative to the folder of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picture: Option<String>,
    /// Why a screenshot is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_picture: Option<String>,
    /// From the answer to the end of its actions.
    pub duration_ms: u64,
}

/// One act that a pilot requested, and its outcome. Contains no secret.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TurnAct {
    /// The action as the pilot gave it: values of the test by their references.
    pub action: Value,
    /// In a few words, with the name of its element: `click "Save"`.
    pub label: String,
    /// The pilot's own reason.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub because: String,
    pub outcome: ActOutcome,
    /// Its changes, or why it was not done.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub told: String,
    /// The code of the failure or of the refusal: `not_found`, `deleting`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// Where its target is on the picture of the turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<TargetMark>,
    pub duration_ms: u64,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ActOutcome {
    /// It was carried out.
    #[default]
    Done,
    /// The page or the browser did not do it.
    Failed,
    /// A pilot may not do this; it can try something else.
    Refused,
    /// It ended the step.
    Stopped,
}
