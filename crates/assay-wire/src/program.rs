//! Which programs there are on this system.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

pub fn is_program(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

/// The first of these paths that is a program. `*` stands for any one part of a path, as in
/// `/usr/lib/*/webkit2gtk-4.1/MiniBrowser`.
pub fn first_program(candidates: &[&str]) -> Option<PathBuf> {
    candidates.iter().flat_map(|candidate| expand(candidate)).find(|path| is_program(path))
}

fn expand(candidate: &str) -> Vec<PathBuf> {
    let Some((head, tail)) = candidate.split_once("/*/") else { return vec![PathBuf::from(candidate)] };
    let Ok(entries) = std::fs::read_dir(head) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path().join(tail)).collect();
    paths.sort();
    paths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_one_folder() {
        let found = first_program(&["/no/such/thing", "/usr/*/sh", "/bin/sh"]);
        assert!(found.is_some_and(|path| path.ends_with("bin/sh")));
        assert_eq!(first_program(&["/no/*/sh"]), None);
    }
}
