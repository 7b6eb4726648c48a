//! `cargo xtask check`: everything that has to hold before a change is merged, quickest first.

use std::io::{self, Write};
use std::time::Instant;

use crate::generated::{self, Mode};
use crate::task::{Failure, Workspace};
use crate::{edges, manifest, surroundings};

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Tests {
    Run,
    LeaveOut,
}

/// How a step ended that did not fail.
enum Passed {
    Done,
    Skipped(&'static str),
}

type Step = fn(&Workspace) -> Result<Passed, Failure>;

const STEPS: &[(&str, Step)] = &[
    ("format", format),
    ("crate edges", crate_edges),
    ("surroundings", surroundings),
    ("generated files", generated_files),
    ("lints", lints),
    ("page scripts", page_scripts),
    (TESTS, tests),
];
const TESTS: &str = "tests";

/// Runs the steps in order and stops at the first that fails.
pub fn run(workspace: &Workspace, with_tests: Tests) -> Result<(), Failure> {
    let begin = Instant::now();
    for (name, step) in STEPS {
        if *name == TESTS && with_tests == Tests::LeaveOut {
            say(&format!("{name}: left out"));
            continue;
        }
        say(&format!("{name} ..."));
        let started = Instant::now();
        let passed = step(workspace)
            .map_err(|failure| Failure { what: format!("{name}: {}", failure.what), ..failure })?;
        let seconds = started.elapsed().as_secs_f64();
        match passed {
            Passed::Done => say(&format!("{name}: ok, {seconds:.1}s")),
            Passed::Skipped(why) => say(&format!("{name}: skipped, {why}")),
        }
    }
    say(&format!("all checks passed in {:.1}s", begin.elapsed().as_secs_f64()));
    Ok(())
}

fn say(line: &str) {
    // Flushed by hand, because the commands of a step write to the same place by themselves.
    let mut err = io::stderr().lock();
    let _ = writeln!(err, "check: {line}").and_then(|()| err.flush());
}

fn format(workspace: &Workspace) -> Result<Passed, Failure> {
    need_component(workspace, "fmt", "rustfmt")?;
    workspace.run(&["cargo", "fmt", "--all", "--check"], || {
        Failure::new("some files are not formatted", "run `cargo fmt --all`")
    })?;
    Ok(Passed::Done)
}

fn crate_edges(workspace: &Workspace) -> Result<Passed, Failure> {
    edges::check(workspace, &manifest::read_all(workspace)?)?;
    Ok(Passed::Done)
}

/// Whether anything but the binary reads the environment, prints, or ends the process.
fn surroundings(workspace: &Workspace) -> Result<Passed, Failure> {
    surroundings::check(workspace)?;
    Ok(Passed::Done)
}

fn generated_files(workspace: &Workspace) -> Result<Passed, Failure> {
    generated::run(workspace, Mode::Compare)?;
    Ok(Passed::Done)
}

fn lints(workspace: &Workspace) -> Result<Passed, Failure> {
    need_component(workspace, "clippy", "clippy")?;
    let clippy = ["cargo", "clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"];
    workspace.run(&clippy, || {
        Failure::new(
            "clippy found something, or the code does not compile",
            "mend what stands above; `cargo clippy --fix --workspace --all-targets --allow-dirty` mends a part",
        )
    })?;
    Ok(Passed::Done)
}

fn page_scripts(workspace: &Workspace) -> Result<Passed, Failure> {
    if !workspace.answers(&["node", "--version"]) {
        return Ok(Passed::Skipped("there is no `node` here to parse them"));
    }
    /// What runs inside the pages under test, in the HTML report, and in the page of what was healed.
    const FOLDERS: &[&str] =
        &["crates/assay-dom/src", "crates/assay-report/src/html/page", "crates/assay-report/src/heals/page"];
    let mut scripts = Vec::new();
    for folder in FOLDERS {
        let before = scripts.len();
        for name in workspace.names_in(folder)? {
            if name.ends_with(".js") {
                scripts.push(format!("{folder}/{name}"));
            }
        }
        if scripts.len() == before {
            return Err(Failure::new(format!("there is no page script in `{folder}`"), ""));
        }
    }
    scripts.push(joined_page_script(workspace)?);
    // One by one: node looks at the first file only.
    for script in &scripts {
        let parse = ["node", "--check", script];
        workspace.run(&parse, || {
            Failure::new(
                format!("`{script}` does not parse"),
                format!("mend the line above, then run `{}`", parse.join(" ")),
            )
        })?;
    }
    Ok(Passed::Done)
}

/// Writes the page script as one file and returns its path. Its parts share a closure and do not parse alone.
fn joined_page_script(workspace: &Workspace) -> Result<String, Failure> {
    const PARTS: &str = "crates/assay-dom/src/page";
    const JOINED: &str = "target/page.js";
    let mut script = String::new();
    for name in workspace.names_in(PARTS)? {
        if name.ends_with(".js") {
            script.push_str(&workspace.read(&format!("{PARTS}/{name}"))?);
        }
    }
    workspace.write(JOINED, script.as_bytes())?;
    Ok(JOINED.to_string())
}

fn tests(workspace: &Workspace) -> Result<Passed, Failure> {
    let (tests, one) = if workspace.answers(&["cargo", "nextest", "--version"]) {
        (["cargo", "nextest", "run", "--workspace", "--locked"].as_slice(), "cargo nextest run NAME")
    } else {
        (["cargo", "test", "--workspace", "--locked"].as_slice(), "cargo test --workspace NAME")
    };
    workspace
        .run(tests, || Failure::new("some tests failed", format!("run `{one}` to repeat one of them")))?;
    Ok(Passed::Done)
}

fn need_component(workspace: &Workspace, subcommand: &str, component: &str) -> Result<(), Failure> {
    if workspace.answers(&["cargo", subcommand, "--version"]) {
        return Ok(());
    }
    Err(Failure::new(
        format!("`cargo {subcommand}` is not installed"),
        format!("run `rustup component add {component}`, or install the package of your system that has it"),
    ))
}
