//! Whether words are good or bad news. A message that says both or neither counts as neither.

use crate::Tone;
use crate::ground::words::words_of;

const BAD_NEWS: &[&str] = &[
    "error",
    "errors",
    "failed",
    "failure",
    "fail",
    "fails",
    "invalid",
    "incorrect",
    "wrong",
    "required",
    "denied",
    "cannot",
    "unable",
    "expired",
    "missing",
    "locked",
    "rejected",
    "declined",
    "refused",
    "unknown",
    "unsuccessful",
    "problem",
    "problems",
    "sorry",
    "blocked",
    "oops",
    "cancelled",
    "canceled",
    "aborted",
    "timeout",
    "timed",
    "insufficient",
    "exceeded",
    "exceeds",
    "conflict",
    "lost",
    "unavailable",
    "unauthorized",
    "unauthorised",
    "forbidden",
    "permission",
    "unsaved",
    "undelivered",
    "unpaid",
    "unfortunately",
    "mismatch",
    "duplicate",
];
const GOOD_NEWS: &[&str] = &[
    "success",
    "successful",
    "successfully",
    "saved",
    "thank",
    "thanks",
    "created",
    "updated",
    "added",
    "sent",
    "completed",
    "confirmed",
    "deleted",
    "removed",
    "welcome",
    "done",
    "congratulations",
    "great",
    "placed",
    "logged",
];
/// Words that turn what follows them. Fewer than deny a text: what "cannot be changed" may be good news.
const NEGATIONS: &[&str] = &["not", "no", "never", "nothing", "none", "neither", "nor", "without", "hardly"];
/// Words that errors often have, and other texts as well.
const DEMANDS: &[&str] = &["must", "too", "already", "please"];

/// What one part of a sentence says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum News {
    Good,
    Bad,
    /// Something is denied, or less than all was done.
    Doubtful,
    Demanding,
    Plain,
}

/// The tone of a text by its words alone; None when nothing tells, or when it says both.
pub(super) fn tone_of_words(text: &str) -> Option<Tone> {
    let words = words_of(text);
    if words.iter().any(|word| matches!(word.as_str(), "warning" | "caution")) {
        return Some(Tone::Warning);
    }
    let parts: Vec<News> = text
        .split(['.', ',', ';', '!', '?', ':', '\n', '–', '—'])
        .filter(|part| !part.trim().is_empty())
        .map(news)
        .collect();
    let has = |news: News| parts.contains(&news);
    match (has(News::Good), has(News::Bad), has(News::Doubtful)) {
        (true, false, false) => Some(Tone::Success),
        (false, true, _) => Some(Tone::Error),
        _ => None,
    }
}

/// "You must accept the terms": in an alert this is an error, in other texts it is unclear.
pub(super) fn demands(text: &str) -> bool {
    words_of(text).iter().any(|word| DEMANDS.contains(&word.as_str()))
}

/// Whether a text may tell of a failure, or ask for something that is not there yet.
pub(super) fn may_be_trouble(text: &str) -> bool {
    /// A line that explains the stars of a form.
    const LEGEND: &[&str] = &[
        "required",
        "field",
        "fields",
        "are",
        "is",
        "marked",
        "with",
        "an",
        "asterisk",
        "indicates",
        "denotes",
        "a",
        "all",
        "optional",
        "means",
    ];
    let words = words_of(text);
    if words.is_empty() || text.contains('?') || words.iter().all(|word| LEGEND.contains(&word.as_str())) {
        return false;
    }
    let demands = words.len() >= 3 && demands(text);
    tells_of_trouble(text) || demands
}

/// Whether a text tells of a failure.
pub fn tells_of_trouble(text: &str) -> bool {
    const BROKEN: &[&str] =
        &["whoops", "broke", "broken", "crashed", "incomplete", "exists", "taken", "offline"];
    let words = words_of(text);
    let is_refused =
        words.iter().any(|word| word.ends_with("n't") || matches!(word.as_str(), "cannot" | "unable"))
            || words
                .windows(2)
                .any(|pair| pair[1] == "not" && matches!(pair[0].as_str(), "could" | "can" | "was" | "is"));
    let is_broken = words.iter().any(|word| BROKEN.contains(&word.as_str()));
    tone_of_words(text) == Some(Tone::Error) || is_refused || is_broken
}

fn news(part: &str) -> News {
    let words = words_of(part);
    let is_negation = |word: &String| NEGATIONS.contains(&word.as_str()) || word.ends_with("n't");
    let denied = words.iter().any(is_negation);
    let good = words.iter().any(|word| GOOD_NEWS.contains(&word.as_str()));
    let bad = words.iter().any(|word| BAD_NEWS.contains(&word.as_str()));
    // "0 of 3 users added".
    let is_less = words.iter().any(|word| word == "0" || word == "zero");
    match (good, bad) {
        // "Login was not successful": the bad word is the denial of the good one.
        (true, false) if denied => News::Bad,
        (true, _) if is_less => News::Doubtful,
        (true, true) if denied => News::Bad,
        (true, true) => News::Doubtful,
        (true, false) => News::Good,
        // "No problem".
        (false, true) if words.iter().take(2).any(|word| word == "no") && words.len() <= 3 => News::Plain,
        (false, true) => News::Bad,
        (false, false) if denied => News::Doubtful,
        (false, false) if words.iter().any(|word| DEMANDS.contains(&word.as_str())) => News::Demanding,
        (false, false) => News::Plain,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_news_is_not_told_as_a_success() {
        for text in [
            "Your changes weren’t saved",
            "Nothing was saved",
            "Your order hasn't been placed",
            "Login was not successful: account expired",
            "Message not sent",
        ] {
            assert_eq!(tone_of_words(text), Some(Tone::Error), "{text}");
        }
        for text in [
            "Order created, payment refused",
            "Request timed out before it was saved",
            "0 of 3 users added",
            "Insufficient funds. Order created as draft",
            "Payment cancelled. Thanks for trying",
            "Thanks. Your card wasn't charged",
            "Version 7",
        ] {
            assert_eq!(tone_of_words(text), None, "{text}");
        }
        for text in ["No problem, all saved", "Saved. You can undo this too", "Thanks! You must be happy"] {
            assert_eq!(tone_of_words(text), Some(Tone::Success), "{text}");
        }
    }
}
