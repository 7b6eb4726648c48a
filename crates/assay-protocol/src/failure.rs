//! Failures, as people and programs read them.

use serde::{Deserialize, Serialize};

/// Every way a request can end badly. The text form is part of the contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    /// The command line could not be read.
    Usage,
    BadSelector,
    NotFound,
    Ambiguous,
    /// The element behind a ref is gone and nothing on the page is clearly the same.
    StaleRef,
    /// No map or effect ever named this ref.
    UnknownRef,
    NotActionable,
    /// What was waited for did not come.
    Timeout,
    /// The page or the server did not answer in time, so nothing is known about them.
    NotResponding,
    DialogOpen,
    NoDialog,
    /// The current tab is gone.
    TabClosed,
    PageCrashed,
    NavigationFailed,
    /// Nothing answers at the address: no server, no such host, no network.
    Unreachable,
    BlockedByPolicy,
    /// The act pays, deletes or runs code, and its caller needs the consent of a user for that.
    ConsentNeeded,
    EvalFailed,
    /// The page accepted another value than the requested one.
    NotAccepted,
    /// A command that changes the page was interrupted; its outcome is unknown.
    OutcomeUnknown,
    Unsupported,
    BrowserMissing,
    BrowserFailed,
    BrowserLost,
    DaemonFailed,
    WrongVersion,
    SessionBusy,
    /// Somebody else controls the device.
    DeviceBusy,
    /// Another run writes its results to the same folder.
    ResultsBusy,
    /// A step needs a model that is not available.
    ModelFailed,
    /// A person has to answer a question first.
    QuestionsOpen,
    /// The output file exists already.
    FileExists,
    /// Somebody asked the work to end before it was done.
    Stopped,
    Io,
    Internal,
}

