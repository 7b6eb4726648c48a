//! Filling, setting, appending, clearing, and giving files.

use crate::{About, Act, Claim, ElementKind, Matcher, Target, Toggle, WaitGoal};

use super::super::lexicon::words::{DETERMINERS, UNGIVEN};
use super::super::noun::{Nouns, relation};
use super::super::phrase::Phrase;
use super::super::token::{Token, TokenKind};
use super::enter::{entries, field, parts};
use super::verbs::Verb;
use super::{Acts, Misread, needed};

/// "Fill in Y with X", "Fill X into Y", `Fill out the form with name "A" and email "B"`.
pub(super) fn fill(rest: Phrase<'_>, nouns: &Nouns<'_>) -> Acts {
    let rest = rest.without_front(&["in", "out", "up"]);
    // `a code for "Ada"`: whose it is, and not what it is.
    let described = rest.find(&["for", "from", "of"]).filter(|at| *at + 2 == rest.len());
    if described.is_some_and(|at| rest.starts_any(&["a", "an"]) && rest.tokens[at + 1].is_quoted()) {
        return Err(Misread::new(Verb::Fill, format!("it does not say what `{}` is", rest.text())));
    }
    let Some(at) = rest.find(&["with", "using"]).filter(|at| *at > 0) else {
        if !rest.tokens.iter().any(Token::is_value) && rest.find(&["into", "in", "as"]).is_none() {
            return Err(Misread::new(
                Verb::Fill,
                format!("it does not say what `{}` is filled with", rest.text()),
            ));
        }
        return entries(rest, nouns);
    };
    let around = needed(rest.until(at), Verb::Fill, nouns)?;
    let values = rest.from(at + 1);
    if around.kind == Some(ElementKind::Form) || around.words.last().is_some_and(|word| word == "details") {
        return form(&around, values, nouns);
    }
    // `Fill Name with "A" and Email with "B"`.
    let several = parts(rest);
    if several.len() > 1 && several.iter().all(|part| part.has("with")) {
        let mut acts = Vec::new();
        for part in several {
            acts.extend(fill(part, nouns)?);
        }
        return Ok(acts);
    }
    let target = field(strip_value_of(rest.until(at)), nouns);
    Ok(vec![Act::Enter { target, text: given(values, Verb::Fill)? }])
}

fn form(around: &Target, values: Phrase<'_>, nouns: &Nouns<'_>) -> Acts {
    let mut acts = entries(values, nouns)?;
    let is_named = !around.words.is_empty() || around.quoted.is_some();
    for act in &mut acts {
        match act {
            Act::Enter { target: Some(target), .. } if is_named && around.kind.is_some() => {
                target.relations.push(relation(crate::Nearness::Inside, around.clone()));
            }
            Act::Enter { target: Some(_), .. } => {}
            _ => return Err(Misread::new(Verb::Fill, "it does not say which field takes which value")),
        }
    }
    Ok(acts)
}

/// A value that the sentence gives.
fn given(values: Phrase<'_>, verb: Verb) -> Result<String, Misread> {
    let plain = values.trimmed().without_front(DETERMINERS);
    let plain = if plain.len() > 1 {
        plain.without_front(&["text", "value", "string", "number", "date"])
    } else {
        plain
    };
    let nothing = || Misread::new(verb, format!("`{}` is not a value", values.text()));
    match plain.tokens {
        [one] if one.is_value() => Ok(one.text.clone()),
        // `the tags "a, b"`: what the value is.
        [noun, one] if one.is_quoted() && noun.kind == TokenKind::Word && noun.low.ends_with('s') => {
            Ok(one.text.clone())
        }
        [] => Err(nothing()),
        _ if plain.has_quoted() || plain.starts_any(UNGIVEN) || values.starts_any(DETERMINERS) => {
            Err(nothing())
        }
        // "To include a space": what it is like.
        _ if plain.len() > 1
            && plain.starts_any(&["include", "contain", "have", "match", "start", "end", "be", "use"]) =>
        {
            Err(nothing())
        }
        // "Blue in my preferences", "on in A > B": where, behind what.
        _ if holds_a_place(plain) => Err(nothing()),
        _ => Ok(plain.text().to_string()),
    }
}

