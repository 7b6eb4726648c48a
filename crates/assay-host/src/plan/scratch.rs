//! A folder of our own for what is tried and thrown away.

use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use assay_planner::{Sheet, write_sheet};
use assay_protocol::{ErrorCode, Failure};

/// A folder of our own, gone when we are done. What a crash left is removed by the next one.
pub struct Scratch {
    pub folder: PathBuf,
}

const PREFIX: &str = "assay-plan-";

impl Scratch {
    /// One of those in the folder `all`.
    pub fn make(all: &Path) -> Result<Scratch, Failure> {
        remove_leftovers(all);
        let number = std::process::id();
        let mut nth = 0;
        loop {
            let folder = all.join(format!("{PREFIX}{number}-{nth}"));
            match std::fs::DirBuilder::new().mode(0o700).create(&folder) {
                Ok(()) => return Ok(Scratch { folder }),
                // Another plan of this process has it.
                Err(err) if err.kind() == std::io::ErrorKind::AlreadyExists => nth += 1,
                Err(err) => return Err(failed(&folder, &err)),
            }
        }
    }

    /// The folder with the files.
    pub fn write(&self, sheets: &[Sheet], base_url: &str) -> Result<PathBuf, Failure> {
        let folder = self.folder.join("tests");
        std::fs::create_dir_all(&folder).map_err(|err| failed(&folder, &err))?;
        for sheet in sheets {
            let path = folder.join(format!("{}.yaml", sheet.stem));
            std::fs::write(&path, write_sheet(sheet, Some(base_url))).map_err(|err| failed(&path, &err))?;
        }
        Ok(folder)
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
fn remove_leftovers(all: &Path) {
    for entry in std::fs::read_dir(all).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let owner = name.strip_prefix(PREFIX).and_then(|rest| rest.split('-').next()?.parse::<u32>().ok());
        if owner.is_some_and(|owner| !Path::new(&format!("/proc/{owner}")).exists())
            && Path::new("/proc/self").exists()
        {
            let _gone = std::fs::remove_dir_all(entry.path());
        }
    }
}
