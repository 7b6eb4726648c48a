//! Both eras on one pair of streams, and what each may be told.

use serde_json::{Value, json};

use crate::context::{LEGACY, MODERN, Streams, meta, modern_call, text};

#[track_caller]
fn check_error(answer: &Value, code: i64) {
    assert_eq!(answer["error"]["code"], code, "{answer}");
}

#[test]
fn one_process_serves_both_eras_in_any_order() {
    let mut streams = Streams::start();
    let found = streams.ask(1, "server/discover", json!({"_meta": meta(json!({}))}));
    assert!(found["result"]["supportedVersions"].as_array().unwrap().contains(&json!(MODERN)), "{found}");
    let called = streams.ask(2, "tools/call", modern_call("test_simple_text", json!({}), json!({})));
    assert_eq!(called["result"]["resultType"], "complete");
    let about =
        json!({"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}});
    let greeted = streams.ask(3, "initialize", about);
    assert_eq!(greeted["result"]["protocolVersion"], LEGACY, "{greeted}");
    let called = streams.call("4", "test_simple_text", json!({}));
    assert_eq!(called["result"].get("resultType"), None, "{called}");
    let called = streams.ask(5, "tools/call", modern_call("test_simple_text", json!({}), json!({})));
    assert_eq!(called["result"]["resultType"], "complete", "{called}");
    assert_eq!(streams.end(), (true, String::new()));
}

#[test]
fn the_handshake_answers_in_the_revision_of_the_client_if_it_has_one() {
    for (asked, answered) in [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        (LEGACY, LEGACY),
        (MODERN, LEGACY),
        ("2031-01-01", LEGACY),
    ] {
        let mut streams = Streams::start();
        let about = json!({"protocolVersion": asked, "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}});
        let greeted = streams.ask(1, "initialize", about);
        assert_eq!(greeted["result"]["protocolVersion"], answered, "{greeted}");
        assert_eq!(greeted["result"]["serverInfo"]["name"], "assay-conformance");
    }
}

#[test]
fn a_request_without_handshake_and_without_meta_is_refused_and_the_next_is_served() {
    let mut streams = Streams::start();
    streams.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 9}}));
    check_error(&streams.ask(1, "tools/list", json!({})), -32602);
    let half = json!({"_meta": {"io.modelcontextprotocol/protocolVersion": MODERN}});
    check_error(&streams.ask(2, "tools/list", half), -32602);
    let mut future = meta(json!({}));
    future["io.modelcontextprotocol/protocolVersion"] = json!("2031-01-01");
    let refused = streams.ask(3, "tools/list", json!({"_meta": future}));
    check_error(&refused, -32022);
    assert_eq!(refused["error"]["data"]["requested"], "2031-01-01");
    assert_eq!(streams.ask(4, "ping", json!({}))["result"], json!({}));
    let listed = streams.ask(5, "tools/list", json!({"_meta": meta(json!({}))}));
    assert_eq!(listed["result"]["ttlMs"], 60_000);
    assert_eq!(listed["result"]["cacheScope"], "public");
}

#[test]
fn results_of_the_stateless_era_name_the_server() {
    let mut streams = Streams::start();
    for (method, params) in [
        ("tools/list", json!({})),
        ("prompts/list", json!({})),
        ("resources/read", json!({"uri": "test://static-text"})),
        ("tools/call", json!({"name": "test_simple_text"})),
    ] {
        let mut params = params;
        params["_meta"] = meta(json!({}));
        let answer = streams.ask(1, method, params);
        let named = &answer["result"]["_meta"]["io.modelcontextprotocol/serverInfo"]["name"];
        assert_eq!(named, "assay-conformance", "{answer}");
    }
}

