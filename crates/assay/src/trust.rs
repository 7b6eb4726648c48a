//! Folders whose commands may be run. A cloned project cannot run code by being tested.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use assay_protocol::{ErrorCode, Failure};

use crate::output;

/// The user's own settings: `~/.config/assay`.
pub fn configuration_folder() -> Option<PathBuf> {
    let folder = std::env::var_os("XDG_CONFIG_HOME")
        .map(PathBuf::from)
        .filter(|path| path.is_absolute())
        .or_else(|| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".config")))?;
    Some(folder.join("assay"))
}

/// The list of trusted folders, one a line.
fn list_file() -> Result<PathBuf, Failure> {
    let folder = configuration_folder()
        .ok_or_else(|| Failure::new(ErrorCode::Io, "expected HOME or XDG_CONFIG_HOME, found neither"))?;
    Ok(folder.join("trusted"))
}

pub fn is_trusted(folder: &Path) -> bool {
    if std::env::var("ASSAY_TRUST").is_ok_and(|value| value == "1" || value == "true") {
        return true;
    }
    let Ok(folder) = folder.canonicalize() else { return false };
    let text = list_file().ok().and_then(|file| std::fs::read_to_string(file).ok()).unwrap_or_default();
    text.lines().any(|line| Path::new(line) == folder)
}

pub fn run(folder: Option<&str>, json: bool) -> ExitCode {
    match trust(folder.unwrap_or(".")) {
        Ok(folder) => {
            output::print_line(&format!("trusted: {}", folder.display()));
            ExitCode::SUCCESS
        }
        Err(failure) => output::print_failure(&failure, json),
    }
}

fn trust(folder: &str) -> Result<PathBuf, Failure> {
    let failed = |what: &str, err: std::io::Error| Failure::new(ErrorCode::Io, format!("{what}: {err}"));
    let folder = Path::new(folder)
        .canonicalize()
        .map_err(|err| failed(&format!("expected a folder at {folder}"), err))?;
    if is_trusted(&folder) {
        return Ok(folder);
    }
    let file = list_file()?;
    if let Some(parent) = file.parent() {
        std::fs::create_dir_all(parent)
            .map_err(|err| failed("could not make the folder for settings", err))?;
    }
    let mut text = std::fs::read_to_string(&file).unwrap_or_default();
    text.push_str(&format!("{}\n", folder.display()));
    let partial = file.with_extension("part");
    std::fs::write(&partial, text).map_err(|err| failed("could not write the list", err))?;
    std::fs::rename(&partial, &file).map_err(|err| failed("could not write the list", err))?;
    Ok(folder)
}
