//! What a model reads of its tools, letter for letter: a changed word is a changed pilot.

use assay_pilot::{ComputerUsePilot, GridPilot, ModelPilot};
use assay_provider::Limits;
use assay_runner::{Controls, Pilot, PilotTerms};
use assay_testkit::models::{Api, StandIn, Turn};
use serde_json::{Value, json};

use crate::stand_in_page::{Page, asking, block_on, task};
use crate::vision::Drawn;

/// The tools of the first question of a pilot.
fn tools_of(mut pilot: Box<dyn Pilot>, stand_in: &StandIn, page: &mut dyn Controls) -> Value {
    stand_in.next(Turn::call("give_up", json!({ "reason": "it is enough", "candidates": [] })));
    block_on(async { pilot.take(&task(), page).await });
    stand_in.asked()[0].body["tools"].clone()
}

#[track_caller]
fn check(tools: &Value, expected: &str) {
    assert_eq!(format!("{}\n", serde_json::to_string_pretty(tools).unwrap()), expected);
}

#[test]
fn the_tools_of_a_model_with_a_list_of_elements() {
    let stand_in = StandIn::start(Api::Chat);
    let pilot = ModelPilot::new(asking(&stand_in, Api::Chat, Limits::default()));
    let tools = tools_of(Box::new(pilot), &stand_in, &mut Page::default());
    check(&tools, include_str!("tools/elements.json"));
}

#[test]
fn the_tools_of_a_model_with_numbers_on_a_picture() {
    let stand_in = StandIn::start(Api::Chat);
    let pilot = GridPilot::new(asking(&stand_in, Api::Chat, Limits::default()), &PilotTerms::default());
    let tools = tools_of(Box::new(pilot), &stand_in, &mut Drawn::default());
    check(&tools, include_str!("tools/numbers.json"));
}

#[test]
fn the_tools_of_a_model_with_a_computer() {
    let stand_in = StandIn::start(Api::Anthropic);
    let asking = asking(&stand_in, Api::Anthropic, Limits::default());
    let pilot = ComputerUsePilot::new(asking, &PilotTerms::default());
    let tools = tools_of(Box::new(pilot), &stand_in, &mut Drawn::default());
    check(&tools, include_str!("tools/computer.json"));
}
