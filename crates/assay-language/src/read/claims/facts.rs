//! What acts bring about beside the page, and words that say more than a page can show.

use crate::{About, ElementKind, Matcher, Nearness, Relation, Tone};

use super::super::lexicon::nouns::is_control;
use super::super::lexicon::words::DETERMINERS;
use super::super::noun::Nouns;
use super::super::phrase::Phrase;
use super::clause::Clause;
use super::{BareClaim, Unclear, changes};

/// What acts bring about beside the page: a download, a tab, another value.
pub(crate) fn brought_about(
    subject: Phrase<'_>,
    object: Phrase<'_>,
    nouns: &Nouns<'_>,
) -> Option<Result<Vec<BareClaim>, Unclear>> {
    let plain = subject.trimmed().without_front(DETERMINERS);
    let words = object.words();
    let is_login = plain.is(&["login"])
        || plain.is(&["log", "in"])
        || plain.is(&["sign", "in"])
        || plain.is(&["sign-in"]);
    if is_login && object.starts_any(&["rejected", "refused", "denied"]) {
        return Some(refused(object.from(1)));
    }
    if matches!(words.as_slice(), ["downloaded"] | ["saved", "to", "disk"]) {
        let file = plain.without_front(&["file", "document", "report"]).without_front(&["named", "called"]);
        let name = match file.tokens {
            [] => None,
            [only] if only.is_quoted() || only.text.contains('.') => Some(only.text.clone()),
            _ => return Some(Err("give the name of the file in quotation marks".to_string())),
        };
        return Some(Ok(vec![BareClaim::plainly(About::Download { name })]));
    }
    let is_tab = is_new_tab(plain);
    if is_tab && matches!(words.as_slice(), ["opened"] | ["open"] | ["displayed"] | ["shown"]) {
        return Some(Ok(vec![BareClaim::plainly(About::NewTab)]));
    }
    let is_change = object.starts_any(&["updated", "changed", "increased", "decreased", "reduced"]);
    if is_change && !matches!(object.word(1), "to" | "in" | "on") {
        let how = match changes::change(object, object.from(1)) {
            Ok(how) => how?,
            Err(why) => return Some(Err(why)),
        };
        let target = nouns.target(subject)?;
        return Some(Ok(vec![BareClaim::plainly(About::Changed { target, how })]));
    }
    None
}

/// What is done to things, and told by a message in most pages.
pub(crate) const EVENTS: &[&str] = &[
    "added",
    "created",
    "saved",
    "submitted",
    "sent",
    "published",
    "uploaded",
    "registered",
    "placed",
    "booked",
    "imported",
    "posted",
    "renamed",
];

/// "The book was added successfully": a message says so. What was done to a quoted text may show in many other ways.
pub(crate) fn event(clause: &Clause<'_>, nouns: &Nouns<'_>) -> Option<Result<Vec<BareClaim>, Unclear>> {
    // `"Kim" has been added to the book list`: it is there.
    let place = clause.object.from(2);
    let is_named = clause.subject.tokens.iter().filter(|token| token.is_quoted()).count() == 1;
    if clause.object.starts(&["added", "to"]) && is_named && !clause.negated && !clause.stays {
        let to = nouns.target(place).filter(|to| {
            matches!(
                to.kind,
                Some(ElementKind::List | ElementKind::Table | ElementKind::Sidebar | ElementKind::Section)
            )
        })?;
        return Some(super::arrival::related(clause.subject, &Relation { how: Nearness::Inside, to }, nouns));
    }
    let [event] = clause.object.tokens else { return None };
    let was = clause.said.has_any(&["was", "were", "been", "successfully"]);
    if !event.is_any(EVENTS) || !was || clause.subject.has_quoted() || clause.stays {
        return None;
    }
    let target = nouns.target(clause.subject)?;
    let is_plain = target.relations.is_empty() && target.ordinal.is_none() && target.state.is_none();
    // "The message was sent": the noun is what the message is about.
    let noun = clause.subject.last().map(|last| last.low.clone()).filter(|_| target.kind.is_some());
    let mut topic: Vec<String> = target.words.into_iter().filter(|word| word != "new").collect();
    topic.extend(noun);
    topic.push(event.low.clone());
    if clause.negated {
        return Some(Err("say what the page shows when it was not done".to_string()));
    }
    let about = About::Message { tone: Tone::Success, text: None, topic };
    is_plain.then(|| Ok(vec![BareClaim::plainly(about)]))
}

/// "The shop is open", "Rice is available": of a part of the page such a word is a state, of the world it is a fact.
pub(crate) fn means_more(clause: &Clause<'_>, nouns: &Nouns<'_>) -> Option<Unclear> {
    let word = clause.object.word(0);
    let part = nouns.target(clause.subject.trimmed().without_front(&["no"])).and_then(|target| target.kind);
    let is_fact = match word {
        "available" | "found" => {
            !part.is_some_and(|kind| is_control(kind) || kind == ElementKind::Option)
                && !(word == "found"
                    && (clause.can || clause.subject.has_quoted() || part == Some(ElementKind::Item)))
        }
        "open" | "opened" | "closed" => !part.is_some_and(|kind| {
            matches!(
                kind,
                ElementKind::Dialog
                    | ElementKind::Menu
                    | ElementKind::Section
                    | ElementKind::Dropdown
                    | ElementKind::Node
                    | ElementKind::DateField
                    | ElementKind::Sidebar
                    | ElementKind::Tab
                    | ElementKind::Page
                    | ElementKind::Form
                    | ElementKind::Navigation
                    | ElementKind::Item
                    | ElementKind::List
            )
        }),
        _ => false,
    };
    is_fact.then(|| format!("`{word}` can mean many things; say what the page shows then"))
}

/// "Login is rejected with "Invalid credentials"": nobody is logged in, and an error says so.
pub(crate) fn refused(with: Phrase<'_>) -> Result<Vec<BareClaim>, Unclear> {
    let out = BareClaim { about: About::LoggedIn, negated: true };
    match with.without_front(&["with", "error", "an", "the", "message"]).tokens {
        [] => Ok(vec![out]),
        [text] if text.is_quoted() => {
            let text = Some(Matcher::Contains(text.text.clone()));
            let error = About::Message { tone: Tone::Error, text, topic: Vec::new() };
            Ok(vec![out, BareClaim::plainly(error)])
        }
        _ => Err(format!("`{}` is not a text in quotation marks", with.text())),
    }
}

/// "new tab", "new window", without its article.
pub(crate) fn is_new_tab(plain: Phrase<'_>) -> bool {
    plain.is(&["new", "tab"]) || plain.is(&["new", "browser", "tab"]) || plain.is(&["new", "window"])
}
