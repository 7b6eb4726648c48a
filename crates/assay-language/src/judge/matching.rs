//! Whether a text matches the condition of a claim.

use crate::ground::words::{Containment, all_among, containment, fold, spaced, words_of};
use crate::{Matcher, NumberIs, quotations};

use super::Truth;
use super::figures::{Figure, figures};
use super::negated_text::{denies_run, denies_words};

pub(crate) fn matches(matcher: &Matcher, text: &str) -> Truth {
    let plain = |holds: bool| if holds { Truth::Yes } else { Truth::No };
    match matcher {
        Matcher::Contains(part) => contained(part, text),
        Matcher::Equals(whole) => by_case(whole, text, |whole, text| whole == text),
        Matcher::Said(whole) => said(whole, text),
        Matcher::StartsWith(start) => by_case(start, text, |start, text| text.starts_with(start)),
        Matcher::EndsWith(end) => by_case(end, text, |end, text| text.ends_with(end)),
        Matcher::Pattern(pattern) => match regex_lite::Regex::new(pattern) {
            Ok(regex) => plain(regex.is_match(text)),
            Err(_) => Truth::Unsure,
        },
        Matcher::Number(wanted) => match figures(text).as_slice() {
            [] => Truth::No,
            // "10" may or may not be "10 %" or "10 lb".
            [only] => sized(only, *wanted, only.has_unit()),
            _ => Truth::Unsure,
        },
        Matcher::Amount(wanted, unit) => match figures(text).as_slice() {
            [] => Truth::No,
            [only] => match only.is_in(unit) {
                Some(true) => sized(only, *wanted, false),
                Some(false) => Truth::No,
                None => sized(only, *wanted, true),
            },
            _ => Truth::Unsure,
        },
        // Only the address of the page is judged by its parts.
        Matcher::Address(_) => Truth::Unsure,
        Matcher::Empty => plain(fold(text).is_empty()),
        Matcher::Words(words) => in_words(words, text),
        Matcher::Sentence(sentence) => stated(sentence, text),
    }
}

/// Word for word, as a part of the text. Other words may mean the same, so only another value contradicts it.
fn stated(sentence: &str, text: &str) -> Truth {
    if containment(&fold(sentence), &fold(text)) != Containment::Whole && !says_bare(sentence, text) {
        return if contradicts(sentence, text) { Truth::NotQuite } else { Truth::No };
    }
    if denies_run(&words_of(sentence), text) {
        return denied(text);
    }
    let is_quoted = |part: &String| spaced(text).contains(&spaced(part));
    if quotations(sentence).iter().all(is_quoted) { Truth::Yes } else { Truth::Unsure }
}

/// "The item has been added" where the page says "Item 9 has been added": articles aside, and the number of the first
/// thing that it names. A text that denies anything is another statement.
fn says_bare(sentence: &str, text: &str) -> bool {
    const DENYING: &[&str] = &[
        "no", "not", "none", "nothing", "never", "without", "cannot", "could", "failed", "unable", "error",
        "if",
    ];
    let is_number = |word: &String| word.chars().all(|letter| letter.is_ascii_digit());
    let is_article = |word: &String| matches!(word.as_str(), "the" | "a" | "an");
    let (mut wanted, mut have) = (words_of(sentence), words_of(text));
    wanted.retain(|word| !is_article(word));
    have.retain(|word| !is_article(word));
    let denies = have.iter().any(|word| DENYING.contains(&word.as_str()) || word.ends_with("n't"));
    if denies || wanted.len() < 3 || wanted.iter().any(is_number) {
        return false;
    }
    let is_one = |number: &String| is_number(number) && number.chars().any(|digit| digit != '0');
    let numbered =
        |window: &[String]| window[0] == wanted[0] && is_one(&window[1]) && window[2..] == wanted[1..];
    have.windows(wanted.len()).any(|window| window == wanted)
        || !text.contains('%') && have.windows(wanted.len() + 1).any(numbered)
}

/// Whether a text says the same of another number: "leaves at 22:15" where "leaves at 22:45" is asked for.
pub(crate) fn contradicts(sentence: &str, text: &str) -> bool {
    /// So many words must agree: fewer are said of many things.
    const AGREEING: usize = 3;
    let is_number = |word: &str| word.chars().all(|letter| letter.is_ascii_digit());
    let value = |word: &str| word.parse::<u64>().ok();
    let (wanted, have) = (words_of(sentence), words_of(text));
    let agreeing = wanted.iter().filter(|word| !is_number(word)).count();
    let numbers = wanted.len() - agreeing;
    numbers > 0
        && agreeing >= AGREEING
        && have.windows(wanted.len().max(1)).any(|window| {
            let pairs = || wanted.iter().zip(window);
            pairs().all(|(one, other)| one == other || is_number(one) && is_number(other))
                && pairs().any(|(one, other)| one != other && value(one) != value(other))
        })
}

