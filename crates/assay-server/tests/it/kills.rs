//! A service that is killed at random moments while it accepts runs, keeps schedules, takes deliveries and sends messages.
//!
//! Eight times in the usual tests, a hundred times in those that take long; `ASSAY_TEST_KILLS` says another number.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::time::Duration;

use assay_coordinator::{MessagePage, MessageStatus, OrderPage, OrderStatus};
use ring::rand::{SecureRandom, SystemRandom};
use serde_json::json;

use crate::client::{Answer, Events, ask};
use crate::context::{Home, Running};
use crate::incoming_hooks::{generic, now};
use crate::outgoing_hooks::{SECRET, hook};
use crate::receiver::Receiver;
use crate::restart::{doomed, hurried};

/// So many steps of runs that they never wait.
const MANY: usize = 1_000_000;

const FEW: usize = 8;
const A_HUNDRED: usize = 100;

fn kills(usual: usize) -> usize {
    std::env::var("ASSAY_TEST_KILLS").ok().and_then(|count| count.parse().ok()).unwrap_or(usual)
}

fn random_moment(longest: u64) -> Duration {
    let mut bytes = [0_u8; 4];
    SystemRandom::new().fill(&mut bytes).unwrap();
    Duration::from_millis(u64::from(u32::from_le_bytes(bytes)) % longest)
}

fn post(address: SocketAddr, path: &str, body: &str) {
    ask(address, "POST", path, &[], body).with(201);
}

#[test]
fn every_tick_is_carried_out_once_however_often_the_service_is_killed() {
    check_ticks(kills(FEW));
}

#[test]
fn a_hundred_kills_leave_out_no_tick_and_repeat_none() {
    check_ticks(kills(A_HUNDRED));
}

fn check_ticks(kills: usize) {
    let home = Home::new();
    let schedule = |name: &str, work: serde_json::Value| {
        json!({ "name": name, "cron": "* * * * * *", "work": work, "overlap": true }).to_string()
    };
    for round in 0..=kills {
        let (service, address) = doomed(&home, MANY);
        if round == 0 {
            post(address, "/server/schedules", &schedule("runs", json!({ "run": {} })));
            let event = json!({ "event": { "type": "schedule.health_check" } });
            post(address, "/server/schedules", &schedule("events", event));
        }
        std::thread::sleep(random_moment(1500));
        service.kill();
    }
    let coordinator = home.coordinator();
    for name in ["runs", "events"] {
        coordinator.pause_schedule(name, true, now() * 1000).unwrap();
    }
    // The last service carries out what is left.
    let service = Running::start(&home);
    service.gate.open(MANY);
    service.wait_for("/server/orders?limit=500", |page| {
        let over = |order: &serde_json::Value| order["status"] == "ended" || order["status"] == "interrupted";
        page["items"].as_array().unwrap().iter().all(over)
    });
    for name in ["runs", "events"] {
        let schedule = coordinator.schedule(name).unwrap();
        let mut ticks = coordinator.ticks(schedule.number, 1000).unwrap();
        ticks.reverse();
        assert!(ticks.len() > 1, "{ticks:?}");
        // No tick is left out: each was taken, or another stands for it.
        for pair in ticks.windows(2) {
            assert_eq!(pair[1].at, pair[0].at + 1000 * (pair[1].missed + 1), "{pair:?}");
        }
        let becomes_one =
            |tick: &assay_coordinator::Tick| tick.begun.order.is_some() != tick.begun.event.is_some();
        assert!(ticks.iter().all(becomes_one), "{ticks:?}");
    }
    let runs = coordinator.schedule("runs").unwrap();
    let ordered: BTreeSet<u64> =
        coordinator.ticks(runs.number, 1000).unwrap().iter().filter_map(|tick| tick.begun.order).collect();
    let orders = coordinator.orders(OrderPage { status: None, before: None, limit: 1000 }).unwrap();
    assert_eq!(orders.iter().map(|order| order.number).collect::<BTreeSet<_>>(), ordered);
    let mut begun: BTreeMap<String, usize> = BTreeMap::new();
    for run in coordinator.runs().unwrap() {
        *begun.entry(run.run).or_default() += 1;
    }
    assert!(orders.iter().all(|order| begun.get(&order.name) == Some(&1)), "{begun:?}");
    assert_eq!(begun.len(), orders.len());
    let events = coordinator.schedule("events").unwrap();
    let published: BTreeSet<u64> =
        coordinator.ticks(events.number, 1000).unwrap().iter().filter_map(|tick| tick.begun.event).collect();
    let listed = coordinator.bus_events(Some("schedule.health_check"), None, 1000).unwrap();
    assert_eq!(listed.iter().map(|listed| listed.event.number).collect::<BTreeSet<_>>(), published);
}

#[test]
fn every_delivery_counts_once_and_every_message_arrives_however_often_the_service_is_killed() {
    check_deliveries(kills(FEW));
}

#[test]
fn a_hundred_kills_lose_no_delivery_and_no_message() {
    check_deliveries(kills(A_HUNDRED));
}

