use std::path::Path;

use assay_protocol::{ActOutcome, Verdict};
use serde_json::Value;

use super::*;
use crate::sample::Story;
use crate::turns::canvas::Canvas;

fn turn(number: usize) -> RunFact {
    let act = TurnAct { label: "click \"Save\"".into(), outcome: ActOutcome::Done, ..TurnAct::default() };
    let turn = PilotTurn {
        turn: number,
        pilot: "model".into(),
        acts: vec![act],
        picture: Some("screenshots/1.png".into()),
        ..PilotTurn::default()
    };
    RunFact::TurnEnded { test: "login".into(), step: 1, turn: Box::new(turn) }
}

fn call(id: &str) -> RunFact {
    let call = ModelCall { answer_id: Some(id.into()), decided: "act".into(), ..ModelCall::default() };
    RunFact::ModelCalled { test: "login".into(), step: 1, call: Box::new(call) }
}

fn two_turns() -> Vec<RunEvent> {
    let story = Story::of(&["login"]).start("login", 1).step("login", 1, "Save it");
    story.and(call("msg_1")).and(turn(1)).and(call("msg_2")).and(turn(2)).events()
}

fn folder() -> tempdir::Folder {
    let folder = tempdir::Folder::new();
    fs::create_dir_all(folder.path().join("screenshots")).unwrap();
    fs::write(folder.path().join("screenshots/1.png"), Canvas::blank(300, 200).to_png().unwrap()).unwrap();
    folder
}

/// A folder that goes with the test.
mod tempdir {
    use std::path::{Path, PathBuf};
    use std::sync::atomic::{AtomicUsize, Ordering};

    static NEXT: AtomicUsize = AtomicUsize::new(0);

    pub struct Folder(PathBuf);

    impl Folder {
        pub fn new() -> Folder {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let path = std::env::temp_dir().join(format!("assay-turns-{}-{number}", std::process::id()));
            std::fs::create_dir_all(&path).unwrap();
            Folder(path)
        }

        pub fn path(&self) -> &Path {
            &self.0
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _left_lying = std::fs::remove_dir_all(&self.0);
        }
    }
}

fn lines(folder: &Path) -> Vec<Value> {
    let text = fs::read_to_string(folder.join("debug_screenshots/r1/turns.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_turn_is_a_line_with_its_call_and_a_marked_picture() {
    let folder = folder();
    let mut log = TurnLog::new(folder.path().to_owned());
    let events = two_turns();
    for event in &events[..5] {
        log.event(event);
    }
    assert_eq!(lines(folder.path()).len(), 1, "the line is there as soon as the turn has ended");
    events[5..].iter().for_each(|event| log.event(event));
    assert!(log.problems().is_empty(), "{:?}", log.problems());
    let lines = lines(folder.path());
    assert_eq!(lines[1]["response_id"], "msg_2");
    assert_eq!((&lines[1]["version"], &lines[1]["sentence"]), (&1.into(), &"Save it".into()));
    let picture = lines[1]["picture"].as_str().unwrap();
    assert_eq!(picture, "debug_screenshots/r1/login.step-1/turn_2.png");
    let painted = Canvas::from_png(&fs::read(folder.path().join(picture)).unwrap()).unwrap();
    assert_eq!((painted.width, painted.height), (300, 200));
}

#[test]
fn a_run_that_goes_on_keeps_its_lines_and_mends_the_last() {
    let folder = folder();
    let file = folder.path().join("debug_screenshots/r1/turns.jsonl");
    let events = two_turns();
    let mut log = TurnLog::new(folder.path().to_owned());
    events[..5].iter().for_each(|event| log.event(event));
    let torn = fs::read_to_string(&file).unwrap() + "{\"version\":1,\"ru";
    fs::write(&file, torn).unwrap();

    let mut log = TurnLog::new(folder.path().to_owned());
    log.recall(&events[..5]);
    events[5..].iter().for_each(|event| log.event(event));
    assert_eq!(lines(folder.path()).len(), 2);
}

#[test]
fn what_cannot_be_written_is_told_and_the_line_is_there_all_the_same() {
    let folder = folder();
    fs::write(folder.path().join("screenshots/1.png"), "no picture").unwrap();
    let mut log = TurnLog::new(folder.path().to_owned());
    two_turns().iter().for_each(|event| log.event(event));
    assert_eq!(log.problems().len(), 2);
    assert!(log.problems()[0].to_string().starts_with("cannot mark the picture"));
    assert_eq!(lines(folder.path()).len(), 2);
    let ended = Story::of(&["login"]).end("login", Verdict::Passed, "", 1).finish();
    ended.iter().for_each(|event| log.event(event));
}
