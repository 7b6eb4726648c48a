//! The bus from outside: published once, delivered at least once, in order of priority, even if a process dies.

use std::path::Path;
use std::time::Duration;

use assay_coordinator::{
    Coordinator, EventError, LEASE, NewEvent, Retention, StateError, Subscription, Trigger,
};
use assay_protocol::{CommandRecord, ErrorCode, EventPriority, RunFact, Verdict};
use serde_json::json;

use crate::child_process::{Actor, say};
use crate::context::*;

fn event(event_type: &str, device: &str) -> NewEvent {
    NewEvent {
        event_type: event_type.to_string(),
        device: device.to_string(),
        priority: None,
        key: None,
        payload: json!({}),
    }
}

fn subscribe(coordinator: &Coordinator, name: &str, events: &[&str]) {
    let trigger = |event: &&str| Trigger { event: (*event).to_string(), priority: None };
    let subscription =
        Subscription { name: name.to_string(), triggers: events.iter().map(trigger).collect() };
    coordinator.subscribe(&subscription).unwrap();
}

/// The numbers of all events that a subscriber gets, each acknowledged.
fn all(coordinator: &Coordinator, name: &str) -> Vec<u64> {
    let mut taken = Vec::new();
    while let Some(delivery) = coordinator.take_event(name, &me(), LEASE, None).unwrap() {
        coordinator.acknowledge(&delivery).unwrap();
        taken.push(delivery.event.number);
    }
    taken
}

#[test]
fn events_are_delivered_by_priority_and_then_by_age() {
    let home = Home::new();
    let (publisher, subscriber) = (home.open(), home.open());
    let normal = publisher.publish(&event("schedule.health_check", "")).unwrap().number;
    let critical = publisher.publish(&event("alert.anr", "chromium")).unwrap().number;
    let high = publisher.publish(&event("webhook.ci_failure", "")).unwrap().number;
    let later = publisher.publish(&event("alert.app_crash", "chromium")).unwrap().number;
    let unwanted = publisher.publish(&event("my_team.lunch", "")).unwrap().number;
    subscribe(&subscriber, "guardian", &["alert.*", "webhook.ci_failure", "schedule.health_check"]);
    assert_eq!(all(&subscriber, "guardian"), [critical, later, high, normal]);
    // Another subscriber has its own deliveries, and its own opinion of what is urgent.
    let lunch = Trigger { event: "my_team.lunch".to_string(), priority: Some(EventPriority::Critical) };
    let health = Trigger { event: "schedule.health_check".to_string(), priority: None };
    let other = Subscription { name: "cook".to_string(), triggers: vec![health, lunch] };
    subscriber.subscribe(&other).unwrap();
    assert_eq!(all(&subscriber, "cook"), [unwanted, normal]);
    assert!(all(&subscriber, "guardian").is_empty());
}

#[test]
fn two_events_with_one_key_are_one() {
    let home = Home::new();
    let coordinator = home.open();
    let keyed = NewEvent { key: Some("build 7".to_string()), ..event("webhook.ci_failure", "") };
    let first = coordinator.publish(&keyed).unwrap();
    let second = home.open().publish(&keyed).unwrap();
    assert_eq!((first.number, first.is_duplicate), (second.number, false));
    assert!(second.is_duplicate);
    assert_eq!(coordinator.bus_events(None, None, 10).unwrap().len(), 1);
}

#[test]
fn what_is_no_event_is_refused() {
    let home = Home::new();
    let coordinator = home.open();
    #[track_caller]
    fn refusal(coordinator: &Coordinator, event: &NewEvent) -> EventError {
        match coordinator.publish(event) {
            Err(StateError::Event(error)) => error,
            other => panic!("{other:?}"),
        }
    }
    assert!(matches!(refusal(&coordinator, &event("crash", "")), EventError::Type { .. }));
    let list = NewEvent { payload: json!([]), ..event("alert.anr", "") };
    assert!(matches!(refusal(&coordinator, &list), EventError::NoObject { .. }));
    let large = NewEvent { payload: json!({ "x": "y".repeat(70_000) }), ..event("alert.anr", "") };
    assert!(matches!(refusal(&coordinator, &large), EventError::TooLarge { .. }));
    let nameless = NewEvent { key: Some(String::new()), ..event("alert.anr", "") };
    assert!(matches!(refusal(&coordinator, &nameless), EventError::Name { what: "key" }));
    assert_eq!(coordinator.bus_events(None, None, 10).unwrap().len(), 0);
    let unknown = coordinator.take_event("nobody", &me(), LEASE, None);
    assert!(matches!(unknown, Err(StateError::NotFound { .. })));
    let pattern = Subscription {
        name: "a".to_string(),
        triggers: vec![Trigger { event: "*".to_string(), priority: None }],
    };
    assert!(matches!(coordinator.subscribe(&pattern), Err(StateError::Event(EventError::Pattern { .. }))));
}