fn check_deliveries(kills: usize) {
    let home = Home::new();
    // The first attempt of each message is refused.
    let receiver = Receiver::start(|taken| {
        let (last, before) = taken.split_last().unwrap();
        if before.iter().any(|message| message.id() == last.id()) { 200 } else { 500 }
    });
    let mut delivered = Vec::new();
    for round in 0..=kills {
        let (service, address) = doomed(&home, MANY);
        if round == 0 {
            let incoming =
                json!({ "name": "own", "secret": SECRET, "source": "generic", "work": { "run": {} } });
            post(address, "/server/webhooks/incoming", &incoming.to_string());
            post(address, "/server/webhooks/outgoing", &hook("team", &receiver, json!({})));
        }
        let sender = std::thread::spawn(move || {
            for number in 0.. {
                let id = format!("d-{round}-{number}");
                let body = json!({ "status": "failed", "number": number }).to_string();
                // The sender hears nothing from a service that is killed, and so it sends the last one again.
                let heard = std::panic::catch_unwind(|| generic(address, "own", &id, now(), &body).status);
                match heard {
                    Ok(202) => {}
                    Ok(429) => std::thread::sleep(Duration::from_millis(50)),
                    Ok(status) => panic!("{status}"),
                    Err(_) => return (number, id, body),
                }
                std::thread::sleep(Duration::from_millis(60));
            }
            unreachable!()
        });
        std::thread::sleep(random_moment(1200));
        service.kill();
        delivered.push(sender.join().unwrap());
    }
    let service = Running::with(&home, hurried());
    service.gate.open(MANY);
    let mut expected = BTreeSet::new();
    for (round, (count, id, body)) in delivered.iter().enumerate() {
        let again = generic(service.address, "own", id, now(), body).status;
        assert!(again == 202 || again == 409, "{again}");
        expected.extend((0..=*count).map(|number| format!("d-{round}-{number}")));
    }
    let coordinator = home.coordinator();
    let own = coordinator.incoming_hook("own").unwrap();
    let deliveries = coordinator.deliveries(own.number, None, 10_000).unwrap();
    assert_eq!(deliveries.iter().map(|one| one.id.clone()).collect::<BTreeSet<_>>(), expected);
    assert_eq!(deliveries.len(), expected.len());
    let orders: BTreeSet<u64> = deliveries.iter().filter_map(|one| one.begun.order).collect();
    assert_eq!(orders.len(), deliveries.len(), "each delivery has an order of its own");
    service.wait_for("/server/orders?status=accepted", |page| page["items"] == json!([]));
    service.wait_for("/server/orders?status=begun", |page| page["items"] == json!([]));
    // Each run that ended is told, at least once, under one name.
    let page = MessagePage { hook: None, status: None, before: None, limit: 10_000 };
    service.wait_for("/server/webhooks/messages?status=waiting", |page| page["items"] == json!([]));
    let finished = coordinator.bus_events(Some("deployment.execution_done"), None, 10_000).unwrap().len();
    let begun = std::time::Instant::now();
    while coordinator.messages(page).unwrap().len() < finished {
        assert!(begun.elapsed() < Duration::from_secs(20));
        std::thread::sleep(Duration::from_millis(20));
    }
    service.wait_for("/server/webhooks/messages?status=waiting", |page| page["items"] == json!([]));
    let messages = coordinator.messages(page).unwrap();
    assert_eq!(messages.len(), finished);
    let arrived: BTreeSet<String> = receiver.taken().iter().map(|message| message.id().to_string()).collect();
    for message in messages {
        assert_eq!(message.status, MessageStatus::Sent, "{message:?}");
        assert!(arrived.contains(&message.id), "{message:?}");
    }
    assert!(receiver.taken().iter().all(|message| message.is_signed_with(SECRET)));
}

/// What a client heard of a run that it follows, over all services that it followed it on.
#[derive(Default)]
struct Story {
    ids: Vec<u64>,
    is_over: bool,
}

/// Asks with a key until somebody answers: a client that heard nothing asks again.
fn start(address: SocketAddr, key: &str) -> Option<Answer> {
    let asked = || ask(address, "POST", "/server/runs", &[("Idempotency-Key", key)], "{}");
    std::panic::catch_unwind(asked).ok().filter(|answer| answer.status != 429)
}

/// Follows a run until the service is gone or the run is over, from the last event on.
fn follow(address: SocketAddr, run: &str, story: &mut Story) {
    let last = story.ids.last().map(u64::to_string);
    let headers: Vec<(&str, &str)> = last.iter().map(|last| ("Last-Event-ID", last.as_str())).collect();
    let path = format!("/server/runs/{run}/events");
    let followed = std::panic::catch_unwind(|| {
        let (mut ids, mut is_over) = (Vec::new(), false);
        let mut events = Events::open(address, &path, &headers);
        while let Some(event) =
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| events.next())).ok().flatten()
        {
            ids.extend(event.id.filter(|_| event.kind == "run"));
            is_over |= event.kind == "end";
        }
        (ids, is_over)
    });
    if let Ok((ids, is_over)) = followed {
        story.ids.extend(ids);
        story.is_over |= is_over;
    }
}

