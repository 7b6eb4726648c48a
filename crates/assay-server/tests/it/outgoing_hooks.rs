//! Messages to other systems: signed, sent again until they are taken, and given up in public.

use assay_coordinator::{NewEvent, NewIncident};
use assay_server::Role;
use serde_json::{Value, json};

use crate::context::{Home, Running};
use crate::receiver::Receiver;
use crate::restart::hurried;

const ALL: &str = "/server/webhooks/outgoing";
const MESSAGES: &str = "/server/webhooks/messages";
pub const SECRET: &str = "0123456789abcdef0123";

pub fn hook(name: &str, receiver: &Receiver, more: Value) -> String {
    let mut new = json!({
        "name": name, "url": receiver.url(), "secret": SECRET, "tells": ["run.finished"], "private_addresses": true,
    });
    for (key, value) in more.as_object().unwrap() {
        new[key] = value.clone();
    }
    new.to_string()
}

fn run_once(service: &Running) -> String {
    let order = service.post("/server/runs", "{}").with(202).json();
    service.gate.open(2);
    let run = order["run"].as_str().unwrap().to_string();
    service.wait_for(&format!("/server/runs/{run}"), |run| run["status"] == "finished");
    run
}

#[test]
fn a_finished_run_is_told_with_a_signature() {
    let home = Home::new();
    let service = Running::with(&home, hurried());
    let receiver = Receiver::start(|_| 204);
    // What happened before is not told.
    run_once(&service);
    let made = service.post(ALL, &hook("team", &receiver, json!({}))).with(201);
    assert!(!made.text().contains(SECRET));
    let run = run_once(&service);
    let message = &receiver.wait_for(1)[0];
    assert_eq!((message.path.as_str(), message.header("content-type")), ("/hook?x=1", "application/json"));
    assert!(message.is_signed_with(SECRET) && !message.is_signed_with("another"));
    let body = message.json();
    assert_eq!((&body["type"], &body["id"]), (&json!("run.finished"), &json!(message.id())));
    assert_eq!((&body["data"]["run"], &body["data"]["suite"]), (&json!(run), &json!("Shop")));
    assert_eq!(body["data"]["results"], json!({ "passed": 1 }));
    let sent = service.wait_for(&format!("{MESSAGES}?status=sent"), |page| page["items"][0]["attempts"] == 1);
    assert_eq!((&sent["items"][0]["answer"], &sent["items"][0]["id"]), (&json!(204), &json!(message.id())));
    assert_eq!(receiver.taken().len(), 1);
}

#[test]
fn a_message_is_sent_again_until_it_is_taken_under_the_same_name() {
    let home = Home::new();
    let service = Running::with(&home, hurried());
    let receiver = Receiver::start(|taken| if taken.len() < 3 { 503 } else { 200 });
    service.post(ALL, &hook("team", &receiver, json!({}))).with(201);
    service.post(&format!("{ALL}/team/ping"), "").with(202);
    let taken = receiver.wait_for(3);
    assert!(taken.iter().all(|message| message.id() == taken[0].id() && message.is_signed_with(SECRET)));
    let sent = service.wait_for(&format!("{MESSAGES}?status=sent"), |page| page["items"][0]["attempts"] == 3);
    assert_eq!(sent["items"][0]["type"], "ping");
}

#[test]
fn what_nobody_takes_is_shown_and_sent_again_on_demand() {
    let home = Home::new();
    let service = Running::with(&home, hurried());
    // A redirect is not followed: it is an answer like another.
    let receiver = Receiver::start(|taken| if taken.len() < 5 { 302 } else { 200 });
    service.post(ALL, &hook("team", &receiver, json!({}))).with(201);
    service.post(&format!("{ALL}/team/ping"), "").with(202);
    let dead = service.wait_for(&format!("{MESSAGES}?status=dead"), |page| page["items"][0]["attempts"] == 4);
    let dead = &dead["items"][0];
    assert_eq!((&dead["trouble"], &dead["answer"]), (&json!("it answered 302"), &json!(302)));
    assert_eq!(receiver.taken().len(), 4);
    let run = format!("Bearer {}", home.tokens().create("run", Role::Run).unwrap().secret);
    let resend = format!("{MESSAGES}/{}/resend", dead["number"]);
    service.ask("POST", &resend, &[("Authorization", &run)], "").with(403);
    let again = service.post(&resend, "").with(202).json();
    assert_eq!((&again["status"], &again["id"]), (&json!("waiting"), &dead["id"]));
    service.wait_for(&format!("{MESSAGES}?status=sent"), |page| page["items"][0]["id"] == dead["id"]);
    service.post(&format!("{MESSAGES}/999/resend"), "").with(404);
    // One that is gone for good is not tried again.
    let gone = Receiver::start(|_| 410);
    service.post(ALL, &hook("gone", &gone, json!({}))).with(201);
    service.post(&format!("{ALL}/gone/ping"), "").with(202);
    service
        .wait_for(&format!("{MESSAGES}?webhook=gone&status=dead"), |page| page["items"][0]["attempts"] == 1);
}

