use assay_protocol::{Scene, Secrets};

use super::super::reachable_sites::ReachableSites;
use super::super::values::RevealedValues;
use super::*;

fn node(reference: &str, role: &str, name: &str, tag: &str, area: [f64; 4]) -> SceneNode {
    SceneNode {
        reference: Some(reference.to_string()),
        role: role.to_string(),
        name: name.to_string(),
        attributes: [("tag".to_string(), tag.to_string())].into(),
        area,
        ..SceneNode::default()
    }
}

fn scene(focused: &str, value: &str) -> Scene {
    let mut nodes = vec![
        node("e1", "button", "Pay now", "button", [0.0, 0.0, 100.0, 40.0]),
        node("e2", "button", "Continue", "button", [0.0, 50.0, 100.0, 40.0]),
        node("e3", "clickable", "", "canvas", [100.0, 100.0, 300.0, 200.0]),
        node("e4", "textbox", "Name", "input", [0.0, 300.0, 100.0, 20.0]),
        node("e5", "slider", "Volume", "input", [0.0, 400.0, 100.0, 20.0]),
    ];
    for node in nodes.iter_mut().filter(|node| node.reference.as_deref() == Some(focused)) {
        node.states.push("focused".to_string());
        node.value = Some(value.to_string());
    }
    Scene { url: "https://shop.test/".to_string(), view: [800.0, 600.0], nodes, ..Scene::default() }
}

/// What becomes of an input, as it could be typed, or the code of the refusal.
fn permitted(sentence: &str, scene: &Scene, input: &RawInput, under: &[ElementAtPoint]) -> String {
    let named = RevealedValues::of(sentence, &["hunter2".to_string()], &Secrets::from_iter(["hunter2"]));
    let home = ReachableSites {
        hosts: vec!["shop.test".to_string()],
        sentence: sentence.to_lowercase(),
        ..ReachableSites::default()
    };
    match (ActionRules { scene, named: &named, home: &home }).permit_raw(input, under) {
        Ok(action) => action.command_line(),
        Err(refusal) => refusal.code().to_string(),
    }
}

fn under(reference: &str, name: &str, tag: &str) -> ElementAtPoint {
    let elements = match reference {
        "" => Vec::new(),
        reference => vec![(reference.to_string(), name.to_string())],
    };
    ElementAtPoint { elements, tag: tag.to_string(), text: name.to_string() }
}

fn click(x: f64, y: f64, times: u8) -> RawInput {
    RawInput::Click { at: ViewPoint { x, y }, button: MouseButton::Left, times, modifiers: Vec::new() }
}

fn type_in(text: &str) -> RawInput {
    RawInput::Type { text: text.to_string() }
}

#[track_caller]
fn check(sentence: &str, input: &RawInput, under: &[ElementAtPoint], expected: &str) {
    assert_eq!(permitted(sentence, &scene("", ""), input, under), expected);
}

#[test]
fn a_point_on_an_element_is_that_element() {
    check("Go on", &click(10.0, 60.0, 1), &[under("e2", "Continue", "button")], "click \"e2\"");
    check("Go on", &click(10.0, 60.0, 2), &[under("e2", "Continue", "button")], "dblclick \"e2\"");
    let hover = RawInput::Move { at: ViewPoint { x: 10.0, y: 60.0 } };
    check("Go on", &hover, &[under("e2", "Continue", "button")], "hover \"e2\"");
}

#[test]
fn what_pays_or_deletes_is_not_pressed_by_pointing_at_it() {
    check("Go on", &click(10.0, 10.0, 1), &[under("e1", "Pay now", "button")], "paying");
    check("Pay for it", &click(10.0, 10.0, 1), &[under("e1", "Pay now", "button")], "click \"e1\"");
    // Words that no element stands for.
    check("Go on", &click(500.0, 10.0, 1), &[under("", "Delete all", "span")], "deleting");
    // An element around it that the page does not list.
    let around = ElementAtPoint {
        elements: vec![("e77".to_string(), "Delete".to_string()), ("e2".to_string(), "Continue".to_string())],
        ..under("", "", "i")
    };
    check("Go on", &click(10.0, 60.0, 1), &[around], "deleting");
    let drag =
        RawInput::Drag { at: ViewPoint { x: 1.0, y: 60.0 }, through: vec![ViewPoint { x: 1.0, y: 1.0 }] };
    let ends = [under("e2", "Continue", "button"), under("e1", "Pay now", "button")];
    check("Go on", &drag, &ends, "paying");
}

#[test]
fn a_point_of_a_picture_counts_from_its_corner_and_any_other_from_that_of_the_view() {
    check("Go on", &click(150.0, 120.0, 1), &[under("e3", "", "canvas")], "raw click 50 20 --within \"e3\"");
    check("Go on", &click(150.0, 120.0, 1), &[under("", "", "canvas")], "raw click 150 120");
    check("Go on", &click(30.0, 410.0, 1), &[under("e5", "", "input")], "raw click 30 10 --within \"e5\"");
}

#[test]
fn typing_is_held_to_the_field_that_has_the_focus() {
    let typed = |focused: &str, value: &str, text: &str| {
        permitted("Enter \"Ada\"", &scene(focused, value), &type_in(text), &[])
    };
    assert_eq!(typed("e4", "", "Ada"), "type \"e4\" \"Ada\"");
    assert_eq!(typed("e4", "Bob", "Ada"), "type \"Ada\"");
    assert_eq!(typed("e4", "", "Mallory"), "unnamed-value");
    assert_eq!(typed("", "", "Ada"), "raw type \"Ada\"");
    assert_eq!(typed("", "", "Mallory"), "unnamed-value");
    assert_eq!(typed("e4", "", "⟦value 2⟧"), "misplaced-secret");
    assert_eq!(typed("", "", "⟦value 2⟧"), "misplaced-secret");
    let secret = permitted("Enter \"hunter2\"", &scene("", ""), &type_in("⟦value 1⟧"), &[]);
    assert_eq!(secret, "unmaskable-secret");
}

#[test]
fn a_blank_that_is_typed_presses_what_has_the_focus() {
    let pay = permitted("Enter \"a b\"", &scene("e1", ""), &type_in("a b"), &[]);
    assert_eq!(pay, "paying");
    let word = permitted("Enter \"ab\"", &scene("e1", ""), &type_in("ab"), &[]);
    assert_eq!(word, "raw type \"ab\"");
}
