//! Clicks, and verbs that are the name of a button.

use crate::{Act, ClickKind, ElementKind, Matcher, Nearness, Relation, Target};

use super::super::lexicon::application_verbs::application_verb;
use super::super::lexicon::inflection::form_of;
use super::super::lexicon::keys;
use super::super::lexicon::nouns;
use super::super::lexicon::relations;
use super::super::lexicon::words::{DETERMINERS, number_word, ordinal};
use super::super::noun::{Nouns, with_text};
use super::super::phrase::Phrase;
use super::super::token::{Token, TokenKind};
use super::verbs::{self, Verb};
use super::{Acts, Misread, needed};

pub(super) fn click(rest: Phrase<'_>, how: ClickKind, nouns: &Nouns<'_>) -> Acts {
    let verb = match how {
        ClickKind::Single => Verb::Click,
        ClickKind::Double => Verb::DoubleClick,
        ClickKind::Right => Verb::RightClick,
        ClickKind::Middle => Verb::MiddleClick,
    };
    let rest =
        if rest.len() > 1 { rest.without_front(&["on", "onto", "at", "in", "into", "to"]) } else { rest };
    let (rest, how) = with_button(rest, how);
    let rest = if rest.len() > 1 { rest.without_end(&["there"]) } else { rest };
    if rest.starts_any(&["outside", "anywhere", "somewhere", "everywhere", "away"]) {
        return Err(Misread::new(verb, "it does not say what to click"));
    }
    if rest.tokens.iter().any(|token| token.is_mark('>')) {
        let mut acts = path(rest, nouns, verb)?;
        // Only the first of them is clicked in the way that is said.
        if let Some(Act::Click { how: first, .. }) = acts.first_mut() {
            *first = how;
        }
        return Ok(acts);
    }
    if let Some(target) = named_behind(rest) {
        return Ok(vec![Act::Click { target, how }]);
    }
    let (rest, times) = repeated(without_purpose(rest));
    if is_back_of_browser(rest) {
        return Ok(vec![Act::Back]);
    }
    if let Some((what, text)) = with_text(rest)
        && let Some(target) = super::suggestion(what, nouns)
            .or_else(|| nouns.target(what).filter(|target| target.kind.is_some()))
    {
        let target = Target { said: rest.text().to_string(), text: Some(text), ..target };
        return Ok(vec![Act::Click { target, how }]);
    }
    if let Some(target) = super::suggestion(rest, nouns) {
        return Ok(vec![Act::Click { target, how }]);
    }
    let all = rest.starts_any(&["all", "every", "each"]) && !rest.has_quoted() && rest.words().len() > 1;
    if all && rest.last().is_some_and(|last| last.low.ends_with('s')) {
        return Err(Misread::new(verb, "a click has one target; write one step for each"));
    }
    let Some(targets) = nouns.targets(rest).filter(|targets| !targets.is_empty()) else {
        return needed(rest, verb, nouns).map(|target| vec![Act::Click { target, how }]);
    };
    if let [target] = targets.as_slice()
        && let Some(accept) = answer(target)
    {
        return Ok(vec![Act::AnswerDialog { accept, text: None }]);
    }
    let once = targets.into_iter().map(|target| Act::Click { target, how });
    let once: Vec<Act> = once.collect();
    Ok((0..times).flat_map(|_| once.clone()).collect())
}

/// `Follow "Terms"`: a link. Somebody may be followed too, by a button of that name.
pub(super) fn follow(rest: Phrase<'_>, nouns: &Nouns<'_>) -> Acts {
    let target = needed(rest.without_front(&["on"]), Verb::Follow, nouns)?;
    let is_bare = target.kind.is_none() && target.quoted.is_some() && target.words.is_empty();
    match target.kind {
        Some(ElementKind::Link) => Ok(vec![Act::Click { target, how: ClickKind::Single }]),
        None if is_bare => {
            let target = Target { kind: Some(ElementKind::Link), ..target };
            Ok(vec![Act::Click { target, how: ClickKind::Single }])
        }
        _ => Err(Misread::new(Verb::Follow, format!("`{}` is not the name of a link", rest.text()))),
    }
}

/// "OK in the alert": an alert or prompt is a dialog of the browser, whose buttons are not in the page.
fn answer(target: &Target) -> Option<bool> {
    let [relation] = target.relations.as_slice() else { return None };
    let around = relation.to.said.to_lowercase();
    let is_browser =
        ["alert", "prompt"].iter().any(|word| around.ends_with(word)) && relation.to.quoted.is_none();
    if !is_browser || relation.how != Nearness::Inside || target.ordinal.is_some() {
        return None;
    }
    is_yes(target)
}

