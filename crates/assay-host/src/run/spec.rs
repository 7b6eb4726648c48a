//! A run as somebody asks for it.

use std::path::PathBuf;
use std::time::Duration;

use assay_daemon::DaemonSettings;

use super::{LockMode, Resuming, StartCommand, TestChoice, WantedReports};
use crate::models::ModelOptions;

/// Which tests are run, how, with which browsers and models, and what is left of it.
pub struct RunSpec {
    /// The folder that the run is started in: test files are named as seen from here.
    pub folder: PathBuf,
    /// Files and folders with tests; empty: the whole project.
    pub paths: Vec<PathBuf>,
    pub choice: TestChoice,
    pub workers: Option<usize>,
    /// A browser process of its own for each test.
    pub own_browser: bool,
    pub fail_fast: bool,
    pub locks: LockMode,
    /// What passes is run again with one thing broken at a time.
    pub proves: bool,
    /// A pause after each command, for those who watch.
    pub slow: Duration,
    pub retries: Option<u32>,
    /// Empty: what the test or the project says, else the default.
    pub browsers: Vec<String>,
    pub base_url: Option<String>,
    pub reports: WantedReports,
    /// Where reports, pictures and bundles go. A relative path is one of the process.
    pub results: PathBuf,
    pub pictures: bool,
    /// Run the project's commands although the folder is not on the list of trusted ones.
    pub trust: bool,
    /// Who may be asked where the interpreter is not sure.
    pub models: ModelOptions,
    /// The session whose lock the run takes in the state of its project.
    pub session: String,
    /// Where its browsers live, and how they are started; engine and session names are filled in.
    pub browser: DaemonSettings,
    /// How it was started, for `resume` and for those who find the session taken.
    pub start: StartCommand,
    /// The run that goes on, where this is none of its own.
    pub resuming: Option<Resuming>,
}
