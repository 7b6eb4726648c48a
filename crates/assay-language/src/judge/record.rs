//! Records: rows, cards and entries, and what stands in their fields.

use crate::ground::ages::by_age;
use crate::ground::find::{anchors, said};
use crate::ground::kinds::KIND_WORDS;
use crate::ground::names::heading_before;
use crate::ground::places::{is_called, names_its_entry};
use crate::ground::tables::{self, Table};
use crate::ground::view::{View, short};
use crate::ground::words::{Containment, all_among, containment, fold, identifier_words, spaced, words_of};
use crate::read::is_sort_of_thing;
use crate::{ElementKind, Matcher, Target};

use super::amounts::only_amount;
use super::lines::differs_in_case;
use super::matching::{matches, wanted};
use super::reading::reading;
use super::value::{after_label, beside_label, in_longer_text};
use super::{Finding, Judging, Truth};

impl Judging<'_> {
    pub(super) fn cell(&self, row: &Target, column: &str, matcher: &Matcher) -> Finding {
        let view = self.view;
        let mut rows: Vec<usize> = if row.kind.is_some_and(ElementKind::is_entry)
            || row.kind.is_none() && row.quoted.is_none() && row.ordinal.is_none() && by_age(row).is_some()
        {
            anchors(&self.look(|view, at| f64::from(view.is_entry(at))), row)
        } else {
            let mut entries: Vec<usize> =
                anchors(&self.look(|view, at| f64::from(!view.is_editable(at))), row)
                    .into_iter()
                    .filter(|at| names_its_entry(view, *at))
                    .filter_map(|at| view.entry_of(at))
                    .collect();
            entries.sort_unstable();
            entries.dedup();
            entries
        };
        rows.retain(|at| !view.node(*at).is("covered"));
        if let Some(finding) = self
            .counted_beside(&rows, row, column, matcher)
            .or_else(|| self.under_heading(row, column, matcher))
        {
            return finding;
        }
        if rows.is_empty()
            && let Some(finding) = self.on_page_of(row, column, matcher)
        {
            return finding;
        }
        let [entry] = rows.as_slice() else {
            let why = if rows.is_empty() { "nothing on the page matches" } else { "several rows match" };
            return Finding::unsure(format!("{why} {}", said(row))).with(view.lines(rows));
        };
        // The case of a quoted name counts, also where it only says which record is meant.
        if let Some(name) = row.quoted.as_deref().filter(|name| differs_in_case(view, *entry, name)) {
            return Finding::unsure(format!("in another case \"{name}\" is {}", view.describe(*entry)))
                .with(view.lines([*entry]));
        }
        let words = words_of(column);
        if let Some(finding) = self.joined(*entry, column, matcher) {
            return finding;
        }
        let part = match implied(column) {
            [] => part_called(view, *entry, &words).or_else(|| only_amount(view, *entry, column)),
            names => implied_part(view, *entry, names, matcher),
        };
        let Some(at) = part else {
            return Finding::unsure(format!("{} has no \"{column}\"", view.describe(*entry)))
                .with(view.lines([*entry]));
        };
        if let Some(field) = std::iter::once(at).chain(view.inside(at)).find(|inner| view.is_editable(*inner))
        {
            return self.held(field, matcher);
        }
        let Some(mut text) = reading(view, at) else {
            return Finding::unsure(format!("the text of {} could not be read", view.describe(at)))
                .with(view.lines([at]));
        };
        if is_called(&text, &words)
            && let Some(beside) = beside_label(view, at)
        {
            text = beside;
        }
        let mut truth = matches(matcher, &text);
        // "Weight kg" over "6.2": the head of the column has the unit.
        if let Matcher::Amount(number, unit) = matcher
            && truth != Truth::Yes
            && view
                .node(at)
                .attribute("column")
                .is_some_and(|head| words_of(head).last() == Some(&unit.to_lowercase()))
        {
            truth = matches(&Matcher::Number(*number), &text);
        }
        if truth != Truth::Yes
            && let Some(name) = without_count(view, at)
            && matches(matcher, &name) == Truth::Yes
        {
            (truth, text) = (Truth::Yes, name);
        }
        if truth == Truth::No {
            truth = in_longer_text(matcher, std::slice::from_ref(&text), &words);
        }
        if truth == Truth::No && view.node(at).attribute("column").is_none() {
            truth = after_label(&text, &words).map_or(truth, |rest| matches(matcher, &rest));
        }
        Finding::compared(truth, &wanted(matcher), &short(&text)).with(view.lines([at]))
    }

    /// "The server response has code 200": the column of the only table, of one row, that stands under a heading of that
    /// name.
    fn under_heading(&self, place: &Target, column: &str, matcher: &Matcher) -> Option<Finding> {
        let view = self.view;
        if place.kind.is_some() || place.quoted.is_some() || place.words.is_empty() {
            return None;
        }
        let is_headed = |table: &Table| {
            heading_before(view, table.at).is_some_and(|heading| is_called(view.text(heading), &place.words))
        };
        let headed: Vec<Table> = tables::all(view).into_iter().filter(is_headed).collect();
        let [table] = headed.as_slice() else { return None };
        let [row] = table.rows.as_slice() else { return None };
        let cell = table.cell(view, *row, table.head(view, &words_of(column))?)?;
        let text = reading(view, cell)?;
        Some(
            Finding::compared(matches(matcher, &text), &wanted(matcher), &short(&text))
                .read()
                .with(view.lines([cell])),
        )
    }

    /// The page of the record itself: its heading has the name, and the field stands on it with its label.
    fn on_page_of(&self, row: &Target, column: &str, matcher: &Matcher) -> Option<Finding> {
        if !row.relations.is_empty() || row.ordinal.is_some() || row.is_nameless() {
            return None;
        }
        let heading = super::page::main_heading(self.view)?;
        let text = self.view.text(heading);
        // Beside the name only its number, and the word for what it is.
        let name = row.quoted.as_deref().map_or_else(|| row.words.clone(), words_of);
        let said = words_of(&row.said);
        let rest: Vec<String> = words_of(text).into_iter().filter(|word| !name.contains(word)).collect();
        let is_beside = |word: &String| {
            word.chars().all(|letter| letter.is_ascii_digit())
                || said.contains(word)
                || is_sort_of_thing(word)
        };
        let is_whole = match row.quoted.as_deref() {
            Some(name) => containment(&spaced(name), &spaced(text)) == Containment::Whole,
            None => all_among(&name, &words_of(text)),
        };
        if super::page::rival_of(self.view, heading).is_some() || !is_whole || !rest.iter().all(is_beside) {
            return None;
        }
        let target = Target { said: format!("the {column}"), words: words_of(column), ..Target::default() };
        let finding = self.value(&target, matcher);
        let is_its_own = |reference: &str| {
            self.view.with_ref(reference).is_some_and(|at| {
                let is_other = |around: usize| {
                    self.view.is_entry(around)
                        || matches!(self.view.node(around).role.as_str(), "complementary" | "navigation")
                };
                let later = (heading + 1..at).any(|between| self.view.node(between).role == "heading");
                at > heading && !later && !self.view.scene.ancestors(at).any(is_other)
            })
        };
        if !finding.elements.iter().all(|element| is_its_own(&element.reference)) {
            return None;
        }
        // Only what is found can be compared: that it is missing says nothing about the record.
        (finding.truth != Truth::Unsure && !finding.elements.is_empty()).then_some(finding)
    }

    /// "Made by "Ada"", "the line to "Oslo"": the record says it with that word, or has a column for it. A record that does
    /// not have the name at all says something else.
    fn joined(&self, entry: usize, word: &str, matcher: &Matcher) -> Option<Finding> {
        let view = self.view;
        let columns: &[&str] = match word {
            "by" => &["by", "author", "user", "owner", "editor", "creator", "writer", "reporter"],
            "to" => &["to", "destination", "target", "receiver", "recipient"],
            "from" => &["from", "origin", "source", "sender", "departure"],
            "for" => &["for"],
            "of" => &["of"],
            _ => return None,
        };
        let Matcher::Equals(name) = matcher else { return None };
        let text = view.text_in_sight(entry);
        let expected = wanted(matcher);
        let by_column = columns.iter().find_map(|column| part_called(view, entry, &[(*column).to_string()]));
        if let Some(at) = by_column {
            let held = reading(view, at)?;
            // "Admin talk contribs": the name is one of several texts in it.
            let has_piece = view
                .pieces(at..view.inside(at).end, true)
                .iter()
                .any(|piece| spaced(&view.node(*piece).name) == spaced(name));
            let truth = match containment(&spaced(name), &spaced(&held)) {
                _ if has_piece => Truth::Yes,
                Containment::Absent => Truth::No,
                _ => Truth::Unsure,
            };
            return Some(Finding::compared(truth, &expected, &short(&held)).with(view.lines([at])));
        }
        let says = containment(&fold(&format!("{word} {name}")), &fold(&text)) == Containment::Whole;
        let truth = match containment(&spaced(name), &spaced(&text)) {
            Containment::Absent => Truth::No,
            _ if says => Truth::Yes,
            _ => Truth::Unsure,
        };
        Some(Finding::compared(truth, &expected, &short(&text)).with(view.lines([entry])))
    }

    /// "With a count of 21": the only number beside a name in an entry of nothing but the two.
    fn counted_beside(
        &self,
        rows: &[usize],
        row: &Target,
        column: &str,
        matcher: &Matcher,
    ) -> Option<Finding> {
        let view = self.view;
        let name = row.quoted.as_deref().filter(|_| matches!(column, "count" | "number" | "total"))?;
        let counts: Vec<(usize, String)> = rows
            .iter()
            .filter(|at| part_called(view, **at, &words_of(column)).is_none())
            .filter_map(|at| {
                let pieces = view.pieces(*at..view.inside(*at).end, true);
                let others: Vec<&str> = pieces
                    .iter()
                    .map(|piece| view.node(*piece).name.trim())
                    .filter(|text| fold(text) != fold(name))
                    .collect();
                let [only] = others.as_slice() else { return None };
                let is_count = pieces.len() == 2
                    && fold(&view.node(pieces[0]).name) == fold(name)
                    && only.chars().all(|one| one.is_ascii_digit() || "(),[] ".contains(one));
                is_count.then(|| (*at, only.to_string()))
            })
            .collect();
        let [(at, count)] = counts.as_slice() else { return None };
        let count = count.trim_matches(['(', ')', '[', ']', ' ']);
        Some(Finding::compared(matches(matcher, count), &wanted(matcher), count).with(view.lines([*at])))
    }
}

