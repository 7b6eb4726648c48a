//! Whether a text matches the condition of a claim.

use crate::ground::words::{Containment, all_among, containment, fold, words_of};
use crate::{Matcher, NumberIs};

use super::Truth;
use super::figures::figures;

pub(crate) fn matches(matcher: &Matcher, text: &str) -> Truth {
    let folded = fold(text);
    let plain = |holds: bool| if holds { Truth::Yes } else { Truth::No };
    match matcher {
        Matcher::Contains(part) => match containment(&fold(part), &folded) {
            Containment::Whole => Truth::Yes,
            Containment::PartOfAWord => Truth::NotQuite,
            Containment::Absent => Truth::No,
        },
        Matcher::Equals(whole) => plain(fold(whole) == folded),
        Matcher::StartsWith(start) => plain(folded.starts_with(&fold(start))),
        Matcher::EndsWith(end) => plain(folded.ends_with(&fold(end))),
        Matcher::Pattern(pattern) => match regex_lite::Regex::new(pattern) {
            Ok(regex) => plain(regex.is_match(text)),
            Err(_) => Truth::Unsure,
        },
        Matcher::Number(wanted) => match figures(text).as_slice() {
            [] => Truth::No,
            [only] => only.value.map_or(Truth::Unsure, |value| plain(is_so(value, *wanted))),
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
        Matcher::Pattern(text) => format!("a text matching /{text}/"),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_a_word_is_not_the_word() {
        assert_eq!(matches(&Matcher::Contains("Order 12".into()), "Order 123"), Truth::NotQuite);
        assert_eq!(matches(&Matcher::Contains("order 12".into()), "Your Order  12 is ready"), Truth::Yes);
        assert_eq!(matches(&Matcher::Pattern("^A-\\d+$".into()), "A-17"), Truth::Yes);
        assert_eq!(matches(&Matcher::Pattern("(".into()), "A-17"), Truth::Unsure);
    }
}
