//! Cassettes: traffic with a provider, recorded once and replayed bit by bit.
//!
//! A cassette is a text file, one exchange a line. Requests are found by a hash over what matters in
//! them; answers are kept as they came, in the same pieces. Keys are never in it.

mod canonical;
mod difference;
mod exchange;
mod player;
mod recorder;

use std::io;
use std::path::PathBuf;

pub use difference::Difference;
pub use player::Player;
pub use recorder::Recorder;

#[derive(Debug, thiserror::Error)]
pub enum CassetteError {
    #[error("`{}` cannot be used: {source}", .file.display())]
    File { file: PathBuf, source: io::Error },

    #[error("line {line} of `{}` is not a recorded exchange: {reason}", .file.display())]
    Damaged { file: PathBuf, line: usize, reason: String },

    #[error("`{}` was recorded by another version of assay (expected format {known}, found {found})", .file.display())]
    OtherForm { file: PathBuf, found: u64, known: u64 },

    /// The question changed since it was recorded.
    #[error("`{}` does not hold this request to `{path}`; the nearest recorded one differs {difference}", .file.display())]
    NotRecorded { file: PathBuf, path: String, difference: Box<Difference> },

    #[error("`{}` holds no request to `{path}` at all", .file.display())]
    NothingLike { file: PathBuf, path: String },

    /// It is asked more often than it was when the cassette was recorded.
    #[error("`{}` holds this request to `{path}` {times} times, and all of them were replayed", .file.display())]
    UsedUp { file: PathBuf, path: String, times: usize },

    /// The exchange is not written: a cassette is committed to a repository.
    #[error("the answer to `{path}` holds the key, so it is not recorded")]
    KeyInAnswer { path: String },

    #[error("the answer to `{path}` holds a secret of a test, so it is not recorded")]
    SecretInAnswer { path: String },
}

impl CassetteError {
    pub fn hint(&self) -> Option<String> {
        match self {
            CassetteError::NotRecorded { .. }
            | CassetteError::NothingLike { .. }
            | CassetteError::UsedUp { .. }
            | CassetteError::OtherForm { .. } => Some("record the cassette again, with a key".to_string()),
            CassetteError::File { .. }
            | CassetteError::Damaged { .. }
            | CassetteError::KeyInAnswer { .. }
            | CassetteError::SecretInAnswer { .. } => None,
        }
    }
}
