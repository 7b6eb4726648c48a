//! The author's hints for the current target.

use crate::synonyms::variants;
use crate::{ElementKind, Nearness, Relation, Target};

use super::find::Search;
use super::kinds::{KIND_WORDS, kind_of_word};
use super::words::{all_among, identifier_words, without_fillers, words_of};

/// The elements that a key of the author's hints names, when its words are those of the target.
pub(super) fn hinted<'h>(search: &Search<'h>, target: &Target) -> Vec<(usize, &'h str)> {
    if target.ordinal.is_some() {
        return Vec::new();
    }
    let mut words: Vec<String> = target.words.iter().flat_map(|word| words_of(word)).collect();
    if words.is_empty() {
        words = target.quoted.as_deref().map(words_of).unwrap_or_default();
    }
    let words = without_fillers(&words);
    if words.is_empty() {
        return Vec::new();
    }
    let ways = variants(&words);
    let mut found: Vec<(usize, &str, f64)> = Vec::new();
    for (key, refs) in &search.hints.elements {
        let [only] = refs.as_slice() else { continue };
        let parts = identifier_words(key);
        let kind = parts.last().and_then(|last| kind_of_word(last));
        if let (Some(one), Some(other)) = (kind, target.kind)
            && one != other
            && !(matches!(one, ElementKind::Field)
                && matches!(
                    other,
                    ElementKind::PasswordField | ElementKind::SearchField | ElementKind::DateField
                ))
        {
            continue;
        }
        // Said word for word, it is that key and no other.
        if words == parts {
            found.extend(place_of(search, only).map(|at| (at, key.as_str(), 2.0)));
            continue;
        }
        let plain: Vec<String> =
            parts.iter().filter(|word| !KIND_WORDS.contains(&word.as_str())).cloned().collect();
        let plain = if plain.is_empty() { parts } else { plain };
        let worth = ways
            .iter()
            .filter(|way| {
                way.words.len() == plain.len()
                    && all_among(&way.words, &plain)
                    && all_among(&plain, &way.words)
            })
            .map(|way| way.worth)
            .fold(0.0, f64::max);
        if worth > 0.0 {
            found.extend(place_of(search, only).map(|at| (at, key.as_str(), worth)));
        }
    }
    let best = found.iter().map(|(.., worth)| *worth).fold(0.0, f64::max);
    // With a place, the words have to be those of the key, and it is the author who says where it is.
    let is_vague = |relation: &Relation| {
        let to = &relation.to;
        let repeats = to.kind.is_some_and(|kind| kind.is_entry() || kind == ElementKind::Cell);
        relation.how == Nearness::Inside
            && to.quoted.is_none()
            && to.ordinal.is_none()
            && !repeats
            && to.relations.is_empty()
    };
    let is_placed = !search.to_act || !target.relations.iter().all(is_vague);
    if !target.relations.is_empty() && (best < 1.0 || is_placed) {
        return Vec::new();
    }
    found.into_iter().filter(|(.., worth)| *worth == best).map(|(at, key, _)| (at, key)).collect()
}

/// The element of a ref, if it is suitable for the act.
fn place_of(search: &Search, reference: &str) -> Option<usize> {
    let view = search.view;
    view.with_ref(reference).filter(|at| (search.usable)(view, *at) > 0.0)
}
