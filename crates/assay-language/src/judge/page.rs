//! Whether this is the page with a given name. Only its own address, title and main heading count.

use crate::Hints;
use crate::ground::view::View;
use crate::ground::words::{
    all_among, fold, identifier_words, run_at, same_word, stem, without_fillers, words_of,
};
use crate::synonyms::{SYNONYM, variants};

use super::address::path_of;
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
    "denied",
    "unauthorized",
    "not authorized",
    "not allowed",
    "permission",
    "something went wrong",
    "went wrong",
    "bad gateway",
    "unavailable",
    "not available",
    "does not exist",
    "doesn't exist",
    "no such page",
    "can't be reached",
    "could not",
    "couldn't",
    "cannot",
    "failed",
    "declined",
    "expired",
    "maintenance",
    "oops",
    "sorry",
    "error",
];

/// Words that may stand beside the name of a page in its heading without making it another page.
const BESIDE_THE_NAME: &[&str] = &[
    "the",
    "a",
    "an",
    "your",
    "my",
    "our",
    "this",
    "of",
    "for",
    "to",
    "in",
    "into",
    "on",
    "with",
    "and",
    "page",
    "screen",
    "view",
    "overview",
    "list",
    "all",
    "form",
    "details",
    "account",
    "now",
    "online",
    "welcome",
    "back",
    "hello",
    "hi",
    "new",
    "manage",
    "management",
    "center",
    "centre",
    "portal",
    "area",
    "please",
    "user",
    "us",
];

/// What a heading that only greets begins with: it says nothing about which page it is.
const GREETINGS: &[&str] = &["welcome", "hello", "hi", "good", "hey"];

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
    let wants_error = tells_an_error(name)
        || words.iter().any(|word| matches!(word.as_str(), "error" | "404" | "500" | "403" | "found"));
    if !wants_error && [own_title(&scene.title), &heading_text].iter().any(|text| tells_an_error(text)) {
        return Finding::compared(Truth::No, &what, &here).with(seen);
    }
    let ways: Vec<Vec<String>> =
        variants(&words).into_iter().filter(|way| way.worth >= SYNONYM).map(|way| way.words).collect();
    let has = |have: &[String]| {
        ways.iter().any(|way| run_at(way, have).is_some() || (way.len() > 1 && all_among(way, have)))
    };
    let mentioned = has(&words_of(&heading_text));
    let by_heading = mentioned && is_headed(&heading_text, &ways);
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
    // A heading that names something else, at the address alone, may be what is shown instead.
    let is_asked = demands_something(&heading_text);
    let fits_the_heading = heading.is_none()
        || mentioned
        || by_title
        || by_hint == Some(true)
        || (at_home || is_greeting(&heading_text) || shows_one_of_many(&scene.url)) && !is_asked;
    let titled = is_titled(&scene.title, &ways);
    let doubt = if !mentioned && !by_title && !by_address {
        None
    } else if asks_to_log_in(view) && !is_about_logging_in(&ways) {
        // A guarded page often shows the login form at its own address, under its own name.
        Some("the page asks to log in".to_string())
    } else {
        by_its_content(view, heading, wants_error || is_about_logging_in(&ways))
    };
    let truth = match (mentioned, by_title, by_address) {
        (false, false, false) => Truth::No,
        _ if doubt.is_some() => Truth::Unsure,
        _ if by_heading => Truth::Yes,
        // "Log in to your dashboard", with the form to do it.
        (true, ..) if asks_to_log_in(view) && is_the_login(&ways) => Truth::Yes,
        (_, _, true) if (at_the_end || by_title) && fits_the_heading => Truth::Yes,
        (true, _, _) if titled => Truth::Yes,
        (false, true, _) if heading.is_none() => Truth::Yes,
        (false, true, _) if titled && is_greeting(&heading_text) => Truth::Yes,
        _ => Truth::Unsure,
    };
    let because = match truth {
        Truth::Yes if by_address => format!("this is {what}: its address is {}", path_of(&scene.url)),
        Truth::Yes if by_heading => format!("this is {what}: its heading is \"{heading_text}\""),
        Truth::Yes => format!("this is {what}: its title is \"{}\"", scene.title),
        Truth::Unsure => match doubt {
            Some(doubt) => format!("it may be {what}, but {doubt}"),
            None if mentioned => format!("\"{heading_text}\" mentions {what}, but this may be another page"),
            None => format!("only part of the address or the title matches {what}: {here}"),
        },
        _ => return Finding::compared(truth, &what, &here).with(seen),
    };
    Finding { expected: Some(what), found: Some(here), ..Finding::new(truth, because) }.with(seen)
}

