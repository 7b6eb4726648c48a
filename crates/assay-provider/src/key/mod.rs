//! Keys: where they come from, and that they are seen nowhere.

mod command;
mod file;
mod find;
mod secret;

use std::io;
use std::path::PathBuf;

pub use find::{KeySources, find_key};
pub use secret::Key;

/// What is wrong with a key. No variant holds one, nor what a command printed.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    #[error("found no key for {provider}")]
    Missing { provider: String, variable: String, file: Option<PathBuf> },

    #[error("`{}` is readable by other users (mode {mode:o})", .file.display())]
    TooOpen { file: PathBuf, mode: u32 },

    #[error("`{}` belongs to another user", .file.display())]
    NotOurs { file: PathBuf },

    #[error("`{}` cannot be read: {source}", .file.display())]
    Unreadable { file: PathBuf, source: io::Error },

    #[error("{source_name} is empty")]
    Empty { source_name: String },

    /// A key goes into a header, which holds no other characters.
    #[error("{source_name} contains characters that no key has")]
    NotPrintable { source_name: String },

    #[error("the key command could not be run: {source}")]
    CommandMissing { source: io::Error },

    #[error("the key command ended with {status}")]
    CommandFailed { status: String },

    #[error("the key command did not finish within {seconds}s")]
    CommandSlow { seconds: u64 },
}

impl KeyError {
    /// The line to type.
    pub fn hint(&self) -> Option<String> {
        match self {
            KeyError::Missing { variable, file, .. } => Some(match file {
                Some(file) => format!(
                    "set `{variable}`, or write the key to `{}` and run `chmod 600 {}`",
                    file.display(),
                    quoted(file)
                ),
                None => format!("set `{variable}`"),
            }),
            KeyError::TooOpen { file, .. } => Some(format!("run `chmod 600 {}`", quoted(file))),
            KeyError::NotOurs { file } => Some(format!("run `ls -l {}` to see its owner", quoted(file))),
            KeyError::CommandMissing { .. }
            | KeyError::CommandFailed { .. }
            | KeyError::CommandSlow { .. } => {
                Some("run the `key_command` of your configuration by hand to see its output".to_string())
            }
            KeyError::Unreadable { .. } | KeyError::Empty { .. } | KeyError::NotPrintable { .. } => None,
        }
    }
}

/// A path as a shell takes it.
fn quoted(path: &std::path::Path) -> String {
    let text = path.display().to_string();
    let is_plain = |it: char| it.is_ascii_alphanumeric() || "/._-+@:".contains(it);
    if text.chars().all(is_plain) { text } else { format!("'{}'", text.replace('\'', "'\\''")) }
}
