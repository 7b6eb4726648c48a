//! Every provider, every misbehaviour: the outcome is typed, and no key is told.

use std::time::Duration;

use assay_provider::answer::{Item, Note};
use assay_provider::formats::Delivery;
use assay_provider::{Event, ProviderError};
use assay_testkit::models::{Act, Api, Misbehaviour, Pieces, StandIn, Turn};

use crate::test_bench::{Bench, DELIVERIES, SECRET, question};

/// Asks a stand-in that does this with every request.
async fn outcome(api: Api, delivery: Delivery, misbehaviour: Misbehaviour) -> (ProviderError, usize, Bench) {
    let stand_in = StandIn::start(api);
    stand_in.always(move |_| Act::Misbehave(misbehaviour.clone()));
    let mut bench = Bench::on(&stand_in, api, delivery);
    let error = bench.ask(&question()).await.unwrap_err();
    let told = format!("{error} {error:?} {:?} {:?}", error.hint(), bench.ear.heard);
    assert!(!told.contains(SECRET), "the key is told: {told}");
    assert_eq!(stand_in.violations(), Vec::<String>::new());
    (error, stand_in.asked().len(), bench)
}

/// What an error is, in a word.
fn kind(error: &ProviderError) -> &'static str {
    match error {
        ProviderError::Key(_) => "key",
        ProviderError::Budget(_) => "budget",
        ProviderError::Unaskable(_) => "unaskable",
        ProviderError::RateLimited { .. } => "rate limited",
        ProviderError::QuotaSpent { .. } => "quota spent",
        ProviderError::Overloaded { .. } => "overloaded",
        ProviderError::ServerBroke { .. } => "server broke",
        ProviderError::Refused { .. } => "refused",
        ProviderError::NotAllowed { .. } => "not allowed",
        ProviderError::UnknownModel { .. } => "unknown model",
        ProviderError::CutStream { .. } => "cut",
        ProviderError::BadAnswer { .. } => "bad answer",
        ProviderError::TimedOut { .. } => "timed out",
        ProviderError::Unreachable { .. } => "unreachable",
        ProviderError::Cassette(_) => "cassette",
        ProviderError::KeyInAnswer { .. } => "key in answer",
    }
}

/// Checks a misbehaviour with all providers, streamed and whole: the kind of error, and the tries.
async fn check(misbehaviour: Misbehaviour, expected: &str, tries: usize) {
    for api in Api::ALL {
        for delivery in DELIVERIES {
            let (error, asked, _) = outcome(api, delivery, misbehaviour.clone()).await;
            assert_eq!((kind(&error), asked), (expected, tries), "{api:?} {delivery:?}: {error}");
        }
    }
}

#[tokio::test]
async fn too_many_requests_without_a_word_about_when() {
    check(Misbehaviour::RateLimited { headers: Vec::new() }, "rate limited", 4).await;
}

#[tokio::test]
async fn too_many_requests_with_a_wait() {
    check(Misbehaviour::RateLimited { headers: vec![("retry-after", "3".into())] }, "rate limited", 4).await;
}

#[tokio::test]
async fn too_many_requests_with_a_wait_that_is_too_long() {
    check(Misbehaviour::RateLimited { headers: vec![("retry-after", "3600".into())] }, "rate limited", 1)
        .await;
}

#[tokio::test]
async fn too_many_requests_and_no_sense_in_trying_again() {
    let headers = vec![("x-should-retry", "false".to_string())];
    check(Misbehaviour::RateLimited { headers }, "rate limited", 1).await;
}

#[tokio::test]
async fn a_provider_that_has_too_much_to_do() {
    check(Misbehaviour::Overloaded, "overloaded", 4).await;
}

#[tokio::test]
async fn a_server_that_breaks() {
    check(Misbehaviour::ServerError, "server broke", 4).await;
    let text = "<html><h1>502 Bad Gateway</h1></html>";
    check(Misbehaviour::PlainError { status: 502, text }, "server broke", 4).await;
    check(Misbehaviour::PlainError { status: 500, text: "" }, "server broke", 4).await;
}

#[tokio::test]
async fn a_stream_that_is_cut() {
    for after in [0, 1, 40, 130] {
        check(Misbehaviour::Cut { after }, "cut", 4).await;
    }
}

#[tokio::test]
async fn a_server_that_hangs_up_without_a_word_may_have_been_paid() {
    check(Misbehaviour::HangUp, "cut", 4).await;
    let (_, _, bench) = outcome(Api::Anthropic, Delivery::Streamed, Misbehaviour::HangUp).await;
    assert!(bench.budget.spent().tokens > 4 * 512);
}

#[tokio::test]
async fn an_answer_that_is_no_json() {
    check(Misbehaviour::InvalidJson, "bad answer", 1).await;
    check(Misbehaviour::InvalidEvent, "bad answer", 1).await;
}

#[tokio::test]
async fn a_request_that_is_refused_keeps_the_providers_words() {
    let message = "messages.3: too many pictures".to_string();
    check(Misbehaviour::BadRequest { message: message.clone() }, "refused", 1).await;
    for api in Api::ALL {
        let misbehaviour = Misbehaviour::BadRequest { message: message.clone() };
        let (error, ..) = outcome(api, Delivery::Streamed, misbehaviour).await;
        assert!(error.to_string().contains(&message), "{error}");
    }
}

