//! Files that a command writes and git keeps: they are fresh or the check fails.

use std::fs;

use crate::task::{Failure, Workspace};

/// A file, and the command whose standard output it is, or a part of it is.
struct Generated {
    path: &'static str,
    /// The name of the part: it lies between `<!-- NAME -->` and `<!-- /NAME -->`.
    part: Option<&'static str>,
    command: &'static [&'static str],
}

const FILES: &[Generated] = &[
    Generated {
        path: "docs/messages.txt",
        part: None,
        command: &["cargo", "run", "--quiet", "--locked", "-p", "xtask", "--", "messages"],
    },
    Generated {
        path: "crates/README.md",
        part: None,
        command: &["cargo", "run", "--quiet", "--locked", "-p", "xtask", "--", "edges", "page"],
    },
    Generated {
        path: "docs/reference.md",
        part: None,
        command: &["cargo", "run", "--quiet", "--locked", "-p", "assay", "--", "reference"],
    },
    Generated {
        path: "README.md",
        part: Some("engines"),
        command: &["cargo", "run", "--quiet", "--locked", "-p", "assay", "--", "reference", "engines"],
    },
    Generated {
        path: "docs/tests.md",
        part: Some("sentences"),
        command: &["cargo", "run", "--quiet", "--locked", "-p", "assay", "--", "reference", "sentences"],
    },
];

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    Compare,
    Write,
}

pub fn run(workspace: &Workspace, mode: Mode) -> Result<(), Failure> {
    for file in FILES {
        let output = file.generate(workspace)?;
        // A file that is not there yet differs from any other.
        let kept = fs::read(workspace.root.join(file.path)).ok();
        let fresh = match file.part {
            None => output,
            Some(part) => with_part(kept.as_deref().unwrap_or_default(), part, &output).ok_or_else(|| {
                Failure::new(
                    format!("`{}` has no part between `<!-- {part} -->` and `<!-- /{part} -->`", file.path),
                    "put the two marks where the part belongs",
                )
            })?,
        };
        if kept.as_ref() == Some(&fresh) {
            continue;
        }
        match mode {
            Mode::Write => file.write(workspace, &fresh)?,
            Mode::Compare => {
                return Err(Failure::new(
                    format!("`{}` {}", file.path, difference(kept.as_deref(), &fresh)),
                    "run `cargo xtask generated --write`",
                ));
            }
        }
    }
    Ok(())
}

impl Generated {
    fn generate(&self, workspace: &Workspace) -> Result<Vec<u8>, Failure> {
        let line = self.command.join(" ");
        let output = workspace
            .command(self.command)
            .stderr(std::process::Stdio::inherit())
            .output()
            .map_err(|err| Failure::new(format!("cannot run `{line}`: {err}"), ""))?;
        if !output.status.success() {
            return Err(Failure::new(
                format!("the command that makes `{}` failed", self.path),
                format!("run `{line}` to see why"),
            ));
        }
        Ok(output.stdout)
    }

    fn write(&self, workspace: &Workspace, fresh: &[u8]) -> Result<(), Failure> {
        workspace.write(self.path, fresh)?;
        eprintln!("wrote {}", self.path);
        Ok(())
    }
}

/// The file with what lies between the two marks replaced.
fn with_part(kept: &[u8], part: &str, output: &[u8]) -> Option<Vec<u8>> {
    let kept = std::str::from_utf8(kept).ok()?;
    let (open, close) = (format!("<!-- {part} -->\n"), format!("<!-- /{part} -->"));
    let begin = kept.find(&open)? + open.len();
    let end = begin + kept[begin..].find(&close)?;
    Some([&kept.as_bytes()[..begin], output, &kept.as_bytes()[end..]].concat())
}

/// What is wrong with the file that is kept, up to the first line that differs.
fn difference(kept: Option<&[u8]>, fresh: &[u8]) -> String {
    let Some(kept) = kept else { return "is missing".to_string() };
    let (kept, fresh) = (String::from_utf8_lossy(kept), String::from_utf8_lossy(fresh));
    let (mut kept, mut fresh) = (kept.lines(), fresh.lines());
    for number in 1.. {
        match (kept.next(), fresh.next()) {
            (None, None) => break,
            (old, new) if old == new => {}
            (old, new) => {
                let quoted =
                    |line: Option<&str>| line.map_or("nothing more".to_string(), |l| format!("`{l}`"));
                return format!("is stale: line {number} is {}, expected {}", quoted(old), quoted(new));
            }
        }
    }
    "is stale: its line ends differ".to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(kept: Option<&str>, fresh: &str, expected: &str) {
        assert_eq!(difference(kept.map(str::as_bytes), fresh.as_bytes()), expected);
    }

    #[test]
    fn a_stale_file_is_reported_with_its_first_different_line() {
        check(Some("a\nb\nc\n"), "a\nx\nc\n", "is stale: line 2 is `b`, expected `x`");
        check(Some("a\n"), "a\nb\n", "is stale: line 2 is nothing more, expected `b`");
        check(Some("a\nb\n"), "a\n", "is stale: line 2 is `b`, expected nothing more");
    }

    #[test]
    fn only_what_lies_between_the_marks_is_replaced() {
        let kept = b"a\n<!-- x -->\nold\n<!-- /x -->\nb\n";
        let fresh = with_part(kept, "x", b"new\n");
        assert_eq!(fresh.as_deref(), Some(&b"a\n<!-- x -->\nnew\n<!-- /x -->\nb\n"[..]));
        assert_eq!(with_part(b"a\n", "x", b"new\n"), None);
    }

    #[test]
    fn a_file_that_was_never_written_is_missing() {
        check(None, "a\n", "is missing");
    }

    #[test]
    fn a_file_that_differs_only_in_its_line_ends_is_stale() {
        check(Some("a"), "a\n", "is stale: its line ends differ");
    }
}
