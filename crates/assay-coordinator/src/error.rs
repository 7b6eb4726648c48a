//! Errors of the project state.

use std::io;
use std::path::{Path, PathBuf};

use assay_protocol::{LockName, Owner, TaskId, TaskStatus};

use crate::agent_share::AgentWork;
use crate::bus::EventError;
use crate::lock::LEASE_TIME;

#[derive(Debug, thiserror::Error)]
pub enum StateError {
    /// Another living process holds the lock.
    #[error(
        "`{name}` has been in use by {holder} for {}; its last heartbeat was {} ago",
        span(*.now, .holder.since),
        span(*.now, *.seen_at)
    )]
    Busy {
        name: LockName,
        holder: Box<Owner>,
        seen_at: u64,
        now: u64,
        /// Whether its process can be looked at from here.
        is_in_sight: bool,
    },

    /// The lease was taken over, because its owner was thought dead, or it was released before.
    #[error("`{name}` is no longer held{}", taken_by(.holder.as_deref()))]
    LeaseLost { name: LockName, holder: Option<Box<Owner>> },

    /// Another process has taken over the task. This one must stop its work.
    #[error("task {task} was taken over by {holder}")]
    TakenOver { task: TaskId, holder: Box<Owner> },

    /// Its process lives: it is not taken away.
    #[error("task {task} is already running in {holder}")]
    TaskBusy { task: TaskId, holder: Box<Owner> },

    #[error("task {task} is {}, so it cannot be {wanted}", .status.name())]
    WrongStatus { task: TaskId, status: TaskStatus, wanted: &'static str },

    /// The agent has as much under way as it may.
    #[error("agent `{agent}` has {most} at work, and may have no more at a time: {work}")]
    AgentBusy { agent: String, most: u32, work: AgentWork },

    #[error("agent session {session} is {status}, so it cannot be {wanted}")]
    WrongAgentStatus { session: i64, status: &'static str, wanted: &'static str },
    /// The event was not taken.
    #[error(transparent)]
    Event(EventError),

    /// It took too long, and another process has the event now or is done with it.
    #[error("event {event} is no longer with this process; `{subscriber}` got it again")]
    DeliveryLost { subscriber: String, event: u64 },

    #[error("there is no {what}")]
    NotFound { what: String },

    /// Nothing of the change was kept; all that was there before still is.
    #[error("there is no space left to write `{}`", .file.display())]
    DiskFull { file: PathBuf },

    /// The file stays untouched: a user may still recover data from it.
    #[error("`{}` is damaged ({detail}); move it away, and the next run creates a new one", .file.display())]
    Corrupt { file: PathBuf, detail: String },

    #[error("row {row} of the journal in `{}` is damaged ({detail})", .file.display())]
    DamagedRow { file: PathBuf, row: u64, detail: String },

    #[error(
        "`{}` was written by a newer assay (version {found}, this one reads up to {known})",
        .file.display()
    )]
    TooNew { file: PathBuf, found: i64, known: i64 },

    #[error("`{}` is a database that assay did not create", .file.display())]
    Foreign { file: PathBuf },

    /// Nobody would find new data in it, and a lock in it would exclude nobody.
    #[error("`{}` was moved or deleted while it was in use", .file.display())]
    Gone { file: PathBuf },

    /// Other processes kept the file locked for longer than anybody should.
    #[error("`{}` was locked by other processes for too long", .file.display())]
    Contended { file: PathBuf },

    /// It is not replaced under the hands of somebody who works with it.
    #[error("`{}` is in use by {}", .file.display(), .users.join(", "))]
    InUse { file: PathBuf, users: Vec<String> },

    /// Anybody could have put it there for us to find.
    #[error("`{}` belongs to another user (uid {uid}), so its state is not used", .path.display())]
    OtherOwner { path: PathBuf, uid: u32 },

    #[error("the folder `{}` cannot be written to: {source}", .folder.display())]
    Unwritable { folder: PathBuf, source: io::Error },

    #[error("cannot identify this process: {source}")]
    ProcessUnknown { source: io::Error },

    #[error("`{}` cannot be used: {source}", .file.display())]
    Database { file: PathBuf, source: rusqlite::Error },
}

