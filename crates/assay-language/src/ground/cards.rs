//! Cards: boxes that a page draws around things that belong together, often inside boxes that only arrange them in
//! rows.

use assay_protocol::SceneNode;

use super::view::View;

/// A box that its class calls a card.
pub(crate) fn is_card(node: &SceneNode) -> bool {
    let is_box = matches!(node.role.as_str(), "generic" | "clickable" | "region" | "group" | "figure");
    is_box
        && node.attribute("class").is_some_and(|class| {
            class.split_whitespace().any(|token| {
                ["card", "tile"].iter().any(|word| {
                    token
                        .strip_suffix(word)
                        .is_some_and(|front| front.is_empty() || front.ends_with(['-', '_']))
                })
            })
        })
}

/// Repeated content inside a card makes it a frame around a list or a table, not one card of many.
pub(crate) fn frames_a_list(view: &View, at: usize) -> bool {
    let repeats = |inner: &usize| matches!(view.node(*inner).role.as_str(), "row" | "listitem" | "article");
    view.inside(at).filter(repeats).take(2).count() == 2
}

/// Whether a box holds other entries beside the one in it, with something to read: then it is what sets them in a row,
/// and nobody means it by the name of one of them.
pub(crate) fn holds_others(view: &View, outer: usize, inner: usize) -> bool {
    view.inside(outer).any(|other| {
        view.is_entry(other)
            && other != inner
            && !view.is_within(other, inner)
            && !view.is_within(inner, other)
            && !view.text(other).trim().is_empty()
    })
}