/// Without the mark by which a form that was not accepted tells so in its title: "Error: Log in".
fn own_title(title: &str) -> &str {
    match title.split_once(": ") {
        Some((mark, rest)) if mark.eq_ignore_ascii_case("error") => rest,
        _ => title,
    }
}

/// What the content says against it: nothing is there yet, or without a heading it tells of a failure.
fn by_its_content(view: &View, heading: Option<usize>, wants_error: bool) -> Option<String> {
    let is_frame = |at: usize| {
        view.scene.ancestors(at).any(|around| {
            matches!(
                view.node(around).role.as_str(),
                "navigation" | "banner" | "contentinfo" | "complementary"
            )
        })
    };
    let content: Vec<usize> = view
        .all()
        .filter(|at| !is_frame(*at) && !view.node(*at).is("covered"))
        .filter(|at| view.node(*at).role == "text" || view.node(*at).role == "image" || view.is_editable(*at))
        .collect();
    let first: Vec<&str> = content.iter().take(3).map(|at| view.text(*at)).collect();
    if content.is_empty() {
        return Some("nothing is shown on it".to_string());
    }
    let waits = |text: &str| words_of(text).iter().any(|word| matches!(word.as_str(), "loading" | "wait"));
    if content.len() <= 3 && first.iter().any(|text| waits(text)) {
        return Some("it is still loading".to_string());
    }
    let failed = first.iter().find(|text| heading.is_none() && !wants_error && tells_an_error(text));
    // A page that was left alone says so under its usual title.
    let ended =
        content.iter().take(6).map(|at| view.text(*at)).find(|text| !wants_error && tells_an_end(text));
    failed.copied().or(ended).map(|text| format!("it says \"{text}\""))
}

/// "Your session has ended", "You have been logged out".
fn tells_an_end(text: &str) -> bool {
    let words = words_of(text);
    let has = |word: &str| words.iter().any(|other| other == word);
    let is_over = has("ended") || has("expired") || has("timed") || has("over");
    has("session") && is_over || has("logged") && has("out") || has("signed") && has("out")
}

/// "Please sign up to continue", "Log in": the heading of what stands in the way of a page.
fn demands_something(heading: &str) -> bool {
    let words = words_of(heading);
    let asks = [["log", "in"], ["sign", "in"], ["sign", "up"]];
    asks.iter().any(|pair| run_at(&pair.map(str::to_string), &words).is_some())
        || words
            .iter()
            .any(|word| matches!(word.as_str(), "login" | "please" | "register" | "continue" | "verify"))
}

/// The heading is the name, with nothing beside it but small words, counts and whose it is.
fn is_headed(heading: &str, ways: &[Vec<String>]) -> bool {
    let owned: Vec<String> =
        fold(heading).split_whitespace().filter(|word| word.ends_with("'s")).flat_map(words_of).collect();
    let have = words_of(heading);
    if heading.contains('?') {
        return false;
    }
    ways.iter().any(|way| {
        all_among(way, &have)
            && have.iter().all(|word| {
                way.iter().any(|own| same_word(own, word))
                    || BESIDE_THE_NAME.contains(&word.as_str())
                    || owned.contains(word)
                    || word.bytes().all(|byte| byte.is_ascii_digit())
            })
    })
}

fn is_greeting(heading: &str) -> bool {
    words_of(heading).first().is_some_and(|first| GREETINGS.contains(&first.as_str()))
}

/// `/products/17`: the heading is the name of the product.
fn shows_one_of_many(url: &str) -> bool {
    let path = path_of(url).split(['?', '#']).next().unwrap_or_default();
    let last = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    last.len() >= 24 && last.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
        || !last.is_empty() && last.bytes().all(|byte| byte.is_ascii_digit())
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

/// A heading before the main one, in a wider column beside it: which of them is the page's is not clear.
pub(crate) fn rival_of(view: &View, heading: usize) -> Option<usize> {
    let first = view.all().find(|at| view.node(*at).role == "heading" && !view.node(*at).is("covered"))?;
    let ([left, _, width, _], [beside, _, wide, _]) = (view.node(heading).area, view.node(first).area);
    let is_beside = left + width <= beside || beside + wide <= left;
    (first != heading && is_beside && wide > width * 1.5).then_some(first)
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

pub(crate) fn tells_an_error(text: &str) -> bool {
    let words = words_of(text);
    ERRORS.iter().any(|error| {
        let error = words_of(error);
        let at_start = error.len() == 1 && matches!(error[0].as_str(), "error" | "sorry" | "oops");
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
            "login" | "log" | "sign" | "password" | "register" | "registration" | "create"
        )
    })
}

fn is_the_login(ways: &[Vec<String>]) -> bool {
    ways.iter().any(|way| way.len() == 1 && way[0] == "login")
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
