//! Clickable column headers: which one a name means, and how to sort by it.

use assay_protocol::Verdict;

use crate::{About, Act, Claim, ClickKind, Decision, ElementKind, PlannedAction, SortOrder, Target, judge};

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
        let head = match self.head_called(by)? {
            Ok(head) => head,
            Err(decision) => return Some(decision),
        };
        let is_marked = |words: &[&str]| has_class_word(view, head, words);
        if is_marked(&["asc", "ascending"]) && !is_marked(&["desc", "descending"]) {
            let because = format!("{} says that it is already sorted that way", view.describe(head));
            return Some(Decision::NothingToDo { because });
        }
        Some(self.pressed_head(head, by))
    }

    /// The head of the column that is called so, in the only table that has one.
    fn head_called(&self, by: &str) -> Option<Result<usize, Decision>> {
        let view = self.view;
        let words = words_of(by);
        let mut having: Vec<(Table, usize)> = tables::all(view)
            .into_iter()
            .filter_map(|table| table.head(view, &words).map(|head| (table, head)))
            .collect();
        if having.iter().any(|(table, _)| !is_framed(view, table.at)) {
            having.retain(|(table, _)| !is_framed(view, table.at));
        }
        match having.as_slice() {
            [] => None,
            [(_, head)] => Some(Ok(*head)),
            several => {
                let heads: Vec<usize> = several.iter().map(|(_, head)| *head).collect();
                Some(Err(unclear_among(view, &column(by), &heads, "sorts by it")))
            }
        }
    }

    fn pressed_head(&self, head: usize, by: &str) -> Decision {
        match self.through_head(head, &column(by)) {
            Ok((at, because)) => self.clicked(at, because.into(), ClickKind::Single),
            Err(decision) => decision,
        }
    }

    /// "Sort by price in descending order": a press on the head, and another one where that sorts the other way. The
    /// values of the column show which way it is sorted.
    pub(super) fn sort(&self, by: &str, order: SortOrder, tries: u8) -> Decision {
        const MOST: u8 = 2;
        let about = About::Sorted { of: None, by: Some(by.to_string()), order };
        let said = format!("sorted by {by}");
        let claim = Claim { said, negated: false, stays: false, about };
        let sorted = judge(&claim, self.view.scene, self.hints);
        if sorted.verdict == Verdict::Passed {
            return Decision::NothingToDo { because: format!("the column {by} shows that it is sorted") };
        }
        if tries >= MOST {
            return Decision::Missing {
                why: format!(
                    "{tries} clicks on the column header {by} did not sort it that way: {}",
                    sorted.reason
                ),
                nearest: Vec::new(),
            };
        }
        let head = match self.head_called(by) {
            Some(Ok(head)) => head,
            Some(Err(decision)) => return decision,
            None => {
                let why = format!("no table on the page has a column {by}");
                return Decision::Missing { why, nearest: Vec::new() };
            }
        };
        match self.pressed_head(head, by) {
            Decision::Do(planned) => {
                let then = Some(Act::Sort { by: by.to_string(), order, tries: tries + 1 });
                Decision::Do(PlannedAction { then, ..planned })
            }
            other => other,
        }
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

fn column(by: &str) -> Target {
    Target {
        said: format!("the column {by}"),
        words: words_of(by),
        kind: Some(ElementKind::Column),
        ..Target::default()
    }
}