#[test]
fn alerts_and_incidents_are_told_as_a_text() {
    let home = Home::new();
    let service = Running::with(&home, hurried());
    let receiver = Receiver::start(|_| 200);
    let more = json!({ "tells": ["alert.raised", "incident.opened"], "form": "slack" });
    service.post(ALL, &hook("chat", &receiver, more)).with(201);
    // Another process, as Guardian is one.
    let coordinator = home.coordinator();
    let alert = NewEvent {
        event_type: "alert.app_crash".to_string(),
        device: "session:<tv>".to_string(),
        priority: None,
        key: None,
        payload: json!({}),
    };
    let number = coordinator.publish(&alert).unwrap().number;
    let event = coordinator.bus_event(number).unwrap();
    coordinator.join_incident(&NewIncident { event: &event, class: "crash", joins_within: 1 }).unwrap();
    let mut texts: Vec<Value> =
        receiver.wait_for(2).iter().map(|message| message.json()["text"].clone()).collect();
    texts.sort_by_key(Value::to_string);
    assert_eq!(
        texts,
        [
            json!(":rotating_light: alert `alert.app_crash` on `session:&lt;tv&gt;`"),
            json!(":rotating_light: incident 1: crash (`alert.app_crash`) on `session:&lt;tv&gt;`"),
        ]
    );
}

#[test]
fn messages_go_only_where_they_may() {
    let home = Home::new();
    home.write("assay.yaml", "suite: Shop\npolicy:\n  blocked_domains: [evil.example]\n");
    let service = Running::with(&home, hurried());
    let receiver = Receiver::start(|_| 200);
    let with = |more: Value| service.post(ALL, &hook("team", &receiver, more)).status;
    assert_eq!(with(json!({ "private_addresses": false })), 403);
    assert_eq!(with(json!({ "private_addresses": false, "url": "http://169.254.169.254/latest" })), 403);
    assert_eq!(with(json!({ "url": "https://www.evil.example/x" })), 403);
    assert_eq!(with(json!({ "url": "file:///etc/passwd" })), 400);
    assert_eq!(with(json!({ "tells": [] })), 400);
    assert_eq!(with(json!({ "tells": ["everything"] })), 400);
    assert_eq!(with(json!({ "secret": "short" })), 400);
    assert_eq!(with(json!({ "private": true })), 400, "a word that nobody knows");
    // What the project blocks later is blocked from then on.
    assert_eq!(with(json!({})), 201);
    home.write("assay.yaml", "suite: Shop\npolicy:\n  allowed_domains: [shop.example]\n");
    service.post(&format!("{ALL}/team/ping"), "").with(202);
    let dead = service.wait_for(&format!("{MESSAGES}?status=dead"), |page| page["items"][0]["attempts"] == 4);
    assert!(dead["items"][0]["trouble"].as_str().unwrap().contains("the policy allows"), "{dead}");
    assert_eq!(receiver.taken(), []);
}

#[test]
fn a_webhook_is_changed_and_deleted_with_its_messages() {
    let home = Home::new();
    let service = Running::with(&home, hurried());
    let receiver = Receiver::start(|_| 200);
    service.post(ALL, &hook("team", &receiver, json!({}))).with(201);
    service.post(ALL, &hook("team", &receiver, json!({}))).with(409);
    let one = format!("{ALL}/team");
    let mut change: Value =
        serde_json::from_str(&hook("team", &receiver, json!({ "enabled": false }))).unwrap();
    change.as_object_mut().unwrap().retain(|name, _| name != "name" && name != "secret");
    let changed = service.ask("PUT", &one, &[], &change.to_string()).with(200).json();
    assert_eq!((&changed["enabled"], &changed["tells"]), (&json!(false), &json!(["run.finished"])));
    assert_eq!(service.get(ALL)["items"], json!([changed]));
    // It waits while it is not enabled, and what happens meanwhile is not told.
    service.post(&format!("{one}/ping"), "").with(202);
    run_once(&service);
    change["enabled"] = json!(true);
    service.ask("PUT", &one, &[], &change.to_string()).with(200);
    assert_eq!(receiver.wait_for(1)[0].json()["type"], "ping");
    service.wait_for(&format!("{MESSAGES}?status=sent"), |page| page["items"].as_array().unwrap().len() == 1);
    service.ask("DELETE", &one, &[], "").with(200);
    assert_eq!(service.get(MESSAGES)["items"], json!([]));
    assert!(!home.project().join(".assay/hook-secrets/outgoing/team").exists());
    service.ask("GET", &one, &[], "").with(404);
}
