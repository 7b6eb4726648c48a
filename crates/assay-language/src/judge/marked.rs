//! Words that an application marks its records with: "archived", "shipped", "healthy".

use crate::ground::find::{anchors, said};
use crate::ground::places::{is_called, names_its_entry};
use crate::ground::view::short;
use crate::ground::words::{fold, words_of};
use crate::{ElementKind, Matcher, Target};

use super::lines::differs_in_case;
use super::matching::matches;
use super::reading::reading;
use super::record::part_called;
use super::{Finding, Judging, Truth};

/// Columns and labels under which such a word stands.
const LABELS: &[&str] = &["status", "state", "stage", "condition", "health", "phase"];

impl Judging<'_> {
    /// One of the texts of the record is that word and nothing else. Only a status that says otherwise contradicts it.
    pub(super) fn marked(&self, target: &Target, word: &str) -> Finding {
        let view = self.view;
        let mut records: Vec<usize> = match target.kind {
            Some(ElementKind::Row | ElementKind::Item | ElementKind::ListItem) => {
                anchors(&self.look(|view, at| f64::from(view.is_entry(at))), target)
            }
            _ => anchors(&self.look(|view, at| f64::from(!view.is_editable(at))), target)
                .into_iter()
                .filter(|at| names_its_entry(view, *at))
                .filter_map(|at| view.entry_of(at))
                .collect(),
        };
        records.sort_unstable();
        records.dedup();
        records.retain(|at| !view.node(*at).is("covered"));
        // "The folder id is templates": a label with its value, and no record.
        let is_label = target.quoted.is_none() && target.kind.is_none() && !target.words.is_empty();
        let heads = |at: usize| {
            let first = view.children(at).first().map(|first| view.text(*first));
            first.is_some_and(|first| is_called(first, &target.words))
        };
        if is_label && (records.is_empty() || matches!(records.as_slice(), [only] if heads(*only))) {
            let found = self.value(target, &Matcher::Said(word.to_string()));
            // Another value does not contradict it: "The order is archived", "The average salary is fair".
            return match found.truth {
                Truth::No | Truth::NotQuite => Finding { truth: Truth::Unsure, ..found },
                _ => found,
            };
        }
        let [record] = records.as_slice() else {
            let why = if records.is_empty() { "no record on the page is" } else { "several records match" };
            return Finding::unsure(format!("{why} {}", said(target))).with(view.lines(records));
        };
        if let Some(name) = target.quoted.as_deref().filter(|name| differs_in_case(view, *record, name)) {
            return Finding::unsure(format!("in another case \"{name}\" is {}", view.describe(*record)))
                .with(view.lines([*record]));
        }
        let labelled: Vec<usize> =
            LABELS.iter().filter_map(|label| part_called(view, *record, &[(*label).to_string()])).collect();
        // "Payment status" and "shipping status" are two.
        let status = match labelled.as_slice() {
            [only] => Some(*only),
            _ => None,
        };
        let everything = view.text_in_sight(*record);
        let is_anywhere = words_of(&everything).iter().any(|one| words_of(word).contains(one));
        if let Some(text) = status.and_then(|at| reading(view, at)) {
            let own = without_label(&text);
            let truth = match matches(&Matcher::Said(word.to_string()), &own) {
                Truth::No if is_anywhere => Truth::Unsure,
                truth => truth,
            };
            let finding = Finding::compared(truth, &format!("\"{word}\""), &short(&text));
            return finding.with(view.lines([*record]));
        }
        let is_named = |text: &str| target.quoted.as_deref().is_some_and(|name| fold(name) == fold(text));
        let texts: Vec<&str> = view
            .pieces(*record..view.inside(*record).end, true)
            .into_iter()
            .filter(|piece| {
                let mut around = std::iter::once(*piece).chain(view.scene.ancestors(*piece));
                !around.any(|at| at > *record && view.is_control(at))
            })
            .map(|piece| view.node(piece).name.trim())
            .filter(|text| !is_named(text))
            .collect();
        let bears = texts.iter().any(|text| fold(text) == fold(word));
        // Steps that stand side by side ("ordered", "paid", "shipped") do not tell which one is reached.
        let is_state = |text: &&&str| {
            let words = words_of(text);
            fold(text) != fold(word) && words.len() == 1 && words[0].ends_with("ed")
        };
        if bears && texts.iter().any(|text| is_state(&text)) {
            let why = format!("{} has several words like `{word}`", view.describe(*record));
            return Finding::unsure(why).with(view.lines([*record]));
        }
        if bears {
            return Finding::yes(format!("{} is marked as \"{word}\"", view.describe(*record)))
                .with(view.lines([*record]));
        }
        Finding::unsure(format!("nothing in {} says `{word}`", view.describe(*record)))
            .with(view.lines([*record]))
    }
}

/// "Status: shipped" says "shipped".
fn without_label(text: &str) -> String {
    match text.split_once(':') {
        Some((label, rest)) if LABELS.contains(&fold(label).as_str()) => rest.trim().to_string(),
        _ => text.to_string(),
    }
}
