//! Killed at any moment: what was recorded is there, and nothing else.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::path::Path;
use std::time::Duration;

use assay_coordinator::Coordinator;
use assay_protocol::{RunFact, TaskId, Verdict};

use crate::child::{Actor, say};
use crate::context::*;

const KILLS: usize = 50;

#[test]
fn a_process_that_is_killed_loses_nothing_that_it_recorded() {
    let home = Home::new();
    let mut most = 0;
    for _ in 0..KILLS {
        let mut actor = Actor::start("record", &home.state());
        let task = TaskId(actor.hear().unwrap().parse().unwrap());
        std::thread::sleep(Duration::from_micros(RandomState::new().build_hasher().finish() % 60_000));
        actor.child.kill().unwrap();
        let (mut begun, mut done) = (0, 0);
        while let Some(said) = actor.hear() {
            let (word, number) = said.split_once(' ').unwrap();
            let place = if word == "begin" { &mut begun } else { &mut done };
            *place = number.parse::<usize>().unwrap();
        }
        actor.child.wait().unwrap();

        let coordinator = home.open();
        coordinator.verify().unwrap();
        let events = coordinator.events_of(task).unwrap();
        // The word "begin" may itself have been cut off, after the event and before its end was told.
        assert!((done..=begun).contains(&events.len()), "{done} {} {begun}", events.len());
        for (number, event) in events.iter().enumerate() {
            assert_eq!(event.at, number as u64 + 1);
            assert_eq!(event.what, fact(number + 1));
        }
        let whole_tests =
            events.iter().filter(|event| matches!(event.what, RunFact::TestFinished { .. })).count();
        let results = coordinator.results_since(0).unwrap();
        assert_eq!(results.iter().filter(|result| result.task == task).count(), whole_tests);
        let paused = coordinator.pause_orphans().unwrap();
        assert_eq!(paused.iter().map(|task| task.id).collect::<Vec<_>>(), [task]);
        most = most.max(events.len());
    }
    assert!(most > 0, "no process recorded anything before it was killed");
}

/// A test every six events, so that results are written as well.
fn fact(number: usize) -> RunFact {
    let test = format!("test_{}", number / 6);
    match number % 6 {
        0 => test_started(&test, 1),
        1 => step_started(&test, 1, "Click Log in"),
        2 => command_started(&test, 1, "click e1", true),
        3 => command(&test, 1, "click e1"),
        4 => step_finished(&test, 1, Verdict::Passed),
        _ => test_finished(&test, 1, Verdict::Passed, false),
    }
}

/// The part of a process that records until it is killed.
pub fn record_until_killed(folder: &Path) {
    let coordinator = Coordinator::open(folder).unwrap();
    let task = begin(&coordinator, "killed", folder, me());
    say(&task.to_string());
    for number in 1.. {
        say(&format!("begin {number}"));
        coordinator.record(task, &at(number as u64, fact(number))).unwrap();
        say(&format!("done {number}"));
    }
}
