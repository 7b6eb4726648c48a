//! States of every earlier version: `old_states/N.sql` is what version N of the file added, word for word as assay made it
//! then. Each opens, is lifted, and has what it had; a process that is killed meanwhile leaves the old or the new one.

use std::path::Path;

use assay_coordinator::Coordinator;
use assay_protocol::{RunFact, TaskId, TaskStatus};
use rusqlite::{Connection, params};

use crate::child_process::{Actor, say};
use crate::context::*;
use crate::crash::random;

const STEPS: [&str; 9] = [
    include_str!("old_states/1.sql"),
    include_str!("old_states/2.sql"),
    include_str!("old_states/3.sql"),
    include_str!("old_states/4.sql"),
    include_str!("old_states/5.sql"),
    include_str!("old_states/6.sql"),
    include_str!("old_states/7.sql"),
    include_str!("old_states/8.sql"),
    include_str!("old_states/9.sql"),
];

/// `assy`, as in every file since the first.
const APPLICATION: i64 = 0x6173_7379;

/// As the first version wrote it.
const EVENT: &str = r#"{"at":1700000000000,"event":"note","test":"login","text":"seen in an old state"}"#;

fn checksum(task: i64, stream: &str, kind: &str, at: u64, body: &str) -> u32 {
    let mut sum = crc32fast::Hasher::new();
    for part in
        [&task.to_le_bytes()[..], stream.as_bytes(), kind.as_bytes(), &at.to_le_bytes()[..], body.as_bytes()]
    {
        sum.update(&(part.len() as u64).to_le_bytes());
        sum.update(part);
    }
    sum.finalize()
}

/// A file of this version with a run that was cut off, its journal, a result and a lock.
fn write_state(file: &Path, version: usize) {
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    let connection = Connection::open(file).unwrap();
    connection.pragma_update(None, "auto_vacuum", "INCREMENTAL").unwrap();
    connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(())).unwrap();
    for step in &STEPS[..version] {
        connection.execute_batch(step).unwrap();
    }
    connection.pragma_update(None, "application_id", APPLICATION).unwrap();
    connection.pragma_update(None, "user_version", version as i64).unwrap();
    let owner = serde_json::to_string(&the_dead()).unwrap();
    let at = 1_700_000_000_000_u64;
    connection
        .execute(
            "INSERT INTO task (kind, goal, status, created_at, updated_at, owner)
             VALUES ('run', 'run Shop', 'running', ?1, ?1, ?2)",
            params![at, owner],
        )
        .unwrap();
    connection
        .execute(
            "INSERT INTO run (task, run, suite, results, start_order, started_at)
             VALUES (1, 'run-old', 'Shop', '/nowhere', '{\"arguments\":[\"run\"]}', ?1)",
            params![at],
        )
        .unwrap();
    connection
        .execute(
            "INSERT INTO journal (task, stream, kind, at, body, checksum) VALUES (1, 'run', 'note', ?1, ?2, ?3)",
            params![at, EVENT, checksum(1, "run", "note", at, EVENT)],
        )
        .unwrap();
    connection
        .execute(
            "INSERT INTO result (task, test, test_id, name, file, browser, attempt, verdict, reason, flaky, at,
                                 duration_ms)
             VALUES (1, 'login', 'login', 'Login', 'tests/login.yaml', 'chromium', 1, 'passed', '', 0, ?1, 5)",
            params![at],
        )
        .unwrap();
    let more = if version == 1 { ("expires_at", "1700000060000") } else { ("task", "1") };
    connection
        .execute(
            &format!(
                "INSERT INTO lease (name, token, owner, taken_at, seen_at, {}) VALUES ('session:old', 1, ?1, ?2, ?2, {})",
                more.0, more.1
            ),
            params![owner, at],
        )
        .unwrap();
}

/// The tables of a file, in words that do not depend on how they came to be.
fn tables(file: &Path) -> Vec<(String, Vec<String>)> {
    let connection = Connection::open(file).unwrap();
    let mut names = connection
        .prepare(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name",
        )
        .unwrap();
    let names: Vec<String> = names.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    names
        .into_iter()
        .map(|name| {
            let mut columns = connection.prepare(&format!("PRAGMA table_info({name})")).unwrap();
            let columns = columns
                .query_map([], |row| {
                    let (column, kind): (String, String) = (row.get(1)?, row.get(2)?);
                    let (filled, key): (i64, i64) = (row.get(3)?, row.get(5)?);
                    Ok(format!("{column} {kind} {filled} {key}"))
                })
                .unwrap()
                .map(Result::unwrap)
                .collect();
            (name, columns)
        })
        .collect()
}

#[track_caller]
fn check_contents(home: &Home) {
    let coordinator = home.open();
    coordinator.verify().unwrap();
    let runs = coordinator.runs().unwrap();
    assert_eq!(runs.len(), 1);
    assert_eq!((runs[0].run.as_str(), runs[0].suite.as_str()), ("run-old", "Shop"));
    let events = coordinator.events_of(TaskId(1)).unwrap();
    assert!(matches!(&events[0].what, RunFact::Note { text, .. } if text == "seen in an old state"));
    assert_eq!(coordinator.results_since(0).unwrap().len(), 1);
    // Its owner is dead: the lock is free, and the run is paused.
    assert!(coordinator.locks().unwrap().is_empty());
    coordinator.pause_orphans().unwrap();
    assert_eq!(coordinator.runs().unwrap()[0].status, TaskStatus::Paused);
    // And what is new works on it.
    begin(&coordinator, "run-new", &home.path, me());
    assert!(coordinator.schedules().unwrap().is_empty());
    assert!(coordinator.incidents(None, 10).unwrap().is_empty());
}

#[test]
fn a_state_of_every_earlier_version_opens_with_all_that_it_has() {
    let fresh = Home::new();
    drop(fresh.open());
    for version in 1..=STEPS.len() {
        let home = Home::new();
        write_state(&home.file(), version);
        let opened = home.open();
        let lifted = (version < STEPS.len()).then_some((version as i64, STEPS.len() as i64));
        assert_eq!(opened.lifted(), lifted, "version {version}");
        drop(opened);
        assert_eq!(home.open().lifted(), None, "version {version}");
        assert_eq!(tables(&home.file()), tables(&fresh.file()), "version {version}");
        check_contents(&home);
    }
}

/// Opens the state once, and says so.
pub fn open_once(folder: &Path) {
    say("ready");
    let opened = Coordinator::open(folder).unwrap();
    say(&format!("{:?}", opened.lifted()));
}

#[test]
fn a_process_that_is_killed_while_it_lifts_a_state_leaves_one_that_opens() {
    for round in 0..40 {
        let home = Home::new();
        write_state(&home.file(), 1 + round % STEPS.len());
        let mut actor = Actor::start("open", &home.state());
        actor.hear().unwrap();
        std::thread::sleep(std::time::Duration::from_micros(random() % 12_000));
        actor.child.kill().unwrap();
        actor.child.wait().unwrap();
        check_contents(&home);
    }
}

#[test]
fn many_processes_that_find_an_old_state_lift_it_once() {
    let home = Home::new();
    write_state(&home.file(), 1);
    let mut actors: Vec<Actor> = (0..4).map(|_| Actor::start("open", &home.state())).collect();
    let said: Vec<String> = actors
        .iter_mut()
        .map(|actor| {
            actor.hear().unwrap();
            actor.hear().unwrap()
        })
        .collect();
    assert_eq!(said.iter().filter(|said| said.as_str() != "None").count(), 1, "{said:?}");
    check_contents(&home);
}
