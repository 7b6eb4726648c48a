//! Whether a text is as a claim wants it.

use crate::ground::words::{Standing, all_among, fold, standing, words_of};
use crate::{Matcher, NumberIs};

use super::Truth;

pub(crate) fn matches(matcher: &Matcher, text: &str) -> Truth {
    let folded = fold(text);
    let plain = |holds: bool| if holds { Truth::Yes } else { Truth::No };
    match matcher {
        Matcher::Contains(part) => match standing(&fold(part), &folded) {
            Standing::Whole => Truth::Yes,
            Standing::PartOfAWord => Truth::NotQuite,
            Standing::Absent => Truth::No,
        },
        Matcher::Equals(whole) => plain(fold(whole) == folded),
        Matcher::StartsWith(start) => plain(folded.starts_with(&fold(start))),
        Matcher::EndsWith(end) => plain(folded.ends_with(&fold(end))),
        Matcher::Pattern(pattern) => match regex_lite::Regex::new(pattern) {
            Ok(regex) => plain(regex.is_match(text)),
            Err(_) => Truth::Unsure,
        },
        Matcher::Number(wanted) => match numbers(text).as_slice() {
            [] => Truth::No,
            [only] => plain(is_so(*only, *wanted)),
            _ => Truth::Unsure,
        },
        Matcher::Empty => plain(folded.is_empty()),
        Matcher::Words(words) => plain(all_among(words, &words_of(text))),
    }
}

/// For messages: what was wanted, literals in quotation marks.
pub(crate) fn wanted(matcher: &Matcher) -> String {
    match matcher {
        Matcher::Contains(text) | Matcher::Equals(text) => format!("\"{text}\""),
        Matcher::StartsWith(text) => format!("a text that starts with \"{text}\""),
        Matcher::EndsWith(text) => format!("a text that ends with \"{text}\""),
        Matcher::Pattern(text) => format!("a text like /{text}/"),
        Matcher::Number(number) => wanted_number(*number),
        Matcher::Empty => "nothing".to_string(),
        Matcher::Words(words) => format!("\"{}\"", words.join(" ")),
    }
}

pub(crate) fn wanted_number(number: NumberIs) -> String {
    match number {
        NumberIs::Exactly(wanted) => format!("{wanted}"),
        NumberIs::AtLeast(least) => format!("at least {least}"),
        NumberIs::AtMost(most) => format!("at most {most}"),
        NumberIs::MoreThan(bound) => format!("more than {bound}"),
        NumberIs::LessThan(bound) => format!("less than {bound}"),
        NumberIs::Between(low, high) => format!("between {low} and {high}"),
        NumberIs::AtLeastOne => "at least one".to_string(),
    }
}

pub(crate) fn is_so(number: f64, wanted: NumberIs) -> bool {
    const SAME: f64 = 1e-9;
    match wanted {
        NumberIs::Exactly(exactly) => (number - exactly).abs() < SAME,
        NumberIs::AtLeast(least) => number >= least - SAME,
        NumberIs::AtMost(most) => number <= most + SAME,
        NumberIs::MoreThan(bound) => number > bound + SAME,
        NumberIs::LessThan(bound) => number < bound - SAME,
        NumberIs::Between(low, high) => number >= low - SAME && number <= high + SAME,
        NumberIs::AtLeastOne => number >= 1.0 - SAME,
    }
}

/// All numbers in a text: `$1,234.50` is one, `1.234,50 €` is the same one.
pub(crate) fn numbers(text: &str) -> Vec<f64> {
    let letters: Vec<char> = text.chars().collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < letters.len() {
        if !letters[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let start = at;
        while at < letters.len()
            && (letters[at].is_ascii_digit()
                || (matches!(letters[at], '.' | ',' | '\'' | '\u{a0}' | '\u{202f}')
                    && letters.get(at + 1).is_some_and(char::is_ascii_digit)))
        {
            at += 1;
        }
        let written: String = letters[start..at].iter().collect();
        let minus = start > 0
            && matches!(letters[start - 1], '-' | '\u{2212}')
            && (start < 2 || !letters[start - 2].is_alphanumeric());
        if let Some(number) = read_number(&written) {
            found.push(if minus { -number } else { number });
        }
    }
    found
}

fn read_number(written: &str) -> Option<f64> {
    let compact: String =
        written.chars().filter(|letter| !matches!(letter, '\'' | '\u{a0}' | '\u{202f}')).collect();
    let last = compact.rfind(['.', ',']);
    let marks: Vec<char> = compact.chars().filter(|letter| matches!(letter, '.' | ',')).collect();
    let decimal = last.filter(|last| {
        let mark = compact.as_bytes()[*last] as char;
        let digits = compact.len() - last - 1;
        let mixed = marks.iter().any(|other| *other != mark);
        // Three digits after a single comma group thousands; after a single point they are a fraction.
        mixed || (marks.len() == 1 && (digits != 3 || mark == '.'))
    });
    let plain: String = match decimal {
        Some(place) => {
            let whole: String = compact[..place].chars().filter(char::is_ascii_digit).collect();
            format!("{whole}.{}", &compact[place + 1..])
        }
        None => compact.chars().filter(char::is_ascii_digit).collect(),
    };
    plain.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_people_write_them() {
        assert_eq!(numbers("Total: $1,234.50"), [1234.5]);
        assert_eq!(numbers("1.234,50 €"), [1234.5]);
        assert_eq!(numbers("12,000 items"), [12000.0]);
        assert_eq!(numbers("3.5 of 5"), [3.5, 5.0]);
        assert_eq!(numbers("-7 °C"), [-7.0]);
        assert!(numbers("none").is_empty());
    }

    #[test]
    fn a_part_of_a_word_is_not_the_word() {
        assert_eq!(matches(&Matcher::Contains("Order 12".into()), "Order 123"), Truth::NotQuite);
        assert_eq!(matches(&Matcher::Contains("order 12".into()), "Your Order  12 is ready"), Truth::Yes);
        assert_eq!(matches(&Matcher::Pattern("^A-\\d+$".into()), "A-17"), Truth::Yes);
        assert_eq!(matches(&Matcher::Pattern("(".into()), "A-17"), Truth::Unsure);
    }
}
