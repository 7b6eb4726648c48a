//! The function behind `assay model test`.

use std::time::Duration;

use assay_provider::formats::Delivery;
use assay_provider::{Clock, RoundTripError, Terms, round_trip};
use assay_testkit::models::{Act, Api, StandIn, Turn};
use serde_json::json;

use crate::test_bench::{Bench, DELIVERIES};

async fn run(
    stand_in: &StandIn,
    api: Api,
    delivery: Delivery,
) -> Result<assay_provider::RoundTrip, RoundTripError> {
    let mut bench = Bench::on(stand_in, api, delivery);
    let terms = Terms { budget: &bench.budget, deadline: bench.clock.now() + Duration::from_secs(30) };
    round_trip(&bench.client, terms, &mut bench.ear).await
}

#[tokio::test]
async fn a_model_that_can_call_a_tool_passes() {
    for api in Api::ALL {
        for delivery in DELIVERIES {
            let stand_in = StandIn::start(api);
            stand_in.always(|asked| {
                if asked.text().contains("halyard") {
                    Act::Say(Turn::text("Halyard."))
                } else {
                    Act::Say(Turn::call("lookup_word", json!({"number": 7})))
                }
            });
            let trip = run(&stand_in, api, delivery).await.unwrap();
            assert_eq!(trip.said, "Halyard.");
            assert!(trip.usage.question() > 0 && trip.usage.output > 0);
            assert!(trip.cost.is_some());
            assert_eq!(trip.first_piece.is_some(), delivery == Delivery::Streamed);
            assert!(trip.whole >= trip.call);
            assert_eq!(stand_in.asked().len(), 2);
        }
    }
}

#[tokio::test]
async fn a_model_that_talks_instead_does_not() {
    for api in Api::ALL {
        let stand_in = StandIn::start(api);
        stand_in.always(|_| Act::Say(Turn::text("I think it is seven.")));
        let error = run(&stand_in, api, Delivery::Streamed).await.unwrap_err();
        assert!(
            matches!(&error, RoundTripError::NoCall { said, .. } if said == "I think it is seven."),
            "{error}"
        );
    }
}

#[tokio::test]
async fn a_model_that_does_not_read_results_does_not() {
    for api in Api::ALL {
        let stand_in = StandIn::start(api);
        stand_in.next(Turn::call("lookup_word", json!({"number": 7}))).next(Turn::text("Seven."));
        let error = run(&stand_in, api, Delivery::Streamed).await.unwrap_err();
        assert!(matches!(error, RoundTripError::WrongWord { .. }), "{error}");
        stand_in.next(Turn::call("lookup_word", json!({"number": 8})));
        let error = run(&stand_in, api, Delivery::Streamed).await.unwrap_err();
        assert!(matches!(error, RoundTripError::WrongCall { .. }), "{error}");
    }
}