fn holds_a_place(plain: Phrase<'_>) -> bool {
    let is_path = plain.tokens.iter().any(|token| matches!(token.kind, TokenKind::Mark('>' | '(')));
    let is_place = |at: usize| {
        plain.tokens[at].is_any(&["in", "on", "for", "from", "at", "when"])
            && plain.get(at + 1).is_some_and(|next| next.is_any(DETERMINERS))
    };
    is_path || plain.has_any(&["e.g", "eg", "i.e"]) || (1..plain.len()).any(is_place)
}

/// "Set Y to X", "Change the quantity from 1 to 3", "Set the switch to on".
pub(super) fn set(rest: Phrase<'_>, nouns: &Nouns<'_>) -> Acts {
    if rest.starts_any(&["up"]) {
        return Err(Misread::new(Verb::Set, format!("it does not say how to set {}", rest.text())));
    }
    // "the priority to high and the component to Deck": each part has its own "to".
    if let Some(at) = rest.find(&["and"]).filter(|at| *at > 0)
        && rest.until(at).has("to")
        && rest.from(at + 1).has("to")
        && rest.from(at + 1).starts_any(DETERMINERS)
        && !rest.has_quoted()
    {
        let mut acts = set(rest.until(at).trimmed(), nouns)?;
        acts.extend(set(rest.from(at + 1), nouns)?);
        return Ok(acts);
    }
    let several = parts(rest);
    if several.len() > 1 && several.iter().all(|part| part.has("to")) {
        let mut acts = Vec::new();
        for part in several {
            acts.extend(set(part, nouns)?);
        }
        return Ok(acts);
    }
    // "Set the Unlock dropdown to When time is equal to duration": a label in capitals may have the word in it.
    let labelled = rest.find(&["to"]).filter(|at| {
        *at > 0
            && rest.get(at + 1).is_some_and(Token::is_capital)
            && nouns.target(rest.until(*at)).is_some_and(|target| target.kind.is_some())
    });
    let Some(at) = labelled.or_else(|| rest.find_last(&["to"])).filter(|at| *at > 0) else {
        return set_in_place(rest, nouns);
    };
    let (name, value) = (rest.until(at), rest.from(at + 1));
    // "To be public": how it is then, unless a value is quoted or written as one.
    let is_state = value.len() == 2
        && value.starts_any(&["be"])
        && value.tokens[1].kind == TokenKind::Word
        && !value.tokens[1].is_capital()
        && !value.tokens[1].is_any(&["on", "off", "true", "false", "yes", "no"]);
    if is_state {
        return Err(Misread::new(Verb::Set, format!("`{}` is not a value", value.text())));
    }
    let value = if value.len() > 1 { value.without_front(&["be"]) } else { value };
    // "From Draft to Final": what it holds before the act.
    let from = name.find(&["from"]).filter(|from| *from > 0);
    let held = from.map(|from| name.from(from + 1));
    let name = name.until(from.unwrap_or(name.len()));
    if name.without_front(DETERMINERS).is(&["focus"]) {
        return Ok(vec![Act::Focus { target: needed(value, Verb::Focus, nouns)? }]);
    }
    let name = strip_value_of(name);
    let target = field(name, nouns).ok_or_else(|| Misread::new(Verb::Set, "it does not say what is set"))?;
    if let Some(to) = toggle(value) {
        return Ok(vec![Act::Check { targets: vec![target], to }]);
    }
    let text = given(value, Verb::Set)?;
    let mut acts: Vec<Act> =
        held.filter(|_| changes(rest)).and_then(|held| held_before(&target, held)).into_iter().collect();
    if matches!(target.kind, Some(ElementKind::Dropdown | ElementKind::Radio)) {
        acts.push(Act::Choose { options: vec![text], from: Some(target) });
    } else {
        acts.push(Act::Enter { target: Some(target), text });
    }
    Ok(acts)
}

