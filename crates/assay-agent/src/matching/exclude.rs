//! What a request says it is not about: `not in firefox`, `webkit instead of chromium`, `forget the card one`.

use super::tokens::Token;

/// Behind these, "not" belongs to a verb: "cannot be booked".
const AUXILIARIES: &[&str] = &[
    "can", "could", "do", "does", "did", "is", "are", "was", "were", "will", "would", "should", "has",
    "have", "had", "must", "may", "might", "shall", "need", "to", "be", "am", "why",
];

/// Words between the mark of an exclusion and what it excludes.
const LINKS: &[&str] =
    &["in", "on", "with", "by", "for", "from", "about", "the", "a", "an", "any", "my", "our"];

/// Words that end what is excluded.
const ENDS: &[&str] = &[
    "but", "and", "then", "take", "use", "run", "do", "try", "please", "instead", "just", "only", "i", "we",
    "you", "test", "tests", "one", "ones",
];

const LONGEST: usize = 4;

/// Which words are excluded, marks of the exclusion included. `is_name` tells words that could name something: "not"
/// alone excludes only those.
pub(super) fn excluded(tokens: &[Token], is_name: &dyn Fn(usize) -> bool) -> Vec<bool> {
    let mut out = vec![false; tokens.len()];
    let mut at = 0;
    while at < tokens.len() {
        let Some(mark) = mark_at(tokens, at) else {
            at += 1;
            continue;
        };
        let mut from = at + mark.length;
        while from < tokens.len() && LINKS.contains(&tokens[from].text.as_str()) {
            from += 1;
        }
        let mut to = from;
        while to < tokens.len()
            && to - from < LONGEST
            && !tokens[to].is_mark
            && (to == from || !ENDS.contains(&tokens[to].text.as_str()))
        {
            to += 1;
        }
        // "the card one", "the refund test"
        if to > from
            && to < tokens.len()
            && matches!(tokens[to].text.as_str(), "one" | "ones" | "test" | "tests")
        {
            to += 1;
        }
        if mark.is_weak {
            to = (from..to).find(|place| !is_name(*place)).unwrap_or(to);
        }
        if to > from && (from..to).any(is_name) {
            out[at..to].fill(true);
            at = to;
        } else {
            at += 1;
        }
    }
    out
}

struct Mark {
    length: usize,
    /// It excludes names only.
    is_weak: bool,
}

fn mark_at(tokens: &[Token], at: usize) -> Option<Mark> {
    let word = |place: usize| tokens.get(place).map(|token| token.text.as_str()).unwrap_or_default();
    let strong = |length| Some(Mark { length, is_weak: false });
    if tokens[at].is_mark || tokens[at].quote.is_some() {
        return None;
    }
    match (word(at), word(at + 1)) {
        ("instead" | "inst", "of") | ("rather", "than") | ("other", "than") | ("forget", "about") => {
            strong(2)
        }
        ("forget" | "except" | "excluding" | "skip", _) => strong(1),
        ("leave", "out") | ("apart", "from") => strong(2),
        ("not", _) => {
            let before = at.checked_sub(1).map(|before| tokens[before].text.as_str());
            let is_verbal = before.is_some_and(|before| AUXILIARIES.contains(&before));
            (!is_verbal).then_some(Mark { length: 1, is_weak: true })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tokens;
    use super::*;

    #[track_caller]
    fn check(request: &str, expected: &str) {
        let words = tokens(request);
        let names =
            ["firefox", "webkit", "card", "guest", "checkout", "chromium", "sms", "wrong", "password"];
        let out = excluded(&words, &|at| names.contains(&words[at].text.as_str()) || words[at].is("the"));
        let kept: Vec<&str> =
            words.iter().zip(out).filter(|(_, out)| !out).map(|(token, _)| token.text.as_str()).collect();
        assert_eq!(kept.join(" "), expected);
    }

    #[test]
    fn what_is_excluded_is_not_heard() {
        check("guest checkout not in firefox", "guest checkout");
        check("webkit instead of chromium please", "webkit please");
        check("skip the card one, guest checkout", ", guest checkout");
        check("run all except wrong password", "run all");
    }

    #[test]
    fn other_negations_stay() {
        check("guests can not be booked", "guests can not be booked");
        check("do not run firefox", "do not run firefox");
        check("requirements not covered", "requirements not covered");
    }
}
