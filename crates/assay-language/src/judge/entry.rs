//! Claims about the identity of a row or an entry: "the third row is "bob"" names it, and does not repeat its content.

use crate::ground::view::{View, short};
use crate::ground::words::fold;
use crate::{About, ElementKind, Matcher, Ordinal, Target};

use super::{Finding, Judging, Truth};

impl Judging<'_> {
    /// None when the claim does not say which entry it is.
    pub(super) fn of_entry(&self, about: &About) -> Option<Finding> {
        let About::Value { target, text: Matcher::Equals(name) | Matcher::Said(name) } = about else {
            return None;
        };
        let view = self.view;
        let at = if is_counted_word(target) {
            match self.nth_of(target) {
                Ok(at) => at,
                Err(finding) => return Some(finding),
            }
        } else if is_entry(target) {
            match self.one(target, |view, at| f64::from(view.is_entry(at))) {
                Ok(at) => at,
                Err(finding) => return Some(finding),
            }
        } else {
            return None;
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

impl Judging<'_> {
    /// "The last team": the last entry of the list that holds teams.
    fn nth_of(&self, target: &Target) -> Result<usize, Finding> {
        let every = Target { ordinal: None, kind: Some(ElementKind::Item), ..target.clone() };
        let (_, entries) = self.counted(&every)?;
        let at = match target.ordinal {
            Some(Ordinal::Nth(number)) => entries.get(number - 1),
            _ => entries.last(),
        };
        at.copied().ok_or_else(|| Finding::unsure(format!("there are only {} of them", entries.len())))
    }
}

/// An ordinal with a word that is no kind of thing.
fn is_counted_word(target: &Target) -> bool {
    target.ordinal.is_some() && target.kind.is_none() && target.quoted.is_none() && !target.words.is_empty()
}

fn is_entry(target: &Target) -> bool {
    target.kind.is_some_and(ElementKind::is_entry) && target.quoted.is_none()
}

/// The texts that identify an entry: its first text, the one behind a leading number, its heading and its row header.
fn names_of(view: &View, at: usize) -> Vec<usize> {
    let texts: Vec<usize> = view
        .inside(at)
        .filter(|inner| view.node(*inner).role == "text" && !view.text(*inner).trim().is_empty())
        .collect();
    let has_letters = |at: &usize| view.text(*at).chars().any(char::is_alphabetic);
    let first = texts.first().into_iter().chain(texts.iter().find(|at| has_letters(at))).copied();
    let heads = view
        .inside(at)
        .filter(|inner| matches!(view.node(*inner).role.as_str(), "heading" | "rowheader" | "columnheader"));
    first.chain(heads).collect()
}
