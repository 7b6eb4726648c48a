//! What a `Cargo.toml` says about who uses whom.
//!
//! Reads the part of TOML that manifests are written in. What it does not know, it refuses with the
//! line, so that an edge is never overlooked in silence.

use std::collections::BTreeMap;

use crate::task::{Failure, Workspace};

#[derive(Debug, PartialEq, Eq)]
pub struct Manifest {
    pub name: String,
    /// Empty where the manifest has none.
    pub description: String,
    /// All dependencies, those from outside the workspace too.
    pub uses: Vec<Dependency>,
}

#[derive(Debug, PartialEq, Eq)]
pub struct Dependency {
    /// The package, also where the manifest gives it another name.
    pub package: String,
    pub kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Of the crate itself, or of its build script.
    Normal,
    /// Of its tests, examples and benchmarks.
    Dev,
}

/// The manifests of all members of the workspace.
pub fn read_all(workspace: &Workspace) -> Result<Vec<Manifest>, Failure> {
    let mut folders: Vec<String> =
        workspace.names_in("crates")?.into_iter().map(|name| format!("crates/{name}")).collect();
    folders.extend(["demo".to_string(), "xtask".to_string()]);

    let mut manifests = Vec::new();
    for folder in folders {
        let path = format!("{folder}/Cargo.toml");
        // Cargo does not count such a folder either.
        if !workspace.root.join(&path).exists() {
            continue;
        }
        let manifest = parse(&workspace.read(&path)?).map_err(|mistake| {
            Failure::new(format!("`{path}`: {mistake}"), "write that line in a plainer way")
        })?;
        manifests.push(manifest);
    }
    Ok(manifests)
}

/// Reads one manifest. The error names the line.
pub fn parse(text: &str) -> Result<Manifest, String> {
    let mut name = None;
    let mut description = String::new();
    let mut table: Vec<String> = Vec::new();
    // What a dependency is called in the manifest, and the package it stands for.
    let mut uses: BTreeMap<(Kind, String), String> = BTreeMap::new();

    for statement in statements(text)? {
        let Some((key, value)) = statement.key_and_value()? else {
            table = statement.header()?;
            continue;
        };
        let path: Vec<String> = table.iter().cloned().chain(key).collect();
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        if path == ["package", "name"] {
            name = Some(unquoted(value).to_string());
        }
        if path == ["package", "description"] {
            description = unquoted(value).to_string();
        }
        match dependency(&path) {
            None => {}
            Some((_, [])) => return Err(statement.refused("expected one dependency a line")),
            Some((kind, [called, rest @ ..])) => {
                let package = uses.entry((kind, (*called).to_string())).or_insert((*called).to_string());
                let renamed = match rest {
                    [] => inline_field(value, "package"),
                    ["package"] => Some(unquoted(value)),
                    _ => None,
                };
                if let Some(renamed) = renamed {
                    *package = renamed.to_string();
                }
            }
        }
    }

    let uses = uses.into_iter().map(|((kind, _), package)| Dependency { package, kind }).collect();
    Ok(Manifest { name: name.ok_or("found no name of the package")?, description, uses })
}

