//! Makes a backup: the state of one moment, then the files that its records name, while everything goes on.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use assay_actions::real_path;
use assay_coordinator::{Coordinator, state_version};
use assay_protocol::{ErrorCode, Failure};

use super::archive::{ArchiveWriter, check_name};
use super::{
    BackupInfo, BackupReport, FOLDERS, HOOK_SECRETS, MANIFEST, STATE_FILE, USER_SECRETS, VERSION, io_failure,
};
use crate::scratch::Scratch;
use crate::state::state_failure;

const DEEPEST: usize = 8;

/// What goes into a backup.
pub struct BackupOrder<'a> {
    pub coordinator: &'a Coordinator,
    /// The folder of the project.
    pub root: &'a Path,
    /// The name of the suite.
    pub project: &'a str,
    /// The version of assay.
    pub assay: &'a str,
    /// Reports, pictures and other files that runs left behind.
    pub with_results: bool,
    /// Secrets of webhooks, and from this folder of the user's settings hashes of tokens and keys of models.
    pub secrets: Option<&'a Path>,
}

/// A backup with its state taken: what remains is to write it.
pub struct PreparedBackup {
    info: BackupInfo,
    root: PathBuf,
    state: PathBuf,
    /// Files below these folders, under these names.
    folders: Vec<(String, PathBuf)>,
    left_out: Vec<PathBuf>,
    scratch: Scratch,
}

impl PreparedBackup {
    /// Takes the state as it is now. What is committed later is not in the backup.
    pub fn take(order: &BackupOrder<'_>) -> Result<PreparedBackup, Failure> {
        let folder = order.coordinator.file().parent().unwrap_or(order.root).to_path_buf();
        let scratch = Scratch::make(&folder, "backup")?;
        let state = scratch.folder.join(STATE_FILE);
        order.coordinator.copy_to(&state).map_err(state_failure)?;
        let state_version = state_version(&state).map_err(state_failure)?;
        let root = real_path(order.root).unwrap_or_else(|| order.root.to_path_buf());
        let mut folders: Vec<(String, PathBuf)> =
            FOLDERS.iter().map(|name| (format!("state/{name}"), folder.join(name))).collect();
        let mut left_out = Vec::new();
        if order.with_results {
            let copied = Coordinator::open_to_read(&scratch.folder).map_err(state_failure)?;
            let runs = copied.runs().map_err(state_failure)?;
            let mut wanted = BTreeSet::new();
            for results in runs.into_iter().map(|run| run.results) {
                match real_path(&results).and_then(|real| below(&root, &real)) {
                    Some(name) => drop(wanted.insert((name, results))),
                    // A run that was cleared has none.
                    None if results.is_dir() => left_out.push(results),
                    None => {}
                }
            }
            left_out.sort();
            left_out.dedup();
            folders.extend(wanted.into_iter().map(|(name, folder)| (format!("results/{name}"), folder)));
        }
        if let Some(settings) = order.secrets {
            folders.push((format!("state/{HOOK_SECRETS}"), folder.join(HOOK_SECRETS)));
            let user = USER_SECRETS.iter();
            folders.extend(user.map(|name| (format!("secrets/{name}"), settings.join(name))));
        }
        let created_at = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_millis() as u64);
        let info = BackupInfo {
            format: "assay-backup".to_string(),
            version: VERSION,
            assay: order.assay.to_string(),
            project: order.project.to_string(),
            root: root.clone(),
            created_at,
            state_version,
            has_results: order.with_results,
            has_secrets: order.secrets.is_some(),
        };
        Ok(PreparedBackup { info, root, state, folders, left_out, scratch })
    }

    pub fn info(&self) -> &BackupInfo {
        &self.info
    }

    /// Writes all of it. Whoever reads it notices if this breaks off.
    pub fn write(self, out: &mut dyn Write) -> Result<BackupReport, Failure> {
        let failed = |err: io::Error| io_failure("write the backup", &err);
        let mut archive = ArchiveWriter::new(out);
        let info = serde_json::to_vec_pretty(&self.info)
            .map_err(|err| Failure::new(ErrorCode::Internal, err.to_string()))?;
        archive.add(MANIFEST, info.len() as u64, &mut &info[..]).map_err(failed)?;
        let mut state = File::open(&self.state).map_err(failed)?;
        let size = state.metadata().map_err(failed)?.len();
        archive.add(&format!("state/{STATE_FILE}"), size, &mut state).map_err(failed)?;
        let mut seen = BTreeSet::new();
        for (name, path) in &self.folders {
            add_all(&mut archive, name, path, &mut seen).map_err(failed)?;
        }
        let (files, bytes) = (archive.files, archive.bytes);
        archive.finish().map_err(failed)?;
        drop(self.scratch);
        Ok(BackupReport { info: self.info, files, bytes, left_out: self.left_out })
    }

    /// The folder of the project, with every link resolved.
    pub fn root(&self) -> &Path {
        &self.root
    }
}

