//! Verbs other than "to be": what something contains, shows, says, does.

use crate::{About, ElementKind, Matcher, Nearness, Relation, StateWord, Target, Tone};

use super::super::lexicon::claim_verbs::ClaimVerb;
use super::super::lexicon::nouns;
use super::super::lexicon::words::{DETERMINERS, FIELD_NAMES};
use super::super::noun::{Nouns, is_enumeration, is_plain_page, relation};
use super::super::phrase::Phrase;
use super::super::token::{Token, TokenKind};
use super::amount::{Strictness, in_unit, matcher, number_is};
use super::arrival::{appears, closes, denied, leads, loads};
use super::attributes::by_verb;
use super::being::{being, with_content};
use super::changes::changes;
use super::clause::{self, Clause};
use super::existence::{all_present, counted, none_of, target_is_there, things};
use super::properties::{cell, evident, property};
use super::records::{entry_with, pair};
use super::{BareClaim, Unclear, every, is_person, order, subject};

pub(crate) fn of_clause(clause: &Clause<'_>, nouns: &Nouns<'_>) -> Result<Vec<BareClaim>, Unclear> {
    let object = clause.object;
    let says_of = !matches!(
        clause.verb,
        ClaimVerb::Be
            | ClaimVerb::Appear
            | ClaimVerb::Exist
            | ClaimVerb::Disappear
            | ClaimVerb::Close
            | ClaimVerb::See
    );
    if says_of && clause.subject.starts_any(&["no"]) {
        return none_has(clause, nouns);
    }
    if subject::is_several(clause.subject, nouns)
        && !clause.negated
        && let Some(said) = every::several(clause, nouns)
    {
        return Ok(said);
    }
    match clause.verb {
        ClaimVerb::Be => being(clause, nouns),
        ClaimVerb::See => see(clause, nouns),
        ClaimVerb::Have => contains(clause, Strictness::Whole, nouns),
        ClaimVerb::Contain => contains(clause, Strictness::Within, nouns),
        ClaimVerb::Show => shows(clause, nouns),
        ClaimVerb::Say => says(clause, Strictness::Part, nouns),
        ClaimVerb::Read | ClaimVerb::Equal => says(clause, Strictness::Whole, nouns),
        ClaimVerb::Start => edge(clause, &["with", "by", "from"], Matcher::StartsWith, nouns),
        ClaimVerb::End => edge(clause, &["with", "in", "on"], Matcher::EndsWith, nouns),
        ClaimVerb::Match => matches_pattern(clause, nouns),
        ClaimVerb::Appear | ClaimVerb::Exist => appears(clause, nouns),
        ClaimVerb::Disappear => denied(appears(clause, nouns)),
        ClaimVerb::Close => denied(closes(clause, nouns)),
        ClaimVerb::Load | ClaimVerb::Open => loads(clause, nouns),
        ClaimVerb::Come if clause.object.is(&["up"]) => all_present(clause.subject, nouns),
        ClaimVerb::Come => order::before(clause.subject, object, nouns)
            .unwrap_or_else(|| Err("it does not say what comes before what".to_string())),
        ClaimVerb::Lead => leads(clause, nouns),
        ClaimVerb::Exceed => {
            let number = number_is(object).filter(|(_, length)| *length == object.len());
            let Some((crate::NumberIs::Exactly(number), _)) = number else {
                return Err(format!("`{}` is not a number", object.text()));
            };
            let text = in_unit(crate::NumberIs::MoreThan(number), object)
                .ok_or_else(|| format!("`{}` is not one amount", object.text()))?;
            Ok(vec![BareClaim::plainly(subject::has_text(clause.subject, text, nouns)?)])
        }
        ClaimVerb::Opine
            if clause.subject.trimmed().without_front(DETERMINERS).is(&["login"])
                && clause.said.has_any(&["fails", "fail"]) =>
        {
            super::facts::refused(object)
        }
        ClaimVerb::Opine if let Some(said) = by_verb(clause, nouns) => said,
        ClaimVerb::Attribute => by_verb(clause, nouns).unwrap_or_else(|| {
            Err(format!(
                "assay cannot check `{}`; it can check text, values, states and counts",
                clause.said.text()
            ))
        }),
        ClaimVerb::Opine => Err("assay cannot check whether something works or looks good".to_string()),
        ClaimVerb::Change => changes(clause, nouns),
    }
}

