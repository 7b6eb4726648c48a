//! The specification of a comparison.

use std::path::PathBuf;

use assay_daemon::DaemonSettings;

use crate::models::ModelOptions;
use crate::run::{LockMode, StartCommand, TestChoice};

/// Which tests to run against which two builds.
#[derive(Clone)]
pub struct TwinSpec {
    /// The addresses of the builds.
    pub old: String,
    pub new: String,
    /// The folder that the comparison is started in.
    pub folder: PathBuf,
    /// Files and folders with tests; empty: the whole project.
    pub paths: Vec<PathBuf>,
    pub choice: TestChoice,
    /// For each of the two runs.
    pub workers: Option<usize>,
    /// At most one: other engines draw other pictures, so each is compared with itself.
    pub browsers: Vec<String>,
    pub locks: LockMode,
    /// Commands that put the data of a build back, before each round.
    pub reset_old: Option<String>,
    pub reset_new: Option<String>,
    /// What varies by itself, learnt by an earlier comparison: one round is enough then, if nothing differs.
    pub noise: Option<PathBuf>,
    /// At least so many rounds; none: two, or one with noise that was learnt before.
    pub rounds: Option<usize>,
    /// Where recordings, pictures and reports go.
    pub results: PathBuf,
    /// The page with both sides; none: in the results.
    pub html: Option<PathBuf>,
    pub trust: bool,
    pub models: ModelOptions,
    pub browser: DaemonSettings,
    pub start: StartCommand,
}
