//! "The newest entry", "the latest revision": of entries that all show when they were made.

use std::cmp::Ordering;

use crate::judge::compare::{compare_moments, is_moment, is_month};
use crate::{ElementKind, Target};

use super::find::{Candidate, said};
use super::rivals::best_group;
use super::view::View;
use super::words::words_of;

/// The target without the word for its age, and whether the newest is meant.
pub(crate) fn by_age(target: &Target) -> Option<(Target, bool)> {
    let is_entry = target.kind.is_none_or(ElementKind::is_entry);
    if !is_entry || target.quoted.is_some() || target.ordinal.is_some() {
        return None;
    }
    let (length, latest) = match target.words.as_slice() {
        [first, ..] if matches!(first.as_str(), "newest" | "latest") => (1, true),
        [most, recent, ..] if most == "most" && recent == "recent" => (2, true),
        [first, ..] if matches!(first.as_str(), "oldest" | "earliest") => (1, false),
        _ => return None,
    };
    let kind = Some(target.kind.unwrap_or(ElementKind::Item));
    Some((Target { words: target.words[length..].to_vec(), kind, ..target.clone() }, latest))
}

/// The first of the newest or the last of the oldest, in a list that is in the order of its dates.
pub(super) fn oldest_or_newest(
    view: &View,
    target: &Target,
    latest: bool,
    pool: Vec<Candidate>,
) -> Result<Vec<Candidate>, String> {
    let mut group = best_group(pool);
    let unknown = || format!("nothing shows which one is {}", said(target));
    if let [_] = group.as_slice() {
        return if only_moment(view, group[0].at).is_some() { Ok(group) } else { Err(unknown()) };
    }
    let texts: Option<Vec<String>> = group.iter().map(|one| only_moment(view, one.at)).collect();
    let steps = compare_moments(&texts.ok_or_else(unknown)?).ok_or_else(unknown)?;
    let falls = steps.iter().all(|step| *step != Ordering::Less);
    let rises = steps.iter().all(|step| *step != Ordering::Greater);
    let one = match (falls, rises) {
        (true, false) if latest => group.swap_remove(0),
        (true, false) => group.pop().ok_or_else(unknown)?,
        (false, true) if latest => group.pop().ok_or_else(unknown)?,
        (false, true) => group.swap_remove(0),
        _ => return Err(unknown()),
    };
    let because = format!("by the dates, it is {}", said(target));
    Ok(vec![Candidate { because, ..one }])
}

/// The only date that an entry shows.
fn only_moment(view: &View, entry: usize) -> Option<String> {
    let pieces = view.pieces(entry..view.inside(entry).end, true);
    // "Due 1 May" and "born 1 May" are dates of something else.
    let is_own = |text: &String| {
        const BESIDE: &[&str] =
            &["at", "on", "of", "am", "pm", "utc", "gmt", "posted", "created", "added", "updated"];
        words_of(text).iter().all(|word| {
            word.chars().any(|letter| letter.is_ascii_digit())
                || is_month(word)
                || BESIDE.contains(&word.as_str())
        })
    };
    let names = pieces.iter().map(|piece| view.node(*piece).name.clone());
    let mut dates = names.filter(|text| is_moment(text) && is_own(text));
    let first = dates.next()?;
    dates.next().is_none().then_some(first)
}
