//! Pointer steps and key strokes as BiDi actions.

use assay_driver::{Button, KeyStroke, Modifiers, Point, PointerStep, key_definition, webdriver_key};
use serde_json::{Value, json};

fn held(modifiers: Modifiers) -> Vec<char> {
    [
        (modifiers.control, '\u{E009}'),
        (modifiers.alt, '\u{E00A}'),
        (modifiers.meta, '\u{E03D}'),
        (modifiers.shift, '\u{E008}'),
    ]
    .into_iter()
    .filter_map(|(is_held, key)| is_held.then_some(key))
    .collect()
}

fn key_down(value: impl serde::Serialize) -> Value {
    json!({ "type": "keyDown", "value": value })
}

fn key_up(value: impl serde::Serialize) -> Value {
    json!({ "type": "keyUp", "value": value })
}

/// What the strokes are, one after the other, or the key that cannot be given.
pub(crate) fn key_actions(strokes: &[KeyStroke]) -> Result<Value, String> {
    let mut actions = Vec::new();
    for stroke in strokes {
        let definition = key_definition(&stroke.key).map_err(|err| err.name)?;
        let value = match webdriver_key(&definition.key) {
            Some(key) => key.to_string(),
            None if definition.key.chars().count() == 1 => definition.key.clone(),
            None => return Err(definition.key),
        };
        // A capital is a key of its own here; holding shift as well is what a keyboard does.
        let modifiers =
            held(Modifiers { shift: stroke.modifiers.shift || definition.shift, ..stroke.modifiers });
        actions.extend(modifiers.iter().map(key_down));
        actions.push(key_down(&value));
        actions.push(key_up(&value));
        actions.extend(modifiers.iter().rev().map(key_up));
    }
    Ok(json!([{ "type": "key", "id": "keyboard", "actions": actions }]))
}

/// Every character as a key of its own, all down in one moment and up in the next: much quicker than one
/// after the other, and in the same order.
pub(crate) fn text_actions(text: &str) -> Value {
    let keys = text.chars().enumerate().map(|(at, character)| {
        let key = match character {
            '\n' => webdriver_key("Enter"),
            '\t' => webdriver_key("Tab"),
            _ => None,
        };
        let value = key.unwrap_or(character);
        json!({ "type": "key", "id": format!("key{at}"), "actions": [key_down(value), key_up(value)] })
    });
    Value::Array(keys.collect())
}

fn button_number(button: Button) -> u8 {
    match button {
        Button::Left => 0,
        Button::Middle => 1,
        Button::Right => 2,
    }
}

/// Steps of the pointer as actions of one context; `origin` is where that begins on the surface.
pub(crate) fn pointer_actions(steps: &[PointerStep], modifiers: Modifiers, origin: Point) -> Value {
    let mut mouse = Vec::new();
    let mut wheel = Vec::new();
    let place = |point: Point| (point.x - origin.x, point.y - origin.y);
    let pause = || json!({ "type": "pause" });
    for step in steps {
        let (moved, scrolled) = match *step {
            PointerStep::Move { to } => {
                let (x, y) = place(to);
                (json!({ "type": "pointerMove", "x": x, "y": y }), pause())
            }
            PointerStep::Press { button, .. } => {
                (json!({ "type": "pointerDown", "button": button_number(button) }), pause())
            }
            PointerStep::Release { button, .. } => {
                (json!({ "type": "pointerUp", "button": button_number(button) }), pause())
            }
            PointerStep::Wheel { at, by_x, by_y } => {
                let (x, y) = place(at);
                let scroll = json!({
                    "type": "scroll", "x": x.round() as i64, "y": y.round() as i64,
                    "deltaX": by_x.round() as i64, "deltaY": by_y.round() as i64,
                });
                (pause(), scroll)
            }
        };
        mouse.push(moved);
        wheel.push(scrolled);
    }
    let keys = held(modifiers);
    let before = || std::iter::repeat_with(pause).take(keys.len());
    let mut sources = Vec::new();
    if !keys.is_empty() {
        let during = std::iter::repeat_with(pause).take(steps.len());
        let actions: Vec<Value> =
            keys.iter().map(key_down).chain(during).chain(keys.iter().rev().map(key_up)).collect();
        sources.push(json!({ "type": "key", "id": "held", "actions": actions }));
    }
    if steps.iter().any(|step| matches!(step, PointerStep::Wheel { .. })) {
        let actions: Vec<Value> = before().chain(wheel).collect();
        sources.push(json!({ "type": "wheel", "id": "wheel", "actions": actions }));
    }
    if steps.iter().any(|step| !matches!(step, PointerStep::Wheel { .. })) {
        let actions: Vec<Value> = before().chain(mouse).collect();
        sources.push(json!({
            "type": "pointer", "id": "mouse", "parameters": { "pointerType": "mouse" }, "actions": actions,
        }));
    }
    Value::Array(sources)
}

/// Where the first step of the pointer is.
pub(crate) fn first_point(steps: &[PointerStep]) -> Option<Point> {
    steps.first().map(|step| match *step {
        PointerStep::Move { to } => to,
        PointerStep::Press { at, .. } | PointerStep::Release { at, .. } | PointerStep::Wheel { at, .. } => at,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use assay_driver::parse_chord;

    #[test]
    fn modifiers_are_held_around_their_key() {
        let actions = key_actions(&[parse_chord("Control+Shift+k").unwrap()]).unwrap();
        let told: Vec<String> = actions[0]["actions"]
            .as_array()
            .unwrap()
            .iter()
            .map(|action| {
                format!("{} {:?}", action["type"].as_str().unwrap(), action["value"].as_str().unwrap())
            })
            .collect();
        assert_eq!(
            told,
            [
                "keyDown \"\\u{e009}\"",
                "keyDown \"\\u{e008}\"",
                "keyDown \"k\"",
                "keyUp \"k\"",
                "keyUp \"\\u{e008}\"",
                "keyUp \"\\u{e009}\""
            ]
        );
    }

    #[test]
    fn a_click_with_a_modifier_is_padded_to_equal_length() {
        let at = Point { x: 15.0, y: 25.0 };
        let steps = [
            PointerStep::Move { to: at },
            PointerStep::Press { at, button: Button::Left, clicks: 1 },
            PointerStep::Release { at, button: Button::Left, clicks: 1 },
        ];
        let held = Modifiers { control: true, ..Modifiers::default() };
        let actions = pointer_actions(&steps, held, Point { x: 5.0, y: 5.0 });
        assert_eq!(actions[0]["actions"].as_array().unwrap().len(), 5);
        assert_eq!(actions[1]["actions"][1], json!({ "type": "pointerMove", "x": 10.0, "y": 20.0 }));
    }
}
