//! MCP over the standard streams of a process: one line of JSON per message, in the revision with a handshake.

use std::path::Path;
use std::process::Stdio;

use assay_daemon::OwnedGroup;
use assay_driver::Deadline;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

/// The newest revision with a handshake; servers answer with the one they speak.
const REVISION: &str = "2025-11-25";
const SPOKEN: &[&str] = &["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
/// No message of a server is longer.
const LONGEST: usize = 16 * 1024 * 1024;
/// The maximum number of pages of tools.
const MOST_PAGES: usize = 20;

pub struct Connection {
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    next: u64,
    /// The server and all that it started. They end before the server is let go of: until then its number is its own.
    _group: Option<OwnedGroup>,
    _child: Child,
}

impl Connection {
    /// `own` takes charge of the process group before the first request.
    pub fn start(
        command: &[String],
        folder: &Path,
        own: impl FnOnce(u32) -> OwnedGroup,
    ) -> Result<Connection, String> {
        let (program, arguments) = command.split_first().ok_or("the command of the MCP server is empty")?;
        let mut child = Command::new(program)
            .args(arguments)
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .process_group(0)
            .kill_on_drop(true)
            .spawn()
            .map_err(|err| format!("the MCP server `{program}` did not start: {err}"))?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let group = child.id().map(own);
        let (Some(input), Some(output)) = (input, output) else {
            return Err(format!("the MCP server `{program}` has no streams"));
        };
        Ok(Connection { input, output: BufReader::new(output), next: 1, _group: group, _child: child })
    }

    pub async fn shake_hands(&mut self, deadline: Deadline) -> Result<(), String> {
        let about = json!({
            "protocolVersion": REVISION,
            "capabilities": {},
            "clientInfo": {"name": "assay", "version": env!("CARGO_PKG_VERSION")},
        });
        let answer = self.ask("initialize", about, deadline).await?;
        let spoken = answer["protocolVersion"].as_str().unwrap_or_default();
        if !SPOKEN.contains(&spoken) {
            return Err(format!(
                "the MCP server speaks protocol revision `{spoken}`, which assay does not support"
            ));
        }
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}), deadline).await
    }

    pub async fn tools(&mut self, deadline: Deadline) -> Result<Vec<Value>, String> {
        let mut tools = Vec::new();
        let mut cursor: Option<Value> = None;
        for _ in 0..MOST_PAGES {
            let about = cursor.take().map_or_else(|| json!({}), |cursor| json!({"cursor": cursor}));
            let mut answer = self.ask("tools/list", about, deadline).await?;
            match answer["tools"].take() {
                Value::Array(more) => tools.extend(more),
                other => return Err(format!("expected a list of tools from the MCP server, found {other}")),
            }
            match answer["nextCursor"].take() {
                Value::Null => return Ok(tools),
                next => cursor = Some(next),
            }
        }
        Err(format!("the MCP server has more than {MOST_PAGES} pages of tools"))
    }

    /// The texts of a tool's answer. Images are dropped, because their readable text is unknown.
    pub async fn call(&mut self, name: &str, input: Value, deadline: Deadline) -> Result<String, String> {
        let answer = self.ask("tools/call", json!({"name": name, "arguments": input}), deadline).await?;
        let content = answer["content"].as_array().ok_or("the MCP server answered without content")?;
        let texts: Vec<&str> = content
            .iter()
            .filter(|part| part["type"] == "text")
            .filter_map(|part| part["text"].as_str())
            .collect();
        let text = texts.join("\n");
        if answer["isError"] == true {
            Err(format!("the MCP server reported an error: {text}"))
        } else {
            Ok(text)
        }
    }

    async fn ask(&mut self, method: &str, params: Value, deadline: Deadline) -> Result<Value, String> {
        let id = self.next;
        self.next += 1;
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        self.send(&request, deadline).await?;
        loop {
            let mut message = self.receive(method, deadline).await?;
            if let Some(asked) = message["method"].as_str() {
                // Notifications are not needed. Requests of the server get an answer, so it continues.
                if let Some(id) = message.get("id") {
                    let answer = match asked {
                        "ping" => json!({"jsonrpc": "2.0", "id": id, "result": {}}),
                        _ => {
                            json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32601, "message": "not offered"}})
                        }
                    };
                    self.send(&answer, deadline).await?;
                }
                continue;
            }
            if message["id"] != id {
                return Err("the MCP server answered a request that was not sent".to_string());
            }
            if let Some(error) = message.get("error") {
                let told = error["message"].as_str().unwrap_or("no reason given");
                return Err(format!("the MCP server refused `{method}`: {told}"));
            }
            return Ok(message["result"].take());
        }
    }

    async fn send(&mut self, message: &Value, deadline: Deadline) -> Result<(), String> {
        let line = format!("{message}\n");
        let sent = tokio::time::timeout(deadline.remaining(), self.input.write_all(line.as_bytes())).await;
        match sent {
            Ok(Ok(())) => Ok(()),
            Ok(Err(err)) => Err(format!("lost the connection to the MCP server: {err}")),
            Err(_) => Err("the MCP server did not read the request in time".to_string()),
        }
    }

    async fn receive(&mut self, awaited: &str, deadline: Deadline) -> Result<Value, String> {
        let mut line = Vec::new();
        loop {
            let taken = tokio::time::timeout(deadline.remaining(), self.output.fill_buf()).await;
            let bytes = match taken {
                Ok(Ok(bytes)) => bytes,
                Ok(Err(err)) => return Err(format!("lost the connection to the MCP server: {err}")),
                Err(_) => return Err(format!("the MCP server did not answer `{awaited}` in time")),
            };
            if bytes.is_empty() {
                return Err(format!("the MCP server ended before it answered `{awaited}`"));
            }
            let end = bytes.iter().position(|byte| *byte == b'\n');
            let length = end.map_or(bytes.len(), |end| end + 1);
            line.extend_from_slice(&bytes[..length]);
            self.output.consume(length);
            if line.len() > LONGEST {
                return Err(format!(
                    "the MCP server sent a message of more than {} MiB",
                    LONGEST / 1024 / 1024
                ));
            }
            if end.is_some() {
                break;
            }
        }
        serde_json::from_slice(&line).map_err(|err| format!("the MCP server sent invalid JSON: {err}"))
    }
}