/// The heads of columns for a field that a verb speaks of: "belongs to", "weighs". Empty for a field with a name.
fn implied(column: &str) -> &'static [&'static str] {
    match column {
        "owner" => &["owner", "owned by", "belongs to"],
        "assigned to" => &["assigned to", "assignee"],
        "born" => &["born", "date of birth", "birthday", "birth date"],
        "due" => &["due", "due date", "due on", "deadline"],
        "job" => &["job", "position", "job title", "role", "occupation", "profession"],
        "scheduled" => &["scheduled", "scheduled for"],
        "location" => &["location"],
        "weight" => &["weight"],
        _ => &[],
    }
}

/// The only part under a head of one of these names, or of the name with its unit.
fn implied_part(view: &View, entry: usize, names: &[&str], matcher: &Matcher) -> Option<usize> {
    let unit = match matcher {
        Matcher::Amount(_, unit) => Some(unit.to_lowercase()),
        _ => None,
    };
    let is_meant = |head: &str| {
        names.iter().any(|name| {
            let mut with_unit = words_of(name);
            with_unit.extend(unit.clone());
            is_called(head, &words_of(name)) || is_called(head, &with_unit)
        })
    };
    let mut parts = view.inside(entry).filter(|at| view.node(*at).attribute("column").is_some_and(is_meant));
    let first = parts.next()?;
    parts.all(|other| view.is_within(other, first)).then_some(first)
}

