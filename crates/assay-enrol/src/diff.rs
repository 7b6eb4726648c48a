//! The difference of two texts as one hunk of a unified diff.
//!
//! An entry stands at one place, so one hunk is enough. Very long lines are shown around what differs.

const AROUND: usize = 1;
/// Longer lines are shortened.
const LONGEST: usize = 160;
/// What is shown of a shortened line beside its difference.
const BESIDE: usize = 24;

pub(crate) fn unified(before: Option<&str>, after: Option<&str>) -> String {
    if before == after {
        return String::new();
    }
    let (old, new) = (lines(before), lines(after));
    let same = |pairs: usize| pairs.min(old.len()).min(new.len());
    let head = (0..same(usize::MAX)).take_while(|at| old[*at] == new[*at]).count();
    let tail = (0..same(usize::MAX) - head)
        .take_while(|back| old[old.len() - 1 - back] == new[new.len() - 1 - back])
        .count();
    let (begin, old_end, new_end) = (head.saturating_sub(AROUND), old.len() - tail, new.len() - tail);
    let behind = AROUND.min(tail);

    let range = |end: usize| {
        let count = end + behind - begin;
        format!("{},{count}", if count == 0 { begin } else { begin + 1 })
    };
    let mut hunk = format!("@@ -{} +{} @@\n", range(old_end), range(new_end));
    let (removed, added) = (&old[head..old_end], &new[head..new_end]);
    let shorten = |line: &str, other: Option<&&str>| shortened(line, other.copied().unwrap_or_default());
    for line in &old[begin..head] {
        push(&mut hunk, ' ', &shorten(line, None), line);
    }
    for (at, line) in removed.iter().enumerate() {
        push(&mut hunk, '-', &shorten(line, added.get(at)), line);
    }
    for (at, line) in added.iter().enumerate() {
        push(&mut hunk, '+', &shorten(line, removed.get(at)), line);
    }
    for line in &old[old_end..old_end + behind] {
        push(&mut hunk, ' ', &shorten(line, None), line);
    }
    hunk
}

fn lines(text: Option<&str>) -> Vec<&str> {
    text.unwrap_or_default().split_inclusive('\n').collect()
}

fn push(hunk: &mut String, sign: char, shown: &str, line: &str) {
    hunk.push(sign);
    hunk.push_str(shown);
    hunk.push('\n');
    if !line.ends_with('\n') {
        hunk.push_str("\\ no line break at the end of the file\n");
    }
}

/// A line as it is shown: without its line break, and only around what `other` has differently if it is long.
fn shortened(line: &str, other: &str) -> String {
    let line: Vec<char> = line.trim_end_matches(['\r', '\n']).chars().collect();
    if line.len() <= LONGEST {
        return line.into_iter().collect();
    }
    let other: Vec<char> = other.trim_end_matches(['\r', '\n']).chars().collect();
    let most = line.len().min(other.len());
    let head = (0..most).take_while(|at| line[*at] == other[*at]).count();
    let tail = (0..most - head)
        .take_while(|back| line[line.len() - 1 - back] == other[other.len() - 1 - back])
        .count();
    let begin = head.saturating_sub(BESIDE);
    let end = (line.len() - tail + BESIDE).min(line.len()).min(begin + 2 * LONGEST);
    let shown: String = line[begin..end].iter().collect();
    let (before, behind) = (if begin > 0 { "…" } else { "" }, if end < line.len() { "…" } else { "" });
    format!("{before}{shown}{behind}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(before: Option<&str>, after: Option<&str>, expected: &str) {
        assert_eq!(unified(before, after), expected);
    }

    #[test]
    fn only_the_lines_around_the_difference_are_shown() {
        check(Some("a\nb\nc\nd\n"), Some("a\nb\nx\nc\nd\n"), "@@ -2,2 +2,3 @@\n b\n+x\n c\n");
        check(Some("a\nb\nc\n"), Some("a\nB\nc\n"), "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n");
        check(Some("a\n"), Some("a\n"), "");
    }

    #[test]
    fn files_come_and_go() {
        check(None, Some("a\nb\n"), "@@ -0,0 +1,2 @@\n+a\n+b\n");
        check(Some("a\n"), None, "@@ -1,1 +0,0 @@\n-a\n");
    }

    #[test]
    fn a_line_break_that_comes_at_the_end_is_told() {
        check(
            Some("a"),
            Some("a\r\nb"),
            "@@ -1,1 +1,2 @@\n-a\n\\ no line break at the end of the file\n+a\n+b\n\\ no line break at the end of the file\n",
        );
    }

    #[test]
    fn a_long_line_is_shown_around_its_difference() {
        let (long, filling) = ("é".repeat(500), "x".repeat(5));
        let diff = unified(Some(&format!("{long}{long}\n")), Some(&format!("{long}{filling}{long}\n")));
        let added = format!("+…{}{filling}{}…\n", "é".repeat(BESIDE), "é".repeat(BESIDE));
        assert!(diff.ends_with(&added), "{diff}");
    }
}
