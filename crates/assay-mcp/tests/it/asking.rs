//! Questions to the user, in both eras, and states that are of no use to others.

use serde_json::{Value, json};

use crate::context::{Streams, modern_call, text};

const ASK: &str = "test_input_required_result_elicitation";

fn ada() -> Value {
    json!({"action": "accept", "content": {"name": "Ada"}})
}

fn form() -> Value {
    json!({"elicitation": {"form": {}}})
}

#[test]
fn a_client_with_a_handshake_is_asked_by_a_request() {
    let mut streams = Streams::greeted(json!({"elicitation": {}}));
    streams.request(1, "tools/call", json!({"name": ASK}));
    let question = streams.receive();
    assert_eq!(question["method"], "elicitation/create", "{question}");
    assert_eq!(question["params"]["requestedSchema"]["required"], json!(["name"]));
    streams.send(&json!({"jsonrpc": "2.0", "id": question["id"], "result": ada()}));
    assert_eq!(text(&streams.answer(1)), "Hello, Ada!");
}

#[test]
fn no_and_refusals_reach_the_tool() {
    let mut streams = Streams::greeted(json!({"elicitation": {}}));
    for (answer, expected) in [
        (json!({"result": {"action": "decline"}}), json!("User response: action=decline, content={}")),
        (json!({"result": {"action": "cancel"}}), json!("User response: action=cancel, content={}")),
        (json!({"result": {"action": "accept", "content": {"username": 7}}}), Value::Null),
        (json!({"error": {"code": -32603, "message": "no screen"}}), Value::Null),
    ] {
        streams.request(
            1,
            "tools/call",
            json!({"name": "test_elicitation", "arguments": {"message": "Who?"}}),
        );
        let question = streams.receive();
        let mut reply = json!({"jsonrpc": "2.0", "id": question["id"]});
        reply.as_object_mut().unwrap().extend(answer.as_object().unwrap().clone());
        streams.send(&reply);
        let answer = streams.answer(1);
        assert_eq!(answer["result"]["content"][0]["text"], expected, "{answer}");
        assert_eq!(answer.get("error").is_some(), expected.is_null(), "{answer}");
    }
}

#[test]
fn a_client_that_cannot_be_asked_is_not_asked() {
    let mut streams = Streams::greeted(json!({}));
    let answer = streams.call("1", "test_elicitation", json!({"message": "Who?"}));
    assert_eq!(answer["result"]["isError"], true, "{answer}");
    let answer = streams.call("2", ASK, json!({}));
    assert_eq!(answer["error"]["code"], -32021, "{answer}");
    assert_eq!(answer["error"]["data"]["requiredCapabilities"], json!({"elicitation": {"form": {}}}));
}

/// Asks without a handshake, and takes the state of the question.
fn asked(streams: &mut Streams, tool: &str, arguments: Value) -> String {
    let answer = streams.ask("ask", "tools/call", modern_call(tool, arguments, form()));
    assert_eq!(answer["result"]["resultType"], "input_required", "{answer}");
    answer["result"]["requestState"].as_str().unwrap().to_string()
}

fn answered(streams: &mut Streams, tool: &str, arguments: Value, name: &str, state: &str) -> Value {
    let mut params = modern_call(tool, arguments, form());
    params["inputResponses"] = json!({name: ada()});
    params["requestState"] = json!(state);
    streams.ask("answer", "tools/call", params)
}

#[test]
fn a_client_without_a_handshake_comes_back_with_the_answer() {
    let mut streams = Streams::start();
    let state = asked(&mut streams, ASK, json!({}));
    assert_eq!(text(&answered(&mut streams, ASK, json!({}), "user_name", &state)), "Hello, Ada!");
}

#[test]
fn an_answer_that_is_missing_is_asked_for_again_with_a_new_state() {
    let mut streams = Streams::start();
    let state = asked(&mut streams, ASK, json!({}));
    let again = answered(&mut streams, ASK, json!({}), "somebody_else", &state);
    assert_eq!(again["result"]["resultType"], "input_required", "{again}");
    let next = again["result"]["requestState"].as_str().unwrap();
    assert_ne!(next, state);
    assert_eq!(text(&answered(&mut streams, ASK, json!({}), "user_name", next)), "Hello, Ada!");
}

#[test]
fn a_state_holds_once_and_for_its_own_request_only() {
    let mut streams = Streams::start();
    let state = asked(&mut streams, ASK, json!({}));
    let other = "test_input_required_result_request_state";
    for (tool, arguments, state) in [
        (other, json!({}), state.clone()),
        (ASK, json!({"more": 1}), state.clone()),
        (ASK, json!({}), format!("{state}x")),
        (ASK, json!({}), "rs1.e30.e30".to_string()),
        (ASK, json!({}), String::new()),
    ] {
        let refused = answered(&mut streams, tool, arguments, "user_name", &state);
        assert_eq!(refused["error"]["code"], -32602, "{refused}");
    }
    assert_eq!(text(&answered(&mut streams, ASK, json!({}), "user_name", &state)), "Hello, Ada!");
    let refused = answered(&mut streams, ASK, json!({}), "user_name", &state);
    assert_eq!(refused["error"]["code"], -32602, "{refused}");
}

#[test]
fn a_state_of_another_process_is_refused() {
    let state = asked(&mut Streams::start(), ASK, json!({}));
    let refused = answered(&mut Streams::start(), ASK, json!({}), "user_name", &state);
    assert_eq!(refused["error"]["code"], -32602, "{refused}");
}

#[test]
fn open_questions_do_not_pile_up_without_end() {
    let mut streams = Streams::start();
    for number in 0..300 {
        streams.request(number, "tools/call", modern_call(ASK, json!({}), form()));
        let answer = streams.answer(number);
        let is_asked = answer["result"]["resultType"] == "input_required";
        assert_eq!(is_asked, number < 256, "{number}: {answer}");
        assert_eq!(answer["error"]["code"] == -32603, number >= 256, "{number}: {answer}");
    }
}
