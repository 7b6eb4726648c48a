//! What the browser's words of refusal mean.

use assay_driver::DriverError;

use crate::input::MOUSE;

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

/// Whether a refusal is not about the command whose number it has. When the pointer is sent on before the page has
/// dealt with the step before, WebKit gives up on that step's answer under the number of the one that it is at,
/// which is answered later.
pub(crate) fn is_of_step_before(method: &str, message: &str) -> bool {
    method == MOUSE && message == "Timeout"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_of_the_pointer_a_late_step_is_given_up() {
        assert!(is_of_step_before(MOUSE, "Timeout"));
        assert!(!is_of_step_before(MOUSE, "WindowNotFound"));
        assert!(!is_of_step_before("Automation.navigateBrowsingContext", "Timeout"));
    }
}
