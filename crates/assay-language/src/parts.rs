//! The parts of a goal: sentences that can be carried out one after the other.

use crate::{Hints, read};

/// Words that mean something of the part before them: such a part cannot be done alone.
const POINTING: &[&str] = &[
    "it", "its", "them", "they", "their", "this", "that", "these", "those", "there", "he", "she", "his",
    "her", "him", "one",
];

/// A goal as parts in order. It is split at ends of sentences, at `then`, and at `and` or a comma where the interpreter
/// reads both sides and the second does not point back.
pub fn parts_of(goal: &str) -> Vec<String> {
    sentences(goal).into_iter().flat_map(|sentence| parts(&sentence)).collect()
}

/// Splits at line ends, semicolons and full stops, but not inside quotation marks, numbers, names or addresses.
fn sentences(goal: &str) -> Vec<String> {
    let mut found = vec![String::new()];
    let mut letters = goal.chars().peekable();
    let mut closing: Option<char> = None;
    while let Some(letter) = letters.next() {
        closing = match (closing, letter) {
            (Some(mark), letter) if letter == mark => None,
            (Some(mark), _) => Some(mark),
            (None, '"') => Some('"'),
            (None, '“') => Some('”'),
            (None, _) => None,
        };
        let ends = match letter {
            '\n' | ';' => true,
            '.' => letters.peek().is_none_or(|next| next.is_whitespace()),
            _ => false,
        };
        match (ends && closing.is_none(), found.last_mut()) {
            (true, _) => found.push(String::new()),
            (false, Some(sentence)) => sentence.push(letter),
            (false, None) => {}
        }
    }
    found.iter().map(|sentence| sentence.trim().to_string()).filter(|sentence| !sentence.is_empty()).collect()
}

/// The places between words where a sentence could be split, with the text before and behind.
fn joints(sentence: &str) -> Vec<(&str, &str)> {
    const MARKS: &[&str] = &[", and then ", " and then ", ", then ", " then ", ", and ", " and ", ", "];
    let mut found = Vec::new();
    let mut is_quoted = false;
    let mut from = 0;
    for (at, letter) in sentence.char_indices() {
        if matches!(letter, '"' | '“' | '”') {
            is_quoted = !is_quoted;
        }
        if is_quoted || at < from {
            continue;
        }
        let rest = &sentence[at..];
        let mark = MARKS
            .iter()
            .find(|mark| rest.get(..mark.len()).is_some_and(|start| start.eq_ignore_ascii_case(mark)));
        if let Some(mark) = mark {
            from = at + mark.len();
            found.push((&sentence[..at], &sentence[from..]));
        }
    }
    found
}

fn parts(sentence: &str) -> Vec<String> {
    let stands_alone = |part: &str| !points_back(part) && reads(part);
    let joint = joints(sentence).into_iter().find(|(before, behind)| {
        let begins = parts_begin(behind);
        reads(before) && stands_alone(begins)
    });
    match joint {
        Some((before, behind)) => {
            let mut found = vec![before.trim().to_string()];
            found.extend(parts(behind.trim()));
            found
        }
        None => vec![sentence.trim().to_string()],
    }
}

/// The text up to the next joint whose first part is read: what would be the next part.
fn parts_begin(text: &str) -> &str {
    joints(text).into_iter().map(|(before, _)| before).find(|before| reads(before)).unwrap_or(text)
}

fn reads(part: &str) -> bool {
    let part = part.trim();
    !part.is_empty() && read(part, &Hints::default()).is_ok_and(|intents| !intents.is_empty())
}

fn points_back(part: &str) -> bool {
    /// `that` behind them begins a clause.
    const CLAIMING: &[&str] =
        &["check", "checks", "verify", "verifies", "ensure", "confirm", "assert", "see", "sure", "expect"];
    let lower = part.to_lowercase();
    let words: Vec<&str> =
        lower.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    words.iter().enumerate().any(|(at, word)| {
        let is_clause = *word == "that" && at > 0 && CLAIMING.contains(&words[at - 1]);
        POINTING.contains(word) && !is_clause
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(goal: &str, expected: &[&str]) {
        assert_eq!(parts_of(goal), expected, "{goal}");
    }

    #[test]
    fn a_goal_is_split_where_each_part_can_be_done_alone() {
        check(
            "Click \"Sign in\", then fill \"Ada\" into Name and click \"Save\"",
            &["Click \"Sign in\"", "fill \"Ada\" into Name", "click \"Save\""],
        );
        check(
            "Open the basket and check that the page shows \"Lamp\"",
            &["Open the basket", "check that the page shows \"Lamp\""],
        );
        check("Open the settings. Click \"Save\".", &["Open the settings", "Click \"Save\""]);
        check("Click \"Salt and pepper\"", &["Click \"Salt and pepper\""]);
        check(
            "Go to http://127.0.0.1:8080/a.b; click \"Buy\"",
            &["Go to http://127.0.0.1:8080/a.b", "click \"Buy\""],
        );
    }

    #[test]
    fn a_part_that_points_back_stays_with_what_it_points_to() {
        check("Open the first ticket and delete it", &["Open the first ticket and delete it"]);
    }

    #[test]
    fn words_that_are_not_understood_stay_together() {
        check("Order a lamp and a desk", &["Order a lamp and a desk"]);
        check("", &[]);
        check(" . ; \n", &[]);
    }
}
