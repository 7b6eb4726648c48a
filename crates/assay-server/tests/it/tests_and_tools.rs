//! Test files, tools, keys and the other lists.

use serde_json::json;

use crate::context::{Home, Running, read};

const FILE: &str = "/server/tests/file";

#[test]
fn tests_are_listed_with_their_mistakes() {
    let home = Home::new();
    home.write("tests/broken.yaml", "test: 7\nstepz: []\n");
    let service = Running::start(&home);
    let tests = service.get("/server/tests");
    assert_eq!(tests["suite"], "Shop");
    assert_eq!(tests["items"][0]["id"], "login");
    assert!(tests["problems"][0].as_str().unwrap().contains("broken.yaml"), "{tests}");
    assert_eq!(service.get("/server/tests?tag=other")["items"], json!([]));
}

#[test]
fn a_test_file_is_written_only_where_nobody_else_has_changed_it() {
    let home = Home::new();
    let service = Running::start(&home);
    let known = service.get(&format!("{FILE}?path=tests/login.yaml"));
    let version = known["version"].as_str().unwrap();
    let save = |body: serde_json::Value| service.ask("PUT", FILE, &[], &body.to_string());
    save(json!({"path": "tests/login.yaml", "text": "test: New\n"})).with(409);
    let changed = json!({"path": "tests/login.yaml", "text": "test: New\n", "version": version});
    let saved = save(changed.clone()).with(200).json();
    assert_eq!(read(&home.project().join("tests/login.yaml")), "test: New\n");
    let conflict = save(changed).with(409).json();
    assert_eq!((&conflict["code"], &conflict["version"]), (&json!("conflict"), &saved["version"]));
    let broken = save(json!({"path": "tests/new.yaml", "text": "broken"})).with(422).json();
    assert_eq!(broken["detail"], "error: new.yaml:1: expected a test");
    assert!(!home.project().join("tests/new.yaml").exists());
    for path in ["../x.yaml", "/etc/x.yaml", "assay.yaml", ".git/x.yaml", "x.txt", "a.lock.yaml"] {
        save(json!({"path": path, "text": "test: X\n"})).with(400);
        service.ask("GET", &format!("{FILE}?path={path}"), &[], "").with(400);
    }
    service.ask("GET", &format!("{FILE}?path=tests/none.yaml"), &[], "").with(404);
    let checked = service.post("/server/tests/check", r#"{"text": "test: X\n"}"#).with(200).json();
    assert_eq!(checked["tests"], json!([{"id": "login"}]));
    service.post("/server/tests/check", r#"{"text": "broken"}"#).with(422);
    let left: Vec<_> =
        std::fs::read_dir(home.project()).unwrap().flatten().map(|entry| entry.file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().contains("draft")), "{left:?}");
}

#[test]
fn a_deleted_test_file_can_be_brought_back() {
    let home = Home::new();
    let service = Running::start(&home);
    let version = service.get(&format!("{FILE}?path=tests/login.yaml"))["version"].clone();
    let delete = |version: &serde_json::Value| {
        let body = json!({"path": "tests/login.yaml", "version": version});
        service.ask("DELETE", FILE, &[], &body.to_string())
    };
    delete(&json!("0000")).with(409);
    let binned = delete(&version).with(200).json();
    assert!(!home.project().join("tests/login.yaml").exists());
    assert_eq!(service.get("/server/tests/bin")["items"][0], binned);
    delete(&version).with(404);
    let restore =
        |entry: &str| service.post("/server/tests/bin/restore", &json!({"entry": entry}).to_string());
    restore("../../x").with(404);
    restore(binned["entry"].as_str().unwrap()).with(200);
    assert!(read(&home.project().join("tests/login.yaml")).starts_with("test: Login"));
    assert_eq!(service.get("/server/tests/bin")["items"], json!([]));
}

#[test]
fn tools_are_called_by_name_and_ask_for_consent() {
    let home = Home::new();
    let service = Running::start(&home);
    let tools = service.get("/server/tools");
    assert!(tools["items"].as_array().unwrap().iter().any(|tool| tool["name"] == "load_testcase"));
    let call = |name: &str, body: serde_json::Value| {
        service.post(&format!("/server/tools/{name}"), &body.to_string())
    };
    let loaded = call("load_testcase", json!({"arguments": {"path": "tests/login.yaml"}})).with(200).json();
    assert_eq!((&loaded["is_error"], &loaded["value"]["path"]), (&json!(false), &json!("tests/login.yaml")));
    assert_eq!(call("load_testcase", json!({"arguments": {"path": 7}})).with(200).json()["is_error"], true);
    call("no_such_tool", json!({})).with(404);
    let asks = call("assay", json!({"arguments": {"arguments": "eval 1"}})).with(403).json();
    assert_eq!(
        (&asks["code"], &asks["question"]),
        (&json!("consent_needed"), &json!("`assay eval 1` reaches beyond the project"))
    );
    let wrong = json!({"arguments": {"arguments": "eval 1"}, "consent": "anything else"});
    call("assay", wrong).with(403);
    let agreed = json!({"arguments": {"arguments": "eval 1"}, "consent": asks["question"]});
    assert_eq!(call("assay", agreed).with(200).json()["exit_code"], 0);
    assert_eq!(service.get("/server/tools/sessions")["items"], json!([""]));
}

#[test]
fn a_key_of_a_model_service_is_kept_and_never_given_back() {
    use std::os::unix::fs::PermissionsExt;
    let home = Home::new();
    let service = Running::start(&home);
    let key = "sk-very-secret";
    let answer = service.post("/server/agent/api-key", &json!({"api_key": key}).to_string()).with(200);
    assert!(!answer.text().contains(key));
    let file = home.0.join("config/keys/anthropic");
    assert_eq!(read(&file), key);
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(
        service.get("/server/agent/api-key")["items"],
        json!([{"provider": "anthropic", "is_set": true}])
    );
    for wrong in
        [json!({"api_key": ""}), json!({"api_key": "a b"}), json!({"provider": "../x", "api_key": "k"})]
    {
        service.post("/server/agent/api-key", &wrong.to_string()).with(400);
    }
    let with_key = [("Idempotency-Key", "k")];
    service.ask("POST", "/server/agent/api-key", &with_key, &json!({"api_key": key}).to_string()).with(400);
    let state = std::fs::read(home.project().join(".assay/state.db")).unwrap();
    assert!(!state.windows(key.len()).any(|part| part == key.as_bytes()));
}

#[test]
fn conversations_are_opened_looked_at_and_ended() {
    let home = Home::new();
    let service = Running::start(&home);
    let health = service.get("/server/agent/health");
    assert_eq!((&health["status"], &health["has_model"]), (&json!("ok"), &json!(false)));
    let sessions = "/server/agent/sessions";
    service.post(sessions, r#"{"agent": "nobody"}"#).with(400);
    let session = service.post(sessions, r#"{"title": "Login"}"#).with(201).json();
    assert_eq!((&session["agent"], &session["status"]), (&json!("assistant"), &json!("idle")));
    let path = format!("{sessions}/{}", session["session_id"]);
    assert_eq!(service.get(&path), session);
    assert_eq!(service.get(sessions)["items"][0], session);
    assert_eq!(service.get(&format!("{path}/entries"))["items"], json!([]));
    // Nothing waits for a decision.
    service.post(&format!("{path}/approve"), r#"{"approved": true}"#).with(409);
    assert_eq!(service.ask("DELETE", &path, &[], "").with(200).json()["status"], "ended");
    service.ask("GET", &format!("{sessions}/99"), &[], "").with(404);
}

#[test]
fn a_conversation_works_without_a_model_and_is_stopped_and_cleared() {
    let home = Home::new();
    let service = Running::start(&home);
    let session = service.post("/server/agent/sessions", "{}").with(201).json();
    assert_eq!(session["model"], json!(null));
    let path = format!("/server/agent/sessions/{}", session["session_id"]);
    let say = |message: &str| {
        let order = service.post(&format!("{path}/messages"), &json!({"message": message}).to_string());
        let order = order.with(202).json()["order"].clone();
        service.wait_for(&format!("/server/orders/{order}"), |order| {
            order["status"] == "ended" || order["status"] == "failed"
        })
    };
    assert_eq!(say("Run login")["status"], "ended");
    let types = || {
        let entries = service.get(&format!("{path}/entries?limit=500"));
        let items = entries["items"].as_array().unwrap().clone();
        items
            .iter()
            .map(|entry| entry["body"]["type"].as_str().unwrap_or("-").to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(types(), ["-", "session_started", "message", "session_ended"]);
    assert_eq!(service.post(&format!("{path}/clear"), "").with(200).json()["status"], "idle");
    assert_eq!(
        service.post(&format!("{path}/stop"), "").with(200).json()["status"],
        "idle",
        "it has no turn"
    );
    // Whoever listens hears of the end of a turn that told of none.
    assert_eq!(say("die")["status"], "failed");
    assert_eq!(types()[5..], ["-", "session_started", "error", "session_ended"]);
    service.post("/server/agent/sessions/99/stop", "").with(404);
}

#[test]
fn events_are_published_once_and_listed() {
    let home = Home::new();
    let service = Running::start(&home);
    let event = r#"{"type": "webhook.ci_failure", "key": "build-7", "payload": {"build": 7}}"#;
    let first = service.post("/server/events", event).with(201).json();
    let again = service.post("/server/events", event).with(201).json();
    assert_eq!((&again["number"], &again["is_duplicate"]), (&first["number"], &json!(true)));
    let listed = service.get("/server/events?type=webhook.ci_failure");
    assert_eq!(listed["items"][0]["payload"], json!({"build": 7}));
    service.post("/server/events", r#"{"type": "no spaces"}"#).with(422);
    service.post("/server/events", r#"{"type": "a.b", "priority": "soon"}"#).with(400);
}

#[test]
fn the_other_lists_answer_for_an_empty_project() {
    let home = Home::new();
    let service = Running::start(&home);
    for path in ["/server/incidents", "/server/requirements", "/server/trees", "/server/devices"] {
        assert_eq!(service.get(path)["items"], json!([]), "{path}");
    }
    assert_eq!(service.get("/server/hosts")["items"][0]["machine"], "box");
    assert_eq!(service.get("/server/coverage")["requirements"], 0);
    service.ask("GET", "/server/trees/..%2f..%2fetc", &[], "").with(404);
    service.ask("GET", "/server/incidents/1", &[], "").with(404);
    service.ask("GET", "/server/devices/none", &[], "").with(404);
}
