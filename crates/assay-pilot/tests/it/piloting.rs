//! A step that the interpreter does not read, carried out by what a model answers.

use assay_pilot::ModelPilot;
use assay_protocol::Part;
use assay_provider::Limits;
use assay_runner::{Pilot, PilotEnd, PilotOutcome, StepTask, TestSentence};
use assay_testkit::models::{Act, Api, Misbehaviour, StandIn, Turn};
use serde_json::json;

use crate::stand_in_page::{Page, asking, block_on, task};

fn fly(api: Api, answers: Vec<Act>, limits: Limits) -> (PilotOutcome, Page, StandIn) {
    fly_for(&task(), api, answers, limits)
}

fn fly_for(task: &StepTask, api: Api, answers: Vec<Act>, limits: Limits) -> (PilotOutcome, Page, StandIn) {
    let stand_in = StandIn::start(api);
    for answer in answers {
        stand_in.next(answer);
    }
    let mut page = Page::default();
    let mut pilot = ModelPilot::new(asking(&stand_in, api, limits));
    let left = block_on(async { pilot.take(task, &mut page).await });
    (left, page, stand_in)
}

fn fill() -> Act {
    Turn::call("enter_value", json!({"ref": "e1", "value": 1, "why": "it is the name"})).into()
}

fn done(evidence: &str) -> Act {
    Turn::call("done", json!({"evidence": evidence, "message": "it is saved"})).into()
}

#[track_caller]
fn refusal(left: &PilotOutcome) -> String {
    match &left.end {
        PilotEnd::Refused { why, .. } => why.clone(),
        other => panic!("expected a refusal, found {other:?}"),
    }
}

#[test]
fn a_step_is_carried_out_in_every_format() {
    for api in Api::ALL {
        let (left, page, stand_in) = fly(api, vec![fill(), done("Saved as Ada")], Limits::default());
        assert!(matches!(left.end, PilotEnd::Done { .. }), "{api:?}: {:?}", left.end);
        assert_eq!((left.turns, page.calls.len(), page.done.len()), (2, 2, 1));
        assert!(page.done[0].contains("⟦value 1⟧"), "{:?}", page.done);
        assert!(page.calls.iter().all(|call| call.usage.tokens() > 0 && call.pilot == "model"));
        let asked = stand_in.asked();
        let first = asked[0].text();
        assert!(first.contains("⟦page as it is now⟧") && first.contains("e2 button"), "{first}");
        assert!(asked[1].text().contains("⟦page effect of the act⟧"));
    }
}

#[test]
fn the_second_question_reads_the_first_from_the_cache() {
    let (_, page, _) = fly(Api::Anthropic, vec![fill(), done("e1")], Limits::default());
    assert!(page.calls[1].usage.cache_read > 0, "{:?}", page.calls);
    assert!(page.calls[1].lines.iter().any(|line| line.starts_with("[CACHE] Read")), "{:?}", page.calls);
}

#[test]
fn a_value_that_nobody_named_is_told_to_be_refused() {
    let invented = Turn::call("enter_words", json!({"ref": "e1", "words": "Mallory", "why": ""}));
    let (left, page, stand_in) =
        fly(Api::Anthropic, vec![invented.into(), fill(), done("e1")], Limits::default());
    assert!(matches!(left.end, PilotEnd::Done { .. }));
    assert_eq!(page.done.len(), 1);
    assert!(stand_in.asked()[1].text().contains("the test does not name the text `Mallory`"));
}

#[test]
fn what_stops_the_step_ends_the_conversation() {
    let pay = Turn::call("act", json!({"verb": "check", "ref": "e2", "why": ""}));
    let (left, page, _) = fly(Api::Responses, vec![pay.into(), fill()], Limits::default());
    assert!(refusal(&left).contains("pays"));
    assert!(page.done.is_empty());
}

#[test]
fn done_needs_an_act_and_evidence_that_is_there() {
    let (left, _, stand_in) = fly(
        Api::Anthropic,
        vec![done("e1"), fill(), done("Everything is wonderful"), done("Saved as Ada")],
        Limits::default(),
    );
    assert!(matches!(left.end, PilotEnd::Done { .. }));
    let asked = stand_in.asked();
    assert!(asked[1].text().contains("you did nothing yet"));
    assert!(asked[3].text().contains("is not on the page now"));
}

