//! What is seen of a live page from outside. Secrets of the test are masked in all of it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PageStatus {
    /// The browser opens, and the test comes to its first step.
    #[default]
    Starting,
    /// It waits for what comes next, and may be used by hand.
    Paused,
    /// A step is being carried out.
    Running,
    Ended,
}

/// A live page at one moment.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct LiveView {
    pub status: PageStatus,
    /// Why it ended, or what is in the way.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub note: String,
    pub url: String,
    pub title: String,
    /// Width and height in CSS pixels: points of pointers count in them.
    pub view: [f64; 2],
    pub tabs: Vec<LiveTab>,
    /// An open dialog of the browser: nothing else can be done until it is answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dialog: Option<LiveDialog>,
    /// The steps of the test in their order.
    pub steps: Vec<LiveStep>,
    /// The place of the next step in `steps`, from 0; their number when all are taken.
    pub next: usize,
    /// A sentence that was tried, and is no step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tried: Option<LiveStep>,
    /// What the claims come to together, when all steps were taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conclusion: Option<StepOutcome>,
    /// The sentences that were recorded, the oldest first.
    pub recorded: Vec<Recorded>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LiveTab {
    pub tab: String,
    pub title: String,
    pub url: String,
    pub current: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LiveDialog {
    /// `alert`, `confirm`, `prompt` or `beforeunload`.
    pub kind: String,
    pub message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct LiveStep {
    /// setup, step or expected.
    pub part: String,
    pub text: String,
    /// The line of the text where it begins; 0 where it has none.
    pub line: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<StepOutcome>,
}

/// How a step ended. It is no result of the test: a test that is stepped through is not counted.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct StepOutcome {
    /// passed, failed, inconclusive or error; `skipped` where it was left out, `recorded` where it was done by hand.
    pub verdict: String,
    /// Empty for a pass.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// What was done, and what came of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub did: Vec<String>,
    /// The elements that the sentence may mean.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<Candidate>,
    pub took_ms: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Candidate {
    #[serde(rename = "ref")]
    pub reference: String,
    pub role: String,
    pub name: String,
    /// Left, top, width, height in CSS pixels of the view; absent where it is out of view.
    #[serde(rename = "box", skip_serializing_if = "Option::is_none")]
    pub area: Option<[f64; 4]>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RecordedKind {
    Act,
    Claim,
    /// No sentence says it: the step is not in the test.
    Unsaid,
}

/// One act or claim as a sentence of the test.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Recorded {
    /// From 1.
    pub number: u64,
    pub kind: RecordedKind,
    /// The sentence; with `exact`, the command; with `unsaid`, what was done.
    pub text: String,
    /// It is a command of `run:`, because no sentence names the element.
    pub exact: bool,
}

/// One element of the page, for a list of them.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct LiveElement {
    /// Absent for text.
    #[serde(rename = "ref", skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    pub role: String,
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub states: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    #[serde(rename = "box")]
    pub area: [f64; 4],
}

/// What the page wrote to its console, and what it asked of the network.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LiveLog {
    pub console: Vec<String>,
    pub network: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LivePicture {
    /// Grows from picture to picture.
    pub number: u64,
    pub media_type: String,
    /// In Base64.
    pub data: String,
}

/// What changed since the numbers that the caller knows.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct LiveUpdate {
    /// The number of the newest state.
    pub state: u64,
    /// Absent where the caller knows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<LiveView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub picture: Option<LivePicture>,
}
