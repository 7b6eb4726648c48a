//! Cuts a text into the pieces that are merged one by one.
//!
//! Follows the pattern of o200k_base by hand, alternative by alternative:
//!
//! ```text
//! word    [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//! capital [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//! number  \p{N}{1,3}
//! symbols  ?[^\s\p{L}\p{N}]+[\r\n/]*
//! space   \s*[\r\n]+|\s+(?!\S)|\s+
//! ```
//!
//! Knows the classes of characters. Does not know the vocabulary.

use crate::classes::Class;

/// The pieces of a text, in order and without gaps.
pub struct Pieces<'t> {
    rest: &'t str,
}

impl<'t> Pieces<'t> {
    pub fn of(text: &'t str) -> Self {
        Self { rest: text }
    }
}

impl<'t> Iterator for Pieces<'t> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        let (piece, rest) = self.rest.split_at(first_piece_end(self.rest)?);
        self.rest = rest;
        Some(piece)
    }
}

/// Where the first piece of `text` ends; `None` when there is no text.
fn first_piece_end(text: &str) -> Option<usize> {
    let (class, second) = class_at(text, 0)?;
    let is_line_break = text.starts_with(['\r', '\n']);
    let end = match class {
        Class::Upper | Class::Lower | Class::Caseless => {
            contraction_end(text, word_end(text, 0).or_else(|| capitals_end(text, 0))?)
        }
        // A mark may introduce a word, and is a word itself when none follows. This is
        // found before the alternative of capitals, which therefore never sees a mark.
        Class::Mark => contraction_end(text, word_end(text, second).unwrap_or(second)),
        Class::Number => numbers_end(text),
        Class::Space | Class::Other => {
            let word = if is_line_break {
                None
            } else {
                word_end(text, second).or_else(|| capitals_end(text, second))
            };
            match word {
                Some(end) => contraction_end(text, end),
                None if class == Class::Other => symbols_end(text, 0)?,
                None if text.starts_with(' ') => symbols_end(text, second).unwrap_or_else(|| space_end(text)),
                None => space_end(text),
            }
        }
    };
    Some(end)
}

/// The end of a word that begins at `start`: letters that may be upper case, then at
/// least one that may be lower case.
fn word_end(text: &str, start: usize) -> Option<usize> {
    let mut at = start;
    let mut after_last_caseless = None;
    while let Some((class, next)) = class_at(text, at) {
        if class == Class::Lower {
            return Some(run_end(text, next, Class::may_be_lower));
        }
        if !class.may_be_upper() {
            break;
        }
        if class.may_be_lower() {
            after_last_caseless = Some(next);
        }
        at = next;
    }
    // Without a lower-case letter the pattern steps back to the last character that can
    // count as one.
    after_last_caseless
}

/// The end of a run of capitals that begins at `start`. Asked only where there is no
/// word, so no lower-case letter can follow.
fn capitals_end(text: &str, start: usize) -> Option<usize> {
    Some(run_end(text, start, Class::may_be_upper)).filter(|&end| end > start)
}

/// The end of the contraction at `start`, or `start` when there is none.
fn contraction_end(text: &str, start: usize) -> usize {
    let Some(tail) = text[start..].strip_prefix('\'') else { return start };
    match tail.as_bytes() {
        [b's' | b'S' | b't' | b'T' | b'm' | b'M' | b'd' | b'D', ..] => start + 2,
        [b'r' | b'R' | b'v' | b'V', b'e' | b'E', ..] | [b'l' | b'L', b'l' | b'L', ..] => start + 3,
        // To a pattern that ignores case, the long s is an s.
        _ if tail.starts_with('ſ') => start + 1 + 'ſ'.len_utf8(),
        _ => start,
    }
}

fn numbers_end(text: &str) -> usize {
    let mut at = 0;
    for _ in 0..3 {
        match class_at(text, at) {
            Some((Class::Number, next)) => at = next,
            _ => break,
        }
    }
    at
}

/// The end of a run of symbols that begins at `start`, with the line breaks and slashes
/// behind it.
fn symbols_end(text: &str, start: usize) -> Option<usize> {
    let symbols_end = run_end(text, start, Class::is_symbol);
    if symbols_end == start {
        return None;
    }
    let tail = text.as_bytes()[symbols_end..].iter();
    Some(symbols_end + tail.take_while(|byte| matches!(byte, b'\r' | b'\n' | b'/')).count())
}

/// The end of the white space that `text` begins with: up to its last line break, or
/// else without its last character, which introduces the next piece.
fn space_end(text: &str) -> usize {
    let end = run_end(text, 0, |class| class == Class::Space);
    let space = &text[..end];
    if let Some(line_break) = space.rfind(['\r', '\n']) {
        return line_break + 1;
    }
    match space.char_indices().next_back() {
        Some((last, _)) if last > 0 && end < text.len() => last,
        _ => end,
    }
}

fn run_end(text: &str, start: usize, belongs: impl Fn(Class) -> bool) -> usize {
    let mut at = start;
    while let Some((class, next)) = class_at(text, at) {
        if !belongs(class) {
            break;
        }
        at = next;
    }
    at
}

/// The class of the character at `at`, and where the next one begins.
fn class_at(text: &str, at: usize) -> Option<(Class, usize)> {
    let &byte = text.as_bytes().get(at)?;
    if byte.is_ascii() {
        return Some((Class::of_ascii(byte), at + 1));
    }
    let character = text[at..].chars().next()?;
    Some((Class::of(character), at + character.len_utf8()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let pieces: Vec<&str> = Pieces::of(text).collect();
        assert_eq!(pieces, expected);
    }

    #[test]
    fn an_empty_text_has_no_pieces() {
        check("", &[]);
    }

    #[test]
    fn a_word_takes_one_character_before_it() {
        check("Hello, big-world", &["Hello", ",", " big", "-world"]);
        check("\tx\nx", &["\tx", "\n", "x"]);
    }

    #[test]
    fn a_word_begins_anew_at_a_capital_after_lower_case() {
        check("camelCase HTTPServer ABC", &["camel", "Case", " HTTPServer", " ABC"]);
        check("日本ABC日ab", &["日本ABC日ab"]);
        check("日本ABC", &["日本", "ABC"]);
    }

    #[test]
    fn contractions_stay_with_their_word_in_any_case() {
        check("I'm WE'LL they'Re x'ſy o'clock", &["I'm", " WE'LL", " they'Re", " x'ſ", "y", " o", "'clock"]);
    }

    #[test]
    fn a_mark_is_a_word_when_no_lower_case_follows() {
        check("\u{301}A", &["\u{301}", "A"]);
        check("\u{301}a", &["\u{301}a"]);
        check("\u{301}'s", &["\u{301}'s"]);
        check("!\u{301}!!\u{301}", &["!\u{301}", "!!\u{301}"]);
    }

    #[test]
    fn numbers_come_in_threes() {
        check("1234567 ٣", &["123", "456", "7", " ", "٣"]);
    }

    #[test]
    fn symbols_take_line_breaks_and_slashes_with_them() {
        check("a ://\r\n/b", &["a", " ://\r\n/", "b"]);
    }

    #[test]
    fn white_space_leaves_its_last_character_to_what_follows() {
        check("a   b", &["a", "  ", " b"]);
        check("a   ", &["a", "   "]);
        check("a \n  \r\n  b", &["a", " \n  \r\n", " ", " b"]);
        check("1 2", &["1", " ", "2"]);
    }
}
