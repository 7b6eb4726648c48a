//! Text of pages, made safe for one line of a terminal.
//!
//! The text of a page comes from strangers. A control character in it could move
//! the cursor, recolour later text or forge a line that says `PASS`; a mark that
//! reverses the direction of writing could change how a line reads. None of them
//! is printed as it is.

use assay_protocol::steers_terminal;

/// The most that a line of a report quotes.
const LONGEST: usize = 600;

/// The text in one line: white space of any kind is a space, characters that
/// steer a terminal are written out, and what is too long is cut with `…`.
pub fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len().min(LONGEST));
    for (length, letter) in text.trim().chars().enumerate() {
        if length >= LONGEST {
            line.push('…');
            break;
        }
        if letter.is_whitespace() {
            if !line.ends_with(' ') {
                line.push(' ');
            }
        } else if steers(letter) {
            line.extend(letter.escape_unicode());
        } else {
            line.push(letter);
        }
    }
    line
}

/// Each line of the text made plain, for messages that have several.
pub fn lines(text: &str) -> impl Iterator<Item = String> + '_ {
    text.lines().map(|line| {
        let indent = line.len() - line.trim_start_matches(' ').len();
        format!("{}{}", " ".repeat(indent.min(40)), one_line(line))
    })
}

/// The text cut to this number of terminal columns.
pub fn cut_to_columns(text: &str, columns: usize) -> String {
    if text.chars().map(width).sum::<usize>() <= columns {
        return text.to_owned();
    }
    let mut cut = String::new();
    let mut used = 0;
    for letter in text.chars() {
        used += width(letter);
        // One column is kept for the mark that something is missing.
        if used + 1 > columns {
            break;
        }
        cut.push(letter);
    }
    if columns > 0 {
        cut.push('…');
    }
    cut
}

/// In one line of a report, characters that nobody sees count too.
fn steers(letter: char) -> bool {
    steers_terminal(letter)
        || matches!(letter, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{2029}' | '\u{2060}'..='\u{2065}' | '\u{feff}')
}

/// How many columns a letter takes. East Asian letters and pictures take two.
fn width(letter: char) -> usize {
    match u32::from(letter) {
        0x1100..=0x115f | 0x2e80..=0xa4cf | 0xac00..=0xd7a3 | 0xf900..=0xfaff | 0xfe30..=0xfe6f => 2,
        0xff00..=0xff60 | 0xffe0..=0xffe6 | 0x1f300..=0x1faff | 0x20000..=0x3fffd => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_one_line_and_steers_nothing() {
        assert_eq!(one_line("  Wrong\r\n\temail  or\u{a0}password "), "Wrong email or password");
        assert_eq!(one_line("\u{1b}[2K\rPASS"), "\\u{1b}[2K PASS");
        assert_eq!(one_line("a\u{9b}31mb\u{7}"), "a\\u{9b}31mb\\u{7}");
        assert_eq!(one_line("\u{202e}SSAP"), "\\u{202e}SSAP");
    }

    #[test]
    fn what_is_too_long_is_cut() {
        let line = one_line(&"x".repeat(5000));
        assert_eq!(line.chars().count(), LONGEST + 1);
        assert!(line.ends_with("x…"));
    }

    #[test]
    fn a_line_is_cut_to_the_columns_it_has() {
        assert_eq!(cut_to_columns("3/40 · 2 failed", 15), "3/40 · 2 failed");
        assert_eq!(cut_to_columns("3/40 · 2 failed", 8), "3/40 · …");
        assert_eq!(cut_to_columns("日本語", 5), "日本…");
        assert_eq!(cut_to_columns("abc", 0), "");
    }
}
