//! Entering values: "Enter X in the Y field", `Enter email "x"`, `"x" as the email`.

use crate::{Act, ElementKind, Ordinal, Target};

use super::super::lexicon::nouns;
use super::super::lexicon::words::{DETERMINERS, FIELD_NAMES, UNGIVEN, VALUE_NOUNS};
use super::super::noun::Nouns;
use super::super::phrase::Phrase;
use super::super::token::{Token, TokenKind};
use super::verbs::Verb;
use super::{Acts, Misread, needed};

/// Words between a value and where it goes.
const INTO: &[&str] = &["into", "in", "inside", "to", "on", "onto", "for", "as", "at", "within", "under"];

/// Words that stand for a value and are none: "nothing", "today's date".
const TOLD_BY_WORDS: &[&str] = &[
    "nothing",
    "none",
    "blank",
    "empty",
    "today",
    "tomorrow",
    "yesterday",
    "now",
    "current",
    "whatever",
    "less",
    "more",
];

pub(super) fn enter(rest: Phrase<'_>, nouns: &Nouns<'_>) -> Acts {
    if rest.is_empty() {
        return Err(Misread::new(Verb::Enter, "it does not say what to enter"));
    }
    // "Put the cursor in the field", "put the focus on it".
    if rest.without_front(DETERMINERS).starts_any(&["cursor", "focus", "caret"])
        && let Some(at) = rest.find(INTO)
    {
        return Ok(vec![Act::Focus { target: needed(rest.from(at + 1), Verb::Focus, nouns)? }]);
    }
    if let Some(at) = rest.find(&["followed"]).filter(|at| *at > 0 && rest.word(at + 1) == "by") {
        let mut acts = enter(rest.until(at), nouns)?;
        acts.extend(super::keyboard::press(rest.from(at + 2), nouns)?);
        return Ok(acts);
    }
    if let Some(both) = both(rest, nouns) {
        return both;
    }
    if let Some(paired) = paired(rest, nouns) {
        return paired;
    }
    entries(rest, nouns)
}

/// One act for each part that has a value of its own.
pub(super) fn entries(rest: Phrase<'_>, nouns: &Nouns<'_>) -> Acts {
    let mut acts: Vec<Act> = Vec::new();
    for part in parts(rest) {
        acts.push(entry(part, nouns)?);
    }
    Ok(acts)
}

