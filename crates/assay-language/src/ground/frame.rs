//! Separates the frame of a site (navigation, side bars, pagers) from the content of the page: the table or the list
//! that people mean when they just say "the table".

use super::kinds::is_marked_as;
use super::view::View;

const FRAMES: &[&str] =
    &["navigation", "banner", "contentinfo", "complementary", "menu", "menubar", "tablist"];
const FRAME_WORDS: &[&str] = &[
    "sidebar",
    "sidenav",
    "navbar",
    "nav",
    "navigation",
    "topbar",
    "breadcrumb",
    "breadcrumbs",
    "pagination",
    "pager",
    "paginator",
    "tools",
];

/// Whether an element belongs to the frame around the content.
pub(crate) fn is_framed(view: &View, at: usize) -> bool {
    std::iter::once(at).chain(view.scene.ancestors(at)).any(|around| {
        let node = view.node(around);
        FRAMES.contains(&node.role.as_str())
            || (matches!(node.role.as_str(), "list" | "generic" | "region" | "group")
                && is_marked_as(view, around, FRAME_WORDS)
                && !is_around_all(view, around))
    })
}

/// A box around the whole page may be named after one of its parts: `has-sidebar`.
fn is_around_all(view: &View, at: usize) -> bool {
    view.inside(at).any(|inner| view.node(inner).role == "main")
        || view.inside(at).len() * 2 > view.all().len()
}
