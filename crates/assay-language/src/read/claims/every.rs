//! Claims about each of several things: "All checkboxes are checked", "No box is ticked", "The rows show …".
//!
//! A claim must not be true only because there is nothing to check, and what is said of all must not be true of one.

use crate::{About, EachIs, ElementKind, Matcher, NumberIs, StateWord, Target};

use crate::ground::results::is_result;

use super::super::lexicon::claim_verbs::ClaimVerb;
use super::super::lexicon::states;
use super::super::noun::Nouns;
use super::super::phrase::Phrase;
use super::BareClaim;
use super::amount::{Strictness, matcher, number_is};
use super::clause::{self, Clause};

/// Words that speak of each of them.
pub(crate) const ALL: &[&str] = &["all", "every", "each", "both"];

/// None when the phrase does not speak of each of them in a way that can be judged.
pub(crate) fn every(phrase: Phrase<'_>, nouns: &Nouns<'_>) -> Option<Vec<BareClaim>> {
    if phrase.starts_any(&["no"]) {
        return none(phrase.from(1), nouns);
    }
    // "Both the name and the email field": two things with names, each of which is claimed.
    if super::without_both(phrase).len() < phrase.len() {
        return None;
    }
    let leads = phrase.starts_any(ALL);
    let both = phrase.has("both");
    let clause = clause::clause(if leads { phrase.from(1).without_front(&["of", "the"]) } else { phrase })?;
    if clause.negated || clause.can || clause.stays || clause.opinion.is_some() {
        return None;
    }
    // "The results all contain …", "the boxes are all checked".
    let floats = clause.subject.last().is_some_and(|last| last.is_any(ALL)) && clause.subject.len() > 1;
    let follows = clause.verb == ClaimVerb::Be && clause.object.starts_any(ALL) && clause.object.len() > 1;
    if !leads && !floats && !follows {
        return None;
    }
    let subject = if floats { clause.subject.until(clause.subject.len() - 1) } else { clause.subject };
    let object = if follows { clause.object.from(1) } else { clause.object };
    let clause = Clause { subject, object, ..clause };
    if let Some(column) = in_column(&clause, nouns) {
        return Some(column);
    }
    let of = nouns.target(subject)?;
    each_of(of, &clause, both.then_some(2), true)
}

/// "The rows show "Active"": said of several things, of each of them if of any.
pub(crate) fn several(clause: &Clause<'_>, nouns: &Nouns<'_>) -> Option<Vec<BareClaim>> {
    let is_shown = clause.verb == ClaimVerb::Be
        && states::state(&clause.object.words()).is_some_and(|stated| {
            matches!(stated.state, StateWord::Visible | StateWord::Hidden | StateWord::Exists)
        });
    if is_shown || number_is(clause.subject.without_front(&["the", "only"])).is_some() {
        return None;
    }
    // "The name and email fields" are two with names of their own.
    if super::content::alike(clause.subject, nouns).is_some() {
        return None;
    }
    let of = nouns.target(clause.subject)?;
    listed(&of, clause).map(|one| vec![one]).or_else(|| each_of(of, clause, None, false))
}

/// `The results list "Kim"`: one of them has it.
fn listed(of: &Target, clause: &Clause<'_>) -> Option<BareClaim> {
    let lists = clause.said.has_any(&["list", "lists", "include", "includes"]);
    let [text] = clause.object.trimmed().tokens else { return None };
    if !is_result(of) || !lists || !text.is_quoted() {
        return None;
    }
    let to = Target { said: text.text.clone(), quoted: Some(text.text.clone()), ..Target::default() };
    let mut target = of.clone();
    target.relations.push(crate::Relation { how: crate::Nearness::Containing, to });
    Some(BareClaim::plainly(About::Count { target, count: NumberIs::AtLeastOne }))
}

fn each_of(of: Target, clause: &Clause<'_>, among: Option<usize>, outright: bool) -> Option<Vec<BareClaim>> {
    // "All seats are available" is about the world.
    let is_fact = clause.object.starts_any(&["available", "open", "opened", "closed", "found"]);
    if !is_plain(&of) || is_fact && clause.verb == ClaimVerb::Be {
        return None;
    }
    let is = match clause.verb {
        ClaimVerb::Be => match states::state(&clause.object.words()) {
            Some(stated) if stated.length == clause.object.len() && !stated.opposite => {
                EachIs::State(stated.state)
            }
            Some(_) => return None,
            None => EachIs::Text(value(clause, Strictness::Whole)?),
        },
        ClaimVerb::Show | ClaimVerb::Say => EachIs::Text(value(clause, Strictness::Part)?),
        ClaimVerb::Contain => EachIs::Text(value(clause, Strictness::Within)?),
        ClaimVerb::Have | ClaimVerb::Read | ClaimVerb::Equal => {
            EachIs::Text(value(clause, Strictness::Whole)?)
        }
        _ => return None,
    };
    Some(vec![BareClaim::plainly(About::Each { of, is, among, outright })])
}

