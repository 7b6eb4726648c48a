//! Whole conversations: a call, its result, a last word, in every format, streamed and not.

use assay_provider::Event;
use assay_provider::answer::{CallInput, Stop};
use assay_provider::conversation::{Effort, Message, Part, ToolChoice, ToolResult};
use assay_provider::formats::Delivery;
use assay_testkit::models::{Api, Pieces, StandIn, Turn};
use serde_json::json;

use crate::test_bench::{Bench, DELIVERIES, model_of, picture, question};

async fn converse(api: Api, delivery: Delivery, pieces: Pieces) {
    let stand_in = StandIn::start(api);
    stand_in.in_pieces(pieces);
    stand_in.next(Turn::text("I click it – “now”.").and_call("click_ref", json!({"ref": "é7"})));
    stand_in.next(Turn::call("report", json!({"passed": true})).and_call("click_ref", json!({"ref": "e8"})));
    stand_in.next(Turn::text("It is done."));
    let mut bench = Bench::on(&stand_in, api, delivery);
    let mut question = question();

    let first = bench.ask(&question).await.unwrap();
    assert_eq!(first.text(), "I click it – “now”.");
    assert_eq!(first.stop, Stop::Calls);
    let call = first.function_calls().next().unwrap();
    assert_eq!((call.name.as_str(), &call.input), ("click_ref", &CallInput::Json(json!({"ref": "é7"}))));
    question.messages.push(first.turn());
    let parts = vec![Part::Text("clicked".into()), Part::Picture(picture())];
    question.messages.push(Message::Results {
        results: vec![ToolResult::done(call.call_ref(), parts)],
        remarks: vec![Part::Text("The page has changed.".into())],
    });

    let second = bench.ask(&question).await.unwrap();
    let calls = second.calls();
    assert_eq!(calls.len(), 2);
    question.messages.push(second.turn());
    question.messages.push(Message::Results {
        results: vec![
            ToolResult::done(calls[0].clone(), vec![Part::Text("noted".into())]),
            ToolResult::failed(calls[1].clone(), "no element `e8`"),
        ],
        remarks: Vec::new(),
    });

    let third = bench.ask(&question).await.unwrap();
    assert_eq!((third.text().as_str(), &third.stop), ("It is done.", &Stop::Finished));
    assert!(third.calls().is_empty());
    assert_eq!(third.model, model_of(api).model);
    let said: String = bench
        .ear
        .heard
        .iter()
        .filter_map(|event| match event {
            Event::Text(text) => Some(text.as_str()),
            _ => None,
        })
        .collect();
    if delivery == Delivery::Streamed {
        assert_eq!(said, "I click it – “now”.It is done.");
        assert!(bench.ear.has(|event| *event == Event::CallBegun { name: "report".into() }));
    }
    let spent = bench.budget.spent();
    let used: u64 = [&first, &second, &third].iter().map(|answer| answer.usage.unwrap().total()).sum();
    assert_eq!((spent.calls, spent.tokens), (3, used));
    assert_eq!(stand_in.asked().len(), 3);
}

#[tokio::test]
async fn a_conversation_with_calls_goes_through_byte_by_byte() {
    for api in Api::ALL {
        for delivery in DELIVERIES {
            converse(api, delivery, Pieces::Bytes).await;
        }
    }
}

#[tokio::test]
async fn a_conversation_with_calls_goes_through_in_other_pieces() {
    for api in Api::ALL {
        for length in [7, 100_000] {
            converse(api, Delivery::Streamed, Pieces::Of(length)).await;
        }
    }
}

#[tokio::test]
async fn every_choice_of_tools_and_every_effort_keeps_to_the_contract() {
    for api in Api::ALL {
        for choice in [
            ToolChoice::Auto,
            ToolChoice::Required,
            ToolChoice::Named("report".into()),
            ToolChoice::Forbidden,
        ] {
            for effort in [None, Some(Effort::Low), Some(Effort::Medium), Some(Effort::High)] {
                let stand_in = StandIn::start(api);
                stand_in.in_pieces(Pieces::Of(1000));
                let mut bench = Bench::on(&stand_in, api, Delivery::Streamed);
                let mut question = question();
                question.tool_choice = choice.clone();
                question.effort = effort;
                bench.ask(&question).await.unwrap();
            }
        }
    }
}

#[tokio::test]
async fn a_conversation_can_go_on_with_another_provider() {
    for from in Api::ALL {
        for to in Api::ALL {
            let old = StandIn::start(from);
            old.next(Turn::text("First.").and_call("report", json!({"passed": false})));
            let mut question = question();
            let answer = Bench::on(&old, from, Delivery::Streamed).ask(&question).await.unwrap();
            question.messages.push(answer.turn());
            let results =
                answer.calls().into_iter().map(|call| ToolResult::failed(call, "not yet")).collect();
            question.messages.push(Message::Results { results, remarks: Vec::new() });
            let new = StandIn::start(to);
            let answer = Bench::on(&new, to, Delivery::Streamed).ask(&question).await.unwrap();
            assert_eq!(answer.text(), "Done.", "from {from:?} to {to:?}");
        }
    }
}

#[tokio::test]
async fn tools_are_written_in_the_same_order_whoever_lists_them() {
    for api in Api::ALL {
        let stand_in = StandIn::start(api);
        let mut bench = Bench::on(&stand_in, api, Delivery::Streamed);
        let mut question = question();
        bench.ask(&question).await.unwrap();
        question.tools.reverse();
        bench.ask(&question).await.unwrap();
        let asked = stand_in.asked();
        assert_eq!(asked[0].body, asked[1].body, "{api:?}");
    }
}
