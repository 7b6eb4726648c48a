//! A file as text, and positions in it.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

/// A place in a file, both from 1. The column counts letters, not bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    pub line: usize,
    pub column: usize,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// A file that was read. It is shared by everything that came out of it, so that a mistake found late can still
/// show its line.
#[derive(Debug)]
pub(crate) struct Source {
    /// As people see it: relative to where they are.
    pub shown: PathBuf,
    /// Its real path, with every link resolved.
    pub path: PathBuf,
    pub text: String,
    line_starts: Vec<usize>,
}

impl Source {
    pub fn new(shown: PathBuf, path: PathBuf, text: String) -> Self {
        let line_starts =
            std::iter::once(0).chain(text.match_indices('\n').map(|(offset, _)| offset + 1)).collect();
        Source { shown, path, text, line_starts }
    }

    /// The place of a byte. An offset past the end, or inside a letter, is moved back to one that exists.
    pub fn position(&self, offset: usize) -> Position {
        let offset = self.text.floor_char_boundary(offset);
        let line = self.line_starts.partition_point(|start| *start <= offset).max(1);
        let start = self.line_starts.get(line - 1).copied().unwrap_or(0);
        Position { line, column: self.text[start..offset].chars().count() + 1 }
    }

    /// The text of a line, without its end.
    pub fn line(&self, line: usize) -> &str {
        let Some(start) = line.checked_sub(1).and_then(|index| self.line_starts.get(index)) else {
            return "";
        };
        self.text[*start..].split('\n').next().unwrap_or("").trim_end_matches('\r')
    }

    pub fn slice(&self, span: Span) -> &str {
        let end = self.text.floor_char_boundary(span.end);
        let start = self.text.floor_char_boundary(span.start).min(end);
        &self.text[start..end]
    }

    pub fn span(&self, start: usize, end: usize) -> Span {
        Span { start, end, position: self.position(start) }
    }
}

/// A span of a file, in bytes, with its starting position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    pub start: usize,
    pub end: usize,
    pub position: Position,
}

/// Text of a file with its position.
#[derive(Debug, Clone)]
pub(crate) struct Text {
    pub value: String,
    pub span: Span,
    pub source: Arc<Source>,
}

impl Text {
    /// Where `part` stands for the `nth` time (from 0) in this text as the file spells it. Escapes and folded
    /// lines can hide it; then the whole text is meant.
    pub fn place_of(&self, part: &str, nth: usize) -> Span {
        let written = self.source.slice(self.span);
        match written.match_indices(part).nth(nth) {
            Some((offset, _)) => {
                let start = self.span.start + offset;
                self.source.span(start, start + part.len())
            }
            None => self.span,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_letters_and_bad_offsets_are_moved_back() {
        let source = Source::new("a".into(), "a".into(), "äb\nc\r\n".to_string());
        assert_eq!(source.position(2), Position { line: 1, column: 2 });
        assert_eq!(source.position(1), Position { line: 1, column: 1 });
        assert_eq!(source.position(4), Position { line: 2, column: 1 });
        assert_eq!(source.position(99), Position { line: 3, column: 1 });
        assert_eq!(source.line(2), "c");
        assert_eq!(source.line(0), "");
        assert_eq!(source.line(9), "");
    }
}
