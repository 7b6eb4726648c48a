//! Places on the screen: "at the bottom of the page", "in the top right corner". No part of a page is called so.

use crate::Target;

const SIDES: &[&str] = &[
    "top", "bottom", "left", "right", "upper", "lower", "corner", "middle", "centre", "center", "very",
    "hand", "side",
];

/// A place that is nothing but a side of the screen.
pub(crate) fn is_side(target: &Target) -> bool {
    let is_part = |word: &String| word.split('-').all(|part| SIDES.contains(&part));
    target.kind.is_none()
        && target.quoted.is_none()
        && !target.words.is_empty()
        && target.words.iter().all(is_part)
}
