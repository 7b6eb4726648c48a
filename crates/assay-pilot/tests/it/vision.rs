//! What models with eyes are shown and told, by a page that is only a picture.

use std::rc::Rc;

use assay_pilot::{ComputerUsePilot, GridPilot};
use assay_pixels::{Colour, Pixels};
use assay_protocol::{Action, ErrorCode, Failure, ModelCall, RawInput, Scene};
use assay_provider::Limits;
use assay_runner::{
    ActionRefusal, Controls, LocalFuture, NotPerformed, PageView, Performed, Pilot, PilotEnd, PilotOutcome,
    PilotTerms,
};
use assay_testkit::models::{Act, Api, Misbehaviour, ScreenAct, ScreenTool, StandIn, Turn};
use serde_json::{Value, json};

use crate::stand_in_page::{asking, block_on, task};

/// A page on which every click adds a box, and which shows nothing else.
#[derive(Default)]
pub struct Drawn {
    done: Vec<String>,
    /// A secret can be read on it.
    is_secret: bool,
}

impl Controls for Drawn {
    fn look(&mut self) -> LocalFuture<'_, Result<Rc<Scene>, Failure>> {
        let url = "http://page.test/".to_string();
        Box::pin(async { Ok(Rc::new(Scene { url, view: [600.0, 400.0], ..Scene::default() })) })
    }

    fn picture(&mut self) -> LocalFuture<'_, Result<PageView, Failure>> {
        if self.is_secret {
            let why = "a secret can be read in text \"•••\"";
            return Box::pin(async move { Err(Failure::new(ErrorCode::BlockedByPolicy, why)) });
        }
        // Two pixels for one.
        let mut pixels = Pixels::plain(1200, 800, [255, 255, 255]);
        for at in 0..self.done.len() as i64 {
            pixels.fill(40 + at * 100, 40, 80, 80, Colour::BLACK);
        }
        let png = pixels.to_png().unwrap();
        Box::pin(async move { Ok(PageView { png, view: [600.0, 400.0], scale: 2.0 }) })
    }

    fn perform<'a>(
        &'a mut self,
        action: &'a Action,
        _: &'a str,
    ) -> LocalFuture<'a, Result<Performed, NotPerformed>> {
        let came = match action {
            Action::Raw { input: RawInput::Type { text }, .. } if text == "Mallory" => {
                Err(NotPerformed::Refused(ActionRefusal::UnnamedValue { text: text.clone() }))
            }
            other => {
                self.done.push(other.command_line());
                Ok(Performed { outcome: String::new(), changed: false })
            }
        };
        Box::pin(async move { came })
    }

    fn effects(&self) -> Vec<String> {
        Vec::new()
    }

    fn called(&mut self, _: ModelCall) {}

    fn mask(&self, text: &str) -> String {
        text.to_string()
    }
}

fn fly(api: Api, page: Drawn, answers: Vec<Act>) -> (PilotOutcome, Drawn, StandIn) {
    let stand_in = StandIn::start(api);
    for answer in answers {
        stand_in.next(answer);
    }
    let mut page = page;
    let mut pilot = ComputerUsePilot::new(asking(&stand_in, api, Limits::default()), &PilotTerms::default());
    let left = block_on(async { pilot.take(&task(), &mut page).await });
    (left, page, stand_in)
}

fn done() -> Act {
    Turn::call("done", json!({"evidence": "a box", "message": "there is a box"})).into()
}

fn member(name: &str, input: Value) -> Turn {
    Turn::native(json!({
        "type": "tool_use", "id": format!("toolu_{name}"), "name": name, "input": input, "toolset_name": "computer",
    }))
}

#[test]
fn pictures_are_in_the_size_of_the_view_and_a_part_is_shown_sharper() {
    let zoom = member("zoom", json!({"region": [0, 0, 60, 40]}));
    let position = member("cursor_position", json!({}));
    let click = ScreenTool::Anthropic.turn(&[ScreenAct::Click(30, 30)], &[]);
    let (left, page, stand_in) =
        fly(Api::Anthropic, Drawn::default(), vec![zoom.into(), click.into(), position.into(), done()]);
    assert!(matches!(left.end, PilotEnd::Done { .. }), "{:?}", left.end);
    assert_eq!(page.done, ["raw click 30.5 30.5"]);
    let asked = stand_in.asked();
    let width = |body: &Value| {
        let data = body["source"]["data"].as_str().unwrap_or_default();
        // The head of a PNG says how wide it is.
        let head = decoded(data);
        u32::from_be_bytes([head[16], head[17], head[18], head[19]])
    };
    let first = &asked[0].body["messages"][0]["content"][1];
    assert_eq!(width(first), 600);
    let zoomed = &asked[1].body["messages"][2]["content"][0]["content"][0];
    assert_eq!(width(zoomed), 960, "120 pixels of the screen, eight times");
    assert!(asked[3].text().contains("X=30,Y=30"), "{}", asked[3].text());
}

