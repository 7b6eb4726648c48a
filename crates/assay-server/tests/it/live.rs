//! Live pages without a browser: who may open, look and act. `assay` tests them with one.

use assay_server::Role;
use serde_json::json;

use crate::context::{Home, Running};

#[test]
fn looking_needs_the_role_read_and_acting_the_role_run() {
    let home = Home::new();
    let service = Running::start(&home);
    let bearer = |role: Role| format!("Bearer {}", home.tokens().create(role.name(), role).unwrap().secret);
    let (read, run) = (bearer(Role::Read), bearer(Role::Run));
    let ask = |method: &str, path: &str, bearer: &str, body: &str| {
        service.ask(method, path, &[("Authorization", bearer)], body).status
    };
    assert_eq!(ask("GET", "/server/live", &read, ""), 200);
    assert_eq!(ask("GET", "/server/live/none", &read, ""), 404);
    assert_eq!(ask("POST", "/server/live", &read, r#"{"url": "/"}"#), 403);
    let acts = [
        ("POST", "acts", r#"{"act": "back"}"#),
        ("POST", "steps", r#"{"order": "next"}"#),
        ("PUT", "text", r#"{"text": "test: X\n"}"#),
        ("PUT", "stops", r#"{"lines": []}"#),
        ("POST", "tries", r#"{"sentence": "Go back"}"#),
        ("POST", "checks", r#"{"x": 1, "y": 1}"#),
        ("POST", "claims", r#"{"sentence": "The page shows \"x\""}"#),
        ("POST", "recording/end", "{}"),
        ("POST", "control", r#"{"take": true}"#),
        ("POST", "task", r#"{"goal": "Go back"}"#),
        ("POST", "task/pause", "{}"),
        ("POST", "task/resume", r#"{"part": "again"}"#),
        ("POST", "task/stop", "{}"),
    ];
    for (method, act, body) in acts {
        let path = format!("/server/live/none/{act}");
        assert_eq!(ask(method, &path, &read, body), 403, "{act}");
        assert_eq!(ask(method, &path, &run, body), 404, "{act}");
    }
    assert_eq!(ask("DELETE", "/server/live/none", &read, "{}"), 403);
}

#[test]
fn a_page_that_cannot_be_opened_leaves_nothing() {
    let home = Home::new();
    let service = Running::start(&home);
    let open = |body: serde_json::Value| service.post("/server/live", &body.to_string());
    assert_eq!(open(json!({"url": "/"})).with(502).json()["code"], "browser_missing");
    open(json!({"text": "test: X\n", "path": "../x.yaml"})).with(400);
    open(json!({"text": "test: X\n", "path": "assay.yaml"})).with(400);
    open(json!({"unknown": true})).with(400);
    assert_eq!(service.get("/server/live")["items"], json!([]));
    let left: Vec<_> =
        std::fs::read_dir(home.project()).unwrap().flatten().map(|entry| entry.file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().contains("live.yaml")), "{left:?}");
}
