//! A temporary folder of our own, for work whose records nobody needs afterwards.

use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use assay_protocol::{ErrorCode, Failure};

/// A folder of our own, gone when we are done. What a crash left is removed by the next one.
pub struct Scratch {
    pub folder: PathBuf,
}

impl Scratch {
    /// One of those in the folder `all`, for work of this name.
    pub fn make(all: &Path, work: &str) -> Result<Scratch, Failure> {
        let prefix = format!("assay-{work}-");
        remove_leftovers(all, &prefix);
        let number = std::process::id();
        let mut nth = 0;
        loop {
            let folder = all.join(format!("{prefix}{number}-{nth}"));
            match std::fs::DirBuilder::new().mode(0o700).create(&folder) {
                Ok(()) => return Ok(Scratch { folder }),
                // Other work of this process has it.
                Err(err) if err.kind() == std::io::ErrorKind::AlreadyExists => nth += 1,
                Err(err) => return Err(failed(&folder, &err)),
            }
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _gone = std::fs::remove_dir_all(&self.folder);
    }
}

fn failed(path: &Path, err: &std::io::Error) -> Failure {
    Failure::new(ErrorCode::Io, format!("could not write {}: {err}", path.display()))
}

/// Folders of processes that are no more.
fn remove_leftovers(all: &Path, prefix: &str) {
    for entry in std::fs::read_dir(all).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let owner = name.strip_prefix(prefix).and_then(|rest| rest.split('-').next()?.parse::<u32>().ok());
        if owner.is_some_and(|owner| !Path::new(&format!("/proc/{owner}")).exists())
            && Path::new("/proc/self").exists()
        {
            let _gone = std::fs::remove_dir_all(entry.path());
        }
    }
}
