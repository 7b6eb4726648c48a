//! A service that is stopped or dies: what it accepted is carried out once, or told as interrupted.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use assay_coordinator::OrderStatus;
use assay_server::{Limits, ServeOptions};
use serde_json::json;

use crate::client::ask;
use crate::context::{Home, Running};

const FOLDER: &str = "ASSAY_SERVER_TEST_FOLDER";
const STEPS: &str = "ASSAY_SERVER_TEST_STEPS";

/// Does nothing, unless this process was started to be a service that is killed.
#[test]
fn plays_a_service() {
    let Ok(folder) = std::env::var(FOLDER) else { return };
    // Its folder belongs to the test that started it.
    let home = std::mem::ManuallyDrop::new(Home(PathBuf::from(folder)));
    let service = Running::with(&home, hurried());
    service.gate.open(std::env::var(STEPS).unwrap().parse().unwrap());
    println!("\n@ {}", service.address);
    std::thread::sleep(Duration::from_secs(60));
}

/// A service that is killed.
pub struct Doomed(Child);

impl Doomed {
    pub fn kill(mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

impl Drop for Doomed {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Messages are sent again soon, and are given up soon.
pub fn hurried() -> ServeOptions {
    let limits = Limits { first_retry: Duration::from_millis(20), message_attempts: 4, ..Limits::default() };
    ServeOptions { limits, ..ServeOptions::default() }
}

/// `steps` are those of its runs that may happen.
pub fn doomed(home: &Home, steps: usize) -> (Doomed, std::net::SocketAddr) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "restart::plays_a_service", "--nocapture"])
        .env(FOLDER, &home.0)
        .env(STEPS, steps.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let said = lines.map_while(Result::ok).find_map(|line| line.strip_prefix("@ ").map(str::to_string));
    (Doomed(child), said.unwrap().parse().unwrap())
}

#[test]
fn what_a_killed_service_accepted_is_carried_out_once_or_told_as_interrupted() {
    let home = Home::new();
    let (child, address) = doomed(&home, 1);
    let key = [("Idempotency-Key", "k1")];
    let start = |key: &[(&str, &str)]| ask(address, "POST", "/server/runs", key, "{}").with(202).json();
    let (first, second) = (start(&[]), start(&key));
    // The first has begun, the second waits.
    let begun = std::time::Instant::now();
    while !home.coordinator().has_run(first["run"].as_str().unwrap()).unwrap() {
        assert!(begun.elapsed().as_secs() < 20);
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill();

    let service = Running::start(&home);
    // The key is still that of the second, which is carried out once.
    let again = service.ask("POST", "/server/runs", &key, "{}").with(202).json();
    assert_eq!(again["run"], second["run"]);
    service.gate.open(2);
    let second = second["run"].as_str().unwrap();
    service.wait_for(&format!("/server/runs/{second}"), |run| run["status"] == "finished");
    let first = first["run"].as_str().unwrap();
    let order = service.get("/server/orders?status=interrupted");
    assert_eq!(order["items"][0]["run"], first);
    assert_eq!(service.get(&format!("/server/runs/{first}"))["status"], "paused");
    assert_eq!(home.coordinator().runs().unwrap().len(), 2);
    // And it can go on.
    service.post(&format!("/server/runs/{first}/resume"), "{}").with(202);
    service.gate.open(2);
    service.wait_for(&format!("/server/runs/{first}"), |run| run["status"] == "finished");
}

#[test]
fn a_service_that_is_stopped_pauses_what_is_under_way_and_keeps_what_waits() {
    let home = Home::new();
    let service = Running::start(&home);
    let start = || service.post("/server/runs", "{}").with(202).json()["run"].as_str().unwrap().to_string();
    let (first, second) = (start(), start());
    service.gate.open(1);
    service.wait_for(&format!("/server/runs/{first}"), |run| run["status"] == "running");
    service.stop();
    let coordinator = home.coordinator();
    assert_eq!(coordinator.run_named(&first).unwrap().status.name(), "paused");
    let status = |run: &str| coordinator.order_named(run).unwrap().unwrap().status;
    assert_eq!((status(&first), status(&second)), (OrderStatus::Interrupted, OrderStatus::Accepted));
    let service = Running::start(&home);
    service.gate.open(2);
    service.wait_for(&format!("/server/runs/{second}"), |run| run["status"] == "finished");
    assert_eq!(service.get("/server/runs")["waiting"], json!([]));
}
