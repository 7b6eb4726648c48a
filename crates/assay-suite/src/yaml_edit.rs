//! Edits of YAML text that leave all the rest as it is: comments, order, quotes, the ends of lines.
//!
//! An edit is made from the places of parsed nodes. Forms that are hard to edit give no edit, and callers read the
//! result again before they keep it: an edit that does not say exactly what was meant is thrown away.

use crate::node::{Key, Node, Value};

/// Text that takes the place of a part of the file, in bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Edit {
    pub start: usize,
    pub end: usize,
    pub with: String,
}

/// A value to be written.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Written<'a> {
    Text(&'a str),
    List(&'a [String]),
}

/// The text with these edits, which do not overlap.
pub(crate) fn applied(text: &str, mut edits: Vec<Edit>) -> String {
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.start));
    let mut text = text.to_string();
    for edit in edits {
        text.replace_range(edit.start..edit.end, &edit.with);
    }
    text
}

/// How the lines of a file end.
pub(crate) fn line_end(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

/// Whether two trees say the same, wherever they stand.
pub(crate) fn says_the_same(one: &Node, other: &Node) -> bool {
    match (&one.value, &other.value) {
        (Value::Scalar { text, .. }, Value::Scalar { text: other_text, .. }) => {
            text == other_text && one.is_nothing() == other.is_nothing()
        }
        (Value::List(items), Value::List(others)) => {
            items.len() == others.len() && items.iter().zip(others).all(|(a, b)| says_the_same(a, b))
        }
        (Value::Map(entries), Value::Map(others)) => {
            entries.len() == others.len()
                && entries.iter().zip(others).all(|(a, b)| a.0.text == b.0.text && says_the_same(&a.1, &b.1))
        }
        _ => false,
    }
}

/// The same tree without the entry of a mapping.
pub(crate) fn without(node: &Node, key: &str) -> Node {
    let mut node = node.clone();
    if let Value::Map(entries) = &mut node.value {
        entries.retain(|(known, _)| known.text != key);
    }
    node
}

/// Whether a list or mapping is written in brackets.
pub(crate) fn is_in_brackets(text: &str, node: &Node) -> bool {
    match &node.value {
        Value::Scalar { .. } => false,
        Value::List(_) => text[node.span.start..].starts_with('['),
        Value::Map(entries) => match entries.first() {
            // The place of a mapping is that of its first key.
            Some((key, _)) => before(text, key.span.start).ends_with('{'),
            None => true,
        },
    }
}

fn before(text: &str, at: usize) -> &str {
    text[..at].trim_end()
}

/// Where a value ends: after its last letter, or its closing bracket. None where that cannot be seen.
pub(crate) fn end_of(text: &str, node: &Node) -> Option<usize> {
    let last = match &node.value {
        Value::Scalar { .. } => {
            let written = text.get(node.span.start..node.span.end)?;
            return Some(node.span.start + written.trim_end().len());
        }
        Value::List(items) => match items.last() {
            Some(item) => end_of(text, item)?,
            None => node.span.start + 1,
        },
        Value::Map(entries) => match entries.last() {
            Some((key, value)) => end_of(text, value)?.max(key.span.end),
            None => node.span.start + 1,
        },
    };
    if !is_in_brackets(text, node) {
        return Some(last);
    }
    let closing = if matches!(node.value, Value::List(_)) { ']' } else { '}' };
    closing_bracket(text, last, closing)
}

/// After the closing bracket: nothing but blanks, a comma and comments may stand before it.
fn closing_bracket(text: &str, from: usize, closing: char) -> Option<usize> {
    let mut at = from;
    while let Some(letter) = text[at..].chars().next() {
        match letter {
            found if found == closing => return Some(at + 1),
            '#' => at += text[at..].find('\n')?,
            ',' => at += 1,
            blank if blank.is_whitespace() => at += blank.len_utf8(),
            _ => return None,
        }
    }
    None
}

pub(crate) fn start_of_line(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |end| end + 1)
}

/// After the end of the line that `at` is in.
pub(crate) fn next_line(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |end| at + end + 1)
}

/// A new line after the one that ends at `at`.
pub(crate) fn line_after(text: &str, at: usize, line: &str) -> Edit {
    let place = next_line(text, at);
    let end = line_end(text);
    let is_open = place == text.len() && !text.is_empty() && !text.ends_with('\n');
    let with = if is_open { format!("{end}{line}") } else { format!("{line}{end}") };
    Edit { start: place, end: place, with }
}

/// The blanks before the first key of a block mapping: those that a new key needs.
pub(crate) fn indent_of(text: &str, key: &Key) -> String {
    " ".repeat(text[start_of_line(text, key.span.start)..key.span.start].chars().count())
}

