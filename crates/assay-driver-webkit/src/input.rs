//! Pointer steps and key strokes as WebKit's automation takes them.

use std::time::Duration;

use assay_driver::{Button, KeyStroke, Modifiers, Point, PointerStep, key_definition};
use serde_json::{Value, json};
use tokio::time::Instant;

/// Presses at the same place within this time are counted together; the protocol cannot say otherwise.
const COUNTED_TOGETHER: Duration = Duration::from_millis(1100);

pub(crate) const MOUSE: &str = "Automation.performMouseInteraction";

/// Where the pointer is and what it did last.
#[derive(Debug, Default)]
pub(crate) struct Pointer {
    /// Where it is, while it lies over what it was moved to.
    at: Option<(i64, i64)>,
    /// The last press that the browser counted.
    pressed: Option<(Instant, i64, i64, Button)>,
    /// The button that is down.
    held: Option<Button>,
    /// How far the wheel has been turned in all: the browser is told where it stands, not how far it is turned.
    turned: (i64, i64),
}

impl Pointer {
    /// The commands for a gesture.
    pub fn gesture(
        &mut self,
        handle: &str,
        steps: &[PointerStep],
        modifiers: Modifiers,
    ) -> Vec<(&'static str, Value)> {
        if let Some(at) = single_click(steps)
            && self.held.is_none()
        {
            return self.click(handle, at, modifiers);
        }
        let aside = self.has_to_step_aside(steps);
        steps
            .iter()
            .map(|step| match *step {
                PointerStep::Move { to } => {
                    let to = shifted(to, aside);
                    self.at = Some(whole(to));
                    mouse(handle, "Move", to, self.held, modifiers)
                }
                PointerStep::Press { at, button, .. } => {
                    let at = shifted(at, aside);
                    let (x, y) = whole(at);
                    self.at = Some(whole(at));
                    self.held = Some(button);
                    self.pressed = Some((Instant::now(), x, y, button));
                    mouse(handle, "Down", at, Some(button), modifiers)
                }
                PointerStep::Release { at, button, .. } => {
                    let at = shifted(at, aside);
                    self.at = Some(whole(at));
                    self.held = None;
                    mouse(handle, "Up", at, Some(button), modifiers)
                }
                PointerStep::Wheel { at, by_x, by_y } => {
                    self.forget_place();
                    self.turned.0 += by_x.round() as i64;
                    self.turned.1 += by_y.round() as i64;
                    wheel(handle, at, self.turned)
                }
            })
            .collect()
    }

    /// A click that stands alone is one command, and the browser never counts it together with another.
    fn click(
        &mut self,
        handle: &str,
        (at, button): (Point, Button),
        modifiers: Modifiers,
    ) -> Vec<(&'static str, Value)> {
        let is_there = self.at.replace(whole(at)) == Some(whole(at));
        let way = (!is_there).then(|| mouse(handle, "Move", at, None, modifiers));
        way.into_iter().chain([mouse(handle, "SingleClick", at, Some(button), modifiers)]).collect()
    }

    /// What lies under it may be another thing, or it may have been moved by others.
    pub fn forget_place(&mut self) {
        self.at = None;
    }

    /// Several clicks where there were some just now would be counted together with them: a pixel beside they are not.
    fn has_to_step_aside(&self, steps: &[PointerStep]) -> bool {
        let first = steps.iter().find_map(|step| match step {
            PointerStep::Press { at, button, clicks: 1 } => Some((*at, *button)),
            _ => None,
        });
        let (Some((at, button)), Some((when, x, y, last))) = (first, self.pressed) else { return false };
        when.elapsed() < COUNTED_TOGETHER && button == last && whole(at) == (x, y)
    }
}

/// Where a gesture clicks, and with what, when that is all it does.
fn single_click(steps: &[PointerStep]) -> Option<(Point, Button)> {
    let [
        PointerStep::Move { to },
        PointerStep::Press { at, button, clicks: 1 },
        PointerStep::Release { at: end, button: same, .. },
    ] = *steps
    else {
        return None;
    };
    (whole(to) == whole(at) && whole(at) == whole(end) && button == same).then_some((at, button))
}