/// A text that differs in nothing but its case may be drawn in another one.
fn by_case(wanted: &str, text: &str, holds: impl Fn(&str, &str) -> bool) -> Truth {
    if holds(&spaced(wanted), &spaced(text)) {
        return Truth::Yes;
    }
    if holds(&fold(wanted), &fold(text)) { Truth::Unsure } else { Truth::No }
}

/// Several words that nobody quoted may be a paraphrase, which is not false because the page puts it otherwise.
fn said(whole: &str, text: &str) -> Truth {
    if fold(whole) == fold(text) {
        return Truth::Yes;
    }
    let (words, have) = (words_of(whole), words_of(text));
    let is_value = words.len() <= 2 || whole.chars().next().is_some_and(|first| !first.is_alphabetic());
    if is_value && !all_among(&words, &have) { Truth::No } else { Truth::Unsure }
}

fn contained(part: &str, text: &str) -> Truth {
    match containment(&fold(part), &fold(text)) {
        Containment::Whole if denies_run(&words_of(part), text) => denied(text),
        Containment::Whole if containment(&spaced(part), &spaced(text)) != Containment::Whole => {
            Truth::Unsure
        }
        Containment::Whole => Truth::Yes,
        // "Order 12" is not "Order 123" and "paid" not "unpaid", but "Dash" may be meant by "Dashboard".
        Containment::PartOfAWord if begins_a_word(part, text) => Truth::Unsure,
        Containment::PartOfAWord => Truth::NotQuite,
        Containment::Absent => Truth::No,
    }
}

/// What a few words deny is not so; in a longer text they may deny something else.
fn denied(text: &str) -> Truth {
    if words_of(text).len() <= 5 { Truth::NotQuite } else { Truth::Unsure }
}

/// Whether the part is the beginning of a longer word in the text: "Dash" in "Dashboard".
fn begins_a_word(part: &str, text: &str) -> bool {
    let (part, text) = (fold(part), fold(text));
    if part.ends_with(|last: char| !last.is_alphabetic()) || part.contains(['@', '.']) {
        return false;
    }
    text.match_indices(&part).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + part.len()..].chars().next();
        before.is_none_or(|letter| letter == ' ') && after.is_some_and(char::is_alphabetic)
    })
}

/// A part of a word may be asked for where "contains" is said of one string: an address, a title, a value.
/// Numbers stay whole.
pub(crate) fn loosely(matcher: &Matcher, text: &str) -> Truth {
    let Matcher::Contains(part) = matcher else { return matches(matcher, text) };
    let is_digit = |letter: Option<char>| letter.is_some_and(|letter| letter.is_ascii_digit());
    let is_number = is_digit(part.chars().next()) || is_digit(part.chars().next_back());
    if !is_number && spaced(text).contains(&spaced(part)) {
        return Truth::Yes;
    }
    match containment(&spaced(part), &spaced(text)) {
        Containment::Whole => Truth::Yes,
        Containment::PartOfAWord => Truth::NotQuite,
        Containment::Absent if fold(text).contains(&fold(part)) => Truth::NotQuite,
        Containment::Absent => Truth::No,
    }
}

/// The value of a field is known letter by letter: nothing about it is forgiven.
pub(crate) fn exactly(matcher: &Matcher, value: &str) -> Truth {
    match matcher {
        Matcher::Equals(whole) if value == whole => Truth::Yes,
        Matcher::Equals(whole) if fold(value) == fold(whole) => Truth::NotQuite,
        Matcher::Equals(_) => Truth::No,
        Matcher::StartsWith(start) | Matcher::EndsWith(start) => {
            let at_edge = |value: &str, edge: &str| match matcher {
                Matcher::StartsWith(_) => value.starts_with(edge),
                _ => value.ends_with(edge),
            };
            match (at_edge(value, start), at_edge(&fold(value), &fold(start))) {
                (true, _) => Truth::Yes,
                (false, true) => Truth::NotQuite,
                (false, false) => Truth::No,
            }
        }
        _ => loosely(matcher, value),
    }
}

fn in_words(words: &[String], text: &str) -> Truth {
    let have = words_of(text);
    if !all_among(words, &have) {
        return Truth::No;
    }
    let mut rest = have.as_slice();
    let is_in_order = words.iter().all(|word| {
        let at = rest.iter().position(|other| crate::ground::words::same_word(word, other));
        rest = at.map_or(&[], |at| &rest[at + 1..]);
        at.is_some()
    });
    match is_in_order {
        true if denies_words(words, text) => denied(text),
        true => Truth::Yes,
        false => Truth::Unsure,
    }
}

