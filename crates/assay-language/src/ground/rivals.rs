//! Two things of one name, of which the page or the test says which is meant.

use crate::Target;

use super::find::{Candidate, Search};
use super::thresholds::LEAD;
use super::view::View;

/// A link in the caption of a table or the heading of a part leads to the group; one of the same name inside it is the
/// entry that people mean.
pub(super) fn prefer_members(view: &View, pool: &mut [Candidate]) {
    let heads: Vec<Option<usize>> = pool.iter().map(|one| headed_part(view, one.at)).collect();
    for (at, part) in heads.iter().enumerate() {
        let Some(part) = part else { continue };
        let name = view.line(pool[at].at).name;
        let has_member = pool.iter().enumerate().any(|(other, one)| {
            other != at
                && heads[other].is_none()
                && view.is_within(one.at, *part)
                && view.line(one.at).name == name
        });
        if has_member {
            pool[at].score *= 0.85;
        }
    }
}

/// The part of the page that something heads: the table of its caption, the box of its heading.
fn headed_part(view: &View, at: usize) -> Option<usize> {
    let head = view
        .scene
        .ancestors(at)
        .take(3)
        .find(|around| matches!(view.node(*around).role.as_str(), "heading" | "caption"))?;
    view.node(head).parent
}

/// After a field was filled, its form is what the test works in: a button there comes before a link elsewhere.
pub(super) fn prefer_form_in_use(search: &Search, pool: &mut [Candidate]) {
    let view = search.view;
    let Some(acted) = &search.hints.acted else { return };
    let field = view.with_ref(&acted.reference);
    let is_set = |at: &usize| {
        view.is_editable(*at) || matches!(view.node(*at).role.as_str(), "checkbox" | "radio" | "switch")
    };
    let form = field.filter(is_set).and_then(|field| {
        view.scene
            .ancestors(field)
            .find(|around| matches!(view.node(*around).role.as_str(), "form" | "dialog" | "alertdialog"))
    });
    let Some(form) = form else { return };
    if !pool.iter().any(|one| view.is_within(one.at, form)) {
        return;
    }
    for one in pool.iter_mut().filter(|one| !view.is_within(one.at, form)) {
        one.score *= 0.85;
    }
}

/// `"Search:"` with its mark is not "Search", where both are there.
pub(super) fn prefer_literal(view: &View, target: &Target, pool: &mut Vec<Candidate>) {
    let Some(quoted) = target.quoted.as_deref().map(str::trim) else { return };
    if quoted.chars().all(|letter| letter.is_alphanumeric() || letter.is_whitespace()) {
        return;
    }
    let is_literal = |one: &Candidate| {
        let node = view.node(one.at);
        [Some(node.name.as_str()), node.attribute("label"), Some(view.text(one.at))]
            .into_iter()
            .flatten()
            .any(|name| name.trim() == quoted)
    };
    if pool.iter().any(|one| one.exact && is_literal(one)) {
        pool.retain(is_literal);
    }
}

/// Those that fit about as well as the best, in the order of the page.
pub(super) fn best_group(pool: Vec<Candidate>) -> Vec<Candidate> {
    let best = pool[0].score;
    let mut group: Vec<Candidate> = pool.into_iter().filter(|one| one.score > best - LEAD).collect();
    group.sort_by_key(|one| one.at);
    group
}
