//! Claims about the identity of a row or an entry: "the third row is "bob"" names it, and does not repeat its content.

use crate::ground::view::{View, short};
use crate::ground::words::fold;
use crate::{About, ElementKind, Matcher, Target};

use super::{Finding, Judging, Truth};

impl Judging<'_> {
    /// None when the claim does not say which entry it is.
    pub(super) fn of_entry(&self, about: &About) -> Option<Finding> {
        let About::Value { target, text: Matcher::Equals(name) } = about else { return None };
        if !is_entry(target) {
            return None;
        }
        let view = self.view;
        let at = match self.one(target, |view, at| f64::from(view.is_entry(at))) {
            Ok(at) => at,
            Err(finding) => return Some(finding),
        };
        let whole = view.text_in_sight(at);
        let same = |text: &str| fold(text) == fold(name);
        let names = names_of(view, at);
        let truth = if same(&whole) || names.iter().any(|part| same(&view.text_in_sight(*part))) {
            Truth::Yes
        } else if view.inside(at).any(|inner| same(view.text(inner))) {
            // It is in the row, and may be what somebody calls it.
            Truth::Unsure
        } else {
            Truth::No
        };
        Some(Finding::compared(truth, &format!("\"{name}\""), &short(&whole)).with(view.lines([at])))
    }
}

fn is_entry(target: &Target) -> bool {
    matches!(target.kind, Some(ElementKind::Row | ElementKind::Item | ElementKind::ListItem))
        && target.quoted.is_none()
}

/// The texts that identify an entry: its first text, its heading and its row header.
fn names_of(view: &View, at: usize) -> Vec<usize> {
    let first = view
        .inside(at)
        .find(|inner| view.node(*inner).role == "text" && !view.text(*inner).trim().is_empty());
    let heads = view
        .inside(at)
        .filter(|inner| matches!(view.node(*inner).role.as_str(), "heading" | "rowheader" | "columnheader"));
    first.into_iter().chain(heads).collect()
}
