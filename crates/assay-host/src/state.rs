//! The state of a project: its location, and its errors in words for users.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use assay_coordinator::{Coordinator, RunRecord, StateError, hint};
use assay_protocol::{ErrorCode, Failure, TaskId};
use assay_suite::{Project, folders_above};

use crate::backup;

const FOLDER: &str = ".assay";
const FILE: &str = "state.db";

/// Where projects keep their state: the folder that is named, or `.assay` in each project.
#[derive(Debug, Clone, Default)]
pub struct StateFolder {
    pub named: Option<PathBuf>,
    /// The user's home folder: no project is looked for above it.
    pub home: Option<PathBuf>,
}

impl StateFolder {
    /// The folder of the state of the project at `root`.
    pub fn of(&self, root: &Path) -> PathBuf {
        self.named.clone().unwrap_or_else(|| root.join(FOLDER))
    }

    /// The coordinator of the project at `root`. Its folder is made when it is not there.
    fn open(&self, root: &Path) -> Result<Coordinator, Failure> {
        let folder = self.of(root);
        backup::finish(&folder, root)?;
        Coordinator::open(&folder).map_err(state_failure)
    }

    /// The coordinator of a suite: that of its project, or without a project file that of the folder at hand.
    pub(crate) fn open_for(&self, project: &Project, here: &Path) -> Result<Coordinator, Failure> {
        match project.file {
            Some(_) => self.open(&project.root),
            None => self.open_in(here),
        }
    }

    /// The coordinator of the project around `here`, which is made when it is not there.
    pub fn open_in(&self, here: &Path) -> Result<Coordinator, Failure> {
        self.open(&self.project_around(here)?)
    }

    /// The coordinator of the project around `here`: the nearest one above with a project file or a state, else the
    /// folder. Where nothing was put on record yet, there is nothing to ask.
    pub fn find_in(&self, here: &Path) -> Result<Coordinator, Failure> {
        self.look_in(here)?.ok_or_else(|| {
            let root = self.project_around(here).unwrap_or_else(|_| here.to_path_buf());
            let message = format!("nothing is recorded for {} yet", root.display());
            Failure::new(ErrorCode::Usage, message).hint("assay run records each run")
        })
    }

    /// The same for lists: without a record, there is none.
    pub fn look_in(&self, here: &Path) -> Result<Option<Coordinator>, Failure> {
        let root = self.project_around(here)?;
        match self.of(&root).join(FILE).is_file() {
            true => self.open(&root).map(Some),
            false => Ok(None),
        }
    }

    /// The nearest folder above with a project file or a state; else the only folder below that has a state, for users
    /// who type `assay run tests` above the project; else `here`.
    pub fn project_around(&self, here: &Path) -> Result<PathBuf, Failure> {
        let unreadable = |err: std::io::Error| {
            Failure::new(ErrorCode::Io, format!("the current folder cannot be read: {err}"))
        };
        let has_state = |folder: &Path| folder.join(FOLDER).join(FILE).is_file();
        let is_project = |folder: &PathBuf| folder.join("assay.yaml").is_file() || has_state(folder);
        if let Some(project) = folders_above(here, self.home.as_deref()).into_iter().find(is_project) {
            return Ok(project);
        }
        let below = std::fs::read_dir(here).map_err(unreadable)?.flatten().map(|entry| entry.path());
        let below: Vec<PathBuf> = below.filter(|folder| has_state(folder) && is_own(folder)).collect();
        match below.as_slice() {
            [] => Ok(here.to_path_buf()),
            [only] => Ok(only.clone()),
            several => {
                let named: Vec<String> = several.iter().map(|folder| folder.display().to_string()).collect();
                Err(Failure::new(
                    ErrorCode::Usage,
                    format!("expected one project, found several: {}", named.join(", ")),
                )
                .hint("run the command in the project's folder"))
            }
        }
    }
}

/// Whether the state in a folder is ours. One of somebody else, in a folder that everybody can write to, is not looked at.
fn is_own(folder: &Path) -> bool {
    let owner = |path: &Path| std::fs::metadata(path).ok().map(|found| found.uid());
    owner(&folder.join(FOLDER)) == owner(Path::new("/proc/self"))
}

/// The run that is called by its number or its name.
pub fn run_called(coordinator: &Coordinator, which: &str) -> Result<RunRecord, Failure> {
    match which.parse() {
        Ok(number) => coordinator.run(TaskId(number)),
        Err(_) => coordinator.run_named(which),
    }
    .map_err(state_failure)
}

/// The newest run on record.
pub fn newest_run(coordinator: &Coordinator) -> Result<RunRecord, Failure> {
    coordinator.runs().map_err(state_failure)?.into_iter().next().ok_or_else(|| {
        Failure::new(ErrorCode::Usage, "no run is recorded yet").hint("assay run records each run")
    })
}

/// A trouble of the state as people and programs read it.
pub fn state_failure(error: StateError) -> Failure {
    let code = match &error {
        StateError::Busy { .. }
        | StateError::TaskBusy { .. }
        | StateError::AgentBusy { .. }
        | StateError::InUse { .. } => ErrorCode::SessionBusy,
        StateError::NotFound { .. }
        | StateError::WrongStatus { .. }
        | StateError::WrongAgentStatus { .. }
        | StateError::Event(_) => ErrorCode::Usage,
        StateError::LeaseLost { .. }
        | StateError::DeliveryLost { .. }
        | StateError::TakenOver { .. }
        | StateError::DiskFull { .. }
        | StateError::Corrupt { .. }
        | StateError::DamagedRow { .. }
        | StateError::TooNew { .. }
        | StateError::Foreign { .. }
        | StateError::Gone { .. }
        | StateError::Contended { .. }
        | StateError::Unwritable { .. }
        | StateError::OtherOwner { .. }
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
