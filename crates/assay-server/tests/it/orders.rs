//! Runs that are asked for: accepted on record, carried out in turn, stopped and resumed.

use serde_json::{Value, json};

use crate::context::{Home, Running};

fn start(service: &Running) -> String {
    let order = service.post("/server/runs", "{}").with(202).json();
    order["run"].as_str().unwrap().to_string()
}

#[test]
fn a_run_is_carried_out_and_told() {
    let home = Home::new();
    let service = Running::start(&home);
    let order = service.post("/server/runs", r#"{"tags": ["smoke"], "workers": 2}"#).with(202).json();
    let run = order["run"].as_str().unwrap();
    assert_eq!((&order["status"], &order["by"]), (&json!("accepted"), &json!("user ada")));
    assert!(order["command"].as_str().unwrap().contains("--tag=smoke --workers=2"), "{order}");
    // It waits at the gate: there is an order, and no run yet.
    let waiting = service.get("/server/runs");
    assert_eq!(waiting["waiting"][0]["run"], run);
    service.ask("GET", &format!("/server/runs/{run}"), &[], "").with(409);
    service.gate.open(2);
    let done = service.wait_for(&format!("/server/runs/{run}"), |run| run["status"] == "finished");
    assert_eq!(done["results"][0]["verdict"], "passed");
    let order =
        service.wait_for(&format!("/server/orders/{}", order["order"]), |order| order["status"] == "ended");
    assert_eq!(order["notes"], json!(["a browser is made up"]));
    let listed = service.get("/server/runs");
    assert_eq!((&listed["items"][0]["run"], &listed["waiting"]), (&json!(run), &json!([])));
    // The same by its number.
    assert_eq!(service.get(&format!("/server/runs/{}", done["task"]))["run"], run);
    let history = service.get("/server/tests/history?test=login");
    assert_eq!(history["results"][0]["run"], run);
}

#[test]
fn runs_wait_for_each_other_and_can_be_taken_back() {
    let home = Home::new();
    let service = Running::start(&home);
    let (first, second, third) = (start(&service), start(&service), start(&service));
    service.gate.open(1);
    service.wait_for(&format!("/server/runs/{first}"), |run| run["status"] == "running");
    let waiting = service.get("/server/orders?status=accepted");
    let names: Vec<&Value> = waiting["items"].as_array().unwrap().iter().map(|order| &order["run"]).collect();
    assert_eq!(names, [&json!(third), &json!(second)]);
    let stopped = service.post(&format!("/server/runs/{second}/stop"), "{}").with(200).json();
    assert_eq!(stopped["status"], "withdrawn");
    service.gate.open(3);
    service.wait_for(&format!("/server/runs/{third}"), |run| run["status"] == "finished");
    service.ask("GET", &format!("/server/runs/{second}"), &[], "").with(409);
}

#[test]
fn a_run_is_stopped_and_resumed() {
    let home = Home::new();
    let service = Running::start(&home);
    let run = start(&service);
    service.gate.open(1);
    service.wait_for(&format!("/server/runs/{run}"), |run| run["status"] == "running");
    let resume = format!("/server/runs/{run}/resume");
    service.post(&resume, "{}").with(409);
    let body = r#"{"pause": true, "reason": "lunch"}"#;
    assert_eq!(service.post(&format!("/server/runs/{run}/stop"), body).with(200).json()["status"], "paused");
    service.wait_for("/server/orders?status=ended", |page| page["items"][0]["run"] == run.as_str());
    let order = service.post(&resume, r#"{"steps": true}"#).with(202).json();
    assert_eq!((&order["kind"], &order["run"]), (&json!("resume"), &json!(run)));
    service.gate.open(2);
    service.wait_for(&format!("/server/runs/{run}"), |run| run["status"] == "finished");
    service.post(&resume, "{}").with(409);
    service.post(&format!("/server/runs/{run}/stop"), "{}").with(409);
}

#[test]
fn a_request_with_a_key_is_carried_out_once() {
    let home = Home::new();
    let service = Running::start(&home);
    let with_key =
        |key: &str, body: &str| service.ask("POST", "/server/runs", &[("Idempotency-Key", key)], body);
    let first = with_key("k1", "{}").with(202).json();
    let again = with_key("k1", "{}").with(202).json();
    assert_eq!(first, again);
    with_key("k1", r#"{"strict": true}"#).with(422);
    assert_ne!(with_key("k2", "{}").with(202).json()["run"], first["run"]);
    // What was refused may be tried again.
    with_key("k3", r#"{"paths": ["nowhere"]}"#).with(422);
    with_key("k3", "{}").with(202);
    assert_eq!(service.get("/server/orders")["items"].as_array().unwrap().len(), 3);
}

#[test]
fn lists_come_in_pages() {
    let home = Home::new();
    let service = Running::start(&home);
    let names: Vec<String> = (0..5).map(|_| start(&service)).collect();
    service.gate.open(10);
    service.wait_for("/server/runs?status=finished", |page| page["items"].as_array().unwrap().len() == 5);
    let (mut seen, mut path) = (Vec::new(), "/server/runs?limit=2".to_string());
    loop {
        let page = service.get(&path);
        seen.extend(
            page["items"].as_array().unwrap().iter().map(|run| run["run"].as_str().unwrap().to_string()),
        );
        let Some(next) = page["next"].as_str() else { break };
        path = format!("/server/runs?limit=2&cursor={next}");
    }
    seen.reverse();
    assert_eq!(seen, names);
}

#[test]
fn the_audit_log_tells_who_wrote_what() {
    let home = Home::new();
    let service = Running::start(&home);
    start(&service);
    service.post("/server/runs", "{").with(400);
    service.get("/server/runs");
    let log = service.get("/server/audit");
    let told: Vec<(&str, &str, u64)> = log["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| {
            (
                entry["who"].as_str().unwrap(),
                entry["path"].as_str().unwrap(),
                entry["status"].as_u64().unwrap(),
            )
        })
        .collect();
    assert_eq!(told, [("user ada", "/server/runs", 400), ("user ada", "/server/runs", 202)]);
}

#[test]
fn numbers_are_told_for_prometheus() {
    let home = Home::new();
    let service = Running::start(&home);
    service.get("/server/runs");
    let text = service.ask("GET", "/metrics", &[], "").with(200).text();
    assert!(text.contains("assay_requests_total{route=\"list_runs\",status=\"200\"} 1"), "{text}");
    assert!(text.contains("assay_orders_waiting 0"), "{text}");
}