/// `No row contains "Ada"`: there is none with it.
fn none_has(clause: &Clause<'_>, nouns: &Nouns<'_>) -> Result<Vec<BareClaim>, Unclear> {
    let [text] = clause.object.tokens else {
        return Err("it does not give one quoted text that none of them contains".to_string());
    };
    if !text.is_quoted() || !matches!(clause.verb, ClaimVerb::Contain | ClaimVerb::Show) {
        return Err("it does not give one quoted text that none of them contains".to_string());
    }
    let mut target = target_of(clause.subject.from(1), nouns)?;
    let to = Target {
        said: clause.object.text().to_string(),
        quoted: Some(text.text.clone()),
        ..Target::default()
    };
    target.relations.push(Relation { how: Nearness::Containing, to });
    Ok(vec![BareClaim { about: About::State { target, state: StateWord::Visible }, negated: true }])
}

/// "I see X", "the user sees that X is shown".
fn see(clause: &Clause<'_>, nouns: &Nouns<'_>) -> Result<Vec<BareClaim>, Unclear> {
    let object = clause.object.trimmed();
    let is_said_of =
        object.first().is_some_and(Token::is_quoted) && matches!(object.word(1), "is" | "are" | "isn't");
    let has_clause = clause::main_verb(object).is_some() && !object.has_quoted();
    if object.starts_any(&["that"]) || has_clause || is_said_of {
        let claims = super::read(super::stripped(object), nouns);
        let mut all = Vec::new();
        for claim in claims {
            if let About::Unknown { why } = claim.about {
                return Err(why);
            }
            all.push(BareClaim { about: claim.about, negated: claim.negated });
        }
        return Ok(all);
    }
    if object.is_empty() {
        return Err("it does not say what is seen".to_string());
    }
    // The user receives a file or a letter, not a part of the page.
    const RECEIVED: &[&str] = &[
        "file", "files", "email", "emails", "e-mail", "mail", "pdf", "csv", "zip", "download", "sms",
        "letter",
    ];
    if clause.said.has_any(&["get", "gets", "receive", "receives"]) && object.has_any(RECEIVED) {
        return Err("assay checks only what the page shows".to_string());
    }
    if clause.said.has("able") && clause.said.has_any(&["get", "receive"]) {
        return Err("assay cannot check that something can be done; write a step that does it".to_string());
    }
    if !is_person(clause.subject) {
        return Err(format!("assay cannot see what `{}` see", clause.subject.text()));
    }
    // `the "Music" tab selected`: in what state it is seen.
    if clause::finite_verb(object).is_some_and(|at| at + 1 == object.len() && at > 0)
        && let Some(own) = clause::clause(object)
    {
        return being(&own, nouns);
    }
    let (object, with) = match object.find(&["with"]).filter(|at| *at > 0) {
        Some(at) if object.until(at).has_any(&["page", "dashboard", "screen"]) => {
            (object.until(at), Some(object.from(at)))
        }
        _ => (object, None),
    };
    let mut all = all_present(object, nouns)?;
    if let Some(with) = with {
        all.extend(with_content(&all, with, nouns)?);
    }
    Ok(all)
}

fn shows(clause: &Clause<'_>, nouns: &Nouns<'_>) -> Result<Vec<BareClaim>, Unclear> {
    let object = clause.object.trimmed();
    // "Shows as unread": how, and not what.
    if object.starts_any(&["as"]) {
        return Err(format!("`{}` is not understood here", object.text()));
    }
    // "The dialog shows", "shows up": it is there.
    if object.is_empty() || object.is(&["up"]) || object.starts(&["up", "in"]) {
        return appears(&Clause { object: object.without_front(&["up"]), ..*clause }, nouns);
    }
    // "The report shows in the sidebar": where it is, and not what is written there.
    let is_limit =
        object.get(1).is_some_and(|next| matches!(next.kind, TokenKind::Number(_) | TokenKind::Amount));
    if object.starts_any(&["in", "on", "at", "under", "below", "above", "inside", "beside"]) && !is_limit {
        return appears(clause, nouns);
    }
    contains(clause, Strictness::Part, nouns)
}