#[test]
fn an_event_is_with_one_process_at_a_time_and_comes_back_until_it_is_acknowledged() {
    let home = Home::new();
    let (one, other) = (home.open(), home.open());
    let number = one.publish(&event("alert.anr", "chromium")).unwrap().number;
    subscribe(&one, "guardian", &["alert.*"]);
    let first = one.take_event("guardian", &me(), LEASE, None).unwrap().unwrap();
    assert_eq!((first.event.number, first.attempt), (number, 1));
    assert!(other.take_event("guardian", &me(), LEASE, None).unwrap().is_none(), "somebody has it");
    one.renew_delivery(&first).unwrap();
    one.give_back(&first).unwrap();
    let second = other.take_event("guardian", &me(), LEASE, None).unwrap().unwrap();
    assert_eq!((second.event.number, second.attempt), (number, 2));
    // The first has lost it, whatever it thinks.
    assert!(matches!(one.acknowledge(&first), Err(StateError::DeliveryLost { .. })));
    assert!(matches!(one.renew_delivery(&first), Err(StateError::DeliveryLost { .. })));
    other.acknowledge(&second).unwrap();
    assert!(one.take_event("guardian", &me(), LEASE, None).unwrap().is_none());
}

#[test]
fn a_lease_without_a_sign_ends() {
    let home = Home::new();
    let coordinator = home.open();
    coordinator.publish(&event("alert.anr", "chromium")).unwrap();
    subscribe(&coordinator, "guardian", &["alert.*"]);
    let short = Duration::from_millis(1);
    assert_eq!(coordinator.take_event("guardian", &me(), short, None).unwrap().unwrap().attempt, 1);
    std::thread::sleep(Duration::from_millis(20));
    assert_eq!(coordinator.take_event("guardian", &me(), LEASE, None).unwrap().unwrap().attempt, 2);
}

#[test]
fn an_event_of_a_dead_process_is_delivered_again_at_once() {
    let home = Home::new();
    let coordinator = home.open();
    coordinator.publish(&event("alert.anr", "chromium")).unwrap();
    subscribe(&coordinator, "guardian", &["alert.*"]);
    assert_eq!(coordinator.take_event("guardian", &the_dead(), LEASE, None).unwrap().unwrap().attempt, 1);
    assert_eq!(coordinator.take_event("guardian", &me(), LEASE, None).unwrap().unwrap().attempt, 2);
}

#[test]
fn an_event_that_outlives_five_processes_is_given_up_and_says_so() {
    let home = Home::new();
    let coordinator = home.open();
    coordinator.publish(&event("alert.anr", "chromium")).unwrap();
    let next = coordinator.publish(&event("alert.app_crash", "chromium")).unwrap().number;
    subscribe(&coordinator, "guardian", &["alert.*"]);
    for attempt in 1..=5 {
        assert_eq!(
            coordinator.take_event("guardian", &the_dead(), LEASE, None).unwrap().unwrap().attempt,
            attempt
        );
    }
    // It does not keep the others from being handled.
    assert_eq!(coordinator.take_event("guardian", &me(), LEASE, None).unwrap().unwrap().event.number, next);
    let listed = coordinator.bus_events(Some("alert.anr"), None, 1).unwrap().remove(0);
    assert!(listed.deliveries[0].trouble.as_ref().unwrap().contains("5 processes"));
}

