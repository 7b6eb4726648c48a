//! What is old goes, and nothing that a kept report links to.

use assay_coordinator::{Coordinator, Retention};
use assay_protocol::{RunFact, TaskId, TaskMessage, TaskStatus, Verdict};
use std::path::{Path, PathBuf};

use crate::context::*;

fn ran(coordinator: &Coordinator, run: &str, results: &Path, pictures: &[&str]) -> TaskId {
    let task = begin(coordinator, run, results, me());
    let picture = |path: &&str| RunFact::Screenshot {
        test: "login".into(),
        step: 1,
        path: (*path).to_string(),
        after: None,
    };
    record_all(coordinator, task, pictures.iter().map(picture));
    record_all(coordinator, task, [test_finished("login", 1, Verdict::Passed, false), run_finished(false)]);
    task
}

fn keep(runs: usize) -> Retention {
    Retention { keep_runs: Some(runs), keep_days: None }
}

fn rows(home: &Home, table: &str) -> i64 {
    let sql = rusqlite::Connection::open(home.file()).unwrap();
    sql.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap()
}

#[test]
fn old_runs_go_with_all_their_rows() {
    let home = Home::new();
    let coordinator = home.open();
    let folders: Vec<PathBuf> = ["one", "two", "three"].map(|name| home.folder(name)).into();
    for folder in &folders {
        ran(&coordinator, folder.file_name().unwrap().to_str().unwrap(), folder, &["a.png"]);
    }
    let cleared = coordinator.gc(keep(1)).unwrap();
    assert_eq!(cleared.runs, ["two", "one"]);
    assert_eq!(cleared.folders, [folders[0].clone(), folders[1].clone()]);
    assert!(cleared.still_needed.is_empty());
    for (table, left) in [("task", 1), ("run", 1), ("result", 1), ("metric", 13), ("journal", 5)] {
        assert_eq!(rows(&home, table), left, "{table}");
    }
    // Named again until it is told that they are gone.
    assert_eq!(coordinator.gc(keep(1)).unwrap().folders.len(), 2);
    folders[..2].iter().for_each(|folder| coordinator.folder_is_gone(folder).unwrap());
    assert!(coordinator.gc(keep(1)).unwrap().folders.is_empty());
}

#[test]
fn a_run_is_kept_while_its_number_or_its_age_says_so() {
    let home = Home::new();
    let coordinator = home.open();
    let old = ran(&coordinator, "old", &home.folder("old"), &[]);
    ran(&coordinator, "new", &home.folder("new"), &[]);
    let sql = rusqlite::Connection::open(home.file()).unwrap();
    sql.execute("UPDATE run SET started_at = 1 WHERE task = ?1", [old.0]).unwrap();
    assert!(coordinator.gc(Retention::default()).unwrap().runs.is_empty());
    assert!(coordinator.gc(Retention { keep_runs: Some(2), keep_days: Some(1) }).unwrap().runs.is_empty());
    assert_eq!(coordinator.gc(Retention { keep_runs: Some(0), keep_days: Some(1) }).unwrap().runs, ["old"]);
}

#[test]
fn a_run_that_can_go_on_is_never_old() {
    let home = Home::new();
    let coordinator = home.open();
    begin(&coordinator, "running", &home.folder("running"), me());
    let paused = begin(&coordinator, "paused", &home.folder("paused"), me());
    coordinator.handle(TaskMessage::PauseTask { task: paused, reason: String::new() }).unwrap();
    assert!(coordinator.gc(keep(0)).unwrap().runs.is_empty());
}