/// What is in something, or is written there.
fn contains(
    clause: &Clause<'_>,
    strictness: Strictness,
    nouns: &Nouns<'_>,
) -> Result<Vec<BareClaim>, Unclear> {
    let object = clause.object.trimmed();
    if object.is_empty() {
        return Err("it does not say what should be in it".to_string());
    }
    if is_person(clause.subject)
        && number_is(object).is_some()
        && let Some(count) = counted(object, nouns, None)
    {
        return count.map(|about| vec![BareClaim::plainly(about)]);
    }
    if is_person(clause.subject) && object.starts_any(&["no"]) && object.len() > 1 {
        return all_present(object, nouns);
    }
    if is_person(clause.subject) {
        return Err(format!("assay cannot check whether somebody has `{}`", object.text()));
    }
    // "Has the alarm enabled": in what state something else is.
    let is_stated = object.len() > 1 && !object.has_quoted();
    if is_stated
        && object.last().is_some_and(|last| last.is_any(&["enabled", "disabled", "turned", "activated"]))
    {
        return Err(format!("`{}` is not understood here; say what is enabled", object.text()));
    }
    if matches!(object.words().as_slice(), ["focus"] | ["the", "focus"] | ["keyboard", "focus"]) {
        let target = target_of(clause.subject, nouns)?;
        return Ok(vec![BareClaim::plainly(About::State { target, state: StateWord::Focused })]);
    }
    if object.last().is_some_and(|last| last.is_any(&["selected", "chosen"])) && object.len() > 1 {
        let options: Vec<String> = object
            .until(object.len() - 1)
            .listed()
            .iter()
            .filter_map(|part| {
                part.tokens.iter().find(|token| token.is_quoted()).map(|token| token.text.clone())
            })
            .collect();
        if !options.is_empty() {
            let target = target_of(clause.subject, nouns)?;
            return Ok(vec![BareClaim::plainly(About::Chosen { target, options })]);
        }
    }
    // `lists "A" as open`: in what state it is, which the words before do not say.
    if let Some(at) = object.find(&["as"]).filter(|at| *at > 0 && object.until(*at).has_quoted()) {
        return Err(format!("`{}` is not understood here", object.from(at).text()));
    }
    if let Some(said) = entry_with(clause, object, nouns) {
        return said;
    }
    if let Some(text) = pair(object) {
        return Ok(vec![BareClaim::plainly(subject::has_text(clause.subject, text, nouns)?)]);
    }
    let (object, place) = with_place(clause, object);
    let mut all = Vec::new();
    if let Some(at) = object.tokens.iter().position(|token| token.is_mark(':')) {
        return listed_behind(clause, object.until(at), object.from(at + 1), nouns);
    }
    if let Some(kinds) = alike(object, nouns) {
        let around = target_of(clause.subject, nouns)?;
        for thing in kinds {
            all.push(BareClaim::plainly(thing_inside(thing, &around, object)?));
        }
        return Ok(all);
    }
    for part in things_or_values(object) {
        all.extend(one_content(clause, part, strictness, nouns)?);
    }
    if let Some(place) = place {
        let to = target_of(place, nouns)?;
        for said in &mut all {
            let About::Value { target, text } = &mut said.about else { continue };
            let column = to.quoted.clone().unwrap_or_else(|| to.words.join(" "));
            let is_row = target.kind.is_some_and(ElementKind::is_entry);
            if to.kind == Some(ElementKind::Column) && is_row && !column.is_empty() {
                said.about = About::Cell { row: row(target), column, text: text.clone() };
            } else {
                target.relations.push(relation(Nearness::Inside, to.clone()));
            }
        }
    }
    Ok(all)
}

/// `the page shows "X" in the header`: where, for a text of the page.
fn with_place<'a>(clause: &Clause<'a>, object: Phrase<'a>) -> (Phrase<'a>, Option<Phrase<'a>>) {
    let is_field = !clause.subject.has_any(&["page", "screen"]);
    match object.find(&["in"]).filter(|at| *at == 1 && object.tokens[0].is_quoted() && is_field) {
        Some(at) => (object.until(at), Some(object.from(at + 1))),
        None => (object, None),
    }
}

/// `3 links: "Home", "About" and "Contact"`: how many, and each of them.
fn listed_behind(
    clause: &Clause<'_>,
    front: Phrase<'_>,
    list: Phrase<'_>,
    nouns: &Nouns<'_>,
) -> Result<Vec<BareClaim>, Unclear> {
    let around = target_of(clause.subject, nouns)?;
    let mut all = Vec::new();
    if let Some(count) = counted(front, nouns, Some(&around)) {
        all.push(BareClaim::plainly(count?));
    }
    let kind = front.last().and_then(|last| nouns::noun(&[last.low.as_str()])).map(|noun| noun.kind);
    for part in list.listed() {
        let [name] = part.tokens else { return Err(format!("`{}` is not one name", part.text())) };
        if !name.is_quoted() {
            return Err(format!("`{}` is not in quotation marks", part.text()));
        }
        let thing = Target {
            said: part.text().to_string(),
            quoted: Some(name.text.clone()),
            kind,
            ..Target::default()
        };
        all.push(BareClaim::plainly(thing_inside(thing, &around, part)?));
    }
    Ok(all)
}

