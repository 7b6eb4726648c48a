//! Replacing parts of a text, and finding lines in it.
//!
//! Knows bytes and lines; does not know any format.

use std::ops::Range;

pub(crate) const BOM: &str = "\u{feff}";

/// A part of a text and what it becomes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Edit {
    pub range: Range<usize>,
    pub text: String,
}

impl Edit {
    pub fn insert(at: usize, text: impl Into<String>) -> Edit {
        Edit { range: at..at, text: text.into() }
    }

    pub fn delete(range: Range<usize>) -> Edit {
        Edit { range, text: String::new() }
    }

    pub fn replace(range: Range<usize>, text: impl Into<String>) -> Edit {
        Edit { range, text: text.into() }
    }
}

/// The text after all edits. They do not overlap; those at one place come in the order they are given.
pub(crate) fn apply(text: &str, mut edits: Vec<Edit>) -> String {
    edits.sort_by_key(|edit| edit.range.start);
    let mut result = String::with_capacity(text.len() + 256);
    let mut done = 0;
    for edit in edits {
        result.push_str(&text[done..edit.range.start.max(done)]);
        result.push_str(&edit.text);
        done = edit.range.end.max(done);
    }
    result.push_str(&text[done..]);
    result
}

/// The line break that the text uses.
pub(crate) fn line_break(text: &str) -> &'static str {
    match text.find('\n') {
        Some(at) if text[..at].ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

/// Where the line begins that `at` is in; a byte order mark does not belong to it.
pub(crate) fn line_start(text: &str, at: usize) -> usize {
    match text[..at].rfind('\n') {
        Some(before) => before + 1,
        None if text.starts_with(BOM) && at >= BOM.len() => BOM.len(),
        None => 0,
    }
}

/// Where the line of `at` ends, behind its line break.
pub(crate) fn next_line(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |after| at + after + 1)
}

/// Where the line of `at` ends, before its line break.
pub(crate) fn line_end(text: &str, at: usize) -> usize {
    let end = text[at..].find('\n').map_or(text.len(), |after| at + after);
    if text[at..end].ends_with('\r') { end - 1 } else { end }
}

/// What the line of `at` begins with.
pub(crate) fn indent(text: &str, at: usize) -> &str {
    let line = &text[line_start(text, at)..at];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// `at`, moved back over one line break that ends there.
pub(crate) fn before_line_break(text: &str, at: usize) -> usize {
    let Some(before) = text[..at].strip_suffix('\n') else { return at };
    before.strip_suffix('\r').unwrap_or(before).len()
}

/// Line and column of a byte, both from one; columns count letters.
pub(crate) fn position(text: &str, at: usize) -> (usize, usize) {
    let at = (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let line = text[..at].matches('\n').count() + 1;
    let column = text[line_start(text, at).min(at)..at].chars().count() + 1;
    (line, column)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_at_one_place_keep_their_order() {
        let edits = vec![Edit::insert(1, ","), Edit::insert(1, " x"), Edit::delete(0..1)];
        assert_eq!(apply("ab", edits), ", xb");
    }

    #[test]
    fn columns_count_letters_and_no_byte_order_mark() {
        assert_eq!(position("\u{feff}äb", 5), (1, 2));
        assert_eq!(position("a\r\nöx", 5), (2, 2));
        assert_eq!(position("a", 99), (1, 2));
        assert_eq!(position("", 0), (1, 1));
    }

    #[test]
    fn lines_end_with_either_break() {
        let text = "a\r\n  b\n";
        assert_eq!((line_end(text, 0), next_line(text, 0), line_start(text, 5)), (1, 3, 3));
        assert_eq!((indent(text, 5), before_line_break(text, 3), before_line_break(text, 2)), ("  ", 1, 2));
    }
}
