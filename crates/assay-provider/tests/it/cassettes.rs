//! Recorded once, replayed bit by bit.

use std::path::PathBuf;
use std::sync::Arc;

use assay_provider::cassette::{CassetteError, Player, Recorder};
use assay_provider::conversation::{Message, Part, ToolResult};
use assay_provider::formats::Delivery;
use assay_provider::transport::{Body, HttpAnswer, HttpRequest, Reply, Transport, TransportError};
use assay_provider::{Event, ProviderError};
use assay_testkit::models::{Act, Api, Misbehaviour, Pieces, StandIn, Turn};
use serde_json::json;

use crate::test_bench::{Bench, DELIVERIES, SECRET, http, model_of, question};

/// A place for a cassette, gone with the test.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Place {
        let folder = std::env::temp_dir().join(format!("assay-cassette-{}-{name}", std::process::id()));
        Place(folder.join("tape.jsonl"))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Some(folder) = self.0.parent() {
            let _ = std::fs::remove_dir_all(folder);
        }
    }
}

/// Two turns, the first after a refusal. All that was heard and answered, as text.
async fn converse(bench: &mut Bench) -> String {
    let mut question = question();
    let first = bench.ask(&question).await.unwrap();
    question.messages.push(first.turn());
    let results = first.calls().into_iter().map(|call| ToolResult::done(call, vec![Part::Text("ok".into())]));
    question.messages.push(Message::Results { results: results.collect(), remarks: Vec::new() });
    let second = bench.ask(&question).await.unwrap();
    let heard: Vec<&Event> =
        bench.ear.heard.iter().filter(|event| !matches!(event, Event::Retrying { .. })).collect();
    format!("{first:#?}\n{second:#?}\n{heard:#?}\n{:?}", bench.budget)
}

#[tokio::test]
async fn a_replay_is_what_was_recorded() {
    for api in Api::ALL {
        for delivery in DELIVERIES {
            let place = Place::new(&format!("same-{api:?}-{delivery:?}"));
            let stand_in = StandIn::start(api);
            stand_in.in_pieces(Pieces::Of(3));
            stand_in.next(Misbehaviour::Overloaded);
            stand_in.next(Turn::text("Ünd – “so”.").and_call("report", json!({"passed": true})));
            let recorder = Arc::new(Recorder::create(&place.0, http()).unwrap());
            let transport = Arc::clone(&recorder) as Arc<dyn Transport>;
            let mut live = Bench::with(&stand_in.base(), &model_of(api), delivery, transport);
            let lived = converse(&mut live).await;
            assert_eq!(recorder.finish().unwrap(), 3);
            drop(stand_in);

            let tape = std::fs::read(&place.0).unwrap();
            assert!(!String::from_utf8_lossy(&tape).contains(SECRET));
            for _ in 0..2 {
                let player = Arc::new(Player::open(&place.0).unwrap());
                let transport = Arc::clone(&player) as Arc<dyn Transport>;
                let mut replayed = Bench::with("http://nowhere.invalid", &model_of(api), delivery, transport);
                assert_eq!(converse(&mut replayed).await, lived, "{api:?}");
                assert_eq!(player.left_over(), 0);
            }
            assert_eq!(std::fs::read(&place.0).unwrap(), tape);
        }
    }
}

/// A transport that answers everything with these pieces.
struct Fixed(Vec<Vec<u8>>);

struct FixedBody(std::vec::IntoIter<Vec<u8>>);

impl Transport for Fixed {
    fn send(&self, _request: HttpRequest) -> Reply<'_, Result<HttpAnswer, TransportError>> {
        let body = Box::new(FixedBody(self.0.clone().into_iter()));
        Box::pin(async { Ok(HttpAnswer { status: 200, headers: Vec::new(), body }) })
    }
}

impl Body for FixedBody {
    fn next(&mut self) -> Reply<'_, Result<Option<Vec<u8>>, TransportError>> {
        Box::pin(async { Ok(self.0.next()) })
    }
}

async fn pieces_of(transport: &dyn Transport) -> Vec<Vec<u8>> {
    let request = HttpRequest {
        base: "http://nowhere.invalid".into(),
        path: "/v1/messages".into(),
        headers: Vec::new(),
        credentials: None,
        body: b"{}".to_vec(),
    };
    let mut answer = transport.send(request).await.unwrap();
    let mut pieces = Vec::new();
    while let Some(piece) = answer.body.next().await.unwrap() {
        pieces.push(piece);
    }
    pieces
}

