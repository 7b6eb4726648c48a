//! Messages between a client and a daemon: one JSON object per line, in both directions.

use serde::{Deserialize, Serialize};

use crate::{Action, Answer, Failure, TaskId};

/// Raised when the meaning of a message changes. A daemon refuses other versions with a sentence.
pub const PROTOCOL_VERSION: u32 = 1;

/// The daemon's greeting for a connection. A client that has not read it has not been served:
/// its request cannot have been carried out.
pub const GREETING: &str = "assay\n";

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Request {
    pub version: u32,
    /// The client's build: after an upgrade, it reveals an old daemon.
    pub build: String,
    pub ask: Ask,
    /// How long the whole request may take, counted from its arrival.
    pub deadline_ms: u64,
    /// Whether to wait for a target that does not exist yet.
    #[serde(default)]
    pub wait: bool,
    /// Most tokens in the answer's text; none means all of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<usize>,
    pub format: Format,
    /// The caller's wishes for the browser, compared with the running one.
    #[serde(default, skip_serializing_if = "BrowserSettings::is_empty")]
    pub browser: BrowserSettings,
    /// Address schemes beyond http and https that this request may open.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allow: Vec<String>,
    #[serde(default, skip_serializing_if = "RequestedBy::is_nobody_special")]
    pub by: RequestedBy,
}

/// Who stands behind a request.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequestedBy {
    /// The name under which devices are controlled; empty if none was given.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub owner: String,
    /// The device that the caller took, and must still control.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub controls: Option<String>,
    /// Limits for somebody who works for a user, such as an agent; none for the user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guest: Option<GuestLimits>,
    /// The folder whose project hears of it if the browser fails; none for who only looks after it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
}

/// What a user agreed to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Agreed {
    #[default]
    Nothing,
    /// The refusal with this message, for one call.
    To(String),
    Everything,
}

/// What somebody who works for a user may do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GuestLimits {
    /// What the user agreed to of acts that pay, delete or run code.
    #[serde(default)]
    pub agreed: Agreed,
    /// Files of this folder may be used.
    pub folder: String,
    /// Pictures that are shown, and not kept, go through this folder.
    pub pictures: String,
    /// The user trusts the folder: other files may be used too, but never uploaded.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_trusted: bool,
}

impl RequestedBy {
    pub fn is_nobody_special(&self) -> bool {
        *self == RequestedBy::default()
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ask {
    Act(Action),
    /// Answered at once, whatever a page is doing.
    Control(Control),
    /// Records every act that changes a page for this task from now on; None ends it.
    Follow(Option<FollowOrder>),
}

/// Which task, and where its state is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FollowOrder {
    pub folder: String,
    pub task: TaskId,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Control {
    Status,
    Stop,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    Text,
    Json,
}

/// The browser to use for a session. Empty fields mean "as it is".
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BrowserSettings {
    /// Which engine: chromium, firefox, webkit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub headless: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Address of a running browser to attach to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub connect: Option<String>,
    /// What a server is asked for when it opens the browser: a JSON object of WebDriver capabilities.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capabilities: Option<String>,
    /// A local port at which other programs may attach to the browser, if it supports that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub debugging_port: Option<u16>,
}

impl BrowserSettings {
    pub fn is_empty(&self) -> bool {
        *self == BrowserSettings::default()
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reply {
    pub outcome: Outcome,
    /// Notes beside the answer; printed to standard error.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    Text {
        text: String,
        /// 0, or 1 when the answer is "no" (`is`).
        exit: u8,
    },
    Answer {
        answer: Box<Answer>,
        exit: u8,
    },
    Status(DaemonStatus),
    Failed(Failure),
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DaemonStatus {
    pub session: String,
    pub pid: u32,
    pub build: String,
    pub browser: Option<String>,
    pub browser_pid: Option<u32>,
    pub headless: bool,
    pub tabs: usize,
    pub uptime_s: u64,
    /// What is being carried out now, if anything.
    pub busy: Option<String>,
    pub queued: usize,
}
