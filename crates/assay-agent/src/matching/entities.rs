//! Names that stand in a request as they are: whole, in any order of their words, with or without their small words.

use std::collections::HashMap;

use assay_suite::SlotKind;

use super::browsers::browser_called;
use super::fillers::is_filler;
use super::names::{Name, NameIndex};
use super::tokens::{Token, stem, words_of};

/// A name and the words that say it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Entity<'n> {
    pub name: &'n Name,
    pub from: usize,
    /// After its last word.
    pub to: usize,
}

const LONGEST: usize = 14;

/// Every whole name; where two overlap, the longer one. One place may name several things.
pub(super) fn entities<'n>(tokens: &[Token], index: &'n NameIndex) -> Vec<Entity<'n>> {
    let mut forms: HashMap<String, Vec<&'n Name>> = HashMap::new();
    for name in index.names.iter().filter(|name| !matches!(name.kind, SlotKind::Tag | SlotKind::Run)) {
        for form in name.forms() {
            let known = forms.entry(key(&form)).or_default();
            if !known.contains(&name) {
                known.push(name);
            }
        }
    }
    let mut found: Vec<(usize, Entity<'n>)> = Vec::new();
    for from in 0..tokens.len() {
        for to in from + 1..=tokens.len().min(from + LONGEST) {
            let span = &tokens[from..to];
            if span.iter().any(|token| token.is_mark) || span.iter().any(|token| token.quote != span[0].quote)
            {
                break;
            }
            // Tight: it neither begins nor ends with a small word, unless that is all there is.
            let is_loose = |token: &Token| is_filler(&token.text);
            if span.len() > 1
                && (is_loose(&span[0]) || is_loose(&span[span.len() - 1]))
                && !is_quotation(tokens, from, to)
            {
                continue;
            }
            let stems: Vec<String> = span.iter().flat_map(stems_of).collect();
            for name in forms.get(&key(&stems)).into_iter().flatten() {
                found.push((stems.len(), Entity { name, from, to }));
            }
        }
    }
    found.sort_by_key(|(length, entity)| (std::cmp::Reverse(*length), entity.from));
    let mut kept: Vec<Entity<'n>> = Vec::new();
    for (_, entity) in found {
        let overlaps = |other: &Entity<'_>| other.from < entity.to && entity.from < other.to;
        let is_same = |other: &Entity<'_>| other.from == entity.from && other.to == entity.to;
        if kept.iter().all(|other| !overlaps(other) || is_same(other)) {
            kept.push(entity);
        }
    }
    kept.sort_by_key(|entity| entity.from);
    kept
}

fn is_quotation(tokens: &[Token], from: usize, to: usize) -> bool {
    let quote = tokens[from].quote;
    let outside = |at: Option<&Token>| at.is_none_or(|token| token.quote != quote);
    quote.is_some() && outside(from.checked_sub(1).and_then(|at| tokens.get(at))) && outside(tokens.get(to))
}

/// The stems of a word; a name with underscores or hyphens has several.
pub(super) fn stems_of(token: &Token) -> Vec<String> {
    let text = browser_called(&token.text).unwrap_or(&token.text);
    words_of(text).iter().map(|word| stem(word)).collect()
}

/// What remains of a name without its small words, in an order of its own.
fn key(stems: &[String]) -> String {
    let mut content: Vec<&str> = stems.iter().map(String::as_str).filter(|stem| !is_filler(stem)).collect();
    if content.is_empty() {
        content = stems.iter().map(String::as_str).collect();
    }
    content.sort_unstable();
    content.join(" ")
}
