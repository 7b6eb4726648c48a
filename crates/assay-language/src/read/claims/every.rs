//! Claims about each of several things: "All checkboxes are checked", "No box is ticked", "Every row shows …".
//!
//! Expressed as counts: none of them is different, and there is at least one. A claim must not be true only because
//! there is nothing to check.

use crate::{About, ElementKind, Matcher, NumberIs, StateWord, Target};

use super::super::lexicon::claim_verbs::ClaimVerb;
use super::super::lexicon::states;
use super::super::noun::Nouns;
use super::super::phrase::Phrase;
use super::BareClaim;
use super::clause::{self, Clause};

/// None when the phrase does not speak of each of them in a way that can be judged.
pub(crate) fn every(phrase: Phrase<'_>, nouns: &Nouns<'_>) -> Option<Vec<BareClaim>> {
    let is_none = phrase.starts_any(&["no"]);
    if !is_none && !phrase.starts_any(&["all", "every", "each"]) {
        return None;
    }
    let clause = clause::clause(phrase.from(1).without_front(&["the", "of"]))?;
    if clause.negated || clause.can || clause.stays || clause.opinion.is_some() {
        return None;
    }
    match clause.verb {
        ClaimVerb::Be => in_state(&clause, is_none, nouns),
        ClaimVerb::Show | ClaimVerb::Contain | ClaimVerb::Have if !is_none => in_column(&clause, nouns),
        _ => None,
    }
}

fn in_state(clause: &Clause<'_>, is_none: bool, nouns: &Nouns<'_>) -> Option<Vec<BareClaim>> {
    let stated = states::state(&clause.object.words()).filter(|stated| !stated.opposite)?;
    let things = nouns.target(clause.subject).filter(is_plain_control)?;
    if stated.length != clause.object.len() {
        return None;
    }
    let state = if is_none { stated.state } else { opposite(stated.state)? };
    opposite(state)?;
    let otherwise = Target { state: Some(state), ..things.clone() };
    Some(vec![
        BareClaim::plainly(About::Count { target: otherwise, count: NumberIs::Exactly(0.0) }),
        BareClaim::plainly(About::Count { target: things, count: NumberIs::AtLeast(1.0) }),
    ])
}

/// Controls without a name, all that there are of them.
fn is_plain_control(target: &Target) -> bool {
    let is_plain = target.quoted.is_none()
        && target.words.is_empty()
        && target.ordinal.is_none()
        && target.state.is_none()
        && target.relations.is_empty();
    is_plain && matches!(target.kind, Some(ElementKind::Checkbox | ElementKind::Radio | ElementKind::Switch))
}

fn opposite(state: StateWord) -> Option<StateWord> {
    Some(match state {
        StateWord::Checked => StateWord::Unchecked,
        StateWord::Unchecked => StateWord::Checked,
        _ => return None,
    })
}

/// `row shows "Tokyo" in the Office column`: the column is that in each row.
fn in_column(clause: &Clause<'_>, nouns: &Nouns<'_>) -> Option<Vec<BareClaim>> {
    let rows = nouns.target(clause.subject)?;
    let is_row = matches!(rows.kind, Some(ElementKind::Row | ElementKind::Item | ElementKind::ListItem))
        && rows.quoted.is_none()
        && rows.words.is_empty()
        && rows.relations.is_empty()
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
