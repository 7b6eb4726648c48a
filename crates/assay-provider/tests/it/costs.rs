//! What calls cost, and budgets that refuse before anything is spent.

use std::future::Future;
use std::time::{Duration, Instant};

use assay_provider::formats::Delivery;
use assay_provider::{Budget, BudgetError, Event, Limits, Money, Provider, ProviderError, Silence, Terms};
use assay_testkit::models::{Act, Api, Misbehaviour, Pieces, StandIn};

use crate::test_bench::{Bench, question};

#[tokio::test]
async fn a_budget_refuses_before_anything_is_sent() {
    for api in Api::ALL {
        for limits in [
            Limits { tokens: Some(100), ..Limits::default() },
            Limits { calls: Some(0), ..Limits::default() },
            Limits { money: Some(Money::dollars(0.000_001)), ..Limits::default() },
        ] {
            let stand_in = StandIn::start(api);
            let mut bench = Bench::on(&stand_in, api, Delivery::Streamed);
            bench.budget = Budget::new(limits);
            let outcome = bench.ask(&question()).await;
            // A server of one's own costs nothing.
            if api == Api::Chat && limits.money.is_some() {
                assert_eq!(outcome.unwrap().cost, Some(Money::ZERO));
                continue;
            }
            assert!(matches!(outcome, Err(ProviderError::Budget(_))), "{api:?} {limits:?}");
            assert_eq!(stand_in.asked().len(), 0);
        }
    }
}

#[tokio::test]
async fn each_try_is_a_call() {
    let stand_in = StandIn::start(Api::Anthropic);
    stand_in.always(|_| Act::Misbehave(Misbehaviour::Overloaded));
    let mut bench = Bench::on(&stand_in, Api::Anthropic, Delivery::Streamed);
    bench.budget = Budget::new(Limits { calls: Some(2), ..Limits::default() });
    let error = bench.ask(&question()).await.unwrap_err();
    assert!(matches!(error, ProviderError::Budget(BudgetError::Calls { limit: 2 })), "{error}");
    assert_eq!(stand_in.asked().len(), 2);
    // What is refused costs nothing.
    assert_eq!(bench.budget.spent().tokens, 0);
}

#[tokio::test]
async fn what_was_cut_off_counts_as_spent() {
    let stand_in = StandIn::start(Api::Anthropic);
    stand_in.next(Misbehaviour::Cut { after: 200 });
    let mut bench = Bench::on(&stand_in, Api::Anthropic, Delivery::Streamed);
    let used = bench.ask(&question()).await.unwrap().usage.unwrap().total();
    let spent = bench.budget.spent();
    assert!(spent.tokens > used + 512, "{} and {used}", spent.tokens);
    assert_eq!(spent.calls, 2);
}

#[tokio::test]
async fn the_price_of_a_call_is_told_and_booked() {
    for (api, input, output) in [
        (Api::Anthropic, 2.0, 10.0),
        (Api::Responses, 5.0, 30.0),
        (Api::Gemini, 1.5, 9.0),
        (Api::Chat, 0.0, 0.0),
    ] {
        let stand_in = StandIn::start(api);
        let mut bench = Bench::on(&stand_in, api, Delivery::Streamed);
        let answer = bench.ask(&question()).await.unwrap();
        let usage = answer.usage.unwrap();
        let expected =
            Money::dollars((usage.input as f64 * input + usage.output as f64 * output) / 1_000_000.0);
        assert_eq!(answer.cost, Some(expected), "{api:?}");
        assert_eq!(bench.budget.spent().money, expected);
        assert!(bench.ear.has(|event| *event == Event::Used { usage, cost: Some(expected) }));
    }
}

#[tokio::test]
async fn a_model_without_a_known_price_is_used_only_without_a_limit_in_money() {
    let stand_in = StandIn::start(Api::Responses);
    let model = assay_provider::ModelName::read("openai/brand-new").unwrap();
    let mut bench = Bench::with(&stand_in.base(), &model, Delivery::Streamed, crate::test_bench::http());
    assert_eq!(bench.ask(&question()).await.unwrap().cost, None);
    assert_eq!(bench.budget.spent().calls_without_price, 1);
    bench.budget = Budget::new(Limits { money: Some(Money::dollars(5.0)), ..Limits::default() });
    let error = bench.ask(&question()).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the price of `brand-new` is unknown, so a budget in money cannot be enforced"
    );
    assert!(error.hint().unwrap().contains("price list"));
}

#[tokio::test]
async fn questions_that_are_asked_at_once_keep_within_the_budget_together() {
    let stand_in = StandIn::start(Api::Anthropic);
    stand_in.in_pieces(Pieces::Of(500));
    let bench = Bench::on(&stand_in, Api::Anthropic, Delivery::Streamed);
    let question = question();
    // Room for some of them at their most, though what they use in the end is far less.
    let budget = Budget::new(Limits { tokens: Some(3000), ..Limits::default() });
    let terms = Terms { budget: &budget, deadline: Instant::now() + Duration::from_secs(60) };
    let asks: Vec<_> = (0..8)
        .map(|_| {
            let (client, question) = (&bench.client, &question);
            async move { client.ask(question, terms, &mut Silence).await.is_ok() }
        })
        .collect();
    let mut answered = 0;
    let mut asks: Vec<_> = asks.into_iter().map(Box::pin).collect();
    std::future::poll_fn(|context| {
        asks.retain_mut(|ask| match ask.as_mut().poll(context) {
            std::task::Poll::Ready(ok) => {
                answered += usize::from(ok);
                false
            }
            std::task::Poll::Pending => true,
        });
        if asks.is_empty() { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
    })
    .await;
    assert!((1..8).contains(&answered), "{answered}");
    assert_eq!(stand_in.asked().len(), answered);
    assert!(budget.spent().tokens <= 3000);
}

#[tokio::test]
async fn a_question_that_is_given_up_counts_as_spent() {
    let stand_in = StandIn::start(Api::Anthropic);
    stand_in.next(Misbehaviour::Hang { after: 100 });
    let mut bench = Bench::on(&stand_in, Api::Anthropic, Delivery::Streamed);
    let budget = bench.budget.clone();
    let asked = question();
    let outcome = tokio::time::timeout(Duration::from_millis(200), bench.ask(&asked)).await;
    assert!(outcome.is_err());
    assert!(budget.spent().tokens > 512);
}
