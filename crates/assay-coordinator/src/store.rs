//! The state file, opened so that committed changes are on the disk.
//!
//! Only SQLite may open `state.db`, even for reading: closing any handle of a file drops the locks that
//! the whole process has on it.

use std::fs::Permissions;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};

use crate::error::StateTrouble;
use crate::{StateError, folder, schema};

pub(crate) const FILE: &str = "state.db";

/// How long one process waits for the others to be done with the file.
const PATIENCE: Duration = Duration::from_secs(30);

/// A file up to this size is read through whenever it is opened, which takes some milliseconds.
const CHECKED_AT_ONCE: i64 = 16 << 20;

/// The kind of failure that a change to the state survives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outlives {
    /// The death of any process: it is with the system.
    Process,
    /// A cut of power as well: it is on the disk.
    Power,
}

pub(crate) struct Store {
    file: PathBuf,
    /// Device and inode, by which the file is known whatever its name.
    identity: (u64, u64),
    /// The version that it had, if it was lifted when it was opened.
    lifted_from: Option<i64>,
    connection: Mutex<Connection>,
}

impl Store {
    /// Opens the file in this folder, and makes both where they are missing.
    pub(crate) fn open(folder: &Path) -> Result<Store, StateError> {
        let folder = &folder::absolute(folder)?;
        folder::prepare(folder)?;
        let _entered = folder::enter(folder);
        let file = folder.join(FILE);
        let is_new = !file.exists();
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut connection = connect(&file, flags)?;
        let lifted_from = prepare(&mut connection).map_err(|trouble| named(&connection, &file, trouble))?;
        if is_new {
            // The folder already excludes other users; this helps if its permissions change. If it
            // fails, another process has moved the file, and the next statement will say so.
            let _ = std::fs::set_permissions(&file, Permissions::from_mode(0o600));
        }
        Ok(Store { lifted_from, ..Store::of(file, connection)? })
    }

    /// Opens the file to read only. Needs no room on the disk, and makes nothing.
    pub(crate) fn open_to_read(folder: &Path) -> Result<Store, StateError> {
        let _entered = folder::enter(folder);
        Store::open_to_read_inside(folder)
    }

    /// The same for a caller that keeps others from entering the folder.
    pub(crate) fn open_to_read_inside(folder: &Path) -> Result<Store, StateError> {
        let folder = &folder::absolute(folder)?;
        let file = folder.join(FILE);
        if !file.exists() {
            return Err(StateError::NotFound { what: format!("state in `{}`", folder.display()) });
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut last = None;
        for way in [Index::Shared, Index::InMemory] {
            let mut connection = connect(&file, flags)?;
            match prepare_to_read(&mut connection, way) {
                Ok(()) => return Store::of(file, connection),
                Err(trouble) => last = Some(named(&connection, &file, trouble)),
            }
            if !matches!(last, Some(StateError::DiskFull { .. } | StateError::Unwritable { .. })) {
                break;
            }
        }
        Err(last.unwrap_or(StateError::NotFound { what: format!("state in `{}`", folder.display()) }))
    }

    fn of(file: PathBuf, connection: Connection) -> Result<Store, StateError> {
        match identity_of(&file) {
            Some(identity) => {
                Ok(Store { file, identity, lifted_from: None, connection: Mutex::new(connection) })
            }
            None => Err(StateError::Gone { file }),
        }
    }

    /// A second connection of the same process, to look at what others commit.
    pub(crate) fn observer(&self) -> Result<Connection, StateError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        connect(&self.file, flags)
    }

    pub(crate) fn lifted(&self) -> Option<(i64, i64)> {
        self.lifted_from.map(|from| (from, schema::VERSION))
    }

    pub(crate) fn file(&self) -> &Path {
        &self.file
    }