fn sized(figure: &Figure, wanted: NumberIs, is_doubtful: bool) -> Truth {
    match figure.value.map(|value| is_so(value, wanted)) {
        Some(true) if is_doubtful => Truth::Unsure,
        Some(true) => Truth::Yes,
        Some(false) => Truth::No,
        None => Truth::Unsure,
    }
}

/// For messages: what was wanted, literals in quotation marks.
pub(crate) fn wanted(matcher: &Matcher) -> String {
    match matcher {
        Matcher::Contains(text) | Matcher::Equals(text) | Matcher::Said(text) | Matcher::Address(text) => {
            format!("\"{text}\"")
        }
        Matcher::StartsWith(text) => format!("a text that starts with \"{text}\""),
        Matcher::EndsWith(text) => format!("a text that ends with \"{text}\""),
        Matcher::Pattern(text) => format!("a text matching /{text}/"),
        Matcher::Number(number) => wanted_number(*number),
        Matcher::Amount(number, unit) => format!("{} ({unit})", wanted_number(*number)),
        Matcher::Empty => "nothing".to_string(),
        Matcher::Words(words) => format!("\"{}\"", words.join(" ")),
        Matcher::Sentence(sentence) => format!("the statement `{sentence}`"),
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

    #[track_caller]
    fn check(matcher: Matcher, text: &str, expected: Truth) {
        assert_eq!(matches(&matcher, text), expected, "{matcher:?} in {text:?}");
    }

    fn part(text: &str) -> Matcher {
        Matcher::Contains(text.to_string())
    }

    fn words(text: &str) -> Matcher {
        Matcher::Words(text.split(' ').map(str::to_string).collect())
    }

    #[test]
    fn a_part_of_a_word_is_not_the_word() {
        check(part("Order 12"), "Order 123", Truth::NotQuite);
        check(part("Order 12"), "Your Order  12 is ready", Truth::Yes);
        check(part("Dash"), "Dashboard", Truth::Unsure);
        assert_eq!(loosely(&part("Dash"), "Dashboard"), Truth::Yes);
        check(Matcher::Pattern("^A-\\d+$".into()), "A-17", Truth::Yes);
        check(Matcher::Pattern("(".into()), "A-17", Truth::Unsure);
    }

    #[test]
    fn what_a_text_denies_it_does_not_say() {
        check(part("Saved"), "Not Saved: connection lost", Truth::NotQuite);
        check(part("changes saved"), "No changes saved", Truth::NotQuite);
        check(words("order confirmed"), "Order not confirmed", Truth::NotQuite);
        check(words("payment successful"), "Payment was not successful", Truth::NotQuite);
        check(words("payment successful"), "Payment successful", Truth::Yes);
        check(part("Not saved"), "Not saved", Truth::Yes);
        check(part("Saved"), "No problems. Saved", Truth::Yes);
        check(words("confirmed order"), "Order confirmed", Truth::Unsure);
    }

    #[test]
    fn case_counts_in_quotation_marks() {
        check(part("order 12"), "Your Order 12 is ready", Truth::Unsure);
        check(Matcher::Equals("dataframe DEMO".into()), "DataFrame Demo", Truth::Unsure);
        check(Matcher::Said("active".into()), "Active", Truth::Yes);
        assert_eq!(exactly(&Matcher::Equals("ABC".into()), "abc "), Truth::NotQuite);
        assert_eq!(exactly(&Matcher::Equals("ABC".into()), "ABC"), Truth::Yes);
    }

    #[test]
    fn units_count() {
        let amount = |number: NumberIs, unit: &str| Matcher::Amount(number, unit.to_string());
        check(amount(NumberIs::LessThan(50.0), "$"), "Price: €45", Truth::No);
        check(amount(NumberIs::LessThan(50.0), "$"), "Price: $45", Truth::Yes);
        check(amount(NumberIs::LessThan(50.0), "$"), "Price: 45", Truth::Unsure);
        check(Matcher::Number(NumberIs::Exactly(10.0)), "Discount: 10%", Truth::Unsure);
        check(Matcher::Number(NumberIs::Exactly(5.0)), "Weight: 5 lb", Truth::Unsure);
        check(Matcher::Number(NumberIs::Exactly(30.0)), "Total: $30.00", Truth::Yes);
        check(Matcher::Number(NumberIs::Exactly(3.0)), "3 items", Truth::Yes);
    }
}
