//! Schedules: made, kept and told. When their ticks are is tested with clocks that are set by hand, beside the ticker.

use assay_server::Role;
use serde_json::{Value, json};

use crate::context::{Home, Running};

const ALL: &str = "/server/schedules";

fn every_second(name: &str, work: Value, overlap: bool) -> String {
    json!({ "name": name, "cron": "* * * * * *", "work": work, "overlap": overlap }).to_string()
}

#[test]
fn a_schedule_is_made_changed_paused_and_deleted() {
    let home = Home::new();
    let service = Running::start(&home);
    let new = json!({
        "name": "nightly", "cron": "30 2 * * 1-5", "zone": "Europe/Berlin", "work": { "run": { "tags": ["smoke"] } },
    });
    let made = service.post(ALL, &new.to_string()).with(201).json();
    assert_eq!(
        (&made["by"], &made["paused"], &made["overlap"]),
        (&json!("user ada"), &json!(false), &json!(false))
    );
    assert_eq!(made["next"].as_array().unwrap().len(), 3);
    assert!(made["next"][0]["local"].as_str().unwrap().contains("T02:30:00+0"), "{made}");
    service.post(ALL, &new.to_string()).with(409);
    assert_eq!(service.get(ALL)["items"], json!([made]));
    let one = "/server/schedules/nightly";
    let paused = service.post(&format!("{one}/pause"), "").with(200).json();
    assert_eq!((&paused["paused"], &paused["next"]), (&json!(true), &json!([])));
    let resumed = service.post(&format!("{one}/resume"), "").with(200).json();
    assert_eq!(resumed["next"], made["next"]);
    let change = json!({ "cron": "0 12 * * *", "work": { "event": { "type": "schedule.health_check" } } });
    let changed = service.ask("PUT", one, &[], &change.to_string()).with(200).json();
    assert_eq!(
        (&changed["zone"], &changed["work"]["event"]["type"]),
        (&json!("UTC"), &json!("schedule.health_check"))
    );
    service.ask("DELETE", one, &[], "").with(200);
    service.ask("GET", one, &[], "").with(404);
    service.post(&format!("{one}/pause"), "").with(404);
}

#[test]
fn a_mistake_in_a_schedule_is_told_and_nothing_is_made() {
    let home = Home::new();
    let service = Running::start(&home);
    let with = |name: &str, value: Value| {
        let mut new = json!({ "name": "x", "cron": "0 0 * * *", "work": { "run": {} } });
        new[name] = value;
        service.post(ALL, &new.to_string()).status
    };
    assert_eq!(with("cron", json!("0 0 * *")), 422);
    assert_eq!(with("cron", json!("0 0 30 2 *")), 422);
    assert_eq!(with("zone", json!("Berlin")), 422);
    assert_eq!(with("work", json!({ "run": { "paths": ["nowhere"] } })), 422);
    assert_eq!(with("work", json!({ "event": { "type": "no type" } })), 422);
    assert_eq!(with("work", json!({ "run": {}, "event": { "type": "a.b" } })), 400);
    assert_eq!(with("work", json!({})), 400);
    assert_eq!(with("name", json!("../x")), 400);
    assert_eq!(with("overlaps", json!(true)), 400, "a word that nobody knows");
    assert_eq!(service.get(ALL)["items"], json!([]));
}

#[test]
fn only_an_admin_changes_schedules_and_everybody_reads_them() {
    let home = Home::new();
    let service = Running::start(&home);
    let bearer = |role: Role| format!("Bearer {}", home.tokens().create(role.name(), role).unwrap().secret);
    let (run, admin) = (bearer(Role::Run), bearer(Role::Admin));
    let new = r#"{"name": "x", "cron": "0 0 * * *", "work": {"run": {}}}"#;
    let ask = |method: &str, bearer: &str, body: &str| {
        service.ask(method, ALL, &[("Authorization", bearer)], body).status
    };
    assert_eq!(ask("POST", &run, new), 403);
    assert_eq!(ask("GET", &run, ""), 200);
    assert_eq!(ask("POST", &admin, new), 201);
    let log = service.get("/server/audit");
    assert_eq!((&log["items"][0]["path"], &log["items"][0]["who"]), (&json!(ALL), &json!("token admin")));
}

#[test]
fn a_tick_begins_a_run_and_tells_what_came_of_it() {
    let home = Home::new();
    let service = Running::start(&home);
    service.gate.open(1000);
    service.post(ALL, &every_second("often", json!({ "run": {} }), false)).with(201);
    let one = "/server/schedules/often";
    let is_done = |tick: &Value| tick["status"] == "ended";
    let told = service.wait_for(one, |schedule| schedule["ticks"].as_array().unwrap().iter().any(is_done));
    let tick = told["ticks"].as_array().unwrap().iter().find(|tick| is_done(tick)).unwrap();
    assert_eq!(tick["metrics"]["passed"], json!(1.0), "{tick}");
    let order = service.get(&format!("/server/orders/{}", tick["order"]));
    assert_eq!((&order["by"], &order["run"]), (&json!("schedule often"), &tick["run"]));
}

#[test]
fn a_schedule_does_not_overlap_itself() {
    let home = Home::new();
    let service = Running::start(&home);
    service.post(ALL, &every_second("slow", json!({ "run": {} }), false)).with(201);
    let is_left_out =
        |tick: &Value| tick["note"].as_str().is_some_and(|note| note.ends_with("still under way"));
    let one = "/server/schedules/slow";
    service.wait_for(one, |schedule| {
        is_left_out(&schedule["ticks"][0]) && schedule["ticks"].as_array().unwrap().len() > 1
    });
    assert_eq!(service.get("/server/orders")["items"].as_array().unwrap().len(), 1);
    service.ask("DELETE", one, &[], "").with(200);
}

#[test]
fn a_cron_text_is_read_before_it_is_saved() {
    let home = Home::new();
    let service = Running::start(&home);
    let times = service.get("/server/cron?cron=0%209%20*%20*%20*&zone=Asia/Tokyo&count=2");
    let next = times["next"].as_array().unwrap();
    assert_eq!(next.len(), 2);
    assert_eq!(next[1]["at"].as_u64().unwrap() - next[0]["at"].as_u64().unwrap(), 24 * 60 * 60 * 1000);
    assert!(next[0]["local"].as_str().unwrap().ends_with("T09:00:00+09:00"), "{times}");
    service.ask("GET", "/server/cron?cron=x", &[], "").with(422);
    service.ask("GET", "/server/cron?cron=0%200%20*%20*%20*&zone=Nowhere", &[], "").with(422);
    assert_eq!(service.get(ALL)["items"], json!([]));
}
