//! Tables as people read them: the column headers, the rows below them, and the header of each cell.

use super::places::is_called;
use super::view::View;
use super::words::{all_among, fold, words_of};

/// A table with its head.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    pub(crate) at: usize,
    /// The heads in order. A table without any has none.
    pub(crate) heads: Vec<usize>,
    pub(crate) rows: Vec<usize>,
}

pub(crate) fn is_table(view: &View, at: usize) -> bool {
    matches!(view.node(at).role.as_str(), "table" | "grid" | "treegrid")
}

pub(crate) fn table(view: &View, at: usize) -> Table {
    let rows: Vec<usize> = view.inside(at).filter(|row| own_row(view, at, *row)).collect();
    // A foot that repeats the head is no second head.
    let header = rows.iter().copied().find(|row| view.is_header_row(*row));
    Table {
        at,
        heads: header.map(|row| view.children(row).to_vec()).unwrap_or_default(),
        rows: rows
            .into_iter()
            .filter(|row| !view.is_header_row(*row) && !view.node(*row).is("covered"))
            .collect(),
    }
}

/// A row of this table, not of one inside it.
fn own_row(view: &View, table: usize, row: usize) -> bool {
    view.node(row).role == "row"
        && view.scene.ancestors(row).find(|around| is_table(view, *around)) == Some(table)
}

impl Table {
    /// The head that is called so; the very name before one that only has its words.
    pub(crate) fn head(&self, view: &View, words: &[String]) -> Option<usize> {
        let called: Vec<usize> =
            self.heads.iter().copied().filter(|head| is_called(head_text(view, *head), words)).collect();
        if let [only] = called.as_slice() {
            return Some(*only);
        }
        let has: Vec<usize> = self
            .heads
            .iter()
            .copied()
            .filter(|head| all_among(words, &words_of(head_text(view, *head))))
            .collect();
        match (called.as_slice(), has.as_slice()) {
            ([], [only]) => Some(*only),
            _ => None,
        }
    }

    /// What stands under a head in a row: by the head that the cell itself names, or by its place where all columns
    /// have one cell.
    pub(crate) fn cell(&self, view: &View, row: usize, head: usize) -> Option<usize> {
        let name = fold(head_text(view, head));
        let named = view
            .children(row)
            .iter()
            .copied()
            .find(|cell| view.node(*cell).attribute("column").is_some_and(|column| fold(column) == name));
        let place = self.heads.iter().position(|known| *known == head)?;
        let cells = view.children(row);
        named.or_else(|| (cells.len() == self.heads.len()).then(|| cells[place]))
    }
}

/// What is read in a head; its name where nothing is.
pub(crate) fn head_text<'a>(view: &'a View, head: usize) -> &'a str {
    if view.text(head).trim().is_empty() { &view.node(head).name } else { view.text(head) }
}

pub(crate) fn all(view: &View) -> Vec<Table> {
    view.all()
        .filter(|at| is_table(view, *at) && !view.node(*at).is("covered"))
        .map(|at| table(view, at))
        .collect()
}

/// Whether any table has a column of that name.
pub(crate) fn has_column(view: &View, words: &[String]) -> bool {
    all(view).iter().any(|table| table.head(view, words).is_some())
        || view.all().any(|at| {
            view.node(at).attribute("column").is_some_and(|column| all_among(words, &words_of(column)))
        })
}
