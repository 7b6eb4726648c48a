//! The policy: which addresses may be opened, which hosts reached, which keys pressed, which files used.

mod consent;
mod files;
mod keys;
mod weighty;

use assay_driver::KeyStroke;
use assay_protocol::{ErrorCode, Failure};

pub use consent::Consent;
pub(crate) use consent::{Labels, shortened};
pub use files::{FileAccess, ProjectFiles, real_path};
pub use keys::{Clipboard, Proposer, policy_key};
pub use weighty::{WeightyWords, weighty_words};

/// What a caller may do.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Policy {
    /// Beyond the web: `file`, `data`, `chrome`, …
    pub allowed_schemes: Vec<String>,
    /// None means every domain; an empty list means no domain. A domain includes its subdomains.
    pub allowed_domains: Option<Vec<String>>,
    /// Blocked whatever is allowed.
    pub blocked_domains: Vec<String>,
    /// Keys that are always refused.
    pub blocked_keys: Vec<KeyStroke>,
    /// Keys that may be pressed although they lead out of the page or use the clipboard.
    pub allowed_keys: Vec<KeyStroke>,
    pub clipboard: Clipboard,
    pub files: FileAccess,
    pub proposed_by: Proposer,
    pub consent: Consent,
}

/// Never opened by `go`, whatever is allowed: it would run code in the page that is open.
const NEVER: &str = "javascript";

impl Policy {
    /// The address to open, with its scheme made explicit.
    pub fn check(&self, address: &str) -> Result<String, Failure> {
        let address = self.check_scheme(address)?;
        self.check_domain(&address)?;
        Ok(address)
    }

    pub fn limits_domains(&self) -> bool {
        self.allowed_domains.is_some() || !self.blocked_domains.is_empty()
    }

    /// Whether both hold to the same domains.
    pub fn has_same_domains(&self, other: &Policy) -> bool {
        self.allowed_domains == other.allowed_domains && self.blocked_domains == other.blocked_domains
    }

    /// Whether a page at this address may be shown. Addresses without a host, such as an empty page, may.
    pub fn check_domain(&self, address: &str) -> Result<(), Failure> {
        match host_of(address) {
            Some(host) => self.check_host(&host),
            None => Ok(()),
        }
    }

    /// Whether this host, a name or an address without port and brackets, may be reached.
    pub fn check_host(&self, host: &str) -> Result<(), Failure> {
        let host = host.trim_end_matches('.').to_lowercase();
        let refused = |why: String| {
            Err(Failure::new(ErrorCode::BlockedByPolicy, format!("`{host}` may not be opened: {why}"))
                .hint("`policy` in the test or in assay.yaml says which domains are allowed"))
        };
        if let Some(domain) = self.blocked_domains.iter().find(|domain| is_within(&host, domain)) {
            return refused(format!("the policy blocks `{domain}`"));
        }
        match &self.allowed_domains {
            Some(allowed) if !allowed.iter().any(|domain| is_within(&host, domain)) => {
                refused(format!("the policy allows {}", listed(allowed)))
            }
            _ => Ok(()),
        }
    }

    fn check_scheme(&self, address: &str) -> Result<String, Failure> {
        let address = address.trim();
        if address.is_empty() {
            return Err(Failure::new(ErrorCode::Usage, "expected an address, found nothing")
                .hint("assay go http://127.0.0.1:8080/"));
        }
        if address.chars().any(|letter| letter.is_whitespace() || letter.is_control()) {
            return Err(Failure::new(
                ErrorCode::Usage,
                format!("expected an address without spaces, found `{address}`"),
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

/// Whether an address leads to a server.
pub(crate) fn has_host(address: &str) -> bool {
    host_of(address).is_some()
}

/// The host of a web address, in lower case, without port and user.
fn host_of(address: &str) -> Option<String> {
    let (scheme, rest) = address.split_once("://")?;
    if !["http", "https", "ws", "wss"].contains(&scheme.to_lowercase().as_str()) {
        return None;
    }
    let authority = rest.split(['/', '?', '#', '\\']).next()?;
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let host = match host.strip_prefix('[') {
        Some(inner) => inner.split(']').next()?,
        None => host.split(':').next()?,
    };
    Some(host.to_string())
}

/// `shop.example.com` is within `example.com`; `badexample.com` is not. `*.example.com` means the same.
fn is_within(host: &str, domain: &str) -> bool {
    let domain = domain.trim_start_matches("*.").trim_end_matches('.').to_lowercase();
    domain == "*" || host == domain || host.strip_suffix(&domain).is_some_and(|above| above.ends_with('.'))
}

fn listed(domains: &[String]) -> String {
    if domains.is_empty() { "none".to_string() } else { domains.join(", ") }
}

/// `host:8080/path` has no scheme; `mailto:x` has one.
fn scheme_of(address: &str) -> Option<&str> {
    let (scheme, rest) = address.split_once(':')?;
    let plain = scheme.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && scheme.chars().all(|letter| letter.is_ascii_alphanumeric() || "+-.".contains(letter));
    let is_port = rest.starts_with(|letter: char| letter.is_ascii_digit());
    (plain && !is_port).then_some(scheme)
}

/// Local machines are reached without TLS, others with it.
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
        let allowed_schemes = vec!["file".to_string(), "javascript".to_string()];
        let policy = Policy { allowed_schemes, ..Policy::default() };
        assert_eq!(policy.check("file:///etc/passwd").unwrap(), "file:///etc/passwd");
        assert_eq!(policy.check("javascript:alert(1)").unwrap_err().code, ErrorCode::BlockedByPolicy);
        assert_eq!(policy.check("FILE:///x").unwrap(), "FILE:///x");
    }

    #[test]
    fn an_empty_or_broken_address_is_a_mistake_of_the_user() {
        check("", "expected an address, found nothing");
        check("not an address", "expected an address without spaces, found `not an address`");
    }

    #[test]
    fn domains_are_held_to() {
        let policy = Policy {
            allowed_domains: Some(vec!["example.com".to_string(), "127.0.0.1".to_string()]),
            blocked_domains: vec!["ads.example.com".to_string()],
            ..Policy::default()
        };
        let refused = |address: &str| policy.check(address).err().map(|failure| failure.message);
        assert_eq!(refused("https://example.com/a"), None);
        assert_eq!(refused("https://Shop.Example.com:8443/?q=1"), None);
        assert_eq!(refused("http://127.0.0.1:8080/"), None);
        assert_eq!(refused("about:blank"), None);
        let outside = |host: &str| {
            Some(format!("`{host}` may not be opened: the policy allows example.com, 127.0.0.1"))
        };
        assert_eq!(refused("https://badexample.com/"), outside("badexample.com"));
        assert_eq!(refused("https://example.com@evil.net/"), outside("evil.net"));
        assert_eq!(refused("https://evil.net\\@example.com/"), outside("evil.net"));
        assert_eq!(
            refused("https://x.ads.example.com/").unwrap(),
            "`x.ads.example.com` may not be opened: the policy blocks `ads.example.com`"
        );
    }
}