/// "Set the hours from Monday to Friday" is a range; only what is changed was something else before.
fn changes(rest: Phrase<'_>) -> bool {
    let said = rest.sentence.to_lowercase();
    ["change", "switch", "update"].iter().any(|verb| said.contains(verb))
}

/// "Change the direction from Up to Down": it has to be Up first.
fn held_before(target: &Target, held: Phrase<'_>) -> Option<Act> {
    let text = match held.trimmed().tokens {
        [only] if only.is_quoted() => Matcher::Equals(only.text.clone()),
        [only] if only.is_capital() => Matcher::Said(only.text.clone()),
        _ => return None,
    };
    let about = About::Value { target: target.clone(), text };
    let claim =
        Claim { said: format!("{} is {}", target.said, held.text()), negated: false, stays: false, about };
    Some(Act::Wait { until: WaitGoal::Claim(Box::new(claim)) })
}

/// "Set the switch on", `Set "x" in the field`.
fn set_in_place(rest: Phrase<'_>, nouns: &Nouns<'_>) -> Acts {
    if rest.without_front(DETERMINERS).starts(&["focus"])
        && let Some(at) = rest.find(&["on", "in"])
    {
        return Ok(vec![Act::Focus { target: needed(rest.from(at + 1), Verb::Focus, nouns)? }]);
    }
    if let Some(last) = rest.last().filter(|last| last.is_any(&["on", "off"])) {
        let to = if last.is("on") { Toggle::On } else { Toggle::Off };
        let target = needed(rest.until(rest.len() - 1), Verb::Set, nouns)?;
        return Ok(vec![Act::Check { targets: vec![target], to }]);
    }
    if !rest.tokens.iter().any(Token::is_value) {
        return Err(Misread::new(Verb::Set, format!("it does not say what `{}` is set to", rest.text())));
    }
    entries(rest, nouns)
}

fn toggle(value: Phrase<'_>) -> Option<Toggle> {
    match value.trimmed().words().as_slice() {
        ["on"] | ["checked"] | ["enabled"] | ["ticked"] => Some(Toggle::On),
        ["off"] | ["unchecked"] | ["disabled"] | ["unticked"] => Some(Toggle::Off),
        _ => None,
    }
}

pub(super) fn append(rest: Phrase<'_>, nouns: &Nouns<'_>) -> Acts {
    let end = (1..rest.len()).find(|at| {
        rest.from(*at).starts_any(&["at", "to"])
            && rest.from(at + 1).without_front(&["the"]).starts(&["end", "of"])
    });
    let at = end.or_else(|| rest.find_last(&["to", "in", "into", "at"]).filter(|at| *at > 0));
    let (value, target) = match at {
        Some(at) => {
            let place = strip_value_of(rest.from(at + 1));
            (rest.until(at), Some(needed(place, Verb::Append, nouns)?))
        }
        None => (rest, None),
    };
    Ok(vec![Act::Append { target, text: given(value, Verb::Append)? }])
}