/// Splits at "and" and commas, where both sides have a value.
pub(super) fn parts(rest: Phrase<'_>) -> Vec<Phrase<'_>> {
    let mut parts = Vec::new();
    let mut start = 0;
    for at in 0..rest.len() {
        let is_joint = rest.tokens[at].is_mark(',') || rest.tokens[at].is_any(&["and", "&"]);
        let has_value = |phrase: Phrase<'_>| phrase.tokens.iter().any(Token::is_value);
        if is_joint && at > start && has_value(rest.part(start, at)) && has_value(rest.from(at + 1)) {
            parts.push(rest.part(start, at));
            start = at + 1;
        }
    }
    parts.push(rest.from(start));
    parts
        .into_iter()
        .map(|part| part.trimmed().without_front(&["and", "&"]))
        .filter(|part| !part.is_empty())
        .collect()
}

/// `Enter "a" and "b" in the username and password fields`.
fn paired(rest: Phrase<'_>, nouns: &Nouns<'_>) -> Option<Acts> {
    let at = rest.find(&["into", "in", "for", "as"])?;
    let values = rest.until(at).listed();
    let places = rest.from(at + 1).without_end(&["respectively"]).listed();
    let are_values = values.iter().all(|value| value.len() == 1 && value.tokens[0].is_value());
    if values.len() < 2 || values.len() != places.len() || !are_values {
        return None;
    }
    let last = nouns.target(*places.last()?)?;
    let targets = places.iter().map(|place| {
        let target = nouns.target(*place)?;
        Some(Target { kind: target.kind.or(last.kind), ..target })
    });
    let targets: Option<Vec<Target>> = targets.collect();
    let acts = targets?.into_iter().zip(values).map(|(target, value)| {
        let kind = match target.kind {
            Some(ElementKind::PasswordField) if !target.words.iter().any(|word| word == "password") => {
                Some(ElementKind::Field)
            }
            kind => kind,
        };
        Act::Enter { target: Some(Target { kind, ..target }), text: value.tokens[0].text.clone() }
    });
    Some(Ok(acts.collect()))
}

/// `Enter "x" into both password fields`: the same into one and the other, where there are two.
fn both(rest: Phrase<'_>, nouns: &Nouns<'_>) -> Option<Acts> {
    let at = rest.find(&["both"]).filter(|at| *at > 1 && rest.tokens[at - 1].is_any(INTO))?;
    let value = rest.until(at - 1);
    let fields = rest.from(at + 1).without_front(&["of", "the"]);
    let is_plural =
        fields.last().is_some_and(|last| nouns::noun(&[&last.low]).is_some_and(|noun| noun.plural));
    let (last, name) = value.tokens.split_last()?;
    let is_named =
        |token: &Token| token.is_any(DETERMINERS) || token.is_any(FIELD_NAMES) || token.is_any(VALUE_NOUNS);
    let target = nouns.target(fields)?;
    let is_field =
        matches!(target.kind, Some(ElementKind::Field | ElementKind::PasswordField | ElementKind::DateField));
    if !is_plural || !is_field || !last.is_value() || !name.iter().all(is_named) {
        return None;
    }
    // A word beside the name of the kind of field would have to fit both, which only a password's does.
    let words = if target.kind == Some(ElementKind::PasswordField) { Vec::new() } else { target.words };
    let said = rest.from(at).text().to_string();
    let of_two = |number: usize| Act::Enter {
        target: Some(Target {
            said: said.clone(),
            words: words.clone(),
            quoted: target.quoted.clone(),
            kind: target.kind,
            ordinal: Some(Ordinal::Nth(number)),
            among: Some(2),
            relations: target.relations.clone(),
            ..Target::default()
        }),
        text: last.text.clone(),
    };
    Some(Ok(vec![of_two(1), of_two(2)]))
}

fn entry(part: Phrase<'_>, nouns: &Nouns<'_>) -> Result<Act, Misread> {
    let part = part.trimmed();
    let not_given =
        || Misread::new(Verb::Enter, format!("`{}` does not say which value goes where", part.text()));
    match part.tokens.iter().position(Token::is_value) {
        Some(at) => with_value(part, at, nouns).ok_or_else(not_given),
        None => plain(part, nouns).ok_or_else(not_given),
    }
}

/// A value that is known by its looks.
fn with_value(part: Phrase<'_>, at: usize, nouns: &Nouns<'_>) -> Option<Act> {
    let before = part.until(at);
    // `in the "Email" field "x"`: the place comes first, and the last value is the value.
    let place_first = before.starts_any(INTO) || is_noun_behind(part, at);
    let at = if place_first { part.tokens.iter().rposition(Token::is_value)? } else { at };
    let before = part.until(at).trimmed();
    let before = Phrase {
        tokens: before.without_front(INTO).without_end(&["with", "as", "to", "is", "of"]).tokens,
        ..part
    };
    let before = before.trimmed();
    let (text, after) = value_text(part, at);
    let before_is_noun =
        before.without_front(DETERMINERS).tokens.iter().all(|token| token.is_any(VALUE_NOUNS));
    let place = match after.first() {
        None => None,
        Some(token) if token.is_any(INTO) => Some(after.from(1)),
        Some(_) => return None,
    };
    let named = !before.is_empty()
        && !(before_is_noun && (place.is_some() || before.has_any(&["text", "value", "string"])));
    // "Type "Letters" as its name": into what the page has just opened for it.
    if !named
        && place.is_some_and(|place| {
            place.len() == 2 && place.starts_any(&["its"]) && place.has_any(&["name", "title", "label"])
        })
    {
        // The field that the act before has opened, or none.
        let target =
            Target { said: "the text".to_string(), kind: Some(ElementKind::Text), ..Target::default() };
        return Some(Act::Enter { target: Some(target), text });
    }
    let target = match (named, place) {
        (true, Some(place)) => {
            let mut target = field(before, nouns)?;
            let around = nouns.target(place)?;
            // `Enter email "x" in the email field` names the place twice.
            if is_all_fields(place) {
                // "the username "x" … into the text fields": each into its own.
            } else if super::holds_a_value(&around) && around.kind.is_some() {
                target = around;
            } else {
                target.relations.push(super::super::noun::relation(crate::Nearness::Inside, around));
            }
            Some(target)
        }
        (true, None) => Some(field(before, nouns)?),
        (false, Some(place)) => Some(field(place, nouns)?),
        // "Enter the value 7": a field may be called so.
        (false, None) if before.without_front(DETERMINERS).is(&["value"]) => {
            nouns.target(before).map(|target| Target { said: "the value to enter".to_string(), ..target })
        }
        (false, None) => None,
    };
    Some(Act::Enter { target, text })
}

/// "the text fields": nothing but that they are fields, in the plural.
fn is_all_fields(place: Phrase<'_>) -> bool {
    let words = place.without_front(DETERMINERS).words();
    nouns::noun(&words).is_some_and(|noun| noun.plural && noun.kind == ElementKind::Field)
}

/// `"Email" field "x"`: a quoted name with its noun, and the value behind it.
fn is_noun_behind(part: Phrase<'_>, at: usize) -> bool {
    let next = part.get(at + 1).is_some_and(|token| nouns::noun(&[token.low.as_str()]).is_some());
    next && part.from(at + 1).tokens.iter().any(Token::is_value)
}

/// A value and what follows it. Unquoted values may have several words: "12 Main Street".
fn value_text<'a>(part: Phrase<'a>, at: usize) -> (String, Phrase<'a>) {
    let token = &part.tokens[at];
    if token.is_quoted() {
        return (token.text.clone(), part.from(at + 1));
    }
    let rest = part.from(at);
    let end = rest.find(INTO).filter(|end| *end > 0).unwrap_or(rest.len());
    (rest.until(end).text().to_string(), rest.from(end))
}

