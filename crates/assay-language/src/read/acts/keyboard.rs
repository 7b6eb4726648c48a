//! Keys, and the clipboard.

use crate::{Act, ClickKind, Target};

use super::super::lexicon::keys;
use super::super::lexicon::words::{DETERMINERS, number_word};
use super::super::noun::Nouns;
use super::super::phrase::Phrase;
use super::super::token::TokenKind;
use super::verbs::Verb;
use super::{Acts, Misread, needed};

/// "Press Enter" is a key, "Press the Enter button" and "Press Save" are clicks.
pub(super) fn press(rest: Phrase<'_>, nouns: &Nouns<'_>) -> Acts {
    let rest = rest.without_front(&["on"]);
    if rest.starts(&["and", "hold"]) || rest.starts(&["down", "and"]) && rest.word(2) == "hold" {
        return Err(Misread::new(Verb::Press, "a key or button cannot be held down, only pressed"));
    }
    let rest = if rest.starts(&["down", "on"]) { rest.from(2) } else { rest };
    // "Press Esc to close the dialog".
    let once = |phrase: Phrase<'_>| keys_listed(phrase.without_end(&["again"])).is_some();
    let rest = match rest.find(&["to"]).filter(|at| *at > 0 && once(rest.until(*at))) {
        Some(at) => rest.until(at).without_end(&["again"]),
        None => rest,
    };
    if let Some(acts) = on_keyboard(rest, nouns) {
        return acts;
    }
    let (body, target) = match rest.find_last(&["in", "inside", "on", "into", "within"]).filter(|at| *at > 0)
    {
        Some(at) if keys_listed(rest.until(at)).is_some() => (rest.until(at), Some(rest.from(at + 1))),
        _ => (rest, None),
    };
    let Some(keys) = keys_listed(body) else {
        return super::click::click(rest, ClickKind::Single, nouns);
    };
    let on_keyboard = target.is_none_or(|place| place.without_front(DETERMINERS).is(&["keyboard"]));
    let target = match target {
        Some(place) if !on_keyboard => Some(needed(place, Verb::Press, nouns)?),
        _ => None,
    };
    Ok(vec![Act::Press { keys, target }])
}

/// `Enter on the keyboard in the field "Name"`.
fn on_keyboard(rest: Phrase<'_>, nouns: &Nouns<'_>) -> Option<Acts> {
    let at = rest.find(&["in", "on", "with", "using"]).filter(|at| *at > 0)?;
    let place = rest.from(at + 1).without_front(DETERMINERS);
    let keys = keys_listed(rest.until(at)).filter(|_| place.starts_any(&["keyboard"]))?;
    let field = place.from(1);
    if field.is_empty() {
        return Some(Ok(vec![Act::Press { keys, target: None }]));
    }
    let field = field.starts_any(&["in", "on", "inside", "within"]).then(|| field.from(1))?;
    let target = needed(field, Verb::Press, nouns);
    Some(target.map(|target| vec![Act::Press { keys, target: Some(target) }]))
}

fn keys_listed(body: Phrase<'_>) -> Option<Vec<String>> {
    let parts = body.trimmed().tokens.split(|token| token.is_mark(',') || token.is_any(&["and", "then"]));
    let mut all = Vec::new();
    for part in parts.filter(|part| !part.is_empty()) {
        let part = Phrase { tokens: part, ..body };
        let (part, times) = match times(part) {
            Some((length, times)) => (part.until(part.len() - length), times),
            None => (part, 1),
        };
        let quoted = part.without_front(DETERMINERS).without_end(&["key", "keys"]);
        // "The left key".
        if quoted.len() < part.without_front(DETERMINERS).len()
            && let Some(arrow) = arrow(quoted.word(0)).filter(|_| quoted.len() == 1)
        {
            all.extend((0..times).map(|_| arrow.to_string()));
            continue;
        }
        let named = quoted.without_front(&["key", "letter"]);
        let key = match quoted.tokens {
            _ if named.len() < quoted.len() => one_character(named)?,
            [one] if one.is_quoted() => {
                let is_key = keys::is_surely_a_key(&one.text) || quoted.len() < part.len();
                let key = keys::key(&one.text).map(str::to_string).or_else(|| keys::chord(&one.text));
                key.filter(|_| is_key)?
            }
            _ => keys_of(part.without_front(DETERMINERS).without_end(&["key", "keys"]))?,
        };
        all.extend((0..times).map(|_| key.clone()));
    }
    (!all.is_empty()).then_some(all)
}

