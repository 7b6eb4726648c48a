//! Separates text in one line from text that is only near: words of two paragraphs, cells or buttons make no sentence.

use super::view::View;

/// The purpose of reading a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LineDirection {
    /// Prose: a link is a part of the line it stands in, and so is a value some way behind its label.
    Prose,
    /// Names: a link is a thing of its own, and only a blank may part the words of one name.
    Names,
}

/// Pieces of text, those that follow each other inside one line together.
pub(crate) fn lines(view: &View, pieces: &[usize], reading: LineDirection) -> Vec<Vec<usize>> {
    let mut lines: Vec<Vec<usize>> = Vec::new();
    for piece in pieces.iter().copied() {
        match lines.last_mut() {
            Some(line) if line.last().is_some_and(|before| follow(view, *before, piece, reading)) => {
                line.push(piece)
            }
            _ => lines.push(vec![piece]),
        }
    }
    lines
}

/// The text of one line.
pub(crate) fn read_line(view: &View, line: &[usize]) -> String {
    line.iter().map(|piece| view.node(*piece).name.as_str()).collect::<Vec<_>>().join(" ")
}

/// The text of one line as it is drawn, where styles change the case of its letters.
pub(crate) fn drawn_line(view: &View, line: &[usize]) -> String {
    line.iter().map(|piece| drawn(view, *piece)).collect::<Vec<_>>().join(" ")
}

/// Whether a style changes the case of any of these texts.
pub(crate) fn is_transformed(view: &View, pieces: &[usize]) -> bool {
    pieces.iter().any(|piece| view.node(*piece).attribute("transform").is_some())
}

fn drawn(view: &View, piece: usize) -> String {
    let node = view.node(piece);
    match node.attribute("transform") {
        Some("uppercase") => node.name.to_uppercase(),
        Some("lowercase") => node.name.to_lowercase(),
        Some("capitalize") => {
            let mut starts = true;
            let capital = |letter: char| {
                let first = starts && letter.is_alphabetic();
                starts = !letter.is_alphanumeric();
                if first { letter.to_uppercase().to_string() } else { letter.to_string() }
            };
            node.name.chars().map(capital).collect()
        }
        _ => node.name.clone(),
    }
}

/// Whether two pieces of text are read as one line: nothing but inline elements between them, and side by side.
fn follow(view: &View, one: usize, other: usize, reading: LineDirection) -> bool {
    let around = |at: usize| std::iter::once(at).chain(view.scene.ancestors(at)).collect::<Vec<_>>();
    let (ones, others) = (around(one), around(other));
    let shared = ones.iter().copied().find(|at| others.contains(at));
    let apart = |path: &[usize]| {
        path.iter().copied().take_while(|at| Some(*at) != shared).any(|at| !is_inline(view, at, reading))
    };
    if apart(&ones) || apart(&others) {
        return false;
    }
    // What stands between them, a field or a picture of a button, parts them as well.
    if (one + 1..other)
        .any(|at| !others.contains(&at) && view.is_control(at) && !is_inline(view, at, reading))
    {
        return false;
    }
    side_by_side(view, one, other, reading)
}

fn is_inline(view: &View, at: usize, reading: LineDirection) -> bool {
    const INLINE_TAGS: &[&str] = &[
        "a", "abbr", "b", "bdi", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins", "kbd",
        "label", "mark", "q", "s", "samp", "small", "span", "strong", "sub", "sup", "time", "u", "var",
    ];
    let node = view.node(at);
    match node.role.as_str() {
        "link" => reading == LineDirection::Prose,
        "text" | "strong" | "emphasis" | "code" | "time" | "mark" | "insertion" | "superscript"
        | "subscript" | "label" => true,
        "generic" | "clickable" => node.attribute("tag").is_some_and(|tag| INLINE_TAGS.contains(&tag)),
        _ => false,
    }
}

/// By where they are drawn, as far as that is known.
fn side_by_side(view: &View, one: usize, other: usize, reading: LineDirection) -> bool {
    let (one, other) = (view.node(one).area, view.node(other).area);
    if one[2] <= 0.0 || one[3] <= 0.0 || other[2] <= 0.0 || other[3] <= 0.0 {
        return reading == LineDirection::Prose;
    }
    let least = one[3].min(other[3]);
    let overlap = (one[1] + one[3]).min(other[1] + other[3]) - one[1].max(other[1]);
    let gap = other[0] - (one[0] + one[2]);
    let most = match reading {
        LineDirection::Prose => 4.0,
        LineDirection::Names => 0.35,
    };
    overlap >= least * 0.4 && gap <= least * most
}
