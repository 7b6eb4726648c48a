//! Links of a page: which may be followed, and the tests of those that were.

use assay_protocol::Scene;

use super::identity;
use super::seen::{LinkRules, PageSeen, path_of};
use crate::draft::{Draft, DraftTrial};
use crate::names::is_plain_name;
use crate::scope::Exclusion;
use crate::sheet::Sheet;
use crate::words::{first_phrase, words};

/// Words in an address behind which something may be changed by only opening it.
const CHANGING: &[&str] = &[
    "logout",
    "signout",
    "logoff",
    "delete",
    "remove",
    "destroy",
    "unsubscribe",
    "cancel",
    "disable",
    "reset",
    "revoke",
    "purge",
    "confirm",
    "approve",
    "reject",
    "buy",
    "pay",
    "add",
    "abmelden",
];

const CHANGING_NAMES: &[&str] = &["log out", "sign out", "log off"];

/// A link that may be followed by opening its address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Followable {
    pub name: String,
    pub reference: String,
    pub url: String,
}

/// The links of a page to other pages of its site, each address and each name once; and what is left aside, with the
/// reason.
pub fn followable(scene: &Scene) -> (Vec<Followable>, Vec<Exclusion>) {
    let mut found: Vec<Followable> = Vec::new();
    let mut excluded = Vec::new();
    let mut names_left: Vec<String> = Vec::new();
    let links = || scene.nodes.iter().filter(|node| node.role == "link");
    for node in links() {
        let name = node.name.trim();
        let (Some(href), Some(reference)) = (node.attribute("href"), &node.reference) else { continue };
        let url = absolute(&scene.url, href);
        let same_name = links().filter(|other| other.name.trim().eq_ignore_ascii_case(name)).count();
        let why = match &url {
            _ if names_left.iter().any(|left| left == name) => continue,
            _ if found.iter().any(|known| known.name.eq_ignore_ascii_case(name)) => continue,
            None => Some("it does not lead to a page".to_string()),
            Some(url) if origin(url) != origin(&scene.url) => Some("it leads to another site".to_string()),
            Some(url) if without_place(url) == without_place(&scene.url) => {
                Some("it leads to its own page".to_string())
            }
            Some(_) if name.is_empty() => Some("it has no name".to_string()),
            Some(_) if !is_plain_name(name) => Some("its name cannot be quoted".to_string()),
            Some(_) if same_name > 1 => Some(format!("{same_name} links have this name")),
            Some(url) => changes_something(name, url),
        };
        match (why, url) {
            (Some(why), _) => {
                let shown = if name.is_empty() { href } else { name };
                excluded
                    .push(Exclusion::new(format!("link \"{}\"", assay_prompt::shortened(shown, 60)), why));
                names_left.push(name.to_string());
            }
            // Another name for the same page tells nothing new.
            (None, Some(url)) if found.iter().any(|known| known.url == url) => {}
            (None, Some(url)) => {
                found.push(Followable { name: name.to_string(), reference: reference.clone(), url });
            }
            (None, None) => {}
        }
    }
    (found, excluded)
}

fn changes_something(name: &str, url: &str) -> Option<String> {
    let path = path_of(url);
    let word = words(&path).into_iter().find(|word| CHANGING.contains(&word.as_str()));
    match word {
        Some(word) => Some(format!("`{word}` in its address suggests that it changes something")),
        None => {
            let said = first_phrase(name, CHANGING_NAMES).or_else(|| first_phrase(name, CHANGING));
            said.map(|word| format!("`{word}` in its name suggests that it changes something"))
        }
    }
}

