//! The HTTP door: who may come in, with what, and what a wrong message is told.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;

use assay_mcp::{
    About, Call, HttpError, HttpOptions, HttpServer, Reply, RequestError, Service, Token, Tool, ToolResult,
};
use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

use crate::context::{HttpFixtures, LEGACY, meta};

/// An answer that is being read.
pub struct Stream {
    reader: BufReader<TcpStream>,
    pub status: u16,
    pub head: String,
}

/// An answer that was read.
pub struct Answered {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Stream {
    /// Reads on until a line has these words, and gives the open stream back.
    pub fn until(mut self, words: &str) -> Stream {
        let mut line = String::new();
        while !line.contains(words) {
            line.clear();
            assert_ne!(self.reader.read_line(&mut line).unwrap(), 0, "the stream ended before `{words}`");
        }
        self
    }

    fn finish(mut self) -> Answered {
        let mut body = String::new();
        self.reader.read_to_string(&mut body).unwrap();
        Answered { status: self.status, head: self.head, body }
    }
}

impl Answered {
    /// The message of the answer, also if it is the last of a stream.
    #[track_caller]
    pub fn message(&self) -> Value {
        let is_answer = |value: &Value| value.get("result").is_some() || value.get("error").is_some();
        let lines = self.body.lines().map(|line| line.strip_prefix("data:").unwrap_or(line).trim());
        let mut messages = lines.filter_map(|line| serde_json::from_str::<Value>(line).ok());
        messages.find(is_answer).unwrap_or_else(|| panic!("no message in {} {}", self.head, self.body))
    }
}

pub fn open_at(authority: &str, method: &str, headers: &[(&str, &str)], body: &[u8]) -> Stream {
    let mut stream = TcpStream::connect(authority).unwrap();
    let has = |name: &str| headers.iter().any(|(own, _)| own.eq_ignore_ascii_case(name));
    let mut head =
        format!("{method} /mcp HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
    for (name, value) in [
        ("Host", authority),
        ("Accept", "application/json, text/event-stream"),
        ("Content-Type", "application/json"),
    ] {
        if !has(name) {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
    }
    for (name, value) in headers.iter().filter(|(_, value)| !value.is_empty()) {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    stream.write_all(format!("{head}\r\n").as_bytes()).unwrap();
    // A server that has heard enough closes before the end of a large body.
    let _closed_early = stream.write_all(body);
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        assert_ne!(reader.read_line(&mut head).unwrap(), 0, "the server closed the connection: {head}");
    }
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    Stream { reader, status, head }
}

pub fn open(server: &HttpFixtures, method: &str, headers: &[(&str, &str)], body: &[u8]) -> Stream {
    open_at(server.authority(), method, headers, body)
}

pub fn send(server: &HttpFixtures, method: &str, headers: &[(&str, &str)], body: &[u8]) -> Answered {
    open(server, method, headers, body).finish()
}

/// A session with a handshake.
pub struct Exchange(String);

pub fn legacy_session(server: &HttpFixtures) -> Exchange {
    let about =
        json!({"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}});
    let greeting = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": about});
    let greeted = send(server, "POST", &[], greeting.to_string().as_bytes());
    let named = |line: &str| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("mcp-session-id").then(|| value.trim().to_string())
    };
    let session = Exchange(greeted.head.lines().find_map(named).unwrap());
    let ready = session.send(server, &json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    assert_eq!(ready.status, 202);
    session
}

impl Exchange {
    pub fn open(&self, server: &HttpFixtures, message: &Value) -> Stream {
        let headers = [("Mcp-Session-Id", self.0.as_str()), ("MCP-Protocol-Version", LEGACY)];
        open(server, "POST", &headers, message.to_string().as_bytes())
    }

    pub fn send(&self, server: &HttpFixtures, message: &Value) -> Answered {
        self.open(server, message).finish()
    }

    /// The stream for news of the server.
    fn follow(&self, server: &HttpFixtures) -> Stream {
        open(server, "GET", &[("Mcp-Session-Id", &self.0), ("MCP-Protocol-Version", LEGACY)], b"")
    }

    pub fn delete(&self, server: &HttpFixtures) -> Answered {
        send(server, "DELETE", &[("Mcp-Session-Id", &self.0), ("MCP-Protocol-Version", LEGACY)], b"")
    }
}

fn listing() -> Vec<u8> {
    let message =
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": meta(json!({}))}});
    message.to_string().into_bytes()
}

const LIST: [(&str, &str); 2] = [("Mcp-Method", "tools/list"), ("MCP-Protocol-Version", "2026-07-28")];

#[track_caller]
fn check(more: &[(&str, &str)], status: u16) {
    let server = HttpFixtures::start();
    let answered = send(&server, "POST", &[&LIST, more].concat(), &listing());
    assert_eq!(answered.status, status, "{more:?}: {}{}", answered.head, answered.body);
}

#[test]
fn pages_from_elsewhere_and_other_names_are_turned_away() {
    check(&[], 200);
    check(&[("Origin", "http://localhost:5173")], 200);
    check(&[("Origin", "http://evil.example")], 403);
    check(&[("Origin", "null")], 403);
    check(&[("Host", "evil.example")], 403);
    check(&[("Host", "localhost:1")], 200);
    check(&[("Content-Type", "text/plain")], 415);
    check(&[("Content-Type", "")], 415);
    check(&[("Accept", "text/html")], 406);
}

#[test]
fn what_is_no_message_is_told_so() {
    let server = HttpFixtures::start();
    for (body, code) in [
        ("{", -32700),
        ("", -32700),
        ("[]", -32600),
        ("7", -32600),
        (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600),
    ] {
        let answered = send(&server, "POST", &[], body.as_bytes());
        assert_eq!(answered.status, 400, "{body}: {}", answered.body);
        assert_eq!(answered.message()["error"]["code"], code, "{body}");
    }
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(send(&server, "POST", &[], deep.as_bytes()).message()["error"]["code"], -32700);
}

#[test]
fn a_body_of_more_than_four_mebibytes_is_refused() {
    let server = HttpFixtures::start();
    let body = vec![b' '; 4 * 1024 * 1024 + 1];
    assert_eq!(open(&server, "POST", &[], &body).status, 413);
    assert_eq!(send(&server, "POST", &LIST, &listing()).status, 200);
}

#[test]
fn other_methods_and_paths_are_not_there() {
    let server = HttpFixtures::start();
    assert_eq!(send(&server, "PUT", &[], b"{}").status, 405);
    assert_eq!(send(&server, "GET", &LIST, b"").status, 405, "there are no streams without a session");
    assert_eq!(send(&server, "DELETE", &LIST, b"").status, 405);
    assert_eq!(send(&server, "GET", &[], b"").status, 400, "a session is needed");
}

#[test]
fn a_server_ends_when_it_is_told_though_streams_are_open() {
    let server = HttpFixtures::start();
    let session = legacy_session(&server);
    let news = session.follow(&server).until("retry");
    let wait = json!({"name": "test_wait", "arguments": {"name": "e"}, "_meta": {"progressToken": 1}});
    let waiting = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": wait});
    let waiting = session.open(&server, &waiting).until("notifications/progress");
    let listen = json!({"notifications": {"toolsListChanged": true}, "_meta": meta(json!({}))});
    let listen = json!({"jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": listen});
    let headers = [("Mcp-Method", "subscriptions/listen"), LIST[1]];
    let listening = open(&server, "POST", &headers, listen.to_string().as_bytes()).until("acknowledged");
    assert!(server.end());
    drop((news, waiting, listening));
}

/// A service with nothing to offer.
struct Nothing;

impl Service for Nothing {
    fn about(&self) -> About {
        About::new("nothing", "Nothing", "1")
    }

    fn tools(&self) -> &[Tool] {
        &[]
    }

    fn call_tool<'a>(
        &'a self,
        name: &'a str,
        _arguments: Map<String, Value>,
        _call: &'a Call,
    ) -> Reply<'a, Result<ToolResult, RequestError>> {
        Box::pin(async move { Err(RequestError::UnknownTool(name.to_string())) })
    }
}

#[tokio::test]
async fn an_address_that_others_can_reach_needs_a_token() {
    let address = "0.0.0.0:0".parse().unwrap();
    let options = HttpOptions { address, ..HttpOptions::default() };
    let refused = HttpServer::bind(Arc::new(Nothing), options.clone()).await;
    assert!(matches!(refused, Err(HttpError::TokenNeeded { .. })));
    let options =
        HttpOptions { address: "127.0.0.1:0".parse().unwrap(), path: "/{a}".to_string(), ..options };
    assert!(matches!(HttpServer::bind(Arc::new(Nothing), options).await, Err(HttpError::Path(_))));
}

#[tokio::test]
async fn a_server_with_a_token_answers_only_with_it_and_ends_when_it_is_told() {
    let options = HttpOptions { token: Some(Token::new("open sesame")), ..HttpOptions::default() };
    let server = HttpServer::bind(Arc::new(Nothing), options).await.unwrap();
    let authority = server.address().to_string();
    let stop = CancellationToken::new();
    let served = tokio::spawn(server.serve(stop.clone()));
    let statuses = tokio::task::spawn_blocking(move || {
        ["", "Bearer open", "Bearer open sesame"].map(|sent| {
            let headers = [&LIST[..], &[("Authorization", sent)]].concat();
            let answered = open_at(&authority, "POST", &headers, &listing()).finish();
            (answered.status, answered.head.to_lowercase().contains("www-authenticate: bearer"))
        })
    });
    assert_eq!(statuses.await.unwrap(), [(401, true), (401, true), (200, false)]);
    stop.cancel();
    served.await.unwrap().unwrap();
}

#[test]
fn only_what_is_offered_is_there() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().worker_threads(1).build().unwrap();
    let server = runtime.block_on(HttpServer::bind(Arc::new(Nothing), HttpOptions::default())).unwrap();
    let authority = server.address().to_string();
    runtime.spawn(server.serve(CancellationToken::new()));
    for method in ["resources/list", "prompts/list", "completion/complete", "subscriptions/listen"] {
        let headers = [("Mcp-Method", method), LIST[1]];
        let message =
            json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": {"_meta": meta(json!({}))}});
        let answered = open_at(&authority, "POST", &headers, message.to_string().as_bytes()).finish();
        assert_eq!(
            (answered.status, &answered.message()["error"]["code"]),
            (404, &json!(-32601)),
            "{method}"
        );
    }
}
