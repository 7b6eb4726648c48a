//! Killed at any moment: what was recorded is there, and nothing else.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::path::Path;
use std::sync::Barrier;
use std::time::Duration;

use assay_coordinator::Coordinator;
use assay_protocol::{RunFact, TaskId, Verdict};

use crate::child_process::{Actor, say};
use crate::context::*;

const KILLS: usize = 50;

#[test]
fn a_process_that_is_killed_loses_nothing_that_it_recorded() {
    let home = Home::new();
    for _ in 0..KILLS {
        let mut actor = Actor::start("record", &home.state());
        let task = TaskId(actor.hear().unwrap().parse().unwrap());
        // After a random number of events, and then at a random moment of one of the next.
        let (chance, mut begun, mut done) = (random(), 0, 0);
        let mut heard = 0;
        while let Some(said) = actor.hear() {
            let (word, number) = said.split_once(' ').unwrap();
            let place = if word == "begin" { &mut begun } else { &mut done };
            *place = number.parse::<usize>().unwrap();
            heard += 1;
            if heard == 1 + chance % 90 {
                std::thread::sleep(Duration::from_micros(chance / 90 % 2_000));
                actor.child.kill().unwrap();
            }
        }
        actor.child.wait().unwrap();

        let coordinator = home.open();
        coordinator.verify().unwrap();
        let events = coordinator.events_of(task).unwrap();
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
    }
}

pub fn random() -> u64 {
    RandomState::new().build_hasher().finish()
}

#[test]
fn a_process_that_is_killed_while_it_makes_the_file_leaves_one_that_opens() {
    for _ in 0..20 {
        let home = Home::new();
        let mut actor = Actor::start("record", &home.state());
        std::thread::sleep(Duration::from_micros(random() % 20_000));
        actor.child.kill().unwrap();
        actor.child.wait().unwrap();
        let coordinator = home.open();
        coordinator.verify().unwrap();
        assert!(coordinator.runs().unwrap().len() <= 1);
    }
}

#[test]
fn many_that_make_the_file_at_once_make_one() {
    for _ in 0..20 {
        let home = Home::new();
        let barrier = Barrier::new(8);
        std::thread::scope(|scope| {
            for number in 0..8 {
                let (home, barrier) = (&home, &barrier);
                scope.spawn(move || {
                    barrier.wait();
                    begin(&home.open(), &format!("r{number}"), &home.path, me());
                });
            }
        });
        assert_eq!(home.open().runs().unwrap().len(), 8);
    }
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