/// A cell with a link and a number beside it says what the link says: the number counts or identifies it.
fn without_count(view: &View, at: usize) -> Option<String> {
    let links: Vec<usize> = view.inside(at).filter(|inner| view.node(*inner).role == "link").collect();
    let [link] = links.as_slice() else { return None };
    let beside = view.pieces(at..view.inside(at).end, true);
    let beside: Vec<&usize> =
        beside.iter().filter(|piece| *piece != link && !view.is_within(**piece, *link)).collect();
    let is_number = |piece: &&usize| {
        let text = view.node(**piece).name.trim();
        text.chars().all(|letter| letter.is_ascii_digit())
    };
    let is_counted = beside.len() == 1 && beside.iter().all(is_number);
    is_counted.then(|| view.text_in_sight(*link))
}

/// The part of a row or card that a column's name means: a cell of that column, or what is marked or labelled so.
pub(super) fn part_called(view: &View, entry: usize, words: &[String]) -> Option<usize> {
    let by_column = |exact: bool| {
        view.inside(entry).find(|at| {
            view.node(*at).attribute("column").is_some_and(|head| {
                if exact { is_called(head, words) } else { all_among(words, &words_of(head)) }
            })
        })
    };
    by_column(true).or_else(|| by_column(false)).or_else(|| column_by_place(view, entry, words)).or_else(
        || {
            let parts: Vec<usize> = view.inside(entry).collect();
            let marked = only_one(
                view,
                parts.iter().copied().filter(|at| {
                    ["class", "id", "testid"].iter().filter_map(|name| view.node(*at).attribute(name)).any(
                        |value| {
                            value.split_whitespace().any(|one| {
                                let mut have = identifier_words(one);
                                have.retain(|word| !KIND_WORDS.contains(&word.as_str()));
                                all_among(words, &have)
                            })
                        },
                    )
                }),
            );
            marked.or_else(|| labelled(view, &parts, words))
        },
    )
}

