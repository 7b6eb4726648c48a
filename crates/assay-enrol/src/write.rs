//! Makes a change: writes the file in one piece, or takes it away.
//!
//! Whoever reads meanwhile finds the old text or the new one and never a part. Does not know what the text means.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use crate::change::{Change, read};
use crate::error::EnrolError;

/// As many as the system follows.
const MAX_LINKS: usize = 40;

/// Makes a change. Nothing is written if the file no longer says what it said when the change was planned.
pub fn apply(change: &Change) -> Result<(), EnrolError> {
    if change.before == change.after {
        return Ok(());
    }
    if read(&change.file)? != change.before {
        return Err(EnrolError::Changed { file: change.file.clone() });
    }
    let failed = |source| EnrolError::Write { file: change.file.clone(), source };
    let target = followed(&change.file).map_err(failed)?;
    let permissions = match fs::metadata(&target) {
        Ok(metadata) => Some(metadata.permissions()),
        Err(err) if err.kind() == ErrorKind::NotFound => None,
        Err(err) => return Err(failed(err)),
    };
    // A rename would replace such a file all the same.
    if permissions.as_ref().is_some_and(Permissions::readonly) {
        return Err(EnrolError::ReadOnly { file: change.file.clone() });
    }
    match &change.after {
        Some(text) => replace(&target, text, permissions).map_err(failed),
        None => fs::remove_file(&target).map_err(failed),
    }
}

/// What a path stands for when all links are followed, also if nothing is there yet.
fn followed(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_path_buf();
    for _ in 0..MAX_LINKS {
        match fs::symlink_metadata(&path) {
            Ok(metadata) if metadata.is_symlink() => {
                let target = fs::read_link(&path)?;
                path = path.parent().map_or_else(|| target.clone(), |folder| folder.join(&target));
            }
            Ok(_) => return Ok(path),
            Err(err) if err.kind() == ErrorKind::NotFound => return Ok(path),
            Err(err) => return Err(err),
        }
    }
    Err(io::Error::other("there are too many links"))
}

fn replace(target: &Path, text: &str, permissions: Option<Permissions>) -> io::Result<()> {
    let folder = target.parent().unwrap_or(Path::new(""));
    if !folder.as_os_str().is_empty() {
        fs::create_dir_all(folder)?;
    }
    let (temporary, mut file) = temporary_beside(target)?;
    let written = (|| {
        if let Some(permissions) = permissions {
            file.set_permissions(permissions)?;
        }
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        drop(file);
        fs::rename(&temporary, target)
    })();
    if written.is_err() {
        // The first failure is the one to tell.
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// A new file in the same folder, because only there a rename is one step.
fn temporary_beside(target: &Path) -> io::Result<(PathBuf, File)> {
    let name = target.file_name().ok_or_else(|| io::Error::other("the path has no file name"))?;
    for number in 0.. {
        let mut beside = std::ffi::OsString::from(".");
        beside.push(name);
        beside.push(format!(".{}-{number}.tmp", std::process::id()));
        let path = target.with_file_name(beside);
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(file) => return Ok((path, file)),
            Err(err) if err.kind() == ErrorKind::AlreadyExists && number < 100 => {}
            Err(err) => return Err(err),
        }
    }
    Err(io::Error::other("there is no free name for a temporary file"))
}