/// "the value of the email field" is the email field.
fn strip_value_of(phrase: Phrase<'_>) -> Phrase<'_> {
    let plain = phrase.without_front(DETERMINERS);
    let contents = &["text", "content", "contents", "value", "values", "input", "end"];
    let is_of = plain.starts_any(contents) && matches!(plain.word(1), "of" | "in" | "from" | "inside");
    if is_of { plain.from(2) } else { phrase }
}

pub(super) fn clear(rest: Phrase<'_>, nouns: &Nouns<'_>) -> Acts {
    let targets = nouns
        .targets(strip_value_of(rest))
        .ok_or_else(|| Misread::new(Verb::Clear, "it does not say what is cleared"))?;
    Ok(targets.into_iter().map(|target| Act::Clear { target }).collect())
}

/// "Leave the email empty": whatever was there, it is empty then. "Leave the frame" goes back to the page.
pub(super) fn leave(rest: Phrase<'_>, nouns: &Nouns<'_>) -> Acts {
    let plain = rest.without_front(DETERMINERS);
    if plain.is(&["frame"]) || plain.is(&["iframe"]) {
        return Ok(vec![Act::SwitchFrame { to: None }]);
    }
    // `Leave the note "Two suppliers answered"`: what is written there.
    const WRITTEN: &[&str] = &["note", "comment", "message", "remark", "reply", "review", "feedback"];
    if let [noun, text] = plain.tokens
        && noun.is_any(WRITTEN)
        && text.is_quoted()
    {
        let target = Some(needed(plain.until(1), Verb::Enter, nouns)?);
        return Ok(vec![Act::Enter { target, text: text.text.clone() }]);
    }
    let what = rest.until(rest.len().saturating_sub(1)).without_end(&["as"]);
    match rest.last().map_or("", |last| last.low.as_str()) {
        "empty" | "blank" => clear(what, nouns),
        "unchecked" | "unticked" => {
            Ok(vec![Act::Check { targets: vec![needed(what, Verb::Uncheck, nouns)?], to: Toggle::Off }])
        }
        "checked" | "ticked" => {
            Ok(vec![Act::Check { targets: vec![needed(what, Verb::Check, nouns)?], to: Toggle::On }])
        }
        _ => Err(Misread::new(
            Verb::Clear,
            format!("`{}` can be left only empty, checked or unchecked", rest.text()),
        )),
    }
}

/// "Delete the text of …" clears a field; "Delete the first row" is a click on its button. Here `rest` begins with
/// the verb.
pub(super) fn delete(rest: Phrase<'_>, nouns: &Nouns<'_>) -> Acts {
    let object = rest.from(1);
    let inner = strip_value_of(object);
    if inner.len() < object.without_front(DETERMINERS).len() {
        return Ok(vec![Act::Clear { target: needed(inner, Verb::Clear, nouns)? }]);
    }
    let named = super::click::named(rest, nouns);
    named.map_err(|misread| Misread { verb: Verb::Delete, ..misread })
}

pub(super) fn upload(rest: Phrase<'_>, nouns: &Nouns<'_>) -> Acts {
    let at = rest.find(&["to", "in", "into", "using", "via", "for", "as", "with", "on", "at", "through"]);
    let (what, place) = match at.filter(|at| *at > 0) {
        Some(at) => (rest.until(at), Some(rest.from(at + 1))),
        None => (rest, None),
    };
    let is_file =
        |token: &&Token| token.is_quoted() || matches!(token.kind, TokenKind::File | TokenKind::Path);
    let files: Vec<String> = what.tokens.iter().filter(is_file).map(|token| token.text.clone()).collect();
    const OTHERS: &[&str] = &[
        "file",
        "files",
        "the",
        "a",
        "an",
        "and",
        ",",
        "image",
        "images",
        "document",
        "documents",
        "named",
        "called",
        "my",
        "photo",
        "picture",
        "attachment",
    ];
    if files.is_empty() {
        return Err(Misread::new(Verb::Upload, "it does not say which file"));
    }
    // `Upload the avatar "me.png"`: what it is for is where it goes.
    let named = what.until(what.tokens.iter().position(|token| is_file(&token)).unwrap_or(0));
    let named = named.without_front(OTHERS);
    let place = place.or((!named.is_empty()).then_some(named));
    let rest = what.from(named.len()).tokens.iter();
    if named.is_empty() && !rest.clone().all(|token| is_file(&token) || token.is_any(OTHERS)) {
        return Err(Misread::new(Verb::Upload, format!("`{}` are not only files", what.text())));
    }
    let target = place.map(|place| needed(place, Verb::Upload, nouns)).transpose()?;
    Ok(vec![Act::Upload { files, target }])
}
