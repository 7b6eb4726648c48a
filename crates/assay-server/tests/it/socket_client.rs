//! Clients of Socket.IO by those who make the protocol: a process each, in Python and in JavaScript.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};

use crate::context::Running;

const CLIENTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/clients");
const PACKAGES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target");

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Language {
    Python,
    JavaScript,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Way {
    Polling,
    Websocket,
    Upgrade,
}

/// Each client over each transport.
pub fn every_client() -> impl Iterator<Item = (Language, Way)> {
    let ways = [Way::Polling, Way::Websocket, Way::Upgrade];
    [Language::Python, Language::JavaScript]
        .into_iter()
        .flat_map(move |language| ways.map(|way| (language, way)))
}

pub struct SocketClient {
    pub child: Child,
    heard: Receiver<Value>,
    kept: Vec<Value>,
}

impl SocketClient {
    /// Connects to namespaces; `more` holds `auth` and `headers`, where they are wanted.
    pub fn connect(
        service: &Running,
        client: (Language, Way),
        namespaces: &[&str],
        more: Value,
    ) -> SocketClient {
        let (language, way) = client;
        let mut options = json!({ "namespaces": namespaces });
        match way {
            Way::Polling => options["transports"] = json!(["polling"]),
            Way::Websocket => options["transports"] = json!(["websocket"]),
            Way::Upgrade => {}
        }
        for (name, value) in more.as_object().into_iter().flatten() {
            options[name] = value.clone();
        }
        let mut command = match language {
            Language::Python => {
                let mut python = Command::new("python3");
                python.env("PYTHONPATH", format!("{PACKAGES}/server-python"));
                python.arg(format!("{CLIENTS}/socket_client.py"));
                python
            }
            Language::JavaScript => {
                let mut node = Command::new("node");
                node.arg(format!("{CLIENTS}/socket_client.mjs")).arg(format!("{PACKAGES}/server-packages"));
                node
            }
        };
        let url = format!("http://{}", service.address);
        command.arg(url).arg(options.to_string()).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let (sender, heard) = channel();
        std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                let said = serde_json::from_str(&line).unwrap_or_else(|err| panic!("{err}: {line}"));
                if sender.send(said).is_err() {
                    return;
                }
            }
        });
        SocketClient { child, heard, kept: Vec::new() }
    }

    /// Waits for the first line that is wanted. Others are kept for later.
    #[track_caller]
    pub fn wait_for(&mut self, what: &str, is_it: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.kept.iter().position(&is_it) {
            return self.kept.remove(at);
        }
        loop {
            let line = self.heard.recv_timeout(Duration::from_secs(40));
            let line = line.unwrap_or_else(|err| {
                panic!(
                    "{what}: {err}\nheard {:?}\nhint: scripts/ensure-packages installs the clients",
                    self.kept
                )
            });
            if is_it(&line) {
                return line;
            }
            self.kept.push(line);
        }
    }

    /// Waits for an event, and gives its data.
    #[track_caller]
    pub fn event(&mut self, name: &str) -> Value {
        self.wait_for(name, |line| line["heard"] == "event" && line["name"] == name)["data"][0].clone()
    }

    #[track_caller]
    pub fn heard(&mut self, what: &str) -> Value {
        self.wait_for(what, |line| line["heard"] == what)
    }

    fn order(&mut self, order: &Value) {
        writeln!(self.child.stdin.as_mut().unwrap(), "{order}").unwrap();
    }

    /// Sends an event, and gives its acknowledgement.
    #[track_caller]
    pub fn ask(&mut self, namespace: &str, event: &str, data: Value) -> Value {
        let id = data.to_string();
        self.order(&json!({ "emit": [namespace, event, data], "id": id }));
        self.wait_for(event, |line| line["heard"] == "ack" && line["id"] == id.as_str())["data"][0].clone()
    }

    #[track_caller]
    pub fn ask_binary(&mut self, namespace: &str, event: &str) -> Value {
        self.order(&json!({ "binary": [namespace, event], "id": "binary" }));
        self.wait_for(event, |line| line["heard"] == "ack" && line["id"] == "binary")["data"][0].clone()
    }
}

impl Drop for SocketClient {
    fn drop(&mut self) {
        let _ended = self.child.kill();
        let _reaped = self.child.wait();
    }
}
