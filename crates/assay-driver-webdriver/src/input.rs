//! Pointer steps and key strokes as WebDriver actions.

use assay_driver::{
    Button, DragPath, DriverError, KeyStroke, Modifiers, Point, PointerStep, key_definition, webdriver_key,
};
use serde_json::{Value, json};

/// Three devices whose steps are taken at the same time: where one does something, the others pause.
#[derive(Default)]
struct Devices {
    keys: Vec<Value>,
    pointer: Vec<Value>,
    wheel: Vec<Value>,
}

#[derive(Clone, Copy)]
enum Device {
    Keys,
    Pointer,
    Wheel,
}

impl Devices {
    fn push(&mut self, device: Device, step: Value) {
        let pause = || json!({ "type": "pause", "duration": 0 });
        let (mut keys, mut pointer, mut wheel) = (pause(), pause(), pause());
        match device {
            Device::Keys => keys = step,
            Device::Pointer => pointer = step,
            Device::Wheel => wheel = step,
        }
        self.keys.push(keys);
        self.pointer.push(pointer);
        self.wheel.push(wheel);
    }

    fn key(&mut self, kind: &str, value: &str) {
        self.push(Device::Keys, json!({ "type": kind, "value": value }));
    }

    fn move_to(&mut self, to: Point) {
        let (x, y) = whole(to);
        self.push(
            Device::Pointer,
            json!({ "type": "pointerMove", "duration": 0, "x": x, "y": y, "origin": "viewport" }),
        );
    }

    /// Devices that do nothing are left out: not every driver knows all of them.
    fn finish(self) -> Value {
        let used = |steps: &[Value]| steps.iter().any(|step| step["type"] != "pause");
        let mut sources = Vec::new();
        if used(&self.keys) {
            sources.push(json!({ "type": "key", "id": "keys", "actions": self.keys }));
        }
        if used(&self.pointer) {
            sources.push(json!({
                "type": "pointer", "id": "mouse", "parameters": { "pointerType": "mouse" }, "actions": self.pointer,
            }));
        }
        if used(&self.wheel) {
            sources.push(json!({ "type": "wheel", "id": "wheel", "actions": self.wheel }));
        }
        json!({ "actions": sources })
    }
}

pub(crate) fn pointer_actions(steps: &[PointerStep], modifiers: Modifiers) -> Value {
    let mut devices = Devices::default();
    let held = held_keys(modifiers);
    for key in &held {
        devices.key("keyDown", key);
    }
    let mut last = None;
    for step in steps {
        let (PointerStep::Move { to: at }
        | PointerStep::Press { at, .. }
        | PointerStep::Release { at, .. }
        | PointerStep::Wheel { at, .. }) = *step;
        if last != Some(at) && !matches!(step, PointerStep::Wheel { .. }) {
            devices.move_to(at);
            last = Some(at);
        }
        match *step {
            PointerStep::Move { .. } => {}
            PointerStep::Press { button, .. } => {
                devices
                    .push(Device::Pointer, json!({ "type": "pointerDown", "button": button_number(button) }));
            }
            PointerStep::Release { button, .. } => {
                devices
                    .push(Device::Pointer, json!({ "type": "pointerUp", "button": button_number(button) }));
            }
            PointerStep::Wheel { at, by_x, by_y } => {
                let (x, y) = whole(at);
                devices.push(
                    Device::Wheel,
                    json!({
                        "type": "scroll", "duration": 0, "origin": "viewport", "x": x, "y": y,
                        "deltaX": by_x.round() as i64, "deltaY": by_y.round() as i64,
                    }),
                );
            }
        }
    }
    for key in held.iter().rev() {
        devices.key("keyUp", key);
    }
    devices.finish()
}

pub(crate) fn drag_actions(path: DragPath) -> Value {
    const STEPS: u32 = 8;
    let mut devices = Devices::default();
    let along = |part: f64| Point {
        x: path.from.x + (path.to.x - path.from.x) * part,
        y: path.from.y + (path.to.y - path.from.y) * part,
    };
    devices.move_to(path.from);
    devices.push(Device::Pointer, json!({ "type": "pointerDown", "button": 0 }));
    for step in 1..=STEPS {
        devices.move_to(along(f64::from(step) / f64::from(STEPS)));
        // Drag-and-drop begins only after a moment.
        devices.push(Device::Pointer, json!({ "type": "pause", "duration": 20 }));
    }
    devices.push(Device::Pointer, json!({ "type": "pointerUp", "button": 0 }));
    devices.finish()
}

