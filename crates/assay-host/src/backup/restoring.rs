//! Restores a backup: reads all of it beside the state, and only then puts it in its place.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use assay_actions::real_path;
use assay_coordinator::{prepare_state_folder, relocate_runs, replace_state, runs_folders, state_version};
use assay_protocol::{ErrorCode, Failure};
use serde::Serialize;

use super::archive::{ArchiveReader, ArchiveTrouble, ArchivedFile};
use super::making::{is_open, private_folder};
use super::placing::{DRAFT, LABEL, READY, REPLACED, finish, hold, place_all};
use super::{
    BackupInfo, BackupReport, FOLDERS, HOOK_SECRETS, MANIFEST, STATE_FILE, USER_SECRETS, VERSION, io_failure,
};
use crate::state::state_failure;

/// No description of a backup is longer.
const LONGEST_INFO: u64 = 64 * 1024;

/// A backup, and where it is to go.
pub struct RestoreOrder<'a> {
    pub file: &'a Path,
    /// The folder of the state.
    pub state: &'a Path,
    /// The folder of the project.
    pub root: &'a Path,
    /// The name of the suite.
    pub project: &'a str,
    /// A backup of another project is taken as well.
    pub takes_other_project: bool,
    /// The folder of the user's settings, if tokens and keys that are missing there are to be taken from the backup.
    pub settings: Option<&'a Path>,
}

/// What a restore did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Restored {
    #[serde(flatten)]
    pub backup: BackupReport,
    /// What was there before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replaced: Option<PathBuf>,
    /// Secrets of the user that were there already, and stayed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stayed: Vec<PathBuf>,
}

/// Reads a backup through, and says what is in it. Changes nothing.
pub fn check_backup(file: &Path) -> Result<BackupReport, Failure> {
    let mut checked = Reading::open(file)?;
    while let Some(next) = checked.next()? {
        checked.copy(&next, &mut io::sink())?;
    }
    Ok(checked.report())
}

/// Puts what is in a backup in the place of what a project has on record. Refused while anybody works with that.
pub fn restore(order: &RestoreOrder<'_>) -> Result<Restored, Failure> {
    let state = order.state;
    prepare_state_folder(state).map_err(state_failure)?;
    finish(state, order.root)?;
    let failed = |what: &'static str| move |err: io::Error| io_failure(what, &err);
    let held = hold(state).map_err(failed("lock the state"))?;
    held.try_lock().map_err(|_| Failure::new(ErrorCode::SessionBusy, "another restore is under way"))?;
    let (draft, ready) = (state.join(DRAFT), state.join(READY));
    for left in [&draft, &ready] {
        clear(left).map_err(failed("remove what an earlier restore has left"))?;
    }
    private_folder(&draft).map_err(failed("make a folder for the backup"))?;
    let read = read_into(order, &draft);
    let backup = match read {
        Ok(backup) => backup,
        Err(failure) => {
            // The first error is the one to tell.
            let _ = clear(&draft);
            return Err(failure);
        }
    };
    let label = label();
    let kept = state.join(REPLACED).join(&label);
    let prepared = write_file(&draft.join(LABEL), &mut label.as_bytes())
        .and_then(|()| private_folder(&kept))
        .and_then(|()| sync_all_below(&draft))
        .and_then(|()| fs::rename(&draft, &ready));
    prepared.map_err(failed("prepare the backup"))?;
    if let Err(error) = replace_state(state, &ready.join(STATE_FILE), &kept) {
        let _ = clear(&ready);
        let _ = fs::remove_dir(&kept);
        return Err(state_failure(error));
    }
    let stayed = match order.settings {
        Some(settings) => take_secrets(&ready.join("secrets"), settings)
            .map_err(failed("take the secrets of the backup"))?,
        None => Vec::new(),
    };
    place_all(state, order.root)?;
    // Nothing was there: an empty folder says no more.
    let _empty = fs::remove_dir(&kept);
    Ok(Restored { backup, replaced: Some(kept).filter(|kept| kept.is_dir()), stayed })
}

