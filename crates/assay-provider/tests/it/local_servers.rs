//! What local servers do differently, borne with and told.

use assay_provider::Event;
use assay_provider::answer::{CallInput, Item, ModelAnswer, Note, Stop};
use assay_provider::conversation::{Message, Part, ToolResult};
use assay_provider::formats::Delivery;
use assay_testkit::models::{Act, Api, StandIn};
use serde_json::{Value, json};

use crate::test_bench::{Bench, DELIVERIES, question};

fn completion(message: Value, finish_reason: &str) -> Value {
    completion_of(message, finish_reason, 900)
}

fn completion_of(message: Value, finish_reason: &str, prompt: u64) -> Value {
    json!({
        "id": "chatcmpl-9",
        "object": "chat.completion",
        "created": 1_794_700_800,
        "model": "qwen3-vl:8b",
        "choices": [{"index": 0, "message": message, "finish_reason": finish_reason}],
        "usage": {"prompt_tokens": prompt, "completion_tokens": 5, "total_tokens": prompt + 5},
    })
}

/// Asks for this message, whole, and goes on from it: what was mended has to keep to the contract.
async fn answer(message: Value, finish_reason: &str) -> ModelAnswer {
    let stand_in = StandIn::start(Api::Chat);
    stand_in.next(Act::Body(completion(message, finish_reason)));
    let mut bench = Bench::on(&stand_in, Api::Chat, Delivery::Whole);
    let mut question = question();
    let answer = bench.ask(&question).await.unwrap();
    question.messages.push(answer.turn());
    let calls = answer.calls();
    if calls.is_empty() {
        question.messages.push(Message::user("Go on."));
    } else {
        let results = calls.into_iter().map(|call| ToolResult::done(call, vec![Part::Text("ok".into())]));
        question.messages.push(Message::Results { results: results.collect(), remarks: Vec::new() });
    }
    bench.ask(&question).await.unwrap();
    answer
}

fn call(id: Value, arguments: Value) -> Value {
    json!({"id": id, "type": "function", "function": {"name": "click_ref", "arguments": arguments}})
}

#[tokio::test]
async fn arguments_that_are_no_json_are_kept_as_they_are() {
    let said = answer(
        json!({"role": "assistant", "tool_calls": [call(json!("c1"), json!("{ref: e7"))]}),
        "tool_calls",
    )
    .await;
    let call = said.function_calls().next().unwrap();
    assert_eq!(call.input, CallInput::Malformed("{ref: e7".into()));
}

#[tokio::test]
async fn arguments_may_be_an_object_or_missing() {
    let calls = [
        call(json!("c1"), json!({"ref": "e7"})),
        call(json!("c2"), Value::Null),
        call(json!("c3"), json!("")),
    ];
    let said = answer(json!({"role": "assistant", "content": "", "tool_calls": calls}), "stop").await;
    let inputs: Vec<&CallInput> = said.function_calls().map(|call| &call.input).collect();
    let empty = CallInput::Json(json!({}));
    assert_eq!(inputs, [&CallInput::Json(json!({"ref": "e7"})), &empty, &empty]);
    // Though the server said `stop`.
    assert_eq!(said.stop, Stop::Calls);
}

#[tokio::test]
async fn ids_that_are_missing_or_repeated_are_made_up() {
    let calls =
        [call(json!("c1"), json!("{}")), call(json!("c1"), json!("{}")), call(Value::Null, json!("{}"))];
    let said = answer(json!({"role": "assistant", "tool_calls": calls}), "tool_calls").await;
    let ids: Vec<&str> = said.function_calls().map(|call| call.id.as_str()).collect();
    assert_eq!(ids, ["c1", "call_made_up_1", "call_made_up_2"]);
    assert_eq!(said.notes.iter().filter(|note| matches!(note, Note::MadeUpCallId { .. })).count(), 2);
}

#[tokio::test]
async fn thoughts_are_read_but_not_sent_back() {
    for name in ["reasoning_content", "reasoning"] {
        let said = answer(json!({"role": "assistant", "content": "Yes.", name: "Hm."}), "stop").await;
        assert_eq!(said.items, [Item::Thinking("Hm.".into()), Item::Text("Yes.".into())]);
        assert!(!said.raw[0].to_string().contains("Hm."));
    }
}

