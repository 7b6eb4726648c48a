//! Ways to another page: addresses, links that are named like it, tabs.

use assay_protocol::{Action, TabLine, Verdict};

use crate::judge::is_page;
use crate::synonyms::variants;
use crate::{ClickKind, Decision, Destination, Hints, TabChoice, Target};

use super::explain::{missing, unclear};
use super::find::{SearchResult, find};
use super::view::View;
use super::words::{all_among, identifier_words, without_fillers, words_of};
use super::{Grounding, plain};

/// Paths at which pages of that name commonly are: what a caller may try when nothing on the page leads there.
pub fn common_paths(page: &str) -> Vec<String> {
    const KNOWN: &[(&[&str], &[&str])] = &[
        (
            &["login", "log in", "sign in", "signin"],
            &["/login", "/signin", "/sign-in", "/users/sign_in", "/auth/login", "/account/login"],
        ),
        (
            &["register", "sign up", "signup", "registration", "create account"],
            &["/register", "/signup", "/sign-up", "/users/sign_up", "/account/register"],
        ),
        (&["home", "start", "main", "landing"], &["/"]),
        (
            &["cart", "basket", "bag", "shopping cart", "shopping basket"],
            &["/cart", "/basket", "/bag", "/checkout/cart"],
        ),
        (&["checkout", "check out"], &["/checkout"]),
        (&["settings", "preferences"], &["/settings", "/preferences", "/account/settings"]),
        (&["profile", "account", "my account"], &["/profile", "/account", "/me", "/my-account"]),
        (&["dashboard", "overview"], &["/dashboard", "/overview"]),
        (&["products", "product", "product list", "shop", "catalog"], &["/products", "/shop", "/catalog"]),
        (&["contact", "contact us"], &["/contact", "/contact-us"]),
        (&["about", "about us"], &["/about", "/about-us"]),
        (
            &["password reset", "forgot password", "reset password"],
            &["/forgot-password", "/password/reset", "/users/password/new"],
        ),
    ];
    let words = without_fillers(&words_of(page));
    let name = words.join(" ");
    let mut paths: Vec<String> = Vec::new();
    if let Some((_, known)) = KNOWN.iter().find(|(names, _)| names.contains(&name.as_str())) {
        paths.extend(known.iter().map(|path| (*path).to_string()));
    }
    for joined in [words.join("-"), words.join("_"), words.concat()] {
        let path = format!("/{joined}");
        if !joined.is_empty() && !paths.contains(&path) {
            paths.push(path);
        }
    }
    paths
}

/// The author's address of the first page, with its key.
pub fn home_hint(hints: &Hints) -> Option<(String, String)> {
    page_hint(hints, "home").or_else(|| page_hint(hints, "start"))
}

/// The author's address of a page, with its key.
fn page_hint(hints: &Hints, name: &str) -> Option<(String, String)> {
    let words = without_fillers(&words_of(name));
    let ways = variants(&words);
    let mut found: Vec<(f64, &String, &String)> = Vec::new();
    for (key, url) in &hints.pages {
        let mut parts = identifier_words(key);
        parts.retain(|part| !matches!(part.as_str(), "page" | "url" | "screen" | "link" | "address"));
        let worth = ways
            .iter()
            .filter(|way| way.words.len() == parts.len() && all_among(&way.words, &parts))
            .map(|way| way.worth)
            .fold(0.0, f64::max);
        if worth > 0.0 {
            found.push((worth, key, url));
        }
    }
    found.sort_by(|one, other| other.0.total_cmp(&one.0));
    found.first().map(|(_, key, url)| ((*key).clone(), (*url).clone()))
}