fn shifted(at: Point, aside: bool) -> Point {
    if aside { Point { x: at.x + 1.0, y: at.y } } else { at }
}

fn whole(at: Point) -> (i64, i64) {
    (at.x.floor() as i64, at.y.floor() as i64)
}

fn mouse(
    handle: &str,
    interaction: &str,
    at: Point,
    button: Option<Button>,
    modifiers: Modifiers,
) -> (&'static str, Value) {
    let (x, y) = whole(at);
    let button = match button {
        None => "None",
        Some(Button::Left) => "Left",
        Some(Button::Middle) => "Middle",
        Some(Button::Right) => "Right",
    };
    let params = json!({
        "handle": handle, "position": { "x": x, "y": y }, "button": button, "interaction": interaction,
        "modifiers": modifier_names(modifiers),
    });
    (MOUSE, params)
}

fn modifier_names(modifiers: Modifiers) -> Vec<&'static str> {
    let names = [
        (modifiers.control, "Control"),
        (modifiers.shift, "Shift"),
        (modifiers.alt, "Alt"),
        (modifiers.meta, "Meta"),
    ];
    names.into_iter().filter(|(held, _)| *held).map(|(_, name)| name).collect()
}

fn wheel(handle: &str, at: Point, turned: (i64, i64)) -> (&'static str, Value) {
    let (x, y) = whole(at);
    let state = json!({
        "sourceId": "wheel", "location": { "x": x, "y": y }, "origin": "Viewport",
        "delta": { "width": turned.0, "height": turned.1 },
    });
    let params = json!({
        "handle": handle,
        "inputSources": [{ "sourceId": "wheel", "sourceType": "Wheel" }],
        "steps": [{ "states": [state] }],
    });
    ("Automation.performInteractionSequence", params)
}

/// How far a choice is moved by keys that open a list, move inside it and take what is there; none when the
/// keys are others.
pub(crate) fn moves_choice(strokes: &[KeyStroke]) -> Option<i64> {
    let [open, steps @ .., take] = strokes else { return None };
    let alone = |stroke: &KeyStroke| stroke.modifiers == Modifiers::default();
    let with_alt = Modifiers { alt: true, ..Modifiers::default() };
    if open.key != "ArrowDown" || open.modifiers != with_alt || take.key != "Enter" || !alone(take) {
        return None;
    }
    steps.iter().try_fold(0, |moved, step| match step.key.as_str() {
        "ArrowDown" if alone(step) => Some(moved + 1),
        "ArrowUp" if alone(step) => Some(moved - 1),
        _ => None,
    })
}

/// The commands for keys, in order: as few as possible, because each is a way to the browser and back.
pub(crate) fn key_commands(handle: &str, strokes: &[KeyStroke]) -> Vec<(&'static str, Value)> {
    let mut commands = Vec::new();
    let mut plain: Vec<Value> = Vec::new();
    for stroke in strokes {
        let modifiers = stroke.modifiers;
        let chord = modifiers.control || modifiers.alt || modifiers.meta;
        match (virtual_key(&stroke.key), chord) {
            (None, false) => plain.push(json!({ "type": "InsertByKey", "text": stroke.key })),
            (Some(key), false) if !modifiers.shift => {
                plain.push(json!({ "type": "KeyPress", "key": key }));
                plain.push(json!({ "type": "KeyRelease", "key": key }));
            }
            (key, _) => {
                flush(handle, &mut plain, &mut commands);
                commands.push(chord_command(handle, stroke, key));
            }
        }
    }
    flush(handle, &mut plain, &mut commands);
    commands
}

