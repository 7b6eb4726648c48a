//! Whether this is the page of a name. Only what the page says of itself counts: its address, title and main heading.

use crate::Hints;
use crate::ground::view::View;
use crate::ground::words::{all_among, identifier_words, run_at, stem, without_fillers, words_of};
use crate::synonyms::{SYNONYM, variants};

use super::shown::path_of;
use super::{Finding, Truth};

/// Words by which a page says that it is not what was asked for.
const ERRORS: &[&str] = &[
    "404",
    "500",
    "403",
    "401",
    "502",
    "503",
    "not found",
    "page not found",
    "server error",
    "internal server error",
    "forbidden",
    "access denied",
    "unauthorized",
    "something went wrong",
    "bad gateway",
    "service unavailable",
    "does not exist",
    "doesn't exist",
    "no such page",
    "can't be reached",
    "error",
];

pub(crate) fn is_page(view: &View, name: &str, hints: &Hints) -> Finding {
    let scene = view.scene;
    let words = without_fillers(&words_of(name));
    let what = format!("the {name} page");
    let heading = main_heading(view);
    let heading_text = heading.map(|at| view.text(at).to_string()).unwrap_or_default();
    let shown = if heading_text.is_empty() { scene.title.clone() } else { heading_text.clone() };
    let here = format!("{shown} ({})", path_of(&scene.url));
    let seen = view.lines(heading);
    if words.is_empty() {
        return Finding::unsure("the page is not named");
    }
    let wants_error =
        words.iter().any(|word| matches!(word.as_str(), "error" | "404" | "500" | "403" | "found"));
    if !wants_error && [scene.title.as_str(), &heading_text].iter().any(|text| tells_an_error(text)) {
        return Finding::compared(Truth::No, &what, &here).with(seen);
    }
    let ways: Vec<Vec<String>> =
        variants(&words).into_iter().filter(|way| way.worth >= SYNONYM).map(|way| way.words).collect();
    let has = |have: &[String]| {
        ways.iter().any(|way| run_at(way, have).is_some() || (way.len() > 1 && all_among(way, have)))
    };
    let by_heading = has(&words_of(&heading_text));
    let by_title = has(&words_of(&scene.title));
    let by_hint = hinted_address(hints, &ways).map(|address| same_address(&address, &scene.url));
    let segments = segments(&scene.url);
    let at_home = ways
        .iter()
        .any(|way| way.len() == 1 && matches!(way[0].as_str(), "home" | "start" | "landing" | "main"))
        && segments.iter().all(|segment| segment.len() == 1 && segment[0] == "index");
    let leads = |segment: &Vec<String>| ways.iter().any(|way| same(way, segment));
    let by_address = by_hint == Some(true) || at_home || segments.iter().any(leads);
    // What stands further back in the address is a part of the site: `/dashboard/settings` is the settings' page.
    let at_the_end = by_hint == Some(true) || at_home || segments.last().is_some_and(leads);
    let truth = match (by_heading, by_title, by_address) {
        (false, false, false) => Truth::No,
        // A guarded page often shows the login form at its own address.
        _ if asks_to_log_in(view) && !is_about_logging_in(&ways) && !by_heading => Truth::Unsure,
        (true, ..) => Truth::Yes,
        (_, _, true) if at_the_end || by_title => Truth::Yes,
        (_, true, _) if heading.is_none() || is_titled(&scene.title, &ways) => Truth::Yes,
        _ => Truth::Unsure,
    };
    let because = match truth {
        Truth::Yes if by_address => format!("this is {what}: its address is {}", path_of(&scene.url)),
        Truth::Yes if by_heading => format!("this is {what}: its heading is \"{heading_text}\""),
        Truth::Yes => format!("this is {what}: its title is \"{}\"", scene.title),
        Truth::Unsure if asks_to_log_in(view) => format!("it may be {what}, but the page asks to log in"),
        Truth::Unsure => format!("only a part of the address or the title is that of {what}: {here}"),
        _ => return Finding::compared(truth, &what, &here).with(seen),
    };
    Finding { expected: Some(what), found: Some(here), ..Finding::new(truth, because) }.with(seen)
}