#[test]
fn every_accepted_run_is_carried_out_once_and_its_followers_miss_nothing() {
    check_runs(kills(FEW));
}

#[test]
fn a_hundred_kills_lose_no_run_and_repeat_none() {
    check_runs(kills(A_HUNDRED));
}

fn check_runs(kills: usize) {
    let home = Home::new();
    // The run that each key became, as the client was told.
    let mut accepted: BTreeMap<String, String> = BTreeMap::new();
    let mut unanswered: BTreeSet<String> = BTreeSet::new();
    let mut stories: BTreeMap<String, Story> = BTreeMap::new();
    let mut unknown = 0;
    for round in 0..=kills {
        let (service, address) = doomed(&home, MANY);
        let waiting = std::mem::take(&mut unanswered);
        let client = std::thread::spawn(move || {
            let (mut told, mut unanswered) = (Vec::new(), BTreeSet::new());
            let keys = waiting.into_iter().chain((0..).map(|number| format!("k-{round}-{number}")));
            for key in keys {
                match start(address, &key) {
                    Some(answer) => told.push((key, answer)),
                    None => {
                        unanswered.insert(key);
                        if std::net::TcpStream::connect(address).is_err() {
                            return (told, unanswered);
                        }
                    }
                }
                std::thread::sleep(Duration::from_millis(30));
            }
            (told, unanswered)
        });
        // A follower of a run that an earlier service had accepted.
        let followed = accepted.values().next_back().cloned();
        let story = followed.as_ref().map(|run| stories.remove(run).unwrap_or_default());
        let follower = std::thread::spawn(move || {
            let mut story = story.unwrap_or_default();
            if let Some(run) = &followed {
                follow(address, run, &mut story);
            }
            (followed, story)
        });
        std::thread::sleep(random_moment(1200));
        service.kill();
        let (told, left) = client.join().unwrap();
        unanswered = left;
        for (key, answer) in told {
            match answer.status {
                202 => {
                    let run = answer.json()["run"].as_str().unwrap().to_string();
                    let before = accepted.insert(key, run.clone());
                    assert!(before.is_none_or(|before| before == run), "one key became two runs");
                }
                // Nobody knows, and that is told.
                409 if answer.json()["code"] == "outcome_unknown" => unknown += 1,
                status => panic!("{status}: {}", answer.text()),
            }
        }
        let (followed, story) = follower.join().unwrap();
        stories.extend(followed.map(|run| (run, story)));
    }
    let service = Running::with(&home, hurried());
    service.gate.open(MANY);
    for key in unanswered {
        if let Some(answer) = start(service.address, &key).filter(|answer| answer.status == 202) {
            accepted.insert(key, answer.json()["run"].as_str().unwrap().to_string());
        }
    }
    service.wait_for("/server/orders?status=accepted", |page| page["items"] == json!([]));
    service.wait_for("/server/orders?status=begun", |page| page["items"] == json!([]));
    let coordinator = home.coordinator();
    let orders = coordinator.orders(OrderPage { status: None, before: None, limit: 100_000 }).unwrap();
    let named: BTreeSet<&str> = orders.iter().map(|order| order.name.as_str()).collect();
    assert_eq!(named.len(), orders.len());
    let runs: BTreeSet<&str> = accepted.values().map(String::as_str).collect();
    assert_eq!(runs.len(), accepted.len(), "two keys became one run");
    assert!(runs.is_subset(&named), "an accepted run is not on record");
    // No order without a request that was accepted, or whose outcome is told as unknown.
    assert!(orders.len() <= accepted.len() + unknown, "{} {} {unknown}", orders.len(), accepted.len());
    let mut begun: BTreeMap<String, usize> = BTreeMap::new();
    for run in coordinator.runs().unwrap() {
        *begun.entry(run.run.clone()).or_default() += 1;
        assert_ne!(run.status.name(), "running", "{} is left running", run.run);
    }
    for order in &orders {
        assert_eq!(begun.get(&order.name), Some(&1), "{order:?}");
        assert!(matches!(order.status, OrderStatus::Ended | OrderStatus::Interrupted), "{order:?}");
    }
    let interrupted = orders.iter().filter(|order| order.status == OrderStatus::Interrupted).count();
    assert!(interrupted <= kills + 1, "{interrupted}");
    // Whoever followed heard each event once, in order, and hears the rest now.
    let followed = stories.len();
    for (run, mut story) in stories {
        if !story.is_over {
            let record = coordinator.run_named(&run).unwrap();
            if record.status.name() == "paused" {
                service.post(&format!("/server/runs/{run}/resume"), "{}").with(202);
            }
            follow(service.address, &run, &mut story);
        }
        let task = coordinator.run_named(&run).unwrap().task;
        let count = coordinator.events_of(task).unwrap().len();
        assert!(story.ids.windows(2).all(|pair| pair[0] < pair[1]), "{run}: {:?}", story.ids);
        assert_eq!(story.ids.len(), count, "{run} has more events than its follower heard");
    }
    eprintln!(
        "{kills} kills: {} runs accepted, {interrupted} told as interrupted, {unknown} as unknown, {followed} followed",
        orders.len()
    );
}