/// The part that begins with these words. Two labels that say the same leave open which is meant.
fn labelled(view: &View, parts: &[usize], words: &[String]) -> Option<usize> {
    let begins = |at: &usize| {
        let first: Vec<String> = words_of(view.text(*at)).into_iter().take(words.len()).collect();
        !view.has_children(*at) && all_among(words, &first)
    };
    let found: Vec<usize> = parts.iter().copied().filter(begins).collect();
    let is_label = |at: &&usize| !view.is_editable(**at) && is_called(view.text(**at), words);
    if found.iter().filter(is_label).count() > 1 { None } else { found.first().copied() }
}

/// The first of several that are inside one another; none where they stand side by side, as any of them could be meant.
fn only_one(view: &View, found: impl Iterator<Item = usize>) -> Option<usize> {
    let found: Vec<usize> = found.collect();
    let first = *found.first()?;
    found[1..].iter().all(|other| view.is_within(*other, first)).then_some(first)
}

/// By the place of the column's head, where cells do not name their column.
fn column_by_place(view: &View, entry: usize, words: &[String]) -> Option<usize> {
    let table = view
        .scene
        .ancestors(entry)
        .find(|at| matches!(view.node(*at).role.as_str(), "table" | "grid" | "treegrid"))?;
    let header = view.inside(table).find(|at| view.is_header_row(*at))?;
    let index = view.children(header).iter().position(|head| is_called(view.text(*head), words))?;
    view.children(entry).get(index).copied()
}
