//! Webhooks in the state of a project: deliveries count once, and what happens becomes messages once.

use assay_coordinator::{
    Attempted, Coordinator, HookMessage, MessageKind, MessagePage, MessageStatus, NewDelivery, NewEvent,
    NewOrder, NewWork, OrderPage, OutgoingSettings,
};
use assay_protocol::{RunEvent, RunFact, TestLine, Verdict};
use serde_json::{Value, json};

use crate::context::{Home, begin, me};

const FOR_EVER: u64 = u64::MAX / 4;

fn messages(coordinator: &Coordinator) -> Vec<HookMessage> {
    let mut found =
        coordinator.messages(MessagePage { hook: None, status: None, before: None, limit: 100 }).unwrap();
    found.reverse();
    found
}

fn add(coordinator: &Coordinator, name: &str, kinds: &[MessageKind]) {
    let settings = OutgoingSettings { settings: &json!({}), kinds, is_enabled: true };
    coordinator.add_outgoing_hook(name, &settings, "ada").unwrap().unwrap();
    assert_eq!(coordinator.add_outgoing_hook(name, &settings, "ada").unwrap(), None);
}

fn event(event_type: &str) -> NewEvent {
    NewEvent {
        event_type: event_type.to_string(),
        device: String::new(),
        priority: None,
        key: None,
        payload: json!({}),
    }
}

/// A run of one test in one browser that ends so.
fn run(home: &Home, coordinator: &Coordinator, name: &str, fingerprint: &str, verdict: Verdict) {
    let task = begin(coordinator, name, &home.folder(name), me());
    let line: TestLine = serde_json::from_value(json!({
        "id": "login", "name": "Login", "file": "login.yaml", "browser": "chromium", "fingerprint": fingerprint,
    }))
    .unwrap();
    let at = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_millis() as u64;
    let facts = [
        RunFact::RunStarted {
            run: name.to_string(),
            suite: "demo".to_string(),
            workers: 1,
            tests: vec![line],
            strict: false,
        },
        RunFact::TestFinished {
            test: "login".to_string(),
            attempt: 1,
            verdict,
            reason: String::new(),
            flaky: false,
            will_retry: false,
            interrupted: false,
            claims_nothing: false,
            last_page: None,
            duration_ms: 1,
        },
        RunFact::RunFinished { interrupted: false, duration_ms: 2 },
    ];
    for what in facts {
        coordinator.record(task, &RunEvent { at, what }).unwrap();
    }
}

#[test]
fn a_delivery_counts_once_with_its_order() {
    let home = Home::new();
    let coordinator = home.open();
    let hook = coordinator.add_incoming_hook("ci", &json!({}), true, "ada").unwrap().unwrap();
    let body = json!({ "words": ["run"] });
    let deliver = |id: &str, digest: Option<&str>, name: &str| {
        let order = NewOrder { kind: "run", name, body: &body, by: "webhook ci" };
        let work = Some(NewWork::Order(order));
        coordinator
            .accept_delivery(&NewDelivery { hook: hook.number, id, digest, summary: "failed", work })
            .unwrap()
    };
    let first = deliver("d1", Some("x"), "run-1").unwrap();
    assert!(first.begun.order.is_some());
    assert_eq!(deliver("d1", Some("y"), "run-2"), None, "the same name");
    assert_eq!(deliver("d2", Some("x"), "run-3"), None, "the same body");
    assert!(deliver("d3", None, "run-4").is_some() && deliver("d4", None, "run-5").is_some());
    // The name of an order cannot come twice, and then nothing of the delivery is kept.
    let order = NewOrder { kind: "run", name: "run-1", body: &body, by: "webhook ci" };
    let twice = NewDelivery {
        hook: hook.number,
        id: "d5",
        digest: None,
        summary: "",
        work: Some(NewWork::Order(order)),
    };
    assert!(coordinator.accept_delivery(&twice).is_err());
    assert_eq!(coordinator.deliveries(hook.number, None, 10).unwrap().len(), 3);
    let orders = coordinator.orders(OrderPage { status: None, before: None, limit: 10 }).unwrap();
    assert_eq!(orders.len(), 3);
}