/// `"Delete" and "Cancel" buttons`, `the columns "Name" and "Age"`: the noun is said once for all.
pub(crate) fn alike(object: Phrase<'_>, nouns: &Nouns<'_>) -> Option<Vec<Target>> {
    let is_plural = |token: &Token| nouns::noun(&[token.low.as_str()]).is_some_and(|noun| noun.plural);
    let parts = object.listed();
    let are_quoted = parts.len() > 1 && is_enumeration(&parts);
    let has_noun = object.tokens.iter().any(is_plural) && number_is(object).is_none();
    let targets = (are_quoted && has_noun).then(|| nouns.targets(object)).flatten()?;
    let is_whole = targets.len() == parts.len() && targets.iter().all(|target| target.kind.is_some());
    is_whole.then_some(targets)
}

fn things_or_values(object: Phrase<'_>) -> Vec<Phrase<'_>> {
    // "The tables Owner, Patient and Visit": what they are stands before the first.
    let plain = object.without_front(DETERMINERS);
    let has_noun = plain.first().is_some_and(|first| !first.is_capital() && first.low.ends_with('s'))
        && plain.get(1).is_some_and(Token::is_capital);
    let named = if has_noun { plain.from(1) } else { object };
    let is_name = |part: &Phrase<'_>| {
        part.len() <= 3 && part.tokens.iter().all(|token| token.is_capital() || token.is_value())
    };
    let names = named.listed();
    if names.len() > 2 && names.iter().all(is_name) && !object.has_quoted() {
        return names;
    }
    let parts = object.listed();
    let valued = |part: &Phrase<'_>| part.tokens.iter().any(Token::is_value);
    if parts.len() > 1 && parts.iter().all(valued) { parts } else { things(object) }
}

fn one_content(
    clause: &Clause<'_>,
    part: Phrase<'_>,
    strictness: Strictness,
    nouns: &Nouns<'_>,
) -> Result<Vec<BareClaim>, Unclear> {
    let part = part.trimmed();
    let (part, negated) = match part.first() {
        Some(first) if first.is("no") && number_is(part).is_none() => (part.from(1), true),
        Some(first) if first.is("any") && clause.negated => {
            // "Does not have any likes": there are none of them.
            let around = nouns.target(clause.subject);
            let is_own_word = nouns.target(part.from(1)).is_some_and(|thing| thing.kind.is_none());
            if is_own_word && let Some(Ok(none)) = none_of(part.from(1), nouns, around.as_ref()) {
                return Ok(none.into_iter().map(|one| BareClaim { negated: !one.negated, ..one }).collect());
            }
            (part.from(1), false)
        }
        _ => (part, false),
    };
    let one = |about: About| Ok(vec![BareClaim { about, negated }]);
    if let Some(text) = subject::address(clause.subject, part).filter(|_| strictness == Strictness::Whole) {
        return one(About::Url { text });
    }
    if let Some(named) = property(clause, part, strictness, nouns) {
        return one(named?);
    }
    let is_text_subject = subject_is_text(clause.subject);
    if let Some(text) = evident(part, strictness) {
        if strictness == Strictness::Within
            && let Some(offered) = offered(clause.subject, &text, nouns)
        {
            return one(offered);
        }
        return one(subject::has_text(clause.subject, text, nouns)?);
    }
    let around = target_of(clause.subject, nouns)?;
    // "The badge shows 3 items" is what is written there.
    let is_label = matches!(
        around.kind,
        Some(
            ElementKind::Figure
                | ElementKind::Button
                | ElementKind::Link
                | ElementKind::Heading
                | ElementKind::Label
        )
    );
    if !is_text_subject
        && !is_label
        && let Some(counted) = counted(part, nouns, Some(&around))
    {
        return one(counted?);
    }
    if negated && let Some(none) = none_of(part, nouns, Some(&around)) {
        return none;
    }
    if let Some(cell) = cell(&around, part) {
        return one(cell);
    }
    let is_message = matches!(
        around.kind,
        Some(
            ElementKind::Message
                | ElementKind::ErrorMessage
                | ElementKind::SuccessMessage
                | ElementKind::WarningMessage
                | ElementKind::Text
        )
    );
    let counts = is_label && number_is(part).is_some();
    let thing = nouns.target(part).filter(|_| !is_text_subject && !is_message && !counts);
    match thing {
        Some(thing) if thing.kind.is_some() || part.starts_any(DETERMINERS) => {
            thing_inside(thing, &around, part).map(|about| vec![BareClaim { about, negated }])
        }
        // "Has no fixed term": words for something that may be there in many ways.
        _ if negated && !part.has_quoted() => {
            Err(format!("assay cannot check `no {}`; quote a text that should not be shown", part.text()))
        }
        _ => {
            let text = matcher(
                part,
                if strictness == Strictness::Whole { Strictness::Whole } else { Strictness::Part },
            );
            let text = text.ok_or_else(|| format!("`{}` is not a text", part.text()))?;
            one(subject::has_text(clause.subject, text, nouns)?)
        }
    }
}

