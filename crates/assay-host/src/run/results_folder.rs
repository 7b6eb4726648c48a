//! The folder of a run's results: one run at a time writes to it.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::ErrorKind;
use std::path::Path;

use assay_daemon::lock_soon;
use assay_protocol::{ErrorCode, Failure};

/// The journal of a run in its folder.
pub const JOURNAL: &str = "events.jsonl";

/// The results may have come with a project from elsewhere: a link among them would lead what is written over a file
/// that is none of its business.
fn refuse_links(folder: &Path) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_symlink() {
            let message =
                format!("{} is a symbolic link, and assay does not follow links", entry.path().display());
            return Err(std::io::Error::new(ErrorKind::InvalidInput, message));
        }
    }
    Ok(())
}

/// A folder that is ours as long as this value lives. The kernel gives it back when the process ends, however it ends.
pub struct HeldResults {
    /// The lock is on the journal, which every run writes: nothing else is left behind.
    _journal: File,
}

impl HeldResults {
    pub fn take(folder: &Path) -> Result<HeldResults, Failure> {
        let failed = |err: std::io::Error| {
            Failure::new(ErrorCode::Io, format!("could not write to {}: {err}", folder.display()))
        };
        std::fs::create_dir_all(folder).map_err(failed)?;
        refuse_links(folder).map_err(failed)?;
        // Not cut off yet: it may be the journal of somebody else.
        let journal = OpenOptions::new().write(true).create(true).truncate(false).open(folder.join(JOURNAL));
        let journal = journal.map_err(failed)?;
        match lock_soon(&journal) {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let message = format!("another run is writing its results to {}", folder.display());
                return Err(Failure::new(ErrorCode::ResultsBusy, message)
                    .hint("wait for it to finish, or choose another folder with `--results FOLDER`"));
            }
            // Some file systems know no locks. A run is worth more there than its protection.
            Err(TryLockError::Error(err)) if err.kind() == ErrorKind::Unsupported => {}
            Err(TryLockError::Error(err)) => return Err(failed(err)),
        }
        Ok(HeldResults { _journal: journal })
    }
}