/// The first bytes of base64.
fn decoded(data: &str) -> Vec<u8> {
    let value = |letter: u8| match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    data.as_bytes()[..32]
        .chunks_exact(4)
        .flat_map(|four| {
            let bits = four.iter().fold(0u32, |bits, letter| bits << 6 | u32::from(value(*letter)));
            [(bits >> 16) as u8, (bits >> 8) as u8, bits as u8]
        })
        .collect()
}

#[test]
fn what_follows_a_refused_act_is_not_executed() {
    let acts = [ScreenAct::Click(30, 30), ScreenAct::Type("Mallory"), ScreenAct::Click(60, 60)];
    for tool in [ScreenTool::OpenAi, ScreenTool::Anthropic, ScreenTool::Gemini { width: 600, height: 400 }] {
        let (left, page, stand_in) =
            fly(tool.api(), Drawn::default(), vec![tool.turn(&acts, &[]).into(), done()]);
        assert!(matches!(left.end, PilotEnd::Done { .. }), "{tool:?}: {:?}", left.end);
        assert_eq!(page.done, ["raw click 30.5 30.5"], "{tool:?}");
        let told = stand_in.asked()[1].text();
        assert!(told.contains("the test does not name the text `Mallory`"), "{told}");
        let is_alone = tool == ScreenTool::OpenAi;
        assert_eq!(told.contains("Not executed: an earlier action"), !is_alone, "{tool:?}");
    }
}

#[test]
fn a_tool_that_is_refused_in_the_middle_is_not_replaced() {
    let click = ScreenTool::OpenAi.turn(&[ScreenAct::Click(30, 30)], &[]);
    let refusal = Misbehaviour::BadRequest { message: "no".to_string() };
    let (left, page, stand_in) = fly(Api::Responses, Drawn::default(), vec![click.into(), refusal.into()]);
    assert!(matches!(left.end, PilotEnd::Broken { .. }), "{:?}", left.end);
    assert_eq!((page.done.len(), stand_in.asked().len(), left.degraded), (1, 2, false));
}

#[test]
fn a_page_on_which_a_secret_can_be_read_is_not_shown() {
    let (left, _, stand_in) = fly(Api::Gemini, Drawn { is_secret: true, ..Drawn::default() }, Vec::new());
    match left.end {
        PilotEnd::Refused { why, .. } => assert!(why.contains("a secret can be read"), "{why}"),
        other => panic!("{other:?}"),
    }
    assert!(stand_in.asked().is_empty());
}

#[test]
fn done_needs_an_act_and_something_that_shows_it() {
    let look = ScreenTool::OpenAi.turn(&[ScreenAct::Screenshot], &[]);
    let (left, _, stand_in) = fly(Api::Responses, Drawn::default(), vec![look.into(), done(), done()]);
    assert!(matches!(left.end, PilotEnd::Refused { .. }), "{:?}", left.end);
    assert!(stand_in.asked()[2].text().contains("you did nothing yet"));
}

#[test]
fn a_number_that_is_not_on_the_picture_is_told() {
    let stand_in = StandIn::start(Api::Chat);
    let pick = |number: u32| Turn::call("pick", json!({"number": number, "do": "click", "why": ""}));
    stand_in.next(pick(97)).next(pick(1)).next(pick(37)).next(pick(36)).next(done());
    let mut page = Drawn::default();
    let mut pilot = GridPilot::new(asking(&stand_in, Api::Chat, Limits::default()), &PilotTerms::default());
    let left = block_on(async { pilot.take(&task(), &mut page).await });
    assert!(matches!(left.end, PilotEnd::Done { .. }), "{:?}", left.end);
    // The last part of a cell of 50 x 50.
    assert_eq!(page.done, ["raw click 45.8 45.8"]);
    let asked = stand_in.asked();
    assert!(asked[1].text().contains("there is no number 97 on the newest picture"));
    assert!(asked[2].text().contains("Nothing was done yet"));
    assert!(asked[3].text().contains("there is no number 37"));
}
