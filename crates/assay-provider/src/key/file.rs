//! A key from a file that only its owner can read.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use super::{Key, KeyError};

/// No key is longer; whatever is, is another file.
const LONGEST: u64 = 16 * 1024;

/// The key in the file, or nothing when there is no such file.
pub fn read(path: &Path) -> Result<Option<Key>, KeyError> {
    let unreadable = |source| KeyError::Unreadable { file: path.to_path_buf(), source };
    let file = match File::open(path) {
        Ok(file) => file,
        Err(err) if err.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(err) => return Err(unreadable(err)),
    };
    // Asked of the open file, not of its name: between the two, it could be another.
    let facts = file.metadata().map_err(unreadable)?;
    let mode = facts.mode() & 0o777;
    if mode & 0o077 != 0 {
        return Err(KeyError::TooOpen { file: path.to_path_buf(), mode });
    }
    // SAFETY: `geteuid` takes nothing, cannot fail and touches no memory.
    let us = unsafe { libc::geteuid() };
    if facts.uid() != us {
        return Err(KeyError::NotOurs { file: path.to_path_buf() });
    }
    let mut text = String::new();
    file.take(LONGEST).read_to_string(&mut text).map_err(unreadable)?;
    Key::new(&text, &format!("`{}`", path.display())).map(Some)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn with_file(mode: u32, text: &str) -> (std::path::PathBuf, Result<Option<Key>, KeyError>) {
        let folder = std::env::temp_dir().join(format!("assay-key-{}-{mode:o}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("it's a key");
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        let read = read(&path);
        fs::remove_dir_all(&folder).unwrap();
        (path, read)
    }

    #[test]
    fn a_file_of_ones_own_is_read() {
        let (_, read) = with_file(0o600, "sk-from-a-file\n");
        assert_eq!(read.unwrap().unwrap().expose(), "sk-from-a-file");
    }

    #[test]
    fn a_file_that_others_can_read_is_refused_with_the_line_to_type() {
        for mode in [0o640, 0o604, 0o660] {
            let (path, read) = with_file(mode, "sk-from-a-file");
            let error = read.unwrap_err();
            assert!(
                error.to_string().ends_with(&format!("is readable by other users (mode {mode:o})")),
                "{error}"
            );
            let quoted = path.display().to_string().replace('\'', "'\\''");
            assert_eq!(error.hint(), Some(format!("run `chmod 600 '{quoted}'`")));
        }
    }

    #[test]
    fn no_file_is_no_key() {
        assert!(read(Path::new("/nonexistent/key")).unwrap().is_none());
    }
}