/// The first heading of the highest rank that is in sight and not part of what frames every page.
pub(crate) fn main_heading(view: &View) -> Option<usize> {
    let headings: Vec<usize> = view
        .all()
        .filter(|at| view.node(*at).role == "heading" && !view.node(*at).is("covered"))
        .filter(|at| {
            !view.scene.ancestors(*at).any(|around| {
                matches!(
                    view.node(around).role.as_str(),
                    "navigation" | "contentinfo" | "complementary" | "dialog" | "alertdialog"
                )
            })
        })
        .collect();
    headings
        .iter()
        .copied()
        .find(|at| view.node(*at).attribute("tag") == Some("h1"))
        .or(headings.first().copied())
}

/// The title begins with the name of the page: `Dashboard – Acme`, not `Settings – Acme Dashboard`.
fn is_titled(title: &str, ways: &[Vec<String>]) -> bool {
    let end = [" – ", " - ", " | ", " · ", " — ", ": "].iter().filter_map(|mark| title.find(mark)).min();
    let first = title.get(..end.unwrap_or(title.len()));
    first.is_some_and(|part| {
        let words = words_of(part);
        ways.iter().any(|way| run_at(way, &words).is_some() && words.len() <= way.len() + 2)
    })
}

fn tells_an_error(text: &str) -> bool {
    let words = words_of(text);
    ERRORS.iter().any(|error| {
        let error = words_of(error);
        let at_start = error.len() == 1 && error[0] == "error";
        if at_start { words.first() == error.first() } else { run_at(&error, &words).is_some() }
    })
}

fn asks_to_log_in(view: &View) -> bool {
    let secrets = view
        .all()
        .filter(|at| view.node(*at).attribute("type") == Some("password") || view.node(*at).is("secret"))
        .count();
    let says_so = |text: &str| {
        let words = words_of(text);
        [["log", "in"], ["sign", "in"]].iter().any(|pair| run_at(&pair.map(str::to_string), &words).is_some())
            || words.iter().any(|word| word == "login")
    };
    secrets == 1
        && (says_so(&view.scene.title)
            || view.all().any(|at| {
                matches!(view.node(at).role.as_str(), "heading" | "button") && says_so(view.text(at))
            }))
}

fn is_about_logging_in(ways: &[Vec<String>]) -> bool {
    ways.iter().flatten().any(|word| {
        matches!(
            word.as_str(),
            "login" | "log" | "sign" | "password" | "register" | "registration" | "account" | "home"
        )
    })
}

fn hinted_address(hints: &Hints, ways: &[Vec<String>]) -> Option<String> {
    hints.pages.iter().find_map(|(key, url)| {
        let mut parts = identifier_words(key);
        parts.retain(|part| !matches!(part.as_str(), "page" | "url" | "screen"));
        ways.iter().any(|way| same(way, &parts)).then(|| url.clone())
    })
}

fn same_address(one: &str, other: &str) -> bool {
    let path = |url: &str| {
        let path = if url.starts_with('/') { url } else { path_of(url) };
        path.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/').to_string()
    };
    path(one) == path(other) && !path(one).is_empty()
}

/// The parts of the path as words; a path after `#` counts like any other.
fn segments(url: &str) -> Vec<Vec<String>> {
    let path = path_of(url);
    let (plain, fragment) = path.split_once('#').unwrap_or((path, ""));
    let plain = plain.split('?').next().unwrap_or_default();
    let routed =
        if fragment.starts_with(['/', '!']) { fragment.split('?').next().unwrap_or_default() } else { "" };
    plain
        .split('/')
        .chain(routed.split('/'))
        .map(|segment| segment.rsplit_once('.').map_or(segment, |(name, _)| name))
        .map(identifier_words)
        // Which one of many is shown says nothing about the kind of page.
        .filter(|words| {
            words.iter().any(|word| {
                !word.bytes().all(|byte| byte.is_ascii_hexdigit())
                    || word.len() < 3 && !word.bytes().all(|byte| byte.is_ascii_digit())
            })
        })
        .collect()
}

fn same(one: &[String], other: &[String]) -> bool {
    let joined = |words: &[String]| words.iter().map(|word| stem(word)).collect::<Vec<_>>().concat();
    joined(one) == joined(other)
}
