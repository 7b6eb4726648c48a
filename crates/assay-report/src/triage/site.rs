//! Which addresses belong to the application under test.
//!
//! A page loads resources of other sites: counters, fonts, advertising. The failure
//! of one says nothing about the application, so it must not become the cause.

use crate::test_summary::AttemptSummary;

pub struct Site {
    /// None while no page is known: then every address counts as its own.
    host: Option<String>,
}

impl Site {
    /// The site that the attempt went to first.
    pub fn of(attempt: &AttemptSummary) -> Self {
        let commands = attempt.steps.iter().flat_map(|step| &step.commands);
        let visited = commands.filter_map(|it| it.url.as_deref().or_else(|| it.command.strip_prefix("go ")));
        let last = attempt.ending.as_ref().and_then(|ending| ending.last_page.as_ref());
        let mut addresses = visited.chain(last.map(|page| page.url.as_str()));
        Site { host: addresses.find_map(host) }
    }

    pub fn owns(&self, url: &str) -> bool {
        match (&self.host, host(url)) {
            (Some(own), Some(other)) => base(own) == base(&other),
            _ => true,
        }
    }
}

/// What follows the host, without the question and the fragment: short enough for a reason.
pub fn path(url: &str) -> &str {
    let after_host = url.split_once("://").map_or(url, |(_, rest)| match rest.find('/') {
        Some(slash) => &rest[slash..],
        None => "/",
    });
    after_host.split(['?', '#']).next().unwrap_or(after_host)
}

/// The host with its port left out: the parts of one application often differ only in that.
fn host(url: &str) -> Option<String> {
    let (_, rest) = url.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let host = authority.rsplit('@').next()?;
    let host = match host.starts_with('[') {
        true => host.split(']').next()?,
        false => host.split(':').next()?,
    };
    (!host.is_empty()).then(|| host.to_lowercase())
}

/// The last two labels of a name, the whole of a numeric address. A list of all
/// public suffixes would be finer; taking `a.co.uk` and `b.co.uk` for one site
/// only makes a reason less sure than it could be.
fn base(host: &str) -> &str {
    if host.starts_with('[') || host.chars().all(|it| it.is_ascii_digit() || it == '.') {
        return host;
    }
    match host.rmatch_indices('.').nth(1) {
        Some((dot, _)) => &host[dot + 1..],
        None => host,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_site_are_its_own_and_others_are_not() {
        let site = Site { host: host("https://app.example.com/login") };
        for own in ["https://api.example.com/x", "http://example.com:8080", "/relative", "data:x"] {
            assert!(site.owns(own), "{own}");
        }
        for other in ["https://counter.test/x", "https://example.org", "http://127.0.0.1/"] {
            assert!(!site.owns(other), "{other}");
        }
        let local = Site { host: host("http://127.0.0.1:3000/") };
        assert!(local.owns("http://127.0.0.1:4000/api") && !local.owns("http://127.0.1.1/api"));
    }

    #[test]
    fn a_path_is_what_follows_the_host() {
        assert_eq!(path("https://a.b/api/cart?x=1#y"), "/api/cart");
        assert_eq!(path("https://a.b"), "/");
        assert_eq!(path("/api"), "/api");
    }
}
