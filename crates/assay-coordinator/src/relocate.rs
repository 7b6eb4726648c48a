//! A state that lies in a file alone, before it is used: where its runs are, in words of the machine that has it now.

use std::path::{Path, PathBuf};

use rusqlite::{OpenFlags, Transaction, TransactionBehavior, params};
use serde_json::Value;

use crate::error::{StateTrouble, read_json};
use crate::store::{connect, named, within};
use crate::{StateError, folder};

/// Makes the folder of a state, for its owner only, where it is missing.
pub fn prepare_state_folder(state: &Path) -> Result<(), StateError> {
    folder::prepare(&folder::absolute(state)?)
}

/// The folders that the runs of a state have their results in.
pub fn runs_folders(file: &Path) -> Result<Vec<PathBuf>, StateError> {
    alone(file, |transaction| {
        let mut statement = transaction.prepare("SELECT DISTINCT results FROM run ORDER BY results")?;
        let paths = statement.query_map([], |row| row.get::<_, String>(0))?;
        Ok(paths.map(|path| path.map(PathBuf::from)).collect::<Result<_, _>>()?)
    })
}

/// The project has moved from one folder to another, and its runs with it.
pub fn relocate_runs(file: &Path, from: &Path, to: &Path) -> Result<(), StateError> {
    let moved = |path: &str| -> Option<String> {
        let rest = Path::new(path).strip_prefix(from).ok()?;
        // Joined with nothing, it would end with a slash.
        let new = if rest.as_os_str().is_empty() { to.to_path_buf() } else { to.join(rest) };
        new.to_str().map(str::to_string)
    };
    if from == to {
        return Ok(());
    }
    alone(file, |transaction| {
        let rows: Vec<(i64, String, String)> = transaction
            .prepare("SELECT task, results, start_order FROM run")?
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
            .collect::<Result<_, _>>()?;
        for (task, results, order) in rows {
            let mut order: Value = read_json(&order)?;
            if let Some(folder) = order.get("folder").and_then(Value::as_str).and_then(moved) {
                order["folder"] = Value::String(folder);
            }
            let results = moved(&results).unwrap_or(results);
            transaction.execute(
                "UPDATE run SET results = ?2, start_order = ?3 WHERE task = ?1",
                params![task, results, serde_json::to_string(&order)?],
            )?;
        }
        // What was to be deleted there is not here.
        transaction.execute("DELETE FROM discarded_folder", [])?;
        Ok(())
    })
}

fn alone<T>(
    file: &Path,
    work: impl FnOnce(&Transaction<'_>) -> Result<T, StateTrouble>,
) -> Result<T, StateError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = connect(file, flags)?;
    within(&mut connection, TransactionBehavior::Deferred, work)
        .map_err(|trouble| named(&connection, file, trouble))
}
