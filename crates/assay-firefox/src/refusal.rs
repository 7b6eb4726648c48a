//! What the browser's codes of refusal mean.

use assay_driver::DriverError;

pub(crate) fn refusal(method: String, code: &str, message: String) -> DriverError {
    // The document went while it was being asked; there is no code for that.
    const DOCUMENT_GONE: &[&str] = &[
        "destroyed before query",
        "AbortError",
        "Discarded",
        "discarded",
        "dead object",
        "Actor '",
        "NS_ERROR_NOT_AVAILABLE",
        "NS_ERROR_FAILURE",
    ];
    match code {
        "no such frame" | "no such script" | "no such node" | "stale element reference" => {
            DriverError::DocumentGone
        }
        "session not created" | "invalid session id" => DriverError::Lost,
        _ if DOCUMENT_GONE.iter().any(|words| message.contains(words)) => DriverError::DocumentGone,
        "" => DriverError::Refused { method, message },
        _ => DriverError::Refused { method, message: format!("{code}: {message}") },
    }
}
