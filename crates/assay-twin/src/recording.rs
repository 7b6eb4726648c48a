//! What was seen of one run: per test, per step, an observation.

use serde::{Deserialize, Serialize};

use assay_protocol::{Part, Verdict};

use crate::page::PageSeen;

/// Something that was looked at, or why it could not be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Seen<T> {
    There(T),
    Unseen(String),
}

impl<T> Seen<T> {
    pub fn there(&self) -> Option<&T> {
        match self {
            Seen::There(thing) => Some(thing),
            Seen::Unseen(_) => None,
        }
    }
}

/// One run against one build.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Recording {
    pub tests: Vec<TestSeen>,
}

impl Recording {
    pub fn test(&self, id: &str) -> Option<&TestSeen> {
        self.tests.iter().find(|test| test.id == id)
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TestSeen {
    pub id: String,
    pub name: String,
    pub file: String,
    pub steps: Vec<StepSeen>,
    /// None if it did not come to an end.
    pub verdict: Option<Verdict>,
    pub reason: String,
}

/// One step and what could be seen when it was over.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StepSeen {
    /// From 1, through all parts of the test.
    pub number: usize,
    pub part: Part,
    pub text: String,
    pub verdict: Verdict,
    pub reason: String,
    pub took_ms: u64,
    pub effect: EffectSeen,
    pub page: Seen<PageSeen>,
    pub requests: Seen<Vec<RequestSeen>>,
    pub picture: Seen<PictureSeen>,
}

/// What the acts of a step led to, without what the page shows afterwards.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EffectSeen {
    /// The paths that its acts led to.
    pub lands: Vec<String>,
    /// `confirm`, `tab`, `download`.
    pub opens: Vec<String>,
    /// Changes on the page by kind: `added status`.
    pub changes: Vec<String>,
    pub console_errors: Vec<String>,
}

/// One request that was made during a step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequestSeen {
    pub method: String,
    /// Without the address of the build and without a query.
    pub path: String,
    pub query: Vec<(String, String)>,
    /// `document`, `fetch`, `resource`, `beacon`, `stream`.
    pub kind: String,
    /// `200`, a network error, or `pending`.
    pub outcome: String,
    /// Names in what was sent; none where nothing was, or the browser does not tell.
    pub fields: Option<Vec<String>>,
}

/// A picture of the page, kept as a file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PictureSeen {
    /// Relative to the folder of the recording. Two where the page did not come to rest.
    pub files: Vec<String>,
    /// Of the bytes of the last one.
    pub hash: u64,
    /// Of the whole page, or only of the part in view.
    pub is_whole: bool,
    /// How far the page was scrolled, in CSS pixels.
    pub scrolled: [f64; 2],
    /// The width of the view in CSS pixels.
    pub view_width: f64,
}
