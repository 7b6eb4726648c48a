//! How long is waited, and for whom. The clock is driven by the tests, so nothing really waits.

use std::time::{Duration, SystemTime};

use assay_provider::formats::Delivery;
use assay_provider::{Event, ProviderError};
use assay_testkit::models::{Act, Api, Misbehaviour, StandIn, Turn};

use crate::test_bench::{Bench, question};

async fn waits(headers: Vec<(&'static str, String)>) -> Vec<Duration> {
    let stand_in = StandIn::start(Api::Anthropic);
    stand_in.next(Misbehaviour::RateLimited { headers });
    let mut bench = Bench::on(&stand_in, Api::Anthropic, Delivery::Streamed);
    bench.ask(&question()).await.unwrap();
    bench.clock.slept()
}

#[tokio::test]
async fn what_the_server_asks_for_is_obeyed() {
    assert_eq!(waits(vec![("retry-after", "7".into())]).await, [Duration::from_secs(7)]);
    let both = vec![("retry-after", "7".into()), ("retry-after-ms", "150".into())];
    assert_eq!(waits(both).await, [Duration::from_millis(150)]);
}

#[tokio::test]
async fn without_a_word_the_wait_is_the_first_of_the_backoff() {
    let waits = waits(Vec::new()).await;
    assert_eq!(waits.len(), 1);
    assert!((375..=500).contains(&waits[0].as_millis()), "{waits:?}");
}

#[tokio::test]
async fn waits_grow_and_end() {
    let stand_in = StandIn::start(Api::Responses);
    stand_in.always(|_| Act::Misbehave(Misbehaviour::Overloaded));
    let mut bench = Bench::on(&stand_in, Api::Responses, Delivery::Streamed);
    bench.ask(&question()).await.unwrap_err();
    let waits: Vec<u128> = bench.clock.slept().iter().map(Duration::as_millis).collect();
    assert_eq!(waits.len(), 3);
    for (wait, (least, most)) in waits.iter().zip([(375, 500), (750, 1000), (1500, 2000)]) {
        assert!((least..=most).contains(wait), "{waits:?}");
    }
}

#[tokio::test]
async fn geminis_own_word_for_a_wait_is_obeyed() {
    let stand_in = StandIn::start(Api::Gemini);
    let body = assay_testkit::models::example_json("gemini/05-rate-limit.error-429.json");
    stand_in.next(Act::Stream(format!("data: {}\n\n", body.to_string().replace('\n', ""))));
    let mut bench = Bench::on(&stand_in, Api::Gemini, Delivery::Streamed);
    bench.ask(&question()).await.unwrap();
    assert_eq!(bench.clock.slept(), [Duration::from_secs(7)]);
}

#[tokio::test]
async fn a_wait_beyond_the_deadline_is_told_instead() {
    let stand_in = StandIn::start(Api::Anthropic);
    stand_in.next(Misbehaviour::RateLimited { headers: vec![("retry-after", "90".into())] });
    let mut bench = Bench::on(&stand_in, Api::Anthropic, Delivery::Streamed);
    let error = bench.ask(&question()).await.unwrap_err();
    let ProviderError::RateLimited { wait, until, .. } = error else { panic!("{error}") };
    assert_eq!(wait, Some(Duration::from_secs(90)));
    assert!(until.unwrap() > SystemTime::now());
    assert_eq!(bench.clock.slept(), Vec::<Duration>::new());
}

#[tokio::test]
async fn a_limit_that_is_used_up_is_waited_for_before_the_next_call() {
    let stand_in = StandIn::start(Api::Responses);
    let headers = vec![
        ("x-ratelimit-remaining-requests", "0".to_string()),
        ("x-ratelimit-reset-requests", "20s".to_string()),
    ];
    stand_in.next(Misbehaviour::RateLimited { headers });
    stand_in.next(Turn::text("Now."));
    let mut bench = Bench::on(&stand_in, Api::Responses, Delivery::Streamed);
    bench.ask(&question()).await.unwrap();
    // Once as the answer to the refusal; by then the limit is filled again.
    assert_eq!(bench.clock.slept(), [Duration::from_secs(20)]);

    let headers = vec![
        ("x-should-retry", "false".to_string()),
        ("x-ratelimit-remaining-requests", "0".to_string()),
        ("x-ratelimit-reset-requests", "20s".to_string()),
    ];
    stand_in.next(Misbehaviour::RateLimited { headers });
    bench.ask(&question()).await.unwrap_err();
    bench.ask(&question()).await.unwrap();
    assert!(bench.ear.has(|event| matches!(event, Event::Pacing { .. })));
}
