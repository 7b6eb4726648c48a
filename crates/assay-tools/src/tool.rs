//! What is known of a tool before it is called.

use assay_protocol::actions::ActionEntry;
use serde_json::{Map, Value};

use crate::answer::ToolAnswer;
use crate::call::CallSpec;
use crate::program::Program;

/// A tool: its contract and how it is carried out.
pub struct Tool {
    pub name: &'static str,
    pub title: &'static str,
    /// At most twenty words.
    pub description: &'static str,
    /// A JSON Schema of an object.
    pub input: Map<String, Value>,
    /// A JSON Schema of the structured part of the answer.
    pub output: Option<Map<String, Value>>,
    pub effects: Effects,
    pub group: Group,
    pub cost: Cost,
    /// The answer in words, of a command that has none of its own.
    pub(crate) says: Option<Says>,
    /// The tool whose answer a user should see before this one does its work.
    pub(crate) shows_first: Option<&'static str>,
    pub(crate) does: Does,
}

/// What a call can do to the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effects {
    pub reads_only: bool,
    pub destroys: bool,
    /// Called twice, it is the same as once.
    pub is_idempotent: bool,
    /// It reaches beyond the project: pages, models.
    pub is_open_world: bool,
}

impl Effects {
    pub(crate) const READS: Effects =
        Effects { reads_only: true, destroys: false, is_idempotent: true, is_open_world: false };
    pub(crate) const WRITES: Effects =
        Effects { reads_only: false, destroys: false, is_idempotent: true, is_open_world: false };
    /// Runs tests, which act on applications.
    pub(crate) const RUNS: Effects =
        Effects { reads_only: false, destroys: false, is_idempotent: false, is_open_world: true };
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    Browser,
    Tests,
    Runs,
    Heals,
    History,
    Planning,
    Requirements,
    Scripts,
    Navigation,
    Devices,
    CommandLine,
}

impl Group {
    pub fn name(self) -> &'static str {
        match self {
            Group::Browser => "browser",
            Group::Tests => "tests",
            Group::Runs => "runs",
            Group::Heals => "heals",
            Group::History => "history",
            Group::Planning => "planning",
            Group::Requirements => "requirements",
            Group::Scripts => "scripts",
            Group::Navigation => "navigation",
            Group::Devices => "devices",
            Group::CommandLine => "command line",
        }
    }
}

/// How long a call may take, for callers that choose or wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cost {
    /// Milliseconds.
    Quick,
    /// Seconds: a page acts.
    Moderate,
    /// Minutes: tests run.
    Long,
}

impl Cost {
    pub fn name(self) -> &'static str {
        match self {
            Cost::Quick => "quick",
            Cost::Moderate => "moderate",
            Cost::Long => "long",
        }
    }
}

/// Why arguments do not fit.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Misfit {
    #[error("{0}")]
    Shape(#[from] serde_json::Error),
    #[error("{0}")]
    Value(String),
}

/// Work in the folder of the project.
pub(crate) type WorkHere = fn(Map<String, Value>, &dyn Program, &CallSpec<'_>) -> Result<ToolAnswer, Misfit>;

/// An answer in words, if it has the form that is expected.
pub(crate) type Says = fn(&Value) -> Option<String>;

pub(crate) type Words = Result<Vec<String>, Misfit>;

/// Data of a command in the form that the schema of its tool promises.
pub(crate) type Fit = fn(Value) -> serde_json::Result<Value>;

pub(crate) enum Does {
    /// One action in the browser of the caller's session.
    Act(&'static ActionEntry),
    /// A command in the session of the caller, with its words for readers.
    Sentence(fn(Map<String, Value>) -> Words),
    /// A command of the command line; with `--json`, its data is the structured answer.
    Command(fn(Map<String, Value>) -> Words, Fit),
    /// A command line as people type it.
    CommandLine,
    /// Carried out here, in the folder of the project.
    Here(WorkHere),
}
