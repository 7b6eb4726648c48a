//! Whether an address is of another site than the one under test.

/// The sites that a step may reach: the current one, and those that the test names.
#[derive(Debug, Clone, Default)]
pub(crate) struct ReachableSites {
    /// Hosts that are part of the test: of the page at hand, of `base_url`, of `selectors`, of the policy.
    pub hosts: Vec<String>,
    /// In lower case.
    pub sentence: String,
    /// Addresses and sentences in which the test names where to go, in lower case.
    pub named: Vec<String>,
}

impl ReachableSites {
    /// Whether the test names this address, or its path, as a whole.
    pub fn names(&self, address: &str) -> bool {
        let address = address.to_lowercase();
        let address = address.trim_end_matches('/');
        let is_end = |text: &str, at: usize| {
            !text[at..].starts_with(|letter: char| {
                letter.is_alphanumeric() || matches!(letter, '/' | '?' | '-' | '_')
            }) || text[at..].trim_end_matches('/').is_empty()
        };
        let is_in =
            |text: &String| text.match_indices(address).any(|(at, found)| is_end(text, at + found.len()));
        !address.is_empty() && (self.named.iter().any(is_in) || is_in(&self.sentence))
    }

    /// The host of an address on another site. An address without a host stays on the page.
    pub fn leaves_for(&self, address: &str) -> Option<String> {
        let host = host_of(address)?;
        let is_known = self.hosts.iter().any(|known| is_of(&host, known) || is_of(known, &host));
        (!is_known && !self.sentence.contains(&host)).then_some(host)
    }
}

/// A domain includes its subdomains.
fn is_of(host: &str, domain: &str) -> bool {
    host == domain || host.strip_suffix(domain).is_some_and(|above| above.ends_with('.'))
}

/// In lower case, without user and port. Read as browsers read it: what they drop is dropped, a stroke to the left is one
/// to the right, and after `http:` any number of strokes, or none, leads to a host.
pub(crate) fn host_of(address: &str) -> Option<String> {
    let plain: String = address
        .trim_matches(|letter: char| letter.is_whitespace() || letter.is_control())
        .chars()
        .filter(|letter| !matches!(letter, '\t' | '\n' | '\r'))
        .map(|letter| if letter == '\\' { '/' } else { letter })
        .collect();
    let lower = plain.to_lowercase();
    let rest = match lower.split_once(':') {
        Some(("http" | "https" | "ws" | "wss", rest)) => rest.trim_start_matches('/'),
        Some((scheme, rest)) if is_scheme(scheme) => rest.strip_prefix("//")?,
        _ => lower.strip_prefix("//")?.trim_start_matches('/'),
    };
    let authority = rest.split(['/', '?', '#']).next()?;
    let host = authority.rsplit('@').next()?;
    let host = match host.strip_prefix('[') {
        Some(inside) => inside.split(']').next()?,
        None => host.split(':').next()?,
    };
    (!host.is_empty()).then(|| host.trim_end_matches('.').to_string())
}

fn is_scheme(word: &str) -> bool {
    word.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && word.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '+' | '-' | '.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_sites_are_told_from_ones_own() {
        let home = ReachableSites {
            hosts: vec!["shop.example.com".to_string()],
            sentence: "open docs.rs and look".to_string(),
            ..ReachableSites::default()
        };
        let leaves = |address: &str| home.leaves_for(address);
        assert_eq!(leaves("https://shop.example.com:8443/cart"), None);
        assert_eq!(leaves("https://pay.shop.example.com/"), None);
        assert_eq!(leaves("https://example.com/"), None, "the domain above it is the same people's");
        assert_eq!(leaves("/cart"), None);
        assert_eq!(leaves("/cart?next=https://evil.test"), None);
        assert_eq!(leaves("mailto:a@evil.test"), None);
        for away in
            ["/\\evil.test", "https:evil.test", "https:/\\evil.test/x", " //evil.test", "ht\ntps://evil.test"]
        {
            assert_eq!(leaves(away).as_deref(), Some("evil.test"), "{away:?}");
        }
        assert_eq!(leaves("https://docs.rs/x"), None, "the step says so");
        assert_eq!(leaves("https://evil.test/?a=shop.example.com").as_deref(), Some("evil.test"));
        assert_eq!(leaves("//shop.example.com@evil.test/").as_deref(), Some("evil.test"));
        assert_eq!(
            leaves("https://notshop.example.com.evil.test").as_deref(),
            Some("notshop.example.com.evil.test")
        );
    }
}