/// Makes a backup in a new file, whole or not at all, which only its owner reads.
pub fn back_up(order: &BackupOrder<'_>, file: &Path) -> Result<BackupReport, Failure> {
    if fs::symlink_metadata(file).is_ok() {
        let message = format!("{} is there already", file.display());
        return Err(Failure::new(ErrorCode::FileExists, message).hint("name another file"));
    }
    let name = file.file_name().ok_or_else(|| {
        Failure::new(ErrorCode::Usage, format!("expected the name of a file, found `{}`", file.display()))
    })?;
    let draft = file.with_file_name(format!(".{}.{}.partial", name.to_string_lossy(), std::process::id()));
    let failed = |err: io::Error| io_failure(&format!("write {}", file.display()), &err);
    // What is left of a process that was killed may have been made by somebody else.
    match fs::remove_file(&draft) {
        Err(err) if err.kind() != io::ErrorKind::NotFound => return Err(failed(err)),
        _ => {}
    }
    let mut out = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&draft).map_err(failed)?;
    let written = PreparedBackup::take(order).and_then(|prepared| {
        let mut buffered = io::BufWriter::with_capacity(256 * 1024, &mut out);
        let report = prepared.write(&mut buffered)?;
        drop(buffered);
        out.sync_all().and_then(|()| fs::rename(&draft, file)).map_err(failed)?;
        Ok(report)
    });
    if written.is_err() {
        // The first error is the one to tell.
        let _ = fs::remove_file(&draft);
    }
    written
}

/// The name of a folder below another, if a backup can have it: not the other folder itself, and nothing hidden.
fn below(root: &Path, folder: &Path) -> Option<String> {
    let name = folder.strip_prefix(root).ok()?.to_str()?;
    (is_open(name) && check_name(name).is_ok()).then(|| name.to_string())
}

/// Nothing on the way begins with a dot.
pub(super) fn is_open(name: &str) -> bool {
    !name.is_empty() && name.split('/').all(|part| !part.starts_with('.'))
}

/// Adds a file, or all files below a folder. Links and hidden files are none; what went meanwhile is not missed.
fn add_all(
    archive: &mut ArchiveWriter<&mut dyn Write>,
    name: &str,
    path: &Path,
    seen: &mut BTreeSet<String>,
) -> io::Result<()> {
    let mut open = vec![(name.to_string(), path.to_path_buf(), 0)];
    while let Some((name, path, depth)) = open.pop() {
        let Some(facts) = found(fs::symlink_metadata(&path))? else { continue };
        if facts.is_dir() && depth <= DEEPEST {
            let Some(entries) = found(fs::read_dir(&path))? else { continue };
            for entry in entries {
                let entry = entry?;
                // A name that is no text is none of ours.
                if let Ok(part) = entry.file_name().into_string()
                    && !part.starts_with('.')
                {
                    open.push((format!("{name}/{part}"), entry.path(), depth + 1));
                }
            }
        } else if facts.is_file() && check_name(&name).is_ok() && seen.insert(name.clone()) {
            let opened = OpenOptions::new().read(true).custom_flags(libc::O_NOFOLLOW).open(&path);
            let Some(mut file) = found(opened)? else { continue };
            let size = file.metadata()?.len();
            archive.add(&name, size, &mut file)?;
        }
    }
    Ok(())
}

fn found<T>(done: io::Result<T>) -> io::Result<Option<T>> {
    match done {
        Ok(done) => Ok(Some(done)),
        Err(err) if err.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(err) => Err(err),
    }
}

/// A folder that only its owner enters.
pub(super) fn private_folder(folder: &Path) -> io::Result<()> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}
