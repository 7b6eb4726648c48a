//! Full disks, damaged files, files of others: told by name, and nothing is lost.

use std::io::{Read, Seek, SeekFrom, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use assay_coordinator::{Coordinator, StateError, hint};
use assay_protocol::{LockName, RunFact, TaskId};

use crate::child_process::{Actor, say};
use crate::context::*;

/// A closed file with a few hundred events in it.
fn filled(home: &Home) -> TaskId {
    let coordinator = home.open();
    let task = begin(&coordinator, "r1", &home.path, me());
    record_all(&coordinator, task, (0..400).map(|number| command("login", number, "click e1")));
    task
}

fn overwrite(file: &Path, place: u64, bytes: &[u8]) {
    let mut file = std::fs::OpenOptions::new().write(true).open(file).unwrap();
    file.seek(SeekFrom::Start(place)).unwrap();
    file.write_all(bytes).unwrap();
}

fn bytes_of(file: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    std::fs::File::open(file).unwrap().read_to_end(&mut bytes).unwrap();
    bytes
}

#[track_caller]
fn check_damage(place: impl Fn(usize) -> usize, with: &[u8]) {
    let home = Home::new();
    filled(&home);
    let file = home.file();
    let size = bytes_of(&file).len();
    overwrite(&file, place(size) as u64, with);
    let before = bytes_of(&file);
    for opened in [Coordinator::open(&home.state()), Coordinator::open_to_read(&home.state())] {
        let Err(error) = opened else { panic!("a damaged file was opened") };
        assert!(matches!(error, StateError::Corrupt { .. }), "{error:?}");
        let told = error.to_string();
        assert!(told.starts_with(&format!("`{}` is damaged (", file.display())), "{told}");
        assert!(told.ends_with("; move it away, and the next run creates a new one"), "{told}");
        let state = home.state().display().to_string();
        let moved = format!("run `mkdir '{state}/old' && mv '{state}'/state.db* '{state}/old/'`");
        assert_eq!(hint(&error).unwrap(), moved);
    }
    assert!(bytes_of(&file) == before, "a damaged file must stay as it is");
    std::fs::rename(&file, file.with_extension("old")).unwrap();
    home.open().verify().unwrap();
}

#[test]
fn a_file_that_is_damaged_at_its_start_is_told_and_left_alone() {
    check_damage(|_| 0, &[0x5a; 100]);
    check_damage(|_| 0, &[0; 4096]);
}

#[test]
fn a_file_that_is_damaged_in_its_middle_is_told_and_left_alone() {
    check_damage(|size| size / 2 / 4096 * 4096, &[0xff; 4096]);
    check_damage(|size| size / 3 / 4096 * 4096, &[0x5a; 64]);
    check_damage(|size| size / 4 / 4096 * 4096, &[0; 9000]);
}

#[test]
fn a_file_that_is_too_large_to_be_checked_at_once_tells_of_damage_when_it_is_met() {
    let home = Home::new();
    let coordinator = home.open();
    let task = begin(&coordinator, "r1", &home.path, me());
    let large = RunFact::Note { test: "login".into(), step: None, text: "x".repeat(6 << 20) };
    record_all(&coordinator, task, [large.clone(), large.clone(), large]);
    drop(coordinator);
    let size = bytes_of(&home.file()).len();
    overwrite(&home.file(), (size / 2 / 4096 * 4096) as u64, &[0xff; 64]);
    let before = bytes_of(&home.file());
    let coordinator = home.open();
    let read = coordinator.events_of(task).unwrap_err();
    assert!(matches!(read, StateError::Corrupt { .. }), "{read:?}");
    let verified = coordinator.verify().unwrap_err();
    assert!(matches!(verified, StateError::Corrupt { .. }), "{verified:?}");
    // Another task is not concerned, and what it tells is kept beside the damaged file.
    let other = start(&coordinator, "look");
    drop(coordinator);
    assert!(bytes_of(&home.file()) == before, "a damaged file must stay as it is");
    assert_eq!(home.open().task(other).unwrap().goal, "look");
}

#[test]
fn a_file_that_is_no_database_is_told_and_left_alone() {
    let home = Home::new();
    std::fs::create_dir(home.state()).unwrap();
    std::fs::write(home.file(), "dear diary, ".repeat(1000)).unwrap();
    let Err(error) = Coordinator::open(&home.state()) else { panic!("it was opened") };
    assert!(matches!(error, StateError::Corrupt { .. }), "{error:?}");
    assert!(bytes_of(&home.file()).starts_with(b"dear diary"));
}

#[test]
fn a_database_of_somebody_else_is_left_alone() {
    let home = Home::new();
    std::fs::create_dir(home.state()).unwrap();
    rusqlite::Connection::open(home.file()).unwrap().execute_batch("CREATE TABLE theirs (x)").unwrap();
    let before = bytes_of(&home.file());
    let Err(error) = Coordinator::open(&home.state()) else { panic!("it was opened") };
    assert!(matches!(error, StateError::Foreign { .. }), "{error:?}");
    assert!(bytes_of(&home.file()) == before);
}

#[test]
fn a_file_of_a_newer_assay_is_refused_with_a_sentence() {
    let home = Home::new();
    filled(&home);
    rusqlite::Connection::open(home.file()).unwrap().pragma_update(None, "user_version", 99).unwrap();
    let before = bytes_of(&home.file());
    let Err(error) = Coordinator::open(&home.state()) else { panic!("it was opened") };
    assert!(hint(&error).unwrap().starts_with("use the newer assay, or start over with `mkdir "));
    let told = error.to_string();
    let known = told.split_once("was written by a newer assay (version 99, this one reads up to ");
    let known = known.and_then(|(_, rest)| rest.strip_suffix(')')?.parse::<u32>().ok());
    assert!(known.is_some_and(|known| (1..99).contains(&known)), "{told}");
    assert!(bytes_of(&home.file()) == before);
}

#[test]
fn a_row_that_lost_a_bit_is_recognised() {
    let home = Home::new();
    let task = filled(&home);
    let bytes = bytes_of(&home.file());
    let needle = b"the only button";
    let place = bytes.windows(needle.len()).rposition(|window| window == needle).unwrap();
    overwrite(&home.file(), place as u64, b"uhe");
    let coordinator = home.open();
    let error = coordinator.events_of(task).unwrap_err();
    let StateError::DamagedRow { row, .. } = error else { panic!("{error:?}") };
    assert!(error.to_string().starts_with(&format!("row {row} of the journal in `")), "{error}");
    assert!(coordinator.record(TaskId(task.0), &at(1, run_finished(false))).is_err());
}

#[test]
fn a_folder_that_cannot_be_made_is_told() {
    let home = Home::new();
    std::fs::write(home.state(), "a file where the folder should be").unwrap();
    let Err(error) = Coordinator::open(&home.state()) else { panic!("it was opened") };
    assert!(matches!(error, StateError::Unwritable { .. }), "{error:?}");
}

#[test]
fn links_are_not_followed() {
    let home = Home::new();
    let precious = home.folder("precious");
    std::os::unix::fs::symlink(&precious, home.state()).unwrap();
    let Err(error) = Coordinator::open(&home.state()) else { panic!("it was opened") };
    assert!(error.to_string().ends_with("is a symbolic link, and assay does not follow links"), "{error}");
    assert_eq!(std::fs::read_dir(&precious).unwrap().count(), 0);

    let other = Home::new();
    std::fs::create_dir(other.state()).unwrap();
    std::os::unix::fs::symlink(precious.join("made.db"), other.file()).unwrap();
    let opened = Coordinator::open(&other.state());
    assert!(matches!(opened, Err(StateError::Unwritable { .. })));
    assert_eq!(std::fs::read_dir(&precious).unwrap().count(), 0);
}

#[test]
fn a_file_that_is_moved_away_takes_no_more_and_its_locks_hold_nobody_back() {
    let home = Home::new();
    let coordinator = home.open();
    let task = begin(&coordinator, "r1", &home.path, me());
    let name = LockName::Session("default".into());
    let mut lease = coordinator.acquire(&name, &me()).unwrap();
    std::fs::rename(home.state(), home.path.join("elsewhere")).unwrap();
    let new = home.open();
    let _lease = new.acquire(&name, &me()).unwrap();
    for told in [lease.heartbeat(), coordinator.record(task, &at(1, run_finished(false)))] {
        assert!(matches!(told, Err(StateError::Gone { .. })), "{told:?}");
    }
}

#[test]
fn what_is_opened_to_read_is_not_written() {
    let home = Home::new();
    let Err(none) = Coordinator::open_to_read(&home.state()) else { panic!("there is nothing to read") };
    assert!(matches!(none, StateError::NotFound { .. }));
    assert!(!home.state().exists());
    let task = filled(&home);
    let reader = Coordinator::open_to_read(&home.state()).unwrap();
    assert_eq!(reader.events_of(task).unwrap().len(), 400);
    assert!(matches!(reader.record(task, &at(1, run_finished(false))), Err(StateError::Unwritable { .. })));
    assert_eq!(reader.events_of(task).unwrap().len(), 400);
}

#[test]
fn a_full_disk_leaves_the_old_state_readable() {
    let home = Home::new();
    let disk = home.folder("disk");
    // A small disk of its own, in a world of mounts of its own: nothing is left of it afterwards.
    let script = r#"mount -t tmpfs -o size=1m none "$0" && exec "$@""#;
    let mut command = Command::new("unshare");
    command.args(["--map-root-user", "--mount", "sh", "-c", script]).arg(&disk);
    let able = command.arg("true").status().is_ok_and(|status| status.success());
    if !able {
        eprintln!("no small disk can be made here; the limit on the size of files is tested beside this");
        return;
    }
    let mut command = Command::new("unshare");
    command.args(["--map-root-user", "--mount", "sh", "-c", script]).arg(&disk);
    command.arg(std::env::current_exe().unwrap());
    let mut actor = Actor::start_by(command, "fill", &disk.join(".assay"));
    let mut said = Vec::new();
    while let Some(line) = actor.hear() {
        said.push(line);
    }
    assert_eq!(said, ["full", "readable", "readable again", "readable without room", "goes on"]);
}

/// The part of a process whose disk is small.
pub fn fill_the_disk(folder: &Path) {
    let coordinator = Coordinator::open(folder).unwrap();
    let task = begin(&coordinator, "r1", folder, me());
    let recorded = record_until_full(&coordinator, task);
    say("full");
    assert_eq!(coordinator.events_of(task).unwrap().len(), recorded);
    coordinator.verify().unwrap();
    say("readable");
    // Not a byte is left for anybody.
    let ballast = folder.join("ballast");
    fill(&ballast);
    drop(coordinator);
    let reader = Coordinator::open_to_read(folder).unwrap();
    assert_eq!(reader.events_of(task).unwrap().len(), recorded);
    drop(reader);
    say("readable again");
    // The index of the log is not to be had any more, and there is no room to make another.
    let index = folder.join("state.db-shm");
    if index.exists() {
        std::fs::remove_file(index).unwrap();
    }
    fill(&ballast);
    let refused = Coordinator::open(folder).map(|_| ());
    assert!(matches!(refused, Err(StateError::DiskFull { .. })), "{refused:?}");
    let reader = Coordinator::open_to_read(folder).unwrap();
    assert_eq!(reader.events_of(task).unwrap().len(), recorded);
    drop(reader);
    say("readable without room");
    std::fs::remove_file(&ballast).unwrap();
    let coordinator = Coordinator::open(folder).unwrap();
    coordinator.verify().unwrap();
    assert_eq!(coordinator.events_of(task).unwrap().len(), recorded);
    say("goes on");
}

fn record_until_full(coordinator: &Coordinator, task: TaskId) -> usize {
    for number in 0.. {
        match coordinator.record(task, &at(1, command("login", number, "click e1"))) {
            Ok(()) => {}
            Err(StateError::DiskFull { .. }) => return number,
            Err(other) => panic!("{other:?}"),
        }
    }
    unreachable!("the disk has no end")
}

fn fill(path: &PathBuf) {
    let mut file = std::fs::OpenOptions::new().append(true).create(true).open(path).unwrap();
    while file.write(&[7; 512]).is_ok_and(|written| written > 0) {}
}

#[test]
fn a_limit_on_the_size_of_files_is_a_full_disk() {
    let home = Home::new();
    let mut command = Command::new(std::env::current_exe().unwrap());
    // SAFETY: between fork and exec, only these two calls are made, and both may be made there.
    unsafe {
        command.pre_exec(|| {
            let limit = libc::rlimit { rlim_cur: 600_000, rlim_max: 600_000 };
            libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
            match libc::setrlimit(libc::RLIMIT_FSIZE, &limit) {
                0 => Ok(()),
                _ => Err(std::io::Error::last_os_error()),
            }
        });
    }
    let mut actor = Actor::start_by(command, "limited", &home.state());
    let mut said = Vec::new();
    while let Some(line) = actor.hear() {
        said.push(line);
    }
    let [recorded, readable] = said.as_slice() else { panic!("{said:?}") };
    assert_eq!(recorded, readable);
    let coordinator = home.open();
    coordinator.verify().unwrap();
    let events = coordinator.events_of(TaskId(1)).unwrap();
    assert_eq!(events.len().to_string(), *recorded);
    // Without the limit, it goes on.
    coordinator.record(TaskId(1), &at(2, run_finished(false))).unwrap();
}

/// The part of a process that may not make large files.
pub fn write_up_to_the_limit(folder: &Path) {
    let coordinator = Coordinator::open(folder).unwrap();
    let task = begin(&coordinator, "r1", folder, me());
    say(&record_until_full(&coordinator, task).to_string());
    say(&coordinator.events_of(task).unwrap().len().to_string());
}
