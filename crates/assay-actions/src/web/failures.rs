//! The obstacles to an action, in words for users.

use assay_driver::DriverError;
use assay_protocol::{BrowserDialog, ErrorCode, Failure};

/// A browser without a tab has no page that could be to blame.
pub(crate) fn not_opened(err: DriverError) -> Failure {
    match err {
        DriverError::Lost => browser_lost(),
        other => Failure::new(ErrorCode::BrowserFailed, format!("the browser did not open a tab: {other}"))
            .hint("run `assay doctor` to find the cause"),
    }
}

/// Why a wait for the page ended early.
pub(crate) enum Interrupted {
    Dialog(BrowserDialog),
    Driver(DriverError),
}

pub(crate) fn dialog_open(dialog: &BrowserDialog) -> Failure {
    Failure::new(ErrorCode::DialogOpen, format!("a dialog is open: {} \"{}\"", dialog.kind, dialog.message))
        .hint("assay dialog accept, or assay dialog dismiss")
}

pub(crate) fn unknown_ref(id: u32) -> Failure {
    Failure::new(ErrorCode::UnknownRef, format!("there is no e{id}: no map or answer has named it"))
        .hint("assay map shows the page")
}

pub(crate) fn earlier_page(id: u32, place: &str) -> Failure {
    Failure::new(ErrorCode::StaleRef, format!("e{id} was on {place}"))
        .hint("assay map shows the page as it is now")
}

pub(crate) fn no_tab() -> Failure {
    Failure::new(ErrorCode::TabClosed, "no tab is open").hint("assay tab-new ADDRESS")
}

pub(crate) fn browser_lost() -> Failure {
    Failure::new(ErrorCode::BrowserLost, "the browser ended unexpectedly")
        .hint("run the command again; it starts a new browser, without the old tabs and logins")
}

/// A driver's error as the user reads it.
pub(crate) fn from_driver(err: DriverError, doing: &str) -> Failure {
    match err {
        DriverError::Timeout => {
            Failure::new(ErrorCode::NotResponding, format!("{doing}: the page did not respond in time"))
                .hint("a script of the page may be stuck: assay reload, or assay tab-close")
        }
        DriverError::Lost => browser_lost(),
        DriverError::Crashed => Failure::new(ErrorCode::PageCrashed, format!("{doing}: the page crashed"))
            .hint("assay reload, or assay go ADDRESS"),
        DriverError::Closed => {
            Failure::new(ErrorCode::TabClosed, format!("{doing}: the tab is closed")).hint("assay tabs")
        }
        DriverError::DocumentGone => Failure::new(
            ErrorCode::NotResponding,
            format!("{doing}: another page replaced this one in the meantime"),
        )
        .hint("run the command again"),
        DriverError::Unsupported { .. } => Failure::new(ErrorCode::Unsupported, err.to_string()),
        DriverError::Io { .. } => Failure::new(ErrorCode::Io, err.to_string()),
        DriverError::Script { .. } | DriverError::Refused { .. } => {
            Failure::new(ErrorCode::Internal, format!("{doing}: {err}"))
        }
        DriverError::BrowserMissing { .. } | DriverError::DisplayMissing { .. } => {
            Failure::new(ErrorCode::BrowserMissing, err.to_string())
        }
        DriverError::LaunchFailed { .. } | DriverError::ConnectFailed { .. } => {
            Failure::new(ErrorCode::BrowserFailed, err.to_string())
        }
    }
}

impl Interrupted {
    pub(crate) fn into_failure(self, doing: &str) -> Failure {
        match self {
            Interrupted::Dialog(dialog) => dialog_open(&dialog),
            Interrupted::Driver(err) => from_driver(err, doing),
        }
    }
}
