//! Elements by their type: "the date", "the spinner", `a "radio" widget`.

use crate::{ElementKind, Target};

use super::find::{Candidate, Search};

/// Words that say no more than that it is an element.
const WIDGETS: &[&str] = &["widget", "control"];

/// The only element of the type that is said, where nothing is called so. Of "a" widget, the first one will do.
pub(super) fn by_type(search: &Search, target: &Target) -> Option<Candidate> {
    if !search.to_act || !target.relations.is_empty() || target.state.is_some() || target.ordinal.is_some() {
        return None;
    }
    let said = target.said.to_lowercase();
    let is_quoted = target.quoted.is_some();
    let is_any = is_quoted && ["a ", "an ", "any "].iter().any(|article| said.starts_with(article));
    let word = match (&target.quoted, target.words.as_slice()) {
        (Some(quoted), []) if is_any && said.split_whitespace().any(|word| WIDGETS.contains(&word)) => {
            quoted.to_lowercase()
        }
        (None, [word]) if target.kind.is_none() => word.clone(),
        _ => return None,
    };
    let view = search.view;
    let is_of_type = |at: &usize| {
        let node = view.node(*at);
        let is_usable = node.reference.is_some() && (search.usable)(view, *at) > 0.0 && !node.is("disabled");
        let is_meant = match word.as_str() {
            _ if is_quoted => node.attribute("type") == Some(&word) || node.attribute("tag") == Some(&word),
            "date" | "time" | "month" | "week" => node.role == word,
            "spinner" | "stepper" => node.role == "spinbutton",
            _ => false,
        };
        is_usable && is_meant && view.modal().is_none_or(|modal| view.is_within(*at, modal))
    };
    let found: Vec<usize> = view.all().filter(is_of_type).collect();
    match found.as_slice() {
        [only] => Some(Candidate::sure(*only, 0.9, "it is the only one of its type")),
        [first, ..] if is_any => Some(Candidate::sure(*first, 0.9, "it is of the type that is asked for")),
        _ => None,
    }
}

/// `The button in the dialog labeled "OK"`: where no dialog is called so, the label is the button's.
pub(super) fn label_of_the_head(target: &Target) -> Option<Target> {
    const LABELLED: &[&str] = &[" labeled ", " labelled ", " marked ", " with the label "];
    let [place] = target.relations.as_slice() else { return None };
    let is_pressed = matches!(target.kind, Some(ElementKind::Button | ElementKind::Link | ElementKind::Tab));
    let is_nameless = target.is_nameless() && target.ordinal.is_none();
    let name = place.to.quoted.clone()?;
    if !is_pressed || !is_nameless || !LABELLED.iter().any(|word| target.said.contains(word)) {
        return None;
    }
    let mut around = place.clone();
    around.to.quoted = None;
    Some(Target { quoted: Some(name), relations: vec![around], ..target.clone() })
}
