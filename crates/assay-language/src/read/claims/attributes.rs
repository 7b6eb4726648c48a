//! What a verb says of a record: "belongs to Ada" names its owner, "weighs 6 kg" its weight.

use crate::{About, ElementKind, Matcher, NumberIs, Target};

use super::super::lexicon::words::DETERMINERS;
use super::super::noun::Nouns;
use super::super::phrase::Phrase;
use super::super::token::{Token, TokenKind};
use super::amount::{Strictness, matcher};
use super::clause::Clause;
use super::content::row;
use super::{BareClaim, Unclear, is_person};

/// Participles behind "is", with the field that they speak of.
const PARTICIPLES: &[(&str, &[&str], &str)] = &[
    ("owned", &["by"], "owner"),
    ("assigned", &["to"], "assigned to"),
    ("born", &["on", "in"], "born"),
    ("due", &["on", "by", "at"], "due"),
    ("priced", &["at"], "price"),
    ("located", &["in"], "location"),
    ("shared", &["with"], "shared with"),
    ("shipped", &["to"], "ship to"),
    ("scheduled", &["for", "on"], "scheduled"),
];
/// Verbs of their own.
const VERBS: &[(&str, &[&str], &str)] = &[
    ("belong", &["to"], "owner"),
    ("weigh", &[], "weight"),
    ("cost", &[], "price"),
    ("work", &["as"], "job"),
];

/// "Olive belongs to Agnes Thorpe", "Olive weighs 6.2 kg".
pub(crate) fn by_verb(clause: &Clause<'_>, nouns: &Nouns<'_>) -> Option<Result<Vec<BareClaim>, Unclear>> {
    let verb = clause.said.part(0, clause.said.len() - clause.object.len()).last()?;
    let base = verb.low.strip_suffix('s').unwrap_or(&verb.low);
    let (_, joints, field) = VERBS.iter().find(|(known, _, _)| *known == base)?;
    let value = match clause.object.trimmed() {
        object if joints.is_empty() => object,
        object if object.starts_any(joints) => object.from(1),
        _ => return None,
    };
    // "Works as intended" is no job.
    if base == "work" && !value.first().is_some_and(|first| first.is_quoted() || first.is_capital()) {
        return None;
    }
    // "Belongs to the component Deck": which field it is.
    let plain = value.without_front(DETERMINERS);
    if verb.low.starts_with("belong") && plain.len() < value.len() && plain.len() > 1 {
        let (field, value) = (plain.until(1), plain.from(1));
        let is_field = field.tokens[0].kind == TokenKind::Word && !field.tokens[0].is_capital();
        return is_field.then(|| of_record(clause.subject, field.text(), value, nouns)).flatten();
    }
    of_record(clause.subject, field, value, nouns)
}

/// "is owned by Ada", "was born on 2020-02-14", "is of type defect".
pub(crate) fn by_being(clause: &Clause<'_>, nouns: &Nouns<'_>) -> Option<Result<Vec<BareClaim>, Unclear>> {
    let object = clause.object.trimmed();
    let first = object.first()?;
    if first.is("of") {
        let field =
            object.get(1).filter(|token| token.kind == TokenKind::Word && !token.is_any(DETERMINERS))?;
        let is_field = object.len() > 2 && !field.is_capital();
        return is_field.then(|| of_record(clause.subject, &field.low, object.from(2), nouns)).flatten();
    }
    let (_, _, field) = PARTICIPLES
        .iter()
        .find(|(participle, joints, _)| first.is(participle) && joints.contains(&object.word(1)))?;
    of_record(clause.subject, field, object.from(2), nouns)
}

/// The field of a record that is called by its name.
fn of_record(
    subject: Phrase<'_>,
    field: &str,
    value: Phrase<'_>,
    nouns: &Nouns<'_>,
) -> Option<Result<Vec<BareClaim>, Unclear>> {
    let value = value.trimmed();
    let is_it = subject.trimmed().is(&["it"]);
    let record = match is_it {
        true => nouns.antecedent.clone().or_else(|| nouns.hints.mentioned.clone()),
        false => nouns.target(subject),
    };
    let record = record.filter(is_record)?;
    let is_name = |token: &Token| {
        token.is_value() || token.is_capital() || matches!(token.kind, TokenKind::Word | TokenKind::File)
    };
    let is_several =
        value.has_any(&["and", "or", "the", "a", "an", "at", "with", "for", "of"]) || value.len() > 4;
    if is_person(subject) || value.is_empty() || is_several || !value.tokens.iter().all(is_name) {
        return None;
    }
    let text = match value.tokens {
        [number, unit] if let (TokenKind::Number(number), TokenKind::Word) = (number.kind, unit.kind) => {
            Matcher::Amount(NumberIs::Exactly(number), unit.text.clone())
        }
        _ => matcher(value, Strictness::Whole)?,
    };
    Some(Ok(vec![BareClaim::plainly(About::Cell { row: row(&record), column: field.to_string(), text })]))
}

fn is_record(target: &Target) -> bool {
    let is_named = target.quoted.is_some() || !target.words.is_empty() || target.ordinal.is_some();
    is_named && target.kind.is_none_or(|kind| kind.is_entry() || kind == ElementKind::Any)
}
