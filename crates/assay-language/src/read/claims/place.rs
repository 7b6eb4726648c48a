//! Claims about where one is: on a page, redirected to one.

use crate::{About, ElementKind, Matcher, Nearness, Target};

use super::super::lexicon::words::DETERMINERS;
use super::super::noun::{Nouns, is_plain_page};
use super::super::phrase::Phrase;
use super::super::token::{self, TokenKind};
use super::existence::page_is_there;
use super::{BareClaim, Unclear};

/// "to the login page", `to "/login"`, "on the dashboard".
pub(crate) fn at(phrase: Phrase<'_>, nouns: &Nouns<'_>) -> Result<Vec<BareClaim>, Unclear> {
    let phrase = phrase.trimmed().without_front(&[
        "back",
        "away",
        "over",
        "to",
        "on",
        "at",
        "onto",
        "in",
        "successfully",
    ]);
    let plain = phrase.without_front(DETERMINERS);
    let address = plain.without_front(&["location"]).without_front(&["url", "address", "page", "path", "of"]);
    if let [only] = address.tokens
        && let Some(text) = address_matcher(&only.text, only.kind)
    {
        return Ok(vec![BareClaim::plainly(About::Url { text })]);
    }
    let (phrase, with) = match phrase.find(&["with", "where", "showing"]).filter(|at| *at > 0) {
        Some(at) => (phrase.until(at), Some(phrase.from(at + 1))),
        None => (phrase, None),
    };
    // "On the page with the heading "Cards"": any page that has it.
    if let Some(with) = with
        && nouns.target(phrase).is_some_and(|target| is_plain_page(&target))
    {
        return super::existence::all_present(with, nouns);
    }
    let Some(target) = nouns.target(phrase) else {
        return Err(format!("`{}` is not the name of a page", phrase.text()));
    };
    // "Taken to that exercise": which one, another sentence says.
    if phrase.starts_any(&["that", "this", "those", "these"]) && target.quoted.is_none() {
        return Err(format!("`{}` does not say which page", phrase.text()));
    }
    let mut all = vec![BareClaim::plainly(match target.kind {
        Some(ElementKind::Page) if let Some(name) = name_with_owner(&target) => About::Page { name },
        Some(ElementKind::Page) => page_is_there(&target)?,
        None if target.relations.is_empty() && target.ordinal.is_none() => {
            let name = target.quoted.clone().unwrap_or_else(|| target.words.join(" "));
            About::Page { name }
        }
        // "On the orders list": the page that lists them.
        Some(ElementKind::List | ElementKind::Table)
            if target.relations.is_empty() && target.ordinal.is_none() && !target.words.is_empty() =>
        {
            About::Page { name: target.words.join(" ") }
        }
        _ => return Err(format!("`{}` is not a page", phrase.text())),
    })];
    if let Some(with) = with {
        all.extend(super::existence::all_present(with, nouns)?);
    }
    Ok(all)
}

/// `the edit page for "About"`: a page that is about both.
fn name_with_owner(target: &Target) -> Option<String> {
    let [owner] = target.relations.as_slice() else { return None };
    let own =
        target.quoted.clone().or_else(|| Some(target.words.join(" ")).filter(|name| !name.is_empty()))?;
    let to = owner.to.quoted.clone().filter(|_| owner.how == Nearness::For && target.ordinal.is_none())?;
    Some(format!("{own} {to}"))
}

/// The address that a token gives, whole or as a path.
pub(crate) fn address_matcher(text: &str, kind: TokenKind) -> Option<Matcher> {
    let kind = match kind {
        TokenKind::Quoted => match token::tokens(text).ok()?.as_slice() {
            [one] => one.kind,
            _ => return None,
        },
        kind => kind,
    };
    match kind {
        TokenKind::Url | TokenKind::Path => Some(Matcher::Address(text.to_string())),
        _ => None,
    }
}
