//! Copies of a state that is being written, and a state put in the place of another.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use assay_coordinator::{Coordinator, StateError, relocate_runs, replace_state, runs_folders, state_version};
use assay_protocol::LockName;

use crate::child_process::Actor;
use crate::context::*;
use crate::crash::random;

fn copy(home: &Home, name: &str) -> PathBuf {
    let file = home.path.join(name);
    home.open().copy_to(&file).unwrap();
    file
}

/// A state with one run of this name, as a file of its own.
fn with_run(run: &str) -> (Home, PathBuf) {
    let home = Home::new();
    begin(&home.open(), run, &home.folder("results"), the_dead());
    let file = copy(&home, "copy.db");
    (home, file)
}

fn runs(state: &Path) -> Vec<String> {
    Coordinator::open(state).unwrap().runs().unwrap().into_iter().map(|run| run.run).collect()
}

#[test]
fn a_copy_is_whole_while_another_process_writes() {
    let home = Home::new();
    let mut writer = Actor::start("record", &home.state());
    writer.hear().unwrap();
    let mut last = 0;
    for number in 0..20 {
        let file = copy(&home, &format!("copy-{number}.db"));
        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        assert!(state_version(&file).unwrap() > 0);
        let folder = home.folder(&format!("opened-{number}"));
        std::fs::rename(&file, folder.join("state.db")).unwrap();
        let copied = Coordinator::open(&folder).unwrap();
        copied.verify().unwrap();
        let run = copied.runs().unwrap().remove(0);
        let events = copied.events_of(run.task).unwrap();
        // In order, without a gap, and never less than before.
        assert!(events.iter().enumerate().all(|(at, event)| event.at == at as u64 + 1));
        assert!(events.len() >= last);
        last = events.len();
    }
    writer.child.kill().unwrap();
}

#[test]
fn a_copy_never_takes_the_place_of_a_file() {
    let (home, file) = with_run("r1");
    assert!(matches!(home.open().copy_to(&file), Err(StateError::Unwritable { .. })));
}

#[test]
fn another_state_takes_the_place_and_the_old_one_is_kept_whole() {
    let (_other, new) = with_run("new");
    let home = Home::new();
    begin(&home.open(), "old", &home.path, the_dead());
    let kept = home.folder(".assay/kept");
    let staged = home.state().join("staged.db");
    std::fs::copy(&new, &staged).unwrap();
    replace_state(&home.state(), &staged, &kept).unwrap();
    assert_eq!((runs(&home.state()), runs(&kept)), (vec!["new".to_string()], vec!["old".to_string()]));
}

#[test]
fn a_state_takes_a_place_that_is_empty() {
    let (_other, new) = with_run("new");
    let home = Home::new();
    std::fs::create_dir_all(home.state()).unwrap();
    let staged = home.state().join("staged.db");
    std::fs::copy(&new, &staged).unwrap();
    replace_state(&home.state(), &staged, &home.folder(".assay/kept")).unwrap();
    assert_eq!(runs(&home.state()), ["new"]);
}

#[test]
fn a_state_that_is_damaged_gives_way_and_is_kept() {
    let (_other, new) = with_run("new");
    let home = Home::new();
    std::fs::create_dir_all(home.state()).unwrap();
    std::fs::write(home.file(), [0x5a; 9000]).unwrap();
    let kept = home.folder(".assay/kept");
    let staged = home.state().join("staged.db");
    std::fs::copy(&new, &staged).unwrap();
    replace_state(&home.state(), &staged, &kept).unwrap();
    assert_eq!(runs(&home.state()), ["new"]);
    assert_eq!(std::fs::read(kept.join("state.db")).unwrap(), [0x5a; 9000]);
}

