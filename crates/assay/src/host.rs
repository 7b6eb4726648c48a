//! What the environment and the command line hand to the host of this process.

use std::path::PathBuf;
use std::sync::Arc;

use assay_daemon::fork_guard;
use assay_driver::Driver;
use assay_host::{Cassette, Drivers, Host, HostContext, ModelOptions, TrustedFolders};
use assay_pilot::ComputerToolUse;
use assay_protocol::{BrowserSettings, ErrorCode, Failure};
use assay_provider::transport::HttpTransport;

use crate::environment::Environment;
use crate::{engines, state};

/// The host, with its guard. Forks: must be called before any thread exists.
pub fn host(environment: &Environment) -> Result<Host, Failure> {
    let context = context(environment)?;
    let guard = fork_guard()
        .map_err(|err| Failure::new(ErrorCode::DaemonFailed, format!("could not start the guard: {err}")))?;
    Ok(Host::new(context, guard))
}

pub fn context(environment: &Environment) -> Result<HostContext, Failure> {
    Ok(HostContext {
        drivers: Arc::new(Engines),
        transport: Arc::new(HttpTransport::new()),
        computer_tool: computer_tool(environment)?,
        variables: Arc::new(Environment::variable),
        state: state::folder(environment),
        temporary: environment.temporary.clone(),
        configuration: environment.configuration.clone(),
        default_model: environment.default_model.clone(),
        trusted: trusted(environment),
        owner: environment.owner.clone(),
    })
}

pub fn trusted(environment: &Environment) -> TrustedFolders {
    TrustedFolders {
        list: environment.configuration.as_ref().map(|folder| folder.join("trusted")),
        all: environment.trusts_all,
    }
}

/// The folder we are in.
pub fn here() -> Result<PathBuf, Failure> {
    std::env::current_dir()
        .map_err(|err| Failure::new(ErrorCode::Io, format!("the current folder cannot be read: {err}")))
}

/// What the command line says of models, and beyond that the environment.
pub fn models(said: &ModelOptions, environment: &Environment) -> Result<ModelOptions, Failure> {
    let mut models = said.clone();
    if models.cassette.is_none() {
        models.cassette = environment.cassette.as_deref().map(Cassette::read).transpose()?;
    }
    Ok(models)
}

struct Engines;

impl Drivers for Engines {
    fn names(&self) -> Vec<&str> {
        engines::names()
    }

    fn default_browser(&self) -> &str {
        engines::ENGINES[0].name
    }

    fn driver(&self, settings: &BrowserSettings) -> Result<Arc<dyn Driver>, Failure> {
        engines::driver(settings)
    }
}

/// Whether the computer tool of a provider may be used.
fn computer_tool(environment: &Environment) -> Result<ComputerToolUse, Failure> {
    match environment.computer_tool.as_deref().map(str::trim) {
        None | Some("" | "true" | "1") => Ok(ComputerToolUse::WhereItIs),
        Some("browser") => Ok(ComputerToolUse::OfBrowsers),
        Some("false" | "0") => Ok(ComputerToolUse::Never),
        Some(other) => Err(Failure::new(
            ErrorCode::Usage,
            format!("expected true, false or browser in ASSAY_ACTIONS_USE_COMPUTER_TOOL, found `{other}`"),
        )),
    }
}
