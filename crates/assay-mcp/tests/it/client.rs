//! Our client: with our server in both eras, and with servers that misbehave.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use assay_mcp::{
    Answer, Client, ClientError, ClientOptions, Era, Opening, Question, Reply, ServerProcess, User,
};
use serde_json::{Map, Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream};

use crate::context::fixtures;

/// Long enough for every machine: no test waits for it to pass.
const LONG: Duration = Duration::from_secs(600);

struct Ada;

impl User for Ada {
    fn answer(&self, question: Question) -> Reply<'_, Answer> {
        let is_form = matches!(question, Question::Form { .. });
        Box::pin(
            async move { if is_form { Answer::Given(json!({"name": "Ada"})) } else { Answer::Dismissed } },
        )
    }
}

fn options(opening: Opening) -> ClientOptions {
    ClientOptions { name: "assay".to_string(), version: "1".to_string(), opening, user: Some(Arc::new(Ada)) }
}

#[tokio::test]
async fn tools_are_listed_and_called_in_both_eras() {
    for (opening, era) in [(Opening::Either, Era::Legacy), (Opening::Modern, Era::Modern)] {
        let command = [fixtures().to_string(), "stdio".to_string()];
        let mut process = ServerProcess::start(&command, Path::new("/")).unwrap();
        let client = Client::of_process(&mut process, options(opening), LONG).await.unwrap();
        assert_eq!(client.era(), era);
        let tools = client.tools(LONG).await.unwrap();
        let simple = tools.iter().find(|tool| tool.name == "test_simple_text").unwrap();
        assert!(simple.read_only && simple.input_schema["type"] == "object");
        let called = client.call("test_structured_content", Map::new(), LONG).await.unwrap();
        assert_eq!(called.structured, Some(json!({"passed": 3, "failed": 0})));
        let failed = client.call("test_error_handling", Map::new(), LONG).await.unwrap();
        assert_eq!(
            (failed.is_error, failed.text.as_str()),
            (true, "This tool intentionally returns an error for testing")
        );
        let asked = client.call("test_input_required_result_elicitation", Map::new(), LONG).await.unwrap();
        assert_eq!(asked.text, "Hello, Ada!");
        let unknown = client.call("no_such_tool", Map::new(), LONG).await.unwrap_err();
        assert_eq!(
            unknown.to_string(),
            "the MCP server refused `tools/call`: no tool is called `no_such_tool`"
        );
    }
}

/// A server that answers each request as it is told, over streams of ours.
fn server(answer: impl Fn(&Value) -> Vec<u8> + Send + 'static) -> (DuplexStream, DuplexStream) {
    let (output, mut from_server) = tokio::io::duplex(1 << 20);
    let (to_server, input) = tokio::io::duplex(1 << 20);
    tokio::spawn(async move {
        let mut lines = BufReader::new(input).lines();
        while let Ok(Some(line)) = lines.next_line().await {
            let message: Value = serde_json::from_str(&line).unwrap();
            if message.get("id").is_some() {
                let answer = answer(&message);
                if answer.is_empty() || from_server.write_all(&answer).await.is_err() {
                    return;
                }
            }
        }
    });
    (output, to_server)
}

fn line(message: &Value) -> Vec<u8> {
    format!("{message}\n").into_bytes()
}

fn result(request: &Value, result: Value) -> Vec<u8> {
    line(&json!({"jsonrpc": "2.0", "id": request["id"], "result": result}))
}

fn greeting(request: &Value, revision: &str) -> Vec<u8> {
    let about =
        json!({"protocolVersion": revision, "capabilities": {}, "serverInfo": {"name": "s", "version": "1"}});
    result(request, about)
}

async fn connect(answer: impl Fn(&Value) -> Vec<u8> + Send + 'static) -> Result<Client, ClientError> {
    let (output, input) = server(answer);
    Client::connect(output, input, options(Opening::Either), LONG).await
}

/// How a client fails whose server greets well and answers `tools/list` so.
async fn failure(answer: impl Fn(&Value) -> Vec<u8> + Send + 'static) -> String {
    let client = connect(move |request| {
        if request["method"] == "initialize" { greeting(request, "2025-06-18") } else { answer(request) }
    });
    client.await.unwrap().tools(LONG).await.unwrap_err().to_string()
}

#[tokio::test]
async fn a_server_that_breaks_off_is_told_from_one_that_breaks_the_protocol() {
    let ended = failure(|_| Vec::new()).await;
    assert_eq!(ended, "the MCP server ended before it answered `tools/list`");
    let noise = failure(|_| b"hello\n".to_vec()).await;
    assert!(noise.starts_with("the MCP server sent what is no message: "), "{noise}");
    let long = failure(|_| [vec![b'x'; 17 * 1024 * 1024], b"\n".to_vec()].concat()).await;
    assert_eq!(long, "the MCP server sent a message of more than 16 MiB");
    let other = failure(|request| result(request, json!({"weather": "fine"}))).await;
    assert_eq!(other, "the MCP server answered `tools/list` with something else");
    let endless = failure(|request| result(request, json!({"tools": [], "nextCursor": "on"}))).await;
    assert_eq!(endless, "the MCP server has more than 20 pages of tools");
}

#[tokio::test]
async fn a_server_that_refuses_the_handshake_is_spoken_to_without_one() {
    let client = connect(|request| match request["method"].as_str() {
        Some("initialize") => {
            line(&json!({"jsonrpc": "2.0", "id": request["id"], "error": {"code": -32601, "message": "no"}}))
        }
        Some("server/discover") => result(
            request,
            json!({"resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": {}, "ttlMs": 0, "cacheScope": "private"}),
        ),
        _ => result(
            request,
            json!({"resultType": "complete", "tools": [], "ttlMs": 0, "cacheScope": "private"}),
        ),
    });
    let client = client.await.unwrap();
    assert_eq!(client.era(), Era::Modern);
    assert_eq!(client.tools(LONG).await.unwrap(), []);
}

#[tokio::test]
async fn a_revision_from_elsewhere_is_refused() {
    let refused = connect(|request| greeting(request, "1999-01-01")).await.err().unwrap();
    let expected = "the MCP server speaks protocol revision `1999-01-01`, which assay does not support";
    assert_eq!(refused.to_string(), expected);
}

#[tokio::test]
async fn a_server_that_does_not_answer_is_not_waited_for() {
    let (output, input) = server(|request| {
        line(&json!({"jsonrpc": "2.0", "method": "notifications/x", "params": request["params"]}))
    });
    let hung = Client::connect(output, input, options(Opening::Either), Duration::from_millis(1)).await;
    assert_eq!(hung.err().unwrap().to_string(), "the MCP server did not answer `initialize` in time");
}

#[tokio::test]
async fn a_command_that_is_none_says_so() {
    let missing = ServerProcess::start(&["/no/such/program".to_string()], Path::new("/")).err().unwrap();
    assert!(
        missing.to_string().starts_with("the MCP server `/no/such/program` did not start: "),
        "{missing}"
    );
    assert!(matches!(ServerProcess::start(&[], Path::new("/")), Err(ClientError::NoCommand)));
}
