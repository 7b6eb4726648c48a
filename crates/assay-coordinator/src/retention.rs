//! Clearing away what is old, and nothing that a kept report needs.
//!
//! The rows of a run go at once. Its folder is only named to the caller, who deletes it and says so;
//! until then it is named again, so that a crash in between leaves nothing behind. A folder is not
//! named while a run that is kept has its results in it, beside it or around it, or has an event
//! with a path into it.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use assay_protocol::{RunEvent, RunFact, TaskStatus};
use rusqlite::{Connection, params};
use serde::Serialize;

use crate::error::Trouble;
use crate::journal::{self, Entry, Stream};
use crate::runs::{RunRecord, read_runs};
use crate::time::now_ms;
use crate::{Coordinator, StateError};

const DAY: u64 = 24 * 60 * 60 * 1000;

/// A run is kept as long as one of the two says so. With neither, everything is kept.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Retention {
    /// The newest so many.
    pub keep_runs: Option<usize>,
    /// Those that began in the last so many days.
    pub keep_days: Option<u32>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Cleared {
    /// The names of the runs whose rows are gone, newest first.
    pub runs: Vec<String>,
    /// May be deleted. Tell `folder_is_gone` afterwards.
    pub folders: Vec<PathBuf>,
    /// Of removed runs, but a kept report needs something in them.
    pub still_needed: Vec<PathBuf>,
}

impl Coordinator {
    /// Removes the rows of old runs. A run that runs or is paused is never old.
    pub fn gc(&self, retention: Retention) -> Result<Cleared, StateError> {
        let cleared = self.store.change(|transaction| {
            let (kept, old) = divide(read_runs(transaction, "", [])?, retention, now_ms());
            for run in &old {
                transaction.execute(
                    "INSERT OR IGNORE INTO discarded_folder (path) VALUES (?1)",
                    params![run.results.to_string_lossy()],
                )?;
                transaction.execute("DELETE FROM task WHERE id = ?1", params![run.task.0])?;
            }
            let needed = needed_paths(transaction, &kept)?;
            let (mut folders, mut still_needed) = (Vec::new(), Vec::new());
            for folder in discarded(transaction)? {
                match needed.iter().any(|path| overlap(path, &folder)) {
                    true => still_needed.push(folder),
                    false => folders.push(folder),
                }
            }
            Ok(Cleared { runs: old.into_iter().map(|run| run.run).collect(), folders, still_needed })
        })?;
        if !cleared.runs.is_empty() {
            // Room on the disk is a courtesy: that it is given back later must not look like a failure.
            let _ = self.store.shrink();
        }
        Ok(cleared)
    }

    /// A folder that `gc` named was deleted.
    pub fn folder_is_gone(&self, folder: &Path) -> Result<(), StateError> {
        self.store.change(|transaction| {
            transaction
                .execute("DELETE FROM discarded_folder WHERE path = ?1", params![folder.to_string_lossy()])?;
            Ok(())
        })
    }
}

/// What is kept and what goes. The runs are given newest first.
fn divide(runs: Vec<RunRecord>, retention: Retention, now: u64) -> (Vec<RunRecord>, Vec<RunRecord>) {
    let since = retention.keep_days.map(|days| now.saturating_sub(u64::from(days) * DAY));
    let mut place = 0;
    runs.into_iter().partition(|run| {
        place += 1;
        let by_number = retention.keep_runs.is_some_and(|keep| place <= keep);
        let by_age = since.is_some_and(|since| run.started_at >= since);
        let nothing_said = retention.keep_runs.is_none() && since.is_none();
        let goes_on = matches!(run.status, TaskStatus::Running | TaskStatus::Paused);
        by_number || by_age || nothing_said || goes_on
    })
}

fn discarded(connection: &Connection) -> Result<Vec<PathBuf>, Trouble> {
    let mut statement = connection.prepare_cached("SELECT path FROM discarded_folder ORDER BY path")?;
    let paths = statement.query_map([], |row| row.get::<_, String>(0))?;
    Ok(paths.map(|path| path.map(PathBuf::from)).collect::<Result<_, _>>()?)
}

/// The folders of the kept runs, and every path that their events name. A damaged row among them ends
/// it all: nobody knows what it names.
fn needed_paths(connection: &Connection, kept: &[RunRecord]) -> Result<BTreeSet<PathBuf>, Trouble> {
    let mut needed = BTreeSet::new();
    for run in kept {
        let folder = real(&run.results);
        let entries: Vec<Entry<RunEvent>> = journal::of_task(connection, run.task, Stream::Run, 0)?;
        for entry in entries {
            if let Some(path) = named_path(&entry.what.what) {
                needed.insert(real(&run.results.join(path)));
            }
        }
        needed.insert(folder);
    }
    Ok(needed)
}

fn named_path(what: &RunFact) -> Option<&str> {
    match what {
        RunFact::Screenshot { path, .. } => Some(path),
        RunFact::TestFinished { last_page: Some(page), .. } => page.screenshot.as_deref(),
        _ => None,
    }
}

/// One lies in the other, or they are the same.
fn overlap(needed: &Path, folder: &Path) -> bool {
    let folder = real(folder);
    needed.starts_with(&folder) || folder.starts_with(needed)
}

/// The path without links, dots and detours, as far as it exists; two names of one folder become one.
fn real(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                plain = std::fs::canonicalize(&plain).unwrap_or(plain);
                plain.pop();
            }
            Component::CurDir => {}
            other => plain.push(other),
        }
    }
    // What is missing at the end has no links in it.
    let mut missing = Vec::new();
    let mut there = plain.clone();
    loop {
        if let Ok(found) = std::fs::canonicalize(&there) {
            return missing.into_iter().rev().fold(found, |path: PathBuf, name| path.join(name));
        }
        match (there.file_name().map(ToOwned::to_owned), there.pop()) {
            (Some(name), true) => missing.push(name),
            _ => return plain,
        }
    }
}