/// What comes after the name of a dependency table, if this key is in one.
fn dependency<'a>(path: &'a [&'a str]) -> Option<(Kind, &'a [&'a str])> {
    let path = match path {
        ["target", _, rest @ ..] => rest,
        all => all,
    };
    match path {
        ["dependencies" | "build-dependencies", rest @ ..] => Some((Kind::Normal, rest)),
        ["dev-dependencies", rest @ ..] => Some((Kind::Dev, rest)),
        _ => None,
    }
}

/// A header or a `key = value`, without comments and on one line.
struct Statement {
    line: usize,
    text: String,
}

fn statements(text: &str) -> Result<Vec<Statement>, String> {
    let mut statements = Vec::new();
    let mut open: Option<Statement> = None;
    for (index, line) in text.lines().enumerate() {
        let line = without_comment(line).trim();
        let statement = match open.take() {
            Some(Statement { line: first, text }) => {
                Statement { line: first, text: format!("{text} {line}") }
            }
            None if line.is_empty() => continue,
            None => Statement { line: index + 1, text: line.to_string() },
        };
        if statement.text.contains(r#"""""#) || statement.text.contains("'''") {
            return Err(statement.refused("expected no text of several lines"));
        }
        match is_closed(&statement.text) {
            true => statements.push(statement),
            false => open = Some(statement),
        }
    }
    match open {
        Some(statement) => Err(statement.refused("expected a closing bracket")),
        None => Ok(statements),
    }
}

impl Statement {
    fn refused(&self, why: &str) -> String {
        format!("line {}: {why}, found `{}`", self.line, self.text)
    }

    /// None for the header of a table.
    fn key_and_value(&self) -> Result<Option<(Vec<String>, &str)>, String> {
        if self.text.starts_with('[') {
            return Ok(None);
        }
        match split_outside_quotes(&self.text, '=').as_slice() {
            // An inline table has more of them, deeper in.
            [key, value] => Ok(Some((key_path(key), value.trim()))),
            _ => Err(self.refused("expected `key = value`")),
        }
    }

    fn header(&self) -> Result<Vec<String>, String> {
        let inner = match self.text.strip_prefix("[[") {
            Some(rest) => rest.strip_suffix("]]"),
            None => self.text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')),
        };
        inner.map(key_path).ok_or_else(|| self.refused("expected `[table]`"))
    }
}

fn key_path(key: &str) -> Vec<String> {
    split_outside_quotes(key, '.').into_iter().map(|part| unquoted(part).to_string()).collect()
}

/// The text under this key of `{ key = "text", … }`.
fn inline_field<'a>(value: &'a str, key: &str) -> Option<&'a str> {
    let fields = value.strip_prefix('{')?.strip_suffix('}')?;
    split_outside_quotes(fields, ',').into_iter().find_map(|field| match split_outside_quotes(field, '=')[..]
    {
        [name, value] if unquoted(name) == key => Some(unquoted(value)),
        _ => None,
    })
}

fn unquoted(text: &str) -> &str {
    let text = text.trim();
    ['"', '\''].into_iter().find_map(|quote| text.strip_prefix(quote)?.strip_suffix(quote)).unwrap_or(text)
}

fn without_comment(line: &str) -> &str {
    let comment = outside_quotes(line).into_iter().find(|character| character.is == '#');
    comment.map_or(line, |character| &line[..character.at])
}

fn is_closed(text: &str) -> bool {
    let count = |brackets: [char; 2]| {
        outside_quotes(text).iter().filter(|character| brackets.contains(&character.is)).count()
    };
    count(['[', '{']) == count([']', '}'])
}

/// Splits at a character where it is neither in quotes nor in brackets.
fn split_outside_quotes(text: &str, separator: char) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut begin = 0;
    for character in outside_quotes(text) {
        if character.is == separator && character.depth == 0 {
            parts.push(&text[begin..character.at]);
            begin = character.at + separator.len_utf8();
        }
    }
    parts.push(&text[begin..]);
    parts
}

struct Character {
    at: usize,
    is: char,
    /// How many brackets are open around it.
    depth: usize,
}

