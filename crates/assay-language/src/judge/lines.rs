//! Whether a text matches a claim, line by line.

use crate::Matcher;
use crate::ground::lines::{self, LineDirection, drawn_line, is_transformed, read_line};
use crate::ground::view::View;
use crate::ground::words::{fold, spaced};

use super::Truth;
use super::matching::matches;

/// Pieces of text as lines: those that follow each other inside one line of text are one.
pub(crate) fn lines(view: &View, pieces: &[usize]) -> Vec<String> {
    lines::lines(view, pieces, LineDirection::Prose).iter().map(|line| read_line(view, line)).collect()
}

/// Whether pieces of text say it: `Unsure` when only words that do not belong together do. As they are written, or as a
/// style draws them.
pub(crate) fn say(view: &View, pieces: &[usize], matcher: &Matcher) -> Truth {
    let truth = say_as(view, pieces, matcher, read_line);
    if truth != Truth::Unsure || !is_transformed(view, pieces) {
        return truth;
    }
    match say_as(view, pieces, matcher, drawn_line) {
        Truth::Yes => Truth::Yes,
        _ => truth,
    }
}

fn say_as(view: &View, pieces: &[usize], matcher: &Matcher, read: fn(&View, &[usize]) -> String) -> Truth {
    let whole = matches(matcher, &read(view, pieces));
    let separable = !matches!(matcher, Matcher::Empty | Matcher::Number(_) | Matcher::Amount(..));
    // What is not in all of it is in no line of it.
    let is_part = matches!(matcher, Matcher::Contains(_) | Matcher::Words(_) | Matcher::Sentence(_));
    if pieces.len() < 2 || !separable || (is_part && whole == Truth::No) {
        return whole;
    }
    let lines = lines::lines(view, pieces, LineDirection::Prose);
    let each: Vec<Truth> = lines.iter().map(|line| matches(matcher, &read(view, line))).collect();
    match whole {
        _ if each.contains(&Truth::Yes) => Truth::Yes,
        Truth::Yes if each.len() > 1 => Truth::Unsure,
        Truth::No if each.contains(&Truth::NotQuite) => Truth::NotQuite,
        other => other,
    }
}

/// Whether an element bears the quoted name only in another case, and no style draws it so.
pub(crate) fn differs_in_case(view: &View, at: usize, quoted: &str) -> bool {
    let node = view.node(at);
    let mut names =
        vec![node.name.clone(), view.text(at).to_string(), node.value.clone().unwrap_or_default()];
    for name in ["label", "placeholder", "title", "alt", "description", "column"] {
        names.extend(node.attribute(name).map(str::to_string));
    }
    names.extend(view.text_before(at));
    let pieces = view.pieces(at..view.inside(at).end, false);
    names.push(drawn_line(view, &pieces));
    let (exact, folded) = (spaced(quoted), fold(quoted));
    names.iter().any(|name| fold(name).contains(&folded))
        && !names.iter().any(|name| spaced(name).contains(&exact))
}
