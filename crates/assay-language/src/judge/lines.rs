//! Whether a text matches a claim, line by line.

use crate::Matcher;
use crate::ground::lines::{self, LineDirection, read_line};
use crate::ground::view::View;

use super::Truth;
use super::matching::matches;

/// Pieces of text as lines: those that follow each other inside one line of text are one.
pub(crate) fn lines(view: &View, pieces: &[usize]) -> Vec<String> {
    lines::lines(view, pieces, LineDirection::Prose).iter().map(|line| read_line(view, line)).collect()
}

/// Whether pieces of text say it: `Unsure` when only words that do not belong together do.
pub(crate) fn say(view: &View, pieces: &[usize], matcher: &Matcher) -> Truth {
    let whole = matches(matcher, &read_line(view, pieces));
    let separable = !matches!(matcher, Matcher::Empty | Matcher::Number(_));
    // What is not in all of it is in no line of it.
    let is_part = matches!(matcher, Matcher::Contains(_) | Matcher::Words(_));
    if pieces.len() < 2 || !separable || (is_part && whole == Truth::No) {
        return whole;
    }
    let each: Vec<Truth> = lines(view, pieces).iter().map(|line| matches(matcher, line)).collect();
    match whole {
        _ if each.contains(&Truth::Yes) => Truth::Yes,
        Truth::Yes if each.len() > 1 => Truth::Unsure,
        Truth::No if each.contains(&Truth::NotQuite) => Truth::NotQuite,
        other => other,
    }
}
