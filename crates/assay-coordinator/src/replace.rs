//! Puts another state in the place of the one that is there, if nobody uses it.
//!
//! One rename decides: before it the old state is there, after it the new one, whenever the process is killed. What would
//! belong to the old file alone, its log, is part of that file by then. Whoever opens a state enters its folder first, so
//! nobody can open it in the middle.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use assay_protocol::TaskStatus;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags, TransactionBehavior};

use crate::error::{StateTrouble, is_no_room};
use crate::process::this_process;
use crate::restart::is_alive;
use crate::store::{FILE, Store, check_whole, connect, named, version_of, within};
use crate::{Coordinator, StateError, folder, tasks};

/// How long somebody who only looks something up may take.
const PATIENCE: Duration = Duration::from_secs(2);

/// What SQLite keeps beside a file.
const BESIDE: [&str; 3] = ["-wal", "-shm", "-journal"];

/// The version of a state that lies in a file alone. The file is read through, and left as it is.
pub fn state_version(file: &Path) -> Result<i64, StateError> {
    if !file.is_file() {
        return Err(StateError::NotFound { what: format!("file `{}`", file.display()) });
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = connect(file, flags)?;
    let read = within(&mut connection, TransactionBehavior::Deferred, |transaction| {
        let version = version_of(transaction)?;
        check_whole(transaction)?;
        Ok(version)
    });
    match read.map_err(|trouble| named(&connection, file, trouble))? {
        0 => Err(StateError::Foreign { file: file.to_path_buf() }),
        version => Ok(version),
    }
}

/// Puts the state in the file `new` in the place of the one in a folder, which is kept in the folder `kept`. Both must be
/// on the same disk. Refused while anybody has the old one open.
pub fn replace_state(state: &Path, new: &Path, kept: &Path) -> Result<(), StateError> {
    let state = &folder::absolute(state)?;
    folder::prepare(state)?;
    let closed = folder::close(state)?;
    state_version(new)?;
    let file = state.join(FILE);
    let unwritable = |source: io::Error| match source.raw_os_error() {
        Some(system) if is_no_room(system) => StateError::DiskFull { file: file.clone() },
        _ => StateError::Unwritable { folder: state.clone(), source },
    };
    // Open until the end: it keeps programs away that do not enter the folder first.
    let mut held = None;
    if file.exists() {
        let users = users_of(state, &file)?;
        if !users.is_empty() {
            return Err(StateError::InUse { file, users });
        }
        held = match hold_alone(state, &file) {
            Ok(connection) => Some(connection),
            // Nothing can be asked of it, and somebody may still recover data: it is kept with its log.
            Err(StateError::Corrupt { .. } | StateError::Foreign { .. } | StateError::Database { .. }) => {
                None
            }
            Err(error) => return Err(error),
        };
        keep(&file, kept).map_err(unwritable)?;
    }
    let placed = fs::rename(new, &file).and_then(|()| closed.sync_all());
    drop(held);
    placed.map_err(unwritable)
}

/// Who works with a state: those on record in it, and else those that have it open.
fn users_of(state: &Path, file: &Path) -> Result<Vec<String>, StateError> {
    let on_record = match Store::open_to_read_inside(state) {
        Ok(store) => living_users(store)?,
        // Nothing can be asked of it.
        Err(_) => Vec::new(),
    };
    Ok(if on_record.is_empty() { processes_with(file) } else { on_record })
}

/// Gives a file to nobody else, with everything in it that was committed.
fn hold_alone(state: &Path, file: &Path) -> Result<Connection, StateError> {
    match Store::open_to_read_inside(state) {
        // That of a newer assay is whole as well.
        Ok(_) | Err(StateError::TooNew { .. }) => {}
        Err(error) => return Err(error),
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = connect(file, flags)?;
    let held = merge_log(&connection);
    held.map_err(|source| match source.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            StateError::InUse { file: file.to_path_buf(), users: vec!["another process".to_string()] }
        }
        _ => named(&connection, file, StateTrouble::Sql(source)),
    })?;
    Ok(connection)
}

/// Only who is alone with a file can end its log, which then is part of it.
fn merge_log(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(PATIENCE)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false)?;
    connection.query_row("PRAGMA journal_mode = DELETE", [], |_| Ok(()))?;
    connection.execute_batch("BEGIN EXCLUSIVE")
}

/// The living holders of locks, and the living owners of running tasks, also of other machines.
fn living_users(store: Store) -> Result<Vec<String>, StateError> {
    let coordinator = Coordinator::with(store);
    let mut users: Vec<String> =
        coordinator.locks()?.into_iter().map(|held| held.owner.to_string()).collect();
    let here = this_process("")?;
    let tasks = coordinator.store.look(|transaction| {
        let mut living = Vec::new();
        for task in tasks::list(transaction, Some(TaskStatus::Running), usize::MAX)? {
            if is_alive(transaction, &task, &here)? {
                living.push(task.owner.to_string());
            }
        }
        Ok(living)
    })?;
    users.extend(tasks);
    users.sort();
    users.dedup();
    Ok(users)
}

/// The processes of this machine that have a file open, as far as they can be seen. This process counts as well.
fn processes_with(file: &Path) -> Vec<String> {
    let Ok(file) = file.canonicalize() else { return Vec::new() };
    let processes = fs::read_dir("/proc").map(|entries| entries.flatten().collect()).unwrap_or_default();
    let processes: Vec<fs::DirEntry> = processes;
    let has_it = |process: &PathBuf| {
        let open = fs::read_dir(process.join("fd")).map(|open| open.flatten().collect()).unwrap_or_default();
        let open: Vec<fs::DirEntry> = open;
        open.iter().any(|open| fs::read_link(open.path()).is_ok_and(|path| path == file))
    };
    let is_number = |process: &PathBuf| {
        let name = process.file_name().unwrap_or_default().to_string_lossy();
        name.bytes().all(|letter| letter.is_ascii_digit())
    };
    let found = processes.iter().map(fs::DirEntry::path).filter(is_number).filter(has_it);
    found
        .map(|process| {
            let name = fs::read_to_string(process.join("comm")).unwrap_or_default();
            let pid = process.file_name().unwrap_or_default().to_string_lossy().into_owned();
            format!("process {pid} ({})", name.trim())
        })
        .collect()
}

/// A second name for the file in another folder, with what still lies beside it.
fn keep(file: &Path, kept: &Path) -> io::Result<()> {
    let beside = BESIDE.map(|ending| {
        let mut path = file.as_os_str().to_owned();
        path.push(ending);
        PathBuf::from(path)
    });
    for path in std::iter::once(file).chain(beside.iter().map(PathBuf::as_path)) {
        let to = kept.join(path.file_name().unwrap_or_default());
        match fs::hard_link(path, &to) {
            Ok(()) => {}
            Err(err) if err.kind() == io::ErrorKind::NotFound => {}
            // Not every file system has them.
            Err(err)
                if matches!(err.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::Unsupported) =>
            {
                fs::copy(path, &to)?;
                File::open(&to)?.sync_all()?;
            }
            Err(err) => return Err(err),
        }
    }
    File::open(kept)?.sync_all()?;
    // A log beside another file would be taken for its own.
    for path in beside {
        match fs::remove_file(path) {
            Err(err) if err.kind() != io::ErrorKind::NotFound => return Err(err),
            _ => {}
        }
    }
    Ok(())
}
