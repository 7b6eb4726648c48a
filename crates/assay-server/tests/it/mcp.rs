//! The Model Context Protocol at `/mcp`, as its official client speaks it.

use std::process::Command;

use assay_server::Role;
use serde_json::{Value, json};

use crate::context::{Home, Running};

const HERE: &str = env!("CARGO_MANIFEST_DIR");

/// Lets the official client list the tools, and call one that reads and one that drives a browser.
fn client(service: &Running, mode: &str, token: Option<&str>) -> Value {
    let mut python = Command::new("python3");
    python.env("PYTHONPATH", format!("{HERE}/../../target/mcp-python"));
    python.arg(format!("{HERE}/tests/clients/mcp_client.py")).arg(mode);
    python.arg(format!("http://{}/mcp", service.address)).args(token);
    let output = python.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let complained = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}{complained}\nhint: scripts/ensure-packages installs the client");
    serde_json::from_str(&said).unwrap()
}

#[test]
fn each_client_calls_what_its_role_allows_and_is_one_of_its_own() {
    let home = Home::new();
    let service = Running::start(&home);
    let token = |role: Role| home.tokens().create(role.name(), role).unwrap().secret;
    let (read, run) = (token(Role::Read), token(Role::Run));
    let mut clients = Vec::new();
    for (mode, token, role) in [
        ("legacy", None, "admin"),
        ("legacy", Some(run.as_str()), "run"),
        ("legacy", Some(read.as_str()), "read"),
        ("auto", Some(run.as_str()), "run"),
        ("auto", Some(read.as_str()), "read"),
    ] {
        let seen = client(&service, mode, token);
        assert_eq!(seen["tools"], json!(["click", "load_testcase"]));
        assert_eq!((&seen["reads"]["role"], &seen["reads"]["tool"]), (&json!(role), &json!("load_testcase")));
        match role {
            "read" => assert_eq!(seen["refused"], "`click` needs the role `run`; token read has `read`"),
            _ => assert_eq!(
                (&seen["drives"]["role"], &seen["drives"]["tool"]),
                (&json!(role), &json!("click"))
            ),
        }
        if mode == "legacy" {
            clients.push(seen["reads"]["client"].as_str().unwrap().to_string());
        }
    }
    // Each ended its session when it left, and its browser goes with it.
    let begun = std::time::Instant::now();
    while service.mcp.gone.lock().unwrap().len() < clients.len() {
        assert!(begun.elapsed().as_secs() < 20);
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert_eq!(*service.mcp.gone.lock().unwrap(), clients);
    let audit = service.get("/server/audit");
    let entries: Vec<(&str, u64)> = audit["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| (entry["who"].as_str().unwrap(), entry["status"].as_u64().unwrap()))
        .collect();
    let expected =
        [("token read", 403), ("token run", 200), ("token read", 403), ("token run", 200), ("user ada", 200)];
    assert_eq!(entries, expected);
}

#[test]
fn a_session_answers_nobody_else_and_pages_of_others_get_nothing() {
    let home = Home::new();
    let service = Running::start(&home);
    let token = |name: &str| format!("Bearer {}", home.tokens().create(name, Role::Run).unwrap().secret);
    let (one, other) = (token("one"), token("other"));
    let accept = ("Accept", "application/json, text/event-stream");
    let opening = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } } });
    let ask =
        |headers: &[(&str, &str)], body: &Value| service.ask("POST", "/mcp", headers, &body.to_string());
    let opened = ask(&[accept, ("Authorization", &one)], &opening).with(200);
    let session = opened.header("mcp-session-id").unwrap().to_string();
    let list = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list" });
    let of =
        |token: &str| ask(&[accept, ("Authorization", token), ("Mcp-Session-Id", &session)], &list).status;
    assert_eq!((of(&other), of(&one)), (404, 200));
    assert_eq!(ask(&[accept, ("Mcp-Session-Id", &session)], &list).status, 404, "the user is not the token");
    for (headers, status) in [
        (vec![accept, ("Origin", "http://evil.example")], 403),
        (vec![accept, ("Host", "evil.example")], 403),
        (vec![accept, ("X-Forwarded-For", "10.0.0.1")], 401),
        (vec![accept, ("Authorization", "Bearer assay_1_2")], 401),
    ] {
        ask(&headers, &opening).with(status);
    }
    home.tokens().revoke("one").unwrap();
    assert_eq!(of(&one), 401);
}
