//! Claims about a column of a table: its content, and the number of columns.

use crate::ground::find::said;
use crate::ground::frame::is_framed;
use crate::ground::tables::{self, Table, head_text};
use crate::ground::words::words_of;
use crate::{About, ElementKind, Matcher, Nearness, NumberIs, Target};

use super::matching::{is_so, matches, wanted, wanted_number};
use super::reading::reading;
use super::{Finding, Judging, Truth};

impl Judging<'_> {
    /// None when the claim is not about a column.
    pub(super) fn of_column(&self, about: &About) -> Option<Finding> {
        match about {
            About::Value { target, text } if is_column(target) => Some(self.column_says(target, text)),
            About::Text { text, place: Some(place) } if is_column(place) => {
                Some(self.column_says(place, text))
            }
            About::Count { target, count } if is_every_column(target) => {
                Some(self.counted_columns(target, *count))
            }
            _ => None,
        }
    }

    /// All cells under the head are read. One that has the text is enough for "contains"; "is" is said of each.
    fn column_says(&self, column: &Target, matcher: &Matcher) -> Finding {
        let view = self.view;
        let words = column.quoted.as_deref().map(words_of).unwrap_or_else(|| column.words.clone());
        let having: Vec<(Table, usize)> = self
            .tables_meant(column)
            .into_iter()
            .filter_map(|table| table.head(view, &words).map(|head| (table, head)))
            .collect();
        let [(table, head)] = having.as_slice() else {
            let why = if having.is_empty() { "no table has" } else { "several tables have" };
            return Finding::unsure(format!("{why} {}", said(column)));
        };
        let cells: Option<Vec<usize>> = table.rows.iter().map(|row| table.cell(view, *row, *head)).collect();
        let Some(cells) = cells.filter(|cells| !cells.is_empty()) else {
            return Finding::unsure(format!("not every row has a cell under \"{}\"", head_text(view, *head)))
                .with(view.lines([*head]));
        };
        let texts: Option<Vec<String>> = cells.iter().map(|cell| self.cell_reading(*cell)).collect();
        let Some(texts) = texts else {
            return Finding::unsure(format!(
                "the cells under \"{}\" could not be read",
                head_text(view, *head)
            ))
            .with(view.lines([*head]));
        };
        let truths: Vec<Truth> = texts.iter().map(|text| matches(matcher, text)).collect();
        let has = |truth: Truth| truths.contains(&truth);
        let of_one = matches!(matcher, Matcher::Contains(_) | Matcher::Words(_) | Matcher::Sentence(_));
        let truth = if has(Truth::Unsure) {
            Truth::Unsure
        } else if has(Truth::Yes) && (of_one || truths.iter().all(|truth| *truth == Truth::Yes)) {
            Truth::Yes
        } else if has(Truth::Yes) || has(Truth::NotQuite) {
            Truth::NotQuite
        } else {
            Truth::No
        };
        let at = cells.iter().zip(&truths).find(|(_, truth)| **truth == Truth::Yes).map(|(cell, _)| *cell);
        Finding::compared(truth, &wanted(matcher), &texts.join(", "))
            .read()
            .with(view.lines([at.unwrap_or(*head)]))
    }

    fn cell_reading(&self, cell: usize) -> Option<String> {
        let view = self.view;
        let field = std::iter::once(cell).chain(view.inside(cell)).find(|at| view.is_editable(*at));
        reading(view, field.unwrap_or(cell))
    }

    /// The tables that a column can be one of: those in the place that was named; else those that are not part of the
    /// frame of the page, where there are any.
    fn tables_meant(&self, column: &Target) -> Vec<Table> {
        let view = self.view;
        let place = column.relations.iter().find(|one| one.how == Nearness::Inside);
        if let Some(place) = place.filter(|place| place.to.kind != Some(ElementKind::Page)) {
            return match self.one(&place.to, |view, at| f64::from(view.has_children(at))) {
                Ok(around) => tables::all(view)
                    .into_iter()
                    .filter(|table| table.at == around || view.is_within(table.at, around))
                    .collect(),
                Err(_) => Vec::new(),
            };
        }
        let all = tables::all(view);
        let main: Vec<Table> = all.iter().filter(|table| !is_framed(view, table.at)).cloned().collect();
        if main.is_empty() { all } else { main }
    }

    /// A foot that repeats the heads adds no columns. Where a head says nothing, some would not count it.
    fn counted_columns(&self, target: &Target, count: NumberIs) -> Finding {
        let view = self.view;
        let mut meant = self.tables_meant(target);
        meant.retain(|table| !table.heads.is_empty());
        let [table] = meant.as_slice() else {
            let why = if meant.is_empty() {
                "the page has no table with column headings"
            } else {
                "several tables could be meant"
            };
            return Finding::unsure(why).with(view.lines(meant.iter().map(|table| table.at)));
        };
        let all = table.heads.len();
        let named = table.heads.iter().filter(|head| !view.text(**head).trim().is_empty()).count();
        let (least, most) = (is_so(named as f64, count), is_so(all as f64, count));
        let truth = match (least, most) {
            (true, true) => Truth::Yes,
            (false, false) => Truth::No,
            _ => Truth::Unsure,
        };
        let what = format!("{} columns", wanted_number(count));
        Finding::compared(truth, &what, &all.to_string()).with(view.lines([table.at]))
    }
}

fn is_column(target: &Target) -> bool {
    let is_named = target.quoted.is_some() || !target.words.is_empty();
    target.kind == Some(ElementKind::Column) && is_named && target.ordinal.is_none()
}

fn is_every_column(target: &Target) -> bool {
    target.kind == Some(ElementKind::Column)
        && target.is_nameless()
        && target.relations.iter().all(|one| one.how == Nearness::Inside)
}