/// Whether the name is one that buttons of dialogs have.
pub(crate) fn is_yes(target: &Target) -> Option<bool> {
    let name = target.quoted.clone().unwrap_or_else(|| target.words.join(" ")).to_lowercase();
    match name.as_str() {
        "ok" | "okay" | "yes" | "accept" => Some(true),
        "cancel" | "no" | "dismiss" => Some(false),
        _ => None,
    }
}

/// "with the right mouse button".
fn with_button(rest: Phrase<'_>, how: ClickKind) -> (Phrase<'_>, ClickKind) {
    let Some(at) = rest.find_last(&["mouse"]).filter(|at| rest.word(at + 1) == "button" && *at > 1) else {
        return (rest, how);
    };
    let how = match rest.word(at - 1) {
        "right" => ClickKind::Right,
        "middle" => ClickKind::Middle,
        _ => how,
    };
    let start = rest.until(at).find_last(&["with", "using"]).unwrap_or(at - 1);
    (rest.until(start), how)
}

/// "Click Save twice".
fn repeated(rest: Phrase<'_>) -> (Phrase<'_>, usize) {
    match super::keyboard::times(rest) {
        Some((length, times)) => (rest.until(rest.len() - length), times),
        None => (rest, 1),
    }
}

/// "Click this button to start the timer: Timer": its name stands behind the colon.
fn named_behind(rest: Phrase<'_>) -> Option<Target> {
    let at = rest.tokens.iter().position(|token| token.is_mark(':'))?;
    let (front, name) = (rest.until(at).without_front(DETERMINERS), rest.from(at + 1).trimmed());
    let kind = nouns::noun(&[front.word(0)]).filter(|noun| nouns::is_control(noun.kind))?.kind;
    let is_purpose = front.len() == 1 || front.word(1) == "to";
    let is_name = (1..=3).contains(&name.len())
        && name.tokens.iter().all(|token| token.kind == TokenKind::Word)
        && name.last().is_some_and(Token::is_capital);
    let words = name.words().into_iter().map(str::to_string).collect();
    (is_purpose && is_name).then(|| Target {
        said: name.text().to_string(),
        words,
        kind: Some(kind),
        ..Target::default()
    })
}