#[test]
fn the_wrong_name_is_an_error_of_the_request_and_the_wrong_arguments_of_the_tool() {
    let mut streams = Streams::greeted(json!({}));
    check_error(&streams.call("1", "no_such_tool", json!({})), -32602);
    check_error(&streams.ask(2, "tools/call", json!({"name": 7})), -32602);
    check_error(&streams.ask(3, "no/such/method", json!({})), -32601);
    check_error(&streams.ask(4, "prompts/get", json!({"name": "no_such_prompt"})), -32602);
    check_error(&streams.ask(5, "prompts/get", json!({"name": "test_prompt_with_arguments"})), -32602);
    check_error(&streams.ask(6, "tools/list", json!({"cursor": "mine"})), -32602);
    check_error(&streams.ask(7, "resources/read", json!({"uri": "test://none"})), -32002);
    let modern = json!({"uri": "test://none", "_meta": meta(json!({}))});
    let missing = streams.ask(8, "resources/read", modern);
    check_error(&missing, -32602);
    assert_eq!(missing["error"]["data"]["uri"], "test://none");
    let wrong = streams.call("9", "test_elicitation", json!({}));
    assert_eq!(
        (&wrong["result"]["isError"], text(&wrong)),
        (&json!(true), "`test_elicitation` needs `message`")
    );
}

#[test]
fn a_tool_that_panics_fails_alone() {
    let mut streams = Streams::greeted(json!({}));
    check_error(&streams.call("1", "test_panic", json!({})), -32603);
    assert_eq!(
        text(&streams.call("2", "test_simple_text", json!({}))),
        "This is a simple text response for testing."
    );
}

#[test]
fn tools_state_all_four_hints() {
    let mut streams = Streams::greeted(json!({}));
    let listed = streams.ask(1, "tools/list", json!({}));
    for tool in listed["result"]["tools"].as_array().unwrap() {
        for hint in ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] {
            assert!(tool["annotations"][hint].is_boolean(), "{tool}");
        }
    }
}

#[test]
fn completion_offers_what_begins_as_typed() {
    let mut streams = Streams::greeted(json!({}));
    let question = json!({
        "ref": {"type": "ref/prompt", "name": "test_prompt_with_arguments"},
        "argument": {"name": "arg1", "value": "part"},
    });
    let offered = streams.ask(1, "completion/complete", question);
    assert_eq!(offered["result"]["completion"], json!({"values": ["party"], "total": 1, "hasMore": false}));
}

#[test]
fn a_client_that_follows_hears_of_changes() {
    let mut streams = Streams::greeted(json!({}));
    streams.request(1, "tools/call", json!({"name": "test_trigger_tool_change"}));
    let (mut is_told, mut is_answered) = (false, false);
    while !(is_told && is_answered) {
        let message = streams.receive();
        is_told |= message["method"] == "notifications/tools/list_changed";
        is_answered |= message["id"] == 1;
    }
    let listen = json!({"notifications": {"promptsListChanged": true}, "_meta": meta(json!({}))});
    streams.request("news", "subscriptions/listen", listen);
    let confirmed = streams.receive();
    assert_eq!(confirmed["method"], "notifications/subscriptions/acknowledged", "{confirmed}");
    streams.request(2, "tools/call", modern_call("test_trigger_prompt_change", json!({}), json!({})));
    loop {
        let message = streams.receive();
        let of = &message["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"];
        if message["method"] == "notifications/prompts/list_changed" && of == "news" {
            break;
        }
    }
}

#[test]
fn messages_of_the_log_come_only_when_they_are_asked_for() {
    let mut streams = Streams::greeted(json!({}));
    streams.request(1, "tools/call", json!({"name": "test_tool_with_logging"}));
    assert_eq!(streams.receive()["id"], 1);
    assert_eq!(streams.ask(2, "logging/setLevel", json!({"level": "info"}))["result"], json!({}));
    streams.request(3, "tools/call", json!({"name": "test_tool_with_logging"}));
    assert_eq!(streams.receive()["params"]["data"], "Tool execution started");
    streams.answer(3);
    assert_eq!(streams.ask(4, "logging/setLevel", json!({"level": "error"}))["result"], json!({}));
    streams.request(5, "tools/call", json!({"name": "test_tool_with_logging"}));
    assert_eq!(streams.receive()["id"], 5);
}
