//! The place that is named in front of the verb: "In the header, click Cart".

use crate::{
    About, Act, ElementKind, FormProperty, Intent, Matcher, Nearness, PieceMut, Relation, StateWord, Target,
    TargetRole, Unnamed,
};

use super::acts;
use super::noun::is_plain_page;

/// Puts what is asked for into the place. An error says why it has no place. "Clear the name field and type "x"": the
/// second act goes where the one before it has put the focus.
pub(crate) fn put(intents: &mut [Intent], place: &Relation, before: Option<&Target>) -> Result<(), String> {
    let has_field = before.is_some_and(acts::takes_a_value);
    for intent in intents {
        match intent {
            Intent::Act(act) => put_act(act, place, has_field)?,
            Intent::Claim(claim) => put_claim(&mut claim.about, place),
        }
    }
    Ok(())
}

fn put_act(act: &mut Act, place: &Relation, has_field: bool) -> Result<(), String> {
    if let Act::Perform(performance) = act {
        if performance.place.is_none() && !is_plain_page(&place.to) {
            performance.place = Some(place.to.clone());
            performance.preposition = "in".to_string();
        } else if !is_plain_page(&place.to) {
            performance.manner.push(place.to.said.clone());
        }
        return Ok(());
    }
    let mut outcome = Ok(());
    act.visit_mut(&mut |piece| match piece {
        PieceMut::Target(target, TargetRole::Main) => relate(target, place),
        PieceMut::MaybeTarget(target, unnamed) => {
            if let Err(why) = put_maybe(target, unnamed, place, has_field) {
                outcome = Err(why);
            }
        }
        PieceMut::Target(_, TargetRole::Other)
        | PieceMut::Text(..)
        | PieceMut::Words(_)
        | PieceMut::Matcher(..)
        | PieceMut::Number(_)
        | PieceMut::Claim(_)
        | PieceMut::Act(_) => {}
    });
    outcome
}

/// Narrows the element of an act, or takes the place for it where none is named.
fn put_maybe(
    target: &mut Option<Target>,
    unnamed: Unnamed,
    place: &Relation,
    has_field: bool,
) -> Result<(), String> {
    match (target, unnamed) {
        (_, Unnamed::WholePage | Unnamed::Anywhere) => {}
        (Some(target), Unnamed::Focus | Unnamed::AnyList | Unnamed::OnlyOne) => relate(target, place),
        (target @ None, Unnamed::OnlyOne) => *target = Some(named(place)),
        (target @ None, Unnamed::AnyList) => {
            if is_around(&place.to) {
                return Err(format!("it does not say which list in `{}` to choose from", place.to.said));
            }
            *target = Some(named(place));
        }
        (target @ None, Unnamed::Focus) => {
            let is_around = is_around(&place.to);
            if acts::takes_a_value(&place.to) && !is_around {
                *target = Some(named(place));
            } else if place.to.kind != Some(ElementKind::Page) && !has_field {
                return Err(format!("it does not say which field in `{}` is meant", place.to.said));
            }
        }
    }
    Ok(())
}

fn put_claim(about: &mut About, place: &Relation) {
    if let About::Value { target, text } = about
        && place.how == Nearness::SameRow
        && target.relations.is_empty()
    {
        let column = target.quoted.clone().unwrap_or_else(|| target.words.join(" "));
        let (row, text) = (place.to.clone(), text.clone());
        *about = About::Cell { row, column, text };
        return;
    }
    // "Below the table it says …": a text that stands there.
    if let About::Text { text: Matcher::Contains(text), place: None } = about
        && !matches!(place.how, Nearness::Inside | Nearness::SameRow | Nearness::For | Nearness::Containing)
    {
        let target = Target {
            said: format!("\"{text}\""),
            quoted: Some(text.clone()),
            kind: Some(ElementKind::Text),
            relations: vec![place.clone()],
            ..Target::default()
        };
        *about = About::State { target, state: StateWord::Visible };
        return;
    }
    let mut is_bound = about.form().has(FormProperty::AboutWholePage);
    about.visit_mut(&mut |piece| match piece {
        PieceMut::Target(target, TargetRole::Main) => {
            relate(target, place);
            is_bound = true;
        }
        PieceMut::MaybeTarget(inside @ None, Unnamed::Anywhere) if place.how == Nearness::Inside => {
            *inside = Some(place.to.clone());
            is_bound = true;
        }
        PieceMut::Target(_, TargetRole::Other)
        | PieceMut::MaybeTarget(..)
        | PieceMut::Text(..)
        | PieceMut::Words(_)
        | PieceMut::Matcher(..)
        | PieceMut::Number(_)
        | PieceMut::Claim(_)
        | PieceMut::Act(_) => {}
    });
    // A message, an order or a dialog is one of the page at hand.
    if !is_bound && place.to.kind != Some(ElementKind::Page) {
        let why = format!("this claim cannot be limited to `{}`", place.to.said);
        *about = About::Unknown { why };
    }
}

fn relate(target: &mut Target, place: &Relation) {
    if !is_plain_page(&place.to) && !target.relations.contains(place) {
        target.relations.push(place.clone());
    }
}

/// The place itself, where it is what the act is on: "In the search field, type "x"".
fn named(place: &Relation) -> Target {
    place.to.clone()
}

fn is_around(target: &Target) -> bool {
    matches!(
        target.kind,
        Some(
            ElementKind::Page
                | ElementKind::Dialog
                | ElementKind::Form
                | ElementKind::Header
                | ElementKind::Footer
                | ElementKind::Sidebar
                | ElementKind::Navigation
                | ElementKind::Table
        )
    )
}

/// Whether an act may lead to another part of the page.
pub(crate) fn may_leave(intent: &Intent) -> bool {
    match intent {
        Intent::Act(act) => !act.form().has(FormProperty::KeepsPlace),
        Intent::Claim(_) => false,
    }
}
