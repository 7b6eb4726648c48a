//! What frames every page of a site, and what the page itself is about: navigation, side bars and pagers against the
//! table or the list that people mean when they say only "the table".

use super::kinds::has_class_word;
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
    "paginate",
    "pager",
    "paginator",
    "footer",
    "toolbar",
    "tabs",
    "filters",
];

/// Whether something is a part of what is around the content, or inside such a part.
pub(crate) fn is_framed(view: &View, at: usize) -> bool {
    std::iter::once(at).chain(view.scene.ancestors(at)).any(|around| {
        let node = view.node(around);
        FRAMES.contains(&node.role.as_str())
            || (matches!(node.role.as_str(), "list" | "generic" | "region" | "group")
                && has_class_word(view, around, FRAME_WORDS)
                && !view.all().any(|main| view.node(main).role == "main" && view.is_within(main, around)))
    })
}

/// A list in which every entry is only a link or a button: a way around, not what the page is about.
pub(crate) fn is_of_links(view: &View, list: usize) -> bool {
    let entries: Vec<usize> =
        view.children(list).iter().copied().filter(|at| view.node(*at).role == "listitem").collect();
    !entries.is_empty()
        && entries.iter().all(|entry| {
            let leads = |at: usize| matches!(view.node(at).role.as_str(), "link" | "button" | "clickable");
            view.inside(*entry).filter(|at| leads(*at)).take(2).count() == 1
                && view.inside(*entry).all(|at| {
                    view.node(at).role != "text"
                        || view.scene.ancestors(at).take_while(|around| around != entry).any(leads)
                })
        })
}
