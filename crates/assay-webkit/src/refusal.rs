//! What the browser's words of refusal mean.

use assay_driver::DriverError;

/// The protocol has one error code for nearly everything, so only its words tell these apart.
pub(crate) fn refusal(method: String, message: String) -> DriverError {
    const DOCUMENT_GONE: &[&str] = &[
        "Missing injected script",
        "Missing content frame",
        "Missing frame for given",
        "Could not find InjectedScript",
        "Could not find object",
        "Missing global object",
    ];
    const CLOSED: &[&str] = &["WindowNotFound"];
    if DOCUMENT_GONE.iter().any(|words| message.contains(words)) {
        DriverError::DocumentGone
    } else if CLOSED.iter().any(|words| message.contains(words)) {
        DriverError::Closed
    } else {
        DriverError::Refused { method, message }
    }
}
