//! Places on the screen: "at the bottom of the page", "in the top right corner". No part of a page is called so.

use crate::{ElementKind, Target};

const SIDES: &[&str] =
    &["top", "bottom", "left", "right", "upper", "lower", "hand", "side", "corner", "end", "edge"];
const MIDDLE: &[&str] = &["middle", "centre", "center", "very"];

/// A place that is nothing but a side of the screen: "at the top", "in the upper right corner".
pub(crate) fn is_side(target: &Target) -> bool {
    consists_of(target, |part| SIDES.contains(&part))
}

/// A side of the screen or of the page, and not of a list.
pub(crate) fn is_plain_side(place: &Target) -> bool {
    let is_page = |to: &Target| {
        to.kind == Some(ElementKind::Page) && to.is_nameless()
            || to.kind.is_none() && to.quoted.is_none() && to.words == ["screen"]
    };
    is_side(place) && place.relations.iter().all(|one| is_page(&one.to))
}

/// A side of the screen or its middle: "at the very top", "in the centre".
pub(crate) fn is_position(target: &Target) -> bool {
    consists_of(target, |part| SIDES.contains(&part) || MIDDLE.contains(&part))
}

fn consists_of(target: &Target, is_known: fn(&str) -> bool) -> bool {
    target.kind.is_none()
        && target.quoted.is_none()
        && !target.words.is_empty()
        && target.words.iter().all(|word| word.split('-').all(is_known))
}
