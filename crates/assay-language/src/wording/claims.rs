//! What is true of an element, as claims of a test.

use assay_protocol::{Scene, Verdict, in_one_line};

use super::phrase::{kind_word, node_of, quoted};
use crate::{Hints, Intent, judge, read};

/// Claims about an element that may be worth a test, the strongest first. [`is_true_of`] tells which hold.
pub fn claims_about(reference: &str, scene: &Scene) -> Vec<String> {
    let Some(at) = node_of(reference, scene) else { return Vec::new() };
    let node = &scene.nodes[at];
    let kind = kind_word(node);
    let mut claims = Vec::new();
    if let Some(name) = quoted(&node.name) {
        let subject = match kind {
            "" => name.clone(),
            "heading" => format!("The heading {name}"),
            kind => format!("The {name} {kind}"),
        };
        let takes_value = matches!(kind, "field" | "list" | "slider") && !node.is("secret");
        match node.value.as_deref().filter(|_| takes_value) {
            Some("") => claims.push(format!("{subject} is empty")),
            Some(value) => claims.extend(quoted(value).map(|value| format!("{subject} is {value}"))),
            None => {}
        }
        if matches!(kind, "checkbox" | "switch" | "radio button") {
            let state = if node.is("checked") { "is checked" } else { "is not checked" };
            claims.push(format!("{subject} {state}"));
        }
        if node.is("selected") {
            claims.push(format!("{subject} is selected"));
        }
        let is_control = !matches!(kind, "" | "heading" | "image" | "dialog");
        if is_control && node.is("disabled") {
            claims.push(format!("{subject} is disabled"));
        }
        claims.push(format!("{subject} is visible"));
        if is_control && !node.is("disabled") {
            claims.push(format!("{subject} is enabled"));
        }
    }
    let text = in_one_line(&scene.text_of(at));
    claims.extend(quoted(&text).map(|text| format!("The page shows {text}")));
    claims
}

/// Claims about the text at a point, where no element has it.
pub fn claims_at(x: f64, y: f64, scene: &Scene) -> Vec<String> {
    let is_there = |[left, top, width, height]: [f64; 4]| {
        (left..left + width).contains(&x) && (top..top + height).contains(&y)
    };
    let mut texts = scene.nodes.iter().filter(|node| node.role == "text" && is_there(node.area));
    // Of texts over each other the last is on top.
    let text = texts.next_back().and_then(|node| quoted(&node.name));
    text.map(|text| format!("The page shows {text}")).into_iter().collect()
}

/// Whether the sentence is one claim that holds on this page, and of that element where it speaks of one.
pub fn is_true_of(sentence: &str, reference: Option<&str>, scene: &Scene, hints: &Hints) -> bool {
    let Ok(intents) = read(sentence, hints) else { return false };
    let [Intent::Claim(claim)] = intents.as_slice() else { return false };
    let judgement = judge(claim, scene, hints);
    let is_of_page = sentence.starts_with("The page ");
    let is_of_it = |reference| judgement.elements.iter().any(|element| element.reference == reference);
    judgement.verdict == Verdict::Passed && (is_of_page || reference.is_none_or(is_of_it))
}

#[cfg(test)]
mod tests {
    use assay_protocol::SceneNode;

    use super::*;

    #[track_caller]
    fn check(role: &str, name: &str, states: &[&str], expected: &[&str]) {
        let mut node = SceneNode {
            reference: Some("e1".to_string()),
            role: role.to_string(),
            name: name.to_string(),
            states: states.iter().map(ToString::to_string).collect(),
            area: [0.0, 0.0, 90.0, 20.0],
            ..SceneNode::default()
        };
        if role == "textbox" {
            node.value = Some("Anna".to_string());
        }
        let text = SceneNode {
            parent: Some(0),
            role: "text".to_string(),
            name: name.to_string(),
            area: [0.0, 0.0, 90.0, 20.0],
            ..SceneNode::default()
        };
        let nodes = if role == "textbox" { vec![node] } else { vec![node, text] };
        let scene = Scene { view: [800.0, 600.0], nodes, ..Scene::default() };
        let hints = Hints::default();
        let claims = claims_about("e1", &scene);
        let held: Vec<&str> = claims
            .iter()
            .filter(|claim| is_true_of(claim, Some("e1"), &scene, &hints))
            .map(String::as_str)
            .collect();
        assert_eq!(held, expected, "{claims:?}");
    }

    #[test]
    fn what_holds_of_an_element_is_proposed_and_nothing_else() {
        check(
            "button",
            "Save",
            &["disabled"],
            &["The \"Save\" button is disabled", "The \"Save\" button is visible", "The page shows \"Save\""],
        );
        check(
            "textbox",
            "Name",
            &[],
            &[
                "The \"Name\" field is \"Anna\"",
                "The \"Name\" field is visible",
                "The \"Name\" field is enabled",
            ],
        );
        check("heading", "Shop", &[], &["The heading \"Shop\" is visible", "The page shows \"Shop\""]);
    }
}
