//! Addresses as patterns: what of an address is the screen, and what is data.

/// Scheme, host and port.
pub fn origin_of(address: &str) -> Option<String> {
    let (scheme, rest) = address.split_once("://")?;
    let host = rest.split(['/', '?', '#']).next().filter(|host| !host.is_empty())?;
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    let default = if scheme == "https" { ":443" } else { ":80" };
    Some(format!("{}://{}", scheme.to_lowercase(), host.strip_suffix(default).unwrap_or(host).to_lowercase()))
}

/// An address without scheme and host.
pub fn path_of(address: &str) -> &str {
    match address.split_once("://") {
        Some((_, rest)) => rest.find(['/', '?', '#']).map_or("/", |at| &rest[at..]),
        None => address,
    }
}

/// The address that a link of a page leads to; none for what is no page of the web.
pub(crate) fn resolved(base: &str, link: &str) -> Option<String> {
    let link = link.trim();
    if link.contains("://") {
        return link.starts_with("http").then(|| link.to_string());
    }
    let scheme = link.split(['/', '?', '#']).next().unwrap_or_default();
    if scheme.contains(':') {
        return None;
    }
    let origin = origin_of(base)?;
    if let Some(rest) = link.strip_prefix("//") {
        return Some(format!("{}://{rest}", base.split_once("://")?.0));
    }
    let path = path_of(base);
    let (before_fragment, _) = path.split_once('#').unwrap_or((path, ""));
    let (only_path, _) = before_fragment.split_once('?').unwrap_or((before_fragment, ""));
    let target = match link.chars().next() {
        None => before_fragment.to_string(),
        Some('#') => format!("{before_fragment}{link}"),
        Some('?') => format!("{only_path}{link}"),
        Some('/') => link.to_string(),
        Some(_) => format!("{}/{link}", only_path.rsplit_once('/').map_or("", |(folder, _)| folder)),
    };
    Some(format!("{origin}{}", without_dots(&target)))
}

fn without_dots(target: &str) -> String {
    let end = target.find(['?', '#']).unwrap_or(target.len());
    let (path, rest) = target.split_at(end);
    let mut segments: Vec<&str> = Vec::new();
    let parts: Vec<&str> = path.split('/').skip(1).collect();
    for (index, part) in parts.iter().enumerate() {
        let is_last = index + 1 == parts.len();
        match *part {
            "." | ".." => {
                if *part == ".." {
                    segments.pop();
                }
                if is_last {
                    segments.push("");
                }
            }
            other => segments.push(other),
        }
    }
    format!("/{}{rest}", segments.join("/"))
}

/// Keys of a query that choose a part or an order of the same screen.
const NOISE: &[&str] = &[
    "page",
    "p",
    "pg",
    "per_page",
    "perpage",
    "page_size",
    "pagesize",
    "limit",
    "offset",
    "start",
    "count",
    "cursor",
    "after",
    "before",
    "sort",
    "sortby",
    "sort_by",
    "order",
    "orderby",
    "order_by",
    "dir",
    "direction",
    "asc",
    "desc",
    "q",
    "query",
    "search",
    "s",
    "term",
    "filter",
    "filters",
    "next",
    "return",
    "return_to",
    "redirect",
    "redirect_to",
    "back",
    "back_url",
    "from",
    "ref",
    "referer",
    "referrer",
    "utm_source",
    "utm_medium",
    "utm_campaign",
    "utm_term",
    "utm_content",
    "gclid",
    "fbclid",
    "lang",
    "locale",
    "theme",
    "_",
    "t",
    "ts",
    "time",
    "timestamp",
    "v",
    "token",
    "csrf",
    "nonce",
    "session",
    "sid",
    "expand",
    "collapse",
    "highlight",
];

/// Keys whose values name a screen even if they are numbers.
const NAMING: &[&str] = &[
    "tab",
    "view",
    "section",
    "step",
    "mode",
    "module",
    "action",
    "do",
    "cmd",
    "controller",
    "option",
    "screen",
    "panel",
];

/// Segments before a number that are not the kind of a thing.
const COUNTED: &[&str] =
    &["step", "part", "level", "chapter", "v", "version", "http", "web", "oauth", "h", "top"];

