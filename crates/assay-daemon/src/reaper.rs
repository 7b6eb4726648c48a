//! Cleaning up after a crash that took the guard along: at the next start, and only what
//! carries our mark.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use assay_driver::PROFILE_MARK;

use crate::session_paths::{SessionPaths, remove_private_tree};

/// A session whose daemon is gone but whose things are not.
#[derive(Debug)]
pub struct Leftover {
    pub session: String,
    pub profile: Option<PathBuf>,
    pub socket: PathBuf,
    /// Held until everything is removed, so that no new daemon of the session comes in between.
    _lock: File,
}

/// Sessions in the runtime folder that nobody holds the lock of, yet have a socket or a profile.
pub fn find_leftovers(place: &SessionPaths) -> Vec<Leftover> {
    let mut found = Vec::new();
    let Ok(entries) = std::fs::read_dir(&place.folder) else { return found };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.extension().is_none_or(|extension| extension != "lock") {
            continue;
        }
        let Some(session) = path.file_stem().map(|stem| stem.to_string_lossy().to_string()) else { continue };
        let other = SessionPaths { session: session.clone(), ..place.clone() };
        let Ok(lock) = other.open_lock_if_there() else { continue };
        if lock.try_lock().is_err() {
            continue;
        }
        let profile = other.read_record().map(|record| record.profile).filter(|profile| profile.exists());
        if profile.is_some() || other.socket().exists() {
            found.push(Leftover { session, profile, socket: other.socket(), _lock: lock });
        }
    }
    found
}

/// Removes what `find_leftovers` found.
pub fn reap(place: &SessionPaths) {
    for leftover in find_leftovers(place) {
        if let Some(profile) = &leftover.profile {
            end_browsers_of(profile);
            remove_private_tree(profile);
        }
        // Gone already is as good as removed.
        let _removed = std::fs::remove_file(&leftover.socket);
    }
}

/// What a predecessor of this session left. Its lock is held by the caller, so it is gone.
pub(crate) fn reap_own(place: &SessionPaths) {
    if let Some(record) = place.read_record() {
        end_browsers_of(&record.profile);
        remove_private_tree(&record.profile);
    }
}

/// Ends every process of ours that was started with this profile. A browser of somebody else
/// cannot have it: the folder is made by us, for one browser, under a name that is never used again.
pub(crate) fn end_browsers_of(profile: &Path) {
    // Without a name of ours there is nothing to look for.
    if profile.as_os_str().is_empty() {
        return;
    }
    let marks = [
        ("cmdline", format!("--user-data-dir={}", profile.display())),
        ("environ", format!("{PROFILE_MARK}={}", profile.display())),
    ];
    for _ in 0..60 {
        let pids = processes_with(&marks);
        if pids.is_empty() {
            return;
        }
        for pid in pids {
            // SAFETY: a plain system call on a process that carries our mark.
            unsafe { libc::kill(pid, libc::SIGKILL) };
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Arguments end with a zero; a process that renames itself has them in one piece, with blanks.
fn holds_word(line: &[u8], mark: &[u8]) -> bool {
    line.windows(mark.len()).enumerate().any(|(at, part)| {
        let after = line.get(at + mark.len()).copied().unwrap_or_default();
        part == mark && (after == 0 || after == b' ')
    })
}

/// A process may write over either of the two: Chromium's do so with their variables.
fn processes_with(marks: &[(&str, String)]) -> Vec<i32> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    let mine = std::process::id() as i32;
    entries
        .flatten()
        .filter_map(|entry| entry.file_name().to_string_lossy().parse::<i32>().ok())
        .filter(|pid| *pid != mine)
        .filter(|pid| {
            marks.iter().any(|(file, mark)| {
                std::fs::read(format!("/proc/{pid}/{file}"))
                    .is_ok_and(|line| holds_word(&line, mark.as_bytes()))
            })
        })
        .collect()
}
