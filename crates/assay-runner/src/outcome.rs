//! The verdict that follows from a failed command.

use assay_protocol::{ErrorCode, Failure, Verdict};

/// The verdict on a step whose command finally failed with this code.
pub(crate) fn verdict_of(failure: &Failure) -> Verdict {
    match failure.code {
        // The page said no.
        ErrorCode::NotFound
        | ErrorCode::NotActionable
        | ErrorCode::NotAccepted
        | ErrorCode::Timeout
        | ErrorCode::PageCrashed
        | ErrorCode::EvalFailed
        | ErrorCode::NoDialog
        | ErrorCode::NavigationFailed
        | ErrorCode::BlockedByPolicy => Verdict::Failed,
        ErrorCode::Ambiguous
        | ErrorCode::StaleRef
        | ErrorCode::UnknownRef
        | ErrorCode::DialogOpen
        | ErrorCode::TabClosed
        | ErrorCode::OutcomeUnknown
        | ErrorCode::ConsentNeeded
        | ErrorCode::Unsupported => Verdict::Inconclusive,
        ErrorCode::Usage
        | ErrorCode::BadSelector
        | ErrorCode::BrowserMissing
        | ErrorCode::BrowserFailed
        | ErrorCode::BrowserLost
        | ErrorCode::DaemonFailed
        | ErrorCode::WrongVersion
        | ErrorCode::SessionBusy
        | ErrorCode::DeviceBusy
        | ErrorCode::ResultsBusy
        | ErrorCode::ModelFailed
        | ErrorCode::QuestionsOpen
        | ErrorCode::FileExists
        | ErrorCode::Stopped
        // No server, no name, no network, no answer: the application was not judged.
        | ErrorCode::NotResponding
        | ErrorCode::Unreachable
        | ErrorCode::Io
        | ErrorCode::Internal => Verdict::Error,
    }
}

/// Whether the same command may succeed after another look at the page. In these cases nothing has happened yet.
pub(crate) fn may_be_tried_again(failure: &Failure) -> bool {
    matches!(
        failure.code,
        ErrorCode::NotFound
            | ErrorCode::NotActionable
            | ErrorCode::Ambiguous
            | ErrorCode::StaleRef
            | ErrorCode::UnknownRef
    )
}
