//! Errors below the seam.

use crate::Capability;

#[derive(Debug, thiserror::Error)]
pub enum DriverError {
    #[error("no {driver} browser was found")]
    BrowserMissing { driver: &'static str, looked: Vec<String>, install: Option<String> },
    #[error("{driver} needs a display, and there is neither one nor Xvfb")]
    DisplayMissing { driver: &'static str, install: Option<String> },
    #[error("{driver} did not start: {reason}")]
    LaunchFailed { driver: &'static str, reason: String, output: Vec<String> },
    #[error("could not connect to {address}: {reason}")]
    ConnectFailed { address: String, reason: String },
    #[error("{driver} cannot {capability}")]
    Unsupported { driver: &'static str, capability: Capability },
    #[error("the connection to the browser was lost")]
    Lost,
    #[error("the page crashed")]
    Crashed,
    /// The tab was closed.
    #[error("the tab is closed")]
    Closed,
    /// Another document is replacing the one that got the call.
    #[error("the document is gone")]
    DocumentGone,
    #[error("no answer within the time allowed")]
    Timeout,
    /// The page script threw: a defect of assay, or a page that broke a built-in.
    #[error("the page script failed: {message}")]
    Script { message: String },
    #[error("{method} was refused: {message}")]
    Refused { method: String, message: String },
    #[error("{what}: {source}")]
    Io { what: String, source: std::io::Error },
}

impl DriverError {
    pub fn io(what: impl Into<String>, source: std::io::Error) -> DriverError {
        DriverError::Io { what: what.into(), source }
    }
}
