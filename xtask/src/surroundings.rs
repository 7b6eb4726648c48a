//! What belongs to the whole process, and who may touch it: variables, the folder it is in, its output, its end.
//!
//! Several runs share one process, and it may be somebody else's. Tests and tools are not looked at.

use crate::edges;
use crate::task::{Failure, Workspace};

/// Words, and the only place that may have them.
const RULES: &[(&[&str], &str)] = &[
    (
        &["env::var(", "env::var_os(", "env::vars(", "env::vars_os(", "env::temp_dir("],
        "crates/assay/src/environment.rs",
    ),
    (&["env::set_var(", "env::remove_var("], "nowhere"),
    (&["set_current_dir(", "process::exit("], "crates/assay/src/"),
    (&["println!(", "print!(", "dbg!("], "crates/assay/src/"),
];

pub fn check(workspace: &Workspace) -> Result<(), Failure> {
    let sources = edges::sources(workspace)?;
    let problems: Vec<String> = sources
        .iter()
        .filter(|(path, _)| is_product(path))
        .flat_map(|(path, text)| misplaced(path, text))
        .collect();
    if problems.is_empty() {
        return Ok(());
    }
    Err(Failure::new(
        format!("these touch what belongs to the whole process:\n  {}", problems.join("\n  ")),
        "hand the value in from `crates/assay/src/environment.rs`, or tell the caller instead",
    ))
}

/// Sources that a user runs.
fn is_product(path: &str) -> bool {
    let is_source = path.split('/').nth(2) == Some("src");
    let is_test = path.ends_with("tests.rs") || path.contains("/tests/");
    is_source && !is_test && !path.starts_with("crates/assay-testkit/")
}

/// Each line with a word that has its place elsewhere. Tests at the end of a file are not looked at.
fn misplaced(path: &str, text: &str) -> Vec<String> {
    let product = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    let mut found = Vec::new();
    for (index, line) in product.lines().enumerate() {
        let code = line.trim_start();
        if code.starts_with("//") {
            continue;
        }
        for (words, place) in RULES {
            if let Some(word) = words.iter().find(|word| code.contains(**word))
                && !path.starts_with(place)
            {
                found.push(format!("{path}:{}: `{word}` belongs to {place}", index + 1));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_is_read_in_one_file_only() {
        let text = "// env::var(\nlet home = std::env::var(\"HOME\");\n";
        let expected = "crates/assay-host/src/a.rs:2: `env::var(` belongs to crates/assay/src/environment.rs";
        assert_eq!(misplaced("crates/assay-host/src/a.rs", text), [expected]);
        assert_eq!(misplaced("crates/assay/src/run/mod.rs", text).len(), 1);
        assert_eq!(misplaced("crates/assay/src/environment.rs", text), [""; 0]);
    }

    #[test]
    fn only_the_binary_prints() {
        assert_eq!(misplaced("crates/assay-daemon/src/a.rs", "eprintln!(\"x\");").len(), 1);
        assert_eq!(misplaced("crates/assay/src/a.rs", "eprintln!(\"x\");"), [""; 0]);
    }

    #[test]
    fn tests_and_tools_may_do_what_they_want() {
        let text = "fn a() {}\n\n#[cfg(test)]\nmod tests {\n    std::env::temp_dir();\n}\n";
        assert_eq!(misplaced("crates/assay-host/src/a.rs", text), [""; 0]);
        for path in ["crates/a/tests/it/a.rs", "crates/a/src/b_tests.rs", "crates/a/examples/b.rs"] {
            assert!(!is_product(path), "{path}");
        }
        assert!(is_product("crates/assay-host/src/run/mod.rs"));
    }
}
