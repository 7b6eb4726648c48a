//! Every message that a user can meet, listed file by file: `docs/messages.txt`.
//!
//! A message is a string literal of at least three words in the sources of the product, tests left out. A change of
//! wording shows in the list, and `cargo xtask generated --write` accepts it.

use crate::task::{Failure, Workspace};

/// Crates that users do not run.
const LEFT_OUT: &[&str] = &["assay-testkit"];
/// Scripts with texts of reports.
const REPORT_PAGES: &[&str] = &["crates/assay-report/src/html/page", "crates/assay-report/src/heals/page"];

/// The contents of `docs/messages.txt`.
pub fn page(workspace: &Workspace) -> Result<String, Failure> {
    let mut open: Vec<String> = Vec::new();
    for name in workspace.names_in("crates")? {
        if !LEFT_OUT.contains(&name.as_str()) && workspace.root.join(format!("crates/{name}/src")).is_dir() {
            open.push(format!("crates/{name}/src"));
        }
    }
    let mut files = Vec::new();
    while let Some(folder) = open.pop() {
        for name in workspace.names_in(&folder)? {
            let path = format!("{folder}/{name}");
            if workspace.root.join(&path).is_dir() {
                open.push(path);
            } else if is_read(&folder, &name) {
                files.push(path);
            }
        }
    }
    files.sort();
    let mut page = String::from(
        "Messages of assay, file by file: every text of three words or more that a user can meet.\n\
         Made by `cargo xtask generated --write`; read a changed line aloud before you commit it.\n",
    );
    for path in files {
        let text = workspace.read(&path)?;
        let language = if path.ends_with(".js") { Language::JavaScript } else { Language::Rust };
        let found: Vec<String> =
            literals(&text, language).into_iter().filter(|text| is_message(text)).collect();
        if found.is_empty() {
            continue;
        }
        page.push_str(&format!("\n{path}\n"));
        for message in found {
            page.push_str(&format!("  {}\n", on_one_line(&message)));
        }
    }
    Ok(page)
}

fn is_read(folder: &str, name: &str) -> bool {
    let is_rust = name.ends_with(".rs") && !name.ends_with("_tests.rs") && name != "tests.rs";
    is_rust || (name.ends_with(".js") && REPORT_PAGES.iter().any(|page| folder.starts_with(page)))
}

/// Prose, and no markup, query or script.
fn is_message(text: &str) -> bool {
    const QUERIES: &[&str] =
        &["SELECT ", "INSERT ", "UPDATE ", "DELETE ", "CREATE ", "PRAGMA ", "ALTER ", "DROP ", "WITH "];
    let text = text.trim();
    let words = text.split_whitespace().filter(|word| word.chars().any(|letter| letter.is_ascii_lowercase()));
    words.count() >= 3
        && !text.starts_with('<')
        && !QUERIES.iter().any(|query| text.starts_with(query))
        && !text.contains("=>")
        && !text.contains(";\n")
}

fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Language {
    Rust,
    JavaScript,
}

/// The string literals of a source, in order, without those of its tests.
fn literals(text: &str, language: Language) -> Vec<String> {
    let source: Vec<char> = text.chars().collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < source.len() {
        let rest = &source[at..];
        if starts(rest, "#[cfg(test)]") {
            at = past_item(&source, at);
        } else if starts(rest, "//") {
            at += rest.iter().position(|letter| *letter == '\n').unwrap_or(rest.len());
        } else if starts(rest, "/*") {
            at = find(&source, at + 2, "*/").map_or(source.len(), |end| end + 2);
        } else if language == Language::Rust && raw_hashes(rest).is_some() {
            let hashes = raw_hashes(rest).unwrap_or_default();
            let begin = at + hashes + 2;
            let close = format!("\"{}", "#".repeat(hashes));
            let end = find(&source, begin, &close).unwrap_or(source.len());
            found.push(source[begin.min(end)..end].iter().collect());
            at = end + close.len();
        } else if rest[0] == '"' || (language == Language::JavaScript && matches!(rest[0], '\'' | '`')) {
            let (literal, end) = quoted(&source, at);
            found.push(literal);
            at = end;
        } else if rest[0] == '\'' && language == Language::Rust {
            at += character(rest);
        } else {
            at += 1;
        }
    }
    found
}

