//! A copy of the state as it is at one moment, taken while others write.

use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rusqlite::params;

use crate::error::is_no_room;
use crate::store::named;
use crate::{Coordinator, StateError};

impl Coordinator {
    /// Writes the state into a new file that only its owner reads. Nobody waits for it: it has what was committed when it
    /// began, and nothing that came later.
    pub fn copy_to(&self, file: &Path) -> Result<(), StateError> {
        let unwritable = |source: std::io::Error| match source.raw_os_error() {
            Some(system) if is_no_room(system) => StateError::DiskFull { file: file.to_path_buf() },
            _ => StateError::Unwritable { folder: file.parent().unwrap_or(file).to_path_buf(), source },
        };
        let target = file.to_str().ok_or_else(|| {
            unwritable(std::io::Error::new(std::io::ErrorKind::InvalidInput, "its name is not UTF-8"))
        })?;
        // SQLite would make it readable for others.
        OpenOptions::new().write(true).create_new(true).mode(0o600).open(file).map_err(unwritable)?;
        let observer = self.store.observer()?;
        match observer.execute("VACUUM INTO ?1", params![target]) {
            Ok(_) => Ok(()),
            Err(source) => Err(named(&observer, self.store.file(), source.into())),
        }
    }
}
