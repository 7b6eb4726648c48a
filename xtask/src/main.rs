//! `cargo xtask …`: the tasks of this repository.
//!
//! Knows the workspace from outside: its manifests, its files and the commands that build it. Uses
//! no crate of it and none from elsewhere, so that it builds in a moment.

mod bench;
mod check;
mod edges;
mod generated;
mod manifest;
mod messages;
mod surroundings;
mod task;

use std::process::ExitCode;

use check::Tests;
use generated::Mode;
use task::{Failure, Workspace};

const USAGE: &str = "usage: cargo xtask <command>

  check [--no-tests]     format, crate edges, surroundings, generated files, lints, page scripts, tests
  edges                  only: who uses whom, against the table in xtask/src/edges.rs
  edges page             the contents of crates/README.md
  messages               the contents of docs/messages.txt: every message that a user can meet
  generated [--write]    only: are the generated files fresh; --write writes them
  bench [ARGS...]        builds for release and runs bench/run-peers with these arguments
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let workspace = Workspace::locate();
    let outcome = match words.as_slice() {
        ["check"] => check::run(&workspace, Tests::Run),
        ["check", "--no-tests"] => check::run(&workspace, Tests::LeaveOut),
        ["edges"] => edges::run(&workspace),
        ["edges", "page"] => {
            manifest::read_all(&workspace).map(|manifests| print!("{}", edges::page(&manifests)))
        }
        ["messages"] => messages::page(&workspace).map(|page| print!("{page}")),
        ["generated"] => generated::run(&workspace, Mode::Compare),
        ["generated", "--write"] => generated::run(&workspace, Mode::Write),
        ["bench", rest @ ..] => bench::run(&workspace, rest),
        ["help" | "--help" | "-h"] => {
            print!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        _ => {
            eprint!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            report(&failure);
            ExitCode::FAILURE
        }
    }
}

fn report(failure: &Failure) {
    eprintln!("\nerror: {}", failure.what);
    if !failure.fix.is_empty() {
        eprintln!("\nhint: {}", failure.fix);
    }
}
