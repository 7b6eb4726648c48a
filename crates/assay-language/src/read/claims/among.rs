//! Claims about what is among others: only these, in this order, so many times, the first of them.

use crate::{About, ElementKind, Matcher, NumberIs, Target};

use super::super::lexicon::claim_verbs::ClaimVerb;
use super::super::lexicon::nouns::noun;
use super::super::lexicon::relations;
use super::super::lexicon::words::{DETERMINERS, ordinal};
use super::super::noun::{Nouns, is_plain_page};
use super::super::phrase::Phrase;
use super::super::token::{Token, TokenKind};
use super::amount::number_is;
use super::{BareClaim, Unclear, clause, is_person};

/// None when the phrase speaks of nothing like it.
pub(crate) fn among(phrase: Phrase<'_>, nouns: &Nouns<'_>) -> Option<Result<Vec<BareClaim>, Unclear>> {
    times(phrase, nouns)
        .or_else(|| in_order(phrase, nouns))
        .or_else(|| nobody_else(phrase, nouns))
        .or_else(|| only(phrase, nouns))
        .or_else(|| nth(phrase, nouns))
}

/// `"Lamp" appears twice`, `"Lamp" is shown exactly 3 times in the list`.
fn times(phrase: Phrase<'_>, nouns: &Nouns<'_>) -> Option<Result<Vec<BareClaim>, Unclear>> {
    let at = phrase.find(&["once", "twice", "thrice", "times", "time"]).filter(|at| *at > 0)?;
    let (start, count) = match phrase.word(at) {
        "once" => (at, NumberIs::Exactly(1.0)),
        "twice" => (at, NumberIs::Exactly(2.0)),
        "thrice" => (at, NumberIs::Exactly(3.0)),
        _ => {
            // "at least 3 times", "3 times".
            let start = (0..at).find(|start| {
                number_is(phrase.from(*start)).is_some_and(|(_, length)| start + length == at)
            })?;
            (start, number_is(phrase.from(start))?.0)
        }
    };
    let (start, count) = match (start.checked_sub(1).map_or("", |before| phrase.word(before)), count) {
        ("exactly" | "only" | "just", count) => (start - 1, count),
        ("least", NumberIs::Exactly(number)) if start >= 2 && phrase.word(start - 2) == "at" => {
            (start - 2, NumberIs::AtLeast(number))
        }
        ("most", NumberIs::Exactly(number)) if start >= 2 && phrase.word(start - 2) == "at" => {
            (start - 2, NumberIs::AtMost(number))
        }
        (_, count) => (start, count),
    };
    let front = phrase.until(start);
    let clause = clause::clause(front)?;
    let text = only_quoted(clause.subject);
    let unclear =
        || Err("give the text that is counted in quotation marks: \"Lamp\" appears twice".to_string());
    let Some(text) = text else { return Some(unclear()) };
    if clause.negated || clause.stays {
        return Some(Err("say how often it is shown".to_string()));
    }
    let place = match behind(phrase.from(at + 1), clause.object, nouns) {
        Ok(place) => place,
        Err(why) => return Some(Err(why)),
    };
    Some(Ok(vec![BareClaim::plainly(About::Times { text, place, count })]))
}

/// A place before or behind the words in the middle; anything else is not understood.
fn behind(one: Phrase<'_>, other: Phrase<'_>, nouns: &Nouns<'_>) -> Result<Option<Target>, Unclear> {
    const SHOWN: &[&str] = &["shown", "displayed", "listed", "visible", "present", "there", "found"];
    let mut place = None;
    for part in [one.trimmed(), other.trimmed().without_front(SHOWN)] {
        if part.is_empty() {
            continue;
        }
        let relation = relations::relation(&part.words()).filter(|(how, _)| *how == crate::Nearness::Inside);
        let target = relation.and_then(|(_, length)| nouns.target(part.from(length)));
        match (target, &place) {
            (Some(target), None) if is_plain_page(&target) => {}
            (Some(target), None) => place = Some(target),
            _ => return Err(format!("`{}` is not understood here", part.text())),
        }
    }
    Ok(place)
}

