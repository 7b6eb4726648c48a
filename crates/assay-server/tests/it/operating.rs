//! What operators see: the log, metrics, readiness, and a backup of a service that goes on.

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use assay_server::{LogFormat, Role, ServeOptions};
use serde_json::{Value, json};

use crate::context::{Home, Running};
use crate::incoming_hooks::{generic, now};
use crate::outgoing_hooks::{SECRET, hook};
use crate::receiver::Receiver;
use crate::restart::hurried;

fn logged(home: &Home) -> Running {
    Running::with(home, ServeOptions { log: LogFormat::Json, ..hurried() })
}

fn lines(service: &Running) -> Vec<Value> {
    service.log().iter().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Waits for an event in the log.
#[track_caller]
fn wait_for(service: &Running, event: &str) -> Value {
    let begun = Instant::now();
    loop {
        if let Some(found) = lines(service).into_iter().find(|line| line["event"] == event) {
            return found;
        }
        assert!(begun.elapsed() < Duration::from_secs(20), "no {event} in {:?}", service.log());
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn the_log_says_what_happened_by_name_and_holds_no_secret() {
    let home = Home::new();
    let receiver = Receiver::start(|_| 500);
    let service = logged(&home);
    assert_eq!(wait_for(&service, "service.started")["address"], service.address.to_string());
    service.post("/server/webhooks/outgoing", &hook("team", &receiver, json!({}))).with(201);
    let incoming = json!({ "name": "own", "secret": SECRET, "source": "generic", "work": { "run": {} } });
    service.post("/server/webhooks/incoming", &incoming.to_string()).with(201);
    let schedule = json!({ "name": "often", "cron": "* * * * * *", "work": { "run": {} }, "overlap": true });
    service.post("/server/schedules", &schedule.to_string()).with(201);
    service.gate.open(1_000_000);
    let run = service.post("/server/runs", "{}").with(202).json()["run"].clone();
    let accepted = wait_for(&service, "order.accepted");
    assert_eq!((&accepted["run"], &accepted["by"]), (&run, &json!("user ada")));
    assert_eq!(wait_for(&service, "order.begun")["kind"], "run");
    assert_eq!(wait_for(&service, "order.ended")["status"], "ended");
    assert_eq!(generic(service.address, "own", "d-1", now(), r#"{"status":"failed"}"#).status, 202);
    assert_eq!(wait_for(&service, "delivery.accepted")["webhook"], "own");
    assert_eq!(wait_for(&service, "schedule.tick")["schedule"], "often");
    assert_eq!(wait_for(&service, "message.refused")["answer"], 500);
    assert_eq!(wait_for(&service, "message.dead")["level"], "error");
    let token = home.tokens().create("reader", Role::Read).unwrap().secret;
    let bearer = format!("Bearer {token}");
    service.ask("POST", "/server/runs", &[("Authorization", &bearer)], "{}").with(403);
    let guess = [("Authorization", "Bearer assay_1_a-guess")];
    service.ask("GET", "/server/runs?secret=in-a-query", &guess, "").with(401);
    let refused: Vec<Value> =
        lines(&service).into_iter().filter(|line| line["event"] == "request.refused").collect();
    assert!(refused.iter().any(|line| line["status"] == 403 && line["route"] == "start_run"), "{refused:?}");
    assert!(
        refused.iter().any(|line| line["status"] == 401 && line["path"] == "/server/runs"),
        "{refused:?}"
    );
    let whole = service.log().join("\n");
    for secret in [SECRET, &token, "a-guess", "in-a-query", &receiver.address.to_string()] {
        assert!(!whole.contains(secret), "the log holds `{secret}`:\n{whole}");
    }
    assert!(lines(&service).iter().all(|line| line["time"].is_string() && line["level"].is_string()));
}

#[test]
fn whoever_watches_a_service_that_stops_sees_that_it_takes_no_more_work() {
    let home = Home::new();
    let service = logged(&home);
    let run = service.post("/server/runs", "{}").with(202).json()["run"].as_str().unwrap().to_string();
    service.gate.open(1);
    service.wait_for(&format!("/server/runs/{run}"), |run| run["status"] == "running");
    service.gate.hold(true);
    service.begin_to_stop();
    // The run is to be paused first, and takes its time.
    wait_for(&service, "service.stopping");
    let begun = Instant::now();
    let ready = loop {
        let ready = service.ask("GET", "/ready", &[], "");
        if ready.status == 503 {
            break ready;
        }
        assert!(begun.elapsed() < Duration::from_secs(20), "{}", ready.text());
    };
    assert_eq!(ready.json()["ready"], false);
    service.ask("GET", "/health", &[], "").with(200);
    assert!(service.ask("GET", "/metrics", &[], "").text().contains("assay_ready 0"));
    let other = service.ask("POST", "/server/runs", &[], "{}").with(503);
    assert_eq!(other.json()["code"], "stopped");
    assert!(other.header("retry-after").is_some());
    service.gate.hold(false);
    service.stop();
    assert_eq!(home.coordinator().run_named(&run).unwrap().status.name(), "paused");
}

/// The reader that Prometheus itself offers.
const READER: &str = r"
import sys
from prometheus_client.parser import text_string_to_metric_families
for family in text_string_to_metric_families(sys.stdin.read()):
    assert family.documentation, family.name
    assert family.type in ('counter', 'gauge', 'histogram'), family
    print(family.type, family.name, len(family.samples))
";

#[test]
fn the_reader_of_prometheus_understands_the_metrics() {
    let home = Home::new();
    let service = Running::start(&home);
    service.gate.open(2);
    let run = service.post("/server/runs", "{}").with(202).json()["run"].as_str().unwrap().to_string();
    service.wait_for(&format!("/server/runs/{run}"), |run| run["status"] == "finished");
    service.ask("GET", "/nowhere", &[("Via", "x")], "").with(401);
    service.wait_for("/server/orders?status=begun", |page| page["items"] == json!([]));
    let answer = service.ask("GET", "/metrics", &[], "").with(200);
    assert_eq!(answer.header("content-type"), Some("text/plain; version=0.0.4; charset=utf-8"));
    let packages = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/server-python");
    let mut reader = Command::new("python3")
        .env("PYTHONPATH", packages)
        .args(["-c", READER])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    reader.stdin.take().unwrap().write_all(&answer.body).unwrap();
    let read = reader.wait_with_output().unwrap();
    let (found, trouble) = (String::from_utf8_lossy(&read.stdout), String::from_utf8_lossy(&read.stderr));
    assert!(read.status.success(), "{trouble}\nhint: scripts/ensure-packages installs the reader");
    for expected in [
        "gauge assay_build_info 1",
        "gauge assay_ready 1",
        "counter assay_requests ",
        "histogram assay_request_duration_seconds ",
        "counter assay_requests_turned_away 1",
        "counter assay_orders_ended 1",
        "gauge assay_orders_waiting 1",
        "gauge assay_runs_under_way 1",
        "gauge assay_followers 1",
        "gauge assay_messages 2",
        "gauge process_start_time_seconds 1",
        "gauge process_resident_memory_bytes 1",
        "gauge process_open_fds 1",
    ] {
        assert!(found.lines().any(|line| line.starts_with(expected)), "{expected}:\n{found}");
    }
}

#[test]
fn only_admins_take_a_backup_and_it_is_whole_while_the_service_goes_on() {
    let home = Home::new();
    let service = Running::start(&home);
    service.gate.open(2);
    let run = service.post("/server/runs", "{}").with(202).json()["run"].as_str().unwrap().to_string();
    service.wait_for(&format!("/server/runs/{run}"), |run| run["status"] == "finished");
    let bearer = format!("Bearer {}", home.tokens().create("ci", Role::Run).unwrap().secret);
    service.ask("POST", "/server/backup", &[("Authorization", &bearer)], "").with(403);
    let answer = service.ask("POST", "/server/backup", &[], "").with(200);
    assert_eq!(answer.header("content-type"), Some("application/x-tar"));
    assert!(answer.header("content-disposition").unwrap().contains(".tar"));
    let file = home.0.join("backup.tar");
    std::fs::write(&file, &answer.body).unwrap();
    let report = assay_host::check_backup(&file).unwrap();
    assert_eq!((report.info.project.as_str(), report.info.has_results), ("Shop", true));
    assert!(report.files >= 3, "{report:?}");
    std::fs::write(&file, &answer.body[..answer.body.len() - 700]).unwrap();
    assert!(assay_host::check_backup(&file).is_err());
    let without = service.ask("POST", "/server/backup?results=false", &[], "").with(200);
    assert!(without.body.len() < answer.body.len());
    assert_eq!(service.get("/server/audit")["items"][0]["path"], "/server/backup");
    // Nothing of it is left lying.
    let left = std::fs::read_dir(home.project().join(".assay")).unwrap().flatten();
    assert!(left.map(|entry| entry.file_name()).all(|name| !name.to_string_lossy().contains("backup")));
}