/// Sets one entry of a mapping. A new one comes after the last of `after` that is there, or before all others.
pub(crate) fn set(
    text: &str,
    map: &Node,
    key: &str,
    value: Written<'_>,
    after: &[&str],
) -> Option<Vec<Edit>> {
    let Value::Map(entries) = &map.value else { return None };
    let (first, _) = entries.first()?;
    let in_brackets = is_in_brackets(text, map);
    let indent = indent_of(text, first);
    if let Some((known, old)) = entries.iter().find(|(known, _)| known.text == key) {
        return Some(vec![replaced(text, known, old, value, in_brackets, &indent)?]);
    }
    let previous = entries.iter().rev().find(|(known, _)| after.contains(&known.text.as_str()));
    if in_brackets {
        let (start, with) = match previous {
            Some((_, node)) => (end_of(text, node)?, format!(", {key}: {}", in_one_line(value))),
            None => (first.span.start, format!("{key}: {}, ", in_one_line(value))),
        };
        return Some(vec![Edit { start, end: start, with }]);
    }
    let entry = format!("{indent}{key}:{}", in_block(value, &indent, line_end(text)));
    match previous {
        Some((known, node)) => Some(vec![line_after(text, end_of(text, node)?.max(known.span.end), &entry)]),
        None => {
            let start = start_of_line(text, first.span.start);
            // Something else stands before the key: the dash of a list, the mark of a document.
            let is_alone = text[start..first.span.start].trim().is_empty();
            let with = format!("{entry}{}", line_end(text));
            is_alone.then(|| vec![Edit { start, end: start, with }])
        }
    }
}

fn replaced(
    text: &str,
    key: &Key,
    old: &Node,
    value: Written<'_>,
    in_brackets: bool,
    indent: &str,
) -> Option<Edit> {
    let colon = key.span.end + text[key.span.end..].find(':')? + 1;
    let end = if old.is_nothing() { colon } else { end_of(text, old)? };
    let is_plain_line = matches!(old.value, Value::Scalar { .. }) && !text[colon..end].contains('\n');
    let with = match value {
        _ if in_brackets => format!(" {}", in_one_line(value)),
        // What was in brackets stays in brackets.
        Written::List(_) if !old.is_nothing() && is_in_brackets(text, old) => {
            format!(" {}", in_one_line(value))
        }
        Written::Text(words) if is_plain_line && !words.contains('\n') => format!(" {}", scalar(words)),
        value => in_block(value, indent, line_end(text)),
    };
    Some(Edit { start: colon, end, with })
}

/// Takes one entry out of a block mapping, with its line.
pub(crate) fn removed(text: &str, map: &Node, key: &str) -> Option<Vec<Edit>> {
    let Value::Map(entries) = &map.value else { return None };
    let at = entries.iter().position(|(known, _)| known.text == key)?;
    let (known, node) = &entries[at];
    let last = if node.is_nothing() { known.span.end } else { end_of(text, node)? };
    if is_in_brackets(text, map) {
        return match (at.checked_sub(1).and_then(|before| entries.get(before)), entries.get(at + 1)) {
            (Some((_, before)), _) => {
                Some(vec![Edit { start: end_of(text, before)?, end: last, with: String::new() }])
            }
            (None, Some((next, _))) => {
                Some(vec![Edit { start: known.span.start, end: next.span.start, with: String::new() }])
            }
            (None, None) => None,
        };
    }
    let start = start_of_line(text, known.span.start);
    if !text[start..known.span.start].trim().is_empty() {
        return None;
    }
    Some(vec![Edit { start, end: next_line(text, last), with: String::new() }])
}

fn in_one_line(value: Written<'_>) -> String {
    match value {
        Written::Text(text) => scalar(text),
        Written::List(items) => {
            format!("[{}]", items.iter().map(|item| scalar(item)).collect::<Vec<_>>().join(", "))
        }
    }
}

/// What follows the colon of a key in a block mapping.
pub(crate) fn in_block(value: Written<'_>, indent: &str, end: &str) -> String {
    match value {
        Written::Text(text) if can_be_literal(text) => {
            let lines = text.lines().map(|line| match line {
                "" => end.to_string(),
                line => format!("{end}{indent}  {line}"),
            });
            format!(" |-{}", lines.collect::<String>())
        }
        Written::Text(text) => format!(" {}", scalar(text)),
        Written::List([]) => " []".to_string(),
        Written::List(items) => {
            items.iter().map(|item| format!("{end}{indent}  - {}", scalar(item))).collect()
        }
    }
}

/// Several lines that a literal block holds unchanged.
fn can_be_literal(text: &str) -> bool {
    let lines: Vec<&str> = text.split('\n').collect();
    lines.len() > 1
        && lines.iter().all(|line| *line == line.trim_end() && !line.chars().any(char::is_control))
        && lines.first().is_some_and(|line| !line.is_empty() && !line.starts_with(' '))
        && lines.last().is_some_and(|line| !line.is_empty())
}

