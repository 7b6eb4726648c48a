//! Which lines of a file belong to which entry.

use std::ops::Range;

use super::read::is_flow;
use crate::node::{Node, Value};
use crate::source::Source;

/// One entry of a mapping or a list, in lines from 0. Comments and blank lines between two entries belong to neither.
#[derive(Debug, Clone)]
pub(super) struct Entry<'n> {
    pub lines: Range<usize>,
    /// The column of its key, or of the first key of an item.
    pub indent: usize,
    pub node: &'n Node,
    /// Whether each of its keys has lines of its own.
    pub is_block: bool,
}

/// The entries of a block mapping or a block list whose lines end before `end`; none if the node is none of these.
pub(super) fn entries<'n>(source: &Source, node: &'n Node, end: usize) -> Option<Vec<Entry<'n>>> {
    if is_flow(source, node) {
        return None;
    }
    let starts: Vec<(usize, usize, &'n Node)> = match &node.value {
        Value::Map(entries) => entries
            .iter()
            .map(|(key, value)| (key.span.position.line - 1, key.span.position.column - 1, value))
            .collect(),
        Value::List(items) => items
            .iter()
            .map(|item| {
                let position = item.span.position;
                let mut line = position.line - 1;
                // The dash may stand on a line of its own.
                while line > 0 && !source.line(line + 1).trim_start().starts_with('-') {
                    line -= 1;
                }
                (line, position.column - 1, item)
            })
            .collect(),
        Value::Scalar { .. } => return None,
    };
    // What stands in braces behind its key has no lines of its own.
    let begins_its_line = |(line, indent, _): &(usize, usize, &Node)| {
        let lead = source.line(line + 1).chars().take(*indent);
        lead.into_iter().all(|letter| letter.is_whitespace() || letter == '-')
    };
    if !starts.iter().all(begins_its_line) {
        return None;
    }
    // Two entries on one line cannot be edited apart.
    if starts.windows(2).any(|pair| pair[0].0 >= pair[1].0) {
        return None;
    }
    let ends = starts.iter().skip(1).map(|next| next.0).chain([end]);
    let found = starts.iter().zip(ends).map(|((line, indent, value), limit)| {
        let last = (*line..limit).rev().find(|at| is_content(source.line(at + 1))).unwrap_or(*line);
        let is_block = match &value.value {
            Value::Map(keys) => {
                let begins_its_line = |key: &crate::node::Key| {
                    let position = key.span.position;
                    let mut lead = source.line(position.line).chars().take(position.column - 1);
                    lead.all(|letter| letter.is_whitespace() || letter == '-')
                };
                !is_flow(source, value) && keys.iter().all(|(key, _)| begins_its_line(key))
            }
            Value::Scalar { .. } | Value::List(_) => false,
        };
        Entry { lines: *line..last + 1, indent: *indent, node: value, is_block }
    });
    Some(found.collect())
}

fn is_content(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty() && !line.starts_with('#')
}

/// The comment at the end of a line that holds one value; nothing where a value goes on over several lines.
pub(super) fn trailing_comment<'s>(source: &'s Source, entry: &Entry<'_>) -> &'s str {
    if entry.lines.len() != 1 {
        return "";
    }
    let line = source.line(entry.lines.start + 1);
    let mut quote: Option<char> = None;
    let mut before = ' ';
    for (at, letter) in line.char_indices() {
        match quote {
            Some(open) if letter == open && !(open == '"' && before == '\\') => quote = None,
            Some(_) => {}
            // A quote inside a word is an apostrophe.
            None if matches!(letter, '"' | '\'') && !before.is_alphanumeric() => quote = Some(letter),
            None if letter == '#' && before.is_whitespace() => return &line[at..],
            None => {}
        }
        before = letter;
    }
    ""
}