fn read_into(order: &RestoreOrder<'_>, draft: &Path) -> Result<BackupReport, Failure> {
    let failed = |err: io::Error| match err.kind() {
        io::ErrorKind::StorageFull => Failure::new(ErrorCode::Io, "there is no space left for the backup"),
        _ => io_failure("unpack the backup", &err),
    };
    let mut reading = Reading::open(order.file)?;
    if reading.info.project != order.project && !order.takes_other_project {
        let message = format!(
            "the backup is of the project `{}`, and this is `{}`",
            reading.info.project, order.project
        );
        return Err(Failure::new(ErrorCode::Usage, message)
            .hint("go to the folder of that project, or add --other-project"));
    }
    let mut results = Vec::new();
    while let Some(file) = reading.next()? {
        let path = draft.join(place_of(&file.name).ok_or_else(|| {
            let message = format!("the backup holds `{}`, which is no part of one", file.name);
            Failure::new(ErrorCode::Usage, message)
        })?);
        if let Some(name) = file.name.strip_prefix("results/") {
            results.push(name.to_string());
        }
        if let Some(folder) = path.parent() {
            private_folder(folder).map_err(failed)?;
        }
        let mode = if file.name.starts_with("results/") { 0o644 } else { 0o600 };
        let out = OpenOptions::new().write(true).create_new(true).mode(mode).open(&path).map_err(failed)?;
        let mut out = BufWriter::with_capacity(256 * 1024, out);
        reading.copy(&file, &mut out)?;
        out.flush().map_err(failed)?;
    }
    let state = draft.join(STATE_FILE);
    if !state.is_file() {
        return Err(Failure::new(ErrorCode::Usage, "the backup holds no state"));
    }
    let version = state_version(&state).map_err(state_failure)?;
    if version != reading.info.state_version {
        return Err(Failure::new(ErrorCode::Usage, "the backup holds another state than it says"));
    }
    let root = real_path(order.root).unwrap_or_else(|| order.root.to_path_buf());
    relocate_runs(&state, &reading.info.root, &root).map_err(state_failure)?;
    check_results(&state, &root, &results)?;
    Ok(reading.report())
}

/// Files go only where the runs of the backup have their results.
fn check_results(state: &Path, root: &Path, results: &[String]) -> Result<(), Failure> {
    let folders = runs_folders(state).map_err(state_failure)?;
    let folders: Vec<PathBuf> =
        folders.iter().filter_map(|folder| Some(folder.strip_prefix(root).ok()?.to_path_buf())).collect();
    for name in results {
        let is_of_a_run = || {
            folders.iter().any(|folder| !folder.as_os_str().is_empty() && Path::new(name).starts_with(folder))
        };
        if !is_open(name) || !is_of_a_run() {
            let message = format!("the backup holds `results/{name}`, which no run of it has left");
            return Err(Failure::new(ErrorCode::Usage, message));
        }
    }
    Ok(())
}

/// Where a file of a backup is unpacked; none for what is no part of one.
fn place_of(name: &str) -> Option<PathBuf> {
    let (first, rest) = name.split_once('/')?;
    let is_below = |folders: &[&str]| {
        folders.iter().any(|folder| {
            rest == *folder || rest.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
        })
    };
    match first {
        "state" if rest == STATE_FILE => Some(PathBuf::from(STATE_FILE)),
        "state" if is_below(&FOLDERS) || is_below(&[HOOK_SECRETS]) => Some(PathBuf::from(name)),
        "results" => Some(PathBuf::from(name)),
        "secrets" if is_below(&USER_SECRETS) => Some(PathBuf::from(name)),
        _ => None,
    }
}

/// Takes secrets that the user does not have, and names those that stay.
fn take_secrets(from: &Path, settings: &Path) -> io::Result<Vec<PathBuf>> {
    let mut stayed = Vec::new();
    let mut open = vec![PathBuf::new()];
    while let Some(at) = open.pop() {
        let entries = match fs::read_dir(from.join(&at)) {
            Ok(entries) => entries,
            Err(err) if err.kind() == io::ErrorKind::NotFound => continue,
            Err(err) => return Err(err),
        };
        for entry in entries {
            let entry = entry?;
            let path = at.join(entry.file_name());
            if entry.file_type()?.is_dir() {
                open.push(path);
                continue;
            }
            let to = settings.join(&path);
            if fs::symlink_metadata(&to).is_ok() {
                stayed.push(to);
                continue;
            }
            if let Some(folder) = to.parent() {
                private_folder(folder)?;
            }
            let draft = to.with_extension("part");
            let _none = fs::remove_file(&draft);
            write_file(&draft, &mut File::open(entry.path())?)?;
            fs::rename(&draft, &to)?;
        }
    }
    stayed.sort();
    Ok(stayed)
}

