//! Text of pages, made safe for a terminal.
//!
//! The text of a page comes from strangers. A control character in it could move the cursor, forge a line, set the
//! title of the window or fill the clipboard; a mark that reverses the direction of writing could change how a line
//! reads. None of them is printed as it is.

use std::borrow::Cow;
use std::fmt::Write;

/// Whether a character steers a terminal or the direction of writing. Line ends and tabs do not: layouts need them.
pub fn steers_terminal(letter: char) -> bool {
    match letter {
        '\n' | '\t' => false,
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        letter => letter.is_control(),
    }
}

/// The text for a terminal: every character that steers it is written out, such as `\u{1b}`.
pub fn for_terminal(text: &str) -> Cow<'_, str> {
    if !text.contains(steers_terminal) {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len() + 16);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            // A line end as other systems write it.
            '\r' if letters.peek() == Some(&'\n') => {}
            letter if steers_terminal(letter) => plain.extend(letter.escape_unicode()),
            letter => plain.push(letter),
        }
    }
    Cow::Owned(plain)
}

/// The same for JSON: the characters are written as JSON escapes them, so the data stays the same.
pub fn json_for_terminal(json: &str) -> Cow<'_, str> {
    if !json.contains(steers_terminal) {
        return Cow::Borrowed(json);
    }
    let mut plain = String::with_capacity(json.len() + 16);
    for letter in json.chars() {
        if steers_terminal(letter) {
            // All of them are below U+10000, so each is one escape. Writing to a string cannot fail.
            let _infallible = write!(plain, "\\u{:04x}", u32::from(letter));
        } else {
            plain.push(letter);
        }
    }
    Cow::Owned(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_is_written_out_and_the_rest_stays() {
        let plain = "a\tb\n日本 👩\u{200d}🚀 \u{200f}שלום";
        assert_eq!(for_terminal(plain), plain);
        assert!(matches!(for_terminal(plain), Cow::Borrowed(_)));
        assert_eq!(for_terminal("\u{1b}[2J\u{7}\r\nx\ry"), "\\u{1b}[2J\\u{7}\nx\\u{d}y");
        assert_eq!(for_terminal("\u{9b}31m \u{7f}\u{0}"), "\\u{9b}31m \\u{7f}\\u{0}");
        assert_eq!(for_terminal("\u{202e}SSAP\u{2066}"), "\\u{202e}SSAP\\u{2066}");
    }

    #[test]
    fn every_control_character_but_line_ends_and_tabs_steers() {
        let steering = (0..0x110000).filter_map(char::from_u32).filter(|letter| letter.is_control());
        for letter in steering.filter(|letter| !matches!(letter, '\n' | '\t')) {
            let shown = for_terminal(&format!("a{letter}b")).into_owned();
            assert!(!shown.contains(letter), "{shown:?}");
        }
    }

    #[test]
    fn json_stays_the_same_data() {
        let value =
            serde_json::json!({ "text": "\u{1b}]0;x\u{7} \u{9b}2J \u{202e} \u{7f} \"q\"", "\u{85}": 1 });
        let shown = json_for_terminal(&value.to_string()).into_owned();
        assert!(!shown.contains(steers_terminal), "{shown:?}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&shown).ok(), Some(value));
    }
}
