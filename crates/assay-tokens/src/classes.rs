//! The classes of characters that the o200k_base pattern tells apart.
//!
//! Knows Unicode general categories through the generated table. The methods of
//! `char` are not used, because they follow other properties: `is_alphabetic`, for
//! one, is also true for some marks and numbers.

use crate::categories::RANGES;

/// What the pattern sees in a character. The numbers are those of the generated table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Upper-case and title-case letters: `Lu`, `Lt`.
    Upper = 0,
    /// Lower-case letters: `Ll`.
    Lower = 1,
    /// Letters without case: `Lm`, `Lo`. They may stand where either case may.
    Caseless = 2,
    /// Marks, `M`. They belong to words, but are not letters.
    Mark = 3,
    /// Numbers of all kinds: `N`.
    Number = 4,
    /// White space, line breaks included: `\s`.
    Space = 5,
    /// Everything else: punctuation, symbols, control characters, unassigned code points.
    Other = 6,
}

/// In the generated table, a range in which upper and lower case take turns.
const ALTERNATING: u32 = 7;

impl Class {
    pub fn of(character: char) -> Self {
        match u8::try_from(character) {
            Ok(byte) if byte.is_ascii() => Self::of_ascii(byte),
            _ => Self::of_table(u32::from(character)),
        }
    }

    pub fn of_ascii(byte: u8) -> Self {
        match byte {
            b'a'..=b'z' => Self::Lower,
            b'A'..=b'Z' => Self::Upper,
            b'0'..=b'9' => Self::Number,
            b'\t'..=b'\r' | b' ' => Self::Space,
            _ => Self::Other,
        }
    }

    fn of_table(code: u32) -> Self {
        let range = RANGES.partition_point(|&range| range >> 3 <= code) - 1;
        match RANGES[range] & 7 {
            ALTERNATING if (code - (RANGES[range] >> 3)).is_multiple_of(2) => Self::Upper,
            ALTERNATING => Self::Lower,
            0 => Self::Upper,
            1 => Self::Lower,
            2 => Self::Caseless,
            3 => Self::Mark,
            4 => Self::Number,
            5 => Self::Space,
            _ => Self::Other,
        }
    }

    /// Whether it may stand in the first, upper-case half of a word.
    pub fn may_be_upper(self) -> bool {
        matches!(self, Self::Upper | Self::Caseless | Self::Mark)
    }

    /// Whether it may stand in the second, lower-case half of a word.
    pub fn may_be_lower(self) -> bool {
        matches!(self, Self::Lower | Self::Caseless | Self::Mark)
    }

    /// Whether it is neither a letter nor a number nor white space.
    pub fn is_symbol(self) -> bool {
        matches!(self, Self::Mark | Self::Other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(characters: &str, expected: Class) {
        for character in characters.chars() {
            assert_eq!(Class::of(character), expected, "{character:?}");
        }
    }

    #[test]
    fn letters_are_told_apart_by_case() {
        check("AZÀÖØĀĂŽΩЖԱǅᾈẞ𝐀𐐀", Class::Upper);
        check("azßàöøāăžωжաﬁ𝐚𐐨ſ", Class::Lower);
        check("ªºʰˆאبकกあ中가ｱ𠀀", Class::Caseless);
    }

    #[test]
    fn marks_and_numbers_are_no_letters() {
        check("\u{301}\u{93f}\u{e31}\u{fe0f}\u{20e3}\u{e0100}", Class::Mark);
        check("09²¼٣१Ⅷ①〇㊿𝟘", Class::Number);
    }

    #[test]
    fn white_space_follows_the_unicode_property() {
        check(" \t\n\u{b}\u{c}\r\u{85}\u{a0}\u{1680}\u{2003}\u{2028}\u{202f}\u{205f}\u{3000}", Class::Space);
        check("\u{1c}\u{200b}\u{feff}\u{180e}", Class::Other);
    }

    #[test]
    fn everything_else_is_other() {
        check("!_€—。ⓐ🙂\u{200d}\u{0}\u{7f}\u{378}\u{e000}\u{10ffff}", Class::Other);
    }
}
