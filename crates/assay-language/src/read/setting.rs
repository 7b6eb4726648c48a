//! The place that is named in front of the verb: "In the header, click Cart".

use crate::{About, Act, ElementKind, Intent, Nearness, Relation, Target};

use super::acts;
use super::noun::is_plain_page;

/// Puts what is asked for into the place. An error says why it has no place.
pub(crate) fn put(intents: &mut [Intent], place: &Relation) -> Result<(), String> {
    for intent in intents {
        match intent {
            Intent::Act(act) => put_act(act, place)?,
            Intent::Claim(claim) => put_claim(&mut claim.about, place),
        }
    }
    Ok(())
}

fn put_act(act: &mut Act, place: &Relation) -> Result<(), String> {
    match act {
        Act::Click { target, .. }
        | Act::Open { target }
        | Act::Close { target }
        | Act::Expand { target }
        | Act::Collapse { target }
        | Act::Clear { target }
        | Act::Hover { target }
        | Act::Focus { target }
        | Act::Drag { what: target, .. } => relate(target, place),
        Act::Check { targets, .. } => targets.iter_mut().for_each(|target| relate(target, place)),
        Act::Choose { from, .. } => match from {
            Some(target) => relate(target, place),
            None if !is_around(&place.to) => *from = Some(named(place)),
            None => return Err(format!("it does not say what in `{}` is chosen from", place.to.said)),
        },
        Act::Enter { target, .. }
        | Act::Append { target, .. }
        | Act::Press { target, .. }
        | Act::Paste { target } => match target {
            Some(target) => relate(target, place),
            None if acts::takes_a_value(&place.to) => *target = Some(named(place)),
            None if place.to.kind == Some(ElementKind::Page) => {}
            None => return Err(format!("it does not say which field in `{}` is meant", place.to.said)),
        },
        Act::Upload { target, .. } | Act::Submit { target } | Act::Copy { target } => match target {
            Some(target) => relate(target, place),
            None => *target = Some(named(place)),
        },
        _ => {}
    }
    Ok(())
}

fn put_claim(about: &mut About, place: &Relation) {
    match about {
        About::Text { place: inside @ None, .. } if place.how == Nearness::Inside => {
            *inside = Some(place.to.clone())
        }
        About::Value { target, text } if place.how == Nearness::SameRow && target.relations.is_empty() => {
            let column = target.quoted.clone().unwrap_or_else(|| target.words.join(" "));
            let (row, text) = (place.to.clone(), text.clone());
            *about = About::Cell { row, column, text };
        }
        About::State { target, .. }
        | About::Value { target, .. }
        | About::Count { target, .. }
        | About::Chosen { target, .. } => relate(target, place),
        About::Cell { row, .. } => relate(row, place),
        About::Page { .. } | About::Title { .. } | About::Url { .. } | About::Unknown { .. } => {}
        // A message, an order or a dialog is one of the page at hand.
        _ if place.to.kind == Some(ElementKind::Page) => {}
        other => {
            let why = format!("what is claimed of `{}` is not bound to that place", place.to.said);
            *other = About::Unknown { why };
        }
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
        Intent::Act(act) => !matches!(
            act,
            Act::Enter { .. }
                | Act::Append { .. }
                | Act::Clear { .. }
                | Act::Check { .. }
                | Act::Upload { .. }
                | Act::Focus { .. }
                | Act::Paste { .. }
        ),
        Intent::Claim(_) => false,
    }
}
