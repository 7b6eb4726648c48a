//! A script as its file declares it.

use std::path::PathBuf;
use std::time::Duration;

use assay_protocol::RequirementLink;

use super::parameter::ScriptParameter;

#[derive(Debug, Clone, PartialEq)]
pub struct Script {
    /// The path of its file below `scripts/`, without the ending: `seed`, `shop/seed`.
    pub name: String,
    /// What it does, in one line.
    pub title: Option<String>,
    pub description: Option<String>,
    /// As it is shown.
    pub file: PathBuf,
    /// Its real path.
    pub path: PathBuf,
    /// Where it begins in its file.
    pub line: usize,
    pub body: ScriptBody,
    pub parameters: Vec<ScriptParameter>,
    pub timeout: Option<Duration>,
    pub tags: Vec<String>,
    pub requirements: Vec<RequirementLink>,
}

impl Script {
    /// The name of its results among those of tests. No test can have it.
    pub fn id(&self) -> String {
        format!("script:{}", self.name)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ScriptBody {
    /// The words of a command, as they are written.
    Program(Vec<String>),
    /// Steps of a test, which run in a browser.
    Steps,
}