/// No value can be seen: "alice in the username field", "username alice", "username: alice".
fn plain(part: Phrase<'_>, nouns: &Nouns<'_>) -> Option<Act> {
    if let Some(at) = part.tokens.iter().position(|token| token.is_mark(':') || token.is_mark('=')) {
        let target = field(part.until(at), nouns)?;
        let text = part.from(at + 1).trimmed().text().to_string();
        return (!text.is_empty()).then_some(Act::Enter { target: Some(target), text });
    }
    if let Some(at) = part.find(INTO).filter(|at| *at > 0 && at + 1 < part.len()) {
        let value = part.until(at);
        let target = field(part.from(at + 1), nouns)?;
        let given = is_given(value, &target);
        return given.then(|| Act::Enter { target: Some(target), text: bare_value(value) });
    }
    let skipped = part.len() - part.without_front(DETERMINERS).len();
    let length = skipped + names_length(part.from(skipped));
    if length > skipped && length < part.len() && !part.tokens[length].is_any(&["and", "or", "field"]) {
        let target = field(part.until(length), nouns)?;
        let value = part.from(length);
        let given = is_given(value, &target) && value.len() <= 3;
        return given.then(|| Act::Enter { target: Some(target), text: value.text().to_string() });
    }
    None
}

fn names_length(part: Phrase<'_>) -> usize {
    part.tokens
        .iter()
        .take_while(|token| token.is_any(FIELD_NAMES) || token.is_any(&["first", "last"]))
        .count()
}

/// "the text hello" is "hello".
fn bare_value(value: Phrase<'_>) -> String {
    let plain = value.without_front(DETERMINERS);
    let named = plain.starts_any(VALUE_NOUNS) && plain.len() > 1;
    if named { plain.from(1).text().to_string() } else { value.text().to_string() }
}

/// Whether words are a value, and not the name of one: "a valid email", "the password".
fn is_given(value: Phrase<'_>, target: &Target) -> bool {
    let plain = value.without_front(DETERMINERS);
    if is_described(plain) {
        return false;
    }
    if plain.starts_any(VALUE_NOUNS) && plain.len() > 1 {
        return true;
    }
    let is_name =
        |token: &Token| token.is_any(FIELD_NAMES) || target.words.contains(&token.low) && !token.is_capital();
    !value.is_empty()
        && plain.len() == value.len()
        && !value.starts_any(UNGIVEN)
        && !value.starts_any(&["it", "them", "in", "username"])
        && !value.starts_any(TOLD_BY_WORDS)
        && !value.tokens.iter().any(|token| token.low.ends_with("'s"))
        && !value.tokens.iter().any(|token| matches!(token.kind, TokenKind::Mark(_)))
        && !value.tokens.iter().all(is_name)
}