/// Advice, if there is any.
pub fn hint(error: &StateError) -> Option<String> {
    match error {
        StateError::Corrupt { file, .. } | StateError::Foreign { file } => {
            Some(format!("run `{}`", moving_away(file)))
        }
        StateError::TooNew { file, .. } => {
            Some(format!("use the newer assay, or start over with `{}`", moving_away(file)))
        }
        StateError::Busy { is_in_sight: false, .. } => Some(format!(
            "its process cannot be seen from here; if it has ended, the next try after {} s takes over",
            LEASE_TIME.as_secs()
        )),
        StateError::Busy { name: LockName::Session(_), .. } => {
            Some("wait for it to finish, or use another session with `--session NAME`".to_string())
        }
        StateError::Busy { name: LockName::AgentSession(number), .. } => {
            Some(format!("wait for it, or end its turn with `assay agent sessions stop {number}`"))
        }
        StateError::AgentBusy { work: AgentWork::Turn { session, .. }, .. } => {
            Some(format!("wait for it, or end its turn with `assay agent sessions stop {session}`"))
        }
        StateError::OtherOwner { .. } => Some(
            "work in a folder of your own, or name another folder for the state with ASSAY_STATE".to_string(),
        ),
        StateError::InUse { .. } => Some("end it, then try again; nothing was changed".to_string()),
        StateError::DiskFull { .. } => {
            Some("free some disk space; everything recorded so far is still there".to_string())
        }
        _ => None,
    }
}

/// The log beside it holds the newest changes, and belongs to this file and no other.
fn moving_away(file: &Path) -> String {
    let folder = file.parent().unwrap_or(file).display();
    format!("mkdir '{folder}/old' && mv '{folder}'/state.db* '{folder}/old/'")
}

impl StateError {
    pub(crate) fn no_task(task: TaskId) -> StateError {
        StateError::NotFound { what: format!("task {task}") }
    }
}

/// An error inside a transaction, before the file is known.
#[derive(Debug)]
pub(crate) enum StateTrouble {
    Sql(rusqlite::Error),
    /// A row of the journal that does not fit its checksum or cannot be read.
    Row {
        row: u64,
        detail: String,
    },
    /// Something that was written as JSON and is none any more.
    Content {
        detail: String,
    },
    State(StateError),
}

impl From<rusqlite::Error> for StateTrouble {
    fn from(source: rusqlite::Error) -> StateTrouble {
        StateTrouble::Sql(source)
    }
}

impl From<EventError> for StateTrouble {
    fn from(source: EventError) -> StateTrouble {
        StateTrouble::State(StateError::Event(source))
    }
}

impl From<StateError> for StateTrouble {
    fn from(source: StateError) -> StateTrouble {
        StateTrouble::State(source)
    }
}

/// Our own types always serialize to JSON; a failure would be a defect of assay.
impl From<serde_json::Error> for StateTrouble {
    fn from(source: serde_json::Error) -> StateTrouble {
        StateTrouble::Sql(rusqlite::Error::ToSqlConversionFailure(Box::new(source)))
    }
}

/// Reads what was written as JSON in a column of the file.
pub(crate) fn read_json<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, StateTrouble> {
    serde_json::from_str(text).map_err(|source| StateTrouble::Content { detail: source.to_string() })
}

impl StateTrouble {
    /// Gives the trouble its name. `system` is the number of the last failed system call of the connection.
    pub(crate) fn named(self, file: &Path, system: i32) -> StateError {
        let file = file.to_path_buf();
        let source = match self {
            StateTrouble::State(error) => return error,
            StateTrouble::Row { row, detail } => return StateError::DamagedRow { file, row, detail },
            StateTrouble::Content { detail } => return StateError::Corrupt { file, detail },
            StateTrouble::Sql(source) => source,
        };
        use rusqlite::ErrorCode as Code;
        match source.sqlite_error_code() {
            Some(Code::DiskFull) => StateError::DiskFull { file },
            // The index of the log grows outside of what SQLite calls a full disk.
            Some(Code::SystemIoFailure | Code::CannotOpen) if is_no_room(system) => {
                StateError::DiskFull { file }
            }
            Some(Code::DatabaseCorrupt | Code::NotADatabase) => {
                StateError::Corrupt { file, detail: source.to_string() }
            }
            Some(Code::DatabaseBusy | Code::DatabaseLocked | Code::FileLockingProtocolFailed) => {
                StateError::Contended { file }
            }
            Some(Code::ReadOnly | Code::CannotOpen | Code::PermissionDenied) => {
                let folder = file.parent().unwrap_or(&file).to_path_buf();
                let source = match system {
                    0 => io::Error::other(source),
                    number => io::Error::from_raw_os_error(number),
                };
                StateError::Unwritable { folder, source }
            }
            _ => StateError::Database { file, source },
        }
    }
}

/// A file size limit or a quota counts as a full disk.
pub(crate) fn is_no_room(system: i32) -> bool {
    matches!(system, libc::ENOSPC | libc::EDQUOT | libc::EFBIG)
}

fn taken_by(holder: Option<&Owner>) -> String {
    holder.map(|holder| format!("; {holder} holds it now")).unwrap_or_default()
}

/// `3 s`, `12 min`, `5 h`: as exact as a person asks.
fn span(now: u64, then: u64) -> String {
    let seconds = now.saturating_sub(then) / 1000;
    match seconds {
        0..120 => format!("{seconds} s"),
        120..7200 => format!("{} min", seconds / 60),
        _ => format!("{} h", seconds / 3600),
    }
}
