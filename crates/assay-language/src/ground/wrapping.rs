//! Candidates that are one thing to a reader: a wrapper and what it wraps, two links to one place.

use crate::ElementKind;

use super::cards::holds_others;
use super::find::Candidate;
use super::kinds::holds_things;
use super::thresholds::{ENOUGH, LEAD};
use super::view::View;

/// Of things inside one another only one is meant: the innermost that can be used.
pub(super) fn drop_wrapped(view: &View, kind: Option<ElementKind>, pool: &mut Vec<Candidate>) {
    let mut dropped = vec![false; pool.len()];
    let structural = kind.is_some_and(holds_things);
    let listed = matches!(kind, Some(ElementKind::Item | ElementKind::ListItem));
    for outer in 0..pool.len() {
        let within: Vec<usize> =
            (0..pool.len()).filter(|inner| view.is_within(pool[*inner].at, pool[outer].at)).collect();
        if within.is_empty() {
            continue;
        }
        let outer_at = pool[outer].at;
        for inner in within.iter().copied() {
            let inner_at = pool[inner].at;
            if is_part_of_date(view, inner_at) && view.node(outer_at).role == "date" {
                dropped[if pool[inner].score > pool[outer].score { outer } else { inner }] = true;
            } else if listed && pool[inner].score >= ENOUGH && holds_others(view, outer_at, inner_at) {
                dropped[outer] = true;
            } else if structural {
                // A list entry around one card is that card; one around several is their container.
                let rivals =
                    within.iter().filter(|other| pool[**other].score > pool[outer].score - LEAD).count();
                if rivals == 1 && pool[inner].score <= pool[outer].score + LEAD {
                    dropped[inner] = true;
                } else if rivals > 1 {
                    dropped[outer] = true;
                }
            } else if view.is_control(inner_at) || !view.is_control(outer_at) {
                if pool[inner].score >= pool[outer].score - 0.05 {
                    dropped[outer] = true;
                } else if !view.is_control(inner_at) {
                    dropped[inner] = true;
                }
            } else {
                dropped[inner] = pool[outer].score >= pool[inner].score - 0.2;
            }
        }
    }
    let mut keep = dropped.into_iter();
    pool.retain(|_| !keep.next().unwrap_or(false));
}

/// One of the small fields that a date is made of: the date stands for them all.
pub(super) fn is_part_of_date(view: &View, at: usize) -> bool {
    view.node(at).role == "spinbutton"
        && view.scene.ancestors(at).any(|around| view.node(around).role == "date")
}

/// Links with one name that lead to one place are one choice: a card's picture and its title.
pub(super) fn drop_twin_links(view: &View, pool: &mut Vec<Candidate>) {
    let mut seen: Vec<(&str, &str)> = Vec::new();
    pool.retain(|one| {
        let node = view.node(one.at);
        let Some(href) = node
            .attribute("href")
            .filter(|href| node.role == "link" && href.len() > 1 && !href.starts_with('#'))
        else {
            return true;
        };
        let known = seen.contains(&(node.name.as_str(), href));
        seen.push((node.name.as_str(), href));
        !known
    });
}
