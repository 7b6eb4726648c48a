//! Search results: entries that lead somewhere, as distinct from the pager and the form beside them.

use crate::{ElementKind, Ordinal, Target};

use super::find::{Candidate, is_of_sort, pick};
use super::thresholds::LEAD;
use super::view::View;
use super::words::words_of;

/// "The second search result". Pages seldom say which of their entries are results.
pub(crate) fn is_result(target: &Target) -> bool {
    target.kind == Some(ElementKind::Item)
        && target.is_nameless()
        && words_of(&target.said).iter().any(|word| word == "result" || word == "results")
}

/// A result leads somewhere; a form, a line of text and the numbers of pages are none.
pub(super) fn drop_what_is_none(view: &View, pool: &mut Vec<Candidate>) {
    pool.retain(|one| {
        let leads = |at: usize| matches!(view.node(at).role.as_str(), "link" | "clickable");
        let has_link = leads(one.at) || view.inside(one.at).any(leads);
        let has_field = view.inside(one.at).any(|inner| view.is_editable(inner));
        has_link && !has_field && !is_of_pager(view, one.at)
    });
}

/// `2`, `»`, `Next`: an entry that turns pages.
fn is_of_pager(view: &View, at: usize) -> bool {
    const TURNING: &[&str] = &["next", "previous", "prev", "first", "last", "page", "more", "back"];
    words_of(view.text(at))
        .iter()
        .all(|word| TURNING.contains(&word.as_str()) || word.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The one that is counted in each list that could be the one of the results, so that two lists are unclear.
pub(super) fn pick_in_each_list(
    view: &View,
    target: &Target,
    ordinal: Ordinal,
    mut pool: Vec<Candidate>,
) -> Result<Vec<Candidate>, String> {
    let said = words_of(&target.said);
    // Where the page says which are results, there is nothing to tell apart.
    if pool.iter().any(|one| is_of_sort(view, one.at, &said)) {
        return pick(target, ordinal, pool);
    }
    let best = pool[0].score;
    pool.retain(|one| one.score > best - 2.0 * LEAD);
    let mut lists: Vec<(Option<usize>, Vec<Candidate>)> = Vec::new();
    for one in pool {
        let parent = view.node(one.at).parent;
        match lists.iter_mut().find(|(known, _)| *known == parent) {
            Some((_, list)) => list.push(Candidate { score: best, ..one }),
            None => lists.push((parent, vec![Candidate { score: best, ..one }])),
        }
    }
    let mut picked = Vec::new();
    let mut why = String::new();
    for (_, list) in lists {
        match pick(target, ordinal, list) {
            Ok(one) => picked.extend(one),
            Err(reason) => why = reason,
        }
    }
    if picked.is_empty() { Err(why) } else { Ok(picked) }
}
