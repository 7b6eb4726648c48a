//! The folders in which a project is looked for.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// The folder itself and those above it that may hold its project, nearest first. The search ends with a repository or
/// the user's home folder, and before a folder of somebody else or one that everybody can write to: a project there
/// may be anybody's.
pub fn folders_above(folder: &Path, home: Option<&Path>) -> Vec<PathBuf> {
    let home = home.and_then(|home| home.canonicalize().ok());
    let owners = [own_user(), owner_of(folder)];
    let mut folders = Vec::new();
    for above in folder.ancestors() {
        let is_first = folders.is_empty();
        if !is_first && (is_shared(above) || !owners.contains(&owner_of(above))) {
            break;
        }
        folders.push(above.to_path_buf());
        if above.join(".git").exists() || home.as_deref() == Some(above) {
            break;
        }
    }
    folders
}

/// Whether everybody can write to a folder, such as `/tmp`.
pub(crate) fn is_shared(folder: &Path) -> bool {
    const OTHERS_WRITE: u32 = 0o002;
    fs::metadata(folder).is_ok_and(|found| found.permissions().mode() & OTHERS_WRITE != 0)
}

fn owner_of(folder: &Path) -> Option<u32> {
    fs::metadata(folder).ok().map(|found| found.uid())
}

fn own_user() -> Option<u32> {
    owner_of(Path::new("/proc/self"))
}