/// The pattern of one address: ids become `{id}`, and what pages and sorts falls away.
pub(crate) fn pattern_of(address: &str) -> String {
    let target = path_of(address);
    let (before, fragment) = target.split_once('#').unwrap_or((target, ""));
    let (path, query) = before.split_once('?').unwrap_or((before, ""));
    let mut pattern = segments(path);
    let mut pairs: Vec<(String, String)> = query
        .split('&')
        .filter(|pair| !pair.is_empty())
        .map(|pair| pair.split_once('=').unwrap_or((pair, "")))
        .filter(|(key, _)| !is_noise(key))
        .map(|(key, value)| {
            let is_naming = NAMING.contains(&key.to_lowercase().as_str());
            (key.to_string(), if is_naming { value.to_string() } else { segment(value) })
        })
        .collect();
    pairs.sort();
    if !pairs.is_empty() {
        let pairs: Vec<String> = pairs.into_iter().map(|(key, value)| format!("{key}={value}")).collect();
        pattern = format!("{pattern}?{}", pairs.join("&"));
    }
    let fragment = fragment.strip_prefix('!').unwrap_or(fragment);
    let route = fragment.split('?').next().unwrap_or_default();
    if route.starts_with('/') && route != "/" {
        pattern = format!("{pattern}#{}", segments(route));
    }
    pattern
}

/// `sort`, and `users_sort` as well: a list among others on its page.
fn is_noise(key: &str) -> bool {
    const ENDS: &[&str] =
        &["_sort", "_order", "_order_by", "_sort_by", "_page", "_offset", "_limit", "_per_page"];
    let key = key.to_lowercase();
    NOISE.contains(&key.as_str()) || ENDS.iter().any(|end| key.ends_with(end))
}

fn segments(path: &str) -> String {
    let found = path.split('/').map(segment).collect::<Vec<_>>().join("/");
    if found.is_empty() { "/".to_string() } else { found }
}

fn segment(text: &str) -> String {
    // Parameters of a segment hold a session: `/visit;jsessionid=5f2a`.
    if let Some((name, parameters)) = text.split_once(';')
        && parameters.contains('=')
    {
        let keys = parameters.split(';').map(|pair| pair.split('=').next().unwrap_or_default());
        return keys
            .fold(segment(name), |known, key| format!("{known};{}={{id}}", key.replace(['{', '}'], "")));
    }
    let (stem, ending) = match text.rsplit_once('.') {
        Some((stem, ending))
            if ending.len() <= 5 && ending.chars().all(|letter| letter.is_ascii_alphabetic()) =>
        {
            (stem, format!(".{ending}"))
        }
        _ => (text, String::new()),
    };
    if is_id(stem) {
        return format!("{{id}}{ending}");
    }
    if let Some(at) = stem.rfind(['-', '_']) {
        let (before, number) = (&stem[..at], &stem[at + 1..]);
        let is_counted = COUNTED.contains(&before.to_lowercase().as_str());
        if !number.is_empty()
            && !is_counted
            && !before.is_empty()
            && number.bytes().all(|byte| byte.is_ascii_digit())
        {
            return format!("{}{{id}}{ending}", &stem[..=at]);
        }
    }
    // Braces have a meaning in patterns.
    text.replace(['{', '}'], "")
}

/// Numbers, UUIDs, hashes, dates, addresses of mail: no person chose these as the name of a screen.
fn is_id(text: &str) -> bool {
    let letters = text.chars().count();
    let digits = text.chars().filter(char::is_ascii_digit).count();
    if letters == 0 || !text.is_ascii() {
        return false;
    }
    if digits == letters {
        return true;
    }
    let is_date = digits >= 4 && text.bytes().all(|byte| byte.is_ascii_digit() || b"-:T.Z".contains(&byte));
    let is_hex =
        letters >= 8 && digits >= 2 && text.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
    let is_token = letters >= 12
        && digits >= 2
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && text.bytes().any(|byte| byte.is_ascii_uppercase())
        && text.bytes().any(|byte| byte.is_ascii_lowercase());
    is_date || is_hex || is_token || text.contains('@') || text.contains("%40")
}

/// The word of a segment that ends with the number of a thing: `bug` of `bug12`.
pub(crate) fn numbered_word(text: &str) -> Option<&str> {
    const SHORTEST: usize = 3;
    let word = text.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let is_word = word.len() >= SHORTEST && word.bytes().all(|byte| byte.is_ascii_alphabetic());
    (is_word && word.len() < text.len() && !COUNTED.contains(&word.to_lowercase().as_str())).then_some(word)
}

/// Whether a segment looks like the name of a thing rather than of a kind of thing: `Apple`, `blue-lamp-large`.
pub(crate) fn is_slug(text: &str) -> bool {
    text.starts_with(|first: char| first.is_uppercase())
        || text.contains('%')
        || text.matches(['-', '_', '+']).count() >= 2
        || text.chars().any(|letter| letter.is_ascii_digit())
}

