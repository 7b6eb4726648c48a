//! What is read in one line, and what only stands near: words of two paragraphs, cells or buttons make no sentence.

use crate::Matcher;
use crate::ground::view::View;

use super::Truth;
use super::matching::matches;

/// Pieces of text as lines: those that follow each other inside one line of text are one.
pub(crate) fn lines(view: &View, pieces: &[usize]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut before: Option<usize> = None;
    for piece in pieces.iter().copied() {
        let name = &view.node(piece).name;
        match (before.filter(|before| follow(view, *before, piece)), lines.last_mut()) {
            (Some(_), Some(line)) => {
                line.push(' ');
                line.push_str(name);
            }
            _ => lines.push(name.clone()),
        }
        before = Some(piece);
    }
    lines
}

/// Whether pieces of text say it: `Unsure` when only words that do not belong together do.
pub(crate) fn say(view: &View, pieces: &[usize], matcher: &Matcher) -> Truth {
    let lines = lines(view, pieces);
    let whole = matches(matcher, &lines.join(" "));
    let separable = !matches!(matcher, Matcher::Empty | Matcher::Number(_));
    if lines.len() < 2 || !separable {
        return whole;
    }
    let each: Vec<Truth> = lines.iter().map(|line| matches(matcher, line)).collect();
    match whole {
        _ if each.contains(&Truth::Yes) => Truth::Yes,
        Truth::Yes => Truth::Unsure,
        Truth::No if each.contains(&Truth::NotQuite) => Truth::NotQuite,
        other => other,
    }
}

/// Whether two pieces of text are read as one line: nothing but inline elements between them, and side by side.
fn follow(view: &View, one: usize, other: usize) -> bool {
    let around = |at: usize| std::iter::once(at).chain(view.scene.ancestors(at)).collect::<Vec<_>>();
    let (ones, others) = (around(one), around(other));
    let shared = ones.iter().copied().find(|at| others.contains(at));
    let apart = |path: &[usize]| {
        path.iter().copied().take_while(|at| Some(*at) != shared).any(|at| !is_inline(view, at))
    };
    if apart(&ones) || apart(&others) {
        return false;
    }
    // What stands between them, a field or a picture of a button, parts them as well.
    if (one + 1..other).any(|at| !others.contains(&at) && view.is_control(at) && !is_inline(view, at)) {
        return false;
    }
    side_by_side(view, one, other)
}

fn is_inline(view: &View, at: usize) -> bool {
    const INLINE_TAGS: &[&str] = &[
        "a", "abbr", "b", "bdi", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins", "kbd",
        "label", "mark", "q", "s", "samp", "small", "span", "strong", "sub", "sup", "time", "u", "var",
    ];
    let node = view.node(at);
    match node.role.as_str() {
        "text" | "link" | "strong" | "emphasis" | "code" | "time" | "mark" | "insertion" | "superscript"
        | "subscript" | "label" => true,
        "generic" | "clickable" => node.attribute("tag").is_some_and(|tag| INLINE_TAGS.contains(&tag)),
        _ => false,
    }
}

/// By where they are drawn, as far as that is known.
fn side_by_side(view: &View, one: usize, other: usize) -> bool {
    let (one, other) = (view.node(one).area, view.node(other).area);
    if one[2] <= 0.0 || one[3] <= 0.0 || other[2] <= 0.0 || other[3] <= 0.0 {
        return true;
    }
    let least = one[3].min(other[3]);
    let overlap = (one[1] + one[3]).min(other[1] + other[3]) - one[1].max(other[1]);
    let gap = other[0] - (one[0] + one[2]);
    overlap >= least * 0.4 && gap <= least * 4.0
}
