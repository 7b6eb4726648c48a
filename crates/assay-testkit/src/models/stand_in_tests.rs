//! What a stand-in says keeps to the contract, too.

use serde_json::{Value, json};

use super::*;
use crate::models::schema_problems;

fn asked(api: Api) -> Asked {
    let body = match api {
        Api::Anthropic => contract::example_json("anthropic/01-browser-toolset.request.json"),
        Api::Responses => contract::example_json("responses/01-create.request.json"),
        Api::Chat => contract::example_json("chat/01-create.request.json"),
        Api::Gemini => contract::example_json("gemini/01-computer.request.json"),
    };
    Asked { path: String::new(), headers: Vec::new(), body, is_streamed: true }
}

fn data_of(events: &str) -> Vec<Value> {
    let data = events.lines().filter_map(|line| line.strip_prefix("data: "));
    data.filter(|data| *data != "[DONE]").map(|data| serde_json::from_str(data).unwrap()).collect()
}

#[test]
fn what_is_said_keeps_to_the_schemas_whole_and_streamed() {
    let turn = Turn::text("I see – now.").and_call("click", json!({"ref": "e7"}));
    for (api, whole_schema, event_schema) in [
        (Api::Anthropic, "anthropic-messages-response", "anthropic-messages-stream-event"),
        (Api::Responses, "openai-responses-response", "openai-responses-stream-event"),
        (Api::Chat, "openai-chat-completions-response", "openai-chat-completions-chunk"),
    ] {
        let stand_in = StandIn::start(api);
        let whole = say(api, &asked(api), &turn, &mut stand_in.state());
        assert_eq!(schema_problems(whole_schema, &whole), Vec::<String>::new(), "{api:?}");
        for event in data_of(&events(api, &whole)) {
            if event["type"] != "ping" {
                assert_eq!(schema_problems(event_schema, &event), Vec::<String>::new(), "{api:?}");
            }
        }
    }
}

#[test]
fn every_example_of_a_request_is_taken() {
    for (api, path, names) in [
        (
            Api::Anthropic,
            "/v1/messages",
            vec![
                "anthropic/01-browser-toolset.request.json",
                "anthropic/03-browser-toolset-result.request.json",
                "anthropic/04-browser-toolset-error.request.json",
                "anthropic/05-screenshot-result.request.json",
                "anthropic/06-custom-tools-search.request.json",
                "anthropic/07-computer-20251124.request.json",
            ],
        ),
        (
            Api::Responses,
            "/v1/responses",
            vec![
                "responses/01-create.request.json",
                "responses/03-computer-output.request.json",
                "responses/06-acknowledge.request.json",
                "responses/09-preview-legacy.request.json",
                "responses/11-stateless.request.json",
            ],
        ),
        (
            Api::Chat,
            "/v1/chat/completions",
            vec!["chat/01-create.request.json", "chat/03-tool-result.request.json"],
        ),
        (
            Api::Gemini,
            "/v1beta/models/gemini-3.5-flash:generateContent",
            vec!["gemini/01-computer.request.json", "gemini/03-computer-result.request.json"],
        ),
    ] {
        let stand_in = StandIn::start(api);
        // What some of the examples answer to.
        for given in ["responses/02-computer-call.response.json", "responses/05-safety-check.response.json"] {
            stand_in.state().given.push(contract::example_json(given));
        }
        for name in names {
            let headers = [
                ("content-type", "application/json"),
                ("anthropic-version", "2026-10-21"),
                ("anthropic-beta", "computer-use-2025-11-24"),
                if api == Api::Gemini { ("x-goog-api-key", "k") } else { ("authorization", "Bearer k") },
            ];
            let request = Request {
                method: "POST".into(),
                path: path.into(),
                headers: headers.map(|(name, value)| (name.to_string(), value.to_string())).to_vec(),
                body: contract::example(name).as_bytes().to_vec(),
                ..Request::default()
            };
            let response = answer(api, &request, &stand_in.shared);
            assert_eq!(stand_in.violations(), Vec::<String>::new(), "{name}");
            assert_eq!(response.status_code(), 200, "{name}");
        }
    }
}

#[track_caller]
fn check_violation(api: Api, path: &str, example: &str, change: impl Fn(&mut Value), expected: &str) {
    let mut body = contract::example_json(example);
    change(&mut body);
    let headers = [
        ("content-type", "application/json"),
        ("anthropic-version", "2026-10-21"),
        if api == Api::Gemini { ("x-goog-api-key", "k") } else { ("authorization", "Bearer k") },
    ];
    let request = Request {
        path: path.into(),
        headers: headers.map(|(name, value)| (name.to_string(), value.to_string())).to_vec(),
        body: body.to_string().into_bytes(),
        ..Request::default()
    };
    let stand_in = StandIn::start(api);
    let response = answer(api, &request, &stand_in.shared);
    assert_eq!(stand_in.violations(), [expected]);
    assert_eq!(response.status_code(), 400);
}

#[test]
fn what_no_schema_can_say_is_checked_too() {
    let anthropic = |example: &str, change: fn(&mut Value), expected: &str| {
        check_violation(Api::Anthropic, "/v1/messages", example, change, expected);
    };
    anthropic(
        "anthropic/03-browser-toolset-result.request.json",
        |body| drop(body["messages"].as_array_mut().unwrap().pop()),
        "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_01",
    );
    anthropic(
        "anthropic/03-browser-toolset-result.request.json",
        |body| body["messages"][2]["content"][0]["toolset_name"] = json!("computer"),
        "result \"toolu_01\": expected the toolset Some(\"browser\")",
    );
    anthropic(
        "anthropic/07-computer-20251124.request.json",
        |_| {},
        "anthropic-beta: expected `computer-use-2025-11-24`",
    );
    let responses = |example: &str, change: fn(&mut Value), expected: &str| {
        check_violation(Api::Responses, "/v1/responses", example, change, expected);
    };
    responses(
        "responses/03-computer-output.request.json",
        |_| {},
        "Previous response with id 'resp_01' not found.",
    );
    responses(
        "responses/01-create.request.json",
        |body| body["model"] = json!("computer-use-preview"),
        "this model takes the tool `computer_use_preview`",
    );
    responses(
        "responses/11-stateless.request.json",
        |body| drop(body["input"].as_array_mut().unwrap().pop()),
        "No tool output found for function call call_02.",
    );
    let chat = |example: &str, change: fn(&mut Value), expected: &str| {
        check_violation(Api::Chat, "/v1/chat/completions", example, change, expected);
    };
    chat(
        "chat/01-create.request.json",
        |body| body["tool_choice"] = json!("auto"),
        "`tool_choice` is not taken by every server",
    );
    chat(
        "chat/03-tool-result.request.json",
        |body| drop(body["messages"].as_array_mut().unwrap().remove(3)),
        "messages/2: the calls [\"call_abc\"] are answered by []",
    );
    check_violation(
        Api::Gemini,
        "/v1beta/models/gemini-3.5-flash:generateContent",
        "gemini/03-computer-result.request.json",
        |body| body["contents"][2]["parts"][0]["functionResponse"]["name"] = json!("scroll"),
        "contents/1: the calls [(Some(\"fc_01\"), Some(\"click\"))] are answered by [(Some(\"fc_01\"), Some(\"scroll\"))]",
    );
}

#[test]
#[should_panic(expected = "requests broke the contract of Chat")]
fn a_violation_that_nobody_asked_about_fails_the_test() {
    let stand_in = StandIn::start(Api::Chat);
    drop(answer(Api::Chat, &Request::default(), &stand_in.shared));
}
