//! Things that are meant although nothing on the page is called as the sentence says: the only one that could be.

use crate::positions::is_side;
use crate::synonyms::commits;
use crate::{ElementKind, Nearness, Relation, Target};

use super::find::{Candidate, Search, SearchResult, anchors, find_as_said, said};
use super::kinds::fit;
use super::view::View;
use super::words::words_of;

/// A place that people name in their own words, and that nothing on the page is called: where only one thing bears the
/// name, it is meant. A row, a card or a place with a name in quotation marks must be there.
pub(super) fn wherever(search: &Search, target: &Target) -> Option<Candidate> {
    let is_field = target.kind == Some(ElementKind::SearchField) && target.ordinal.is_none();
    // "The Add Folder button below the list": a name in capitals.
    let is_named = !target.words.is_empty()
        && matches!(target.kind, Some(ElementKind::Button | ElementKind::Link | ElementKind::Tab))
        && target.ordinal.is_none()
        && target.said.split(' ').filter(|word| word.starts_with(char::is_uppercase)).count()
            >= target.words.len();
    if !search.to_act || target.quoted.is_none() && !is_field && !is_named || target.relations.is_empty() {
        return None;
    }
    let is_vague = |relation: &Relation| {
        let to = &relation.to;
        let repeats = to.kind.is_some_and(|kind| kind.is_entry() || kind == ElementKind::Cell);
        matches!(relation.how, Nearness::Inside | Nearness::Under | Nearness::Above)
            && !repeats
            && to.quoted.is_none()
            && to.ordinal.is_none()
            && to.relations.iter().all(|inner| inner.to.quoted.is_none())
    };
    let around = Search { usable: |_, _| 1.0, needs_ref: false, ..*search };
    // A place is found where something is called so that can hold other things.
    let is_lost = |relation: &Relation| {
        let view = search.view;
        // "At the bottom of the sidebar": the sidebar is the place.
        let place = match relation.to.relations.as_slice() {
            [inner] if is_side(&Target { relations: Vec::new(), ..relation.to.clone() }) => &inner.to,
            _ => &relation.to,
        };
        let found = anchors(&around, place);
        let holds = |at: usize| {
            let part = view.node(at).parent.filter(|_| view.node(at).role == "heading");
            view.inside(part.unwrap_or(at)).any(|inner| view.is_control(inner) && inner != at)
        };
        found.is_empty()
            || relation.how == Nearness::Inside
                && target.quoted.is_some()
                && relation.to.kind.is_none()
                && !found.into_iter().any(holds)
    };
    let (lost, kept): (Vec<&Relation>, Vec<&Relation>) =
        target.relations.iter().partition(|relation| is_vague(relation) && is_lost(relation));
    if lost.is_empty() {
        return None;
    }
    // What it stands beside says which one it is.
    let is_told = kept.iter().any(|relation| relation.to.quoted.is_some());
    let alone = Target { relations: kept.into_iter().cloned().collect(), ..target.clone() };
    match find_as_said(search, &alone) {
        SearchResult::One(only)
            if only.exact && only.score >= 0.8 && (is_told || !is_risky(search.view, only.at)) =>
        {
            let place = said(&lost[0].to);
            let because =
                format!("{}; nothing on the page is called {place}, and it is the only one", only.because);
            Some(Candidate { because, ..only })
        }
        _ => None,
    }
}

/// One of many, or something that cannot be taken back: then the place decides, and it must be there. The link that is the
/// title of its entry leads to that entry only.
fn is_risky(view: &View, at: usize) -> bool {
    let node = view.node(at);
    let is_title = |entry: usize| node.role == "link" && view.text(entry).starts_with(view.text(at));
    let is_repeated = view.entry_of(at).is_some_and(|entry| !is_title(entry));
    is_repeated || node.attribute("type") == Some("submit") || commits(&words_of(&node.name))
}

/// "The numbered list": the word says how it is drawn, not what it is called.
pub(super) fn list_of_sort(target: &Target) -> Option<(Target, &'static str)> {
    if target.kind != Some(ElementKind::List) || target.quoted.is_some() {
        return None;
    }
    let tag = match target.words.first()?.as_str() {
        "numbered" | "ordered" => "ol",
        "bulleted" | "bullet" | "unordered" => "ul",
        _ => return None,
    };
    Some((Target { words: target.words[1..].to_vec(), ..target.clone() }, tag))
}

/// "The SQL editor", "the big text area".
pub(super) fn says_many_lines(target: &Target) -> bool {
    let said = words_of(&target.said);
    said.iter().any(|word| matches!(word.as_str(), "editor" | "textarea"))
        || said.windows(2).any(|pair| pair == ["text", "area"])
}

/// An editor without a name, where the page has no other field of several lines.
pub(super) fn only_editor(search: &Search, target: &Target) -> Option<Candidate> {
    let view = search.view;
    let is_meant = search.to_act
        && target.kind == Some(ElementKind::Field)
        && target.quoted.is_none()
        && target.ordinal.is_none()
        && target.relations.is_empty()
        && says_many_lines(target);
    if !is_meant {
        return None;
    }
    let has_lines = |at: &usize| {
        view.node(*at).reference.is_some()
            && view.node(*at).role == "textbox"
            && view.node(*at).attribute("tag") != Some("input")
            && (search.usable)(view, *at) > 0.0
    };
    const LOOKS: &[&str] = &["big", "large", "main", "whole", "text", "rich"];
    let is_only_look = target.words.iter().all(|word| LOOKS.contains(&word.as_str()));
    // "The SQL editor" is not one that is called "Feedback".
    let has_other_name = |at: usize| {
        let node = view.node(at);
        let labels = ["label", "placeholder", "title"].iter().filter_map(|name| node.attribute(name));
        let before = view.text_before(at);
        let names: Vec<String> =
            labels.chain([node.name.as_str()]).chain(before.as_deref()).flat_map(words_of).collect();
        !names.is_empty() && !target.words.iter().any(|word| names.contains(word))
    };
    let editors: Vec<usize> = view.all().filter(has_lines).collect();
    match editors.as_slice() {
        [only] if is_only_look || !has_other_name(*only) => Some(Candidate {
            exact: false,
            ..Candidate::sure(*only, 0.75, "it is the only field of several lines")
        }),
        _ => None,
    }
}

/// "The same field": what the act before was on, where that is such a thing.
pub(super) fn same_as_before(search: &Search, target: &Target) -> Option<Candidate> {
    let view = search.view;
    let is_meant = search.to_act
        && target.words == ["same"]
        && target.quoted.is_none()
        && target.relations.is_empty()
        && target.ordinal.is_none();
    let acted = search.hints.acted.as_ref().filter(|_| is_meant)?;
    let at = view.with_ref(&acted.reference)?;
    let fits = target.kind.is_none_or(|kind| fit(view, at, kind) >= 0.75) && (search.usable)(view, at) > 0.0;
    fits.then(|| Candidate::sure(at, 1.0, "the act before was on it"))
}
