//! Going to pages, and opening what leads to them.

use crate::ground::words::identifier_words;
use crate::{Act, ClickKind, Destination, ElementKind, Target};

use super::super::lexicon::words::{DETERMINERS, PAGE_NAMES};
use super::super::noun::{Nouns, is_plain_page};
use super::super::phrase::Phrase;
use super::super::token::{self, TokenKind};
use super::verbs::Verb;
use super::{Acts, Misread, needed};

pub(super) fn go(rest: Phrase<'_>, nouns: &Nouns<'_>) -> Acts {
    let rest = without_preposition(rest);
    if rest.is_empty() {
        return Err(Misread::new(Verb::Go, "it does not say where to"));
    }
    // "Go through the checklist" is no place.
    if rest.starts_any(&["through", "around", "ahead", "along", "down"]) {
        return Err(unnamed(rest));
    }
    if let Some(path) = steps(rest, nouns) {
        return path;
    }
    if let Some(to) = address(rest).or_else(|| known_page(rest, nouns)) {
        return Ok(vec![Act::Go { to }]);
    }
    // "the dashboard at /index.html": the address says where, whatever the page is called.
    if let Some(at) = rest.find_last(&["at"]).filter(|at| *at > 0)
        && let Some(to) = address(rest.from(at + 1))
    {
        return Ok(vec![Act::Go { to }]);
    }
    // "Go to the bottom of the page".
    let side = rest.without_front(DETERMINERS);
    if side.starts_any(&["bottom", "top", "end"]) && (side.len() == 1 || side.word(1) == "of") {
        return super::pointer::scroll(rest, nouns);
    }
    if let Some(name) = by_two_names(rest) {
        return Ok(vec![Act::Go { to: Destination::Page(name) }]);
    }
    let target = needed(rest, Verb::Go, nouns)?;
    match target.kind {
        _ if is_home(&target) => Ok(vec![Act::Go { to: Destination::Home }]),
        _ if target.ordinal.is_some()
            || target.words.iter().any(|word| word == "next" || word == "previous") =>
        {
            turn_page(target)
        }
        None | Some(ElementKind::Page | ElementKind::Any) => page(&target)
            .map(|name| vec![Act::Go { to: Destination::Page(name) }])
            .ok_or_else(|| unnamed(rest)),
        Some(ElementKind::Tab | ElementKind::Link | ElementKind::Button | ElementKind::MenuItem) => {
            Ok(vec![Act::Click { target, how: ClickKind::Single }])
        }
        // "Go to the product page" is read above; "go to the user list" is a page that is called a list.
        Some(ElementKind::List | ElementKind::Table | ElementKind::Form) if target.relations.is_empty() => {
            let name = target.quoted.clone().unwrap_or_else(|| plain_name(rest));
            Ok(vec![Act::Go { to: Destination::Page(name) }])
        }
        // "Browse products from …": many, and none of them is opened.
        Some(ElementKind::Item | ElementKind::Row | ElementKind::ListItem)
            if target.is_nameless() && target.ordinal.is_none() =>
        {
            Err(unnamed(rest))
        }
        Some(_) => Ok(vec![Act::Open { target }]),
    }
}

/// `the "Alpha" project "settings" page`: a page that is about both.
fn by_two_names(rest: Phrase<'_>) -> Option<String> {
    let names: Vec<&str> =
        rest.tokens.iter().filter(|token| token.is_quoted()).map(|token| token.text.as_str()).collect();
    let is_plain = rest.tokens.iter().all(|token| token.is_quoted() || token.kind == TokenKind::Word);
    let is_joined = rest.has_any(&["and", "or", "in", "on", "for", "with", "of", "from", "to"]);
    // Two names, the sort of thing at most, and the page itself.
    let is_page =
        rest.last().is_some_and(|last| last.is("page")) && rest.without_front(DETERMINERS).len() <= 4;
    (names.len() == 2 && is_plain && !is_joined && is_page).then(|| names.join(" "))
}

/// "Go to the next page" turns the pages of a list.
fn turn_page(target: Target) -> Acts {
    let is_next = target.words == ["next"] && target.kind == Some(ElementKind::Page);
    // Calendars are turned by their buttons.
    let is_span =
        |word: &String| matches!(word.as_str(), "month" | "year" | "week" | "day" | "slide" | "image");
    let is_turned = matches!(target.words.as_slice(), [turn, span] if matches!(turn.as_str(), "next" | "previous") && is_span(span));
    if is_next || is_turned && target.quoted.is_none() && target.relations.is_empty() {
        let target = Target { kind: None, ..target };
        return Ok(vec![Act::Click { target, how: ClickKind::Single }]);
    }
    if target.kind == Some(ElementKind::Page) || target.kind.is_none() {
        let why = format!("`{}` could be a page of a list or one that was open before", target.said);
        return Err(Misread::new(Verb::Go, why));
    }
    if target.kind == Some(ElementKind::Tab) {
        return super::tabs::to_tab(&target);
    }
    Ok(vec![Act::Open { target }])
}

