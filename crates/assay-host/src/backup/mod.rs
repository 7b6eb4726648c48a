//! A backup of what a project has on record, in one file, and the way back.
//!
//! The file is a tar archive: what it is (`assay-backup.json`), the state (`state/`), what runs left behind (`results/`),
//! secrets only where they are asked for (`secrets/`), and the checksums of everything (`SHA256SUMS`). It is taken while
//! runs and a service go on. A restore believes nothing of it before all of it was read.

mod archive;
mod making;
mod placing;
mod restoring;

use std::path::PathBuf;

use assay_protocol::{ErrorCode, Failure};
use serde::{Deserialize, Serialize};

pub use making::{BackupOrder, PreparedBackup, back_up};
pub(crate) use placing::finish;
pub use restoring::{RestoreOrder, Restored, check_backup, restore};

/// The form of the archive. A newer one is refused.
const VERSION: u32 = 1;

const MANIFEST: &str = "assay-backup.json";
const SUMS: &str = "SHA256SUMS";
const STATE_FILE: &str = "state.db";

/// Folders beside the state that belong to it.
const FOLDERS: [&str; 2] = ["bin", "incidents"];

/// The secrets of webhooks, beside the state.
const HOOK_SECRETS: &str = "hook-secrets";

/// Secrets in the folder of the user's settings: the hashes of tokens, and the keys of models.
const USER_SECRETS: [&str; 2] = ["serve-tokens.json", "keys"];

/// What a backup says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackupInfo {
    pub format: String,
    pub version: u32,
    /// The version of assay that made it.
    pub assay: String,
    /// The name of the suite.
    pub project: String,
    /// The folder of the project. Runs name their results below it.
    pub root: PathBuf,
    /// Milliseconds since 1970.
    pub created_at: u64,
    pub state_version: i64,
    pub has_results: bool,
    pub has_secrets: bool,
}

/// What is in a backup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BackupReport {
    #[serde(flatten)]
    pub info: BackupInfo,
    pub files: usize,
    pub bytes: u64,
    /// Folders of runs outside the project: they are not in it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<PathBuf>,
}

fn io_failure(what: &str, err: &std::io::Error) -> Failure {
    Failure::new(ErrorCode::Io, format!("could not {what}: {err}"))
}