/// "The value of Color", "the text below", "the third word of the title": a value that the page has, not these words.
fn is_described(plain: Phrase<'_>) -> bool {
    const ELSEWHERE: &[&str] = &[
        "of",
        "below",
        "above",
        "shown",
        "displayed",
        "from",
        "same",
        "that",
        "which",
        "previous",
        "following",
    ];
    !plain.has_quoted() && plain.len() > 1 && plain.from(1).has_any(ELSEWHERE)
        || !plain.has_quoted() && plain.starts_any(&["same", "previous", "following"])
}

/// Where a value goes. A word for the value itself ("the email", "the search term") names the field.
pub(super) fn field(phrase: Phrase<'_>, nouns: &Nouns<'_>) -> Option<Target> {
    let phrase = phrase.trimmed();
    // Two fields are no field.
    let several = nouns.targets(phrase).is_some_and(|targets| targets.len() > 1);
    if phrase.starts_any(&["both"]) || several && !phrase.has_quoted() {
        return None;
    }
    let mut target = nouns.target(phrase)?;
    if target.kind.is_none() && target.words.last().is_some_and(|word| word == "password") {
        target.kind = Some(ElementKind::PasswordField);
    }
    // "Enter label as …": a field that is called so.
    if target.kind == Some(ElementKind::Label) && target.is_nameless() {
        target.kind = None;
        target.words.push("label".to_string());
    }
    if target.kind.is_none() && target.words == ["search"] {
        target.kind = Some(ElementKind::SearchField);
        target.words.clear();
    }
    Some(target)
}

/// `search for "lamp"`: into the search field, and off it goes.
pub(super) fn search(rest: Phrase<'_>, nouns: &Nouns<'_>) -> Acts {
    // `Search the table for "Bradley"`: where stands in front.
    if let Some(at) = rest.find(&["for"]).filter(|at| *at > 0 && rest.from(at + 1).len() == 1)
        && rest.starts_any(DETERMINERS)
        && rest.tokens[at + 1].is_value()
    {
        let around = needed(rest.until(at), Verb::Search, nouns)?;
        let relations = vec![super::super::noun::relation(crate::Nearness::Inside, around)];
        let target = Target {
            said: format!("the search field of {}", rest.until(at).text()),
            kind: Some(ElementKind::SearchField),
            relations,
            ..Target::default()
        };
        let enter = Act::Press { keys: vec!["Enter".to_string()], target: Some(target.clone()) };
        return Ok(vec![Act::Enter { target: Some(target), text: rest.tokens[at + 1].text.clone() }, enter]);
    }
    let rest = rest.without_front(&["for"]);
    if rest.starts_any(&["all", "any", "every", "each", "everything"]) && rest.len() > 1 {
        return Err(Misread::new(Verb::Search, format!("`{}` is not something to search for", rest.text())));
    }
    let place = rest.tokens.iter().position(|token| token.is("using"));
    let place = place.or_else(|| rest.tokens.iter().rposition(|token| token.is_any(&["in", "with", "on"])));
    let place = place.filter(|at| *at > 0);
    let (what, place) = match place {
        Some(at) => (rest.until(at), Some(rest.from(at + 1))),
        None => (rest, None),
    };
    let plain = what
        .without_front(DETERMINERS)
        .without_front(&["product", "item", "term", "keyword", "text", "word"]);
    let text = match plain.tokens {
        [] => return Err(Misread::new(Verb::Search, "it does not say what to search for")),
        [one] => one.text.clone(),
        _ if plain.has_quoted() || plain.len() < what.len() => {
            return Err(Misread::new(
                Verb::Search,
                format!("`{}` is not something to search for", what.text()),
            ));
        }
        _ => plain.text().to_string(),
    };
    if what.starts_any(&["a", "an", "any", "some"]) {
        return Err(Misread::new(Verb::Search, "it does not say what to search for"));
    }
    let mut target = Target { kind: Some(ElementKind::SearchField), ..Target::default() };
    target.said = "the search field".to_string();
    if let Some(place) = place {
        let around = needed(place, Verb::Search, nouns)?;
        if matches!(around.kind, Some(ElementKind::SearchField | ElementKind::Field)) {
            target = around;
        } else {
            target.relations.push(super::super::noun::relation(crate::Nearness::Inside, around));
        }
    }
    let enter = Act::Press { keys: vec!["Enter".to_string()], target: Some(target.clone()) };
    Ok(vec![Act::Enter { target: Some(target), text }, enter])
}

/// The field of a dialog of the browser.
pub(crate) fn is_prompt(target: &Target) -> bool {
    target.kind == Some(ElementKind::Dialog) && target.words.iter().any(|word| word == "prompt")
}