#[tokio::test]
async fn a_call_that_is_printed_as_text_is_told_and_not_carried_out() {
    let text = "<tool_call>{\"name\": \"click_ref\", \"arguments\": {\"ref\": \"e7\"}}</tool_call>";
    let said = answer(json!({"role": "assistant", "content": text}), "stop").await;
    assert_eq!(said.notes, [Note::ToolCallAsText]);
    assert_eq!(said.function_calls().count(), 0);
}

#[tokio::test]
async fn an_answer_without_usage_counts_as_what_was_set_aside() {
    let stand_in = StandIn::start(Api::Chat);
    let mut body = completion(json!({"role": "assistant", "content": "Yes."}), "stop");
    body["usage"] = Value::Null;
    stand_in.next(Act::Body(body));
    let mut bench = Bench::on(&stand_in, Api::Chat, Delivery::Whole);
    assert_eq!(bench.ask(&question()).await.unwrap().usage, None);
    assert!(bench.budget.spent().tokens > 512);
}

#[tokio::test]
async fn a_server_that_streams_though_it_was_not_asked_to_is_understood() {
    let stand_in = StandIn::start(Api::Chat);
    stand_in.next(Act::Example("chat/04-tool-calls.stream.sse"));
    let mut bench = Bench::on(&stand_in, Api::Chat, Delivery::Whole);
    assert_eq!(bench.ask(&question()).await.unwrap().function_calls().count(), 1);
}

#[tokio::test]
async fn a_refusal_inside_a_success_is_a_refusal() {
    for delivery in DELIVERIES {
        let stand_in = StandIn::start(Api::Responses);
        let mut body = assay_testkit::models::example_json("responses/04-final.response.json");
        body["status"] = json!("failed");
        body["error"] = json!({"code": "image_too_large", "message": "The image is too large."});
        stand_in.next(Act::Body(body));
        let mut bench = Bench::on(&stand_in, Api::Responses, delivery);
        let error = bench.ask(&question()).await.unwrap_err();
        assert_eq!(
            error.to_string(),
            "openai refused the request (status 200, `image_too_large`): The image is too large."
        );
    }
}

#[tokio::test]
async fn an_answer_that_reached_its_limit_says_so() {
    for delivery in DELIVERIES {
        let stand_in = StandIn::start(Api::Responses);
        let mut body = assay_testkit::models::example_json("responses/04-final.response.json");
        body["status"] = json!("incomplete");
        body["incomplete_details"] = json!({"reason": "max_output_tokens"});
        stand_in.next(Act::Body(body));
        let mut bench = Bench::on(&stand_in, Api::Responses, delivery);
        assert_eq!(bench.ask(&question()).await.unwrap().stop, Stop::OutputLimit);

        let stand_in = StandIn::start(Api::Anthropic);
        stand_in.next(Act::Example("anthropic/10-refusal.response.json"));
        let mut bench = Bench::on(&stand_in, Api::Anthropic, delivery);
        let stop = bench.ask(&question()).await.unwrap().stop;
        assert!(matches!(stop, Stop::Refused { category: Some(_), .. }), "{stop:?}");
    }
}

#[tokio::test]
async fn a_server_that_cuts_the_question_is_found_out() {
    let stand_in = StandIn::start(Api::Chat);
    stand_in.next(Act::Body(completion_of(json!({"role": "assistant", "content": "Yes."}), "stop", 10)));
    let mut bench = Bench::on(&stand_in, Api::Chat, Delivery::Whole);
    let mut question = question();
    question.system = "Mind every rule of the house. ".repeat(100);
    // The server says that it read ten tokens.
    let said = bench.ask(&question).await.unwrap();
    assert!(matches!(said.notes.as_slice(), [Note::QuestionCut { counted: 10, .. }]), "{:?}", said.notes);
    assert!(bench.ear.has(|event| matches!(event, Event::Note(Note::QuestionCut { .. }))));
}
