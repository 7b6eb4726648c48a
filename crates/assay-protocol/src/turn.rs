//! One turn of somebody who is asked for help with a step: a question to a model, and what was done about the answer.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{SafetyEvent, TargetMark};

/// What came of one question. The question itself is a [`ModelCall`](crate::ModelCall), told before it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PilotTurn {
    /// Which question of the step it is, from 1: its call has the same place among the calls of the step.
    pub turn: usize,
    /// Who asked: `model`, `computer-use`, `grid`, `judge`.
    #[serde(rename = "guest")]
    pub pilot: String,
    /// What was tried because of the answer, in order. Empty where it was only looked, said or ended.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub acts: Vec<TurnAct>,
    /// What the model was told where nothing was done about its answer: a call that cannot be read, or is out of place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub told: Option<String>,
    /// Doubts that arose in this turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub safety: Vec<SafetyEvent>,
    /// The page when the answer had come and nothing was done about it yet, unmarked; relative to the folder of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picture: Option<String>,
    /// Why there is no picture, where there should be one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_picture: Option<String>,
    /// From the answer to the end of what was done about it.
    pub duration_ms: u64,
}

/// One act that a pilot wanted, and what became of it. No secret can be read in it.
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
    /// What it changed, or why it was not done.
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
    /// A pilot may not do it; it could try something else.
    Refused,
    /// It ended the step.
    Stopped,
}
