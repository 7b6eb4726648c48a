//! What can go wrong, for people to read.

use std::io;
use std::path::PathBuf;

use crate::catalogue::Client;

#[derive(Debug, thiserror::Error)]
pub enum EnrolError {
    /// The file says something that cannot be merged with. It was left as it is.
    #[error("{}:{line}:{column}: {refusal}", file.display())]
    Refused { file: PathBuf, line: usize, column: usize, refusal: Refusal },
    #[error("{client} has no configuration file in a project")]
    NoProjectFile { client: Client },
    #[error("expected a name of letters, digits, `-` and `_` for the server, found `{name}`")]
    Name { name: String },
    #[error("could not read {}: {source}", file.display())]
    Read { file: PathBuf, source: io::Error },
    #[error("could not write {}: {source}", file.display())]
    Write { file: PathBuf, source: io::Error },
    #[error("could not write {}: the file is read-only", file.display())]
    ReadOnly { file: PathBuf },
    #[error("{} has changed since it was read", file.display())]
    Changed { file: PathBuf },
    /// What the user had there before cannot be put back into another text.
    #[error("{} has changed since its entry was updated; the text before that update is in {}", file.display(), kept.display())]
    ChangedSince { file: PathBuf, kept: PathBuf },
}

/// Why a file was left alone.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("{message}")]
    Syntax { message: String },
    #[error("expected an object as {key}, found {found}")]
    NotAnObject { key: String, found: &'static str },
    #[error("`{key}` is here for the second time")]
    Twice { key: String },
    #[error("assay cannot edit {what}")]
    Unusual { what: &'static str },
}

impl EnrolError {
    /// What the user can do, where that is not plain from the message.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            EnrolError::Refused { refusal: Refusal::Syntax { .. }, .. } => {
                Some("the file was left as it is; mend that line and try again")
            }
            EnrolError::Refused { .. } => Some("the file was left as it is; add the entry by hand"),
            EnrolError::NoProjectFile { .. } => Some("leave `--project` out to write the file of your user"),
            EnrolError::Changed { .. } => Some("nothing was written; try again"),
            EnrolError::ChangedSince { .. } => {
                Some("nothing was written; put your entry back by hand, then delete that copy")
            }
            EnrolError::Name { .. }
            | EnrolError::Read { .. }
            | EnrolError::Write { .. }
            | EnrolError::ReadOnly { .. } => None,
        }
    }
}

/// A refusal and the byte it is about, until the file and the line are known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mistake {
    pub at: usize,
    pub refusal: Refusal,
}

impl Mistake {
    pub fn syntax(at: usize, message: impl Into<String>) -> Mistake {
        Mistake { at, refusal: Refusal::Syntax { message: message.into() } }
    }

    pub fn unusual(at: usize, what: &'static str) -> Mistake {
        Mistake { at, refusal: Refusal::Unusual { what } }
    }
}
