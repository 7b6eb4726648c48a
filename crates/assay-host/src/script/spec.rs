//! The specification of one run of a script.

use std::path::PathBuf;
use std::time::Duration;

use assay_daemon::DaemonSettings;

use crate::models::ModelOptions;
use crate::run::{StartCommand, WantedReports};

/// Which script, with which values, and where its results go.
pub struct ScriptSpec {
    /// The folder that it is started from: its project is the one around it.
    pub folder: PathBuf,
    pub name: String,
    pub parameters: Vec<(String, String)>,
    /// Instead of the limit that the script declares.
    pub timeout: Option<Duration>,
    /// The device of this machine to work with: a browser by its name, or `session:NAME`.
    pub device: Option<String>,
    pub base_url: Option<String>,
    /// The folder that holds the results of runs; each run of a script has one of its own in it.
    pub results: PathBuf,
    pub reports: WantedReports,
    /// Run it although the folder is not on the list of trusted ones.
    pub trust: bool,
    pub models: ModelOptions,
    /// Where browsers live, for a script of steps.
    pub browser: DaemonSettings,
    /// How it was started.
    pub start: StartCommand,
}