#[test]
fn a_state_that_somebody_uses_stays() {
    let (_other, new) = with_run("new");
    let home = Home::new();
    let kept = home.folder("kept");
    let staged = home.path.join("staged.db");
    std::fs::copy(&new, &staged).unwrap();
    #[track_caller]
    fn check(home: &Home, staged: &Path, kept: &Path, who: &str) {
        match replace_state(&home.state(), staged, kept) {
            Err(StateError::InUse { users, .. }) => {
                assert!(users.iter().any(|user| user.contains(who)), "{users:?}");
            }
            other => panic!("{other:?}"),
        }
        assert!(staged.is_file());
    }
    // A process that only has it open.
    let mut writer = Actor::start("record", &home.state());
    writer.hear().unwrap();
    check(&home, &staged, &kept, &writer.child.id().to_string());
    writer.child.kill().unwrap();
    writer.child.wait().unwrap();
    // A lock of a machine that cannot be looked at.
    let coordinator = home.open();
    let far = assay_protocol::Owner { host: "elsewhere".into(), doing: "assay serve".into(), ..me() };
    std::mem::forget(coordinator.acquire(&LockName::Session("assay-serve".to_string()), &far).unwrap());
    let file = coordinator.file().to_path_buf();
    drop(coordinator);
    assert!(file.is_file());
    check(&home, &staged, &kept, "assay serve");
}

#[test]
fn what_is_no_state_takes_no_place() {
    let home = Home::new();
    begin(&home.open(), "old", &home.path, the_dead());
    let kept = home.folder(".assay/kept");
    let check = |content: &[u8]| {
        let staged = home.path.join("staged.db");
        std::fs::write(&staged, content).unwrap();
        assert!(replace_state(&home.state(), &staged, &kept).is_err());
        assert_eq!(runs(&home.state()), ["old"]);
    };
    check(b"");
    check(b"something else");
    check(&[0; 8192]);
    let (_other, new) = with_run("new");
    let whole = std::fs::read(&new).unwrap();
    check(&whole[..whole.len() - 4096]);
    let newer = rusqlite::Connection::open(&new).unwrap();
    newer.pragma_update(None, "user_version", 99).unwrap();
    drop(newer);
    assert!(matches!(state_version(&new), Err(StateError::TooNew { found: 99, .. })));
    check(&std::fs::read(&new).unwrap());
}

/// Puts one state in the place of another.
pub fn replace(folder: &Path) {
    crate::child_process::say("ready");
    let state = folder.join(".assay");
    replace_state(&state, &state.join("staged.db"), &state.join("kept")).unwrap();
    crate::child_process::say("done");
}

#[test]
fn a_process_that_is_killed_while_it_replaces_a_state_leaves_the_old_or_the_new_one() {
    let (_other, new) = with_run("new");
    let (mut old, mut replaced) = (0, 0);
    for _ in 0..60 {
        let home = Home::new();
        begin(&home.open(), "old", &home.path, the_dead());
        home.folder(".assay/kept");
        std::fs::copy(&new, home.state().join("staged.db")).unwrap();
        let mut actor = Actor::start("replace", &home.path);
        actor.hear().unwrap();
        std::thread::sleep(std::time::Duration::from_micros(random() % 25_000));
        actor.child.kill().unwrap();
        actor.child.wait().unwrap();
        home.open().verify().unwrap();
        match runs(&home.state()).join(",").as_str() {
            "old" => old += 1,
            "new" => {
                assert_eq!(runs(&home.state().join("kept")), ["old"]);
                replaced += 1;
            }
            other => panic!("{other}"),
        }
    }
    assert!(old + replaced == 60, "{old} {replaced}");
}

#[test]
fn a_project_that_moved_finds_its_runs() {
    let (home, file) = with_run("r1");
    let from = home.path.canonicalize().unwrap();
    assert_eq!(runs_folders(&file).unwrap(), [home.path.join("results")]);
    relocate_runs(&file, &home.path, Path::new("/srv/shop")).unwrap();
    assert_eq!(runs_folders(&file).unwrap(), [PathBuf::from("/srv/shop/results")]);
    // Others stay where they are.
    relocate_runs(&file, &from, Path::new("/elsewhere")).unwrap();
    assert_eq!(runs_folders(&file).unwrap(), [PathBuf::from("/srv/shop/results")]);
}
