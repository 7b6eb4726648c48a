//! Where downloads land: under the name the page chose, but never over another file.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Downloads under way, and the paths that were promised to them.
#[derive(Debug)]
pub struct Downloads {
    folder: PathBuf,
    promised: Mutex<HashMap<String, PathBuf>>,
}

impl Downloads {
    pub fn new(folder: &Path) -> Downloads {
        Downloads { folder: folder.to_path_buf(), promised: Mutex::new(HashMap::new()) }
    }

    /// Finds a path for a new download, and gives back its name as it is to be shown. The page chose it:
    /// only its last part is used.
    pub fn begin(&self, id: &str, suggested: &str) -> String {
        let name = Path::new(suggested)
            .file_name()
            .map_or_else(|| "download".to_string(), |name| name.to_string_lossy().to_string());
        let mut promised = self.promised.lock().unwrap_or_else(PoisonError::into_inner);
        let path = unused_path(&self.folder, &name, &promised);
        promised.insert(id.to_string(), path);
        name
    }

    /// Puts what the browser wrote in its place. None when nothing is known of this download.
    pub fn finish(&self, id: &str, written: &Path) -> Option<String> {
        let wanted = self.forget(id)?;
        let moved = std::fs::rename(written, &wanted).or_else(|_| {
            // From another file system.
            std::fs::copy(written, &wanted).and_then(|_| std::fs::remove_file(written))
        });
        Some(match moved {
            Ok(()) => wanted.display().to_string(),
            // Still there under the name the browser gave it.
            Err(_) => written.display().to_string(),
        })
    }

    /// It failed or was given up.
    pub fn forget(&self, id: &str) -> Option<PathBuf> {
        self.promised.lock().unwrap_or_else(PoisonError::into_inner).remove(id)
    }
}

fn unused_path(folder: &Path, name: &str, promised: &HashMap<String, PathBuf>) -> PathBuf {
    let (stem, extension) = match name.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => (stem.to_string(), format!(".{extension}")),
        _ => (name.to_string(), String::new()),
    };
    let taken = |path: &PathBuf| path.exists() || promised.values().any(|other| other == path);
    let mut path = folder.join(name);
    let mut count = 1;
    while taken(&path) {
        path = folder.join(format!("{stem} ({count}){extension}"));
        count += 1;
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_given_once_and_never_leaves_the_folder() {
        let downloads = Downloads::new(Path::new("/no/such/folder"));
        assert_eq!(downloads.begin("a", "../../etc/report.csv"), "report.csv");
        assert_eq!(downloads.begin("b", "report.csv"), "report.csv");
        assert_eq!(downloads.forget("a"), Some(PathBuf::from("/no/such/folder/report.csv")));
        assert_eq!(downloads.forget("b"), Some(PathBuf::from("/no/such/folder/report (1).csv")));
        assert_eq!(downloads.forget("b"), None);
    }
}
