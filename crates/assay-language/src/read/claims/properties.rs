//! What something has: a value, a property with its value, a field of a record.

use crate::{About, ElementKind, Matcher, Target};

use super::super::lexicon::nouns;
use super::super::lexicon::words::{COLOURS, DETERMINERS, FIELD_NAMES};
use super::super::noun::Nouns;
use super::super::phrase::Phrase;
use super::super::token::{Token, TokenKind};
use super::amount::{Strictness, matcher, number_is};
use super::clause::Clause;
use super::content::row;
use super::{Unclear, subject};

/// A value that cannot be mistaken for a thing.
pub(super) fn evident(part: Phrase<'_>, strictness: Strictness) -> Option<Matcher> {
    let plain = part.without_front(DETERMINERS);
    let words = &["text", "value", "word", "words", "phrase", "string", "message", "number"];
    let value = if plain.len() > 1 { plain.without_front(words) } else { plain };
    let is_value = match value.tokens {
        [one] => {
            matches!(
                one.kind,
                TokenKind::Quoted
                    | TokenKind::Number(_)
                    | TokenKind::Amount
                    | TokenKind::Url
                    | TokenKind::Path
            ) || one.is_value()
        }
        _ => number_is(value).is_some_and(|(_, length)| length == value.len()),
    };
    // "has "x"" is what it holds.
    is_value.then(|| matcher(value, strictness)).flatten()
}

/// `has the value "X"`, `has placeholder "X"`, "has a value of 5".
pub(super) fn property(
    clause: &Clause<'_>,
    part: Phrase<'_>,
    strictness: Strictness,
    nouns: &Nouns<'_>,
) -> Option<Result<About, Unclear>> {
    let plain = part.without_front(DETERMINERS);
    let names = ["text", "value", "label", "caption", "title"];
    // "A uniform height": how it looks, which no text tells.
    let head = plain.until(plain.find(&["in", "on", "of", "with", "between"]).unwrap_or(plain.len()));
    const LOOKS: &[&str] = &[
        "height",
        "width",
        "spacing",
        "margin",
        "margins",
        "padding",
        "border",
        "borders",
        "alignment",
        "style",
        "styles",
        "outline",
        "styling",
        "shape",
        "font",
        "position",
        "animation",
        "background",
        "contrast",
    ];
    let is_look = head.last().is_some_and(|last| last.is_any(LOOKS))
        || head.first().is_some_and(|first| first.is_any(COLOURS));
    if is_look && !head.has_quoted() {
        return Some(Err(format!("assay cannot check the look of something, such as its `{}`", head.text())));
    }
    let is_of_record = plain.starts_any(&["id"])
        && plain.get(1).is_some_and(Token::is_value)
        && nouns.target(clause.subject).is_some_and(|target| target.ordinal.is_some());
    if is_of_record {
        return None;
    }
    if plain.starts_any(&[
        "class",
        "attribute",
        "style",
        "color",
        "colour",
        "css",
        "width",
        "height",
        "placeholder",
        "alt",
        "tooltip",
        "id",
        "href",
    ]) {
        return Some(Err(format!("assay cannot check the attribute `{}`", plain.word(0))));
    }
    if !plain.starts_any(&names) || plain.len() < 2 {
        return None;
    }
    let value = plain.from(1).without_front(&["of"]);
    let is_value = value.tokens.first().is_some_and(Token::is_value)
        || plain.word(1) == "of"
        || value.first().is_some_and(Token::is_capital);
    let text = matcher(value, strictness).filter(|_| is_value)?;
    // The title of the page is not its text.
    if plain.starts_any(&["title"]) {
        let is_page =
            nouns.target(clause.subject).is_some_and(|target| target.kind == Some(ElementKind::Page));
        return is_page.then_some(Ok(About::Title { text }));
    }
    Some(subject::has_text(clause.subject, text, nouns))
}

/// `row "Ada" has status "Active"`.
pub(super) fn cell(around: &Target, part: Phrase<'_>) -> Option<About> {
    let plain = part.without_front(DETERMINERS);
    let is_row = around.kind.is_none_or(ElementKind::is_entry);
    // `has "40%" discount`: the value stands in front.
    let leads = plain.first().is_some_and(|first| first.is_quoted() || first.kind == TokenKind::Amount);
    let column = plain.from(1);
    if leads
        && is_row
        && (1..=2).contains(&column.len())
        && column.tokens.iter().all(|token| token.kind == TokenKind::Word && !token.is_capital())
        && nouns::noun(&[column.words().join(" ").as_str()]).is_none()
        && nouns::noun(&[column.word(column.len() - 1)]).is_none()
        && super::super::lexicon::states::state(&[column.word(column.len() - 1)]).is_none()
        && super::super::lexicon::relations::relation(&column.words()).is_none()
    {
        let text = matcher(plain.until(1), Strictness::Whole)?;
        return Some(About::Cell { row: row(around), column: column.text().to_string(), text });
    }
    let is_plain = plain.len() == 2 && plain.starts_any(FIELD_NAMES) && plain.tokens[1].is_capital();
    let at = plain.tokens.iter().position(Token::is_value).or(is_plain.then_some(1)).filter(|at| *at > 0)?;
    let (name, value) = (plain.until(at).without_end(&["of", "is"]), plain.from(at));
    // "A ratio of 1.2": what stands before "of" is what has the value.
    let is_of = at > 1 && plain.word(at - 1) == "of";
    let names_a_column =
        around.kind.is_some() || around.quoted.is_some() || name.starts_any(FIELD_NAMES) || is_of;
    if !is_row || !names_a_column || value.len() != 1 || name.len() > 3 {
        return None;
    }
    let text = matcher(value, Strictness::Whole)?;
    let column = name.without_end(&["column"]).text().to_string();
    Some(About::Cell { row: row(around), column, text })
}