#[test]
fn a_folder_that_two_runs_share_stays_with_the_last_of_them() {
    let home = Home::new();
    let coordinator = home.open();
    let shared = home.folder("results");
    std::os::unix::fs::symlink(&shared, home.path.join("latest")).unwrap();
    ran(&coordinator, "one", &shared, &["a.png"]);
    ran(&coordinator, "two", &home.path.join("latest/../latest"), &["a.png"]);
    let cleared = coordinator.gc(keep(1)).unwrap();
    assert_eq!((cleared.runs, cleared.folders), (vec!["one".to_string()], vec![]));
    assert_eq!(cleared.still_needed, std::slice::from_ref(&shared));
    let cleared = coordinator.gc(keep(0)).unwrap();
    assert!(cleared.folders.contains(&shared) && cleared.still_needed.is_empty(), "{cleared:?}");
}

#[test]
fn a_folder_around_or_within_one_that_is_kept_stays() {
    let home = Home::new();
    let coordinator = home.open();
    ran(&coordinator, "around", &home.folder("results"), &[]);
    ran(&coordinator, "within", &home.folder("results/two/within"), &[]);
    ran(&coordinator, "kept", &home.folder("results/two"), &[]);
    let cleared = coordinator.gc(keep(1)).unwrap();
    assert_eq!((cleared.runs.len(), cleared.folders.len(), cleared.still_needed.len()), (2, 0, 2));
}

#[test]
fn a_picture_that_a_kept_run_names_keeps_the_folder_it_lies_in() {
    let home = Home::new();
    let coordinator = home.open();
    let old = home.folder("old");
    ran(&coordinator, "old", &old, &["screenshots/a.png"]);
    ran(&coordinator, "kept", &home.folder("kept"), &["../old/screenshots/a.png"]);
    let cleared = coordinator.gc(keep(1)).unwrap();
    assert_eq!((cleared.folders.len(), cleared.still_needed), (0, vec![old.clone()]));
    // When the other run goes as well, nobody has forgotten the folder.
    assert!(coordinator.gc(keep(0)).unwrap().folders.contains(&old));
}

#[test]
fn the_folder_that_the_state_lies_in_is_never_named() {
    let home = Home::new();
    let coordinator = home.open();
    ran(&coordinator, "careless", &home.path, &[]);
    ran(&coordinator, "tidy", &home.folder(".assay/results/tidy"), &[]);
    let cleared = coordinator.gc(keep(0)).unwrap();
    assert_eq!(cleared.folders, [home.path.join(".assay/results/tidy")]);
    assert_eq!(cleared.still_needed, std::slice::from_ref(&home.path));
}

#[test]
fn goals_grow_old_as_runs_do() {
    let home = Home::new();
    let coordinator = home.open();
    let done = start(&coordinator, "done");
    start(&coordinator, "under way");
    let finished = coordinator.finish_task(done).unwrap();
    assert_eq!(finished.status, TaskStatus::Finished);
    coordinator.gc(keep(0)).unwrap();
    assert_eq!(rows(&home, "task"), 1);
}

#[test]
fn what_is_cleared_away_gives_its_room_back() {
    let home = Home::new();
    let coordinator = home.open();
    let task = begin(&coordinator, "large", &home.folder("large"), me());
    record_all(&coordinator, task, (0..2000).map(|step| command("login", step, "click e1")));
    record_all(&coordinator, task, [run_finished(false)]);
    coordinator.gc(Retention::default()).unwrap();
    let pages = || -> i64 {
        let sql = rusqlite::Connection::open(home.file()).unwrap();
        sql.pragma_query_value(None, "page_count", |row| row.get(0)).unwrap()
    };
    let before = pages();
    coordinator.gc(keep(0)).unwrap();
    assert!(pages() < before / 2, "{} of {before} pages", pages());
}

#[test]
fn numbers_of_events_are_not_given_a_second_time() {
    let home = Home::new();
    let coordinator = home.open();
    ran(&coordinator, "one", &home.folder("one"), &[]);
    let last = coordinator.events_after(0, 100).unwrap().last().unwrap().number;
    coordinator.gc(keep(0)).unwrap();
    let two = ran(&coordinator, "two", &home.folder("two"), &[]);
    assert!(coordinator.events_after(last, 100).unwrap().iter().all(|event| event.number > last));
    assert_eq!(two, TaskId(2));
}
