//! Finds the control that folds a named part of a page: a control of that name, or the button in the title of the part.

use crate::{Decision, Target};

use super::Grounding;
use super::evidence::Evidence;
use super::explain::unclear_among;
use super::view::View;
use super::words::fold;

impl Grounding<'_> {
    /// The control that folds what has this name in its title. None when no title has it, so that other ways are tried.
    pub(super) fn folds_titled(&self, target: &Target) -> Option<Result<(usize, Evidence), Decision>> {
        let view = self.view;
        let name = titled_name(target)?;
        match folding_titled(view, name).as_slice() {
            [] => None,
            [only] => {
                Some(Ok((*only, format!("{} is in the title \"{name}\"", view.describe(*only)).into())))
            }
            several => Some(Err(unclear_among(view, target, several, "folds it"))),
        }
    }
}

/// The name of the part that folds, when nothing else was said of it.
pub(crate) fn titled_name(target: &Target) -> Option<&str> {
    target.quoted.as_deref().filter(|_| target.relations.is_empty() && target.ordinal.is_none())
}

/// The controls that fold what has this name in its title.
pub(crate) fn folding_titled(view: &View, name: &str) -> Vec<usize> {
    let mut found: Vec<(usize, bool)> = Vec::new();
    for at in view.all().filter(|at| is_folding(view, *at) && !view.node(*at).is("covered")) {
        let title = title_of(view, at);
        let lines = std::iter::once(at).chain(view.inside(title)).filter(|line| is_line(view, *line));
        let said: Vec<&str> = lines.map(|line| text_of(view, line)).collect();
        let literal = said.iter().any(|text| text.trim() == name.trim());
        if literal || said.iter().any(|text| fold(text) == fold(name)) {
            found.push((at, literal));
        }
    }
    // "pet" is not "Pet", where both are there.
    if found.iter().any(|(_, literal)| *literal) {
        found.retain(|(_, literal)| *literal);
    }
    // Two controls of one title do the same; the one that shows the name is the plainer.
    let shows = |at: usize| {
        std::iter::once(at)
            .chain(view.inside(at))
            .any(|inner| is_line(view, inner) && fold(text_of(view, inner)) == fold(name))
    };
    let showing: Vec<usize> = found.iter().map(|(at, _)| *at).filter(|at| shows(*at)).collect();
    if showing.is_empty() { found.into_iter().map(|(at, _)| at).collect() } else { showing }
}

fn is_folding(view: &View, at: usize) -> bool {
    let node = view.node(at);
    node.reference.is_some() && view.is_control(at) && (node.is("expanded") || node.is("collapsed"))
}

/// The heading or the bar that a control stands in.
fn title_of(view: &View, at: usize) -> usize {
    view.scene
        .ancestors(at)
        .take(2)
        .find(|around| matches!(view.node(*around).role.as_str(), "heading" | "clickable"))
        .unwrap_or(at)
}

fn is_line(view: &View, at: usize) -> bool {
    matches!(
        view.node(at).role.as_str(),
        "text" | "link" | "button" | "summary" | "tab" | "treeitem" | "menuitem"
    )
}

fn text_of<'a>(view: &'a View, at: usize) -> &'a str {
    if view.text(at).trim().is_empty() { &view.node(at).name } else { view.text(at) }
}
