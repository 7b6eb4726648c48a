//! Prompt caching, as the stand-ins simulate it.

use assay_provider::conversation::{CacheLife, Caching, Message, Question, Tool};
use assay_provider::formats::Delivery;
use assay_testkit::models::{Api, Pieces, StandIn};

use crate::test_bench::{Bench, question};

/// A question whose beginning is long enough to be cached.
fn long_question() -> Question {
    let mut question = question();
    question.system = "You drive a browser for a test step, and you follow these rules. ".repeat(80);
    question
}

fn cache_lines(bench: &Bench) -> Vec<String> {
    bench.ear.lines().into_iter().filter(|line| line.starts_with("[CACHE]")).collect()
}

#[tokio::test]
async fn the_first_call_creates_the_cache_and_the_second_reads_it() {
    let stand_in = StandIn::start(Api::Anthropic);
    stand_in.in_pieces(Pieces::Of(64));
    let mut bench = Bench::on(&stand_in, Api::Anthropic, Delivery::Streamed);
    let mut question = long_question();
    let first = bench.ask(&question).await.unwrap();
    let created = first.usage.unwrap().cache_written;
    assert!(created > 1024, "{created}");
    question.messages.push(first.turn());
    question.messages.push(Message::user("And now the other one."));
    let second = bench.ask(&question).await.unwrap().usage.unwrap();
    assert_eq!(second.cache_read, created);
    assert_eq!(
        cache_lines(&bench),
        [
            format!("[CACHE] Created cache with {created} tokens"),
            format!("[CACHE] Created cache with {} tokens", second.cache_written),
            format!("[CACHE] Read {created} tokens from cache (95% cheaper)"),
        ]
    );
}

#[tokio::test]
async fn a_model_at_the_usual_discount_says_ninety_per_cent() {
    let stand_in = StandIn::start(Api::Anthropic);
    stand_in.in_pieces(Pieces::Of(64));
    let model = assay_provider::ModelName::read("claude-sonnet-4-6").unwrap();
    let mut bench = Bench::with(&stand_in.base(), &model, Delivery::Streamed, crate::test_bench::http());
    let question = long_question();
    let created = bench.ask(&question).await.unwrap().usage.unwrap().cache_written;
    bench.ask(&question).await.unwrap();
    assert_eq!(
        cache_lines(&bench),
        [
            format!("[CACHE] Created cache with {created} tokens"),
            format!("[CACHE] Read {created} tokens from cache (90% cheaper)"),
        ]
    );
}

/// A question whose tools, too, are long enough.
fn with_long_tools() -> Question {
    let mut question = long_question();
    for tool in &mut question.tools {
        if let Tool::Function(tool) = tool {
            tool.description = "Does what the step says, and tells what it did. ".repeat(60);
        }
    }
    question
}

#[tokio::test]
async fn marks_are_on_the_last_tool_the_system_text_and_the_newest_message() {
    let stand_in = StandIn::start(Api::Anthropic);
    stand_in.in_pieces(Pieces::Of(64));
    let mut bench = Bench::on(&stand_in, Api::Anthropic, Delivery::Streamed);
    bench.ask(&with_long_tools()).await.unwrap();
    let body = &stand_in.asked()[0].body;
    let mark = serde_json::json!({"type": "ephemeral"});
    assert_eq!(body["tools"][1]["cache_control"], mark);
    assert_eq!(body["system"][0]["cache_control"], mark);
    assert_eq!(body["messages"][0]["content"][1]["cache_control"], mark);
    assert_eq!(body.to_string().matches("cache_control").count(), 3);
}

#[tokio::test]
async fn what_is_too_short_for_the_models_cache_has_no_mark() {
    let stand_in = StandIn::start(Api::Anthropic);
    stand_in.in_pieces(Pieces::Of(64));
    let mut bench = Bench::on(&stand_in, Api::Anthropic, Delivery::Streamed);
    // The tools are too short by themselves, and long enough together with the text.
    bench.ask(&long_question()).await.unwrap();
    let body = &stand_in.asked()[0].body;
    assert!(body["tools"][1]["cache_control"].is_null());
    assert_eq!(body.to_string().matches("cache_control").count(), 2);
    let mut short = question();
    short.messages = vec![Message::user("Click it.")];
    bench.ask(&short).await.unwrap();
    assert!(!stand_in.asked()[1].body.to_string().contains("cache_control"));
}

#[tokio::test]
async fn tools_and_system_text_can_stay_for_an_hour() {
    let stand_in = StandIn::start(Api::Anthropic);
    stand_in.in_pieces(Pieces::Of(64));
    let mut bench = Bench::on(&stand_in, Api::Anthropic, Delivery::Streamed);
    let mut question = with_long_tools();
    question.caching = Caching::Marked(CacheLife::Hour);
    let first = bench.ask(&question).await.unwrap().usage.unwrap();
    let body = &stand_in.asked()[0].body;
    let hour = serde_json::json!({"type": "ephemeral", "ttl": "1h"});
    assert_eq!((&body["tools"][1]["cache_control"], &body["system"][0]["cache_control"]), (&hour, &hour));
    assert_eq!(body["messages"][0]["content"][1]["cache_control"], serde_json::json!({"type": "ephemeral"}));
    assert!(first.cache_written_long > 2000, "{first:?}");
    assert!((1..500).contains(&first.cache_written), "{first:?}");
}

#[tokio::test]
async fn a_question_that_is_asked_once_is_not_marked() {
    let stand_in = StandIn::start(Api::Anthropic);
    let mut bench = Bench::on(&stand_in, Api::Anthropic, Delivery::Streamed);
    let mut question = long_question();
    question.caching = Caching::Unmarked;
    bench.ask(&question).await.unwrap();
    bench.ask(&question).await.unwrap();
    assert!(!stand_in.asked()[0].body.to_string().contains("cache_control"));
    assert_eq!(cache_lines(&bench), Vec::<String>::new());
}

#[tokio::test]
async fn automatic_caches_are_told_too() {
    for api in [Api::Responses, Api::Gemini] {
        let stand_in = StandIn::start(api);
        stand_in.in_pieces(Pieces::Of(64));
        let mut bench = Bench::on(&stand_in, api, Delivery::Streamed);
        let question = long_question();
        bench.ask(&question).await.unwrap();
        let read = bench.ask(&question).await.unwrap().usage.unwrap().cache_read;
        assert!(read >= 1024, "{api:?}: {read}");
        assert_eq!(cache_lines(&bench), [format!("[CACHE] Read {read} tokens from cache (90% cheaper)")]);
    }
}