/// Tests of the links of a page that were followed.
pub(super) fn navigation(page: &PageSeen, excluded: &mut Vec<Exclusion>) -> Sheet {
    let mut sheet = Sheet { stem: "navigation".to_string(), ..Sheet::default() };
    for link in &page.links {
        let what = || format!("link \"{}\"", link.name);
        let landing = match &link.outcome {
            Ok(landing) => landing,
            Err(why) => {
                excluded.push(Exclusion::new(what(), why.clone()));
                continue;
            }
        };
        let is_new_title = landing.title != page.title();
        let is_new_heading = landing.heading.as_deref() != page.heading();
        let mut expected = identity(
            if is_new_title { &landing.title } else { "" },
            landing.heading.as_deref().filter(|_| is_new_heading),
        );
        let path = path_of(&landing.url);
        // A title alone may be that of the whole site, and an address alone that of an error page.
        if expected.is_empty() && path.len() > 1 && path != page.path() && is_plain_name(&path) {
            expected.push(format!("The URL contains \"{path}\""));
        }
        if expected.is_empty() {
            excluded.push(Exclusion::new(what(), "the page it opens looks like the one before"));
            continue;
        }
        sheet.drafts.push(Draft {
            name: format!("The link {} leads to its page", link.name),
            tags: vec!["planned".to_string(), "navigation".to_string()],
            steps: vec![format!("Go to {}", page.path()), format!("Click the \"{}\" link", link.name)],
            expected,
            trial: DraftTrial::Harmless,
            ..Draft::default()
        });
    }
    sheet
}

impl LinkRules {
    /// Why it is not followed, by what it says of itself.
    pub fn objection(&self) -> Option<&'static str> {
        match self {
            LinkRules { downloads: true, .. } => Some("it starts a download"),
            LinkRules { opens_a_tab: true, .. } => Some("it opens a new tab"),
            LinkRules { .. } => None,
        }
    }
}

fn without_place(url: &str) -> &str {
    url.split('#').next().unwrap_or_default()
}

fn origin(url: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = url.split_once("://")?;
    Some((scheme, rest.split(['/', '?', '#']).next()?))
}

/// The address that a link means on a page. Nothing for what is no page: mail addresses, scripts.
fn absolute(base: &str, href: &str) -> Option<String> {
    let href = href.trim();
    let (scheme, host) = origin(base)?;
    let first = href.split(['/', '?', '#']).next().unwrap_or_default();
    if first.contains(':') {
        let is_page = href.starts_with("http://") || href.starts_with("https://");
        return is_page.then(|| href.to_string());
    }
    if href.starts_with("//") {
        return Some(format!("{scheme}:{href}"));
    }
    let path = path_of(base);
    let path = path.split('?').next().unwrap_or_default();
    if href.is_empty() || href.starts_with('#') {
        return Some(format!("{}{href}", without_place(base)));
    }
    if href.starts_with('?') {
        return Some(format!("{scheme}://{host}{path}{href}"));
    }
    let joined = if href.starts_with('/') {
        href.to_string()
    } else {
        format!("{}/{href}", path.rsplit_once('/').map_or("", |(folder, _)| folder))
    };
    let (path, rest) = joined.find(['?', '#']).map_or((joined.as_str(), ""), |at| joined.split_at(at));
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/').skip(1) {
        match part {
            "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    if path.ends_with("/..") || path.ends_with("/.") {
        parts.push("");
    }
    Some(format!("{scheme}://{host}/{}{rest}", parts.join("/")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(base: &str, href: &str, expected: Option<&str>) {
        assert_eq!(absolute(base, href).as_deref(), expected, "{href} on {base}");
    }

    #[test]
    fn a_link_means_an_address_on_its_page() {
        let base = "http://h:1/a/b?c=d#e";
        check(base, "/x?y#z", Some("http://h:1/x?y#z"));
        check(base, "x/y", Some("http://h:1/a/x/y"));
        check(base, "../x", Some("http://h:1/x"));
        check(base, "../../../x", Some("http://h:1/x"));
        check(base, "./", Some("http://h:1/a/"));
        check(base, "?q=1", Some("http://h:1/a/b?q=1"));
        check(base, "#top", Some("http://h:1/a/b?c=d#top"));
        check(base, "//other/x", Some("http://other/x"));
        check(base, "https://other/x", Some("https://other/x"));
        check(base, "mailto:a@b", None);
        check(base, "javascript:void(0)", None);
        check("http://h", "x", Some("http://h/x"));
    }
}
