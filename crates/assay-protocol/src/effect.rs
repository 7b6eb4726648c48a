//! What an action changed.

use serde::{Deserialize, Serialize};

use crate::{ElementLine, PageLine};

/// The whole effect of one action; answers cut it to a budget, `--json` gives all of it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Effect {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub did: Option<Did>,
    /// Set when the address, the title or the document changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<PageLine>,
    /// The address before the act, where the caller can be taken to know it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dialog: Option<BrowserDialog>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tabs: Vec<NewTab>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub downloads: Vec<Download>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed_requests: Vec<FailedRequest>,
    /// What the page wanted to reach and the policy did not let it, since the act before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blocked: Vec<BlockedRequests>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub console_errors: Vec<String>,
    /// What the page was still doing when the answer was given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub still_busy: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// What was asked of the network. Not part of an answer: `assay network` tells it to those who want to know.
    #[serde(skip)]
    pub requests: Vec<RequestMade>,
}

/// One request that an act led to, of a document or of page code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestMade {
    pub method: String,
    pub url: String,
    /// Names in what was sent; none where the browser does not tell.
    pub fields: Option<Vec<String>>,
    /// The page wants no answer: it counts its visitors.
    pub is_beacon: bool,
    /// Who decided what became of it, where that was not the application.
    pub arranged: Option<Arrangement>,
}

/// What the author of a test arranged for a request: what becomes of it says nothing about the application.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arrangement {
    /// A route answers it, or breaks its connection.
    Routed,
    /// The network is cut off.
    Offline,
}

/// Requests to one host that the policy kept from leaving the browser.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockedRequests {
    pub host: String,
    pub requests: u32,
}

impl std::fmt::Display for BlockedRequests {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let noun = if self.requests == 1 { "request" } else { "requests" };
        write!(formatter, "blocked: {} {noun} to {} by policy", self.requests, self.host)
    }
}

/// What was done to which element, where the caller could not know it already.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Did {
    /// Past tense: `clicked`.
    #[serde(rename = "deed")]
    pub verb: String,
    pub element: ElementLine,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChangeKind {
    Added,
    Changed,
    Removed,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Change {
    pub kind: ChangeKind,
    #[serde(rename = "ref", default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    pub role: String,
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub states: Vec<String>,
    /// What it was before, for a change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub was: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BrowserDialog {
    /// `alert`, `confirm`, `prompt` or `beforeunload`.
    pub kind: String,
    pub message: String,
    /// What a prompt holds before anything is typed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewTab {
    pub tab: String,
    pub title: String,
    pub url: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Download {
    pub name: String,
    /// None while it is under way or when it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    pub state: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedRequest {
    pub method: String,
    pub url: String,
    /// `500` or the network error.
    pub why: String,
}
