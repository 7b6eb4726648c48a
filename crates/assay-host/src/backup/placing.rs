//! Puts the files of a restored backup in their places, after its state is in place.
//!
//! The state decides: once it is there, the files follow, also if the process that restores is killed. Then whoever opens
//! the state next goes on with it. Each file is moved, so doing it twice does no harm. A file that has to give way is
//! kept.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use assay_protocol::{ErrorCode, Failure};

use super::making::private_folder;
use super::{STATE_FILE, io_failure};

/// A backup that was read and found right, beside the state that it is to replace. Without its state: that one is in
/// place, and the files are to follow.
pub(super) const READY: &str = "restore";

/// A backup that is being read.
pub(super) const DRAFT: &str = "restore.part";

/// Where all that was replaced is kept.
pub(super) const REPLACED: &str = "replaced";

/// The file that names the folder in `REPLACED`.
pub(super) const LABEL: &str = "label";

const LOCK: &str = "restore.lock";

/// One process at a time restores into a state. Let go when it is dropped.
pub(super) fn hold(state: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(state.join(LOCK))
}

fn is_begun(state: &Path) -> bool {
    let ready = state.join(READY);
    ready.join(LABEL).is_file() && !ready.join(STATE_FILE).exists()
}

/// Ends a restore that was cut off after its state was in place. Usually there is none.
pub fn finish(state: &Path, root: &Path) -> Result<(), Failure> {
    if !is_begun(state) {
        return Ok(());
    }
    let failed = |err: io::Error| io_failure("put the files of a backup in their places", &err);
    let held = hold(state).map_err(failed)?;
    held.lock().map_err(failed)?;
    place_all(state, root)
}

/// The same for a caller that holds the lock.
pub(super) fn place_all(state: &Path, root: &Path) -> Result<(), Failure> {
    // Another process may have done it while we waited.
    if !is_begun(state) {
        return Ok(());
    }
    let failed = |err: io::Error| io_failure("put the files of a backup in their places", &err);
    let ready = state.join(READY);
    let label = fs::read_to_string(ready.join(LABEL)).map_err(failed)?;
    if label.is_empty() || !label.bytes().all(|letter| letter.is_ascii_alphanumeric() || letter == b'-') {
        return Err(Failure::new(ErrorCode::Io, format!("{} is damaged", ready.join(LABEL).display())));
    }
    let kept = state.join(REPLACED).join(label);
    for (name, below) in [("state", state), ("results", root)] {
        place(&ready.join(name), below, &kept.join(name)).map_err(failed)?;
    }
    fs::remove_dir_all(&ready).map_err(failed)
}

fn place(from: &Path, to: &Path, kept: &Path) -> io::Result<()> {
    let mut open = vec![PathBuf::new()];
    while let Some(at) = open.pop() {
        let entries = match fs::read_dir(from.join(&at)) {
            Ok(entries) => entries,
            Err(err) if err.kind() == io::ErrorKind::NotFound => continue,
            Err(err) => return Err(err),
        };
        for entry in entries {
            let entry = entry?;
            let path = at.join(entry.file_name());
            match entry.file_type()?.is_dir() {
                true => open.push(path),
                false => place_file(&entry.path(), to, &path, kept)?,
            }
        }
    }
    Ok(())
}

fn place_file(file: &Path, below: &Path, path: &Path, kept: &Path) -> io::Result<()> {
    let to = below.join(path);
    // A link on the way could lead out of the project.
    let mut at = below.to_path_buf();
    for part in path.parent().into_iter().flat_map(Path::components) {
        at.push(part);
        match fs::symlink_metadata(&at) {
            Ok(facts) if facts.is_dir() => {}
            Ok(_) => return Err(io::Error::other(format!("{} is no folder", at.display()))),
            Err(err) if err.kind() == io::ErrorKind::NotFound => fs::create_dir(&at)?,
            Err(err) => return Err(err),
        }
    }
    match fs::symlink_metadata(&to) {
        Ok(facts) if facts.is_file() && is_same(file, &to)? => return fs::remove_file(file),
        Ok(_) => {
            let kept = kept.join(path);
            if let Some(folder) = kept.parent() {
                private_folder(folder)?;
            }
            move_to(&to, &kept)?;
        }
        Err(err) if err.kind() == io::ErrorKind::NotFound => {}
        Err(err) => return Err(err),
    }
    move_to(file, &to)
}

/// The project may be on another disk than its state.
fn move_to(from: &Path, to: &Path) -> io::Result<()> {
    match fs::rename(from, to) {
        Err(err) if err.kind() == io::ErrorKind::CrossesDevices => {
            let mut beside = to.as_os_str().to_owned();
            beside.push(".partial");
            fs::copy(from, &beside)?;
            File::open(&beside)?.sync_all()?;
            fs::rename(&beside, to)?;
            fs::remove_file(from)
        }
        moved => moved,
    }
}

fn is_same(one: &Path, other: &Path) -> io::Result<bool> {
    let (mut one, mut other) = (File::open(one)?, File::open(other)?);
    if one.metadata()?.len() != other.metadata()?.len() {
        return Ok(false);
    }
    let (mut first, mut second) = ([0; 16 * 1024], [0; 16 * 1024]);
    loop {
        let count = one.read(&mut first)?;
        if count == 0 {
            return Ok(true);
        }
        match other.read_exact(&mut second[..count]) {
            Ok(()) if first[..count] == second[..count] => {}
            Ok(()) => return Ok(false),
            Err(err) if err.kind() == io::ErrorKind::UnexpectedEof => return Ok(false),
            Err(err) => return Err(err),
        }
    }
}
