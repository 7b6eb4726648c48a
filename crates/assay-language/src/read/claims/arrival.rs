//! Coming and going: what appears and disappears, pages that load, where one is led.

use crate::{About, ElementKind, Nearness, Relation, StateWord, Target};

use super::super::lexicon::claim_verbs::ClaimVerb;
use super::super::lexicon::relations;
use super::super::lexicon::words::DETERMINERS;
use super::super::noun::{Nouns, is_plain_page};
use super::super::phrase::Phrase;
use super::being::{NEW_TAB, unfolds, with_content};
use super::clause::Clause;
use super::content::target_of;
use super::existence::{all_present, present, things};
use super::{BareClaim, Unclear, is_person, order, place};

pub(crate) fn denied(said: Result<Vec<BareClaim>, Unclear>) -> Result<Vec<BareClaim>, Unclear> {
    said.map(|all| all.into_iter().map(|one| BareClaim { negated: !one.negated, ..one }).collect())
}

/// What is denied by "closes": that it is open.
pub(crate) fn closes(clause: &Clause<'_>, nouns: &Nouns<'_>) -> Result<Vec<BareClaim>, Unclear> {
    match nouns.target(clause.subject).filter(|target| unfolds(target) && clause.object.is_empty()) {
        Some(target) => Ok(vec![BareClaim::plainly(About::State { target, state: StateWord::Expanded })]),
        None => appears(clause, nouns),
    }
}

/// "appears", "exists", "pops up", with a place or "with …" behind it.
pub(crate) fn appears(clause: &Clause<'_>, nouns: &Nouns<'_>) -> Result<Vec<BareClaim>, Unclear> {
    let object = clause.object.trimmed().without_front(&["up", "away"]);
    if object.starts_any(&["after", "before"])
        && super::super::acts::verbs::verb(&object.from(1).words()).is_some()
    {
        return Err(format!("`{}` says when; claim it behind the step that it follows", object.text()));
    }
    if let Some(said) = order::before(clause.subject, object, nouns) {
        return said;
    }
    if clause.subject.trimmed().is(&["there"]) {
        return all_present(object, nouns);
    }
    // As if it were said with "is shown", which reads places and contents.
    if object.is_empty() {
        let all = all_present(clause.subject, nouns)?;
        return Ok(if clause.verb == ClaimVerb::Exist { existing(all) } else { all });
    }
    let with = object.find(&["with", "without", "saying", "stating", "asking", "containing", "that"]);
    let (place, with) = match with {
        Some(at) => (object.until(at), Some(object.from(at))),
        None => (object, None),
    };
    let mut all = Vec::new();
    // "The fold and unfold buttons": the noun is said once for both.
    let alike = super::content::alike(clause.subject, nouns).filter(|_| !place.is_empty());
    for mut thing in alike.clone().unwrap_or_default() {
        let not_a_place = || format!("`{}` is not a place", place.text());
        let (how, length) = relations::relation(&place.words()).ok_or_else(not_a_place)?;
        nouns.relate(&mut thing, how, place.from(length)).ok_or_else(not_a_place)?;
        all.push(BareClaim::plainly(super::existence::target_is_there(thing, clause.subject)?));
    }
    for part in things(clause.subject).into_iter().filter(|_| alike.is_none()) {
        all.extend(placed(part, place, nouns)?);
    }
    if clause.verb == ClaimVerb::Exist {
        all = existing(all);
    }
    if let Some(with) = with {
        all.extend(with_content(&all, with, nouns)?);
    }
    Ok(all)
}

fn existing(mut all: Vec<BareClaim>) -> Vec<BareClaim> {
    for said in &mut all {
        if let About::State { state, .. } = &mut said.about {
            *state = StateWord::Exists;
        }
    }
    all
}

pub(crate) fn placed(
    part: Phrase<'_>,
    place: Phrase<'_>,
    nouns: &Nouns<'_>,
) -> Result<Vec<BareClaim>, Unclear> {
    if place.is_empty() {
        return present(part, nouns);
    }
    let not_a_place = || format!("`{}` is not a place", place.text());
    let (how, length) = relations::relation(&place.words()).ok_or_else(not_a_place)?;
    let mut probe = Target::default();
    nouns.relate(&mut probe, how, place.from(length)).ok_or_else(not_a_place)?;
    match probe.relations.pop() {
        Some(relation) => related(part, &relation, nouns),
        None => present(part, nouns),
    }
}

/// What is there, in this place.
pub(crate) fn related(
    part: Phrase<'_>,
    relation: &Relation,
    nouns: &Nouns<'_>,
) -> Result<Vec<BareClaim>, Unclear> {
    let mut said = present(part, nouns)?;
    for one in &mut said {
        match &mut one.about {
            About::Text { place: inside @ None, .. } if relation.how == Nearness::Inside => {
                *inside = Some(relation.to.clone());
            }
            About::State { target, .. } | About::Count { target, .. } => {
                target.relations.push(relation.clone())
            }
            _ => {
                let mut target = target_of(part.without_front(&["no"]), nouns)?;
                target.relations.push(relation.clone());
                one.about = About::State { target, state: StateWord::Visible };
            }
        }
    }
    Ok(said)
}

