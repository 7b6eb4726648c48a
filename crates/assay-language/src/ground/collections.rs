//! "The file list", "the table of variables": a collection that no words name.

use crate::positions::is_side;
use crate::{ElementKind, Target};

use super::find::{Candidate, Search};
use super::kinds::has_class_word;
use super::names::heading_before;
use super::view::View;
use super::words::{all_among, words_of};

/// The only list or table of a page that is about such things. A claim wants the words over the list or around it; for an
/// act those of the page will do.
pub(super) fn only_collection(search: &Search, target: &Target) -> Option<Candidate> {
    let view = search.view;
    let is_meant = matches!(target.kind, Some(ElementKind::List | ElementKind::Table))
        && target.quoted.is_none()
        && !target.words.is_empty()
        && target.ordinal.is_none()
        && target.state.is_none();
    // "On the left" only helps to see it.
    let is_placed = !target.relations.iter().all(|one| search.to_act && is_side(&one.to));
    if !is_meant || is_placed {
        return None;
    }
    let collections: Vec<usize> = view.all().filter(|at| is_collection(view, *at)).collect();
    let outer = |at: &&usize| !view.scene.ancestors(**at).any(|around| collections.contains(&around));
    let mut outermost = collections.iter().filter(outer);
    let only = *outermost.next().filter(|_| outermost.next().is_none())?;
    let is_fit =
        (search.usable)(view, only) > 0.0 && (!search.needs_ref || view.node(only).reference.is_some());
    let around = view.scene.ancestors(only).map(|around| view.node(around).name.as_str());
    let over = heading_before(view, only).map(|heading| view.text(heading));
    let mut about: Vec<String> = around.chain(over).flat_map(words_of).collect();
    // A table of the page's own subject.
    if !search.to_act
        && let Some(heading) = view.all().find(|at| view.node(*at).role == "heading")
        && words_of(view.text(heading)) == target.words
    {
        about.extend(target.words.clone());
    }
    if search.to_act {
        about.extend(words_of(&view.scene.title));
        let headings = view.all().filter(|at| view.node(*at).role == "heading");
        about.extend(headings.flat_map(|at| words_of(view.text(at))));
    }
    let because = format!("it is the only collection, and it is about {}", target.words.join(" "));
    (is_fit && all_among(&target.words, &about))
        .then(|| Candidate { exact: false, ..Candidate::sure(only, 0.8, because) })
}

/// A list or a table with entries, and not one of links that lead about.
pub(crate) fn is_collection(view: &View, at: usize) -> bool {
    const LEADING: &[&str] =
        &["navigation", "banner", "contentinfo", "complementary", "menu", "menubar", "tablist"];
    const MARKS: &[&str] = &[
        "nav",
        "navigation",
        "navbar",
        "menu",
        "sidebar",
        "breadcrumb",
        "breadcrumbs",
        "pagination",
        "tabs",
    ];
    let is_kind = matches!(view.node(at).role.as_str(), "list" | "table" | "grid" | "treegrid");
    let leads = view.scene.ancestors(at).any(|around| LEADING.contains(&view.node(around).role.as_str()))
        || view.node(at).role == "list"
            && std::iter::once(at)
                .chain(view.scene.ancestors(at).take(2))
                .any(|around| has_class_word(view, around, MARKS));
    is_kind && !leads && view.inside(at).any(|inner| view.is_entry(inner))
}