fn starts(rest: &[char], word: &str) -> bool {
    word.chars().enumerate().all(|(index, letter)| rest.get(index) == Some(&letter))
}

fn find(source: &[char], from: usize, word: &str) -> Option<usize> {
    (from..source.len()).find(|at| starts(&source[*at..], word))
}

/// How many `#` stand before the quote of a raw string; none where there is no raw string.
fn raw_hashes(rest: &[char]) -> Option<usize> {
    if rest[0] != 'r' {
        return None;
    }
    let hashes = rest[1..].iter().take_while(|letter| **letter == '#').count();
    (rest.get(1 + hashes) == Some(&'"')).then_some(hashes)
}

/// The text of a literal with its escapes resolved as far as words need, and where it ends.
fn quoted(source: &[char], at: usize) -> (String, usize) {
    let quote = source[at];
    let mut text = String::new();
    let mut end = at + 1;
    while end < source.len() && source[end] != quote {
        if source[end] == '\\' {
            end += 1;
            match source.get(end) {
                Some('n' | 't' | 'r') => text.push(' '),
                // A line that goes on: what it is indented by does not count.
                Some('\n') => {
                    while source.get(end + 1).is_some_and(|letter| letter.is_whitespace()) {
                        end += 1;
                    }
                }
                Some(letter) => text.push(*letter),
                None => {}
            }
        } else {
            text.push(source[end]);
        }
        end += 1;
    }
    (text, end + 1)
}

/// The length of a character literal, or of the quote of a lifetime.
fn character(rest: &[char]) -> usize {
    match rest {
        ['\'', '\\', ..] => 3 + rest[3..].iter().position(|letter| *letter == '\'').unwrap_or(0),
        ['\'', _, '\'', ..] => 3,
        _ => 1,
    }
}

/// Behind the item that an attribute belongs to: a block, or a line that ends with a semicolon.
fn past_item(source: &[char], at: usize) -> usize {
    let mut depth = 0;
    let mut end = at;
    while end < source.len() {
        match source[end] {
            '"' => {
                end = quoted(source, end).1;
                continue;
            }
            '\'' => {
                end += character(&source[end..]);
                continue;
            }
            '{' => depth += 1,
            '}' => {
                depth -= 1;
                if depth == 0 {
                    return end + 1;
                }
            }
            ';' if depth == 0 => return end + 1,
            _ => {}
        }
        end += 1;
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(source: &str, expected: &[&str]) {
        assert_eq!(literals(source, Language::Rust), expected);
    }

    #[test]
    fn literals_are_found_whatever_stands_around_them() {
        check(
            r##"let a = "one"; // "no"
/* "no" */ let b = r#"two "quoted""#; let c = '"'; let d: &'static str = "three";"##,
            &["one", "two \"quoted\"", "three"],
        );
    }

    #[test]
    fn a_literal_over_several_lines_is_one_text() {
        check("f(\"a file \\\n      is missing\")", &["a file is missing"]);
    }

    #[test]
    fn tests_are_left_out() {
        check(
            "f(\"kept\");\n#[cfg(test)]\nmod tests { fn x() { \"left } out\"; } }\ng(\"kept too\")",
            &["kept", "kept too"],
        );
    }

    #[test]
    fn messages_are_prose() {
        assert!(is_message("expected a folder, found a file"));
        for other in ["click", "data-test id", "SELECT name FROM runs where x", "<p>one two three</p>"] {
            assert!(!is_message(other), "{other}");
        }
    }
}