fn arrow(side: &str) -> Option<&'static str> {
    match side {
        "left" => Some("ArrowLeft"),
        "right" => Some("ArrowRight"),
        "up" => Some("ArrowUp"),
        "down" => Some("ArrowDown"),
        _ => None,
    }
}

/// `the key "a"`, "the letter A".
fn one_character(named: Phrase<'_>) -> Option<String> {
    let [one] = named.tokens else { return None };
    let known = keys::key(&one.text).map(str::to_string);
    known.or_else(|| (one.text.chars().count() == 1).then(|| one.text.to_lowercase()))
}

/// One key or chord by its name, without quotation marks.
pub(super) fn keys_of(part: Phrase<'_>) -> Option<String> {
    if let [one] = part.tokens
        && one.kind == TokenKind::Chord
    {
        return Some(one.text.clone());
    }
    if part.has_quoted() {
        return None;
    }
    keys::key(&part.words().join(" ").replace('-', " ")).map(str::to_string)
}

/// "twice", "three times", at the end: how many words that takes, and how often.
pub(super) fn times(part: Phrase<'_>) -> Option<(usize, usize)> {
    let last = part.last()?;
    match last.low.as_str() {
        "once" => Some((1, 1)),
        "twice" => Some((1, 2)),
        "thrice" => Some((1, 3)),
        "times" => {
            let count = part.get(part.len().checked_sub(2)?)?;
            let number = match count.kind {
                TokenKind::Number(value) => value,
                _ => number_word(&count.low)?,
            };
            (1.0..=100.0).contains(&number).then_some((2, number as usize))
        }
        _ => None,
    }
}

pub(super) fn copy(rest: Phrase<'_>, nouns: &Nouns<'_>) -> Acts {
    let rest = rest.without_end(&["clipboard"]).without_end(&["the"]).without_end(&["to", "into"]);
    Ok(vec![Act::Copy { target: copied(rest, nouns)? }])
}

/// None is what is selected.
fn copied(rest: Phrase<'_>, nouns: &Nouns<'_>) -> Result<Option<Target>, Misread> {
    let plain = rest.without_front(DETERMINERS);
    if plain.is_empty() || plain.starts_any(&["selection", "it", "selected"]) && plain.len() <= 2 {
        return Ok(None);
    }
    let contents = plain.starts_any(&["text", "content", "contents", "value"]);
    if contents && matches!(plain.word(1), "of" | "from" | "in") {
        return needed(plain.from(2), Verb::Copy, nouns).map(Some);
    }
    needed(rest, Verb::Copy, nouns).map(Some)
}

pub(super) fn copy_and_paste(rest: Phrase<'_>, nouns: &Nouns<'_>) -> Acts {
    let Some(at) = rest.find_last(&["into", "to"]).filter(|at| *at > 0) else {
        return Err(Misread::new(Verb::Paste, "it does not say where to paste"));
    };
    let target = Some(needed(rest.from(at + 1), Verb::Paste, nouns)?);
    Ok(vec![Act::Copy { target: copied(rest.until(at), nouns)? }, Act::Paste { target }])
}

pub(super) fn paste(rest: Phrase<'_>, nouns: &Nouns<'_>) -> Acts {
    let (what, place) = match rest.find_last(&["into", "in", "inside", "to"]) {
        Some(at) => (rest.until(at), Some(rest.from(at + 1))),
        None => (rest, None),
    };
    let target = place.map(|place| needed(place, Verb::Paste, nouns)).transpose()?;
    let what = what.without_front(DETERMINERS);
    // A text that is given is put in; where it came from does not matter.
    if let [value] = what.without_front(&["text", "value"]).tokens
        && value.is_quoted()
    {
        return Ok(vec![Act::Enter { target, text: value.text.clone() }]);
    }
    const COPIED: &[&str] = &[
        "it",
        "text",
        "copied",
        "value",
        "clipboard",
        "content",
        "contents",
        "from",
        "the",
        "of",
        "code",
        "link",
    ];
    if what.tokens.iter().all(|token| token.is_any(COPIED)) {
        return Ok(vec![Act::Paste { target }]);
    }
    Err(Misread::new(Verb::Paste, format!("`{}` is neither the copied text nor a quoted one", what.text())))
}
