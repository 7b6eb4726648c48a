//! Evidence from where an element stands on the page and in what state it is.

use crate::{ElementKind, StateWord, Target};

use super::by_itself::says_many_lines;
use super::frame::is_framed;
use super::view::View;
use super::words::words_of;

/// Evidence from the position of an element on the page.
pub(super) fn standing(view: &View, at: usize, target: &Target) -> f64 {
    let node = view.node(at);
    let mut factor = 1.0;
    if let Some(modal) = view.modal()
        && at != modal
        && !view.is_within(at, modal)
        && !view.is_within(modal, at)
    {
        factor *= 0.85;
    }
    if node.is("covered") {
        factor *= 0.8;
    }
    if node.is("disabled") && target.state != Some(StateWord::Disabled) && target.ordinal.is_none() {
        // No more than that: which of two equal buttons is meant does not depend on which can be pressed.
        factor *= 0.95;
    }
    let listed = target.kind.is_some_and(ElementKind::is_entry);
    if listed && target.relations.is_empty() {
        let around = |role: &str| view.scene.ancestors(at).any(|above| view.node(above).role == role);
        if around("navigation") || around("banner") || around("contentinfo") || around("menu") {
            factor *= 0.75;
        }
    }
    // A field to filter the way around with is not the search of the page.
    if target.kind == Some(ElementKind::SearchField)
        && is_nameless_field(target)
        && is_framed(view, at)
        && !words_of(&node.name).iter().any(|word| matches!(word.as_str(), "search" | "find"))
        && !view.scene.ancestors(at).any(|around| view.node(around).role == "search")
    {
        factor *= 0.7;
    }
    // "The editor", "the text area": a field of several lines.
    if target.kind == Some(ElementKind::Field)
        && says_many_lines(target)
        && node.attribute("tag") == Some("input")
    {
        factor *= 0.8;
    }
    // "The table", "the list": what the page is about, not a way around it.
    let is_nameless = target.is_nameless() && target.ordinal.is_none();
    if matches!(target.kind, Some(ElementKind::Table | ElementKind::List))
        && is_nameless
        && target.relations.is_empty()
        && is_framed(view, at)
    {
        factor *= 0.6;
    }
    factor
}

fn is_nameless_field(target: &Target) -> bool {
    target.is_nameless() && target.ordinal.is_none()
}