fn unnamed(rest: Phrase<'_>) -> Misread {
    Misread::new(Verb::Go, format!("`{}` does not say which page", rest.text()))
}

/// "to", "to the url", "over to".
fn without_preposition(rest: Phrase<'_>) -> Phrase<'_> {
    let rest = rest.without_front(&["back", "over", "directly", "straight"]);
    let rest = rest.without_front(&["to", "into", "onto", "on", "up"]);
    let rest = rest.without_end(&["successfully", "again"]);
    // "… in the browser": where else.
    let rest = match rest.find_last(&["in"]).filter(|at| *at > 0) {
        Some(at) if rest.from(at + 1).without_front(DETERMINERS).without_front(&["web"]).is(&["browser"]) => {
            rest.until(at)
        }
        _ => rest,
    };
    let after = rest.without_front(DETERMINERS);
    let nouns = ["url", "address", "website", "site", "page", "path", "link", "application", "app"];
    let address = after.without_front(&nouns).without_front(&["at", "of"]);
    let address =
        if address.first().is_some_and(|token| token.is_mark(':')) { address.from(1) } else { address };
    let is_address = address.len() < after.len() && address.len() == 1;
    if is_address && self::address(address).is_some() { address } else { rest }
}

/// "Settings > Profile": one click after the other.
fn steps(rest: Phrase<'_>, nouns: &Nouns<'_>) -> Option<Acts> {
    if !rest.tokens.iter().any(|token| token.is_mark('>')) {
        return None;
    }
    Some(super::click::path(rest, nouns, Verb::Go))
}

/// A key of `selectors`, said as it is written there.
fn known_page(rest: Phrase<'_>, nouns: &Nouns<'_>) -> Option<Destination> {
    let [only] = rest.without_front(DETERMINERS).tokens else { return None };
    let key = nouns.hints.pages.keys().find(|key| key.contains('_') && key.to_lowercase() == only.low)?;
    Some(Destination::Page(key.clone()))
}

/// A key of `selectors` by its words: "the order desk" is `order_desk`, `orderDesk` and `order_desk_page`.
fn page_called(rest: Phrase<'_>, nouns: &Nouns<'_>) -> Option<Destination> {
    const PAGE: &[&str] = &["page", "url", "screen", "link", "address", "site", "website"];
    let plain = rest.without_front(DETERMINERS);
    if plain.has_quoted() {
        return None;
    }
    let said: Vec<&str> = plain.words().into_iter().filter(|word| !PAGE.contains(word)).collect();
    let is_it = |key: &&String| {
        let mut parts = identifier_words(key);
        parts.retain(|part| !PAGE.contains(&part.as_str()));
        !parts.is_empty() && parts.iter().map(String::as_str).eq(said.iter().copied())
    };
    // Which of several keys is meant is found out where the address is looked up.
    nouns.hints.pages.keys().any(|key| is_it(&key)).then(|| Destination::Page(said.join(" ")))
}

/// An address by its looks, quoted or not.
pub(crate) fn address(rest: Phrase<'_>) -> Option<Destination> {
    let [only] = rest.tokens else { return None };
    let kind = if only.is_quoted() {
        let inner = token::tokens(&only.text).ok()?;
        match inner.as_slice() {
            [one] if one.text == only.text => one.kind,
            _ => return None,
        }
    } else {
        only.kind
    };
    match kind {
        TokenKind::Url => Some(Destination::Url(only.text.clone())),
        TokenKind::Path => Some(Destination::Path(only.text.clone())),
        _ => None,
    }
}

pub(super) fn is_home(target: &Target) -> bool {
    const HOME: &[&str] = &["home", "start", "homepage", "main", "landing", "front"];
    const APP: &[&str] = &["app", "application", "shop", "store", "web", "base", "url", "homepage"];
    let all =
        |names: &[&str]| !target.words.is_empty() && target.words.iter().all(|w| names.contains(&w.as_str()));
    let is_page = target.kind == Some(ElementKind::Page);
    target.quoted.is_none()
        && target.relations.is_empty()
        && (is_page && all(HOME)
            || target.words == ["homepage"]
            || target.kind.is_none() && (all(APP) || target.words == ["home"])
            || is_plain_page(target) && target.said.to_lowercase().contains("site")
            || is_page && all(&["app", "application", "web", "base", "url"]))
}

/// "the login page" is "login". Where the page is in something else, the name is all of it.
pub(super) fn page(target: &Target) -> Option<String> {
    // `the "Clients" creation page` is not the page of the clients; `the "Ocean" channel` says only what it is.
    const SUBPAGES: &[&str] = &[
        "list", "edit", "edition", "creation", "create", "new", "settings", "details", "detail", "history",
        "show", "import", "export",
    ];
    if let Some(quoted) = &target.quoted {
        let is_sub = |word: &&String| SUBPAGES.contains(&word.as_str());
        let more = target.words.iter().filter(is_sub).map(|word| format!(" {word}"));
        return Some(std::iter::once(quoted.clone()).chain(more).collect());
    }
    // "A page with a map" is not called so.
    if target.relations.iter().any(|relation| relation.how == crate::Nearness::Containing) {
        return None;
    }
    if !target.relations.is_empty() {
        let relation = &target.relations[0];
        let of = relation.to.quoted.clone().unwrap_or_else(|| relation.to.words.join(" "));
        // "The cart page in the editor" is not the page of the cart.
        if of.is_empty() {
            return None;
        }
        // "the page of Ada", "the details page of "Lamp"".
        let name = if target.words.is_empty() { of } else { format!("{} {of}", target.words.join(" ")) };
        return Some(name);
    }
    (!target.words.is_empty()).then(|| target.words.join(" "))
}

fn plain_name(rest: Phrase<'_>) -> String {
    rest.without_front(DETERMINERS).words().join(" ")
}

pub(super) fn open(rest: Phrase<'_>, nouns: &Nouns<'_>) -> Acts {
    // "Open the file with a double-click".
    if let Some(at) = rest.find(&["with", "by"]).filter(|at| *at > 0)
        && rest.from(at + 1).without_front(DETERMINERS).is(&["double-click"])
    {
        let target = needed(rest.until(at), Verb::DoubleClick, nouns)?;
        return Ok(vec![Act::Click { target, how: ClickKind::Double }]);
    }
    let rest = without_preposition(rest);
    if rest.is_empty() {
        return Err(Misread::new(Verb::Open, "it does not say what to open"));
    }
    if rest.has("tab") && rest.has("new") || rest.has("window") && rest.has("new") {
        return Err(Misread::new(
            Verb::Open,
            "a test cannot open an empty tab, only click something that opens one",
        ));
    }
    if rest.without_front(DETERMINERS).starts_any(&["browser", "chrome", "firefox"]) {
        return go(rest.from(rest.find(&["to", "at", "with"]).map_or(rest.len(), |at| at + 1)), nouns);
    }
    if let Some(path) = steps(rest, nouns) {
        return path;
    }
    let said = rest.find_last(&["at"]).filter(|at| *at > 0).and_then(|at| address(rest.from(at + 1)));
    let known = || known_page(rest, nouns).or_else(|| page_called(rest, nouns));
    if let Some(to) = address(rest).or(said).or_else(known) {
        return Ok(vec![Act::Go { to }]);
    }
    if rest.without_front(DETERMINERS).starts(&["context", "menu"])
        && let Some(at) = rest.find(&["of", "for", "on"])
    {
        let target = needed(rest.from(at + 1), Verb::RightClick, nouns)?;
        return Ok(vec![Act::Click { target, how: ClickKind::Right }]);
    }
    let mut target = needed(rest, Verb::Open, nouns)?;
    // "The site editor" is opened, and no field.
    let is_editor = rest.last().is_some_and(|last| last.is("editor"));
    if is_editor && target.kind == Some(ElementKind::Field) && !target.words.is_empty() {
        target.kind = None;
        target.words.push("editor".to_string());
    }
    let is_page = target.kind == Some(ElementKind::Page)
        || target.kind.is_none() && target.words.len() == 1 && PAGE_NAMES.contains(&target.words[0].as_str());
    if is_home(&target) {
        return Ok(vec![Act::Go { to: Destination::Home }]);
    }
    if is_page && target.ordinal.is_none() {
        return page(&target)
            .map(|name| vec![Act::Go { to: Destination::Page(name) }])
            .ok_or_else(|| unnamed(rest));
    }
    Ok(vec![Act::Open { target }])
}

pub(super) fn back(rest: Phrase<'_>, nouns: &Nouns<'_>) -> Acts {
    let rest = rest.without_end(&["again"]);
    let to = rest.without_front(&["to"]).without_front(DETERMINERS);
    let is_plain = to.is_empty()
        || to.is(&["previous", "page"])
        || to.is(&["last", "page"])
        || to.is(&["previous", "screen"])
        || to.starts_any(&["in", "one", "using"]);
    if is_plain {
        return Ok(vec![Act::Back]);
    }
    if rest.starts_any(&["to"]) {
        // "Go back to the first tab" is about tabs.
        if rest.has("tab") || rest.has("window") || rest.has("frame") {
            return super::tabs::switch(rest, nouns);
        }
        return go(rest, nouns);
    }
    Err(Misread::new(Verb::Back, format!("`{}` is not a place to go back to", rest.text())))
}

pub(super) fn reload(rest: Phrase<'_>, nouns: &Nouns<'_>) -> Acts {
    if rest.is_empty() {
        return Ok(vec![Act::Reload]);
    }
    let plain = rest.without_front(DETERMINERS);
    let target = needed(rest, Verb::Reload, nouns)?;
    let is_page =
        target.kind == Some(ElementKind::Page) || plain.is(&["browser"]) || plain.is(&["current", "tab"]);
    let is_this = is_page || plain.is(&["tab"]) || plain.is(&["it"]);
    if is_this {
        Ok(vec![Act::Reload])
    } else {
        Err(Misread::new(Verb::Reload, "only a page can be reloaded"))
    }
}