/// `The Action dropdown contains "Delete"`: what it offers, which is not what it shows.
fn offered(subject: Phrase<'_>, text: &Matcher, nouns: &Nouns<'_>) -> Option<About> {
    let name = match text {
        Matcher::Contains(name) | Matcher::Equals(name) | Matcher::Said(name) => name.clone(),
        Matcher::Number(crate::NumberIs::Exactly(number)) => number.to_string(),
        _ => return None,
    };
    let list = nouns.target(subject).filter(|target| target.kind == Some(ElementKind::Dropdown))?;
    let target = Target {
        said: format!("\"{name}\""),
        quoted: Some(name),
        kind: Some(ElementKind::Option),
        relations: vec![Relation { how: Nearness::Inside, to: list }],
        ..Target::default()
    };
    Some(About::State { target, state: StateWord::Exists })
}

/// Title and address are texts, whatever is said to be in them.
fn subject_is_text(subject: Phrase<'_>) -> bool {
    subject.last().is_some_and(|last| last.is_any(&["title", "url"]))
}

/// A row is known by what is in it, or by its place.
pub(crate) fn row(around: &Target) -> Target {
    relation(Nearness::Inside, around.clone()).to
}

/// "the menu contains a Logout link", "the form shows an error".
fn thing_inside(mut thing: Target, around: &Target, part: Phrase<'_>) -> Result<About, Unclear> {
    if is_plain_page(around) {
        return target_is_there(thing, part);
    }
    if let Some(About::Message { tone, text, mut topic }) = super::existence::message(&thing)
        && tone != Tone::Any
    {
        // "The email field shows an error": an error about the email.
        topic
            .splice(0..0, around.words.iter().cloned().chain(around.quoted.iter().map(|q| q.to_lowercase())));
        return Ok(About::Message { tone, text, topic });
    }
    let names_a_value =
        thing.kind.is_none() && thing.words.last().is_some_and(|word| FIELD_NAMES.contains(&word.as_str()));
    if names_a_value && let Some(quoted) = thing.quoted.take() {
        thing.relations.push(Relation { how: Nearness::Inside, to: around.clone() });
        return Ok(About::Value { target: thing, text: Matcher::Contains(quoted) });
    }
    let state = if thing.kind == Some(ElementKind::Option) { StateWord::Exists } else { StateWord::Visible };
    if matches!(thing.kind, None | Some(ElementKind::Text))
        && thing.words.is_empty()
        && thing.relations.is_empty()
        && let Some(text) = thing.quoted
    {
        return subject::of_target(around.clone(), Matcher::Contains(text), true);
    }
    thing.relations.push(Relation { how: Nearness::Inside, to: around.clone() });
    Ok(About::State { target: thing, state })
}

pub(crate) fn target_of(phrase: Phrase<'_>, nouns: &Nouns<'_>) -> Result<Target, Unclear> {
    // "2 products have a badge" does not say which two.
    if number_is(phrase).is_some_and(|(_, length)| length < phrase.len()) && !phrase.has_quoted() {
        return Err(format!("`{}` are several things; write one expectation per item", phrase.text()));
    }
    nouns.target(phrase).ok_or_else(|| format!("`{}` is not the name of one thing", phrase.text()))
}

