//! Control of devices: one owner at a time, a queue by priority, and nothing left of the dead.

use std::io::BufRead;
use std::path::Path;
use std::time::Duration;

use assay_coordinator::{ControlWish, Controlled, Coordinator};
use assay_protocol::LockPriority;

use crate::child_process::{Actor, say};
use crate::context::{Home, me, the_dead};

fn wish(owner: &str) -> ControlWish {
    ControlWish {
        device: "chromium".to_string(),
        owner: owner.to_string(),
        purpose: String::new(),
        priority: LockPriority::Normal,
        period: Duration::from_secs(600),
        process: None,
    }
}

#[track_caller]
fn take(coordinator: &Coordinator, wish: &ControlWish) {
    assert!(matches!(coordinator.take_control(wish).unwrap(), Controlled::Taken(_)), "{}", wish.owner);
}

#[track_caller]
fn refused(coordinator: &Coordinator, wish: &ControlWish) -> (Option<String>, usize) {
    match coordinator.take_control(wish).unwrap() {
        Controlled::Taken(lock) => panic!("{lock:?}"),
        Controlled::Refused { holder, ahead } => (holder.map(|lock| lock.owner), ahead),
    }
}

#[test]
fn one_owner_at_a_time_drives_a_device() {
    let home = Home::new();
    let (one, other) = (home.open(), home.open());
    take(&one, &wish("ada"));
    assert_eq!(refused(&other, &wish("ben")), (Some("ada".to_string()), 1));
    assert_eq!(other.who_keeps_from(&["chromium", "firefox"], "ben").unwrap().unwrap().owner, "ada");
    assert!(one.who_keeps_from(&["chromium"], "ada").unwrap().is_none());
    assert!(other.release_control("chromium", "ben", false).unwrap().is_none());
    assert_eq!(other.release_control("chromium", "ben", true).unwrap().unwrap().owner, "ada");
    take(&other, &wish("ben"));
}

#[test]
fn control_ends_a_while_after_the_last_act() {
    let home = Home::new();
    let coordinator = home.open();
    let short = ControlWish { period: Duration::from_millis(300), ..wish("ada") };
    take(&coordinator, &short);
    for _ in 0..6 {
        std::thread::sleep(Duration::from_millis(100));
        // An act of the owner: it may lose control on a machine that stands still, and then takes it again.
        if coordinator.who_keeps_from(&["chromium"], "ada").unwrap().is_none() {
            let _renewed = coordinator.take_control(&short).unwrap();
        }
    }
    let patient = coordinator.await_control(&wish("ben"), Duration::from_secs(60), &|| false).unwrap();
    assert!(matches!(patient, Controlled::Taken(_)), "{patient:?}");
}

#[test]
fn control_of_a_process_ends_with_it() {
    let home = Home::new();
    let coordinator = home.open();
    take(&coordinator, &ControlWish { process: Some(the_dead()), ..wish("ada") });
    assert!(coordinator.who_keeps_from(&["chromium"], "ben").unwrap().is_none());
    take(&coordinator, &ControlWish { process: Some(me()), ..wish("ben") });
    assert_eq!(refused(&coordinator, &wish("ada")).0.as_deref(), Some("ben"));
}

#[test]
fn the_higher_priority_is_next_and_nobody_is_pushed_out() {
    let home = Home::new();
    let coordinator = home.open();
    take(&coordinator, &wish("ada"));
    let mut normal = Actor::start("wait for a device", &home.state());
    normal.tell("ben normal");
    assert_eq!(normal.hear().as_deref(), Some("waiting"));
    await_queue(&coordinator, &["ben"]);
    let mut high = Actor::start("wait for a device", &home.state());
    high.tell("cem high");
    assert_eq!(high.hear().as_deref(), Some("waiting"));
    await_queue(&coordinator, &["cem", "ben"]);
    assert_eq!(refused(&coordinator, &wish("dan")), (Some("ada".to_string()), 3));
    assert_eq!(coordinator.controls().unwrap()[0].lock.as_ref().unwrap().owner, "ada");
    coordinator.release_control("chromium", "ada", false).unwrap();
    assert_eq!(high.hear().as_deref(), Some("cem has it"));
    // Its process ends, and the next one follows.
    high.tell("");
    assert_eq!(normal.hear().as_deref(), Some("ben has it"));
    normal.tell("");
}

#[test]
fn a_waiter_that_died_is_out_of_the_queue() {
    let home = Home::new();
    let coordinator = home.open();
    take(&coordinator, &wish("ada"));
    let mut waiter = Actor::start("wait for a device", &home.state());
    waiter.tell("ben high");
    assert_eq!(waiter.hear().as_deref(), Some("waiting"));
    await_queue(&coordinator, &["ben"]);
    waiter.child.kill().unwrap();
    waiter.child.wait().unwrap();
    await_queue(&coordinator, &[]);
    coordinator.release_control("chromium", "ada", false).unwrap();
    take(&coordinator, &wish("cem"));
}

#[track_caller]
fn await_queue(coordinator: &Coordinator, owners: &[&str]) {
    for _ in 0..600 {
        let controls = coordinator.controls().unwrap();
        let queue = controls.iter().find(|known| known.device == "chromium").map(|known| &known.queue);
        let found: Vec<&str> = queue.into_iter().flatten().map(|waiter| waiter.owner.as_str()).collect();
        if found == owners {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("the queue is not {owners:?}: {:?}", coordinator.controls().unwrap());
}

/// The part of another process: it waits for the device under a name from its input, and exits after one more line.
pub fn wait_for_device(folder: &Path) {
    let mut lines = std::io::stdin().lock().lines();
    let line = lines.next().unwrap().unwrap();
    let (owner, priority) = line.split_once(' ').unwrap();
    let wanted =
        ControlWish { priority: LockPriority::named(priority).unwrap(), process: Some(me()), ..wish(owner) };
    say("waiting");
    let coordinator = Coordinator::open(folder).unwrap();
    match coordinator.await_control(&wanted, Duration::from_secs(120), &|| false).unwrap() {
        Controlled::Taken(lock) => say(&format!("{} has it", lock.owner)),
        Controlled::Refused { .. } => say("it did not come"),
    }
    let _told = lines.next();
}
