use assay_protocol::{Action, DropSide, MouseButton, Scene, Secrets, Selector};

use super::super::reachable_sites::ReachableSites;
use super::super::values::RevealedValues;
use super::*;

fn node(reference: &str, role: &str, name: &str, parent: Option<usize>) -> SceneNode {
    SceneNode {
        reference: Some(reference.to_string()),
        role: role.to_string(),
        name: name.to_string(),
        parent,
        ..SceneNode::default()
    }
}

fn link(reference: &str, href: &str) -> SceneNode {
    let attributes = [("href".to_string(), href.to_string())].into();
    SceneNode { attributes, ..node(reference, "link", "A picture", None) }
}

fn scene(focused: &[&str]) -> Scene {
    let text = |name: &str, parent| SceneNode {
        role: "text".to_string(),
        name: name.to_string(),
        parent: Some(parent),
        ..SceneNode::default()
    };
    let mut nodes = vec![
        node("e1", "button", "Delete account", None),
        node("e2", "img", "bin", Some(0)),
        link("e3", "https://evil.test/"),
        node("e4", "img", "boat", Some(2)),
        node("e5", "button", "Continue", None),
        text("Pay now", 4),
        node("e7", "frame", "", None),
        node("e8", "button", "Pay now", Some(6)),
        node("e9", "checkbox", "Delete all data", None),
        node("e10", "combobox", "With those chosen", None),
        node("e11", "slider", "Slide to pay", None),
        node("e12", "button", "Next", None),
        node("e13", "region", "Delete, order and other things", None),
        node("e14", "paragraph", "How it works", Some(12)),
        node("e15", "textbox", "Name", None),
    ];
    nodes[9].options = vec!["Archive".to_string(), "Delete".to_string()];
    for node in &mut nodes {
        if focused.contains(&node.reference.as_deref().unwrap_or_default()) {
            node.states.push("focused".to_string());
        }
    }
    Scene { url: "https://shop.test/".to_string(), nodes, ..Scene::default() }
}

fn code(sentence: &str, focused: &[&str], action: &Action) -> &'static str {
    let scene = scene(focused);
    let named = RevealedValues::of(sentence, &[], &Secrets::default());
    let home = ReachableSites {
        hosts: vec!["shop.test".to_string()],
        sentence: sentence.to_lowercase(),
        named: vec!["/cart https://shop.test/cart?next=https://evil.test".to_string()],
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

fn press(keys: &[&str], on: Option<&str>) -> Action {
    Action::Press { keys: keys.iter().map(|key| (*key).to_string()).collect(), target: on.map(target) }
}

#[test]
fn what_lies_on_a_control_is_the_control() {
    assert_eq!(code("Go on", &[], &click("e2")), "deleting");
    assert_eq!(code("Delete it", &[], &click("e2")), "done");
    assert_eq!(code("Go on", &[], &click("e4")), "leaves-site");
    assert_eq!(code("Go on", &[], &click("e5")), "paying", "it is called one thing and says another");
    assert_eq!(code("Go on", &[], &click("e14")), "done", "a part of the page is no control");
}

#[test]
fn every_way_to_press_is_held_to_the_same() {
    for verb in [Action::Check { target: target("e9") }, Action::Uncheck { target: target("e9") }] {
        assert_eq!(code("Go on", &[], &verb), "deleting");
        assert_eq!(code("Delete all of it", &[], &verb), "done");
    }
    let choose = |option: &str| Action::Select { target: target("e10"), options: vec![option.to_string()] };
    assert_eq!(code("Go on", &[], &choose("Archive")), "done");
    assert_eq!(code("Go on", &[], &choose("Delete")), "deleting");
    assert_eq!(code("Choose \"Delete\"", &[], &choose("Delete")), "done");
    let drag = Action::Drag { from: target("e11"), to: target("e12"), side: DropSide::On };
    assert_eq!(code("Go on", &[], &drag), "paying");
}

#[test]
fn keys_that_press_are_known_by_what_they_do() {
    for keys in [["Enter"], ["Space"], ["Shift+Enter"], ["Shift+Space"], ["enter"], [" "]] {
        let refused = code("Enter a name and go on", &[], &press(&keys, Some("e1")));
        assert!(matches!(refused, "deleting" | "unnamed-keys"), "{keys:?}: {refused}");
        assert_eq!(code("Go on", &["e12"], &press(&["Enter"], None)), "done");
    }
    assert_eq!(code("Press F5 or ctrl+k", &[], &press(&["Ctrl+K"], None)), "done");
    assert_eq!(code("Press F55", &[], &press(&["F5"], None)), "unnamed-keys");
    assert_eq!(code("Go on", &["e12"], &press(&["Tab", "Enter"], None)), "unseen-focus");
    assert_eq!(code("Go on", &["e12"], &press(&["ArrowDown", "Space"], None)), "unseen-focus");
    assert_eq!(code("Go on", &["e12"], &press(&["Enter", "Tab"], None)), "done");
    assert_eq!(code("Go on", &["e15"], &press(&["Control+a", "Delete", "Enter"], None)), "done");
}

#[test]
fn what_has_the_focus_in_a_frame_counts_and_what_is_not_known_is_not_pressed() {
    assert_eq!(code("Go on", &["e7", "e8"], &press(&["Enter"], None)), "paying");
    assert_eq!(code("Go on", &["e7"], &press(&["Enter"], None)), "unseen-focus");
    assert_eq!(code("Go on", &[], &press(&["Enter"], None)), "unseen-focus");
    assert_eq!(code("Go on", &["e12", "e8"], &press(&["Enter"], None)), "done", "the frame has no focus");
}

#[test]
fn addresses_that_can_be_read_in_two_ways_are_not_opened() {
    let go = |url: &str| code("Go on", &[], &Action::Go { url: url.to_string() });
    assert_eq!(go("/cart"), "done");
    assert_eq!(go("https://shop.test/cart?next=https://evil.test"), "done");
    assert_eq!(go("https://evil.test/"), "leaves-site");
    for url in [
        "evil.test/?d=1",
        "evil.test/?d=1&x=://shop.test",
        "https:evil.test",
        "//evil.test",
        "/\\evil.test",
        "javascript:alert(1)",
        "https://shop.test\n/",
    ] {
        assert_eq!(go(url), "not-an-address", "{url:?}");
    }
}

#[test]
fn no_key_comes_with_a_text() {
    let fill = |text: &str| Action::Fill { target: target("e15"), text: text.to_string() };
    let sentence = "Enter \"Ada\tLund\n\" or Bob";
    assert_eq!(code(sentence, &[], &fill("Bob\n")), "done", "what is around the words is left out");
    assert_eq!(code(sentence, &[], &fill("⟦value 1⟧")), "keys-in-text");
}
