//! Other ways to understand a target that fits nothing on the page as it was read.

use crate::read::is_sort_of_thing;
use crate::{ElementKind, Nearness, Target};

use super::kinds::{KIND_WORDS, kind_of_word};
use super::words::{without_fillers, words_of};

/// Other ways to understand a target that fits nothing as it was read.
pub(super) fn other_readings(target: &Target) -> Vec<Target> {
    let mut others = Vec::new();
    let nameless = target.is_nameless() && target.ordinal.is_none();
    // "Click images": the word for a kind may be the name itself.
    if target.kind.is_some() && nameless && target.relations.is_empty() && target.state.is_none() {
        let words = without_fillers(&words_of(&target.said));
        if !words.is_empty() {
            others.push(Target { words, kind: None, ..target.clone() });
        }
    }
    // "The pay button", a key of the hints that matches nothing now: the word for the kind is no part of the name.
    if let (Some(_), [name @ .., last]) = (target.kind, target.words.as_slice())
        && !name.is_empty()
        && KIND_WORDS.contains(&last.as_str())
    {
        others.push(Target { words: name.to_vec(), ..target.clone() });
    }
    // "Click page 2": no page is inside a page, so it names something else.
    if target.kind == Some(ElementKind::Page) && !nameless {
        others.push(Target { kind: None, ..target.clone() });
    }
    // `The header "Age"`: a page has one header without a name; one with a name heads a column or a part.
    if target.kind == Some(ElementKind::Header) && !nameless {
        others.push(Target { kind: Some(ElementKind::Column), ..target.clone() });
        others.push(Target { kind: Some(ElementKind::Heading), ..target.clone() });
    }
    // "The "Lighting" category": what repeats may be plain links.
    if target.kind == Some(ElementKind::Item) && target.quoted.is_some() {
        others.push(Target { kind: None, ..target.clone() });
    }
    // "The number of pilots": a supposed place may be the rest of the name.
    if let [only] = target.relations.as_slice()
        && matches!(only.how, Nearness::Inside | Nearness::For)
        && target.quoted.is_none()
        && only.to.quoted.is_none()
        && only.to.relations.is_empty()
        && only.to.ordinal.is_none()
        && (!target.words.is_empty() || matches!(target.kind, Some(ElementKind::List | ElementKind::Table)))
        && !only.to.words.is_empty()
    {
        let words = target.words.iter().chain(&only.to.words).cloned().collect();
        let kind = target.kind.or(only.to.kind);
        others.push(Target { words, kind, relations: Vec::new(), ..target.clone() });
    }
    others
}

/// "The folder Letters", "the milestone Spring": what it is stands before its name.
pub(super) fn behind_its_noun(target: &Target) -> Option<Target> {
    if target.quoted.is_some() || target.ordinal.is_some() {
        return None;
    }
    let mut words = target.words.clone();
    if target.kind.is_some() && target.relations.is_empty() {
        words = without_fillers(&words_of(&target.said));
    }
    let is_named = words.len() > 1 || target.kind.is_some() && !target.words.is_empty();
    // Only a word for a sort of thing: "don't save" is not "save", and "delete account" is no account.
    let is_noun = target.kind.is_some() || words.first().is_some_and(|first| is_sort_of_thing(first));
    if !is_named || !is_noun {
        return None;
    }
    let starts_so =
        words.first().is_some_and(|first| is_sort_of_thing(first) || kind_of_word(first).is_some());
    let named = if words.len() > 1 && starts_so { words[1..].to_vec() } else { target.words.clone() };
    Some(Target { words: named, kind: None, ..target.clone() })
}
