//! A report on disk, written atomically, or an error that names the path.

use std::io;
use std::path::{Path, PathBuf};

use crate::atomic;

#[derive(Debug, thiserror::Error)]
#[error("cannot write the report `{path}`: {source}")]
pub struct ReportError {
    pub path: PathBuf,
    pub source: io::Error,
}

impl ReportError {
    pub(crate) fn at(path: &Path) -> impl FnOnce(io::Error) -> ReportError + '_ {
        |source| ReportError { path: path.to_owned(), source }
    }
}

pub(crate) fn write(path: &Path, content: &[u8]) -> Result<(), ReportError> {
    atomic::write(path, content).map_err(ReportError::at(path))
}