/// The part of a process that takes events and is killed before or after it acknowledges them.
pub fn handle_until_killed(folder: &Path) {
    let coordinator = Coordinator::open(folder).unwrap();
    let owner = me();
    while let Some(delivery) = coordinator.take_event("guardian", &owner, LEASE, None).unwrap() {
        say(&format!("took {}", delivery.event.number));
        coordinator.acknowledge(&delivery).unwrap();
        say(&format!("done {}", delivery.event.number));
    }
}

#[test]
fn a_subscriber_that_is_killed_between_taking_and_acknowledging_loses_no_event() {
    let home = Home::new();
    let coordinator = home.open();
    subscribe(&coordinator, "guardian", &["alert.*"]);
    let published: Vec<u64> =
        (0..60).map(|_| coordinator.publish(&event("alert.anr", "chromium")).unwrap().number).collect();
    let mut done = Vec::new();
    for life in 0.. {
        let mut actor = Actor::start("handle events", &home.state());
        let mut heard = 0;
        while let Some(said) = actor.hear() {
            let (word, number) = said.split_once(' ').unwrap();
            if word == "done" {
                done.push(number.parse::<u64>().unwrap());
            }
            heard += 1;
            // Just after it took one, or just after it was done with one.
            if heard == 7 + life % 2 {
                actor.child.kill().unwrap();
            }
        }
        if heard == 0 {
            break;
        }
    }
    // Acknowledged unheard, at most: what it said last may be lost with it. Nothing is open.
    assert!(coordinator.take_event("guardian", &me(), LEASE, None).unwrap().is_none());
    let states = coordinator.bus_events(None, None, 100).unwrap();
    assert_eq!(states.len(), published.len());
    assert!(states.iter().all(|event| event.deliveries.len() == 1 && event.deliveries[0].done_at.is_some()));
    assert!(states.iter().any(|event| event.deliveries[0].attempt > 1), "some were delivered again");
    assert!(states.iter().all(|event| event.deliveries[0].trouble.is_none()));
    let mut unique = done.clone();
    unique.dedup();
    assert_eq!(unique, done, "what was acknowledged is not delivered again");
}

#[test]
fn events_that_nobody_waits_for_are_kept_with_the_others_by_gc() {
    let home = Home::new();
    let coordinator = home.open();
    coordinator.publish(&event("alert.anr", "chromium")).unwrap();
    coordinator.gc(Retention { keep_runs: Some(1), keep_days: None }).unwrap();
    assert_eq!(coordinator.bus_events(None, None, 10).unwrap().len(), 1, "it is not old");
}

#[test]
fn a_run_tells_its_results_its_end_and_lost_browsers() {
    let home = Home::new();
    let coordinator = home.open();
    let task = begin(&coordinator, "r1", &home.path, me());
    let lost = CommandRecord {
        command: "click e1".to_string(),
        ok: false,
        code: Some(ErrorCode::BrowserLost),
        outcome: "the browser ended unexpectedly".to_string(),
        ..CommandRecord::default()
    };
    let facts = vec![
        run_started(vec![line("login", "chromium", "f1"), line("pay", "chromium", "f2")]),
        test_started("login", 1),
        step_started("login", 1, "Click Log in"),
        RunFact::Command { test: "login".to_string(), step: 1, record: Box::new(lost) },
        step_finished("login", 1, Verdict::Error),
        test_finished("login", 1, Verdict::Error, true),
        test_started("login", 2),
        test_finished("login", 2, Verdict::Passed, false),
        test_started("pay", 1),
        test_finished("pay", 1, Verdict::Failed, false),
        run_finished(false),
    ];
    record_all(&coordinator, task, facts);
    let mut told = coordinator.bus_events(None, None, 10).unwrap();
    told.reverse();
    let types: Vec<&str> = told.iter().map(|listed| listed.event.event_type.as_str()).collect();
    let expected =
        ["alert.app_crash", "testcase.completed", "testcase.completed", "deployment.execution_done"];
    assert_eq!(types, expected, "a retried attempt is no result");
    assert_eq!(told[0].event.device, "chromium");
    assert_eq!(told[0].event.payload["code"], "browser_lost");
    assert_eq!(told[1].event.payload["verdict"], "passed");
    assert_eq!(told[2].event.payload["test"], "pay");
    assert_eq!(told[3].event.payload["run"], task.0);
}
