//! The parts of an answer.

use serde_json::Value;

use super::ComputerAction;
use crate::conversation::{CallKind, CallRef};

#[derive(Debug, Clone, PartialEq)]
pub enum Item {
    Text(String),
    /// What the model let us see of its thinking. Never evidence.
    Thinking(String),
    Call(FunctionCall),
    Computer(ComputerCall),
    /// The model said that it will not.
    Refusal(String),
    /// Of a kind that this version does not know.
    Unknown(Value),
}

/// A call of one of our functions.
#[derive(Debug, Clone, PartialEq)]
pub struct FunctionCall {
    pub id: String,
    pub name: String,
    pub input: CallInput,
}

/// Arguments of a call. Small models write what is no JSON; that is theirs to hear, not ours to mend.
#[derive(Debug, Clone, PartialEq)]
pub enum CallInput {
    Json(Value),
    Malformed(String),
}

impl FunctionCall {
    pub fn call_ref(&self) -> CallRef {
        CallRef { id: self.id.clone(), name: self.name.clone(), kind: CallKind::Function }
    }
}

impl CallInput {
    /// Arguments that arrive as text. No text at all is what some models send for no arguments.
    pub fn from_text(text: &str) -> CallInput {
        if text.trim().is_empty() {
            return CallInput::Json(Value::Object(serde_json::Map::new()));
        }
        match serde_json::from_str(text) {
            Ok(value @ Value::Object(_)) => CallInput::Json(value),
            _ => CallInput::Malformed(text.to_string()),
        }
    }

    pub fn json(&self) -> Option<&Value> {
        match self {
            CallInput::Json(value) => Some(value),
            CallInput::Malformed(_) => None,
        }
    }
}

/// A call of a computer tool: acts to carry out in order, and one result for all of them.
#[derive(Debug, Clone, PartialEq)]
pub struct ComputerCall {
    pub id: String,
    /// What the provider calls it: a member of a toolset, a predefined function, or the tool.
    pub name: String,
    pub toolset: Option<String>,
    pub actions: Vec<ComputerAction>,
    /// Must all be acknowledged before anything is carried out; by default that fails the step.
    pub pending_safety_checks: Vec<SafetyCheck>,
    /// Which tab is meant, when the model says so.
    pub tab: Option<String>,
    /// Why the model does it, when it says so.
    pub intent: Option<String>,
}

impl ComputerCall {
    pub fn call_ref(&self) -> CallRef {
        let kind = CallKind::Computer { toolset: self.toolset.clone() };
        CallRef { id: self.id.clone(), name: self.name.clone(), kind }
    }
}

/// A doubt of the provider about what the model is about to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SafetyCheck {
    pub id: String,
    /// An unknown or missing code blocks like a known one.
    pub code: Option<String>,
    pub message: Option<String>,
}
