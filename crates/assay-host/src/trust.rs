//! Trusted folders: their projects may run commands, take variables of the environment, talk to other hosts and use
//! other files. Testing a cloned project neither runs its code nor gives it anything of the user's.

use std::path::{Path, PathBuf};

use assay_protocol::{ErrorCode, Failure};

/// The user's list of trusted folders, one a line.
#[derive(Debug, Clone, Default)]
pub struct TrustedFolders {
    /// None where the user has no folder for settings.
    pub list: Option<PathBuf>,
    /// Every folder is trusted.
    pub all: bool,
}

impl TrustedFolders {
    pub fn contains(&self, folder: &Path) -> bool {
        if self.all {
            return true;
        }
        let Ok(folder) = folder.canonicalize() else { return false };
        let text = self.list.as_ref().and_then(|file| std::fs::read_to_string(file).ok()).unwrap_or_default();
        text.lines().any(|line| Path::new(line) == folder)
    }

    /// Puts a folder on the list, and gives its whole path.
    pub fn add(&self, folder: &Path) -> Result<PathBuf, Failure> {
        let failed = |what: &str, err: std::io::Error| Failure::new(ErrorCode::Io, format!("{what}: {err}"));
        let folder = folder
            .canonicalize()
            .map_err(|err| failed(&format!("expected a folder at {}", folder.display()), err))?;
        if self.contains(&folder) {
            return Ok(folder);
        }
        let file = self
            .list
            .as_ref()
            .ok_or_else(|| Failure::new(ErrorCode::Io, "expected HOME or XDG_CONFIG_HOME, found neither"))?;
        if let Some(parent) = file.parent() {
            std::fs::create_dir_all(parent)
                .map_err(|err| failed("could not create the settings folder", err))?;
        }
        let mut text = std::fs::read_to_string(file).unwrap_or_default();
        text.push_str(&format!("{}\n", folder.display()));
        let partial = file.with_extension("part");
        std::fs::write(&partial, text)
            .map_err(|err| failed("could not write the list of trusted folders", err))?;
        std::fs::rename(&partial, file)
            .map_err(|err| failed("could not write the list of trusted folders", err))?;
        Ok(folder)
    }
}
