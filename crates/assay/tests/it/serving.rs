//! The service, as the binary offers it: real runs over HTTP, tokens, and what a killed service leaves.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::context::Context;

pub struct Service {
    child: Child,
    address: String,
}

impl Service {
    pub fn start(context: &Context) -> Service {
        Service::of(context.command(&["serve", "--port", "0"]))
    }

    /// Started by this command.
    pub fn of(mut command: Command) -> Service {
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
        let address = lines.find_map(|line| {
            let address = line.strip_prefix("assay: http://")?;
            Some(address.split(' ').next().unwrap_or(address).to_string())
        });
        // What it says later must not stop it.
        std::thread::spawn(move || lines.for_each(drop));
        Service { child, address: address.unwrap() }
    }

    /// The whole answer to a request without a body.
    pub fn bytes(&self, method: &str, path: &str) -> (u16, Vec<u8>) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        // As HTTP/1.0: the end of the body is that of the connection.
        write!(stream, "{method} {path} HTTP/1.0\r\nHost: {}\r\nContent-Length: 0\r\n\r\n", self.address)
            .unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let end = answer.windows(4).position(|window| window == b"\r\n\r\n").unwrap();
        let status = String::from_utf8_lossy(&answer[9..12]).parse().unwrap();
        (status, answer.split_off(end + 4))
    }

    pub fn ask(&self, method: &str, path: &str, body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        )
        .unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap();
        (status, body.to_string())
    }

    #[track_caller]
    pub fn json(&self, method: &str, path: &str, body: &str, status: u16) -> Value {
        let (found, text) = self.ask(method, path, body);
        assert_eq!(found, status, "{method} {path}: {text}");
        serde_json::from_str(&text).unwrap()
    }

    #[track_caller]
    fn wait_for(&self, path: &str, is_it: impl Fn(&Value) -> bool) -> Value {
        let begun = Instant::now();
        loop {
            let (status, text) = self.ask("GET", path, "");
            let value: Value = serde_json::from_str(&text).unwrap();
            if status == 200 && is_it(&value) {
                return value;
            }
            assert!(begun.elapsed() < Duration::from_secs(90), "{text}");
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    fn start_run(&self, body: &str) -> String {
        let order = self.json("POST", "/server/runs", body, 202);
        order["run"].as_str().unwrap().to_string()
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// As an interrupt at the terminal.
    pub fn interrupt(mut self) -> i32 {
        // SAFETY: a plain system call; the child has not been waited for, so its number is its own.
        unsafe { libc::kill(self.child.id() as i32, libc::SIGINT) };
        self.child.wait().unwrap().code().unwrap_or(-1)
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn project(context: &Context, steps: &str) {
    let folder = context.folder();
    std::fs::create_dir_all(folder.join("tests")).unwrap();
    std::fs::write(folder.join("assay.yaml"), "suite: Shop\n").unwrap();
    let text = format!(
        "test: Look\nsteps:\n- Open {}\n{steps}expected:\n- The heading \"Welcome\" is shown\n",
        context.url("/login")
    );
    std::fs::write(folder.join("tests/look.yaml"), text).unwrap();
}

#[test]
fn a_run_is_started_followed_and_looked_at_over_http() {
    let context = Context::new();
    project(&context, "");
    assert!(context.ok(&["serve", "--check", "--port", "0"]).contains("1 tests, 0 mistakes, 0 tokens"));
    let service = Service::start(&context);
    let run = service.start_run(r#"{"paths": ["tests/look.yaml"], "workers": 1}"#);
    let done = service.wait_for(&format!("/server/runs/{run}"), |run| run["status"] == "finished");
    assert_eq!(done["results"].as_array().unwrap().len(), 1, "{done}");
    let (_, events) = service.ask("GET", &format!("/server/runs/{run}/events"), "");
    assert!(events.contains("\"event\":\"run-started\"") && events.contains("event: end"), "{events}");
    let (status, report) = service.ask("GET", &format!("/server/runs/{run}/artifacts/report.html"), "");
    assert!(status == 200 && report.contains("<html"), "{status}");
    // What reaches beyond the project is no run of a service.
    for body in [r#"{"paths": ["/etc"]}"#, r#"{"paths": ["../.."]}"#, r#"{"budget": "100"}"#] {
        let (status, text) = service.ask("POST", "/server/runs", body);
        assert!(matches!(status, 403 | 422), "{body}: {status} {text}");
    }
    // The command line knows the run as well.
    assert!(context.ok(&["report", "list"]).contains("Shop"));
    assert_eq!(service.interrupt(), 0);
}

#[test]
fn a_killed_service_tells_what_was_cut_off_and_the_next_one_goes_on() {
    let context = Context::new();
    project(&context, "- Wait 4 seconds\n");
    let mut service = Service::start(&context);
    let run = service.start_run("{}");
    service
        .wait_for(&format!("/server/runs/{run}/history"), |page| page["items"].as_array().unwrap().len() > 1);
    service.child.kill().unwrap();
    service.child.wait().unwrap();
    let service = Service::start(&context);
    let order = service.json("GET", "/server/orders?status=interrupted", "", 200);
    assert_eq!(order["items"][0]["run"], run.as_str());
    service.json("POST", &format!("/server/runs/{run}/resume"), "{}", 202);
    let done = service.wait_for(&format!("/server/runs/{run}"), |run| run["status"] == "finished");
    assert_eq!(done["results"].as_array().unwrap().len(), 1, "{done}");
    assert_eq!(service.json("GET", "/server/runs", "", 200)["items"].as_array().unwrap().len(), 1);
}

#[test]
fn tokens_are_made_listed_and_revoked() {
    let context = Context::new();
    let refused = context.fails(2, &["serve", "--address", "0.0.0.0", "--port", "0"]);
    assert!(refused.contains("there is no token for them"), "{refused}");
    let made = context.json(&["serve", "token", "create", "ci", "--role", "read"]);
    let secret = made["data"]["secret"].as_str().unwrap();
    assert!(secret.starts_with("assay_"));
    let listed = context.json(&["serve", "token", "list"]);
    assert_eq!(listed["data"]["tokens"][0]["name"], json!("ci"));
    assert!(!listed.to_string().contains(secret));
    context.ok(&["serve", "token", "revoke", "ci"]);
    context.fails(2, &["serve", "token", "revoke", "ci"]);
    context.fails(2, &["serve", "token", "create", "x", "--role", "owner"]);
}
