//! From the effect of one act to its kind.

use assay_protocol::{ChangeKind, Effect, EffectKind, RequestMade, RequestShape};

/// The kind of effect of an act on the page with this address. Before the first page, the site is the one that the test
/// names.
pub(crate) fn kind_of(effect: &Effect, page: &str, base_url: Option<&str>) -> EffectKind {
    let before = effect.from.as_deref().unwrap_or(page);
    let before = if before.contains("://") { before } else { base_url.unwrap_or(before) };
    let is_new =
        |url: &str| effect.from.is_none() && !page.contains("://") || address(url) != address(before);
    let lands = effect.page.as_ref().filter(|page| is_new(&page.url));
    let mut opens: Vec<String> = effect.dialog.iter().map(|dialog| dialog.kind.clone()).collect();
    opens.extend(effect.tabs.iter().map(|_| "tab".to_string()));
    opens.extend(effect.downloads.iter().map(|_| "download".to_string()));
    let mut changes: Vec<String> = effect
        .changes
        .iter()
        // How a new page begins: its text says nothing of the act's kind.
        .filter(|change| change.role != "paragraph")
        .map(|change| {
            let kind = match change.kind {
                ChangeKind::Added => "added",
                ChangeKind::Changed => "changed",
                ChangeKind::Removed => "removed",
            };
            format!("{kind} {}", change.role)
        })
        .collect();
    changes.sort();
    changes.dedup();
    EffectKind {
        lands: lands.map(|page| within(&page.url, before)),
        requests: effect
            .requests
            .iter()
            .filter(|request| !request.is_beacon)
            .map(|request| shape_of(request, before))
            .collect(),
        opens,
        // A page that was left does not show the effect of the act.
        changes: if lands.is_some() { Vec::new() } else { changes },
    }
}

fn shape_of(request: &RequestMade, page: &str) -> RequestShape {
    let whole = request.url.split('#').next().unwrap_or_default();
    let (path, query) = whole.split_once('?').unwrap_or((whole, ""));
    RequestShape {
        method: request.method.clone(),
        path: without_host(path, page),
        query: names(query),
        fields: request.fields.clone(),
    }
}

/// Path, names of the query, and a fragment that is an address of its own.
fn address(url: &str) -> (String, String) {
    let (whole, fragment) = url.split_once('#').unwrap_or((url, ""));
    let (path, query) = whole.split_once('?').unwrap_or((whole, ""));
    let fragment = if fragment.starts_with(['/', '!']) { format!("#{fragment}") } else { String::new() };
    let query = names(query);
    let asked = if query.is_empty() { String::new() } else { format!("?{}", query.join("&")) };
    (path.to_string(), format!("{asked}{fragment}"))
}

fn within(url: &str, page: &str) -> String {
    let (path, rest) = address(url);
    format!("{}{rest}", without_host(&path, page))
}

fn names(query: &str) -> Vec<String> {
    let mut names: Vec<String> = query
        .split('&')
        .filter_map(|pair| pair.split('=').next())
        .filter(|name| !name.is_empty())
        .map(str::to_string)
        .collect();
    names.sort();
    names.dedup();
    names
}

/// An address without its host if that is the page's own: the same suite runs against many hosts.
fn without_host(address: &str, page: &str) -> String {
    let host = |url: &str| -> Option<String> {
        let (scheme, rest) = url.split_once("://")?;
        Some(format!("{scheme}://{}", rest.split(['/', '?', '#']).next()?))
    };
    match (host(address), host(page)) {
        (Some(own), Some(of_page)) if own == of_page => {
            let path = &address[own.len()..];
            if path.is_empty() { "/".to_string() } else { path.to_string() }
        }
        _ => address.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use assay_protocol::PageLine;

    #[test]
    fn values_hosts_and_beacons_are_left_out() {
        let made = |method: &str, url: &str, is_beacon| RequestMade {
            method: method.to_string(),
            url: url.to_string(),
            fields: None,
            is_beacon,
            arranged: None,
        };
        let effect = Effect {
            from: Some("http://a.test:8080/login".to_string()),
            page: Some(PageLine {
                title: String::new(),
                url: "http://a.test:8080/home?b=1&a=2#top".to_string(),
                status: None,
            }),
            requests: vec![
                made("POST", "http://a.test:8080/login?next=%2F", false),
                made("POST", "http://a.test:8080/track", true),
                made("GET", "https://other.test/x", false),
            ],
            ..Effect::default()
        };
        let kind = kind_of(&effect, "", None);
        assert_eq!(kind.lands.as_deref(), Some("/home?a&b"));
        let requests: Vec<String> = kind.requests.iter().map(ToString::to_string).collect();
        assert_eq!(requests, ["POST /login?next", "GET https://other.test/x"]);
    }
}
