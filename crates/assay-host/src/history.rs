//! Removes old runs and their files.

use std::path::{Path, PathBuf};

use assay_coordinator::{Cleared, Coordinator, Retention};
use assay_protocol::{ErrorCode, Failure};

use crate::record_limits::RecordLimits;
use crate::state::state_failure;

/// Removes the runs that are not to be kept, and the results that no other run needs. Results outside a project that is
/// not trusted stay.
pub fn clear_runs(
    coordinator: &Coordinator,
    limits: &RecordLimits,
    retention: Retention,
) -> Result<Cleared, Failure> {
    let mut cleared = coordinator.gc(retention).map_err(state_failure)?;
    let is_ours = |folder: &PathBuf| limits.check_path("results", folder).is_ok();
    let (ours, elsewhere) = std::mem::take(&mut cleared.folders).into_iter().partition(is_ours);
    cleared.folders = ours;
    cleared.elsewhere = elsewhere;
    for folder in &cleared.folders {
        remove_results(folder).map_err(|err| {
            Failure::new(ErrorCode::Io, format!("could not clear {}: {err}", folder.display()))
        })?;
        coordinator.folder_is_gone(folder).map_err(state_failure)?;
    }
    Ok(cleared)
}

/// Removes the files of runs, and the folder if it is empty then: the user may have chosen a results folder with other
/// files. Downloads belong to the user.
fn remove_results(folder: &Path) -> std::io::Result<()> {
    const FILES: &[&str] = &[
        "events.jsonl",
        "report.json",
        "report.html",
        "heals.html",
        "trace.zip",
        "stdout.txt",
        "stderr.txt",
    ];
    let journal = std::fs::File::open(folder.join("events.jsonl"));
    let mut opening = [0; 16];
    let is_ours = journal.and_then(|mut file| std::io::Read::read_exact(&mut file, &mut opening)).is_ok()
        && opening.starts_with(b"{\"assay_journal\"");
    if !is_ours {
        return Ok(());
    }
    let is_picture = |path: &Path| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        path.extension().is_some_and(|kind| kind == "png")
            && name.len() == 16
            && name.chars().all(|letter| letter.is_ascii_hexdigit())
    };
    for picture in entries(&folder.join("screenshots"))?.into_iter().filter(|path| is_picture(path)) {
        gone(std::fs::remove_file(picture))?;
    }
    for bundle in entries(&folder.join("failures"))? {
        if bundle.join("agent_reasoning.md").is_file() {
            gone(std::fs::remove_dir_all(bundle))?;
        }
    }
    // Each run of a script has a folder of its own, and what the script left in it goes with the run.
    if folder.parent().is_some_and(|above| above.ends_with("scripts")) {
        gone(std::fs::remove_dir_all(folder.join("artifacts")))?;
    }
    for name in FILES {
        gone(std::fs::remove_file(folder.join(name)))?;
    }
    for emptied in [folder.join("screenshots"), folder.join("failures"), folder.to_path_buf()] {
        match std::fs::remove_dir(emptied) {
            Err(err) if err.kind() == std::io::ErrorKind::DirectoryNotEmpty => {}
            other => gone(other)?,
        }
    }
    Ok(())
}

fn entries(folder: &Path) -> std::io::Result<Vec<std::path::PathBuf>> {
    match std::fs::read_dir(folder) {
        Ok(found) => Ok(found.flatten().map(|entry| entry.path()).collect()),
        Err(err) if err.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(err) => Err(err),
    }
}

/// A missing file need not be removed.
fn gone(result: std::io::Result<()>) -> std::io::Result<()> {
    match result {
        Err(err) if err.kind() == std::io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}
