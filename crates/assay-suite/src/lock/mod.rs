//! The lock file beside a test: the record of passed runs, for all tests and rows of that file.
//!
//! Text in the order of the test, one line per fact: a small change of the page is a small change of the file.

mod read;
mod write;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use assay_protocol::LockedTest;

use crate::files;
use crate::problem::Problem;

/// The form of the file. Another one is not read.
const VERSION: u64 = 1;

/// A lock file as it is.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LockFile {
    /// By the names of the tests.
    pub tests: BTreeMap<String, LockedTest>,
}

impl LockFile {
    /// The lock file at this path; empty if there is none. Problems name it as seen from `here`.
    pub fn load(path: &Path, here: &Path) -> Result<LockFile, Box<Problem>> {
        if !path.exists() {
            return Ok(LockFile::default());
        }
        let source = files::read(path, files::shown(path, Some(here)))?;
        read::read(&source)
    }

    /// The text of the file.
    pub fn text(&self) -> String {
        write::write(self)
    }

    /// Replaces the old file atomically, so no reader sees half of it. Returns false if nothing changed.
    pub fn save(&self, path: &Path) -> std::io::Result<bool> {
        let text = self.text();
        if std::fs::read_to_string(path).is_ok_and(|known| known == text) {
            return Ok(false);
        }
        if self.tests.is_empty() {
            return match std::fs::remove_file(path) {
                Err(err) if err.kind() == std::io::ErrorKind::NotFound => Ok(false),
                removed => removed.map(|()| true),
            };
        }
        let beside = beside(path);
        // Whatever has that name is left from a crash, or a link that came with the project.
        let _may_not_be_there = std::fs::remove_file(&beside);
        let written = std::fs::File::create_new(&beside)
            .and_then(|mut file| file.write_all(text.as_bytes()).and_then(|()| file.sync_all()))
            .and_then(|()| std::fs::rename(&beside, path));
        if written.is_err() {
            // The incomplete file is useless; the old file is unchanged.
            let _left_behind = std::fs::remove_file(&beside);
        }
        written.map(|()| true)
    }
}

fn beside(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}.tmp", std::process::id()));
    path.with_file_name(name)
}

#[cfg(test)]
mod tests;
