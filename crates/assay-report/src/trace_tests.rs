use std::path::PathBuf;

use assay_protocol::{CommandRecord, FailedRequest, MarkedPicture, RunFact, TargetMark, Verdict};
use serde_json::Value;

use super::*;
use crate::sample::{Story, every_ending, failed_login};

/// A PNG of one pixel, as far as its size is concerned.
const PIXEL: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x05\0\0\0\x02\xd0\x08\x06\0\0\0";

struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("assay-report-trace-{name}-{}", std::process::id()));
        std::fs::create_dir_all(path.join("run/shots")).unwrap();
        std::fs::write(path.join("run/shots/1.png"), PIXEL).unwrap();
        Place(path)
    }

    /// The entries of the trace by name. The archive is read by its own directory,
    /// as every reader does.
    fn entries(&self, events: &[assay_protocol::RunEvent]) -> Vec<(String, Vec<u8>)> {
        let path = self.0.join("trace.zip");
        write_trace(&Summary::of(events), &self.0.join("run"), &path).unwrap();
        let bytes = std::fs::read(&path).unwrap();
        let two = |at: usize| usize::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]));
        let four = |at: usize| two(at) | two(at + 2) << 16;
        let end = bytes.len() - 22;
        let mut at = four(end + 16);
        let mut entries = Vec::new();
        for _ in 0..two(end + 10) {
            let (size, name_size, start) = (four(at + 24), two(at + 28), four(at + 42));
            let name = String::from_utf8(bytes[at + 46..at + 46 + name_size].to_vec()).unwrap();
            assert_eq!(&bytes[start + 30..start + 30 + name_size], name.as_bytes());
            let content = start + 30 + name_size;
            entries.push((name, bytes[content..content + size].to_vec()));
            at += 46 + name_size;
        }
        assert_eq!(at, end);
        entries
    }

    fn lines(&self, events: &[assay_protocol::RunEvent], name: &str) -> Vec<Value> {
        let entries = self.entries(events);
        let (_, bytes) = entries.iter().find(|(own, _)| own == name).unwrap();
        std::str::from_utf8(bytes).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn of_type<'a>(lines: &'a [Value], kind: &str) -> Vec<&'a Value> {
    lines.iter().filter(|line| line["type"] == kind).collect()
}

#[test]
fn a_test_is_an_action_with_its_steps_and_their_commands_within() {
    let place = Place::new("nested");
    let lines = place.lines(&failed_login(), "trace.trace");
    assert_eq!((&lines[0]["type"], &lines[0]["version"]), (&"context-options".into(), &8.into()));
    let told: Vec<String> = of_type(&lines, "before")
        .iter()
        .map(|line| format!("{} {} {}", line["callId"], line["parentId"], line["title"]).replace('"', ""))
        .collect();
    assert_eq!(
        told,
        [
            "call@1 null login expired account",
            "call@2 call@1 Click the login button",
            "call@3 call@2 click e5",
            "call@4 call@1 Verify the message \\Account expired\\",
        ]
    );
    let errors: Vec<&Value> =
        of_type(&lines, "after").into_iter().filter(|it| it.get("error").is_some()).collect();
    assert_eq!(errors.len(), 2);
    assert_eq!(errors[0]["error"]["message"], crate::sample::EXPIRED);
    assert_eq!(of_type(&lines, "before").len(), of_type(&lines, "after").len());
}

#[test]
fn pictures_that_are_there_are_frames_and_the_others_are_left_out() {
    let place = Place::new("frames");
    let names: Vec<String> = place.entries(&failed_login()).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["resources/picture-0001.png", "trace.trace", "trace.network"]);
    let lines = place.lines(&failed_login(), "trace.trace");
    let frames = of_type(&lines, "screencast-frame");
    assert_eq!(frames.len(), 1);
    assert_eq!((&frames[0]["width"], &frames[0]["height"]), (&1280.into(), &720.into()));
    let evil =
        RunFact::Screenshot { test: "a".into(), step: 1, path: "../../etc/passwd".into(), after: None };
    let events = Story::of(&["a"]).start("a", 1).step("a", 1, "Look").and(evil).cut_off();
    assert_eq!(place.entries(&events).len(), 2);
}

#[test]
fn failed_requests_and_console_errors_have_their_moment() {
    let place = Place::new("network");
    let record = CommandRecord {
        command: "click e5".into(),
        ok: true,
        duration_ms: 30,
        failed_requests: vec![FailedRequest {
            method: "POST".into(),
            url: "http://a/b".into(),
            why: "500".into(),
        }],
        console_errors: vec!["boom".into()],
        ..CommandRecord::default()
    };
    let events = Story::of(&["a"])
        .start("a", 1)
        .step("a", 1, "Click")
        .and(RunFact::Command { test: "a".into(), step: 1, record: Box::new(record) })
        .end("a", Verdict::Failed, "why", 500)
        .finish();
    let network = place.lines(&events, "trace.network");
    assert_eq!(network[0]["snapshot"]["response"]["status"], 500);
    assert_eq!(network[0]["snapshot"]["_monotonicTime"], 100);
    let lines = place.lines(&events, "trace.trace");
    assert_eq!(
        (&of_type(&lines, "console")[0]["text"], &of_type(&lines, "console")[0]["time"]),
        (&"boom".into(), &130.into())
    );
}

#[test]
fn every_ending_makes_a_trace() {
    let place = Place::new("endings");
    let lines = place.lines(&every_ending(), "trace.trace");
    assert_eq!(of_type(&lines, "before").len(), of_type(&lines, "after").len());
    let told: Vec<&str> = of_type(&lines, "before").iter().filter_map(|it| it["title"].as_str()).collect();
    assert!(told.contains(&"flaky (attempt 2)") && told.contains(&"cut off"), "{told:?}");
}

#[test]
fn an_act_has_its_pictures_and_a_box_around_its_target() {
    let place = Place::new("shots");
    std::fs::write(place.0.join("run/shots/2.png"), PIXEL).unwrap();
    let target = TargetMark {
        x: 10,
        y: 20,
        width: 100,
        height: 40,
        at_x: Some(60),
        at_y: Some(40),
        view_width: 640,
        view_height: 360,
        on: MarkedPicture::Before,
    };
    let record = CommandRecord {
        command: "click e5".into(),
        ok: true,
        target: Some(target),
        before: Some("shots/1.png".into()),
        ..CommandRecord::default()
    };
    let shot =
        |path: &str, after| RunFact::Screenshot { test: "a".into(), step: 1, path: path.into(), after };
    let events = Story::of(&["a"])
        .start("a", 1)
        .step("a", 1, "Click")
        .and(shot("shots/1.png", None))
        .and(RunFact::Command { test: "a".into(), step: 1, record: Box::new(record) })
        .and(shot("shots/2.png", Some(1)))
        .cut_off();
    let lines = place.lines(&events, "trace.trace");
    let told: Vec<String> = of_type(&lines, "screenshot")
        .iter()
        .map(|line| format!("{} {}", line["phase"], line["file"]).replace('"', ""))
        .collect();
    assert_eq!(
        told,
        [
            "before resources/picture-0001.png",
            "action resources/picture-0001.png",
            "after resources/picture-0002.png"
        ]
    );
    // The picture has twice the pixels of the page.
    let aim = of_type(&lines, "input")[0];
    assert_eq!(aim["box"], serde_json::json!({ "x": 20.0, "y": 40.0, "width": 200.0, "height": 80.0 }));
    assert_eq!(aim["point"], serde_json::json!({ "x": 120.0, "y": 80.0 }));
}
