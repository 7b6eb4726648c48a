//! The folder of the state: private, and not part of the project's repository.

use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use crate::StateError;
use crate::error::is_no_room;
use crate::store::FILE;

const PRIVATE: u32 = 0o700;

/// Creates the folder if it is missing, for its owner only, with a `.gitignore` that hides all of it.
pub(crate) fn prepare(folder: &Path) -> Result<(), StateError> {
    refuse_other_owners(folder)?;
    make(folder).map_err(|source| match source.raw_os_error() {
        Some(system) if is_no_room(system) => StateError::DiskFull { file: folder.join(FILE) },
        _ => StateError::Unwritable { folder: folder.to_path_buf(), source },
    })?;
    // Somebody may have been quicker than we were.
    refuse_other_owners(folder)
}

/// A state of somebody else says what they want us to do.
fn refuse_other_owners(folder: &Path) -> Result<(), StateError> {
    let own = fs::metadata("/proc/self").map_err(|source| StateError::ProcessUnknown { source })?.uid();
    for path in [folder, &folder.join(FILE)] {
        match fs::symlink_metadata(path) {
            Ok(found) if found.uid() != own => {
                return Err(StateError::OtherOwner { path: path.to_path_buf(), uid: found.uid() });
            }
            _ => {}
        }
    }
    Ok(())
}

/// A project from elsewhere could lead us to a folder or a file of ours that is none of its business.
fn refuse_links(folder: &Path) -> io::Result<()> {
    // The files that the database makes beside its own.
    let beside = ["-wal", "-shm", "-journal"].map(|ending| folder.join(format!("{FILE}{ending}")));
    for path in [folder, &folder.join(FILE)].into_iter().chain(beside.iter().map(PathBuf::as_path)) {
        if fs::symlink_metadata(path).is_ok_and(|found| found.is_symlink()) {
            let what = format!("`{}` is a symbolic link, and assay does not follow links", path.display());
            return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
        }
    }
    Ok(())
}

/// Keeps the state in the folder from being replaced while this process opens it. Where the folder cannot be locked,
/// nobody can replace the state in it either.
pub(crate) fn enter(folder: &Path) -> Option<File> {
    let opened = File::open(folder).ok()?;
    opened.lock_shared().ok()?;
    Some(opened)
}

/// Keeps all others from opening the state in the folder, until it is dropped.
pub(crate) fn close(folder: &Path) -> Result<File, StateError> {
    let unwritable = |source| StateError::Unwritable { folder: folder.to_path_buf(), source };
    let opened = File::open(folder).map_err(unwritable)?;
    opened.lock().map_err(unwritable)?;
    Ok(opened)
}

/// The same folder wherever this process goes from here.
pub(crate) fn absolute(folder: &Path) -> Result<PathBuf, StateError> {
    std::path::absolute(folder)
        .map_err(|source| StateError::Unwritable { folder: folder.to_path_buf(), source })
}

fn make(folder: &Path) -> io::Result<()> {
    refuse_links(folder)?;
    DirBuilder::new().recursive(true).mode(PRIVATE).create(folder)?;
    if fs::metadata(folder)?.permissions().mode() & 0o077 != 0 {
        fs::set_permissions(folder, Permissions::from_mode(PRIVATE))?;
    }
    let ignore = folder.join(".gitignore");
    match OpenOptions::new().write(true).create_new(true).mode(0o600).open(&ignore) {
        Ok(mut file) => file.write_all(b"*\n"),
        Err(source) if source.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(source) => Err(source),
    }
}