fn only_quoted(subject: Phrase<'_>) -> Option<String> {
    let plain =
        subject.trimmed().without_front(DETERMINERS).without_front(&["text", "word", "message", "name"]);
    match plain.tokens {
        [only] if only.is_quoted() => Some(only.text.clone()),
        _ => None,
    }
}

/// `The list shows "A", "B" and "C" in that order`, `… in this order: "A", "B"`.
fn in_order(phrase: Phrase<'_>, nouns: &Nouns<'_>) -> Option<Result<Vec<BareClaim>, Unclear>> {
    let at = phrase.find(&["order"]).filter(|at| *at >= 2 && phrase.word(at - 2) == "in")?;
    let is_given =
        matches!(phrase.word(at - 1), "that" | "this") || phrase.word(at - 1) == "following" && at >= 3;
    let is_named = phrase.word(at - 1) == "the" && phrase.get(at + 1).is_some_and(Token::is_quoted);
    if !is_given && !is_named {
        return None;
    }
    let start = if phrase.word(at - 1) == "following" { at - 3 } else { at - 2 };
    let front = phrase.until(start);
    let back = phrase.from(at + 1).trimmed();
    Some(ordered(front, back, nouns))
}

fn ordered(front: Phrase<'_>, back: Phrase<'_>, nouns: &Nouns<'_>) -> Result<Vec<BareClaim>, Unclear> {
    let unclear = || {
        "give the texts in quotation marks: The list shows \"A\", \"B\" and \"C\" in that order".to_string()
    };
    let clause = clause::clause(front).ok_or_else(unclear)?;
    if clause.negated || clause.stays {
        return Err(unclear());
    }
    let listed = |phrase: Phrase<'_>| names(phrase).filter(|names| names.len() > 1);
    let (texts, place) = if let Some(texts) = listed(back) {
        (texts, place_of(clause.subject, nouns)?)
    } else if let Some(texts) = listed(clause.object) {
        (texts, place_of(clause.subject, nouns)?)
    } else {
        let texts = listed(clause.subject).ok_or_else(unclear)?;
        (texts, behind(clause.object, back, nouns)?)
    };
    Ok(vec![BareClaim::plainly(About::InOrder { place, texts })])
}

/// Where something is listed; none for the page, or for somebody who sees it.
fn place_of(subject: Phrase<'_>, nouns: &Nouns<'_>) -> Result<Option<Target>, Unclear> {
    if is_person(subject) {
        return Ok(None);
    }
    let target =
        nouns.target(subject).ok_or_else(|| format!("`{}` is not the name of one thing", subject.text()))?;
    Ok(Some(target).filter(|target| !is_plain_page(target)))
}

/// Quoted names with nothing but commas, "and" and the word for what they are.
fn names(phrase: Phrase<'_>) -> Option<Vec<String>> {
    let mut names = Vec::new();
    for token in phrase.trimmed().tokens {
        let is_noun = || noun(&[token.low.as_str()]).is_some();
        if token.is_quoted() {
            names.push(token.text.clone());
        } else if !(token.is_any(DETERMINERS)
            || token.is_any(&["and", "then"])
            || matches!(token.kind, TokenKind::Mark(',' | ':'))
            || is_noun())
        {
            return None;
        }
    }
    (!names.is_empty()).then_some(names)
}

/// "shows A, B and nobody else": these and no others.
fn nobody_else(phrase: Phrase<'_>, nouns: &Nouns<'_>) -> Option<Result<Vec<BareClaim>, Unclear>> {
    let end = phrase.without_end(&["else"]);
    let none = end.without_end(&["nobody", "nothing", "noone"]);
    if end.len() == phrase.len() || none.len() == end.len() {
        return None;
    }
    let clause = clause::clause(none.without_end(&["and", "but"]))?;
    if clause.negated || !matches!(clause.verb, ClaimVerb::Show | ClaimVerb::Contain | ClaimVerb::Have) {
        return Some(Err("write one expectation per item".to_string()));
    }
    let is_name = |part: &Phrase<'_>| {
        matches!(part.tokens, [only] if only.is_quoted()) || part.tokens.iter().all(Token::is_capital)
    };
    if !clause.object.listed().iter().all(is_name) {
        return Some(Err("give the names in quotation marks".to_string()));
    }
    let names: Vec<String> = clause
        .object
        .listed()
        .iter()
        .map(|part| match part.tokens {
            [only] => only.text.clone(),
            _ => part.text().to_string(),
        })
        .collect();
    Some(
        place_of(clause.subject, nouns)
            .map(|place| vec![BareClaim::plainly(About::Only { place, texts: names })]),
    )
}