#[tokio::test]
async fn the_borders_of_pieces_are_kept_even_inside_a_letter() {
    let place = Place::new("borders");
    // `é` is two bytes, and the border goes through it; the last piece is no text at all.
    let pieces = vec![b"caf\xc3".to_vec(), b"\xa9".to_vec(), b" au lait".to_vec(), vec![0xff, 0x00]];
    let recorder = Recorder::create(&place.0, Arc::new(Fixed(pieces.clone()))).unwrap();
    assert_eq!(pieces_of(&recorder).await, pieces);
    assert_eq!(recorder.finish().unwrap(), 1);
    let player = Player::open(&place.0).unwrap();
    assert_eq!(pieces_of(&player).await, pieces);
}

#[tokio::test]
async fn a_question_that_was_not_recorded_names_the_nearest_difference() {
    let place = Place::new("differs");
    let stand_in = StandIn::start(Api::Anthropic);
    let recorder = Arc::new(Recorder::create(&place.0, http()).unwrap());
    let transport = Arc::clone(&recorder) as Arc<dyn Transport>;
    let mut bench = Bench::with(&stand_in.base(), &model_of(Api::Anthropic), Delivery::Streamed, transport);
    bench.ask(&question()).await.unwrap();
    recorder.finish().unwrap();

    let player: Arc<dyn Transport> = Arc::new(Player::open(&place.0).unwrap());
    let mut bench =
        Bench::with("http://nowhere.invalid", &model_of(Api::Anthropic), Delivery::Streamed, player);
    let mut other = question();
    other.messages[0] = Message::User(vec![
        Part::Text("Click the log out button.".into()),
        Part::Picture(crate::test_bench::picture()),
    ]);
    let error = bench.ask(&other).await.unwrap_err();
    assert!(
        error.to_string().ends_with(
            "does not hold this request to `/v1/messages`; the nearest recorded one differs at \
             `/body/messages/0/content/0/text`: recorded `Click the log in button.`, asked `Click the log out button.`"
        ),
        "{error}"
    );
    assert_eq!(error.hint().unwrap(), "record the cassette again, with a key");

    bench.ask(&question()).await.unwrap();
    let again = bench.ask(&question()).await.unwrap_err();
    assert!(matches!(again, ProviderError::Cassette(CassetteError::UsedUp { times: 1, .. })), "{again}");
}

#[tokio::test]
async fn a_cut_stream_is_replayed_as_one() {
    let place = Place::new("cut");
    let stand_in = StandIn::start(Api::Responses);
    stand_in.always(|_| Act::Misbehave(Misbehaviour::Cut { after: 300 }));
    let recorder = Arc::new(Recorder::create(&place.0, http()).unwrap());
    let transport = Arc::clone(&recorder) as Arc<dyn Transport>;
    let mut live = Bench::with(&stand_in.base(), &model_of(Api::Responses), Delivery::Streamed, transport);
    let lived = live.ask(&question()).await.unwrap_err().to_string();
    assert_eq!(recorder.finish().unwrap(), 4);
    let player: Arc<dyn Transport> = Arc::new(Player::open(&place.0).unwrap());
    let mut replayed =
        Bench::with("http://nowhere.invalid", &model_of(Api::Responses), Delivery::Streamed, player);
    assert_eq!(replayed.ask(&question()).await.unwrap_err().to_string(), lived);
}

#[tokio::test]
async fn an_answer_with_the_key_in_it_is_not_recorded() {
    let place = Place::new("key");
    let stand_in = StandIn::start(Api::Chat);
    stand_in.next(Turn::text(&format!("Your key is {SECRET}.")));
    let recorder = Arc::new(Recorder::create(&place.0, http()).unwrap());
    let transport = Arc::clone(&recorder) as Arc<dyn Transport>;
    let mut bench = Bench::with(&stand_in.base(), &model_of(Api::Chat), Delivery::Whole, transport);
    let refused = bench.ask(&question()).await.unwrap_err();
    assert!(matches!(refused, ProviderError::KeyInAnswer { .. }), "{refused}");
    assert!(matches!(recorder.finish(), Err(CassetteError::KeyInAnswer { .. })));
    assert!(!std::fs::read_to_string(&place.0).unwrap().contains(SECRET));
}

#[test]
fn a_cassette_that_is_half_written_or_of_another_form() {
    let place = Place::new("half");
    std::fs::create_dir_all(place.0.parent().unwrap()).unwrap();
    let check = |text: &str| {
        std::fs::write(&place.0, text).unwrap();
        Player::open(&place.0).map(|player| player.left_over())
    };
    // A crash leaves half a line at the end.
    assert_eq!(check("{\"assay_cassette\":1}\n{\"hash\":\"12").unwrap(), 0);
    assert!(matches!(check("{\"assay_cassette\":1}\n{}\n"), Err(CassetteError::Damaged { line: 2, .. })));
    assert!(matches!(check("{\"assay_cassette\":9}\n"), Err(CassetteError::OtherForm { found: 9, .. })));
    assert!(matches!(check(""), Err(CassetteError::Damaged { line: 1, .. })));
}
