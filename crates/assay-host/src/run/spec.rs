//! The specification of a run.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use assay_daemon::DaemonSettings;
use assay_runner::StepWitness;

use super::{LockMode, Resuming, StartCommand, TestChoice, WantedReports};
use crate::models::ModelOptions;

/// Which tests to run, how, with which browsers and models, and which reports to write.
pub struct RunSpec {
    /// The name of a new run, which no other run has. By default it is made from the time and the process.
    pub name: Option<String>,
    /// The folder that the run is started in: test files are named as seen from here.
    pub folder: PathBuf,
    /// Files and folders with tests; empty: the whole project.
    pub paths: Vec<PathBuf>,
    pub choice: TestChoice,
    pub workers: Option<usize>,
    /// A separate browser process for each test.
    pub own_browser: bool,
    pub fail_fast: bool,
    /// A test without an expectation is no pass; the project may say so too.
    pub strict: bool,
    pub locks: LockMode,
    /// The file that the only file of `paths` is a draft of: locks are those beside it.
    pub draft_of: Option<PathBuf>,
    /// Passing tests run again with one fault at a time.
    pub proves: bool,
    /// A pause after each command, for people who watch.
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
    /// The pilots for steps that the interpreter is not sure of.
    pub models: ModelOptions,
    /// The session whose lock the run takes in the state of its project.
    pub session: String,
    /// Where its browsers live, and how they are started; engine and session names are filled in.
    pub browser: DaemonSettings,
    /// How it was started, for `resume` and for processes that find the session in use.
    pub start: StartCommand,
    /// The run to resume, if this is not a new one.
    pub resuming: Option<Resuming>,
    /// Sees the page after each step.
    pub witness: Option<Arc<dyn StepWitness>>,
    pub servers: ProjectServers,
}

/// Whether the servers that the project names are started where they do not answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProjectServers {
    Started,
    /// The caller says where the application is.
    LeftAlone,
}
