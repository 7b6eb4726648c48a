//! The books of a service: orders, keys and the audit log, also after the service was killed.

use std::path::Path;

use assay_coordinator::{
    Coordinator, KeptAnswer, KeyState, NewAuditEntry, NewOrder, OrderPage, OrderStatus, RequestKey,
};
use serde_json::json;

use crate::child_process::{Actor, say};
use crate::context::Home;

const KEY: RequestKey<'static> = RequestKey { scope: "ci POST /server/runs", key: "k1", fingerprint: "f1" };

fn accept(coordinator: &Coordinator, name: &str, key: Option<&RequestKey<'_>>) -> u64 {
    let body = json!({ "words": ["run"] });
    coordinator.accept_order(&NewOrder { kind: "run", name, body: &body, by: "ci" }, key).unwrap().number
}

/// A service that is killed: what it says it did is on the disk.
pub fn serve_until_killed(folder: &Path) {
    let coordinator = Coordinator::open(folder).unwrap();
    assert_eq!(coordinator.claim_key(&KEY).unwrap(), KeyState::New);
    accept(&coordinator, "first", Some(&KEY));
    accept(&coordinator, "second", None);
    accept(&coordinator, "third", None);
    coordinator.begin_next_order(&["run"]).unwrap();
    coordinator.begin_next_order(&["run"]).unwrap();
    assert_eq!(coordinator.claim_key(&RequestKey { key: "k2", ..KEY }).unwrap(), KeyState::New);
    say("ready");
    std::thread::sleep(std::time::Duration::from_secs(60));
}

#[test]
fn orders_are_begun_in_the_order_in_which_they_came() {
    let home = Home::new();
    let coordinator = home.open();
    let (first, second) = (accept(&coordinator, "first", None), accept(&coordinator, "second", None));
    assert_eq!(coordinator.begin_next_order(&["turn"]).unwrap(), None);
    assert_eq!(coordinator.begin_next_order(&["turn", "run"]).unwrap().unwrap().number, first);
    coordinator.note_order(first, "a browser is started").unwrap();
    assert_eq!(coordinator.withdraw_order(first).unwrap().status, OrderStatus::Begun);
    assert_eq!(coordinator.withdraw_order(second).unwrap().status, OrderStatus::Withdrawn);
    assert_eq!(coordinator.begin_next_order(&["run"]).unwrap(), None);
    let ended = coordinator.end_order(first, OrderStatus::Ended, "").unwrap();
    assert_eq!((ended.status, ended.notes), (OrderStatus::Ended, vec!["a browser is started".to_string()]));
    assert_eq!(coordinator.end_order(first, OrderStatus::Failed, "x").unwrap().status, OrderStatus::Ended);
    let page = OrderPage { status: None, before: Some(second), limit: 10 };
    assert_eq!(coordinator.orders(page).unwrap().len(), 1);
    assert_eq!(coordinator.order_named("second").unwrap().map(|order| order.number), Some(second));
}

#[test]
fn a_request_with_the_same_key_is_the_same_request() {
    let home = Home::new();
    let coordinator = home.open();
    assert_eq!(coordinator.claim_key(&KEY).unwrap(), KeyState::New);
    assert_eq!(coordinator.claim_key(&KEY).unwrap(), KeyState::UnderWay);
    let other = RequestKey { fingerprint: "f2", ..KEY };
    assert_eq!(coordinator.claim_key(&other).unwrap(), KeyState::Taken);
    let of_somebody_else = RequestKey { scope: "ada POST /server/runs", ..KEY };
    assert_eq!(coordinator.claim_key(&of_somebody_else).unwrap(), KeyState::New);
    let answer =
        KeptAnswer { status: 202, media_type: "application/json".to_string(), body: "{}".to_string() };
    coordinator.answer_key(&KEY, &answer).unwrap();
    assert_eq!(home.open().claim_key(&KEY).unwrap(), KeyState::Answered(answer));
    coordinator.release_key(&KEY).unwrap();
    assert!(matches!(coordinator.claim_key(&KEY).unwrap(), KeyState::Answered(_)), "an answer stays");
    coordinator.release_key(&of_somebody_else).unwrap();
    assert_eq!(coordinator.claim_key(&of_somebody_else).unwrap(), KeyState::New);
}

#[test]
fn what_a_killed_service_accepted_is_carried_out_once_or_told() {
    let home = Home::new();
    let mut service = Actor::start("serve", &home.state());
    assert_eq!(service.hear().as_deref(), Some("ready"));
    service.child.kill().unwrap();
    service.child.wait().unwrap();
    let coordinator = home.open();
    // Of the first something was done, of the second nothing.
    let interrupted = coordinator.settle_orders(|order| Ok(order.name == "first")).unwrap();
    assert_eq!(interrupted.iter().map(|order| order.name.as_str()).collect::<Vec<_>>(), ["first"]);
    assert_eq!(coordinator.order_named("first").unwrap().unwrap().status, OrderStatus::Interrupted);
    assert_eq!(coordinator.begin_next_order(&["run"]).unwrap().unwrap().name, "second");
    assert_eq!(coordinator.begin_next_order(&["run"]).unwrap().unwrap().name, "third");
    assert_eq!(coordinator.begin_next_order(&["run"]).unwrap(), None);
    // What this process has begun is not settled.
    assert_eq!(coordinator.settle_orders(|_| Ok(true)).unwrap(), []);
    // The key of the order leads to the order, the other one was used for nobody knows what.
    assert!(matches!(coordinator.claim_key(&KEY).unwrap(), KeyState::Ordered(_)));
    assert_eq!(coordinator.claim_key(&RequestKey { key: "k2", ..KEY }).unwrap(), KeyState::Unknown);
}

#[test]
fn the_audit_log_tells_who_asked_and_what_came_of_it() {
    let home = Home::new();
    let coordinator = home.open();
    let new = NewAuditEntry { who: "ci", peer: "10.0.0.7", method: "POST", path: "/server/runs" };
    let first = coordinator.enter_audit(&new).unwrap();
    let second = coordinator.enter_audit(&NewAuditEntry { method: "DELETE", ..new }).unwrap();
    coordinator.finish_audit(first, 202).unwrap();
    coordinator.finish_audit(first, 500).unwrap();
    let told: Vec<(u64, Option<u16>)> =
        coordinator.audit(None, 10).unwrap().iter().map(|entry| (entry.number, entry.status)).collect();
    assert_eq!(told, [(second, None), (first, Some(202))]);
    assert_eq!(coordinator.audit(Some(second), 10).unwrap().len(), 1);
}
