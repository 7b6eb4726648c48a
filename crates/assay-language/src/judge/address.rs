//! Addresses: compared by the parts that the author wrote.

use crate::Matcher;

use super::Truth;
use super::matching::{loosely, matches};

pub(crate) fn address_matches(matcher: &Matcher, url: &str) -> Truth {
    let by_case = |holds: &dyn Fn(&str, &str) -> bool, wanted: &str, url: &str| {
        if holds(wanted, url) {
            Truth::Yes
        } else if holds(&wanted.to_lowercase(), &url.to_lowercase()) {
            Truth::NotQuite
        } else {
            Truth::No
        }
    };
    match matcher {
        Matcher::Address(wanted) => is_at(wanted, url),
        Matcher::Equals(wanted) | Matcher::Said(wanted) => is_at(wanted, url),
        Matcher::StartsWith(start) if start.starts_with('/') => {
            by_case(&|start, path| path.starts_with(start), start, path_of(url))
        }
        Matcher::StartsWith(start) => by_case(&|start, url| url.starts_with(start), start, url),
        Matcher::EndsWith(end) => by_case(&|end, url| url.ends_with(end), end, url),
        Matcher::Words(_) | Matcher::Sentence(_) => {
            matches(matcher, &url.replace(|letter: char| !letter.is_alphanumeric(), " "))
        }
        _ => loosely(matcher, url),
    }
}

/// Whether a page is at an address. Scheme, host, query and fragment count where they are given.
fn is_at(wanted: &str, url: &str) -> Truth {
    let (want, have) = (Parts::of(wanted), Parts::of(url));
    let differs = |one: Option<&str>, other: Option<&str>| one.is_some() && one != other;
    if differs(want.scheme, have.scheme) || differs(want.host.as_deref(), have.host.as_deref()) {
        return Truth::No;
    }
    let routed =
        have.fragment.map(|fragment| fragment.trim_start_matches('!')).filter(|route| route.starts_with('/'));
    // Some applications keep their own path behind `#`.
    if let (Some(route), None) = (routed, want.fragment)
        && have.path_is_root()
        && !want.path_is_root()
    {
        let (path, query) = route.split_once('?').map_or((route, None), |(path, query)| (path, Some(query)));
        return parts_match(&want, &Parts { path, query, fragment: None, ..have });
    }
    match parts_match(&want, &have) {
        // The start page of such an application has no path of its own behind `#`.
        Truth::Yes if routed.is_some_and(|route| route != "/") && want.fragment.is_none() => Truth::Unsure,
        truth => truth,
    }
}

fn parts_match(want: &Parts<'_>, have: &Parts<'_>) -> Truth {
    let same_path = plain(want.path) == plain(have.path);
    let same_query = want.query.is_none_or(|query| same_parameters(query, have.query.unwrap_or_default()));
    let same_fragment = want.fragment.is_none_or(|fragment| have.fragment == Some(fragment));
    if same_path && same_query && same_fragment {
        return Truth::Yes;
    }
    if plain(want.path).to_lowercase() == plain(have.path).to_lowercase() {
        return Truth::NotQuite;
    }
    // The application may be in a folder of its host.
    let is_behind =
        want.host.is_none() && plain(have.path).ends_with(&plain(want.path)) && !want.path_is_root();
    if is_behind { Truth::Unsure } else { Truth::No }
}

/// Without a slash at the end, and with its letters instead of their codes.
fn plain(path: &str) -> String {
    let path = path.trim_end_matches('/');
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        let code = tail.get(..2).filter(|_| *first == b'%');
        let byte = code
            .and_then(|code| std::str::from_utf8(code).ok())
            .and_then(|code| u8::from_str_radix(code, 16).ok());
        match byte {
            Some(byte) => {
                bytes.push(byte);
                rest = &tail[2..];
            }
            None => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn same_parameters(one: &str, other: &str) -> bool {
    let sorted = |query: &str| {
        let mut all: Vec<String> = query.split('&').map(plain).collect();
        all.sort();
        all
    };
    sorted(one) == sorted(other)
}

/// An address in its parts.
#[derive(Debug, Clone)]
struct Parts<'a> {
    scheme: Option<&'a str>,
    /// With its port, in lower case.
    host: Option<String>,
    path: &'a str,
    query: Option<&'a str>,
    fragment: Option<&'a str>,
}

impl Parts<'_> {
    fn of(address: &str) -> Parts<'_> {
        let (scheme, rest) = match address.split_once("://") {
            Some((scheme, rest)) => (Some(scheme), rest),
            None => (None, address),
        };
        let (rest, fragment) = rest.split_once('#').map_or((rest, None), |(rest, end)| (rest, Some(end)));
        let (rest, query) = rest.split_once('?').map_or((rest, None), |(rest, end)| (rest, Some(end)));
        let (host, path) = match rest.find('/') {
            Some(0) => (None, rest),
            Some(at) => (Some(&rest[..at]), &rest[at..]),
            None => (Some(rest), ""),
        };
        Parts {
            scheme,
            host: host.map(str::to_lowercase),
            path,
            query,
            fragment: fragment.filter(|end| !end.is_empty()),
        }
    }

    fn path_is_root(&self) -> bool {
        matches!(self.path.trim_matches('/'), "" | "index.html" | "index.htm" | "index.php")
    }
}

/// Path, query and fragment.
pub(crate) fn path_of(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.find('/').map_or("/", |slash| &rest[slash..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(wanted: &str, url: &str, expected: Truth) {
        assert_eq!(is_at(wanted, url), expected, "{wanted} at {url}");
    }

    #[test]
    fn an_address_is_compared_by_its_parts() {
        check("/dashboard", "http://h/login?next=/dashboard", Truth::No);
        check("/login", "http://h/login?next=/dashboard", Truth::Yes);
        check("/dashboard", "http://h/dashboard?tab=1#top", Truth::Yes);
        check("/dashboard/", "http://h/dashboard", Truth::Yes);
        check("/dashboard", "http://h/evil/dashboard", Truth::Unsure);
        check("/dashboard", "http://h/mydashboard", Truth::No);
        check("/", "http://h/", Truth::Yes);
        check("/", "http://h/login", Truth::No);
        check("https://h/code", "http://h/code", Truth::No);
        check("https://h/code", "https://H/code", Truth::Yes);
        check("h/code", "http://h/code", Truth::Yes);
        check("/search?q=lamp", "http://h/search?q=lamp", Truth::Yes);
        check("/search?q=lamp", "http://h/search?q=chair", Truth::NotQuite);
        check("/search?a=1&b=2", "http://h/search?b=2&a=1", Truth::Yes);
        check("/a b", "http://h/a%20b", Truth::Yes);
        check("/DEMO", "http://h/demo", Truth::NotQuite);
    }

    #[test]
    fn a_path_behind_the_fragment_is_a_path() {
        check("/users", "http://h/#/users?page=2", Truth::Yes);
        check("/users", "http://h/#/users/7", Truth::No);
        check("/", "http://h/#/users", Truth::Unsure);
        check("/", "http://h/#/", Truth::Yes);
        check("/#/users", "http://h/#/users", Truth::Yes);
        check("/page#two", "http://h/page#one", Truth::NotQuite);
    }
}