fn flush(handle: &str, plain: &mut Vec<Value>, commands: &mut Vec<(&'static str, Value)>) {
    if !plain.is_empty() {
        let interactions = std::mem::take(plain);
        let params = json!({ "handle": handle, "interactions": interactions });
        commands.push(("Automation.performKeyboardInteractions", params));
    }
}

/// Modifiers go down one by one, then the key; then all come up in the same way. The browser takes one change
/// at a time: of two at once it forgets one.
fn chord_command(handle: &str, stroke: &KeyStroke, key: Option<&'static str>) -> (&'static str, Value) {
    let modifiers = stroke.modifiers;
    let held = [
        (modifiers.control, "Control"),
        (modifiers.shift, "Shift"),
        (modifiers.alt, "Alternate"),
        (modifiers.meta, "Meta"),
    ];
    let held: Vec<&str> = held.into_iter().filter(|(is_held, _)| *is_held).map(|(_, name)| name).collect();
    let state = |down: &[&str], character: Option<&str>| {
        let mut state = json!({ "sourceId": "keys", "pressedVirtualKeys": down });
        if let Some(character) = character {
            state["pressedCharKey"] = json!(character);
        }
        json!({ "states": [state] })
    };
    let mut steps: Vec<Value> = (1..=held.len()).map(|count| state(&held[..count], None)).collect();
    let mut with_key = held.clone();
    with_key.extend(key);
    let character = key.is_none().then(|| plain_character(&stroke.key));
    steps.push(state(&with_key, character.as_deref()));
    steps.extend((0..=held.len()).rev().map(|count| state(&held[..count], None)));
    let params = json!({
        "handle": handle,
        "inputSources": [{ "sourceId": "keys", "sourceType": "Keyboard" }],
        "steps": steps,
    });
    ("Automation.performInteractionSequence", params)
}

/// A name that is no key's is one character; anything longer was refused before it came here.
fn plain_character(key: &str) -> String {
    key_definition(key).map_or_else(|_| key.to_string(), |definition| definition.key)
}

/// WebKit's name for a key that is not a character.
fn virtual_key(key: &str) -> Option<&'static str> {
    let name = match key_definition(key).map(|definition| definition.key).as_deref() {
        Ok("Enter") => "Return",
        Ok("Tab") => "Tab",
        Ok("Escape") => "Escape",
        Ok("Backspace") => "Backspace",
        Ok("Delete") => "Delete",
        Ok("Insert") => "Insert",
        Ok("Home") => "Home",
        Ok("End") => "End",
        Ok("PageUp") => "PageUp",
        Ok("PageDown") => "PageDown",
        Ok("ArrowUp") => "UpArrow",
        Ok("ArrowDown") => "DownArrow",
        Ok("ArrowLeft") => "LeftArrow",
        Ok("ArrowRight") => "RightArrow",
        Ok("Shift") => "Shift",
        Ok("Control") => "Control",
        Ok("Alt") => "Alternate",
        Ok("Meta") => "Meta",
        Ok("Pause") => "Pause",
        Ok("F1") => "Function1",
        Ok("F2") => "Function2",
        Ok("F3") => "Function3",
        Ok("F4") => "Function4",
        Ok("F5") => "Function5",
        Ok("F6") => "Function6",
        Ok("F7") => "Function7",
        Ok("F8") => "Function8",
        Ok("F9") => "Function9",
        Ok("F10") => "Function10",
        Ok("F11") => "Function11",
        Ok("F12") => "Function12",
        _ => return None,
    };
    Some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stroke(chord: &str) -> KeyStroke {
        assay_driver::parse_chord(chord).unwrap()
    }

    #[test]
    fn plain_keys_go_together_and_chords_by_themselves() {
        let commands = key_commands("h", &[stroke("a"), stroke("Enter"), stroke("Control+a"), stroke("b")]);
        let methods: Vec<&str> = commands.iter().map(|(method, _)| *method).collect();
        assert_eq!(
            methods,
            [
                "Automation.performKeyboardInteractions",
                "Automation.performInteractionSequence",
                "Automation.performKeyboardInteractions",
            ]
        );
        assert_eq!(commands[0].1["interactions"].as_array().map(Vec::len), Some(3));
    }

    #[test]
    fn keys_that_choose_from_a_list_are_known() {
        let keys = |names: &[&str]| names.iter().map(|name| stroke(name)).collect::<Vec<_>>();
        assert_eq!(moves_choice(&keys(&["Alt+ArrowDown", "ArrowDown", "ArrowDown", "Enter"])), Some(2));
        assert_eq!(moves_choice(&keys(&["Alt+ArrowDown", "ArrowUp", "Enter"])), Some(-1));
        assert_eq!(moves_choice(&keys(&["ArrowDown", "Enter"])), None);
        assert_eq!(moves_choice(&keys(&["Alt+ArrowDown", "a", "Enter"])), None);
    }

    #[test]
    fn a_chord_changes_one_key_at_a_time() {
        let (_, params) = chord_command("h", &stroke("Control+Shift+k"), None);
        let down: Vec<String> = params["steps"]
            .as_array()
            .unwrap()
            .iter()
            .map(|step| {
                let state = &step["states"][0];
                format!("{}{}", state["pressedVirtualKeys"], state["pressedCharKey"].as_str().unwrap_or(""))
            })
            .collect();
        assert_eq!(
            down,
            [
                "[\"Control\"]",
                "[\"Control\",\"Shift\"]",
                "[\"Control\",\"Shift\"]k",
                "[\"Control\",\"Shift\"]",
                "[\"Control\"]",
                "[]"
            ]
        );
    }

    #[test]
    fn the_wheel_is_told_as_a_place() {
        let mut pointer = Pointer::default();
        let turn = [PointerStep::Wheel { at: Point { x: 1.0, y: 1.0 }, by_x: 0.0, by_y: 100.0 }];
        let mut place = || {
            let commands = pointer.gesture("h", &turn, Modifiers::default());
            commands[0].1["steps"][0]["states"][0]["delta"]["height"].as_i64()
        };
        assert_eq!((place(), place()), (Some(100), Some(200)));
    }

    fn interactions(commands: &[(&str, Value)]) -> Vec<String> {
        let text = |params: &Value| {
            format!("{} {}", params["interaction"].as_str().unwrap_or(""), params["position"]["x"])
        };
        commands.iter().map(|(_, params)| text(params)).collect()
    }

    fn clicks(at: Point, count: u32) -> Vec<PointerStep> {
        let mut steps = vec![PointerStep::Move { to: at }];
        for clicks in 1..=count {
            steps.push(PointerStep::Press { at, button: Button::Left, clicks });
            steps.push(PointerStep::Release { at, button: Button::Left, clicks });
        }
        steps
    }

    #[test]
    fn a_click_moves_the_pointer_only_where_it_is_not() {
        let mut pointer = Pointer::default();
        let click = |pointer: &mut Pointer, x| {
            let steps = clicks(Point { x, y: 20.0 }, 1);
            interactions(&pointer.gesture("h", &steps, Modifiers::default()))
        };
        assert_eq!(click(&mut pointer, 10.5), ["Move 10", "SingleClick 10"]);
        assert_eq!(click(&mut pointer, 10.9), ["SingleClick 10"]);
        assert_eq!(click(&mut pointer, 11.0), ["Move 11", "SingleClick 11"]);
        pointer.forget_place();
        assert_eq!(click(&mut pointer, 11.0), ["Move 11", "SingleClick 11"]);
    }

    #[test]
    fn clicks_that_are_counted_step_aside_from_those_before() {
        let mut pointer = Pointer::default();
        let mut twice = || {
            let steps = clicks(Point { x: 10.0, y: 20.0 }, 2);
            interactions(&pointer.gesture("h", &steps, Modifiers::default()))
        };
        assert_eq!(twice(), ["Move 10", "Down 10", "Up 10", "Down 10", "Up 10"]);
        assert_eq!(twice(), ["Move 11", "Down 11", "Up 11", "Down 11", "Up 11"]);
    }
}
