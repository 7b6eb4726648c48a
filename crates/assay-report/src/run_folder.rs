//! The folder of a run, which the pictures of its events lie in.

use std::io;
use std::path::{Component, Path, PathBuf};

/// A recorded journal may come from elsewhere: what it names must lie in the
/// folder of the run.
pub fn inside(folder: &Path, relative: &str) -> io::Result<PathBuf> {
    let path = Path::new(relative);
    match path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir)) {
        true => Ok(folder.join(path)),
        false => Err(io::Error::new(
            io::ErrorKind::PermissionDenied,
            format!("`{relative}` is outside the run folder"),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_outside_the_folder_of_the_run_is_read() {
        for path in ["../secret.png", "/etc/passwd", "shots/../../x"] {
            assert!(inside(Path::new("run"), path).is_err(), "{path}");
        }
        assert_eq!(inside(Path::new("run"), "./shots/1.png").unwrap(), Path::new("run/./shots/1.png"));
    }
}