/// `says "X"`, `reads "X"`, `equals "X"`.
fn says(clause: &Clause<'_>, strictness: Strictness, nouns: &Nouns<'_>) -> Result<Vec<BareClaim>, Unclear> {
    let object = clause.object.without_front(&["that", "to"]);
    // "Says that there are 3 matches".
    if clause.object.starts_any(&["that"])
        && object.starts_any(&["there"])
        && matches!(object.word(1), "is" | "are")
        && matches!(object.get(2).map(|token| token.kind), Some(TokenKind::Number(_)))
        && object.len() <= 5
    {
        let text = Matcher::Sentence(object.from(2).text().to_string());
        return Ok(vec![BareClaim::plainly(subject::has_text(clause.subject, text, nouns)?)]);
    }
    if object.starts_any(&["as"]) && object.len() != 2 {
        return Err(format!("`{}` is not a text", object.text()));
    }
    let object = object.without_front(&["as"]);
    if let Some(text) = subject::address(clause.subject, object) {
        return Ok(vec![BareClaim::plainly(About::Url { text })]);
    }
    let is_told = clause.object.starts_any(&["that"]) && object.len() >= 4 && !object.has_any(UNTOLD);
    let told = || is_told.then(|| Matcher::Sentence(object.text().to_string()));
    let text = matcher(object, strictness)
        .filter(|_| !is_told)
        .or_else(|| statement(object))
        .or_else(told)
        .ok_or_else(|| format!("`{}` is not a text", object.text()))?;
    Ok(vec![BareClaim::plainly(subject::has_text(clause.subject, text, nouns)?)])
}

/// Words that make a statement one of several.
const UNTOLD: &[&str] = &["if", "whether", "or", "either", "neither", "unless"];

/// `the book "Kim" was added`: what a message or the page says, in the author's words.
fn statement(object: Phrase<'_>) -> Option<Matcher> {
    // `the filter status = "open"`: as it is written.
    if let Some(at) = object.tokens.iter().position(|token| token.is_mark('=')).filter(|at| *at > 0)
        && object.len() == at + 2
        && object.until(at).without_front(DETERMINERS).len() <= 2
    {
        return Some(Matcher::Sentence(object.from(at - 1).text().to_string()));
    }
    let has_verb = clause::finite_verb(object).is_some()
        || object.tokens.iter().skip(1).any(|token| token.is_any(&["was", "were"]));
    let is_plain = !object.has_any(UNTOLD);
    (has_verb && is_plain && object.len() >= 4).then(|| Matcher::Sentence(object.text().to_string()))
}

fn edge(
    clause: &Clause<'_>,
    words: &[&str],
    to_matcher: impl Fn(String) -> Matcher,
    nouns: &Nouns<'_>,
) -> Result<Vec<BareClaim>, Unclear> {
    let value =
        clause.object.without_front(words).without_front(DETERMINERS).without_front(&["text", "word"]);
    if value.len() == clause.object.len() || value.is_empty() {
        return Err("it does not say with what".to_string());
    }
    let text = match value.tokens {
        [one] => one.text.clone(),
        _ => value.text().to_string(),
    };
    Ok(vec![BareClaim::plainly(subject::has_text(clause.subject, to_matcher(text), nouns)?)])
}

/// `matches "X"` is equal to it; `matches the pattern "^X"` is a pattern.
fn matches_pattern(clause: &Clause<'_>, nouns: &Nouns<'_>) -> Result<Vec<BareClaim>, Unclear> {
    let plain = clause.object.without_front(DETERMINERS);
    let about = &["pattern", "regex", "regexp", "regular", "expression"];
    let pattern = plain.without_front(about);
    let [one] = pattern.tokens else {
        return Err(format!("`{}` is neither a text nor a pattern", clause.object.text()));
    };
    let is_slashed = one.text.len() > 2 && one.text.starts_with('/') && one.text.ends_with('/');
    let looks_like_pattern = one.text.contains('\\')
        || one.text.contains(".*")
        || one.text.contains('[')
        || one.text.starts_with('^')
        || one.text.ends_with('$');
    let text = if pattern.len() < plain.len() || looks_like_pattern {
        Matcher::Pattern(one.text.clone())
    } else if is_slashed {
        Matcher::Pattern(one.text[1..one.text.len() - 1].to_string())
    } else {
        matcher(pattern, Strictness::Whole).ok_or_else(|| "it does not say what it matches".to_string())?
    };
    Ok(vec![BareClaim::plainly(subject::has_text(clause.subject, text, nouns)?)])
}
