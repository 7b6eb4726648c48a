//! Work that nobody waits for stops, and a client that is gone is told of.

use serde_json::{Value, json};

use crate::context::{HttpFixtures, Streams, modern_call, text};
use crate::http_door::{Exchange, legacy_session, open, send};

fn waiting(name: &str) -> Value {
    json!({"name": "test_wait", "arguments": {"name": name}, "_meta": {"progressToken": name}})
}

#[test]
fn a_cancelled_call_stops_and_gets_no_answer() {
    let mut streams = Streams::greeted(json!({}));
    streams.request(1, "tools/call", waiting("a"));
    assert_eq!(streams.receive()["params"]["progressToken"], "a");
    // Twice, and one that is not known.
    for id in [json!(1), json!(1), json!("other")] {
        let params = json!({"requestId": id, "reason": "enough"});
        streams.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}));
    }
    streams.request(2, "tools/call", json!({"name": "test_stopped", "arguments": {"name": "a"}}));
    let next = streams.receive();
    assert_eq!((&next["id"], text(&next)), (&json!(2), "stopped"));
}

#[test]
fn a_cancelled_call_withdraws_its_question() {
    let mut streams = Streams::greeted(json!({"elicitation": {}}));
    streams.request(1, "tools/call", json!({"name": "test_input_required_result_elicitation"}));
    let question = streams.receive();
    streams.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}));
    let withdrawn = streams.receive();
    assert_eq!(withdrawn["method"], "notifications/cancelled", "{withdrawn}");
    assert_eq!(withdrawn["params"]["requestId"], question["id"]);
    assert_eq!(
        text(&streams.call("2", "test_simple_text", json!({}))),
        "This is a simple text response for testing."
    );
}

#[test]
fn calls_run_side_by_side() {
    let mut streams = Streams::greeted(json!({}));
    streams.request(1, "tools/call", waiting("a"));
    streams.request(2, "tools/call", json!({"name": "test_stopped", "arguments": {"name": "a"}}));
    assert_eq!(
        text(&streams.call("3", "test_simple_text", json!({}))),
        "This is a simple text response for testing."
    );
    streams.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}));
    assert_eq!(text(&streams.answer(2)), "stopped");
}

#[test]
fn the_process_ends_with_its_input_even_in_the_middle_of_work() {
    let mut streams = Streams::greeted(json!({}));
    streams.request(1, "tools/call", waiting("a"));
    assert_eq!(streams.receive()["params"]["progressToken"], "a");
    let (is_well, _) = streams.end();
    assert!(is_well);
}

#[test]
fn what_was_asked_before_the_input_ended_is_answered() {
    let mut streams = Streams::greeted(json!({}));
    streams.request(
        1,
        "tools/call",
        json!({"name": "test_tool_with_progress", "_meta": {"progressToken": 1}}),
    );
    let (is_well, said) = streams.end();
    assert!(is_well && said.contains("Done, in three steps."), "{said}");
}

fn call(exchange: &Exchange, server: &HttpFixtures, tool: &str, arguments: Value) -> String {
    let params = json!({"name": tool, "arguments": arguments});
    let answer =
        exchange.send(server, &json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params}));
    text(&answer.message()).to_string()
}

#[test]
fn without_a_handshake_closing_the_stream_cancels() {
    let server = HttpFixtures::start();
    let mut params = modern_call("test_wait", json!({"name": "h"}), json!({}));
    params["_meta"]["progressToken"] = json!(1);
    let headers =
        [("Mcp-Method", "tools/call"), ("Mcp-Name", "test_wait"), ("MCP-Protocol-Version", "2026-07-28")];
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    let stream = open(&server, "POST", &headers, message.to_string().as_bytes());
    drop(stream.until("notifications/progress"));
    let headers =
        [("Mcp-Method", "tools/call"), ("Mcp-Name", "test_stopped"), ("MCP-Protocol-Version", "2026-07-28")];
    let params = modern_call("test_stopped", json!({"name": "h"}), json!({}));
    let message = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params});
    let answer = send(&server, "POST", &headers, message.to_string().as_bytes());
    assert_eq!(text(&answer.message()), "stopped");
}

#[test]
fn with_a_handshake_closing_the_stream_does_not_cancel_but_a_notification_does() {
    let server = HttpFixtures::start();
    let session = legacy_session(&server);
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": waiting("h")});
    drop(session.open(&server, &message).until("notifications/progress"));
    assert_eq!(
        call(&session, &server, "test_simple_text", json!({})),
        "This is a simple text response for testing."
    );
    let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}});
    assert_eq!(session.send(&server, &cancel).status, 202);
    assert_eq!(call(&session, &server, "test_stopped", json!({"name": "h"})), "stopped");
}

#[test]
fn each_session_is_a_caller_of_its_own_and_its_end_is_told() {
    let server = HttpFixtures::start();
    let (one, two) = (legacy_session(&server), legacy_session(&server));
    let id = |session: &Exchange| -> String {
        let caller: Value = serde_json::from_str(&call(session, &server, "test_caller", json!({}))).unwrap();
        caller["id"].as_str().unwrap().to_string()
    };
    let (first, second) = (id(&one), id(&two));
    assert_eq!(first, id(&one));
    assert_ne!(first, second);
    assert_eq!(one.delete(&server).status, 204);
    assert_eq!(call(&two, &server, "test_gone", json!({"id": first})), "gone");
    let after = one.send(&server, &json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}));
    assert_eq!(after.status, 404);
}
