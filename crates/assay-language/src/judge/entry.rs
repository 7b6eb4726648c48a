//! Claims about the identity of a row or an entry: "the third row is "bob"" names it, and does not repeat its content.

use crate::ground::view::{View, short};
use crate::ground::words::fold;
use crate::{About, ElementKind, Matcher, Nearness, Ordinal, Target};

use super::{Finding, Judging, Truth};

impl Judging<'_> {
    /// None when the claim does not say which entry it is.
    pub(super) fn of_entry(&self, about: &About) -> Option<Finding> {
        let About::Value { target, text: Matcher::Equals(name) | Matcher::Said(name) } = about else {
            return None;
        };
        let view = self.view;
        let (at, counted) = if is_counted_word(target) {
            match self.nth_of(target) {
                Ok((at, entries)) => (at, Some(entries)),
                Err(finding) => return Some(finding),
            }
        } else if is_entry(target) {
            match self.one(target, |view, at| f64::from(view.is_entry(at))) {
                Ok(at) => (at, None),
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
        } else if whole.trim().is_empty() {
            Truth::Unsure
        } else if view.inside(at).any(|inner| same(view.text(inner))) {
            // It is in the row, and may be what somebody calls it.
            Truth::Unsure
        } else if counted.is_some_and(|entries| self.stands_outside(&entries, name)) {
            // The author may have counted other things: those that it stands among.
            Truth::Unsure
        } else {
            Truth::No
        };
        Some(Finding::compared(truth, &format!("\"{name}\""), &short(&whole)).with(view.lines([at])))
    }
}

impl Judging<'_> {
    /// "The first group in the numbered list": the list is known, whatever its entries are called.
    fn entries_of_place(&self, target: &Target) -> Option<(usize, Vec<usize>)> {
        let [place] = target.relations.as_slice() else { return None };
        // "The first overdue invoice": which ones are overdue, the page has to say.
        let is_noun = matches!(target.words.as_slice(), [only] if !only.ends_with("ed") && only != "new" && only != "open");
        let is_list = matches!(place.to.kind, Some(ElementKind::List | ElementKind::Menu)) && is_noun;
        let every = Target {
            ordinal: None,
            kind: Some(ElementKind::Item),
            words: Vec::new(),
            said: "entries".to_string(),
            ..target.clone()
        };
        if is_list && place.how == Nearness::Inside { self.counted(&every).ok() } else { None }
    }

    /// Whether a text by itself is just this, and in none of the entries.
    fn stands_outside(&self, entries: &[usize], name: &str) -> bool {
        let view = self.view;
        let is_inside = |at: usize| entries.iter().any(|entry| view.is_within(at, *entry));
        view.all()
            .any(|at| view.node(at).role == "text" && fold(view.text(at)) == fold(name) && !is_inside(at))
    }

    /// "The last team": the last entry of the list that holds teams, and all its entries.
    fn nth_of(&self, target: &Target) -> Result<(usize, Vec<usize>), Finding> {
        let every = Target { ordinal: None, kind: Some(ElementKind::Item), ..target.clone() };
        let (_, entries) =
            self.counted(&every).or_else(|finding| self.entries_of_place(target).ok_or(finding))?;
        let at = match target.ordinal {
            Some(Ordinal::Nth(number)) => entries.get(number - 1),
            _ => entries.last(),
        };
        match at.copied() {
            Some(at) => Ok((at, entries)),
            None => Err(Finding::unsure(format!("there are only {} of them", entries.len()))),
        }
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
