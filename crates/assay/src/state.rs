//! The state of a project: where it is, and its troubles as people read them.

use std::path::{Path, PathBuf};

use assay_coordinator::{Coordinator, RunRecord, StateError, hint};
use assay_protocol::{ErrorCode, Failure, TaskId};
use assay_suite::Project;

use crate::environment::Environment;

const FOLDER: &str = ".assay";
const FILE: &str = "state.db";

/// Where the state of the project at `root` is kept.
fn folder(root: &Path, environment: &Environment) -> PathBuf {
    environment.state.clone().unwrap_or_else(|| root.join(FOLDER))
}

/// The coordinator of the project at `root`. Its folder is made when it is not there.
pub fn open(root: &Path, environment: &Environment) -> Result<Coordinator, Failure> {
    Coordinator::open(&folder(root, environment)).map_err(failure)
}

/// The coordinator of a suite: that of its project, or without a project file that of the folder we are in.
pub fn open_for(project: &Project, environment: &Environment) -> Result<Coordinator, Failure> {
    match project.file {
        Some(_) => open(&project.root, environment),
        None => open_here(environment),
    }
}

/// The coordinator of the project we are in, which is made when it is not there.
pub fn open_here(environment: &Environment) -> Result<Coordinator, Failure> {
    open(&project_here()?, environment)
}

/// The coordinator of the project we are in: the nearest one above with a project file or a state, else the folder.
/// Where nothing was put on record yet, there is nothing to ask.
pub fn ask_here(environment: &Environment) -> Result<Coordinator, Failure> {
    let root = project_here()?;
    if !folder(&root, environment).join(FILE).is_file() {
        let message = format!("nothing is on record for {} yet", root.display());
        return Err(Failure::new(ErrorCode::Usage, message).hint("assay run puts each run on record"));
    }
    open(&root, environment)
}

/// The nearest folder above with a project file or a state; else the one folder below that has a state, as somebody
/// types `assay run tests` above the project; else the folder we are in.
fn project_here() -> Result<PathBuf, Failure> {
    let unreadable = |err: std::io::Error| {
        Failure::new(ErrorCode::Io, format!("the current folder cannot be read: {err}"))
    };
    let here = std::env::current_dir().map_err(unreadable)?;
    let has_state = |folder: &Path| folder.join(FOLDER).join(FILE).is_file();
    let is_project = |folder: &&Path| folder.join("assay.yaml").is_file() || has_state(folder);
    if let Some(project) = here.ancestors().find(is_project) {
        return Ok(project.to_path_buf());
    }
    let below = std::fs::read_dir(&here).map_err(unreadable)?.flatten().map(|entry| entry.path());
    let below: Vec<PathBuf> = below.filter(|folder| has_state(folder)).collect();
    match below.as_slice() {
        [] => Ok(here),
        [only] => Ok(only.clone()),
        several => {
            let named: Vec<String> = several.iter().map(|folder| folder.display().to_string()).collect();
            Err(Failure::new(
                ErrorCode::Usage,
                format!("several projects could be meant: {}", named.join(", ")),
            )
            .hint("run the command in the folder of the project"))
        }
    }
}

/// The run that is called by its number or its name.
pub fn run_called(coordinator: &Coordinator, which: &str) -> Result<RunRecord, Failure> {
    match which.parse() {
        Ok(number) => coordinator.run(TaskId(number)),
        Err(_) => coordinator.run_named(which),
    }
    .map_err(failure)
}

/// A trouble of the state as people and programs read it.
pub fn failure(error: StateError) -> Failure {
    let code = match &error {
        StateError::Busy { .. } | StateError::TaskBusy { .. } => ErrorCode::SessionBusy,
        StateError::NotFound { .. } | StateError::WrongStatus { .. } => ErrorCode::Usage,
        StateError::LeaseLost { .. }
        | StateError::TakenOver { .. }
        | StateError::DiskFull { .. }
        | StateError::Corrupt { .. }
        | StateError::DamagedRow { .. }
        | StateError::TooNew { .. }
        | StateError::Foreign { .. }
        | StateError::Gone { .. }
        | StateError::Contended { .. }
        | StateError::Unwritable { .. }
        | StateError::ProcessUnknown { .. }
        | StateError::Database { .. } => ErrorCode::Io,
    };
    let advice = hint(&error);
    let failure = Failure::new(code, error.to_string());
    match advice {
        Some(advice) => failure.hint(advice),
        None => failure,
    }
}
