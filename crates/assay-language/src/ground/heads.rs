//! Clickable column headers: which one a name means, and how to sort by it.

use crate::{ClickKind, Decision, ElementKind, Target};

use super::Grounding;
use super::explain::unclear_among;
use super::find::Candidate;
use super::frame::is_framed;
use super::kinds::has_class_word;
use super::tables::{self, Table};
use super::view::View;
use super::words::words_of;

/// A foot that repeats the heads, and the head of a row, are no heads of columns.
pub(super) fn drop_other_heads(view: &View, pool: &mut Vec<Candidate>) {
    let all = tables::all(view);
    let heads: Vec<usize> = all.iter().flat_map(|table| table.heads.iter().copied()).collect();
    if pool.iter().any(|one| heads.contains(&one.at)) {
        pool.retain(|one| view.node(one.at).role != "columnheader" || heads.contains(&one.at));
    }
}

impl Grounding<'_> {
    /// "Sort by Age" without a list of orders: a press on the column header. None if no table has it.
    pub(super) fn sort_by_head(&self, by: &str) -> Option<Decision> {
        let view = self.view;
        let words = words_of(by);
        let mut having: Vec<(Table, usize)> = tables::all(view)
            .into_iter()
            .filter_map(|table| table.head(view, &words).map(|head| (table, head)))
            .collect();
        if having.iter().any(|(table, _)| !is_framed(view, table.at)) {
            having.retain(|(table, _)| !is_framed(view, table.at));
        }
        let said = Target {
            said: format!("the column {by}"),
            words,
            kind: Some(ElementKind::Column),
            ..Target::default()
        };
        let head = match having.as_slice() {
            [] => return None,
            [(_, head)] => *head,
            several => {
                let heads: Vec<usize> = several.iter().map(|(_, head)| *head).collect();
                return Some(unclear_among(view, &said, &heads, "sorts by it"));
            }
        };
        let is_marked = |words: &[&str]| has_class_word(view, head, words);
        if is_marked(&["asc", "ascending"]) && !is_marked(&["desc", "descending"]) {
            let because = format!("{} says that it is already sorted that way", view.describe(head));
            return Some(Decision::NothingToDo { because });
        }
        let target = Target {
            said: said.said.clone(),
            words: words_of(by),
            kind: Some(ElementKind::Column),
            ..Target::default()
        };
        Some(match self.through_head(head, &target) {
            Ok((at, because)) => self.clicked(at, because.into(), ClickKind::Single),
            Err(decision) => decision,
        })
    }

    /// The element to press in a header: its link of the same name, its only control, or the header itself.
    fn through_head(&self, head: usize, target: &Target) -> Result<(usize, String), Decision> {
        let view = self.view;
        let pressable: Vec<usize> = view
            .inside(head)
            .filter(|at| view.node(*at).reference.is_some() && view.is_control(*at))
            .collect();
        let called: Vec<usize> = pressable
            .iter()
            .copied()
            .filter(|at| words_of(&view.line(*at).name) == words_of(tables::head_text(view, head)))
            .collect();
        let because = format!("{} is the head of the column", view.describe(head));
        match (called.as_slice(), pressable.as_slice()) {
            ([only], _) | ([], [only]) => Ok((*only, because)),
            ([], []) => Ok((head, because)),
            (_, several) => Err(unclear_among(view, target, several, "sorts by it")),
        }
    }
}
