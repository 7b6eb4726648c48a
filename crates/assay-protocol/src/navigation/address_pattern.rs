//! Addresses of screens: a path whose variable parts stand in braces.

use serde::{Deserialize, Deserializer, Serialize};

/// `/orders/{id}?tab={name}#/lines`: a path, perhaps with a query and a route behind `#`. What a query or a fragment has
/// beyond the pattern does not count, except for a route: `#/users` is another screen than the same path without it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct AddressPattern(String);

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoAddressPattern {
    #[error("expected a path that begins with `/`, found `{found}`")]
    NoPath { found: String },
    #[error("expected a name such as `{{id}}` in the braces of `{found}`")]
    NoName { found: String },
    #[error("expected an address without spaces, found `{found}`")]
    Spaces { found: String },
}

impl AddressPattern {
    pub fn parse(text: &str) -> Result<AddressPattern, NoAddressPattern> {
        let text = text.trim();
        let found = || text.to_string();
        if !text.starts_with('/') || text.starts_with("//") {
            return Err(NoAddressPattern::NoPath { found: found() });
        }
        if text.chars().any(|letter| letter.is_whitespace() || letter.is_control()) {
            return Err(NoAddressPattern::Spaces { found: found() });
        }
        let mut rest = text;
        while let Some((_, after)) = rest.split_once('{') {
            let Some((name, beyond)) = after.split_once('}') else {
                return Err(NoAddressPattern::NoName { found: found() });
            };
            let is_name =
                !name.is_empty() && name.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
            if !is_name {
                return Err(NoAddressPattern::NoName { found: found() });
            }
            rest = beyond;
        }
        Ok(AddressPattern(text.to_string()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it names one address, which can be opened.
    pub fn is_literal(&self) -> bool {
        !self.0.contains('{')
    }

    /// How much of it is fixed: the more, the closer it describes an address.
    pub fn fixed_letters(&self) -> usize {
        let mut fixed = 0;
        let mut is_inside = false;
        for letter in self.0.chars() {
            match letter {
                '{' => is_inside = true,
                '}' => is_inside = false,
                _ if !is_inside => fixed += 1,
                _ => {}
            }
        }
        fixed
    }

    /// Whether an address, whole or from its path on, is one of these.
    pub fn matches(&self, address: &str) -> bool {
        let wanted = Parts::of(&self.0);
        let found = Parts::of(from_path(address));
        if !path_matches(wanted.path, found.path) {
            return false;
        }
        let route_matches = match (wanted.route, found.route) {
            (None, None) => true,
            (Some(wanted), Some(found)) => path_matches(wanted, found),
            (Some(_), None) | (None, Some(_)) => false,
        };
        let pairs: Vec<(&str, &str)> = pairs(found.query).collect();
        route_matches
            && self::pairs(wanted.query).all(|(key, value)| {
                pairs.iter().any(|(known, held)| *known == key && segment_matches(value, held))
            })
    }
}

impl std::fmt::Display for AddressPattern {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for AddressPattern {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<AddressPattern, D::Error> {
        AddressPattern::parse(&String::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

/// An address without scheme and host.
fn from_path(address: &str) -> &str {
    match address.split_once("://") {
        Some((_, rest)) => rest.find(['/', '?', '#']).map_or("/", |at| &rest[at..]),
        None => address,
    }
}

struct Parts<'a> {
    path: &'a str,
    query: &'a str,
    /// What stands behind `#` or `#!`, if it is a path.
    route: Option<&'a str>,
}

impl<'a> Parts<'a> {
    fn of(address: &'a str) -> Parts<'a> {
        let (before, fragment) = address.split_once('#').unwrap_or((address, ""));
        let (path, query) = before.split_once('?').unwrap_or((before, ""));
        let fragment = fragment.strip_prefix('!').unwrap_or(fragment);
        let route = fragment.split('?').next().filter(|route| route.starts_with('/') && *route != "/");
        Parts { path, query, route }
    }
}

/// A slash at the end does not tell two screens apart.
fn path_matches(pattern: &str, path: &str) -> bool {
    let pattern: Vec<&str> = pattern.trim_end_matches('/').split('/').collect();
    let path: Vec<&str> = path.trim_end_matches('/').split('/').collect();
    pattern.len() == path.len()
        && pattern.iter().zip(&path).all(|(wanted, found)| segment_matches(wanted, found))
}

/// `{name}` stands for one segment, `order-{name}.html` for a part of one. `{id}` stands for what no person chose as a
/// name: `/orders/{id}` is not `/orders/archive`.
fn segment_matches(pattern: &str, text: &str) -> bool {
    if !pattern.contains('{') {
        return pattern == text;
    }
    let may_be_id = || {
        // A pattern may be asked for, and `%40` is the sign in an address of mail.
        text.chars().any(|letter| letter.is_ascii_digit() || matches!(letter, '@' | '{'))
    };
    if pattern.contains("{id}") && !may_be_id() {
        return false;
    }
    let mut glob = String::new();
    let mut rest = pattern;
    while let Some((before, after)) = rest.split_once('{') {
        glob.push_str(before);
        glob.push('*');
        rest = after.split_once('}').map_or("", |(_, beyond)| beyond);
    }
    glob.push_str(rest);
    !text.is_empty() && fits_glob(&glob, text)
}

fn pairs(query: &str) -> impl Iterator<Item = (&str, &str)> {
    query.split('&').filter(|pair| !pair.is_empty()).map(|pair| pair.split_once('=').unwrap_or((pair, "")))
}

/// Whether a text fits a pattern in which `*` stands for anything.
pub fn fits_glob(pattern: &str, text: &str) -> bool {
    let (pattern, text) = (pattern.as_bytes(), text.as_bytes());
    let (mut at, mut seen) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while seen < text.len() {
        if pattern.get(at) == Some(&b'*') {
            star = Some((at + 1, seen));
            at += 1;
        } else if pattern.get(at) == Some(&text[seen]) {
            (at, seen) = (at + 1, seen + 1);
        } else if let Some((resume, taken)) = star {
            star = Some((resume, taken + 1));
            (at, seen) = (resume, taken + 1);
        } else {
            return false;
        }
    }
    pattern[at..].iter().all(|byte| *byte == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pattern: &str, address: &str, expected: bool) {
        let known = AddressPattern::parse(pattern).expect("a pattern");
        assert_eq!(known.matches(address), expected, "{pattern} {address}");
    }

    #[test]
    fn a_name_in_braces_stands_for_one_segment() {
        check("/orders/{id}", "http://a.test:81/orders/17", true);
        check("/orders/{id}", "/orders/17/edit", false);
        check("/orders/{id}", "/orders/", false);
        check("/orders/{id}", "/orders/archive", false);
        check("/orders/{name}", "/orders/archive", true);
        check("/a/order-{id}.html", "/a/order-3.html", true);
        check("/", "http://a.test", true);
        check("/admin/users/", "/admin/users", true);
    }

    #[test]
    fn queries_may_say_more_and_routes_may_not() {
        check("/item?id={id}", "/item?sort=up&id=3", true);
        check("/item?id={id}", "/item?sort=up", false);
        check("/item", "/item?id=3", true);
        check("/app#/users", "/app#/users", true);
        check("/app#/users/{id}", "/app#!/users/7?tab=1", true);
        check("/app", "/app#/users", false);
        check("/app", "/app#top", true);
        check("/app", "/app#/", true);
    }

    #[test]
    fn what_is_no_path_is_refused() {
        for wrong in ["orders", "http://a/", "/a b", "/a/{", "/a/{}", "//a", ""] {
            assert!(AddressPattern::parse(wrong).is_err(), "{wrong}");
        }
        assert_eq!(AddressPattern::parse("/orders/{id}").map(|known| known.fixed_letters()), Ok(8));
    }
}
