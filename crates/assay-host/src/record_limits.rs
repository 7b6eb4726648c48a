//! The limits of what a record may name.
//!
//! The state of a project lies in the project's folder, and nothing signs it: it may have come with the project from
//! elsewhere. So a record alone leads to no file outside the project; that takes a user who trusts the project.

use std::path::{Path, PathBuf};

use assay_actions::{ProjectFiles, real_path};
use assay_protocol::{Action, ErrorCode, Failure};

use crate::trust::TrustedFolders;

pub struct RecordLimits {
    files: ProjectFiles,
    /// The folder in which the user is.
    here: PathBuf,
}

impl RecordLimits {
    /// For the state of the project at `root`, seen by a user in the folder `here`.
    pub fn new(root: &Path, here: &Path, trusted: &TrustedFolders) -> RecordLimits {
        let real = |path: &Path| real_path(path).unwrap_or_else(|| path.to_path_buf());
        let files = ProjectFiles {
            folder: real(root),
            // Wherever the record says they are, they count only inside the project.
            results: real(root),
            is_trusted: trusted.contains(root),
        };
        RecordLimits { files, here: real(here) }
    }

    pub fn is_trusted(&self) -> bool {
        self.files.is_trusted
    }

    /// Whether a run was started in the project, or in the folder in which the user is now.
    pub fn check_folder(&self, folder: &Path) -> Result<(), Failure> {
        let real = real_path(folder);
        let is_known = real.is_some_and(|real| real.starts_with(&self.files.folder) || real == self.here);
        if is_known || self.is_trusted() {
            return Ok(());
        }
        let failure =
            self.refused(&format!("the run was started in {}, outside the project", folder.display()));
        Err(failure.hint(format!("run the command in {}, or {}", folder.display(), self.trusting())))
    }

    /// Whether tests of the record are in the project, or below the folder in which the user is now.
    pub fn check_tests(&self, path: &Path) -> Result<(), Failure> {
        match real_path(path) {
            Some(real) if real.starts_with(&self.files.folder) || real.starts_with(&self.here) => Ok(()),
            _ => self.check_path("tests", path),
        }
    }

    /// Whether a path of the record is one of the project. `what` says what the record wants with it.
    pub fn check_path(&self, what: &str, path: &Path) -> Result<(), Failure> {
        if self.files.is_trusted || self.files.contain(path) {
            return Ok(());
        }
        let failure = self.refused(&format!("the record names {} for {what}", path.display()));
        Err(failure.hint(self.trusting()))
    }

    /// Whether the files of a recorded act are files of the project.
    pub fn check_action(&self, action: &Action) -> Result<(), Failure> {
        let command = action.command_line();
        let mut action = action.clone();
        for path in action.paths_mut() {
            self.check_path(&format!("`{command}`"), Path::new(path.as_str()))?;
        }
        Ok(())
    }

    /// What only a user may decide.
    pub fn check_trust(&self, what: &str) -> Result<(), Failure> {
        if self.is_trusted() {
            return Ok(());
        }
        Err(self.refused(&format!("the run was started with {what}")).hint(self.trusting()))
    }

    fn refused(&self, what: &str) -> Failure {
        let folder = self.files.folder.display();
        Failure::new(ErrorCode::BlockedByPolicy, format!("{what}, but {folder} is not trusted"))
            .detail("records lie in the project, so they may come from somebody else")
    }

    fn trusting(&self) -> String {
        format!("assay trust {}", self.files.folder.display())
    }
}
