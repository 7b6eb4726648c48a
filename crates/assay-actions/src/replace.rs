//! A finished file takes the place of another, at once.

use std::io;
use std::path::Path;

/// Nobody who looks ever finds half a file, or none.
pub(crate) fn replace(finished: &Path, target: &Path) -> io::Result<()> {
    let is_file = std::fs::symlink_metadata(target).is_ok_and(|there| there.is_file());
    if is_file && exchange(finished, target) {
        return std::fs::remove_file(finished);
    }
    std::fs::rename(finished, target)
}

/// Whether the two files have changed places. Where one is renamed over another, file systems (ext4) first write it to
/// the disk, which takes longer than all else about a picture; where they change places, they do not.
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
        let (finished, target) = (folder.join("a.part"), folder.join("a"));
        for text in ["first", "second"] {
            std::fs::write(&finished, text).unwrap();
            replace(&finished, &target).unwrap();
            assert_eq!(std::fs::read_to_string(&target).unwrap(), text);
            assert!(!finished.exists());
        }
        // A folder is not put aside for it.
        std::fs::write(&finished, "third").unwrap();
        let inside = folder.join("folder");
        std::fs::create_dir_all(&inside).unwrap();
        assert!(replace(&finished, &inside).is_err());
        assert!(inside.is_dir() && finished.is_file());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
