//! Plans with their questions, proofs, figures and alerts.

use assay_protocol::{Proof, RunEvent, RunFact};
use serde_json::json;

use crate::context::{Home, Running};

#[test]
fn a_plan_asks_and_goes_on_with_the_answers() {
    let home = Home::new();
    let service = Running::start(&home);
    let order = service.post("/server/plans", r#"{"url": "http://127.0.0.1:1/"}"#).with(202).json();
    assert_eq!(order["kind"], "plan");
    let name = order["run"].as_str().unwrap().to_string();
    let is_over = |plan: &serde_json::Value| {
        plan["order"]["status"] != "accepted" && plan["order"]["status"] != "begun"
    };
    let asked = service.wait_for(&format!("/server/plans/{name}"), is_over);
    assert_eq!((&asked["order"]["status"], &asked["questions"][0]["id"]), (&json!("ended"), &json!("user")));
    let answers = format!("/server/plans/{name}/answers");
    service.post(&answers, r#"{"answers": {"user": "two\nlines"}}"#).with(400);
    let with_key = [("Idempotency-Key", "answer-1")];
    let next = service.ask("POST", &answers, &with_key, r#"{"answers": {"user": "ada"}}"#).with(202).json();
    let again = service.ask("POST", &answers, &with_key, r#"{"answers": {"user": "ada"}}"#).with(202).json();
    assert_eq!(next["order"], again["order"]);
    let next = next["run"].as_str().unwrap().to_string();
    let done = service.wait_for(&format!("/server/plans/{next}"), is_over);
    assert_eq!(
        (&done["questions"], &done["result"]["files"][0]["file"]),
        (&json!([]), &json!("tests/shop.yaml"))
    );
    assert_eq!(done["document"]["answers"], json!({"user": "ada"}));
    let first = service.get("/server/plans?limit=1");
    assert_eq!(first["items"][0]["plan"], next.as_str());
    let second = service.get(&format!("/server/plans?cursor={}", first["next"].as_str().unwrap()));
    assert_eq!(second["items"][0]["plan"], name.as_str());
    for wrong in [r#"{"force": true}"#, r#"{"goal": 7}"#] {
        service.post("/server/plans", wrong).with(400);
    }
    service.ask("GET", "/server/plans/run-1", &[], "").with(404);
}

#[test]
fn a_proof_is_a_run_whose_findings_are_told() {
    let home = Home::new();
    let service = Running::start(&home);
    service.gate.open(1);
    let order = service.post("/server/proofs", r#"{"tests": ["login"]}"#).with(202).json();
    assert!(order["command"].as_str().unwrap().starts_with("assay prove --results="), "{order}");
    let run = order["run"].as_str().unwrap().to_string();
    service.wait_for(&format!("/server/runs/{run}"), |run| run["status"] == "running");
    let coordinator = home.coordinator();
    let task = coordinator.run_named(&run).unwrap().task;
    let proof = Proof { hollow: Some("it claims nothing".to_string()), ..Proof::default() };
    let what = RunFact::Proved { test: "login".to_string(), proof: Box::new(proof) };
    coordinator.record(task, &RunEvent { at: 1, what }).unwrap();
    service.gate.open(1);
    let proofs = service.get(&format!("/server/runs/{run}/proofs"));
    let found = &proofs["items"][0];
    assert_eq!((&found["test"], &found["judgement"]), (&json!("login"), &json!("hollow")));
    service.post("/server/runs", "{}").with(202);
    assert_eq!(service.get("/server/proofs")["items"].as_array().unwrap().len(), 1);
}

#[test]
fn figures_are_those_of_the_results() {
    let home = Home::new();
    let service = Running::start(&home);
    assert_eq!(service.get("/server/statistics")["runs"], 0);
    service.gate.open(2);
    let order = service.post("/server/runs", "{}").with(202).json();
    let path = format!("/server/runs/{}", order["run"].as_str().unwrap());
    service.wait_for(&path, |run| run["status"] == "finished");
    let figures = service.get("/server/statistics");
    assert_eq!((&figures["tests"], &figures["failed"]), (&json!(1), &json!(0)));
    // The run is made up, and as old as the clock of computers.
    assert_eq!(service.get("/server/statistics?days=30")["tests"], 0);
    service.ask("GET", "/server/statistics?days=x", &[], "").with(400);
}

#[test]
fn alerts_are_listed_apart_from_other_events() {
    let home = Home::new();
    let service = Running::start(&home);
    for event_type in ["alert.app_crash", "webhook.ci_failure", "alert.device_lost"] {
        service
            .post("/server/events", &json!({"type": event_type, "device": "pixel-7"}).to_string())
            .with(201);
    }
    let first = service.get("/server/alerts?limit=1");
    assert_eq!(first["items"][0]["type"], "alert.device_lost");
    let rest = service.get(&format!("/server/alerts?cursor={}", first["next"].as_str().unwrap()));
    let types: Vec<&str> =
        rest["items"].as_array().unwrap().iter().map(|one| one["type"].as_str().unwrap()).collect();
    assert_eq!(types, ["alert.app_crash"]);
    assert_eq!(service.get("/server/alerts?device=none")["items"], json!([]));
}