fn outside_quotes(text: &str) -> Vec<Character> {
    let mut found = Vec::new();
    let mut depth: usize = 0;
    let mut quote = None;
    let mut escaped = false;
    for (at, is) in text.char_indices() {
        match (quote, is) {
            (Some('"'), _) if escaped => escaped = false,
            (Some('"'), '\\') => escaped = true,
            (Some(open), _) if is == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(is),
            (None, '[' | '{') => {
                found.push(Character { at, is, depth });
                depth += 1;
            }
            (None, ']' | '}') => {
                depth = depth.saturating_sub(1);
                found.push(Character { at, is, depth });
            }
            (None, _) => found.push(Character { at, is, depth }),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the dependencies of a manifest whose package is called `it`.
    #[track_caller]
    fn check(body: &str, expected: &str) {
        let actual = match parse(&format!("[package]\nname = \"it\"\n{body}")) {
            Ok(manifest) => {
                assert_eq!(manifest.name, "it");
                let uses = manifest.uses.iter().map(|dependency| match dependency.kind {
                    Kind::Normal => dependency.package.clone(),
                    Kind::Dev => format!("dev {}", dependency.package),
                });
                uses.collect::<Vec<_>>().join(", ")
            }
            Err(mistake) => mistake,
        };
        assert_eq!(actual, expected);
    }

    #[test]
    fn dependencies_are_found_in_every_spelling() {
        check("[dependencies]\na = { workspace = true }\n", "a");
        check("[dependencies]\na.workspace = true\n", "a");
        check("[dependencies]\na.workspace = true\na.features = [\"x\"]\n", "a");
        check("[dependencies]\na = \"1\"\n\"b\" = '2'\n", "a, b");
        check(
            "[dependencies.a]\nworkspace = true\noptional = true\n[dependencies.b]\npath = \"../b\"\n",
            "a, b",
        );
        check("[ dependencies . \"a\" ]\nversion = \"1\"\n", "a");
    }

    #[test]
    fn dependencies_of_one_platform_count() {
        check("[target.'cfg(unix)'.dependencies]\na.workspace = true\n", "a");
        check("[target.\"cfg(not(windows))\".dev-dependencies.a]\nworkspace = true\n", "dev a");
    }

    #[test]
    fn those_of_a_build_script_count_as_those_of_the_crate() {
        check(
            "[build-dependencies]\na.workspace = true\n[dev-dependencies]\nb.workspace = true\n",
            "a, dev b",
        );
    }

    #[test]
    fn the_same_crate_can_be_used_twice() {
        check(
            "[dependencies]\na = \"1\"\n[dev-dependencies]\na = { version = \"1\", features = [\"test\"] }\n",
            "a, dev a",
        );
    }

    #[test]
    fn a_renamed_dependency_counts_as_the_package_that_it_is() {
        check("[dependencies]\na = { features = [\"x, package = 'y'\"], package = \"b\" }\n", "b");
        check("[dependencies.a]\nversion = \"1\"\npackage = \"b\"\n", "b");
        check("[dependencies]\na.package = 'b'\na.version = \"1\"\n", "b");
    }

    #[test]
    fn other_tables_are_no_dependencies() {
        check(
            "version = \"1\"\n[features]\na = [\"dep:a\"]\n[[bin]]\nname = \"b\"\n[lints]\nworkspace = true\n",
            "",
        );
        check("[package.metadata.dependencies]\na = \"1\"\n[workspace.dependencies]\nb = \"1\"\n", "");
    }

    #[test]
    fn comments_and_values_of_several_lines_are_understood() {
        check(
            "[dependencies] # isn't much\n# a = \"1\"\nb = { version = \"1\", features = [\n  \"#x\", # [\n  \"y\",\n] }\nc = \"1\"\n",
            "b, c",
        );
        check("description = \"a # \\\" [\"\n[dependencies]\na = \"1\"\n", "a");
    }

    #[test]
    fn what_is_not_understood_is_refused_with_its_line() {
        check(
            "[target.x]\ndependencies = { a = \"1\" }\n",
            "line 4: expected one dependency a line, found `dependencies = { a = \"1\" }`",
        );
        check(
            "description = \"\"\"\n",
            "line 3: expected no text of several lines, found `description = \"\"\"`",
        );
        check("[dependencies]\na\n", "line 4: expected `key = value`, found `a`");
        check(
            "[dependencies]\na = { version = \"1\"\n",
            "line 4: expected a closing bracket, found `a = { version = \"1\"`",
        );
    }

    #[test]
    fn a_manifest_without_a_package_is_refused() {
        assert_eq!(parse("[workspace]\nmembers = []\n"), Err("found no name of the package".to_string()));
    }
}