impl ErrorCode {
    /// The name on the wire and in `--json`.
    pub fn name(self) -> &'static str {
        match self {
            ErrorCode::Usage => "usage",
            ErrorCode::BadSelector => "bad_selector",
            ErrorCode::NotFound => "not_found",
            ErrorCode::Ambiguous => "ambiguous",
            ErrorCode::StaleRef => "stale_ref",
            ErrorCode::UnknownRef => "unknown_ref",
            ErrorCode::NotActionable => "not_actionable",
            ErrorCode::Timeout => "timeout",
            ErrorCode::NotResponding => "not_responding",
            ErrorCode::DialogOpen => "dialog_open",
            ErrorCode::NoDialog => "no_dialog",
            ErrorCode::TabClosed => "tab_closed",
            ErrorCode::PageCrashed => "page_crashed",
            ErrorCode::NavigationFailed => "navigation_failed",
            ErrorCode::Unreachable => "unreachable",
            ErrorCode::BlockedByPolicy => "blocked_by_policy",
            ErrorCode::ConsentNeeded => "consent_needed",
            ErrorCode::EvalFailed => "eval_failed",
            ErrorCode::NotAccepted => "not_accepted",
            ErrorCode::OutcomeUnknown => "outcome_unknown",
            ErrorCode::Unsupported => "unsupported",
            ErrorCode::BrowserMissing => "browser_missing",
            ErrorCode::BrowserFailed => "browser_failed",
            ErrorCode::BrowserLost => "browser_lost",
            ErrorCode::DaemonFailed => "daemon_failed",
            ErrorCode::WrongVersion => "wrong_version",
            ErrorCode::SessionBusy => "session_busy",
            ErrorCode::DeviceBusy => "device_busy",
            ErrorCode::ResultsBusy => "results_busy",
            ErrorCode::ModelFailed => "model_failed",
            ErrorCode::QuestionsOpen => "questions_open",
            ErrorCode::FileExists => "file_exists",
            ErrorCode::Stopped => "stopped",
            ErrorCode::Io => "io",
            ErrorCode::Internal => "internal",
        }
    }

    /// Whether an act that failed with this code may still have been carried out.
    pub fn leaves_it_open(self) -> bool {
        matches!(
            self,
            ErrorCode::OutcomeUnknown
                | ErrorCode::BrowserLost
                | ErrorCode::PageCrashed
                | ErrorCode::DaemonFailed
        )
    }

    /// Whether a failure with this code may repeat what a page says.
    pub fn may_quote_a_page(self) -> bool {
        matches!(
            self,
            ErrorCode::NotFound
                | ErrorCode::Ambiguous
                | ErrorCode::StaleRef
                | ErrorCode::NotActionable
                | ErrorCode::NotAccepted
                | ErrorCode::Timeout
                | ErrorCode::DialogOpen
                | ErrorCode::EvalFailed
                | ErrorCode::NavigationFailed
                | ErrorCode::ConsentNeeded
                | ErrorCode::OutcomeUnknown
        )
    }

    /// Exit codes of the whole product: 1 the page said no, 2 the user's mistake, 3 unclear,
    /// 4 assay or its environment broke, 130 somebody stopped it.
    pub fn exit_code(self) -> u8 {
        match self {
            ErrorCode::NotFound
            | ErrorCode::NotActionable
            | ErrorCode::Timeout
            | ErrorCode::NotResponding
            | ErrorCode::DialogOpen
            | ErrorCode::NoDialog
            | ErrorCode::TabClosed
            | ErrorCode::NavigationFailed
            | ErrorCode::Unreachable
            | ErrorCode::EvalFailed
            | ErrorCode::NotAccepted
            | ErrorCode::PageCrashed => 1,
            ErrorCode::Usage
            | ErrorCode::BadSelector
            | ErrorCode::UnknownRef
            | ErrorCode::BlockedByPolicy
            | ErrorCode::ConsentNeeded
            | ErrorCode::FileExists => 2,
            ErrorCode::Ambiguous
            | ErrorCode::StaleRef
            | ErrorCode::OutcomeUnknown
            | ErrorCode::QuestionsOpen => 3,
            ErrorCode::Unsupported
            | ErrorCode::BrowserMissing
            | ErrorCode::BrowserFailed
            | ErrorCode::BrowserLost
            | ErrorCode::DaemonFailed
            | ErrorCode::WrongVersion
            | ErrorCode::SessionBusy
            | ErrorCode::DeviceBusy
            | ErrorCode::ResultsBusy
            | ErrorCode::ModelFailed
            | ErrorCode::Io
            | ErrorCode::Internal => 4,
            ErrorCode::Stopped => 130,
        }
    }
}

/// A possible target.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    #[serde(rename = "ref")]
    pub reference: String,
    pub role: String,
    pub name: String,
    /// Its position, if the name alone does not distinguish the candidates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
}

/// One failure with its facts, and advice separate from them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    pub code: ErrorCode,
    pub message: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub details: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<Candidate>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

impl Failure {
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Failure {
        Failure { code, message: message.into(), details: Vec::new(), candidates: Vec::new(), hint: None }
    }

    pub fn hint(mut self, hint: impl Into<String>) -> Failure {
        self.hint = Some(hint.into());
        self
    }

    pub fn detail(mut self, detail: impl Into<String>) -> Failure {
        self.details.push(detail.into());
        self
    }

    pub fn candidates(mut self, candidates: Vec<Candidate>) -> Failure {
        self.candidates = candidates;
        self
    }

    /// As a terminal shows it.
    pub fn to_text(&self) -> String {
        let mut text = format!("error: {}", self.message);
        for detail in &self.details {
            text.push_str("\n  ");
            text.push_str(detail);
        }
        for candidate in &self.candidates {
            text.push_str(&format!("\n  {} {}", candidate.reference, candidate.role));
            if !candidate.name.is_empty() {
                text.push_str(&format!(" \"{}\"", candidate.name));
            }
            if let Some(place) = &candidate.place {
                text.push_str(&format!(" in {place}"));
            }
        }
        if let Some(hint) = &self.hint {
            text.push_str("\nhint: ");
            text.push_str(hint);
        }
        text
    }
}
