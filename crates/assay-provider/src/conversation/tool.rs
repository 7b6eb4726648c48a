//! What a model may call: functions of ours, and the computer tools that providers have trained in.

use std::collections::BTreeMap;

use serde_json::Value;

#[derive(Debug, Clone, PartialEq)]
pub enum Tool {
    Function(FunctionTool),
    Computer(ComputerTool),
}

/// A function of ours.
#[derive(Debug, Clone, PartialEq)]
pub struct FunctionTool {
    /// Letters, digits, `_` and `-`, at most 64: what every provider takes.
    pub name: String,
    pub description: String,
    /// JSON Schema of an object.
    pub schema: Value,
    /// Whether the provider is to hold the model to the schema. Then every object must be closed
    /// and name all its properties as required.
    pub strict: bool,
}

/// A tool that the provider itself declares. Each belongs to one format, and is refused by the others.
#[derive(Debug, Clone, PartialEq)]
pub enum ComputerTool {
    /// OpenAI's. The current shape has no fields; the size is told only to models that still take the
    /// legacy shape (`computer-use-preview…`).
    OpenAi { width: u32, height: u32, environment: Environment },
    /// Anthropic's toolset for browsers. `members` switches single ones on or off.
    AnthropicBrowser { members: BTreeMap<String, bool> },
    /// Anthropic's toolset for a whole screen.
    AnthropicComputer { members: BTreeMap<String, bool> },
    /// The single tool of older Anthropic models. Needs a beta header, which is sent with it.
    AnthropicSingle { version: SingleComputerVersion, width: u32, height: u32 },
    /// Gemini's.
    Gemini {
        environment: Environment,
        /// Predefined functions that the model shall not use.
        excluded: Vec<String>,
        /// Whether the provider looks for instructions that the page smuggles in.
        detects_injection: bool,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Environment {
    Browser,
    Desktop,
    Mobile,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SingleComputerVersion {
    V20250124,
    V20251124,
}

impl ComputerTool {
    /// For messages: what it is called by its provider.
    pub fn describe(&self) -> &'static str {
        match self {
            ComputerTool::OpenAi { .. } => "OpenAI's computer tool",
            ComputerTool::AnthropicBrowser { .. } => "Anthropic's browser toolset",
            ComputerTool::AnthropicComputer { .. } => "Anthropic's computer toolset",
            ComputerTool::AnthropicSingle { .. } => "Anthropic's computer tool",
            ComputerTool::Gemini { .. } => "Gemini's computer use",
        }
    }
}