/// `Click "OK" to close the dialog`: what it is for is not part of what is clicked.
fn without_purpose(rest: Phrase<'_>) -> Phrase<'_> {
    let words = rest.words();
    let at = (1..rest.len()).find(|at| {
        let (length, is_order) = match words[*at..] {
            ["in", "order", "to", ..] => (3, true),
            ["to", ..] => (1, false),
            _ => return false,
        };
        let Some(next) = rest.get(at + length) else { return false };
        let is_verb = verbs::verb(&words[at + length..]).is_some()
            || application_verb(&next.low).is_some()
            || next.is_any(&["confirm", "continue", "proceed", "finish", "start", "begin", "bring", "apply"]);
        // "Memory Profile to …": a label in capitals ends where they end.
        let label = rest.until(*at).without_front(DETERMINERS).without_end(&["again"]);
        let is_mere_kind = matches!(label.tokens, [only] if nouns::noun(&[only.low.as_str()]).is_some());
        let names_a_thing = label.len() > 1 && label.tokens.iter().all(Token::is_capital)
            || rest.until(*at).has_quoted()
            || nouns_end(rest.until(*at))
            || label.len() > 2 && label.tokens[1..].iter().any(is_control_noun)
            || rest.word(at - 1) == "again" && nouns_end(rest.until(at - 1))
            || rest.from(at + length + 1).is(&["it"])
            || *at == 1 && !rest.tokens[0].text.contains(char::is_alphanumeric)
            || rest.get(at + length + 1).is_some_and(|token| token.is_any(DETERMINERS));
        // "The button to run the test" is known by nothing but what it is for.
        let names_a_thing = names_a_thing && !is_mere_kind;
        is_order || is_verb && !next.is_capital() && names_a_thing
    });
    let rest = at.map_or(rest, |at| rest.until(at));
    // "Play again" is a name. "The button below" points at it.
    let once = rest.without_end(&["again", "below", "above"]);
    let is_label = once.len() > 1 && once.tokens.iter().all(Token::is_capital);
    if once.has_quoted() || nouns_end(once) || at.is_some() && is_label { once } else { rest }
}

fn is_control_noun(token: &Token) -> bool {
    nouns::noun(&[token.low.as_str()]).is_some_and(|noun| nouns::is_control(noun.kind)) && !token.is_capital()
}

fn nouns_end(phrase: Phrase<'_>) -> bool {
    phrase.last().is_some_and(|last| super::super::lexicon::nouns::noun(&[last.low.as_str()]).is_some())
}

fn is_back_of_browser(rest: Phrase<'_>) -> bool {
    let plain = rest.without_front(DETERMINERS);
    (plain.starts_any(&["browser", "browser's"]) && plain.word(1) == "back")
        || plain.starts(&["back", "button"]) && plain.has("browser")
}

/// "File > Save as": one click after the other.
pub(super) fn path(rest: Phrase<'_>, nouns: &Nouns<'_>, verb: Verb) -> Acts {
    let mut acts = Vec::new();
    for part in rest.tokens.split(|token| token.is_mark('>')) {
        let part = Phrase { tokens: part, ..rest };
        let mut target = needed(part, verb, nouns)?;
        // "Appearance > Editor": what stands in a path is a name, also where it is a word for a kind.
        let name = part.trimmed().without_front(DETERMINERS);
        if name.tokens.iter().all(Token::is_capital) && target.quoted.is_none() {
            let words = name.words().into_iter().map(str::to_string).collect();
            target = Target { said: target.said, words, ..Target::default() };
        }
        acts.push(Act::Click { target, how: ClickKind::Single });
    }
    Ok(acts)
}

/// "Save the changes", "Remove "Lamp" from the cart": the verb is what the button is called. Here `rest` begins
/// with the verb itself.
pub(super) fn named(rest: Phrase<'_>, nouns: &Nouns<'_>) -> Acts {
    let Some(first) = rest.first() else {
        return Err(Misread::new(Verb::Named, "there is no verb"));
    };
    let base = base_of(&first.low);
    let object = rest.from(1);
    let not_a_value =
        || Misread::new(Verb::Named, format!("it does not say which button does `{}`", rest.text()));
    if base == "add"
        && let Some(at) = object.find(&["at", "to"])
        && object.from(at).without_front(&["at", "to", "the"]).starts(&["end", "of"])
    {
        return super::fill::append(object, nouns);
    }
    if base == "add"
        && let Some(at) = object.find_last(&["to"])
    {
        return add_to(object.until(at), object.from(at + 1), rest, nouns);
    }
    if let Some(act) = commanded(rest) {
        return Ok(vec![act]);
    }
    let words = vec![base.to_string()];
    let target = Target { said: rest.text().to_string(), words, ..Target::default() };
    let plain = object.without_front(DETERMINERS);
    if plain.is_empty()
        || plain.len() == 1 && plain.starts_any(&["changes", "form", "it", "everything", "settings"])
    {
        return Ok(vec![Act::Click { target, how: ClickKind::Single }]);
    }
    // "Create a user "Ada"" and "Add a comment" ask for more than one click.
    if matches!(base, "create" | "add" | "send" | "continue" | "apply" | "download" | "publish" | "save") {
        return Err(not_a_value());
    }
    of_item(target, object, nouns).ok_or_else(not_a_value)
}

/// Verbs of which the button at hand is the only way to do it, whatever the thing is.
const OF_ANYTHING: &[&str] =
    &["save", "publish", "archive", "restore", "approve", "print", "export", "duplicate", "preview", "reset"];

/// "Confirm the order", "Send the message": a button that has the verb in its name and is about that. Here `rest`
/// begins with the verb itself.
pub(crate) fn commanded(rest: Phrase<'_>) -> Option<Act> {
    const VERBS: &[&str] = &["confirm", "cancel", "send", "apply"];
    /// What people confirm, cancel, send and apply; other things may be meant to be looked at or made.
    const THINGS: &[&str] = &[
        "order",
        "booking",
        "purchase",
        "payment",
        "reservation",
        "changes",
        "deletion",
        "transfer",
        "appointment",
        "subscription",
        "request",
        "message",
        "email",
        "reply",
        "invitation",
        "coupon",
        "voucher",
        "discount",
        "filter",
        "filters",
        "settings",
    ];
    let first = rest.first()?;
    let verb = VERBS.iter().chain(OF_ANYTHING).find(|verb| form_of(&first.low, verb).is_some())?;
    let object = rest.from(1).trimmed();
    let things = object.without_front(&["the", "this", "my", "your"]);
    let is_word = |token: &Token| {
        token.kind == TokenKind::Word
            && !token.is_any(DETERMINERS)
            && !token.is_any(&["and", "or", "as", "it", "them", "everything", "changes"])
            && relations::relation(&[token.low.as_str()]).is_none()
            && ordinal(&token.low).is_none()
    };
    let is_definite = things.len() < object.len() && (1..=3).contains(&things.len());
    let repeats =
        nouns::noun(&[things.last()?.low.as_str()]).is_some_and(|noun| noun.plural || noun.kind.is_entry());
    let is_anything = OF_ANYTHING.contains(verb) && things.tokens.iter().all(is_word) && !repeats;
    let is_known =
        VERBS.contains(verb) && matches!(things.tokens, [thing] if thing.is_any(THINGS)) && object.len() == 2;
    if !is_definite || !is_known && !is_anything {
        return None;
    }
    let words = std::iter::once((*verb).to_string());
    let target = Target {
        said: rest.text().to_string(),
        words: words.chain(things.tokens.iter().map(|token| token.low.clone())).collect(),
        kind: Some(ElementKind::Button),
        text: Some(Matcher::Contains((*verb).to_string())),
        ..Target::default()
    };
    Some(Act::Click { target, how: ClickKind::Single })
}

/// "Delete the second row", `Remove "Lamp" from the cart`: the button of that entry.
pub(super) fn of_item(mut target: Target, object: Phrase<'_>, nouns: &Nouns<'_>) -> Option<Vec<Act>> {
    let item = nouns.target(object)?;
    let repeats = matches!(
        item.kind,
        Some(ElementKind::Row | ElementKind::Item | ElementKind::ListItem | ElementKind::Node)
    );
    let relation = if repeats && item.ordinal.is_some() {
        Relation { how: Nearness::Inside, to: item }
    } else if repeats || item.quoted.is_some() || is_name(object) && item.kind.is_none() {
        Relation { how: Nearness::For, to: item }
    } else {
        return None;
    };
    target.relations.push(relation);
    Some(vec![Act::Click { target, how: ClickKind::Single }])
}

/// "the Floor Lamp": in capitals, so it is what something is called.
fn is_name(object: Phrase<'_>) -> bool {
    let plain = object.trimmed().without_front(DETERMINERS);
    !plain.is_empty() && plain.len() <= 5 && plain.tokens.iter().all(Token::is_capital)
}

/// What shops and libraries gather things in, by a button that stands with each of them.
const GATHERING: &[&str] = &[
    "cart",
    "basket",
    "bag",
    "trolley",
    "wishlist",
    "favorites",
    "favourites",
    "watchlist",
    "playlist",
    "comparison",
    "queue",
    "library",
    "bookmarks",
    "order",
];

/// `Add "Lamp" to the cart`: its button "Add to cart". `Add "x" to the Notes field` goes on writing.
fn add_to(what: Phrase<'_>, to: Phrase<'_>, rest: Phrase<'_>, nouns: &Nouns<'_>) -> Acts {
    let to = needed(to, Verb::Named, nouns)?;
    let is_text = matches!(to.kind, Some(ElementKind::Field | ElementKind::Text | ElementKind::SearchField));
    if is_text && let [value] = what.tokens {
        return Ok(vec![Act::Append { target: Some(to), text: value.text.clone() }]);
    }
    let gathers = to.words.last().is_some_and(|word| GATHERING.contains(&word.as_str()));
    let words: Vec<String> = ["add", "to"].iter().map(ToString::to_string).chain(to.words).collect();
    let is_named = what.has_quoted() || what.first().is_some_and(|first| first.is_any(&["it", "this"]));
    let is_counted = what
        .without_front(&["again"])
        .first()
        .is_some_and(|first| matches!(first.kind, TokenKind::Number(_)) || number_word(&first.low).is_some());
    if words.len() < 3 || !gathers && !is_named || is_counted || what.has_any(&["only", "some", "several"]) {
        return Err(Misread::new(
            Verb::Named,
            format!("it does not say which button does `{}`", rest.text()),
        ));
    }
    let item = needed(what, Verb::Named, nouns)?;
    let how = Nearness::For;
    let relations =
        if item.kind == Some(ElementKind::Any) { Vec::new() } else { vec![Relation { how, to: item }] };
    let target = Target { said: rest.text().to_string(), words, relations, ..Target::default() };
    Ok(vec![Act::Click { target, how: ClickKind::Single }])
}

fn base_of(low: &str) -> &str {
    const BASES: &[&str] = &[
        "edit", "add", "create", "send", "apply", "download", "continue", "delete", "remove", "cancel",
        "accept", "confirm", "dismiss", "decline", "reject",
    ];
    BASES.iter().chain(OF_ANYTHING).find(|base| form_of(low, base).is_some()).copied().unwrap_or(low)
}

/// Whether these words are nothing but keys: "Tab and Enter".
pub(crate) fn key_like(phrase: Phrase<'_>) -> bool {
    let phrase = phrase.trimmed();
    !phrase.is_empty()
        && phrase.listed().iter().all(|part| {
            let part = part.without_front(DETERMINERS).without_end(&["key", "keys"]);
            super::keyboard::keys_of(part).is_some()
                || part.first().is_some_and(|token| token.is_quoted() && keys::is_surely_a_key(&token.text))
        })
}
