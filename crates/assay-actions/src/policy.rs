//! Which addresses may be opened.

use assay_protocol::{ErrorCode, Failure};

/// What the caller allows beyond the web: `file`, `data`, `chrome`, …
#[derive(Debug, Clone, Default)]
pub struct Policy {
    pub allowed_schemes: Vec<String>,
}

/// Never opened by `go`, whatever is allowed: it would run code in the page that is open.
const NEVER: &str = "javascript";

impl Policy {
    /// The address to open, with its scheme made explicit.
    pub fn check(&self, address: &str) -> Result<String, Failure> {
        let address = address.trim();
        if address.is_empty() {
            return Err(Failure::new(ErrorCode::Usage, "expected an address, found nothing")
                .hint("assay go http://127.0.0.1:8080/"));
        }
        if address.chars().any(|letter| letter.is_whitespace() || letter.is_control()) {
            return Err(Failure::new(
                ErrorCode::Usage,
                format!("expected an address without blanks, found `{address}`"),
            ));
        }
        if address == "about:blank" {
            return Ok(address.to_string());
        }
        let Some(scheme) = scheme_of(address) else {
            return Ok(with_scheme(address));
        };
        let scheme = scheme.to_lowercase();
        if scheme == "http" || scheme == "https" {
            return Ok(address.to_string());
        }
        if scheme != NEVER && self.allowed_schemes.contains(&scheme) {
            return Ok(address.to_string());
        }
        let failure = Failure::new(
            ErrorCode::BlockedByPolicy,
            format!(
                "expected an http or https address, found `{address}`: `{scheme}:` addresses are not opened"
            ),
        );
        if scheme == NEVER {
            return Err(failure.hint("assay eval EXPRESSION runs code in the page"));
        }
        Err(failure.hint(format!("assay go --allow {scheme} {address}")))
    }
}

/// `host:8080/path` has no scheme; `mailto:x` has one.
fn scheme_of(address: &str) -> Option<&str> {
    let (scheme, rest) = address.split_once(':')?;
    let plain = scheme.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && scheme.chars().all(|letter| letter.is_ascii_alphanumeric() || "+-.".contains(letter));
    let is_port = rest.starts_with(|letter: char| letter.is_ascii_digit());
    (plain && !is_port).then_some(scheme)
}

/// Machines of one's own are reached without TLS, others with it.
fn with_scheme(address: &str) -> String {
    let host = address.split(['/', ':', '?', '#']).next().unwrap_or_default();
    let local = host == "localhost"
        || host.starts_with("127.")
        || host.starts_with("10.")
        || host.starts_with("192.168.")
        || address.starts_with('[')
        || !host.contains('.');
    format!("{}://{address}", if local { "http" } else { "https" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(address: &str, expected: &str) {
        let actual = match Policy::default().check(address) {
            Ok(url) => url,
            Err(failure) => failure.message,
        };
        assert_eq!(actual, expected);
    }

    #[test]
    fn web_addresses_are_opened_and_get_a_scheme() {
        check("http://127.0.0.1:8080/login", "http://127.0.0.1:8080/login");
        check("localhost:8080/login", "http://localhost:8080/login");
        check("example.com", "https://example.com");
        check("about:blank", "about:blank");
    }

    #[test]
    fn other_schemes_are_refused_unless_allowed() {
        let refusal =
            "expected an http or https address, found `file:///etc/passwd`: `file:` addresses are not opened";
        check("file:///etc/passwd", refusal);
        let policy = Policy { allowed_schemes: vec!["file".to_string(), "javascript".to_string()] };
        assert_eq!(policy.check("file:///etc/passwd").unwrap(), "file:///etc/passwd");
        assert_eq!(policy.check("javascript:alert(1)").unwrap_err().code, ErrorCode::BlockedByPolicy);
        assert_eq!(policy.check("FILE:///x").unwrap(), "FILE:///x");
    }

    #[test]
    fn an_empty_or_broken_address_is_a_mistake_of_the_user() {
        check("", "expected an address, found nothing");
        check("not an address", "expected an address without blanks, found `not an address`");
    }
}
