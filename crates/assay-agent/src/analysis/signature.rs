//! The error of a result without what changes from run to run: the same error has the same signature.

use assay_protocol::{Part, Verdict};
use assay_report::{TestSummary, one_line};

/// Signatures are keys and are shown: no longer than this.
const LONGEST: usize = 240;

/// Empty for a pass.
pub fn signature_of(test: &TestSummary) -> String {
    let Some(verdict) = test.verdict() else { return "not-finished".to_owned() };
    if verdict == Verdict::Passed {
        return String::new();
    }
    let step = test.last_attempt().and_then(|attempt| attempt.decisive_step());
    let code = step
        .and_then(|step| step.commands.last())
        .filter(|command| !command.ok)
        .and_then(|command| command.code);
    let (place, message) = match step {
        Some(step) => {
            let said = step.ending.as_ref().map(|ending| ending.reason.as_str()).unwrap_or_default();
            let said = if said.is_empty() { test.reason() } else { said.to_owned() };
            (format!("{} {}", part_name(step.part), normalised(&step.text)), said)
        }
        None => ("the test".to_owned(), test.reason()),
    };
    let code = code.map_or(verdict.name(), |code| code.name());
    let whole = format!("{code} | {place} | {}", normalised(&message));
    whole.chars().take(LONGEST).collect()
}

fn part_name(part: Part) -> &'static str {
    match part {
        Part::Precondition => "precondition",
        Part::Setup => "setup",
        Part::Step => "step",
        Part::Expected => "expectation",
        Part::Teardown => "teardown",
    }
}

/// Lower case; `"…"` for quoted values, `<url>`, `<ref>`, `<id>` and `#` for what they are.
pub fn normalised(text: &str) -> String {
    let text = without_quotes(&one_line(text).to_lowercase());
    let words: Vec<String> = text.split_whitespace().map(word).collect();
    words.join(" ")
}

/// What stands between two quotation marks of one kind. A mark inside a word is an apostrophe.
fn without_quotes(text: &str) -> String {
    const PAIRS: [(char, char); 4] = [('"', '"'), ('“', '”'), ('`', '`'), ('«', '»')];
    let mut plain = String::new();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        rest = &rest[letter.len_utf8()..];
        let closing = PAIRS.iter().find(|(opening, _)| *opening == letter).map(|(_, closing)| *closing);
        match closing.and_then(|closing| rest.find(closing).map(|end| (end, closing))) {
            Some((end, closing)) => {
                plain.push_str("\"…\"");
                rest = &rest[end + closing.len_utf8()..];
            }
            None => plain.push(letter),
        }
    }
    plain
}

fn word(word: &str) -> String {
    let bare =
        word.trim_matches(|letter: char| matches!(letter, ',' | ';' | ':' | '.' | '(' | ')' | '[' | ']'));
    if bare.is_empty() {
        return word.to_owned();
    }
    let plain = if bare.contains("://") {
        "<url>".to_owned()
    } else if is_ref(bare) {
        "<ref>".to_owned()
    } else if is_identifier(bare) {
        "<id>".to_owned()
    } else {
        without_numbers(bare)
    };
    word.replacen(bare, &plain, 1)
}

/// `e12`
fn is_ref(word: &str) -> bool {
    word.strip_prefix('e')
        .is_some_and(|number| !number.is_empty() && number.chars().all(|letter| letter.is_ascii_digit()))
}

/// A hash, a UUID, a token: long, and letters and digits in a jumble.
fn is_identifier(word: &str) -> bool {
    let letters = || word.chars().filter(|letter| *letter != '-' && *letter != '_');
    let digits = letters().filter(char::is_ascii_digit).count();
    let is_hex = letters().all(|letter| letter.is_ascii_hexdigit());
    letters().count() >= 8
        && digits >= 2
        && (is_hex || letters().all(|letter| letter.is_ascii_alphanumeric()))
}

/// Each number, with its points and colons, is one `#`.
fn without_numbers(word: &str) -> String {
    let mut plain = String::new();
    for letter in word.chars() {
        let continues = plain.ends_with('#') && matches!(letter, '.' | ',' | ':');
        match letter {
            _ if letter.is_ascii_digit() && plain.ends_with('#') => {}
            _ if letter.is_ascii_digit() => plain.push('#'),
            _ if continues => {}
            _ => plain.push(letter),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn same(one: &str, other: &str) {
        assert_eq!(normalised(one), normalised(other));
    }

    #[test]
    fn what_changes_from_run_to_run_is_not_in_it() {
        same("Expected \"12 €\", got \"13 €\"", "expected \"7 €\", got \"\"");
        same(
            "no answer from http://127.0.0.1:34567/cart after 2.5 s",
            "no answer from http://127.0.0.1:1/ after 12 s",
        );
        same("click e12 failed", "click e7 failed");
        same("order 8f14e45fceea167a is gone", "order c9f0f895fb98ab91 is gone");
        same("the page “Cart (3)” is not open", "the page “Cart (12)” is not open");
        same("3 of 4 rows at 10:31:07", "5 of 9 rows at 09:02:11");
    }

    #[test]
    fn another_error_has_another_signature() {
        for (one, other) in [
            ("nothing is called \"a\"", "the page did not respond in time"),
            ("POST /api/cart answered 500", "POST /api/user answered 500"),
            ("the button is disabled", "the button is covered"),
        ] {
            assert_ne!(normalised(one), normalised(other));
        }
    }

    #[test]
    fn an_open_quote_is_a_letter() {
        assert_eq!(normalised("6\" screen"), "#\" screen");
        assert_eq!(normalised("Don't panic"), "don't panic");
    }
}