#[test]
fn the_same_call_on_an_unchanged_page_comes_to_nothing() {
    let odd = || -> Act { Turn::call("act", json!({"verb": "fly", "ref": "e1", "why": ""})).into() };
    let (left, page, _) = fly(Api::Chat, vec![odd(), odd(), odd(), odd()], Limits::default());
    assert!(refusal(&left).contains("3 turns in a row"), "{:?}", left.end);
    assert!(page.done.is_empty());
}

#[test]
fn a_model_that_only_talks_is_left() {
    let talk = || -> Act { Turn::text("I would click the button.").into() };
    let (left, _, _) = fly(Api::Gemini, vec![talk(), talk(), talk()], Limits::default());
    assert!(refusal(&left).contains("wasted 3 turns in a row"));
}

#[test]
fn the_whole_test_is_told_with_the_step_marked() {
    let line =
        |text: &str, is_current: bool| TestSentence { part: Part::Step, text: text.to_string(), is_current };
    let test =
        vec![line("Open the shelf", false), line("Frobnicate \"Ada\"", true), line("Save the book", false)];
    let addresses = vec![("shelf".to_string(), "/shelf".to_string())];
    let task = StepTask { test, addresses, ..task() };
    let (_, _, stand_in) = fly_for(&task, Api::Chat, vec![fill(), done("e1")], Limits::default());
    let first = stand_in.asked()[0].text();
    assert!(first.contains("   1. Open the shelf\n>> 2. Frobnicate \"Ada\"\n   3. Save the book"), "{first}");
    assert!(first.contains("shelf: /shelf"), "{first}");
}

#[test]
fn a_step_that_only_looks_is_done_without_an_act() {
    let plain = StepTask { sentence: "Find the name".to_string(), only_looks: true, ..task() };
    let task = StepTask { values: Vec::new(), ..plain.clone() };
    let (left, page, _) = fly_for(&task, Api::Chat, vec![done("e1")], Limits::default());
    assert!(matches!(left.end, PilotEnd::Done { .. }), "{:?}", left.end);
    assert!(page.done.is_empty());
    let unseen = || -> Act { done("e1") };
    let (left, _, stand_in) =
        fly_for(&plain, Api::Chat, vec![unseen(), unseen(), unseen()], Limits::default());
    assert!(matches!(left.end, PilotEnd::Refused { .. }), "{:?}", left.end);
    assert!(stand_in.asked()[1].text().contains("the page does not show \"Ada\""));
}

#[test]
fn what_nobody_could_do_is_not_asked_again() {
    let give_up = json!({"reason": "the option is disabled", "candidates": [], "final": true});
    let (left, _, _) = fly(Api::Anthropic, vec![Turn::call("give_up", give_up).into()], Limits::default());
    assert!(matches!(left.end, PilotEnd::Impossible { .. }), "{:?}", left.end);
}

#[test]
fn giving_up_names_what_could_be_meant() {
    let give_up =
        Turn::call("give_up", json!({"reason": "two could be meant", "candidates": ["e1", "e2", "e9"]}));
    let (left, _, _) = fly(Api::Anthropic, vec![give_up.into()], Limits::default());
    match left.end {
        PilotEnd::Refused { why, candidates } => {
            assert_eq!(why, "two could be meant");
            let refs: Vec<&str> = candidates.iter().map(|line| line.reference.as_str()).collect();
            assert_eq!(refs, ["e1", "e2"]);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_spent_budget_is_a_refusal_and_a_broken_server_is_not() {
    let tight = Limits { tokens: Some(500), ..Limits::default() };
    let (left, page, _) = fly(Api::Anthropic, vec![fill()], tight);
    assert!(refusal(&left).contains("the budget of 500 tokens"), "{:?}", left.end);
    assert!(page.done.is_empty());
    let (left, page, _) = fly(Api::Anthropic, vec![Misbehaviour::WrongKey.into()], Limits::default());
    match left.end {
        PilotEnd::Broken { failure } => assert!(failure.message.contains("does not accept the key")),
        other => panic!("{other:?}"),
    }
    assert!(page.calls[0].failure.is_some());
    assert!(!format!("{:?}", page.calls).contains("sk-of-a-test"));
}
