//! Cells of a table by their column and their row: "the ID of Ada".

use crate::{Nearness, Target};

use super::find::{Candidate, Search, anchors};
use super::words::fold;

/// The cell of that column in the only row with that name, or what can be pressed in it.
pub(super) fn cell_of_row(search: &Search, target: &Target) -> Option<Candidate> {
    let view = search.view;
    let [relation] = target.relations.as_slice() else { return None };
    let is_plain = target.quoted.is_none() && target.ordinal.is_none() && !target.words.is_empty();
    if !search.to_act || !is_plain || !matches!(relation.how, Nearness::Inside | Nearness::For) {
        return None;
    }
    let rows: Vec<usize> = anchors(&Search { usable: |_, _| 1.0, ..*search }, &relation.to)
        .into_iter()
        .filter_map(|at| view.entry_of(at))
        .filter(|at| view.node(*at).role == "row")
        .collect();
    let row = *rows.first().filter(|first| rows.iter().all(|other| other == *first))?;
    let is_cell = |at: &usize| {
        view.node(*at).attribute("column").is_some_and(|column| fold(column) == fold(&target.words.join(" ")))
    };
    let cells: Vec<usize> = view.inside(row).filter(is_cell).collect();
    let [cell] = cells.as_slice() else { return None };
    let pressed: Vec<usize> =
        view.inside(*cell).filter(|at| view.is_control(*at) && view.node(*at).reference.is_some()).collect();
    let at = if let [only] = pressed.as_slice() { *only } else { *cell };
    Some(Candidate { exact: false, ..Candidate::sure(at, 0.85, "it is in that column of the row") })
}
