//! Where a session's things lie: socket, lock, state and profile.

use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

/// The files of one session in the runtime folder, which only its owner can read.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SessionPaths {
    pub session: String,
    /// The runtime folder; it exists and is private.
    pub folder: PathBuf,
    /// Where profiles are made: in memory where there is room.
    pub profiles: PathBuf,
    pub downloads: PathBuf,
}

/// What is known of a session's browser, for the one who cleans up after a crash.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct BrowserRecord {
    pub version: u32,
    pub profile: PathBuf,
    /// The first ref that was never given out.
    pub next_ref: u32,
}

impl SessionPaths {
    pub fn socket(&self) -> PathBuf {
        self.folder.join(format!("{}.sock", self.session))
    }

    pub fn lock_file(&self) -> PathBuf {
        self.folder.join(format!("{}.lock", self.session))
    }

    pub(crate) fn record_file(&self) -> PathBuf {
        self.folder.join(format!("{}.json", self.session))
    }

    pub fn log_file(&self) -> PathBuf {
        self.folder.join(format!("{}.log", self.session))
    }

    /// Opens the lock file. Whoever holds its lock owns the session's other files.
    pub(crate) fn open_lock(&self) -> io::Result<File> {
        OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(self.lock_file())
    }

    /// Opens the lock file of a session that may have ended by now. None is made in its place.
    pub(crate) fn open_lock_if_there(&self) -> io::Result<File> {
        OpenOptions::new().read(true).write(true).open(self.lock_file())
    }

    /// A new private folder for a profile. Its name is the mark by which our browsers are known.
    pub(crate) fn make_profile(&self) -> io::Result<PathBuf> {
        std::fs::create_dir_all(&self.profiles)?;
        let nonce = std::time::SystemTime::now()
            .duration_since(std::time::UNIX_EPOCH)
            .map(|since| since.as_nanos())
            .unwrap_or_default();
        let name = format!("{PROFILE_PREFIX}{}-{}-{nonce:x}", self.session, std::process::id());
        let profile = self.profiles.join(name);
        DirBuilder::new().mode(0o700).create(&profile)?;
        Ok(profile)
    }

    pub(crate) fn write_record(&self, record: &BrowserRecord) -> io::Result<()> {
        let text = serde_json::to_string(record).map_err(io::Error::other)?;
        let partial = self.folder.join(format!("{}.json.part", self.session));
        std::fs::write(&partial, text)?;
        std::fs::rename(partial, self.record_file())
    }

    /// None when there is none, or when it is of another version and so not ours to read.
    pub(crate) fn read_record(&self) -> Option<BrowserRecord> {
        let text = std::fs::read_to_string(self.record_file()).ok()?;
        serde_json::from_str::<BrowserRecord>(&text).ok().filter(|record| record.version == RECORD_VERSION)
    }
}

/// Whoever holds a lock only for a moment is done by then.
const MOMENT: Duration = Duration::from_millis(200);

/// Takes a lock that others may hold for a moment: who looks for leftovers, and a process that is being started and has
/// not closed yet what it was born with.
pub fn lock_soon(file: &File) -> Result<(), TryLockError> {
    lock_within(MOMENT, file)
}

/// Takes a lock, and asks for it again and again until this time is over.
pub(crate) fn lock_within(patience: Duration, file: &File) -> Result<(), TryLockError> {
    let end = Instant::now() + patience;
    loop {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) if Instant::now() < end => {
                std::thread::sleep(Duration::from_millis(5));
            }
            done => return done,
        }
    }
}

pub(crate) const RECORD_VERSION: u32 = 1;
pub(crate) const PROFILE_PREFIX: &str = "assay-profile-";

/// Removes a folder of ours, and only such a one.
pub fn remove_private_tree(folder: &Path) {
    let ours = folder.file_name().is_some_and(|name| name.to_string_lossy().starts_with(PROFILE_PREFIX));
    if !ours {
        return;
    }
    // Files may still be written by a browser that is ending: a few tries are enough.
    for _ in 0..40 {
        match std::fs::remove_dir_all(folder) {
            Ok(()) => return,
            Err(err) if err.kind() == io::ErrorKind::NotFound => return,
            Err(_) => std::thread::sleep(std::time::Duration::from_millis(25)),
        }
    }
}
