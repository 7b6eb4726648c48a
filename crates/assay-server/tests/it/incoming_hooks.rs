//! Deliveries of other systems: signed rightly, wrongly, again, and too late.

use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt;
use std::time::{SystemTime, UNIX_EPOCH};

use assay_server::{Limits, Role, ServeOptions};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::hmac;
use serde_json::{Value, json};

use crate::client::{Answer, ask};
use crate::context::{Home, Running};

const ALL: &str = "/server/webhooks/incoming";
const SECRET: &str = "0123456789abcdef0123";

fn make(service: &Running, name: &str, more: Value) {
    let mut new = json!({ "name": name, "secret": SECRET });
    for (key, value) in more.as_object().unwrap() {
        new[key] = value.clone();
    }
    let made = service.post(ALL, &new.to_string()).with(201);
    assert_eq!(made.json()["path"], format!("/server/hooks/{name}"));
    assert!(!made.text().contains(SECRET));
}

fn tag(text: &[u8], secret: &str) -> Vec<u8> {
    hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes()), text).as_ref().to_vec()
}

fn github(address: SocketAddr, hook: &str, id: &str, event: &str, body: &str, secret: &str) -> Answer {
    let digits: String = tag(body.as_bytes(), secret).iter().map(|byte| format!("{byte:02x}")).collect();
    let signature = format!("sha256={digits}");
    let headers =
        [("X-Hub-Signature-256", signature.as_str()), ("X-GitHub-Event", event), ("X-GitHub-Delivery", id)];
    ask(address, "POST", &format!("/server/hooks/{hook}"), &headers, body)
}

pub fn generic(address: SocketAddr, hook: &str, id: &str, at: u64, body: &str) -> Answer {
    let signed = format!("{id}.{at}.{body}");
    let signature = format!("v1,{}", STANDARD.encode(tag(signed.as_bytes(), SECRET)));
    let at = at.to_string();
    let headers =
        [("webhook-id", id), ("webhook-timestamp", at.as_str()), ("webhook-signature", signature.as_str())];
    ask(address, "POST", &format!("/server/hooks/{hook}"), &headers, body)
}

pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs()
}

fn failed_build(number: u32) -> String {
    json!({
        "action": "completed", "repository": { "full_name": "shop/web" },
        "workflow_run": { "id": number, "name": "CI", "conclusion": "failure", "head_branch": "main" },
    })
    .to_string()
}