/// One quoted text or number, with nothing behind it.
fn value(clause: &Clause<'_>, strictness: Strictness) -> Option<Matcher> {
    let object = clause.object.without_front(&["the"]);
    let object = if object.len() > 1 { object.without_front(&["text", "word", "value"]) } else { object };
    match object.tokens {
        [only] if only.is_value() => matcher(object, strictness),
        _ => None,
    }
}

/// Things that repeat or are operated, all that there are of them in a place.
fn is_plain(of: &Target) -> bool {
    let is_known = matches!(
        of.kind,
        Some(
            ElementKind::Row
                | ElementKind::Item
                | ElementKind::ListItem
                | ElementKind::Option
                | ElementKind::Checkbox
                | ElementKind::Radio
                | ElementKind::Switch
                | ElementKind::Field
                | ElementKind::Dropdown
                | ElementKind::Button
                | ElementKind::Link
        )
    );
    is_known && of.quoted.is_none() && of.ordinal.is_none() && of.state.is_none() && of.text.is_none()
}

/// "No checkbox is checked": none is, and there is at least one.
fn none(phrase: Phrase<'_>, nouns: &Nouns<'_>) -> Option<Vec<BareClaim>> {
    let clause = clause::clause(phrase.without_front(&["of", "the"]))?;
    if clause.negated
        || clause.can
        || clause.stays
        || clause.opinion.is_some()
        || clause.verb != ClaimVerb::Be
    {
        return None;
    }
    none_in_state(clause.subject, clause.object, nouns)
}

/// As `none`, of things that are in a state: "checkbox ticked".
pub(crate) fn none_in_state(
    subject: Phrase<'_>,
    state: Phrase<'_>,
    nouns: &Nouns<'_>,
) -> Option<Vec<BareClaim>> {
    let stated = states::state(&state.words()).filter(|stated| !stated.opposite)?;
    let is_tick = matches!(stated.state, StateWord::Checked | StateWord::Unchecked);
    let things = nouns.target(subject).filter(is_ticked)?;
    if stated.length != state.len() || !is_tick {
        return None;
    }
    let so = Target { state: Some(stated.state), ..things.clone() };
    Some(vec![
        BareClaim::plainly(About::Count { target: so, count: NumberIs::Exactly(0.0) }),
        BareClaim::plainly(About::Count { target: things, count: NumberIs::AtLeast(1.0) }),
    ])
}

fn is_ticked(target: &Target) -> bool {
    is_plain(target)
        && target.words.is_empty()
        && target.relations.is_empty()
        && matches!(target.kind, Some(ElementKind::Checkbox | ElementKind::Radio | ElementKind::Switch))
}

/// "of the table": the only one there is.
fn is_of_the_table(relation: &crate::Relation) -> bool {
    let to = &relation.to;
    relation.how == crate::Nearness::Inside
        && matches!(to.kind, Some(ElementKind::Table | ElementKind::List))
        && to.is_nameless()
        && to.ordinal.is_none()
        && to.relations.is_empty()
}

/// `row shows "Tokyo" in the Office column`: the column is that in each row.
fn in_column(clause: &Clause<'_>, nouns: &Nouns<'_>) -> Option<Vec<BareClaim>> {
    if !matches!(clause.verb, ClaimVerb::Show | ClaimVerb::Contain | ClaimVerb::Have) {
        return None;
    }
    let rows = nouns.target(clause.subject)?;
    let is_row = rows.kind.is_some_and(ElementKind::is_entry)
        && rows.is_nameless()
        && rows.relations.iter().all(is_of_the_table)
        && rows.ordinal.is_none();
    let (text, place) = clause.object.tokens.split_first().filter(|(text, _)| text.is_quoted())?;
    let place = Phrase { tokens: place, ..clause.object };
    let column = nouns
        .target(place.without_front(&["in", "under"]))
        .filter(|target| target.kind == Some(ElementKind::Column) && target.relations.is_empty())?;
    let is_placed = place.starts_any(&["in", "under"]) && is_row;
    let text = Matcher::Equals(text.text.clone());
    is_placed.then(|| vec![BareClaim::plainly(About::Value { target: column, text })])
}
