//! Traps: pages with claims about them, and the verdict that is right for each. `traps/README.md` has the format.
//!
//! Knows how a trap is read and served. Does not know how assay judges.

mod claims;
mod page;
mod site;

use std::fs;
use std::path::{Path, PathBuf};

pub use claims::{ClaimTruth, TrapClaim, TrapTest};
pub use page::{Endpoint, EndpointAnswer, TrapPage};
pub use site::serve_trap;

/// A page, and the tests that say something about it.
#[derive(Debug, Clone)]
pub struct Trap {
    /// The folder that it is in.
    pub set: String,
    pub name: String,
    pub page: TrapPage,
    pub tests: Vec<TrapTest>,
    /// The folder with the files that the page may use.
    pub(crate) folder: PathBuf,
}

#[derive(Debug, thiserror::Error)]
#[error("{file}: {why}")]
pub struct TrapMistake {
    pub file: String,
    pub why: String,
}

/// All traps of all sets, by set and name.
pub fn traps() -> Result<Vec<Trap>, TrapMistake> {
    let mut all = Vec::new();
    for set in entries(&Path::new(env!("CARGO_MANIFEST_DIR")).join("traps"))? {
        if set.is_dir() {
            all.extend(traps_of(&set)?);
        }
    }
    Ok(all)
}

fn traps_of(folder: &Path) -> Result<Vec<Trap>, TrapMistake> {
    let set = file_name(folder);
    let mut all = Vec::new();
    for file in entries(folder)?.into_iter().filter(|file| file.extension().is_some_and(|end| end == "txt")) {
        let name = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let mistake =
            |file: &Path, why: String| TrapMistake { file: format!("{set}/{}", file_name(file)), why };
        let claims = read(&file)?;
        let tests = claims::parse(&claims).map_err(|why| mistake(&file, why))?;
        let page_file = file.with_extension("html");
        let page = TrapPage::parse(&read(&page_file)?, &name).map_err(|why| mistake(&page_file, why))?;
        all.push(Trap { set: set.clone(), name, page, tests, folder: folder.to_path_buf() });
    }
    Ok(all)
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, TrapMistake> {
    let listed = fs::read_dir(folder).and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect());
    let mut paths: Vec<PathBuf> = listed.map_err(|err| unreadable(folder, err))?;
    paths.sort();
    Ok(paths)
}

fn read(file: &Path) -> Result<String, TrapMistake> {
    fs::read_to_string(file).map_err(|err| unreadable(file, err))
}

fn unreadable(path: &Path, err: std::io::Error) -> TrapMistake {
    TrapMistake { file: path.display().to_string(), why: err.to_string() }
}

fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_trap_is_read() {
        let all = traps().unwrap_or_else(|err| panic!("{err}"));
        assert!(all.iter().all(|trap| !trap.tests.is_empty()));
    }
}
