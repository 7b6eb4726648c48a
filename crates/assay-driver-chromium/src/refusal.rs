//! What the browser's words of refusal mean.

use assay_driver::DriverError;

/// The protocol has one error code for nearly everything, so only its words tell these apart.
pub(crate) fn refusal(method: String, _code: &str, message: String) -> DriverError {
    const DOCUMENT_GONE: &[&str] = &[
        "Cannot find context",
        "Execution context was destroyed",
        "uniqueContextId not found",
        "Inspected target navigated or closed",
        "Promise was collected",
        "Frame with the given id was not found",
        "No frame for given id found",
        "Frame with given id not found",
    ];
    const CLOSED: &[&str] =
        &["Session with given id not found", "Target closed", "No target with given id", "Not attached"];
    if DOCUMENT_GONE.iter().any(|words| message.contains(words)) {
        DriverError::DocumentGone
    } else if CLOSED.iter().any(|words| message.contains(words)) {
        DriverError::Closed
    } else if message.contains("Target crashed") {
        DriverError::Crashed
    } else {
        DriverError::Refused { method, message }
    }
}