    /// Carries out a change whole or not at all. When this returns, it is on the disk.
    pub(crate) fn change<T>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, StateTrouble>,
    ) -> Result<T, StateError> {
        self.change_that(Outlives::Power, work)
    }

    /// As `change`, but the disk is waited for only if the change must outlive a cut of power. The next change that
    /// must takes this one along.
    pub(crate) fn change_that<T>(
        &self,
        outlives: Outlives,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, StateTrouble>,
    ) -> Result<T, StateError> {
        let mut connection = self.lock();
        // Looked at when nobody else can change the file: another one may have been put in its place meanwhile.
        let work = |transaction: &Transaction<'_>| {
            self.check_it_is_there()?;
            work(transaction)
        };
        let done = match outlives {
            Outlives::Power => within(&mut connection, TransactionBehavior::Immediate, work),
            Outlives::Process => without_waiting(&mut connection, work),
        };
        done.map_err(|trouble| self.told(&connection, trouble))
    }

    /// Reads from one moment of the state, whatever others write meanwhile.
    pub(crate) fn look<T>(
        &self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, StateTrouble>,
    ) -> Result<T, StateError> {
        let mut connection = self.lock();
        self.check_it_is_there()?;
        let done = within(&mut connection, TransactionBehavior::Deferred, work);
        done.map_err(|trouble| self.told(&connection, trouble))
    }

    /// Gives room that is not needed any more back to the disk. Nothing depends on it.
    pub(crate) fn shrink(&self) -> Result<(), StateError> {
        let connection = self.lock();
        let done = give_back(&connection);
        done.map_err(|trouble| self.told(&connection, trouble))
    }

    /// Reads the whole file through.
    pub(crate) fn verify(&self) -> Result<(), StateError> {
        let connection = self.lock();
        check_whole(&connection).map_err(|trouble| self.told(&connection, trouble))
    }

    fn check_it_is_there(&self) -> Result<(), StateError> {
        match identity_of(&self.file) {
            Some(found) if found == self.identity => Ok(()),
            _ => Err(StateError::Gone { file: self.file.clone() }),
        }
    }

    /// Names a trouble. A file that turns out to be damaged is not written into from then on: what is
    /// committed stays in the log beside it.
    fn told(&self, connection: &Connection, trouble: StateTrouble) -> StateError {
        let error = named(connection, &self.file, trouble);
        if let StateError::Corrupt { .. } = error {
            // If even this fails, the reported error already says enough.
            let _ = connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true);
            let _ = connection.pragma_update(None, "wal_autocheckpoint", 0);
        }
        error
    }

    /// A thread that panicked in the middle has left no half of a change: its transaction was rolled back.
    fn lock(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn identity_of(file: &Path) -> Option<(u64, u64)> {
    std::fs::metadata(file).ok().map(|found| (found.dev(), found.ino()))
}

/// A change that the disk is not waited for. The connection waits again after it, whatever came of it.
fn without_waiting<T>(
    connection: &mut Connection,
    work: impl FnOnce(&Transaction<'_>) -> Result<T, StateTrouble>,
) -> Result<T, StateTrouble> {
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    let done = within(connection, TransactionBehavior::Immediate, work);
    connection.pragma_update(None, "synchronous", "FULL")?;
    done
}

pub(crate) fn within<T>(
    connection: &mut Connection,
    behavior: TransactionBehavior,
    work: impl FnOnce(&Transaction<'_>) -> Result<T, StateTrouble>,
) -> Result<T, StateTrouble> {
    let transaction = connection.transaction_with_behavior(behavior)?;
    let done = work(&transaction)?;
    transaction.commit()?;
    Ok(done)
}

fn give_back(connection: &Connection) -> Result<(), StateTrouble> {
    // One page a step, so the statement is carried out until it has no more to do.
    let mut statement = connection.prepare("PRAGMA incremental_vacuum")?;
    let mut rows = statement.query([])?;
    while rows.next()?.is_some() {}
    drop(rows);
    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
    Ok(())
}

pub(crate) fn connect(file: &Path, flags: OpenFlags) -> Result<Connection, StateError> {
    let opened = Connection::open_with_flags(file, flags).and_then(|connection| {
        connection.busy_timeout(PATIENCE)?;
        connection.set_prepared_statement_cache_capacity(64);
        // The file may have come with a project from elsewhere.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
        // A damaged file is left as it is. Without this, closing it would write the log into it.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
        Ok(connection)
    });
    // There is no connection yet that could tell the number of the system's error.
    opened.map_err(|source| StateTrouble::Sql(source).named(file, 0))
}

/// Checks the file before writing to it: a file that is foreign, too new or damaged stays unchanged. Gives the version of
/// one that was older, and was lifted.
fn prepare(connection: &mut Connection) -> Result<Option<i64>, StateTrouble> {
    let found = within(connection, TransactionBehavior::Deferred, version_of)?;
    check_size_dependent(connection)?;
    if found == 0 {
        // Takes effect in an empty file only, and must come before anything else is written.
        connection.pragma_update(None, "auto_vacuum", "INCREMENTAL")?;
    }
    use_write_ahead_log(connection)?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    let mut lifted_from = None;
    if found < schema::VERSION {
        lifted_from = within(connection, TransactionBehavior::Immediate, |transaction| {
            // Another process may have been faster.
            let found = version_of(transaction)?;
            if found < schema::VERSION {
                schema::lift(transaction, found)?;
            }
            Ok((1..schema::VERSION).contains(&found).then_some(found))
        })?;
    }
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false)?;
    Ok(lifted_from)
}

/// Where the index of the log is kept.
#[derive(Clone, Copy)]
enum Index {
    /// In a file beside the others, as always.
    Shared,
    /// In the memory of this process alone, for a disk without room for that file. SQLite excludes
    /// other processes meanwhile, which is no loss: they could not open it either.
    InMemory,
}

fn prepare_to_read(connection: &mut Connection, way: Index) -> Result<(), StateTrouble> {
    if let Index::InMemory = way {
        connection.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
    }
    connection.pragma_update(None, "query_only", true)?;
    let found = within(connection, TransactionBehavior::Deferred, version_of)?;
    if found == 0 {
        return Err(StateError::NotFound { what: "state yet".to_string() }.into());
    }
    check_size_dependent(connection)
}

/// 0 for a file that is empty. The three are read in one transaction: another process may be about to
/// make the file.
pub(crate) fn version_of(connection: &Transaction<'_>) -> Result<i64, StateTrouble> {
    let file = || PathBuf::from(connection.path().unwrap_or_default());
    let found: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let application: i64 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if tables > 0 && application != schema::APPLICATION {
        return Err(StateError::Foreign { file: file() }.into());
    }
    if found > schema::VERSION {
        return Err(StateError::TooNew { file: file(), found, known: schema::VERSION }.into());
    }
    Ok(found)
}

fn check_size_dependent(connection: &Connection) -> Result<(), StateTrouble> {
    // Every page is looked at twice when it is read: damage is noticed before it spreads.
    connection.pragma_update(None, "cell_size_check", true)?;
    let pages: i64 = connection.pragma_query_value(None, "page_count", |row| row.get(0))?;
    let size: i64 = connection.pragma_query_value(None, "page_size", |row| row.get(0))?;
    if pages.saturating_mul(size) <= CHECKED_AT_ONCE { check_whole(connection) } else { Ok(()) }
}

pub(crate) fn check_whole(connection: &Connection) -> Result<(), StateTrouble> {
    let told: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    if told == "ok" {
        return Ok(());
    }
    let detail = told.lines().next_back().unwrap_or_default().to_owned();
    let file = PathBuf::from(connection.path().unwrap_or_default());
    Err(StateError::Corrupt { file, detail }.into())
}

/// Several processes may find a new file at once. SQLite does not wait for the others when it changes
/// this mode, so we do.
fn use_write_ahead_log(connection: &Connection) -> Result<(), StateTrouble> {
    let begun = Instant::now();
    loop {
        let changed: Result<String, _> =
            connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0));
        match changed {
            Err(source)
                if source.sqlite_error_code() == Some(rusqlite::ErrorCode::DatabaseBusy)
                    && begun.elapsed() < PATIENCE =>
            {
                std::thread::sleep(Duration::from_millis(2));
            }
            other => return Ok(other.map(|_| ())?),
        }
    }
}

pub(crate) fn named(connection: &Connection, file: &Path, trouble: StateTrouble) -> StateError {
    // SAFETY: the handle is that of a connection that is open as long as it is borrowed here, and the
    // function only reads a number from it.
    let system = unsafe { rusqlite::ffi::sqlite3_system_errno(connection.handle()) };
    trouble.named(file, system)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A process that is killed loses nothing either way; that a machine that loses power does not can
    /// only be seen by what SQLite was told.
    #[test]
    fn every_change_is_synced() {
        let folder = std::env::temp_dir().join(format!("assay-coordinator-store-{}", std::process::id()));
        let store = Store::open(&folder).unwrap();
        let connection = store.lock();
        let number =
            |name: &str| -> i64 { connection.pragma_query_value(None, name, |row| row.get(0)).unwrap() };
        assert_eq!((number("synchronous"), number("foreign_keys")), (2, 1));
        let mode: String = connection.pragma_query_value(None, "journal_mode", |row| row.get(0)).unwrap();
        assert_eq!(mode, "wal");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
