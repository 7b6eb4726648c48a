//! What every task needs: where the workspace is, how to run a command in it, how to fail.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Why a task stopped, and what would get it further.
#[derive(Debug, PartialEq, Eq)]
pub struct Failure {
    pub what: String,
    /// A sentence with a command in it; empty where there is none to give.
    pub fix: String,
}

impl Failure {
    pub fn new(what: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { what: what.into(), fix: fix.into() }
    }
}

pub struct Workspace {
    pub root: PathBuf,
}

impl Workspace {
    /// The workspace that this program belongs to, wherever it is called from.
    pub fn locate() -> Self {
        // Cargo sets the variable at run time too, which stays right when the folder is moved.
        let here = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
        let here = here.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")));
        Self { root: here.parent().unwrap_or(Path::new(".")).to_path_buf() }
    }

    pub fn read(&self, path: &str) -> Result<String, Failure> {
        std::fs::read_to_string(self.root.join(path))
            .map_err(|err| Failure::new(format!("cannot read `{path}`: {err}"), ""))
    }

    /// Writes a file, and the folders above it.
    pub fn write(&self, path: &str, content: &[u8]) -> Result<(), Failure> {
        let full = self.root.join(path);
        let folder = full.parent().unwrap_or(&self.root);
        std::fs::create_dir_all(folder)
            .and_then(|()| std::fs::write(&full, content))
            .map_err(|err| Failure::new(format!("cannot write `{path}`: {err}"), ""))
    }

    /// The names of what lies in a folder, in order.
    pub fn names_in(&self, folder: &str) -> Result<Vec<String>, Failure> {
        let failed = |err| Failure::new(format!("cannot list `{folder}`: {err}"), "");
        let mut names = Vec::new();
        for entry in std::fs::read_dir(self.root.join(folder)).map_err(failed)? {
            names.push(entry.map_err(failed)?.file_name().to_string_lossy().into_owned());
        }
        names.sort();
        Ok(names)
    }

    /// A command in the root of the workspace. `cargo` is the one that runs this program.
    pub fn command(&self, words: &[&str]) -> Command {
        let (program, arguments) = words.split_first().expect("a command has at least its program");
        let program = match *program {
            "cargo" => std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo")),
            other => OsString::from(other),
        };
        let mut command = Command::new(program);
        command.args(arguments).current_dir(&self.root).stdin(Stdio::null());
        command
    }

    /// Whether this command can be run at all. It is given something harmless, such as `--version`.
    pub fn answers(&self, words: &[&str]) -> bool {
        let quiet = self.command(words).stdout(Stdio::null()).stderr(Stdio::null()).status();
        quiet.is_ok_and(|status| status.success())
    }

    /// Runs a command whose output the user sees; `failure` says what its failing means.
    pub fn run(&self, words: &[&str], failure: impl FnOnce() -> Failure) -> Result<(), Failure> {
        match self.command(words).status() {
            Ok(status) if status.success() => Ok(()),
            Ok(_) => Err(failure()),
            Err(err) => Err(Failure::new(format!("cannot run `{}`: {err}", words.join(" ")), "")),
        }
    }
}
