//! Tabs of the browser, frames, and closing things.

use crate::{Act, ClickKind, ElementKind, Ordinal, TabChoice, Target, Toggle};

use super::super::lexicon::words::DETERMINERS;
use super::super::noun::Nouns;
use super::super::phrase::Phrase;
use super::verbs::Verb;
use super::{Acts, Misread, needed};

/// "Switch to the new tab", "to the "Pay" frame", "the switch on".
pub(super) fn switch(rest: Phrase<'_>, nouns: &Nouns<'_>) -> Acts {
    if let Some(last) = rest.last().filter(|last| last.is_any(&["on", "off"]) && rest.len() > 1) {
        let to = if last.is("on") { Toggle::On } else { Toggle::Off };
        let target = needed(rest.until(rest.len() - 1), Verb::Turn, nouns)?;
        return Ok(vec![Act::Check { targets: vec![target], to }]);
    }
    if !rest.has_any(&["to", "into", "out"]) && rest.find(&["frame", "iframe", "tab"]).is_none() {
        return Err(Misread::new(Verb::Switch, "it does not say where to"));
    }
    let rest = rest.without_front(&["back", "over", "out"]).without_front(&["to", "into", "of"]);
    let plain = rest.without_front(DETERMINERS);
    let main_page = ["main", "parent", "top", "default", "default-content"];
    let leaves = plain.starts_any(&main_page) && plain.has_any(&["content", "page", "frame", "document"]);
    if leaves {
        return Ok(vec![Act::SwitchFrame { to: None }]);
    }
    if let ["browser", "tab" | "window", number] = plain.words().as_slice()
        && let Some(number) = number.parse::<usize>().ok().filter(|number| *number > 0)
    {
        return Ok(vec![Act::SwitchTab { to: TabChoice::Number(number) }]);
    }
    let is_window = plain.has_any(&["window"]);
    let mut target = needed(rest, Verb::Switch, nouns)?;
    if target.kind == Some(ElementKind::Frame) {
        return Ok(vec![Act::SwitchFrame { to: Some(target) }]);
    }
    if is_window {
        target.kind = Some(ElementKind::Tab);
        target.words.retain(|word| word != "window");
    }
    match target.kind {
        Some(ElementKind::Tab) => to_tab(&target),
        Some(ElementKind::Page) | None => super::navigate::go(rest, nouns),
        _ => Err(Misread::new(Verb::Switch, format!("`{}` is neither a tab nor a frame", target.said))),
    }
}

pub(super) fn to_tab(target: &Target) -> Acts {
    let said = target.said.to_lowercase();
    let of_browser = target.words.iter().any(|word| word == "browser") || said.contains("window");
    let words: Vec<&str> = target
        .words
        .iter()
        .map(String::as_str)
        .filter(|word| !matches!(*word, "browser" | "opened" | "newly"))
        .collect();
    let choice = match (target.ordinal, words.as_slice()) {
        (Some(Ordinal::Nth(1)), []) => Some(TabChoice::First),
        (Some(Ordinal::Nth(number)), []) => Some(TabChoice::Number(number)),
        (Some(Ordinal::Last), []) => Some(TabChoice::Last),
        (None, ["new"] | ["other"]) => Some(TabChoice::New),
        (None, []) if said.contains("newly") || said.contains("opened") => Some(TabChoice::New),
        (None, ["next"]) => Some(TabChoice::Next),
        (None, ["previous"]) => Some(TabChoice::Previous),
        (None, ["original"] | ["main"] | ["initial"] | ["old"]) => Some(TabChoice::First),
        (None, [number]) if number.parse::<usize>().is_ok_and(|n| n > 0) => {
            number.parse().ok().map(TabChoice::Number)
        }
        _ => None,
    };
    if let Some(to) = choice.filter(|_| target.quoted.is_none()) {
        return Ok(vec![Act::SwitchTab { to }]);
    }
    let by_title = said.contains("title") || said.contains("url");
    let name = target.quoted.clone().unwrap_or_else(|| words.join(" "));
    if (of_browser || by_title) && !name.is_empty() {
        return Ok(vec![Act::SwitchTab { to: TabChoice::Named(name) }]);
    }
    if name.is_empty() {
        return Err(Misread::new(Verb::Switch, "it does not say which tab"));
    }
    // A tab with a name and nothing about the browser is one that the page shows.
    Ok(vec![Act::Click { target: target.clone(), how: ClickKind::Single }])
}

pub(super) fn close(rest: Phrase<'_>, nouns: &Nouns<'_>) -> Acts {
    let plain = rest.without_front(DETERMINERS).without_front(&["current", "active", "browser"]);
    if plain.is(&["tab"]) || plain.is(&["window"]) || plain.is(&["popup", "window"]) && rest.has("browser") {
        return Ok(vec![Act::CloseTab]);
    }
    if rest.without_front(DETERMINERS).is(&["browser"]) {
        return Err(Misread::new(Verb::Close, "assay closes the browser when the test ends"));
    }
    // "Close it": what lies over the page.
    if rest.is(&["it"]) && nouns.antecedent.is_none() {
        let target = Target { said: "it".to_string(), kind: Some(ElementKind::Dialog), ..Target::default() };
        return Ok(vec![Act::Close { target }]);
    }
    // "Close the menu with Escape".
    if let Some(at) = rest.find_last(&["with", "using"]).filter(|at| *at > 0)
        && let Some(key) =
            super::keyboard::keys_of(rest.from(at + 1).without_front(DETERMINERS).without_end(&["key"]))
    {
        return Ok(vec![Act::Press { keys: vec![key], target: None }]);
    }
    let target = needed(rest, Verb::Close, nouns)?;
    let counted = target.ordinal.is_some() || target.words == ["new"] || target.words == ["other"];
    if target.kind == Some(ElementKind::Tab) && counted && target.quoted.is_none() {
        let mut acts = to_tab(&target)?;
        acts.push(Act::CloseTab);
        return Ok(acts);
    }
    Ok(vec![Act::Close { target }])
}
