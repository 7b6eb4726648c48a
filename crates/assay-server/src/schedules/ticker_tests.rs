//! Ticks by clocks that are set by hand.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use assay_coordinator::{OrderPage, OrderStatus, ScheduleSettings};
use serde_json::Value;

use super::*;
use crate::log::LogFormat;

struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A project with one schedule, made at a moment.
struct Stage {
    coordinator: Coordinator,
    told: Arc<Mutex<Vec<String>>>,
    log: Log,
    folder: Folder,
}

impl Stage {
    fn new(name: &str, cron: &str, zone: &str, overlap: bool, work: &Value, made: &str) -> Stage {
        let folder = std::env::temp_dir().join(format!("assay-ticker-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        let coordinator = Coordinator::open(&folder).unwrap();
        let settings = ScheduleSettings { cron, zone, work, overlap };
        coordinator.add_schedule("nightly", &settings, "ada", at(made)).unwrap().unwrap();
        let told: Arc<Mutex<Vec<String>>> = Arc::default();
        let heard = Arc::clone(&told);
        let log =
            Log::new(LogFormat::Json, Arc::new(move |line| heard.lock().unwrap().push(line.to_string())));
        Stage { coordinator, told, log, folder: Folder(folder) }
    }

    /// The clock shows this moment. Says how many orders there are.
    fn look(&self, now: &str) -> usize {
        take_due(&self.coordinator, at(now), &self.log).unwrap();
        self.orders().len()
    }

    fn orders(&self) -> Vec<assay_coordinator::Order> {
        self.coordinator.orders(OrderPage { status: None, before: None, limit: 1000 }).unwrap()
    }

    fn ticks(&self) -> Vec<Tick> {
        let schedule = self.coordinator.schedule("nightly").unwrap();
        self.coordinator.ticks(schedule.number, 100).unwrap()
    }
}

fn at(text: &str) -> u64 {
    u64::try_from(text.parse::<jiff::Timestamp>().unwrap().as_millisecond()).unwrap()
}

fn run() -> Value {
    json!({ "run": { "tags": ["smoke"] } })
}

#[test]
fn a_tick_becomes_one_order() {
    let stage = Stage::new("one", "0 2 * * *", "Europe/Berlin", true, &run(), "2026-11-18T12:00:00Z");
    assert_eq!(stage.look("2026-11-19T00:59:59Z"), 0);
    assert_eq!(stage.look("2026-11-19T01:00:00Z"), 1);
    assert_eq!(stage.look("2026-11-19T01:00:01Z"), 1);
    let order = &stage.orders()[0];
    assert_eq!((order.kind.as_str(), order.by.as_str()), ("run", "schedule nightly"));
    assert!(order.body["words"].to_string().contains("--tag=smoke"), "{}", order.body);
    let tick = &stage.ticks()[0];
    assert_eq!((tick.at, tick.missed, tick.begun.order), (at("2026-11-19T01:00:00Z"), 0, Some(order.number)));
}

#[test]
fn missed_ticks_are_told_and_caught_up_once() {
    let stage = Stage::new("missed", "0 2 * * *", "UTC", true, &run(), "2026-11-10T12:00:00Z");
    assert_eq!(stage.look("2026-11-14T09:00:00Z"), 1);
    let tick = &stage.ticks()[0];
    assert_eq!((tick.at, tick.missed), (at("2026-11-14T02:00:00Z"), 3));
    let told: Value = serde_json::from_str(&stage.told.lock().unwrap()[0]).unwrap();
    assert_eq!((&told["level"], &told["event"]), (&json!("warn"), &json!("schedule.tick")));
    assert_eq!((&told["missed"], &told["at"]), (&json!(3), &json!("2026-11-14T02:00:00+00:00")));
    assert_eq!(told["order"], json!(tick.begun.order));
    assert_eq!(stage.look("2026-11-14T09:00:10Z"), 1);
    assert_eq!(stage.look("2026-11-15T02:00:00Z"), 2);
}

#[test]
fn a_clock_that_goes_back_runs_nothing_twice() {
    let stage = Stage::new("back", "0 * * * *", "UTC", true, &run(), "2026-11-18T00:00:00Z");
    assert_eq!(stage.look("2026-11-18T01:00:00Z"), 1);
    assert_eq!(stage.look("2026-11-18T02:00:00Z"), 2);
    assert_eq!(stage.look("2026-11-18T00:30:00Z"), 2);
    assert_eq!(stage.look("2026-11-18T01:30:00Z"), 2);
    assert_eq!(stage.look("2026-11-18T02:30:00Z"), 2);
    assert_eq!(stage.look("2026-11-18T03:00:00Z"), 3);
}

#[test]
fn the_change_of_the_clocks_is_no_second_tick() {
    // 02:30 comes twice in Berlin on this day.
    let stage = Stage::new("autumn", "30 2 * * *", "Europe/Berlin", true, &run(), "2026-10-24T12:00:00Z");
    assert_eq!(stage.look("2026-10-25T00:30:00Z"), 1);
    assert_eq!(stage.look("2026-10-25T01:30:00Z"), 1);
    assert_eq!(stage.look("2026-10-26T01:30:00Z"), 2);
    // And it does not come at all on this one.
    let stage = Stage::new("spring", "30 2 * * *", "Europe/Berlin", true, &run(), "2026-03-28T12:00:00Z");
    assert_eq!(stage.look("2026-03-29T00:59:59Z"), 0);
    assert_eq!(stage.look("2026-03-29T01:00:00Z"), 1);
    assert_eq!(stage.look("2026-03-29T23:00:00Z"), 1);
    assert_eq!(stage.look("2026-03-30T00:30:00Z"), 2);
}

#[test]
fn a_tick_waits_for_nobody_and_is_left_out_while_the_last_run_goes_on() {
    let stage = Stage::new("overlap", "0 * * * *", "UTC", false, &run(), "2026-11-18T00:00:00Z");
    assert_eq!(stage.look("2026-11-18T01:00:00Z"), 1);
    assert_eq!(stage.look("2026-11-18T02:00:00Z"), 1);
    let number = stage.orders()[0].number;
    assert_eq!(stage.ticks()[0].note, format!("order {number} was still under way"));
    stage.coordinator.end_order(number, OrderStatus::Ended, "").unwrap();
    assert_eq!(stage.look("2026-11-18T02:30:00Z"), 1);
    assert_eq!(stage.look("2026-11-18T03:00:00Z"), 2);
}

#[test]
fn ticks_of_a_pause_are_not_wanted() {
    let stage = Stage::new("pause", "0 * * * *", "UTC", true, &run(), "2026-11-18T00:00:00Z");
    stage.coordinator.pause_schedule("nightly", true, at("2026-11-18T00:30:00Z")).unwrap();
    assert_eq!(stage.look("2026-11-18T02:00:00Z"), 0);
    stage.coordinator.pause_schedule("nightly", false, at("2026-11-18T02:30:00Z")).unwrap();
    assert_eq!(stage.look("2026-11-18T02:30:00Z"), 0);
    assert_eq!(stage.look("2026-11-18T03:00:00Z"), 1);
}

#[test]
fn an_event_is_published_with_its_cause() {
    let work = json!({ "event": { "type": "schedule.health_check", "payload": { "all": true } } });
    let stage = Stage::new("event", "0 * * * *", "UTC", false, &work, "2026-11-18T00:00:00Z");
    assert_eq!(stage.look("2026-11-18T01:00:00Z"), 0);
    let event = stage.coordinator.bus_event(stage.ticks()[0].begun.event.unwrap()).unwrap();
    assert_eq!(event.event_type, "schedule.health_check");
    let facts = json!({ "name": "nightly", "at": at("2026-11-18T01:00:00Z"), "missed": 0 });
    assert_eq!(event.payload, json!({ "all": true, "schedule": facts }));
    assert!(stage.folder.0.is_dir());
}
