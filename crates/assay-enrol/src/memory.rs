//! What a file said before an entry in it was updated. Undoing the update brings that back, and takes nothing of the
//! user's away.
//!
//! One pair of texts a file, which only the user can read: settings may hold secrets.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use crate::change::{Change, What};
use crate::error::EnrolError;

/// Where such texts are kept.
pub struct Memory {
    folder: PathBuf,
}

/// Names of files have a limit, and the end of a path says more than its beginning.
const LONGEST_NAME: usize = 180;

impl Memory {
    pub fn in_folder(folder: PathBuf) -> Memory {
        Memory { folder }
    }

    /// Keeps what a file says before an update of its entry. Of several updates, the first one counts.
    pub fn remember(&self, change: &Change) -> Result<(), EnrolError> {
        let (What::Updated, Some(before), Some(after)) = (change.what, &change.before, &change.after) else {
            return Ok(());
        };
        let earlier = self.kept(&change.file).filter(|(_, after)| after == before).map(|(before, _)| before);
        let keep = |what: &str, text: &str| write_private(&self.place(&change.file, what), text);
        fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(&self.folder)
            .and_then(|()| keep("before", earlier.as_ref().unwrap_or(before)))
            .and_then(|()| keep("after", after))
            .map_err(|source| EnrolError::Write { file: self.folder.clone(), source })
    }

    /// The change that undoes an update, instead of the one that takes the entry out.
    pub fn undo(&self, change: Change) -> Result<Change, EnrolError> {
        let Some((before, after)) = self.kept(&change.file) else { return Ok(change) };
        match &change.before {
            Some(now) if *now == after => Ok(Change { after: Some(before), what: What::Restored, ..change }),
            // The update was never made, or is undone.
            Some(now) if *now == before => Ok(Change { after: Some(before), what: What::Nothing, ..change }),
            Some(_) if change.what == What::Removed => Err(EnrolError::ChangedSince {
                file: change.file.clone(),
                kept: self.place(&change.file, "before"),
            }),
            _ => Ok(change),
        }
    }

    /// A change was undone: what was kept for it is of no more use.
    pub fn forget(&self, file: &Path) {
        for what in ["before", "after"] {
            // There may be none.
            let _gone = fs::remove_file(self.place(file, what));
        }
    }

    fn kept(&self, file: &Path) -> Option<(String, String)> {
        let read = |what: &str| fs::read_to_string(self.place(file, what)).ok();
        Some((read("before")?, read("after")?))
    }

    fn place(&self, file: &Path, what: &str) -> PathBuf {
        let name = file.display().to_string().replace('/', "%");
        let cut = name.char_indices().rev().nth(LONGEST_NAME).map_or(0, |(at, _)| at);
        self.folder.join(format!("{}.{what}", &name[cut..]))
    }
}

fn write_private(file: &Path, text: &str) -> io::Result<()> {
    let mut out = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(file)?;
    out.write_all(text.as_bytes())?;
    out.sync_all()
}
