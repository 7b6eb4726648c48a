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

/// What went wrong on the network, under the name that all drivers use for it.
pub(crate) fn common_name(message: &str) -> String {
    const NAMES: &[(&str, &str)] = &[
        ("NS_ERROR_CONNECTION_REFUSED", "net::ERR_CONNECTION_REFUSED"),
        ("NS_ERROR_OFFLINE", "net::ERR_INTERNET_DISCONNECTED"),
        ("connectionFailure", "net::ERR_CONNECTION_REFUSED"),
        ("NS_ERROR_UNKNOWN_HOST", "net::ERR_NAME_NOT_RESOLVED"),
        ("dnsNotFound", "net::ERR_NAME_NOT_RESOLVED"),
        ("NS_ERROR_NET_RESET", "net::ERR_CONNECTION_RESET"),
        ("netReset", "net::ERR_CONNECTION_RESET"),
        ("NS_ERROR_NET_INTERRUPT", "net::ERR_CONNECTION_RESET"),
        ("netInterrupt", "net::ERR_CONNECTION_RESET"),
        ("deniedPortAccess", "net::ERR_UNSAFE_PORT"),
        ("netOffline", "net::ERR_INTERNET_DISCONNECTED"),
        ("NS_ERROR_NET_EMPTY_RESPONSE", "net::ERR_EMPTY_RESPONSE"),
        ("NS_BINDING_ABORTED", "net::ERR_ABORTED"),
    ];
    let known = NAMES.iter().find(|(words, _)| message.contains(words));
    known.map_or_else(|| message.to_string(), |(_, name)| (*name).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_has_the_same_name_as_elsewhere() {
        assert_eq!(common_name("unknown error: Error: connectionFailure"), "net::ERR_CONNECTION_REFUSED");
        assert_eq!(common_name("something else"), "something else");
    }

    #[test]
    fn a_document_that_goes_is_told_from_a_refusal() {
        let gone =
            refusal("m".into(), "unknown error", "AbortError: Actor 'X' destroyed before query".into());
        assert!(matches!(gone, DriverError::DocumentGone));
        let refused = refusal("m".into(), "invalid argument", "no".into());
        assert_eq!(refused.to_string(), "m was refused: invalid argument: no");
    }
}
