//! Text of pages within Markdown: shown, never obeyed.

use crate::plain::one_line;

/// The text as code, however many backticks it holds itself.
pub fn code(text: &str) -> String {
    let text = one_line(text);
    let longest = text.split(|it| it != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest + 1);
    let space = if text.starts_with('`') || text.ends_with('`') || text.is_empty() { " " } else { "" };
    format!("{fence}{space}{text}{space}{fence}")
}

/// The text without what Markdown or HTML would make of it: a page must not
/// write headings, links or scripts into our report.
pub fn escaped(text: &str) -> String {
    let mut safe = String::new();
    for letter in one_line(text).chars() {
        if matches!(letter, '\\' | '`' | '*' | '[' | ']' | '<' | '#' | '|') {
            safe.push('\\');
        }
        safe.push(letter);
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_cannot_write_markdown() {
        assert_eq!(escaped("<script> [x](y)\n# Title"), "\\<script> \\[x\\](y) \\# Title");
        assert_eq!(code("a `` b"), "```a `` b```");
        assert_eq!(code("`"), "`` ` ``");
    }
}
