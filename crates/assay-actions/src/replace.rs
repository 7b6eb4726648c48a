//! Replaces a file atomically.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// Readers find either the old file or the complete new one. Only a power failure at this moment may leave none.
pub(crate) fn write(target: &Path, bytes: &[u8]) -> io::Result<()> {
    let finished = beside(target);
    // Whatever has that name is left from a crash, or a link that leads elsewhere.
    let _may_not_be_there = std::fs::remove_file(&finished);
    let written = File::create_new(&finished)
        .and_then(|mut file| file.write_all(bytes))
        .and_then(|()| replace(&finished, target));
    if written.is_err() {
        // It holds nothing useful, and leaving it behind would only make things worse.
        let _removed = std::fs::remove_file(&finished);
    }
    written
}

/// A name that no other writer uses, in the same folder.
fn beside(target: &Path) -> PathBuf {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let mut name = target.as_os_str().to_os_string();
    name.push(format!(".{}-{}.part", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed)));
    name.into()
}

fn replace(finished: &Path, target: &Path) -> io::Result<()> {
    let is_file = std::fs::symlink_metadata(target).is_ok_and(|there| there.is_file());
    if is_file && exchange(finished, target) {
        // The new file is in place, whatever happens to the old one.
        let _removed = std::fs::remove_file(finished);
        return Ok(());
    }
    std::fs::rename(finished, target)
}

/// Whether the two files were exchanged. When one file is renamed over another, ext4 first writes it to the disk, which
/// takes longer than everything else about a screenshot; an exchange avoids that.
#[cfg(target_os = "linux")]
fn exchange(one: &Path, other: &Path) -> bool {
    use std::ffi::CString;
    use std::os::unix::ffi::OsStrExt;

    let named = |path: &Path| CString::new(path.as_os_str().as_bytes());
    let (Ok(one), Ok(other)) = (named(one), named(other)) else { return false };
    let (here, flag) = (libc::AT_FDCWD, libc::RENAME_EXCHANGE);
    // SAFETY: both names end with a zero and outlive the call.
    unsafe { libc::syscall(libc::SYS_renameat2, here, one.as_ptr(), here, other.as_ptr(), flag) == 0 }
}

#[cfg(not(target_os = "linux"))]
fn exchange(_one: &Path, _other: &Path) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_takes_the_place_of_another_or_of_none() {
        let folder = std::env::temp_dir().join(format!("assay-replace-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let target = folder.join("a");
        for text in ["first", "second"] {
            write(&target, text.as_bytes()).unwrap();
            assert_eq!(std::fs::read_to_string(&target).unwrap(), text);
        }
        // Never replace a folder.
        let inside = folder.join("folder");
        std::fs::create_dir_all(&inside).unwrap();
        assert!(write(&inside, b"third").is_err());
        assert!(inside.is_dir());
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 2);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
