//! Removes old runs, but nothing that a kept report needs.
//!
//! The rows of a run are deleted at once. Its folder is only returned to the caller, who deletes it and
//! confirms; until then it is returned again, so a crash in between leaves nothing behind. A folder is not
//! returned while a kept run has its results in it or around it, or has an event with a path into it, nor
//! if the state itself lies in it.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use assay_protocol::{RunEvent, RunFact, Task, TaskId, TaskKind, TaskStatus};
use rusqlite::{Connection, Transaction, params};
use serde::Serialize;

use crate::error::StateTrouble;
use crate::journal::{self, JournalRow};
use crate::runs::{RunRecord, read_runs};
use crate::time::now_ms;
use crate::{Coordinator, StateError, agent_session, bus, tasks};

const DAY: u64 = 24 * 60 * 60 * 1000;

/// A run is kept as long as one of the two says so. With neither, everything is kept.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Retention {
    /// The number of newest runs.
    pub keep_runs: Option<usize>,
    /// Runs that began within this number of days.
    pub keep_days: Option<u32>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Cleared {
    /// The names of the runs whose rows are gone, newest first.
    pub runs: Vec<String>,
    /// May be deleted, as far as the state knows. It may have come with a project from elsewhere, so
    /// delete only what looks as if a run had made it; then tell `folder_is_gone`.
    pub folders: Vec<PathBuf>,
    /// Of removed runs, but a kept report needs something in them.
    pub still_needed: Vec<PathBuf>,
    /// Of removed runs, but the caller does not touch them, because they lie outside its project.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub elsewhere: Vec<PathBuf>,
}

impl Coordinator {
    /// Removes the rows of old runs, and of goals by the same measure. What runs or is paused is never
    /// old.
    pub fn gc(&self, retention: Retention) -> Result<Cleared, StateError> {
        let cleared = self.store.change(|transaction| {
            let now = now_ms();
            let (kept, old): (Vec<RunRecord>, _) = divide(read_runs(transaction, "", [])?, retention, now);
            for run in &old {
                transaction.execute(
                    "INSERT OR IGNORE INTO discarded_folder (path) VALUES (?1)",
                    params![run.results.to_string_lossy()],
                )?;
                remove(transaction, run.task)?;
            }
            let mut goals = tasks::list(transaction, None, usize::MAX)?;
            goals.retain(|task| task.kind == TaskKind::Goal);
            for goal in divide(goals, retention, now).1 {
                remove(transaction, goal.id)?;
            }
            if let Some(days) = retention.keep_days {
                agent_session::remove_older(transaction, now.saturating_sub(u64::from(days) * DAY))?;
            }
            bus::trim(transaction, now)?;
            let needed = needed_paths(transaction, &kept)?;
            let state = real(self.file());
            let (folders, still_needed) = discarded(transaction)?.into_iter().partition(|folder| {
                let folder = real(folder);
                !state.starts_with(&folder) && !is_needed(&needed, &folder)
            });
            let runs = old.into_iter().map(|run| run.run).collect();
            Ok(Cleared { runs, folders, still_needed, elsewhere: Vec::new() })
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

/// Something that grows old.
trait Aging {
    fn began_at(&self) -> u64;
    fn status(&self) -> TaskStatus;
}

impl Aging for RunRecord {
    fn began_at(&self) -> u64 {
        self.started_at
    }

    fn status(&self) -> TaskStatus {
        self.status
    }
}

impl Aging for Task {
    fn began_at(&self) -> u64 {
        self.created_at
    }

    fn status(&self) -> TaskStatus {
        self.status
    }
}

/// Which runs to keep and which to remove. The input is newest first.
fn divide<T: Aging>(all: Vec<T>, retention: Retention, now: u64) -> (Vec<T>, Vec<T>) {
    let since = retention.keep_days.map(|days| now.saturating_sub(u64::from(days) * DAY));
    let mut place = 0;
    all.into_iter().partition(|one| {
        place += 1;
        let by_number = retention.keep_runs.is_some_and(|keep| place <= keep);
        let by_age = since.is_some_and(|since| one.began_at() >= since);
        let nothing_said = retention.keep_runs.is_none() && since.is_none();
        let goes_on = matches!(one.status(), TaskStatus::Running | TaskStatus::Paused);
        by_number || by_age || nothing_said || goes_on
    })
}

/// All other rows of a task go with it.
fn remove(transaction: &Transaction<'_>, task: TaskId) -> Result<(), StateTrouble> {
    transaction.execute("DELETE FROM task WHERE id = ?1", params![task.0])?;
    Ok(())
}

fn discarded(connection: &Connection) -> Result<Vec<PathBuf>, StateTrouble> {
    let mut statement = connection.prepare_cached("SELECT path FROM discarded_folder ORDER BY path")?;
    let paths = statement.query_map([], |row| row.get::<_, String>(0))?;
    Ok(paths.map(|path| path.map(PathBuf::from)).collect::<Result<_, _>>()?)
}

/// The folders of the kept runs, and every path that their events name. A damaged row among them is an
/// error, because its paths are unknown.
fn needed_paths(connection: &Connection, kept: &[RunRecord]) -> Result<BTreeSet<PathBuf>, StateTrouble> {
    let mut needed = BTreeSet::new();
    for run in kept {
        let entries: Vec<JournalRow<RunEvent>> =
            journal::of_kinds(connection, run.task, ["screenshot", "test-finished"])?;
        let named: BTreeSet<&str> = entries.iter().filter_map(|entry| named_path(&entry.what.what)).collect();
        needed.extend(named.into_iter().map(|path| real(&run.results.join(path))));
        needed.insert(real(&run.results));
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

/// Something that is needed lies in the folder, or around it, or is it. Paths are in order of their
/// parts, so that all that lie in a folder follow it at once.
fn is_needed(needed: &BTreeSet<PathBuf>, folder: &Path) -> bool {
    let within = needed.range(folder.to_path_buf()..).next().is_some_and(|path| path.starts_with(folder));
    within || folder.ancestors().any(|around| needed.contains(around))
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