/// "the dashboard loads with X", "the dialog opens".
pub(crate) fn loads(clause: &Clause<'_>, nouns: &Nouns<'_>) -> Result<Vec<BareClaim>, Unclear> {
    let object = clause.object.trimmed();
    let (place, with) = match object.find(&["with", "without"]) {
        Some(at) => (object.until(at), Some(object.from(at))),
        None => (object, None),
    };
    let plain = clause.subject.trimmed().without_front(DETERMINERS);
    let is_tab = super::facts::is_new_tab(plain);
    if is_tab && object.is_empty() {
        return Ok(vec![BareClaim::plainly(About::NewTab)]);
    }
    if place.has_any(&["tab", "window"]) {
        return Err(NEW_TAB.to_string());
    }
    // "The system loads the account page".
    const PROGRAMS: &[&str] = &["system", "application", "app", "browser", "site", "website"];
    if plain.len() == 1
        && plain.starts_any(PROGRAMS)
        && with.is_none()
        && let Some(page) = nouns.target(object).filter(|page| page.kind.is_some())
    {
        return match page.kind {
            Some(ElementKind::Page) => Ok(vec![BareClaim::plainly(super::existence::page_is_there(&page)?)]),
            _ => present(object, nouns),
        };
    }
    let mut target = target_of(clause.subject, nouns)?;
    // "A box with the version opens": no field does.
    let is_box = target.kind == Some(ElementKind::Field) && target.words.is_empty();
    if clause.verb == ClaimVerb::Open && is_box && clause.subject.has("box") {
        target.kind = Some(ElementKind::Dialog);
        return Ok(vec![BareClaim::plainly(About::State { target, state: StateWord::Visible })]);
    }
    if clause.verb == ClaimVerb::Open && unfolds(&target) && object.is_empty() {
        return Ok(vec![BareClaim::plainly(About::State { target, state: StateWord::Expanded })]);
    }
    let is_page = matches!(target.kind, None | Some(ElementKind::Page))
        && target.relations.is_empty()
        && target.ordinal.is_none();
    let mut all = if target.kind == Some(ElementKind::Tab) && target.words == ["new"] {
        return Err(NEW_TAB.to_string());
    } else if is_page && place.is_empty() {
        if is_plain_page(&target) {
            return Err("it does not say how to recognise the page".to_string());
        }
        let name = target.quoted.clone().unwrap_or_else(|| target.words.join(" "));
        vec![BareClaim::plainly(About::Page { name })]
    } else {
        placed(clause.subject, place, nouns)?
    };
    if let Some(with) = with {
        all.extend(with_content(&all, with, nouns)?);
    }
    Ok(all)
}

/// "The search returns 3 results", "the search returns no results".
fn returned(clause: &Clause<'_>, nouns: &Nouns<'_>) -> Option<Result<Vec<BareClaim>, Unclear>> {
    let is_search = clause.subject.without_front(DETERMINERS).starts_any(&["search", "query", "filter"]);
    let returns = clause.said.has_any(&["returns", "return", "returned"]);
    (is_search && returns && !clause.object.is_empty()).then(|| all_present(clause.object, nouns))
}

/// "the page redirects to X", "the user lands on X".
pub(crate) fn leads(clause: &Clause<'_>, nouns: &Nouns<'_>) -> Result<Vec<BareClaim>, Unclear> {
    let object = clause.object.trimmed();
    let changes = object.starts_any(&["from", "up", "down"]) && clause.said.has_any(&["goes", "go", "went"]);
    if changes && let Some(how) = super::changes::change(clause.said, object)? {
        let target = target_of(clause.subject, nouns)?;
        return Ok(vec![BareClaim::plainly(About::Changed { target, how })]);
    }
    if let Some(found) = returned(clause, nouns) {
        return found;
    }
    if object.starts_any(&["away"]) && clause.said.has_any(&["goes", "go"]) && object.len() == 1 {
        return denied(all_present(clause.subject, nouns));
    }
    // "The link leads to X" says what a click would do, which is not seen.
    let is_here = is_person(clause.subject)
        || clause.subject.without_front(DETERMINERS).starts_any(&[
            "page",
            "browser",
            "app",
            "application",
            "site",
            "it",
        ]);
    if !is_here {
        return Err("assay cannot check where a link leads without following it".to_string());
    }
    if !object.starts_any(&["to", "on", "at", "back", "onto", "in"])
        && clause.said.find(&["reaches", "reach"]).is_none()
    {
        return Err("it does not say where to".to_string());
    }
    place::at(object, nouns)
}