#[test]
fn a_failed_build_becomes_an_event_once() {
    let home = Home::new();
    let service = Running::start(&home);
    make(&service, "ci", json!({ "source": "github" }));
    let deliver =
        |id: &str, body: &str, secret: &str| github(service.address, "ci", id, "workflow_run", body, secret);
    let body = failed_build(1);
    let taken = deliver("d-1", &body, SECRET).with(202).json();
    let events = service.get("/server/events?type=webhook.ci_failure");
    let event = &events["items"][0];
    assert_eq!(event["number"], taken["event"]);
    let facts = &event["payload"]["delivery"];
    assert_eq!(
        (&facts["repository"], &facts["branch"], &facts["webhook"]),
        (&json!("shop/web"), &json!("main"), &json!("ci"))
    );
    // The same again, and the same body under another name, which the signature does not cover.
    assert_eq!(deliver("d-1", &body, SECRET).with(409).json()["code"], "conflict");
    deliver("d-2", &body, SECRET).with(409);
    // Signed with another secret, not signed, or changed on the way.
    for wrong in [deliver("d-3", &failed_build(2), "another secret"), deliver("d-4", "{}", "")] {
        assert_eq!(wrong.with(401).json()["code"], "unauthorized");
    }
    service.post("/server/hooks/ci", &body).with(401);
    github(service.address, "nobody", "d-5", "workflow_run", &body, SECRET).with(401);
    assert_eq!(service.get("/server/events")["items"].as_array().unwrap().len(), 1);
    let success = failed_build(3).replace("failure", "success");
    let nothing = deliver("d-6", &success, SECRET).with(202).json();
    assert_eq!(nothing, json!({ "delivery": "d-6" }));
    github(service.address, "ci", "d-7", "ping", r#"{"zen": "x"}"#, SECRET).with(202);
    let told = service.get(&format!("{ALL}/ci/deliveries"));
    let told: Vec<&Value> = told["items"].as_array().unwrap().iter().map(|one| &one["delivery"]).collect();
    assert_eq!(told, [&json!("d-6"), &json!("d-1")]);
    let log = service.get("/server/audit");
    let who: Vec<&Value> = log["items"].as_array().unwrap().iter().map(|entry| &entry["who"]).collect();
    assert_eq!(
        who.iter().filter(|who| **who == &json!("webhook ci")).count(),
        5,
        "refusals are not entered: {log}"
    );
}

#[test]
fn a_delivery_of_gitlab_may_begin_a_run() {
    let home = Home::new();
    let service = Running::start(&home);
    make(
        &service,
        "deploy",
        json!({ "source": "gitlab", "when": "success", "work": { "run": { "tags": ["smoke"] } } }),
    );
    let body = r#"{"object_kind": "deployment", "status": "success", "environment": "staging"}"#;
    let deliver = |token: &str, id: &str| {
        // GitLab sends this header in every attempt.
        let headers = [("X-Gitlab-Token", token), ("Idempotency-Key", id), ("X-Gitlab-Event-UUID", "u-1")];
        service.ask("POST", "/server/hooks/deploy", &headers, body)
    };
    deliver("wrong", "k-1").with(401);
    deliver("", "k-1").with(401);
    let taken = deliver(SECRET, "k-1").with(202).json();
    let order = service.get(&format!("/server/orders/{}", taken["order"]));
    assert_eq!(order["by"], "webhook deploy");
    assert!(order["command"].as_str().unwrap().contains("--tag=smoke"), "{order}");
    deliver(SECRET, "k-1").with(409);
    deliver(SECRET, "k-2").with(202);
    assert_eq!(service.get("/server/orders")["items"].as_array().unwrap().len(), 2);
}

#[test]
fn a_signature_is_believed_for_some_minutes() {
    let home = Home::new();
    let service = Running::start(&home);
    make(&service, "own", json!({ "source": "generic" }));
    let body = r#"{"status": "failed", "title": "nightly build"}"#;
    let deliver = |id: &str, at: u64| generic(service.address, "own", id, at, body);
    deliver("a", now()).with(202);
    deliver("a", now()).with(409);
    deliver("b", now() - 280).with(202);
    deliver("c", now() - 310).with(401);
    deliver("d", now() + 310).with(401);
    deliver("e", 0).with(401);
    deliver(&"x".repeat(101), now()).with(400);
    assert_eq!(service.get("/server/events")["items"].as_array().unwrap().len(), 2);
}

#[test]
fn no_page_delivers_and_no_signature_opens_another_door() {
    let home = Home::new();
    let limits = Limits { requests_a_second: 0.001, requests_at_once: 12.0, ..Limits::default() };
    let service = Running::with(&home, ServeOptions { limits, ..ServeOptions::default() });
    make(&service, "own", json!({ "source": "generic" }));
    let own = format!("http://{}", service.address);
    let ask =
        |method: &str, path: &str, header: (&str, &str)| service.ask(method, path, &[header], "{}").status;
    assert_eq!(ask("POST", "/server/hooks/own", ("Origin", &own)), 403);
    assert_eq!(ask("POST", "/server/hooks/own", ("Sec-Fetch-Site", "same-origin")), 403);
    assert_eq!(ask("POST", "/server/hooks/own", ("Host", "evil.example")), 403);
    // Somebody who is forwarded needs a token everywhere else.
    let forwarded = ("X-Forwarded-For", "10.0.0.1");
    assert_eq!(ask("POST", "/server/hooks/own", forwarded), 401);
    for (method, path) in [
        ("GET", "/server/hooks/own"),
        ("POST", "/server/hooks/own/x"),
        ("POST", "/server/hooks/../runs"),
        ("POST", "/server/runs"),
        ("GET", ALL),
    ] {
        let answer = service.ask(method, path, &[forwarded], "{}").with(401);
        assert!(answer.text().contains("bearer token"), "{method} {path}: {}", answer.text());
    }
    // Deliveries have a rate of their own, and what is large is not read.
    let large = format!("{{\"x\": \"{}\"}}", "x".repeat(1024 * 1024));
    service.post("/server/hooks/own", &large).with(413);
    let statuses: Vec<u16> = (0..14).map(|_| service.post("/server/hooks/own", "{}").status).collect();
    assert_eq!(statuses.last(), Some(&429), "{statuses:?}");
}

#[test]
fn wrong_signatures_do_not_keep_right_ones_out() {
    let home = Home::new();
    let service = Running::start(&home);
    make(&service, "own", json!({ "source": "generic" }));
    let statuses: Vec<u16> = (0..25).map(|_| service.post("/server/hooks/own", "{}").status).collect();
    assert_eq!((statuses[0], statuses.last()), (401, Some(&429)));
    generic(service.address, "own", "a", now(), r#"{"status": "failed"}"#).with(202);
}

#[test]
fn a_secret_is_kept_for_its_owner_and_never_given_back() {
    let home = Home::new();
    let service = Running::start(&home);
    make(&service, "own", json!({ "source": "generic" }));
    let file = home.project().join(".assay/hook-secrets/incoming/own");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), SECRET);
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    for path in [ALL.to_string(), format!("{ALL}/own"), format!("{ALL}/own/deliveries")] {
        assert!(!service.ask("GET", &path, &[], "").with(200).text().contains(SECRET));
    }
    let state = std::fs::read(home.project().join(".assay/state.db")).unwrap();
    assert!(!state.windows(SECRET.len()).any(|part| part == SECRET.as_bytes()));
    // Another secret from now on, and none at all while it is not enabled.
    let deliver = |id: &str| generic(service.address, "own", id, now(), r#"{"status": "failed"}"#).status;
    assert_eq!(deliver("a"), 202);
    let change = |change: Value| {
        service.ask("PUT", &format!("{ALL}/own"), &[], &change.to_string()).with(200);
    };
    change(json!({ "source": "generic", "secret": "another secret, long enough" }));
    assert_eq!(deliver("b"), 401);
    change(json!({ "source": "generic", "secret": SECRET }));
    assert_eq!(deliver("b"), 202);
    change(json!({ "source": "generic", "enabled": false }));
    assert_eq!(deliver("c"), 401);
    service.ask("DELETE", &format!("{ALL}/own"), &[], "").with(200);
    assert!(!file.exists());
    assert_eq!(deliver("d"), 401);
    for wrong in [
        json!({ "name": "x", "secret": "short", "source": "github" }),
        json!({ "name": "../x", "secret": SECRET, "source": "github" }),
        json!({ "name": "x", "secret": SECRET, "source": "elsewhere" }),
        json!({ "name": "x", "secret": SECRET, "source": "github", "whenever": "any" }),
    ] {
        service.post(ALL, &wrong.to_string()).with(400);
    }
    let run = format!("Bearer {}", home.tokens().create("run", Role::Run).unwrap().secret);
    let new = json!({ "name": "x", "secret": SECRET, "source": "github" }).to_string();
    service.ask("POST", ALL, &[("Authorization", &run)], &new).with(403);
}
