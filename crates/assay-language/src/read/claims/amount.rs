//! Numbers and comparisons in claims, and how a text must be.

use crate::{Matcher, NumberIs};

use super::super::lexicon::words::{DETERMINERS, comparison, number_word};
use super::super::phrase::Phrase;
use super::super::token::{self, TokenKind};

/// A number with its comparison at the front, and how many tokens it takes: "at least 3", "between 2 and 5".
pub(crate) fn number_is(phrase: Phrase<'_>) -> Option<(NumberIs, usize)> {
    let words = phrase.words();
    if words.first() == Some(&"between") {
        let (low, high) = (number_at(phrase, 1)?, number_at(phrase, 3)?);
        return (phrase.word(2) == "and").then_some((NumberIs::Between(low, high), 4));
    }
    if let Some((compare, length)) = comparison(&words) {
        return number_at(phrase, length).map(|number| (compare.to(number), length + 1));
    }
    if matches!(words.first(), Some(&("several" | "some" | "multiple" | "many"))) {
        return Some((NumberIs::AtLeastOne, 1));
    }
    let bounded = phrase.word(1) == "or";
    let number = if bounded { amount_at(phrase, 0)? } else { number_at(phrase, 0)? };
    match (phrase.word(1), phrase.word(2)) {
        ("or", "more") | ("or", "higher") | ("or", "greater") => Some((NumberIs::AtLeast(number), 3)),
        ("or", "less") | ("or", "fewer") | ("or", "lower") => Some((NumberIs::AtMost(number), 3)),
        _ => Some((NumberIs::Exactly(number), 1)),
    }
}

fn number_at(phrase: Phrase<'_>, at: usize) -> Option<f64> {
    let token = phrase.get(at)?;
    match token.kind {
        TokenKind::Number(number) => Some(number),
        // An amount can be compared by its size, but is not equal to one with another unit.
        TokenKind::Amount if at > 0 => amount_at(phrase, at),
        _ => number_word(&token.low),
    }
}

fn amount_at(phrase: Phrase<'_>, at: usize) -> Option<f64> {
    let token = phrase.get(at)?;
    match token.kind {
        TokenKind::Amount => token::number(
            token.text.trim_matches(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | ',' | '-')),
        ),
        _ => number_at(phrase, at),
    }
}

/// A comparison with the unit of its amounts. An amount that is equal is a text.
pub(crate) fn in_unit(number: NumberIs, said: Phrase<'_>) -> Option<Matcher> {
    let mut units: Vec<String> = said
        .tokens
        .iter()
        .filter(|token| token.kind == TokenKind::Amount)
        .map(|token| {
            token
                .text
                .chars()
                .filter(|c| !c.is_ascii_digit() && !matches!(c, '.' | ',' | '-' | ' '))
                .collect()
        })
        .collect();
    units.dedup();
    match (units.as_slice(), number) {
        ([], _) => Some(Matcher::Number(number)),
        ([_], NumberIs::Exactly(_)) => None,
        ([unit], _) => Some(Matcher::Amount(number, unit.clone())),
        _ => None,
    }
}

/// How strictly words without a comparison are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Strictness {
    /// "is", "reads", "equals".
    Whole,
    /// "says", "shows".
    Part,
    /// "contains", "includes": said outright.
    Within,
}

/// The matcher that a value gives: quoted, a number, an amount, or plain words.
pub(crate) fn matcher(value: Phrase<'_>, strictness: Strictness) -> Option<Matcher> {
    let value = value.trimmed();
    let plain = value.without_front(DETERMINERS);
    let named = if plain.len() > 1 {
        plain.without_front(&[
            "text", "value", "number", "message", "word", "words", "string", "phrase", "date",
        ])
    } else {
        plain
    };
    let named = if named.len() < plain.len() { named.without_front(&["of", "saying"]) } else { named };
    if let [one] = named.tokens {
        // "Equals the total": another thing of the page, not the word.
        let is_named = named.len() == plain.len() && plain.len() < value.len();
        if is_named && one.kind == TokenKind::Word && !one.is_capital() {
            return None;
        }
        return match one.kind {
            // Blanks are in every text.
            TokenKind::Quoted if !one.text.is_empty() && one.text.trim().is_empty() => None,
            TokenKind::Quoted | TokenKind::File => Some(quoted(&one.text, strictness)),
            TokenKind::Number(number) => Some(Matcher::Number(NumberIs::Exactly(number))),
            // "$30" is in "$300" too.
            TokenKind::Amount => Some(Matcher::Equals(one.text.clone())),
            TokenKind::Mark(_) => None,
            _ => Some(words(named, strictness)),
        };
    }
    if let Some((number, length)) = number_is(named).filter(|(_, length)| *length == named.len()) {
        return in_unit(number, named.until(length));
    }
    // "the sum of the items" is not what is written there, and "higher than 10 euros" neither.
    let describes =
        named.len() == plain.len() && plain.len() < value.len() || comparison(&named.words()).is_some();
    if describes && !named.has_quoted() {
        return None;
    }
    let moves = [
        "roughly",
        "about",
        "around",
        "approximately",
        "nearly",
        "almost",
        "today",
        "today's",
        "tomorrow",
        "yesterday",
        "current",
        "same",
        "correct",
        "expected",
    ];
    if named.has_any(&moves) && !named.has_quoted() && strictness != Strictness::Whole
        || named.starts_any(&moves)
    {
        return None;
    }
    let has_mark = named.tokens.iter().any(|token| matches!(token.kind, TokenKind::Mark(_)));
    if named.is_empty() || named.has_quoted() || has_mark || named.len() > 8 {
        return None;
    }
    Some(words(named, strictness))
}

/// A number in quotation marks is the whole text: "2" is in "12" too.
fn quoted(text: &str, strictness: Strictness) -> Matcher {
    let is_number = text.chars().any(|c| c.is_ascii_digit())
        && text
            .chars()
            .all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | '$' | '€' | '£' | '%' | ' ' | '-'));
    if text.is_empty() {
        Matcher::Empty
    } else if strictness == Strictness::Whole || is_number && strictness == Strictness::Part {
        Matcher::Equals(text.to_string())
    } else {
        Matcher::Contains(text.to_string())
    }
}

fn words(phrase: Phrase<'_>, strictness: Strictness) -> Matcher {
    match strictness {
        Strictness::Whole => Matcher::Said(phrase.text().to_string()),
        Strictness::Part | Strictness::Within => {
            let words = phrase.tokens.iter().map(|token| token.low.clone()).filter(|low| !low.is_empty());
            Matcher::Words(words.collect())
        }
    }
}
