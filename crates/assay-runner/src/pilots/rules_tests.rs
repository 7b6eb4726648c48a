use assay_protocol::{DropSide, MouseButton, Secrets};

use super::*;

fn node(reference: &str, role: &str, name: &str, attributes: &[(&str, &str)]) -> SceneNode {
    SceneNode {
        reference: Some(reference.to_string()),
        role: role.to_string(),
        name: name.to_string(),
        attributes: attributes.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect(),
        ..SceneNode::default()
    }
}

fn scene() -> Scene {
    let mut list = node("e5", "combobox", "Country", &[]);
    list.options = vec!["Norway".to_string(), "Peru".to_string()];
    let nodes = vec![
        node("e1", "textbox", "Search", &[]),
        node("e2", "textbox", "Password", &[("type", "password")]),
        node("e3", "button", "Delete account", &[]),
        node("e4", "button", "Pay now", &[]),
        list,
        node("e6", "link", "Partner", &[("href", "https://evil.test/")]),
        node("e7", "button", "Continue", &[]),
    ];
    let mut nodes = nodes;
    // A form whose only button deletes, with a field that has the focus.
    let mut field = SceneNode { parent: Some(nodes.len()), ..node("e8", "textbox", "Confirm", &[]) };
    field.states = vec!["focused".to_string()];
    let wipe = SceneNode { parent: Some(nodes.len()), ..node("e9", "button", "Wipe", &[]) };
    nodes.extend([SceneNode { role: "form".to_string(), ..SceneNode::default() }, field, wipe]);
    let message = "Really delete it?".to_string();
    let dialog = Some(assay_protocol::BrowserDialog { kind: "confirm".to_string(), message, default: None });
    Scene { url: "https://shop.test/".to_string(), nodes, dialog, ..Scene::default() }
}

/// What the step may do, in one word: `done`, or the code of the refusal.
fn code(sentence: &str, action: &Action) -> &'static str {
    let scene = scene();
    let named = RevealedValues::of(sentence, &["hunter2".to_string()], &Secrets::from_iter(["hunter2"]));
    let home = ReachableSites {
        hosts: vec!["shop.test".to_string()],
        sentence: sentence.to_lowercase(),
        named: vec!["https://shop.test".to_string()],
    };
    match (ActionRules { scene: &scene, named: &named, home: &home }).permit(action) {
        Ok(_) => "done",
        Err(refusal) => refusal.code(),
    }
}

fn target(reference: &str) -> Selector {
    Selector::parse(reference).unwrap()
}

fn click(reference: &str) -> Action {
    Action::Click { target: target(reference), button: MouseButton::Left, modifiers: Vec::new() }
}

fn fill(reference: &str, text: &str) -> Action {
    Action::Fill { target: target(reference), text: text.to_string() }
}

fn press(keys: &[&str]) -> Action {
    Action::Press { keys: keys.iter().map(|key| key.to_string()).collect(), target: None }
}

#[test]
fn only_named_values_are_typed() {
    let sentence = "Look for \"red shoes\" please";
    assert_eq!(code(sentence, &fill("e1", "red shoes")), "done");
    assert_eq!(code(sentence, &fill("e1", "⟦value 1⟧")), "done");
    assert_eq!(code(sentence, &fill("e1", "blue shoes")), "unnamed-value");
    assert_eq!(code(sentence, &fill("e2", "blue shoes")), "unnamed-credential");
    let dialog =
        |text: &str| Action::Dialog { answer: Some(DialogAnswer::Accept { text: Some(text.to_string()) }) };
    let sentence = "Delete it with \"red shoes\"";
    assert_eq!(code(sentence, &dialog("red shoes")), "done");
    assert_eq!(code(sentence, &dialog("yes")), "unnamed-value");
}

#[test]
fn a_secret_of_another_step_goes_into_fields_for_secrets_only() {
    assert_eq!(code("Sign in", &fill("e2", "⟦value 1⟧")), "done");
    assert_eq!(code("Sign in", &fill("e1", "⟦value 1⟧")), "misplaced-secret");
}

#[test]
fn paying_deleting_and_leaving_need_a_step_that_says_so() {
    for (sentence, reference, expected) in [
        ("Go on", "e3", "deleting"),
        ("Delete my account", "e3", "done"),
        ("Go on", "e4", "paying"),
        ("Buy it", "e4", "done"),
        ("Go on", "e6", "leaves-site"),
        ("Visit evil.test", "e6", "done"),
        ("Go on", "e7", "done"),
    ] {
        assert_eq!(code(sentence, &click(reference)), expected, "{sentence} {reference}");
    }
    assert_eq!(code("Go on", &Action::Go { url: "https://evil.test".to_string() }), "leaves-site");
    assert_eq!(code("Go on", &Action::Go { url: "https://shop.test/".to_string() }), "done");
    assert_eq!(code("Go on", &Action::Go { url: "https://shop.test/a".to_string() }), "unnamed-address");
    assert_eq!(code("Open /a now", &Action::Go { url: "/a".to_string() }), "done");
    assert_eq!(code("Open /about now", &Action::Go { url: "/a".to_string() }), "unnamed-address");
}

#[test]
fn a_form_is_not_sent_and_a_dialog_not_accepted_behind_its_words() {
    assert_eq!(code("Go on", &press(&["Enter"])), "deleting");
    assert_eq!(code("Wipe the slate", &press(&["Enter"])), "done");
    let accept = Action::Dialog { answer: Some(DialogAnswer::Accept { text: None }) };
    assert_eq!(code("Go on", &accept), "deleting");
    assert_eq!(code("Go on", &Action::Dialog { answer: Some(DialogAnswer::Dismiss) }), "done");
    let drag = Action::Drag { from: target("e7"), to: target("e9"), side: DropSide::On };
    assert_eq!(code("Go on", &drag), "deleting");
}

#[test]
fn keys_write_no_text() {
    assert_eq!(code("Go on", &press(&["Tab"])), "done");
    assert_eq!(code("Go on", &press(&["Shift+Tab", "Control+a"])), "done");
    assert_eq!(code("Go on", &press(&["x"])), "unnamed-keys");
    assert_eq!(code("Go on", &press(&["Control+v"])), "unnamed-keys");
    assert_eq!(code("Go on", &press(&["o", "n"])), "unnamed-keys");
    assert_eq!(code("Press F5", &press(&["F5"])), "done");
}

#[test]
fn options_are_the_pages_own() {
    let select = |option: &str| Action::Select { target: target("e5"), options: vec![option.to_string()] };
    assert_eq!(code("Choose the coldest", &select("Norway")), "done");
    assert_eq!(code("Choose the coldest", &select("Chile")), "unknown-option");
}

#[test]
fn other_ways_to_reach_things_are_closed() {
    assert_eq!(code("Go on", &click("e99")), "unknown-ref");
    assert_eq!(code("Go on", &click("button \"Continue\"")), "not-a-ref");
    assert_eq!(code("Go on", &Action::Eval { expression: "1".to_string() }), "not-for-guests");
    assert_eq!(code("Go on", &Action::TabNew { url: None, isolated: false }), "not-for-guests");
}