/// Text as one line of YAML, plain where that is safe everywhere.
pub(crate) fn scalar(text: &str) -> String {
    if is_safe(text) { text.to_string() } else { serde_json::Value::String(text.to_string()).to_string() }
}

fn is_safe(text: &str) -> bool {
    const WORDS: &[&str] = &["true", "false", "null", "yes", "no", "on", "off", "y", "n"];
    let begins_well = text.starts_with(char::is_alphanumeric);
    let is_number = text.starts_with(|letter: char| letter.is_ascii_digit())
        && text.chars().all(|letter| letter.is_ascii_digit() || "._-+:eExXoTZ".contains(letter));
    begins_well
        && !is_number
        && text == text.trim()
        && !text.contains(": ")
        && !text.contains(" #")
        && !text.ends_with(':')
        && !text.contains("${")
        && !text.contains(['[', ']', '{', '}', ',', '"', '\'', '`', '|', '>', '&', '*', '\\', '\u{feff}'])
        && !text.chars().any(|letter| letter.is_control() || ('\u{2028}'..='\u{2029}').contains(&letter))
        && !WORDS.contains(&text.to_ascii_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::problem::Problems;
    use crate::source::Source;
    use crate::yaml;

    fn tree(text: &str) -> Node {
        let source = Arc::new(Source::new("t.yaml".into(), "t.yaml".into(), text.to_string()));
        let mut problems = Problems::default();
        let node = yaml::documents(&source, &mut problems).into_iter().next().unwrap();
        assert!(problems.is_empty(), "{:?}", problems.into_vec());
        node
    }

    #[track_caller]
    fn check(text: &str, key: &str, value: Written<'_>, expected: &str) {
        let edits = set(text, &tree(text), key, value, &["name", "code"]).unwrap();
        let edited = applied(text, edits);
        assert_eq!(edited, expected);
        tree(&edited);
    }

    #[test]
    fn a_value_is_replaced_and_its_comment_stays() {
        check("code: A # one\nname: b\n", "code", Written::Text("B"), "code: B # one\nname: b\n");
        check("code: 'A'\r\nname: b", "code", Written::Text("x: y"), "code: \"x: y\"\r\nname: b");
        check(
            "code: A\nlist: [a, b] # two\n",
            "list",
            Written::List(&["c".into()]),
            "code: A\nlist: [c] # two\n",
        );
        check(
            "code: A\nlist:\n  - a # first\nname: x\n",
            "list",
            Written::List(&["a".into(), "b, c".into()]),
            "code: A\nlist:\n  - a\n  - \"b, c\" # first\nname: x\n",
        );
        check(
            "code: A\ntext: |\n  one\n  two\n\n# last\nname: x\n",
            "text",
            Written::Text("three"),
            "code: A\ntext: three\n\n# last\nname: x\n",
        );
    }

    #[test]
    fn a_new_entry_comes_after_those_it_belongs_to() {
        check("code: A # one\n# end\n", "name", Written::Text("b"), "code: A # one\nname: b\n# end\n");
        check("code: A", "name", Written::Text("b"), "code: A\nname: b");
        check("{code: A}\n", "name", Written::Text("b"), "{code: A, name: b}\n");
        check("x: 1\ny: 2\n", "name", Written::Text("b"), "name: b\nx: 1\ny: 2\n");
        check(
            "code: A\ny: 2\n",
            "text",
            Written::Text("one\n\ntwo"),
            "code: A\ntext: |-\n  one\n\n  two\ny: 2\n",
        );
    }

    #[test]
    fn a_removed_entry_takes_its_line_along() {
        let gone = |text: &str, key: &str| removed(text, &tree(text), key).map(|edits| applied(text, edits));
        assert_eq!(gone("a: 1\nb:\n  - 2 # x\nc: 3\n", "b").unwrap(), "a: 1\nc: 3\n");
        assert_eq!(gone("{a: 1, b: 2}", "b").unwrap(), "{a: 1}");
        assert_eq!(gone("{a: 1, b: 2}", "a").unwrap(), "{b: 2}");
        assert_eq!(gone("a: 1\nb:\n", "b").unwrap(), "a: 1\n");
    }

    #[test]
    fn texts_are_quoted_where_yaml_would_read_something_else() {
        for plain in ["REQ-12", "checkout with a coupon", "it is ok?", "é"] {
            assert_eq!(scalar(plain), plain);
        }
        for quoted in
            ["12", "1.5", "2026-11-19", "true", "No", "", "a: b", "a #b", "- a", "x:", "a, b", " a", "a\nb"]
        {
            assert!(scalar(quoted).starts_with('"'), "{quoted}");
            assert!(matches!(&tree(&format!("a: {}", scalar(quoted))).value,
                Value::Map(entries) if matches!(&entries[0].1.value, Value::Scalar { text, .. } if text == quoted)));
        }
    }
}
