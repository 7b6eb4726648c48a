//! A daemon that is killed takes its browser with it, whatever the engine.

use std::time::{Duration, Instant};

use crate::engines::{Session, Window};

#[test]
fn chromium_leaves_nothing_when_the_daemon_is_killed() {
    check("chromium");
}

#[test]
fn firefox_leaves_nothing_when_the_daemon_is_killed() {
    check("firefox");
}

#[test]
fn webkit_leaves_nothing_when_the_daemon_is_killed() {
    check("webkit");
}

fn check(engine: &'static str) {
    let session = Session::start(engine, Window::None);
    for round in 1..=3 {
        session.ok(&["go", &session.context.url("/frames")]);
        let status = session.ok(&["daemon", "status", "--json"]);
        let status: serde_json::Value = serde_json::from_str(&status).unwrap();
        let daemon = status["data"]["pid"].as_i64().unwrap();
        let before = processes_of(&session);
        assert!(before.len() >= 2, "{engine}: a daemon and a browser should run: {before:?}");
        let killed = std::process::Command::new("kill").args(["-9", &daemon.to_string()]).status().unwrap();
        assert!(killed.success());
        let left = left_after(&session, Duration::from_secs(5));
        assert!(left.is_empty(), "{engine}, round {round}: still there after 5 s: {left:#?}");
        let profiles = profiles_of(daemon);
        assert!(profiles.is_empty(), "{engine}, round {round}: {profiles:?}");
    }
}

fn left_after(session: &Session, patience: Duration) -> Vec<String> {
    let until = Instant::now() + patience;
    loop {
        let left = processes_of(session);
        if left.is_empty() || Instant::now() > until {
            return left;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// `PID COMMAND` of everything that was started for this session: its environment or its command line names
/// the session's folder, or the profile of a daemon of that folder.
fn processes_of(session: &Session) -> Vec<String> {
    let folder = session.context.folder().display().to_string();
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let name = entry.file_name().to_string_lossy().to_string();
        if name.parse::<u32>().is_err() || name == std::process::id().to_string() {
            continue;
        }
        let read = |what: &str| {
            let bytes = std::fs::read(entry.path().join(what)).unwrap_or_default();
            String::from_utf8_lossy(&bytes).replace('\0', " ")
        };
        let is_zombie =
            read("stat").rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('Z'));
        let line = read("cmdline");
        if !is_zombie && (line.contains(&folder) || read("environ").contains(&folder)) {
            found.push(format!("{name} {line}"));
        }
    }
    found
}

/// Folders that the browser of this daemon left in memory.
fn profiles_of(daemon: i64) -> Vec<String> {
    let mark = format!("assay-profile-default-{daemon}-");
    let entries = std::fs::read_dir("/dev/shm").into_iter().flatten().flatten();
    entries
        .map(|entry| entry.file_name().to_string_lossy().to_string())
        .filter(|name| name.starts_with(&mark))
        .collect()
}
