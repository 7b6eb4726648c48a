//! Steps that refer to what was acted on before: "Change the text to …". They mean that thing or nothing.

use crate::{Decision, ElementKind, LastAct, Target};

use super::Grounding;
use super::entering::takes_text;
use super::evidence::Evidence;
use super::find::{SearchResult, find};
use super::view::View;
use super::words::words_of;

/// Words for what is in a field. They name none.
const CONTENT: &[&str] = &["text", "value", "content", "contents"];

/// Whether a word stands for what is in a field.
pub(super) fn names_content(word: &str) -> bool {
    CONTENT.contains(&word)
}

/// The word by which a target is called only after its content: "the text", "the value".
pub(super) fn content_word(target: &Target) -> Option<String> {
    let is_plain = target.quoted.is_none() && target.ordinal.is_none() && target.state.is_none();
    let words = match target.kind {
        Some(ElementKind::Text) if target.words.is_empty() => words_of(&target.said),
        None if target.words.len() == 1 => target.words.clone(),
        _ => return None,
    };
    words.into_iter().find(|word| names_content(word)).filter(|_| is_plain)
}

impl Grounding<'_> {
    /// The field whose content is meant: one that is labelled so, or the one that the act before opened.
    pub(super) fn field_of_content(
        &self,
        target: &Target,
        word: &str,
    ) -> Result<(usize, Evidence), Decision> {
        let view = self.view;
        let opens_editor = self.hints.acted.as_ref().is_some_and(|acted| acted.opens_editor);
        let labelled = Target { words: vec![word.to_string()], kind: None, ..target.clone() };
        if let SearchResult::One(found) = find(&self.search(takes_text), &labelled)
            && (found.exact || !opens_editor && is_labelled(view, found.at, word))
        {
            return Ok((found.at, self.evidence(&found)));
        }
        // "Change its text": the field that belongs to what was named in the same sentence.
        if !target.relations.is_empty() && !opens_editor {
            let field = Target { words: Vec::new(), kind: Some(ElementKind::Field), ..target.clone() };
            if let SearchResult::One(found) = find(&self.search(takes_text), &field) {
                return Ok((found.at, self.evidence(&found)));
            }
        }
        // A label of that name stands beside its own field, which was not found.
        let is_label = |at: usize| {
            !view.has_children(at) && view.node(at).role == "text" && words_of(view.text(at)) == [word]
        };
        if !opens_editor && view.all().any(is_label) {
            return Err(nothing_open(view, &target.said));
        }
        match self.hints.acted.as_ref().map_or_else(|| in_use(view), |acted| opened_by(view, acted)) {
            Some(at) => Ok((at, format!("{}: it is being edited", view.describe(at)).into())),
            None => Err(nothing_open(view, &target.said)),
        }
    }

    /// What is typed after a double click belongs into the editor that it opened. None if the act before was another.
    pub(super) fn opened_editor(&self) -> Option<Result<(usize, Evidence), Decision>> {
        let acted = self.hints.acted.as_ref().filter(|acted| acted.opens_editor)?;
        Some(match opened_by(self.view, acted) {
            Some(at) => Ok((at, format!("{}: the double click opened it", self.view.describe(at)).into())),
            None => Err(nothing_open(self.view, "the field to type into")),
        })
    }
}

/// A label that people read has the word.
fn is_labelled(view: &View, at: usize, word: &str) -> bool {
    let node = view.node(at);
    let labels = ["label", "placeholder", "title"].iter().filter_map(|name| node.attribute(name));
    labels.chain([node.name.as_str()]).any(|label| words_of(label).iter().any(|own| own == word))
}

/// Without an act that is known, the content of a field is the one with the focus that has some.
fn in_use(view: &View) -> Option<usize> {
    let holds_some = |at: &usize| view.node(*at).value.as_deref().is_some_and(|value| !value.is_empty());
    view.focused().filter(|at| takes_text(view, *at) > 0.0).filter(holds_some)
}

/// The field that an act acted on or opened: the element itself, the field with the focus in its place, or the only new
/// one.
fn opened_by(view: &View, acted: &LastAct) -> Option<usize> {
    let is_field = |at: &usize| view.node(*at).reference.is_some() && takes_text(view, *at) > 0.0;
    let is_acted = |at: usize| view.node(at).reference.as_deref() == Some(acted.reference.as_str());
    let is_new =
        |at: &usize| view.node(*at).reference.as_ref().is_some_and(|known| !acted.known.contains(known));
    let entry = view.all().find(|at| is_acted(*at)).and_then(|at| view.entry_of(at));
    let is_there = |at: usize| {
        is_acted(at)
            || entry.is_some_and(|entry| view.is_within(at, entry))
            || overlap(view.node(at).area, acted.area)
    };
    let focused = view.focused().filter(is_field);
    if let Some(at) = focused.filter(|at| is_new(at) || is_there(*at)) {
        return Some(at);
    }
    if let Some(at) = view.all().find(|at| is_acted(*at) && is_field(at)) {
        return Some(at);
    }
    let new: Vec<usize> = view.all().filter(|at| is_field(at) && is_new(at)).collect();
    match new.as_slice() {
        [only] => Some(*only),
        _ => None,
    }
}

fn overlap(one: [f64; 4], other: [f64; 4]) -> bool {
    let across = (one[0] + one[2]).min(other[0] + other[2]) - one[0].max(other[0]);
    let down = (one[1] + one[3]).min(other[1] + other[3]) - one[1].max(other[1]);
    across > 1.0 && down > 1.0
}

fn nothing_open(view: &View, said: &str) -> Decision {
    let fields: Vec<usize> =
        view.all().filter(|at| view.node(*at).reference.is_some() && takes_text(view, *at) > 0.0).collect();
    Decision::Unclear {
        why: format!("`{said}` means what the step before acted on, but no field is open there"),
        candidates: view.lines(fields),
        clearer: "name the field: Enter \"…\" in the \"…\" field".to_string(),
    }
}
