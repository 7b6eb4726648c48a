//! "Page 7" of a list: the entry of a pager with that number. A badge that happens to show 7 does not count.

use crate::{ElementKind, Target};

use super::find::{Candidate, Search, SearchResult, said};
use super::kinds::has_class_word;
use super::tables;
use super::view::View;
use super::words::{fold, words_of};

const PAGER_WORDS: &[&str] =
    &["pagination", "paginate", "paginator", "pager", "paging", "pages", "pagenav", "pagelinks"];

/// The number of the page that is meant, if one is.
pub(crate) fn numbered(target: &Target) -> Option<&str> {
    let number = match (target.quoted.as_deref(), target.words.as_slice()) {
        (Some(quoted), []) => quoted,
        (None, [only]) => only.as_str(),
        _ => return None,
    };
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    (target.kind == Some(ElementKind::Page) && is_number && target.ordinal.is_none()).then_some(number)
}

/// The one entry of a pager with that number.
pub(crate) fn find_page(search: &Search, target: &Target, number: &str) -> SearchResult {
    let view = search.view;
    let mut found: Vec<usize> = view
        .all()
        .filter(|at| !search.needs_ref || view.node(*at).reference.is_some())
        .filter(|at| is_entry(view, *at) && is_called(view, *at, number) && is_in_pager(view, *at))
        .collect();
    let outer = found.clone();
    found.retain(|at| !outer.iter().any(|around| view.is_within(*at, *around)));
    let sure = |at: usize| Candidate::sure(at, 1.0, format!("it is entry {number} of a pager"));
    match found.as_slice() {
        [only] => SearchResult::One(sure(*only)),
        [] => SearchResult::None { why: format!("no pager offers {}", said(target)), nearest: Vec::new() },
        several => SearchResult::Several(several.iter().map(|at| sure(*at)).collect()),
    }
}

fn is_entry(view: &View, at: usize) -> bool {
    matches!(view.node(at).role.as_str(), "link" | "button" | "clickable" | "menuitem")
        || view.node(at).is("current")
}

fn is_called(view: &View, at: usize, number: &str) -> bool {
    let is_number = |text: &str| {
        let words: Vec<String> = words_of(text)
            .into_iter()
            .filter(|word| !matches!(word.as_str(), "page" | "go" | "to" | "current" | "goto"))
            .collect();
        words == [number]
    };
    fold(view.text(at)) == number || is_number(&view.node(at).name)
}

/// By what is around it, or because the entries beside it count pages too.
fn is_in_pager(view: &View, at: usize) -> bool {
    let around: Vec<usize> = view.scene.ancestors(at).take(4).collect();
    let is_marked = std::iter::once(at).chain(around.iter().copied()).any(|place| {
        let named = words_of(&view.node(place).name).iter().any(|word| PAGER_WORDS.contains(&word.as_str()));
        has_class_word(view, place, PAGER_WORDS) || (named && view.node(place).role == "navigation")
    });
    let is_count = |other: &usize| {
        *other != at
            && is_entry(view, *other)
            && !view.text(*other).is_empty()
            && view.text(*other).bytes().all(|byte| byte.is_ascii_digit())
    };
    // Days and ratings are numbered as well, but they have no "next".
    let turns = |other: usize| {
        is_entry(view, other)
            && words_of(&view.line(other).name)
                .iter()
                .any(|word| matches!(word.as_str(), "next" | "previous" | "prev"))
    };
    let in_table = view.scene.ancestors(at).any(|place| tables::is_table(view, place));
    let counts = |place: &usize| {
        view.inside(*place).filter(is_count).take(2).count() == 2 && view.inside(*place).any(turns)
    };
    is_marked || !in_table && around.iter().take(2).any(counts)
}
