//! The context that a program passes to its host: drivers, models, variables and folders.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use assay_driver::Driver;
use assay_pilot::ComputerToolUse;
use assay_protocol::{BrowserSettings, Failure};
use assay_provider::transport::Transport;
use assay_suite::folders_above;

use crate::state::StateFolder;
use crate::trust::TrustedFolders;

/// The browsers that this program can drive.
pub trait Drivers: Send + Sync {
    /// The browsers that a test may name.
    fn names(&self) -> Vec<&str>;

    /// The browser of a test that names none.
    fn default_browser(&self) -> &str;

    /// The driver for these settings: by the name of the browser, or by the address to connect to.
    fn driver(&self, settings: &BrowserSettings) -> Result<Arc<dyn Driver>, Failure>;
}

/// Looks the value of a variable up.
pub type Variables = Arc<dyn Fn(&str) -> Option<String> + Send + Sync>;

/// Everything a host takes from its program. A clone shares the parts.
#[derive(Clone)]
pub struct HostContext {
    pub drivers: Arc<dyn Drivers>,
    /// How models are reached over the network. A cassette that is replayed takes its place.
    pub transport: Arc<dyn Transport>,
    /// Whether the computer tool of a provider is used.
    pub computer_tool: ComputerToolUse,
    /// The value of a variable: tests, keys and addresses of models refer to them by name.
    pub variables: Variables,
    /// Where projects keep their state.
    pub state: StateFolder,
    /// Where folders are made that go with the work: a plan tries its tests in one.
    pub temporary: PathBuf,
    /// The user's own settings and keys of models.
    pub configuration: Option<PathBuf>,
    /// The model from the environment, used by default.
    pub default_model: Option<String>,
    pub trusted: TrustedFolders,
    /// Who runs all this, towards others who control devices.
    pub owner: String,
}

impl HostContext {
    /// The folder of the project that `folder` is in; the folder itself without a project file.
    pub fn project_root(&self, folder: &Path) -> PathBuf {
        let here = folder.canonicalize().unwrap_or_else(|_| folder.to_path_buf());
        let is_project =
            |above: &PathBuf| ["assay.yaml", "assay.yml"].iter().any(|name| above.join(name).is_file());
        folders_above(&here, self.state.home.as_deref()).into_iter().find(is_project).unwrap_or(here)
    }
}