pub(crate) fn key_actions(strokes: &[KeyStroke]) -> Result<Value, DriverError> {
    let mut devices = Devices::default();
    for stroke in strokes {
        let value = key_value(&stroke.key)?;
        let held = held_keys(stroke.modifiers);
        for key in &held {
            devices.key("keyDown", key);
        }
        devices.key("keyDown", &value);
        devices.key("keyUp", &value);
        for key in held.iter().rev() {
            devices.key("keyUp", key);
        }
    }
    Ok(devices.finish())
}

/// Text as keys, one action for each character. Long texts are cut into several.
pub(crate) fn text_actions(text: &str) -> Vec<Value> {
    const LONGEST: usize = 200;
    let characters: Vec<char> = text.replace("\r\n", "\n").chars().collect();
    characters
        .chunks(LONGEST)
        .map(|part| {
            let mut devices = Devices::default();
            for character in part {
                let key = if *character == '\n' { webdriver_key("Enter") } else { None };
                let value = key.unwrap_or(*character).to_string();
                devices.key("keyDown", &value);
                devices.key("keyUp", &value);
            }
            devices.finish()
        })
        .collect()
}

fn whole(point: Point) -> (i64, i64) {
    (point.x.round() as i64, point.y.round() as i64)
}

fn button_number(button: Button) -> u32 {
    match button {
        Button::Left => 0,
        Button::Middle => 1,
        Button::Right => 2,
    }
}

fn held_keys(modifiers: Modifiers) -> Vec<String> {
    [
        (modifiers.control, "Control"),
        (modifiers.alt, "Alt"),
        (modifiers.shift, "Shift"),
        (modifiers.meta, "Meta"),
    ]
    .iter()
    .filter(|(held, _)| *held)
    .filter_map(|(_, name)| webdriver_key(name).map(|key| key.to_string()))
    .collect()
}

fn key_value(name: &str) -> Result<String, DriverError> {
    let missing = || DriverError::Refused {
        method: "the key".to_string(),
        message: format!("WebDriver has no key `{name}`"),
    };
    let definition = key_definition(name).map_err(|_| missing())?;
    if definition.key.chars().count() == 1 {
        return Ok(definition.key);
    }
    webdriver_key(&definition.key).map(|key| key.to_string()).ok_or_else(missing)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The steps of each device, one word each.
    fn outline(actions: &Value) -> Vec<String> {
        let word = |step: &Value| {
            let kind = step["type"].as_str().unwrap_or_default();
            match step["value"].as_str() {
                Some(value) => format!("{kind}:{}", value.escape_unicode()),
                None => kind.to_string(),
            }
        };
        actions["actions"]
            .as_array()
            .unwrap()
            .iter()
            .map(|source| {
                let steps: Vec<String> = source["actions"].as_array().unwrap().iter().map(word).collect();
                format!("{}: {}", source["type"].as_str().unwrap(), steps.join(" "))
            })
            .collect()
    }

    #[test]
    fn a_click_with_a_key_held_waits_for_the_key() {
        let at = Point { x: 3.4, y: 5.0 };
        let steps = [
            PointerStep::Move { to: at },
            PointerStep::Press { at, button: Button::Left, clicks: 1 },
            PointerStep::Release { at, button: Button::Left, clicks: 1 },
        ];
        let modifiers = Modifiers { shift: true, ..Modifiers::default() };
        assert_eq!(
            outline(&pointer_actions(&steps, modifiers)),
            [
                "key: keyDown:\\u{e008} pause pause pause keyUp:\\u{e008}",
                "pointer: pause pointerMove pointerDown pointerUp pause",
            ]
        );
    }

    #[test]
    fn devices_that_do_nothing_are_left_out() {
        let wheel = PointerStep::Wheel { at: Point { x: 1.0, y: 1.0 }, by_x: 0.0, by_y: 90.0 };
        assert_eq!(outline(&pointer_actions(&[wheel], Modifiers::default())), ["wheel: scroll"]);
    }

    #[test]
    fn keys_have_characters_of_their_own() {
        let press =
            |key: &str| key_actions(&[KeyStroke { key: key.to_string(), modifiers: Modifiers::default() }]);
        assert_eq!(outline(&press("esc").unwrap()), ["key: keyDown:\\u{e00c} keyUp:\\u{e00c}"]);
        assert_eq!(outline(&press("F12").unwrap()), ["key: keyDown:\\u{e03c} keyUp:\\u{e03c}"]);
        assert_eq!(outline(&press("é").unwrap()), ["key: keyDown:\\u{e9} keyUp:\\u{e9}"]);
        assert!(press("PrintScreen").is_err());
    }

    #[test]
    fn a_line_break_is_the_enter_key() {
        assert_eq!(outline(&text_actions("\r\n")[0]), ["key: keyDown:\\u{e006} keyUp:\\u{e006}"]);
        assert_eq!(text_actions(&"x".repeat(401)).len(), 3);
    }
}