/// `The cart contains only "Lamp"`, `Only "Lamp" and "Chair" are listed`.
fn only(phrase: Phrase<'_>, nouns: &Nouns<'_>) -> Option<Result<Vec<BareClaim>, Unclear>> {
    let at = phrase.find(&["only"])?;
    // "Only 3 rows" is a count.
    if number_is(phrase.from(at)).is_some() {
        return None;
    }
    let rest = Phrase { tokens: &phrase.tokens_without(at), ..phrase };
    let why = || Err("`only` needs quoted texts: The list contains only \"A\" and \"B\"".to_string());
    let Some(clause) = clause::clause(rest) else { return Some(why()) };
    let is_left_over = clause.said.has_any(&["remain", "remains"]);
    if clause.negated || clause.stays && !is_left_over || clause.can {
        return Some(why());
    }
    // `"Lamp" is the only item left`.
    let thing = clause.object.without_front(&["the", "one"]);
    let what = thing.without_end(&["left", "remaining", "listed"]);
    // "The only admin" says more than what is listed.
    let is_left = what.len() < thing.len() && what.len() == 1;
    let is_entry = matches!(what.tokens, [only] if only.is_any(&["item", "entry", "row", "result"]));
    if let (Some(text), true) = (only_quoted(clause.subject), phrase.word(at.saturating_sub(1)) == "the")
        && clause.verb == ClaimVerb::Be
        && (is_left || is_entry)
    {
        return Some(Ok(vec![BareClaim::plainly(About::Only { place: None, texts: vec![text] })]));
    }
    let said = if at == 0 {
        let nothing = clause.object.from(clause.object.len());
        names(clause.subject)
            .or_else(|| named_thing(clause.subject))
            .map(|texts| (texts, behind(nothing, clause.object, nouns)))
    } else {
        names(clause.object).map(|texts| (texts, place_of(clause.subject, nouns)))
    };
    Some(match said {
        Some((texts, Ok(place))) => Ok(vec![BareClaim::plainly(About::Only { place, texts })]),
        Some((_, Err(why))) => Err(why),
        None => return Some(why()),
    })
}

/// `the product "Lamp"`.
fn named_thing(subject: Phrase<'_>) -> Option<Vec<String>> {
    let (name, front) = subject.trimmed().tokens.split_last().filter(|(name, _)| name.is_quoted())?;
    let front = Phrase { tokens: front, ..subject }.without_front(DETERMINERS);
    let is_noun = matches!(front.tokens, [noun] if noun.kind == TokenKind::Word);
    is_noun.then(|| vec![name.text.clone()])
}

/// `"Lamp" is the first item in the list`, `"Lamp" is first in the list`.
fn nth(phrase: Phrase<'_>, nouns: &Nouns<'_>) -> Option<Result<Vec<BareClaim>, Unclear>> {
    let clause = clause::clause(phrase)?;
    let text = only_quoted(clause.subject)?;
    let object = clause.object.without_front(&["listed", "shown", "displayed"]).without_front(&["the"]);
    let place = object.first().and_then(|first| ordinal(&first.low))?;
    if clause.verb != ClaimVerb::Be || clause.stays {
        return None;
    }
    let rest = object.from(1);
    let target = if rest.is_empty() || relations::relation(&rest.words()).is_some() {
        let mut target = Target {
            said: object.text().to_string(),
            kind: Some(ElementKind::Item),
            ordinal: Some(place),
            ..Target::default()
        };
        if let Some((how, length)) = relations::relation(&rest.words())
            && nouns.relate(&mut target, how, rest.from(length)).is_none()
        {
            return Some(Err(format!("`{}` is not a place", rest.text())));
        }
        Some(target)
    } else {
        nouns.target(object)
    };
    let target = target.filter(|target| target.ordinal.is_some() && target.kind.is_some())?;
    let about = About::Value { target, text: Matcher::Equals(text) };
    Some(Ok(vec![BareClaim { about, negated: clause.negated }]))
}