fn write_file(path: &Path, content: &mut dyn io::Read) -> io::Result<()> {
    let mut out = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    io::copy(content, &mut out)?;
    out.sync_all()
}

/// All files and folders are on the disk before anything counts on them.
fn sync_all_below(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        match entry.file_type()?.is_dir() {
            true => sync_all_below(&entry.path())?,
            false => File::open(entry.path())?.sync_all()?,
        }
    }
    File::open(folder)?.sync_all()
}

fn clear(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(err) if err.kind() != io::ErrorKind::NotFound => Err(err),
        _ => Ok(()),
    }
}

/// `20260807-091502-1234`: the time, and the process.
fn label() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_millis() as u64);
    let digits: String = assay_report::rfc3339(now).chars().take(19).filter(char::is_ascii_digit).collect();
    let (day, time) = digits.split_at(digits.len().min(8));
    format!("{day}-{time}-{}", std::process::id())
}

/// A backup that is being read, after its description.
struct Reading {
    archive: ArchiveReader<BufReader<File>>,
    file: PathBuf,
    info: BackupInfo,
    files: usize,
    bytes: u64,
}

impl Reading {
    fn open(file: &Path) -> Result<Reading, Failure> {
        let opened = File::open(file).map_err(|err| io_failure(&format!("read {}", file.display()), &err))?;
        let mut archive = ArchiveReader::new(BufReader::with_capacity(256 * 1024, opened));
        let wrong = |trouble| trouble_failure(file, trouble);
        let strange = || wrong(ArchiveTrouble::Wrong("it is no backup of assay".to_string()));
        let first = archive.next().map_err(wrong)?.ok_or_else(strange)?;
        if first.name != MANIFEST || first.size > LONGEST_INFO {
            return Err(strange());
        }
        let mut text = Vec::new();
        archive.copy(&first, &mut text).map_err(wrong)?;
        let value: serde_json::Value = serde_json::from_slice(&text).map_err(|_| strange())?;
        if value["format"] != "assay-backup" {
            return Err(strange());
        }
        match value["version"].as_u64() {
            Some(version) if version > u64::from(VERSION) => {
                let message = format!(
                    "{} was made by a newer assay (form {version}, this one reads up to {VERSION})",
                    file.display()
                );
                return Err(Failure::new(ErrorCode::WrongVersion, message).hint("use the newer assay"));
            }
            Some(_) => {}
            None => return Err(strange()),
        }
        let info: BackupInfo = serde_json::from_value(value).map_err(|_| strange())?;
        Ok(Reading { archive, file: file.to_path_buf(), info, files: 1, bytes: first.size })
    }

    fn next(&mut self) -> Result<Option<ArchivedFile>, Failure> {
        self.archive.next().map_err(|trouble| trouble_failure(&self.file, trouble))
    }

    fn copy(&mut self, file: &ArchivedFile, out: &mut dyn Write) -> Result<(), Failure> {
        self.files += 1;
        self.bytes += file.size;
        self.archive.copy(file, out).map_err(|trouble| trouble_failure(&self.file, trouble))
    }

    fn report(self) -> BackupReport {
        BackupReport { info: self.info, files: self.files, bytes: self.bytes, left_out: Vec::new() }
    }
}

fn trouble_failure(file: &Path, trouble: ArchiveTrouble) -> Failure {
    let file = file.display();
    match trouble {
        ArchiveTrouble::Wrong(what) => {
            Failure::new(ErrorCode::Usage, format!("{file} cannot be used: {what}"))
                .hint("nothing was changed")
        }
        ArchiveTrouble::Truncated => Failure::new(
            ErrorCode::Usage,
            format!("{file} cannot be used: a part of it is missing at the end"),
        )
        .hint("nothing was changed; copy it again"),
        ArchiveTrouble::Io(err) => io_failure(&format!("read {file}"), &err),
    }
}