/// The common pattern of two addresses that differ in one segment of their paths: the segment becomes `{name}`.
pub(crate) fn common_pattern(one: &str, other: &str) -> Option<String> {
    let split = |pattern: &str| -> (Vec<String>, String) {
        // A route behind `#` has the segments that count.
        let end = if pattern.contains("#/") {
            pattern.len()
        } else {
            pattern.find(['?', '#']).unwrap_or(pattern.len())
        };
        let path = pattern[..end].trim_end_matches('/');
        (path.split('/').map(str::to_string).collect(), pattern[end..].to_string())
    };
    let ((first, rest), (second, other_rest)) = (split(one), split(other));
    if first.len() != second.len() || rest != other_rest || first.len() < 2 {
        return None;
    }
    let mut differing = first.iter().zip(&second).enumerate().filter(|(_, (left, right))| left != right);
    let (at, (left, right)) = differing.next()?;
    let is_page = |text: &String| !text.is_empty() && !text.contains(['#', '?']);
    if differing.next().is_some() || at == 0 || !is_page(left) || !is_page(right) {
        return None;
    }
    let mut common = first.clone();
    common[at] = match (numbered_word(left), numbered_word(right)) {
        (Some(word), Some(other)) if word == other => format!("{word}{{id}}"),
        // A kind and one of another kind.
        (Some(_), Some(_)) => return None,
        _ => "{name}".to_string(),
    };
    let slash = if one.ends_with('/') && other.ends_with('/') && rest.is_empty() { "/" } else { "" };
    Some(format!("{}{slash}{rest}", common.join("/")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_data_and_words_are_not() {
        for (address, pattern) in [
            ("http://a/orders/17", "/orders/{id}"),
            ("http://a/orders/17/edit", "/orders/{id}/edit"),
            ("http://a/orders/INV-0042", "/orders/INV-{id}"),
            ("http://a/x/550e8400-e29b-41d4-a716-446655440000", "/x/{id}"),
            ("http://a/days/2024-05-01", "/days/{id}"),
            ("http://a/file/17.html", "/file/{id}.html"),
            ("http://a/item?id=3&page=2&sort=up", "/item?id={id}"),
            ("http://a/list?page=2", "/list"),
            ("http://a/list?users_order_by=desc", "/list"),
            ("http://a/settings?tab=2", "/settings?tab=2"),
            ("http://a/app#/users/7", "/app#/users/{id}"),
            ("http://a/app#top", "/app"),
            ("http://a/api/v2/step-2", "/api/v2/step-2"),
            ("http://a/visit;jsessionid=ab12", "/visit;jsessionid={id}"),
            ("http://a", "/"),
            ("http://a/admin/users/", "/admin/users/"),
        ] {
            assert_eq!(pattern_of(address), pattern, "{address}");
        }
    }

    #[test]
    fn links_are_resolved_as_browsers_do() {
        for (link, expected) in [
            ("/x", Some("http://a:1/x")),
            ("y", Some("http://a:1/b/y")),
            ("../z?q", Some("http://a:1/z?q")),
            ("?p=2", Some("http://a:1/b/c?p=2")),
            ("#/r", Some("http://a:1/b/c?k=1#/r")),
            ("//b/x", Some("http://b/x")),
            ("https://c/", Some("https://c/")),
            ("mailto:x@y", None),
            ("javascript:void(0)", None),
        ] {
            assert_eq!(resolved("http://a:1/b/c?k=1#old", link).as_deref(), expected, "{link}");
        }
    }

    #[test]
    fn two_addresses_have_a_common_pattern_if_one_segment_differs() {
        assert_eq!(common_pattern("/wiki/Apple", "/wiki/Pear").as_deref(), Some("/wiki/{name}"));
        assert_eq!(common_pattern("/a/x/edit", "/a/y/edit").as_deref(), Some("/a/{name}/edit"));
        assert_eq!(common_pattern("/#/u/ann", "/#/u/bob").as_deref(), Some("/#/u/{name}"));
        assert_eq!(common_pattern("/bug1", "/bug12").as_deref(), Some("/bug{id}"));
        assert_eq!(common_pattern("/bug1", "/task1"), None);
        assert_eq!(common_pattern("/step1", "/step2").as_deref(), Some("/{name}"));
        assert_eq!(common_pattern("/a", "/a/b"), None);
        assert_eq!(common_pattern("/a/b", "/c/d"), None);
    }
}