#[tokio::test]
async fn a_key_that_is_not_accepted_is_not_told() {
    check(Misbehaviour::WrongKey, "not allowed", 1).await;
    for api in Api::ALL {
        let (error, ..) = outcome(api, Delivery::Streamed, Misbehaviour::WrongKey).await;
        assert!(error.to_string().contains("Incorrect API key provided: [key]."), "{error}");
    }
}

#[tokio::test]
async fn a_model_that_does_not_exist() {
    check(Misbehaviour::UnknownModel, "unknown model", 1).await;
}

#[tokio::test]
async fn an_account_that_has_nothing_left() {
    for api in [Api::Anthropic, Api::Responses, Api::Chat] {
        let (error, asked, _) = outcome(api, Delivery::Streamed, Misbehaviour::QuotaSpent).await;
        assert_eq!((kind(&error), asked), ("quota spent", 1), "{api:?}: {error}");
    }
    // Gemini has one word for both.
    let (error, asked, _) = outcome(Api::Gemini, Delivery::Streamed, Misbehaviour::QuotaSpent).await;
    assert_eq!((kind(&error), asked), ("rate limited", 4), "{error}");
}

#[tokio::test]
async fn an_error_in_the_middle_of_a_stream() {
    for (api, expected, tries) in [
        (Api::Anthropic, "overloaded", 4),
        (Api::Responses, "server broke", 4),
        (Api::Chat, "server broke", 4),
        (Api::Gemini, "overloaded", 4),
    ] {
        let (error, asked, _) = outcome(api, Delivery::Streamed, Misbehaviour::ErrorInStream).await;
        assert_eq!((kind(&error), asked), (expected, tries), "{api:?}: {error}");
    }
}

/// The server never sends the rest, so the limit is reached however slow the machine is.
#[tokio::test]
async fn a_body_that_does_not_come() {
    for misbehaviour in
        [Misbehaviour::NoAnswer, Misbehaviour::Hang { after: 0 }, Misbehaviour::Hang { after: 90 }]
    {
        for api in Api::ALL {
            for delivery in DELIVERIES {
                let stand_in = StandIn::start(api);
                stand_in.next(misbehaviour.clone());
                let mut bench = Bench::on(&stand_in, api, delivery);
                let error = bench.ask_within(&question(), Duration::from_millis(100)).await.unwrap_err();
                assert_eq!(kind(&error), "timed out", "{api:?} {delivery:?}: {error}");
                // Nobody knows what it cost.
                assert!(bench.budget.spent().tokens > 0);
            }
        }
    }
}

#[tokio::test]
async fn a_server_that_is_not_there() {
    for api in Api::ALL {
        let base = StandIn::start(api).base();
        let mut bench = Bench::with(
            &base,
            &crate::test_bench::model_of(api),
            Delivery::Streamed,
            crate::test_bench::http(),
        );
        let error = bench.ask(&question()).await.unwrap_err();
        assert_eq!(kind(&error), "unreachable", "{api:?}: {error}");
        assert_eq!(bench.clock.slept().len(), 3);
        assert_eq!(bench.budget.spent().tokens, 0);
    }
}

#[tokio::test]
async fn items_that_nobody_has_heard_of_are_kept_and_told() {
    for api in Api::ALL {
        for delivery in DELIVERIES {
            let stand_in = StandIn::start(api);
            stand_in.next(Misbehaviour::UnknownItems);
            let mut bench = Bench::on(&stand_in, api, delivery);
            let answer = bench.ask(&question()).await.unwrap();
            assert_eq!(answer.text(), "Before.", "{api:?}");
            assert!(answer.items.iter().any(|item| matches!(item, Item::Unknown(_))), "{api:?}: {answer:?}");
            assert!(bench.ear.has(|event| matches!(event, Event::Note(Note::UnknownItem { .. }))), "{api:?}");
            if delivery == Delivery::Streamed {
                assert!(
                    bench.ear.has(|event| matches!(event, Event::Note(Note::UnknownEvent { .. }))),
                    "{api:?}"
                );
            }
        }
    }
}

#[tokio::test]
async fn one_failure_is_survived() {
    let failures = [
        Misbehaviour::RateLimited { headers: Vec::new() },
        Misbehaviour::RateLimited { headers: vec![("retry-after-ms", "150".into())] },
        Misbehaviour::Overloaded,
        Misbehaviour::ServerError,
        Misbehaviour::Cut { after: 60 },
        Misbehaviour::HangUp,
    ];
    for api in Api::ALL {
        for delivery in DELIVERIES {
            for failure in &failures {
                let stand_in = StandIn::start(api);
                stand_in.in_pieces(Pieces::Of(16));
                stand_in.next(failure.clone()).next(Turn::text("At last."));
                let mut bench = Bench::on(&stand_in, api, delivery);
                let answer = bench.ask(&question()).await.unwrap();
                assert_eq!(answer.text(), "At last.", "{api:?} {failure:?}");
                assert_eq!(bench.clock.slept().len(), 1);
                assert!(bench.ear.has(|event| matches!(event, Event::Retrying { attempt: 2, .. })));
            }
        }
    }
}

#[tokio::test]
async fn a_request_that_breaks_the_contract_is_noticed_by_the_stand_in() {
    let stand_in = StandIn::start(Api::Anthropic);
    let mut bench = Bench::on(&stand_in, Api::Anthropic, Delivery::Streamed);
    let mut question = question();
    question.messages.clear();
    let error = bench.ask(&question).await.unwrap_err();
    assert_eq!(kind(&error), "refused", "{error}");
    assert_eq!(stand_in.violations(), ["/messages: `minItems` 1 does not hold for []"]);
}
