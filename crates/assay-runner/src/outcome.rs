//! What a failed command says about the application under test.

use assay_protocol::{ErrorCode, Failure, Verdict};

/// The verdict on a step whose command ended so for good.
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
        | ErrorCode::BlockedByPolicy => Verdict::Failed,
        ErrorCode::NavigationFailed => {
            // No server, no name, no network: nothing was learnt about the application.
            let unreachable = ["REFUSED", "NAME_NOT_RESOLVED", "UNREACHABLE", "DISCONNECTED", "TIMED_OUT"];
            // The address comes first, and may hold any word.
            let message = failure.message.rsplit("did not load: ").next().unwrap_or_default().to_uppercase();
            if unreachable.iter().any(|word| message.contains(word)) {
                Verdict::Error
            } else {
                Verdict::Failed
            }
        }
        ErrorCode::Ambiguous
        | ErrorCode::StaleRef
        | ErrorCode::UnknownRef
        | ErrorCode::DialogOpen
        | ErrorCode::TabClosed
        | ErrorCode::OutcomeUnknown
        | ErrorCode::Unsupported => Verdict::Inconclusive,
        ErrorCode::Usage
        | ErrorCode::BadSelector
        | ErrorCode::BrowserMissing
        | ErrorCode::BrowserFailed
        | ErrorCode::BrowserLost
        | ErrorCode::DaemonFailed
        | ErrorCode::WrongVersion
        | ErrorCode::SessionBusy
        | ErrorCode::Io
        | ErrorCode::Internal => Verdict::Error,
    }
}

/// Whether the same command may succeed after another look at the page. Nothing was done yet in these cases.
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