#[test]
fn what_happens_becomes_a_message_once_for_each_webhook() {
    let home = Home::new();
    let coordinator = home.open();
    coordinator.publish(&event("alert.anr")).unwrap();
    add(&coordinator, "alerts", &[MessageKind::AlertRaised]);
    add(&coordinator, "runs", &[MessageKind::RunFinished]);
    assert!(!coordinator.tell_hooks().unwrap(), "what was before is not told");
    coordinator.publish(&event("alert.app_crash")).unwrap();
    coordinator.publish(&event("my.own")).unwrap();
    run(&home, &coordinator, "run-1", "f1", Verdict::Passed);
    assert!(coordinator.tell_hooks().unwrap());
    assert!(!coordinator.tell_hooks().unwrap());
    let told = messages(&coordinator);
    let kinds: Vec<(&str, MessageKind)> =
        told.iter().map(|message| (message.hook.as_str(), message.kind)).collect();
    assert_eq!(kinds, [("alerts", MessageKind::AlertRaised), ("runs", MessageKind::RunFinished)]);
    assert_eq!(told[1].data["results"], json!({ "passed": 1 }));
    assert_ne!(told[0].id, told[1].id);
}

#[test]
fn more_events_than_fit_into_one_change_are_all_told() {
    let home = Home::new();
    let coordinator = home.open();
    add(&coordinator, "alerts", &[MessageKind::AlertRaised]);
    for _ in 0..250 {
        coordinator.publish(&event("alert.anr")).unwrap();
    }
    coordinator.tell_hooks().unwrap();
    let page = MessagePage { hook: Some("alerts"), status: None, before: None, limit: 1000 };
    assert_eq!(coordinator.messages(page).unwrap().len(), 250);
}

#[test]
fn a_test_becomes_flaky_once_in_a_while() {
    let home = Home::new();
    let coordinator = home.open();
    add(&coordinator, "flaky", &[MessageKind::TestFlaky]);
    let told = || {
        coordinator.tell_hooks().unwrap();
        let told = messages(&coordinator).into_iter().map(|message| message.data["run"].clone());
        told.collect::<Vec<Value>>()
    };
    run(&home, &coordinator, "run-1", "f1", Verdict::Passed);
    assert_eq!(told(), [] as [Value; 0]);
    // Another test file: the test was changed, so this says nothing of the first.
    run(&home, &coordinator, "run-2", "f2", Verdict::Failed);
    assert_eq!(told(), [] as [Value; 0]);
    run(&home, &coordinator, "run-3", "f2", Verdict::Passed);
    assert_eq!(told(), [json!("run-3")]);
    run(&home, &coordinator, "run-4", "f2", Verdict::Failed);
    assert_eq!(told(), [json!("run-3")], "it was flaky before");
}

#[test]
fn a_message_waits_is_sent_or_is_given_up_and_can_be_sent_again() {
    let home = Home::new();
    let coordinator = home.open();
    add(&coordinator, "team", &[MessageKind::RunFinished]);
    let message = coordinator.ping_hook("team").unwrap();
    let due = |now: u64| coordinator.due_messages(now).unwrap().len();
    assert_eq!((due(message.next_at), due(message.next_at - 1)), (1, 0));
    let failed = |next_at: Option<u64>| Attempted::Failed {
        answer: Some(503),
        trouble: "it answered 503".to_string(),
        next_at,
    };
    let later = message.next_at + 5000;
    coordinator.attempted_message(message.number, &failed(Some(later))).unwrap();
    assert_eq!((due(later - 1), due(later)), (0, 1));
    assert_eq!(coordinator.next_message_at().unwrap(), Some(later));
    assert_eq!(due(message.next_at.saturating_sub(FOR_EVER)), 1, "the clock went back by years");
    // The same after a restart.
    assert_eq!(home.open().due_messages(later).unwrap().len(), 1);
    coordinator.attempted_message(message.number, &failed(None)).unwrap();
    let dead = &messages(&coordinator)[0];
    assert_eq!((dead.status, dead.attempts, dead.answer), (MessageStatus::Dead, 2, Some(503)));
    assert_eq!((due(later), coordinator.next_message_at().unwrap()), (0, None));
    let again = coordinator.resend_message(message.number).unwrap();
    assert_eq!((again.status, again.attempts, &again.id), (MessageStatus::Waiting, 0, &message.id));
    coordinator.attempted_message(message.number, &Attempted::Taken { answer: 200 }).unwrap();
    coordinator.attempted_message(message.number, &failed(None)).unwrap();
    assert_eq!(messages(&coordinator)[0].status, MessageStatus::Sent, "what is over stays as it is");
}
