//! Explains an unclear or missing target: with the candidates, and a sentence that would be clear.

use crate::{Decision, Target};

use super::find::{Candidate, lines, said};
use super::view::{View, short};
use super::words::fold;

pub(crate) fn unclear(view: &View, target: &Target, several: &[Candidate]) -> Decision {
    let why = match several.len() {
        1 => format!("{} may mean this element, but that is not certain", said(target)),
        number => format!("{} could be any of {number} elements", said(target)),
    };
    Decision::Unclear { why, candidates: lines(view, several), clearer: clearer(view, several) }
}

/// The same for elements that all fit alike.
pub(crate) fn unclear_among(view: &View, target: &Target, several: &[usize], because: &str) -> Decision {
    let alike = |at: &usize| Candidate::sure(*at, 1.0, because);
    unclear(view, target, &several.iter().map(alike).collect::<Vec<_>>())
}

pub(crate) fn missing(view: &View, why: String, nearest: &[usize]) -> Decision {
    Decision::Missing { why, nearest: view.lines(nearest.iter().copied()) }
}

/// Names the first candidate unambiguously.
fn clearer(view: &View, several: &[Candidate]) -> String {
    let Some(first) = several.first() else { return "say what it is called".to_string() };
    let thing = thing(view, first.at);
    let others: Vec<usize> = several[1..].iter().map(|one| one.at).collect();
    let name = |at: usize| fold(&view.line(at).name);
    if others.iter().all(|other| name(*other) != name(first.at)) && !name(first.at).is_empty() {
        return format!("say which: {thing}");
    }
    if others.iter().all(|other| view.node(*other).role != view.node(first.at).role) {
        return format!("say which: {thing}");
    }
    if let Some(entry) = view.entry_of(first.at)
        && others.iter().all(|other| view.entry_of(*other) != Some(entry))
        && let Some(text) = telling_text(view, entry, first.at)
    {
        return format!("say which: {thing} in the row of \"{text}\"");
    }
    let around = view.scene.ancestors(first.at).find_map(|around| {
        let name = Some(&view.node(around).name)
            .filter(|name| !name.is_empty())
            .cloned()
            .or_else(|| view.heading_of(around).map(|heading| view.text(heading).to_string()))?;
        others.iter().all(|other| !view.is_within(*other, around)).then_some(name)
    });
    match around {
        Some(name) => format!("say which: {thing} in the \"{}\" section", short(&name)),
        None => format!("say which: the first {}", thing.trim_start_matches("the ")),
    }
}

/// `the "Delete" button`.
fn thing(view: &View, at: usize) -> String {
    let line = view.line(at);
    let kind = match line.role.as_str() {
        "textbox" | "searchbox" | "spinbutton" => "field",
        "combobox" | "listbox" => "dropdown",
        "image" => "image",
        "menuitem" => "menu item",
        "listitem" => "item",
        "clickable" | "generic" => "element",
        other => other,
    };
    if line.name.is_empty() { format!("the {kind}") } else { format!("the \"{}\" {kind}", line.name) }
}

/// The first text of an entry that is not the thing's own and that no entry beside it has.
fn telling_text(view: &View, entry: usize, at: usize) -> Option<String> {
    let beside: Vec<usize> =
        view.siblings(entry).into_iter().filter(|other| *other != entry && view.is_entry(*other)).collect();
    view.inside(entry)
        .filter(|inner| *inner != at && !view.is_within(*inner, at) && !view.has_children(*inner))
        .map(|inner| view.text(inner).to_string())
        .filter(|text| !text.trim().is_empty() && fold(text) != fold(view.text(at)))
        .find(|text| {
            beside.iter().all(|other| view.inside(*other).all(|inner| fold(view.text(inner)) != fold(text)))
        })
        .map(|text| short(&text))
}
