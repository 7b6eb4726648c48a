//! Routes: which requests assay answers in the server's place, and how.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One kind of request, and what becomes of it. Nothing of it reaches the server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Route {
    pub pattern: UrlPattern,
    /// In upper case; none stands for any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    pub answer: RouteAnswer,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RouteAnswer {
    Fulfill {
        status: u16,
        #[serde(default)]
        body: String,
        #[serde(default = "plain_text")]
        content_type: String,
    },
    /// The connection breaks.
    Abort,
}

fn plain_text() -> String {
    "text/plain; charset=utf-8".to_string()
}

/// How a route is asked for: its body is a file of the caller.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RouteReply {
    Answer {
        status: u16,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        body: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        content_type: Option<String>,
    },
    Abort,
}

/// A route with the number of requests that it has answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RouteCount {
    pub route: Route,
    pub struck: u32,
}

impl Route {
    pub fn matches(&self, method: &str, url: &str) -> bool {
        let wanted = self.method.as_ref().is_none_or(|wanted| wanted.eq_ignore_ascii_case(method));
        wanted && self.pattern.matches(url)
    }
}

/// Addresses by a pattern: `*` stands for anything but a slash, `**` for anything. A pattern that begins with a slash is
/// a path on any host. Without a `?` in it, the query of an address does not count.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct UrlPattern(String);

impl UrlPattern {
    /// None for an empty text, which would match nothing.
    pub fn new(text: &str) -> Option<UrlPattern> {
        (!text.trim().is_empty()).then(|| UrlPattern(text.trim().to_string()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn matches(&self, url: &str) -> bool {
        let url = url.split_once('#').map_or(url, |(before, _)| before);
        let url = match url.split_once('?') {
            Some((before, _)) if !self.0.contains('?') => before,
            _ => url,
        };
        if self.0.starts_with('/') {
            return fits(format!("**://*{}", self.0).as_bytes(), url.as_bytes());
        }
        fits(self.0.as_bytes(), url.as_bytes())
    }
}

impl std::fmt::Display for UrlPattern {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Whether the text matches the pattern. Remembers the last star of each kind and extends its match if the rest does
/// not match. A single star that meets a slash falls back to an earlier double star.
fn fits(pattern: &[u8], text: &[u8]) -> bool {
    let (mut at, mut seen) = (0, 0);
    let mut double: Option<(usize, usize)> = None;
    let mut single: Option<(usize, usize)> = None;
    loop {
        if pattern[at..].starts_with(b"**") {
            at += 2;
            double = Some((at, seen));
            single = None;
            continue;
        }
        if pattern.get(at) == Some(&b'*') {
            at += 1;
            single = Some((at, seen));
            continue;
        }
        if at < pattern.len() && seen < text.len() && pattern[at] == text[seen] {
            (at, seen) = (at + 1, seen + 1);
            continue;
        }
        if at == pattern.len() && seen == text.len() {
            return true;
        }
        single = single.filter(|(_, taken)| text.get(*taken).is_some_and(|letter| *letter != b'/'));
        if let Some((resume, taken)) = &mut single {
            *taken += 1;
            (at, seen) = (*resume, *taken);
            continue;
        }
        match &mut double {
            Some((resume, taken)) if *taken < text.len() => {
                *taken += 1;
                (at, seen) = (*resume, *taken);
            }
            _ => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pattern: &str, url: &str, expected: bool) {
        let known = UrlPattern::new(pattern).expect("a pattern");
        assert_eq!(known.matches(url), expected, "{pattern} {url}");
    }

    #[test]
    fn stars_stand_for_a_part_or_for_everything() {
        check("**/api/cart", "http://a.test:81/api/cart", true);
        check("**/api/cart", "http://a.test/v2/api/cart?id=1#top", true);
        check("**/api/cart", "http://a.test/api/carts", false);
        check("**/api/*", "http://a.test/api/cart", true);
        check("**/api/*", "http://a.test/api/cart/1", false);
        check("**/api/**", "http://a.test/api/cart/1", true);
        check("http://a.test/*/edit", "http://a.test/7/edit", true);
        check("http://a.test/*/edit", "http://a.test/7/8/edit", false);
        check("**/*.png", "http://a.test/x/y/logo.v2.png", true);
        check("**/a*/b", "http://h/a/x/ab/b", true);
        check("http://a.test/", "http://a.test/", true);
        check("**", "about:blank", true);
    }

    #[test]
    fn a_path_is_on_any_host() {
        check("/api/cart", "https://a.test/api/cart?x", true);
        check("/api/cart", "https://a.test/v2/api/cart", false);
    }

    #[test]
    fn a_query_counts_where_the_pattern_has_one() {
        check("**/find?q=*", "http://a.test/find?q=ship", true);
        check("**/find?q=*", "http://a.test/find?page=2", false);
        check("**/find", "http://a.test/find?page=2", true);
    }

    #[test]
    fn a_route_may_want_one_method() {
        let json = r#"{"pattern":"**/cart","method":"POST","answer":{"fulfill":{"status":500}}}"#;
        let route: Route = serde_json::from_str(json).expect("a route");
        assert!(route.matches("post", "http://a.test/cart"));
        assert!(!route.matches("GET", "http://a.test/cart"));
        let abort: RouteAnswer = serde_json::from_str("\"abort\"").expect("an answer");
        assert_eq!(abort, RouteAnswer::Abort);
    }
}
