//! Pointer steps and key strokes as DevTools events.

use assay_driver::{Button, KeyStroke, Modifiers, PointerStep, key_definition};
use serde_json::{Value, json};

fn modifier_bits(modifiers: Modifiers) -> u32 {
    u32::from(modifiers.alt)
        | u32::from(modifiers.control) << 1
        | u32::from(modifiers.meta) << 2
        | u32::from(modifiers.shift) << 3
}

fn button_name(button: Button) -> &'static str {
    match button {
        Button::Left => "left",
        Button::Middle => "middle",
        Button::Right => "right",
    }
}

fn button_bit(button: Button) -> u32 {
    match button {
        Button::Left => 1,
        Button::Right => 2,
        Button::Middle => 4,
    }
}

/// The parameters of `Input.dispatchMouseEvent` for one step. `held` is updated by presses and releases.
pub(crate) fn mouse_event(step: PointerStep, modifiers: Modifiers, held: &mut Option<Button>) -> Value {
    let bits = modifier_bits(modifiers);
    match step {
        PointerStep::Move { to } => {
            let button = held.map_or("none", button_name);
            json!({ "type": "mouseMoved", "x": to.x, "y": to.y, "button": button, "buttons": held.map_or(0, button_bit), "modifiers": bits })
        }
        PointerStep::Press { at, button, clicks } => {
            *held = Some(button);
            json!({ "type": "mousePressed", "x": at.x, "y": at.y, "button": button_name(button), "buttons": button_bit(button), "clickCount": clicks, "modifiers": bits })
        }
        PointerStep::Release { at, button, clicks } => {
            *held = None;
            json!({ "type": "mouseReleased", "x": at.x, "y": at.y, "button": button_name(button), "buttons": 0, "clickCount": clicks, "modifiers": bits })
        }
        PointerStep::Wheel { at, by_x, by_y } => {
            json!({ "type": "mouseWheel", "x": at.x, "y": at.y, "deltaX": by_x, "deltaY": by_y, "modifiers": bits })
        }
    }
}

/// The keys that are held, in the order in which they go down.
fn held_keys(modifiers: Modifiers) -> Vec<(&'static str, Modifiers)> {
    let none = Modifiers::default();
    let all = [
        (modifiers.control, "Control", Modifiers { control: true, ..none }),
        (modifiers.alt, "Alt", Modifiers { alt: true, ..none }),
        (modifiers.shift, "Shift", Modifiers { shift: true, ..none }),
        (modifiers.meta, "Meta", Modifiers { meta: true, ..none }),
    ];
    all.into_iter().filter(|(held, ..)| *held).map(|(_, name, bit)| (name, bit)).collect()
}

/// Down and up of one stroke, with the keys that are held around it. A character that is on no key is inserted
/// as text instead.
pub(crate) fn key_events(stroke: &KeyStroke) -> Vec<(&'static str, Value)> {
    let held = held_keys(stroke.modifiers);
    let mut events = Vec::new();
    let mut bits = 0;
    for (name, bit) in &held {
        bits |= modifier_bits(*bit);
        events.extend(held_key("rawKeyDown", name, bits));
    }
    events.extend(stroke_events(stroke));
    for (name, bit) in held.iter().rev() {
        bits &= !modifier_bits(*bit);
        events.extend(held_key("keyUp", name, bits));
    }
    events
}

fn held_key(kind: &str, name: &str, bits: u32) -> Option<(&'static str, Value)> {
    let definition = key_definition(name).ok()?;
    let params = json!({
        "type": kind,
        "key": definition.key,
        "code": definition.code,
        "windowsVirtualKeyCode": definition.key_code,
        "nativeVirtualKeyCode": definition.key_code,
        "modifiers": bits,
        "location": 1,
    });
    Some(("Input.dispatchKeyEvent", params))
}

fn stroke_events(stroke: &KeyStroke) -> Vec<(&'static str, Value)> {
    let Ok(definition) = key_definition(&stroke.key) else {
        return vec![("Input.insertText", json!({ "text": stroke.key }))];
    };
    if definition.code.is_empty() {
        return vec![("Input.insertText", json!({ "text": definition.key }))];
    }
    let modifiers = stroke.modifiers;
    let bits = modifier_bits(modifiers);
    let mut down = json!({
        "type": "rawKeyDown",
        "key": definition.key,
        "code": definition.code,
        "windowsVirtualKeyCode": definition.key_code,
        "nativeVirtualKeyCode": definition.key_code,
        "modifiers": bits,
    });
    // With a command modifier a key does not type.
    if let (Some(text), false) = (&definition.text, modifiers.control || modifiers.meta || modifiers.alt) {
        down["type"] = json!("keyDown");
        down["text"] = json!(text);
        down["unmodifiedText"] = json!(text);
    }
    if let Some(command) = editing_command(&definition.key, modifiers) {
        down["commands"] = json!([command]);
    }
    let up = json!({
        "type": "keyUp",
        "key": definition.key,
        "code": definition.code,
        "windowsVirtualKeyCode": definition.key_code,
        "nativeVirtualKeyCode": definition.key_code,
        "modifiers": bits,
    });
    vec![("Input.dispatchKeyEvent", down), ("Input.dispatchKeyEvent", up)]
}

/// Shortcuts that the desktop, not the page, turns into editing.
fn editing_command(key: &str, modifiers: Modifiers) -> Option<&'static str> {
    if !modifiers.control || modifiers.alt || modifiers.meta {
        return None;
    }
    match key.to_ascii_lowercase().as_str() {
        "a" => Some("selectAll"),
        "c" => Some("copy"),
        "x" => Some("cut"),
        "v" => Some("paste"),
        "z" if modifiers.shift => Some("redo"),
        "z" => Some("undo"),
        "y" => Some("redo"),
        _ => None,
    }
}
