//! What is answered to a call of the model.

use super::Part;
use crate::answer::SafetyCheck;

/// Which call is answered. Taken from the call itself, so that nothing has to be looked up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallRef {
    pub id: String,
    pub name: String,
    pub kind: CallKind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CallKind {
    Function,
    /// A computer tool of the provider. Toolsets want their name back with each result.
    Computer {
        toolset: Option<String>,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Done,
    /// It did not work; the parts say why.
    Failed,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ToolResult {
    pub call: CallRef,
    pub outcome: Outcome,
    pub parts: Vec<Part>,
    /// Exactly those checks that the configuration allows by name. Normally none.
    pub acknowledged: Vec<SafetyCheck>,
    /// The open tabs, for the providers whose contract has a place for them. Empty: not told.
    pub tabs: Vec<Tab>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tab {
    pub id: String,
    pub title: String,
    pub url: String,
    pub active: bool,
}

impl ToolResult {
    pub fn done(call: CallRef, parts: Vec<Part>) -> ToolResult {
        ToolResult { call, outcome: Outcome::Done, parts, acknowledged: Vec::new(), tabs: Vec::new() }
    }

    pub fn failed(call: CallRef, why: impl Into<String>) -> ToolResult {
        let parts = vec![Part::Text(why.into())];
        ToolResult { call, outcome: Outcome::Failed, parts, acknowledged: Vec::new(), tabs: Vec::new() }
    }

    /// All texts, a line each.
    pub fn text(&self) -> String {
        let texts: Vec<&str> = self
            .parts
            .iter()
            .filter_map(|part| match part {
                Part::Text(text) => Some(text.as_str()),
                Part::Picture(_) => None,
            })
            .collect();
        texts.join("\n")
    }

    /// The page that is shown, where tabs were told.
    pub fn active_url(&self) -> Option<&str> {
        self.tabs.iter().find(|tab| tab.active).map(|tab| tab.url.as_str())
    }
}