impl Grounding<'_> {
    pub(super) fn go(&self, to: &Destination) -> Decision {
        match to {
            Destination::Url(url) => plain(Action::Go { url: url.clone() }, "the address in the step"),
            Destination::Path(path) => plain(Action::Go { url: self.joined(path) }, "the path in the step"),
            Destination::Home => match home_hint(self.hints) {
                Some((key, url)) => plain(Action::Go { url }, &format!("the hint `{key}`")),
                None => plain(Action::Go { url: self.joined("/") }, "the first page of the site"),
            },
            Destination::Page(name) => self.go_to_page(name),
        }
    }

    /// A path on the site at hand. Without a site it stays a path: the caller knows the base address.
    fn joined(&self, path: &str) -> String {
        let url = &self.view.scene.url;
        let origin_end = url
            .find("://")
            .filter(|scheme| url.starts_with("http") && *scheme <= 5)
            .map(|scheme| url[scheme + 3..].find(['/', '?', '#']).map_or(url.len(), |end| scheme + 3 + end));
        match origin_end {
            Some(end) => format!("{}{path}", &url[..end]),
            None => path.to_string(),
        }
    }

    fn go_to_page(&self, name: &str) -> Decision {
        let view = self.view;
        if let Some((key, url)) = page_hint(self.hints, name) {
            let url = if url.starts_with('/') { self.joined(&url) } else { url };
            return plain(Action::Go { url }, &format!("the hint `{key}`"));
        }
        if is_page(view, name, self.hints).verdict() == Verdict::Passed {
            return Decision::NothingToDo { because: format!("this is already the {name} page") };
        }
        let ways_there = |view: &View, at: usize| match view.node(at).role.as_str() {
            "link" | "tab" | "menuitem" | "treeitem" => 1.0,
            "button" | "clickable" => 0.85,
            _ if view.node(at).is("clickable") => 0.8,
            _ => 0.0,
        };
        let mut target =
            Target { said: format!("the {name} page"), words: words_of(name), ..Target::default() };
        // Page 3 is one of a list, and nothing else that says 3.
        if !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit()) {
            target = Target { said: format!("page {name}"), kind: Some(crate::ElementKind::Page), ..target };
        }
        match find(&self.search(ways_there), &target) {
            SearchResult::One(found) => self.clicked(found.at, self.evidence(&found), ClickKind::Single),
            SearchResult::Several(several) => unclear(view, &target, &several),
            SearchResult::None { nearest, .. } => missing(
                view,
                format!(
                    "nothing on the page leads to the {name} page; give its address, or a hint `{}_page`",
                    words_of(name).join("_")
                ),
                &nearest,
            ),
        }
    }

    pub(super) fn switch_tab(&self, to: &TabChoice) -> Decision {
        let tabs = &self.view.scene.tabs;
        let current = tabs.iter().position(|tab| tab.current);
        let chosen = match to {
            TabChoice::Number(number) => number.checked_sub(1).filter(|index| *index < tabs.len()),
            TabChoice::First => (!tabs.is_empty()).then_some(0),
            TabChoice::Last => tabs.len().checked_sub(1),
            // A new tab is the last; where only the current one is open, it has not come yet.
            TabChoice::New => {
                tabs.len().checked_sub(1).filter(|last| Some(*last) != current || tabs.len() > 1)
            }
            TabChoice::Next => current.map(|index| index + 1).filter(|index| *index < tabs.len()),
            TabChoice::Previous => current.and_then(|index| index.checked_sub(1)),
            TabChoice::Named(name) => {
                let words = words_of(name);
                let named = |tab: &TabLine| all_among(&words, &words_of(&tab.title));
                let mut found: Vec<usize> = (0..tabs.len()).filter(|index| named(&tabs[*index])).collect();
                if found.is_empty() {
                    found = (0..tabs.len())
                        .filter(|index| all_among(&words, &identifier_words(&tabs[*index].url)))
                        .collect();
                }
                if found.len() > 1 {
                    return Decision::Unclear {
                        why: format!("{} tabs are called \"{name}\"", found.len()),
                        candidates: Vec::new(),
                        clearer: format!("say which: tab {}", found[0] + 1),
                    };
                }
                found.pop()
            }
        };
        match chosen {
            Some(index) if Some(index) == current => {
                Decision::NothingToDo { because: format!("tab \"{}\" is the current one", tabs[index].title) }
            }
            Some(index) => plain(
                Action::TabSwitch { tab: tabs[index].tab.clone() },
                &format!("tab \"{}\"", tabs[index].title),
            ),
            None => {
                let open: Vec<String> = tabs.iter().map(|tab| format!("\"{}\"", tab.title)).collect();
                missing(self.view, format!("there is no such tab; open: {}", open.join(", ")), &[])
            }
        }
    }
}
