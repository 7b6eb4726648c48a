//! What the actions of OpenAI's computer tool mean.

use serde_json::Value;

use crate::answer::{Chord, ComputerAction, ComputerButton, PointerTarget, ScrollBy};
use crate::formats::text_of;

pub fn read(action: &Value) -> ComputerAction {
    meaning(action).unwrap_or_else(|why| ComputerAction::unknown(action, why))
}

fn meaning(action: &Value) -> Result<ComputerAction, String> {
    Ok(match action["type"].as_str().unwrap_or_default() {
        "click" => ComputerAction::Click {
            at: point(action)?,
            button: button(&action["button"])?,
            times: 1,
            modifiers: keys(&action["keys"])?,
        },
        "double_click" => ComputerAction::Click {
            at: point(action)?,
            button: ComputerButton::Left,
            times: 2,
            modifiers: keys(&action["keys"])?,
        },
        "drag" => {
            let path = action["path"].as_array().into_iter().flatten().map(point);
            let path: Vec<PointerTarget> = path.collect::<Result<_, _>>()?;
            if path.len() < 2 {
                return Err("expected a `path` of two points or more".to_string());
            }
            ComputerAction::Drag { path, modifiers: keys(&action["keys"])? }
        }
        "keypress" => {
            let chord = keys(&action["keys"])?;
            if chord.0.is_empty() {
                return Err("expected `keys`".to_string());
            }
            ComputerAction::Keypress { chords: vec![chord], times: 1 }
        }
        "move" => ComputerAction::Move { to: point(action)?, modifiers: keys(&action["keys"])? },
        "screenshot" => ComputerAction::Screenshot,
        "scroll" => {
            let (Some(x), Some(y)) = (action["scroll_x"].as_f64(), action["scroll_y"].as_f64()) else {
                return Err("expected the numbers `scroll_x` and `scroll_y`".to_string());
            };
            ComputerAction::Scroll {
                at: point(action)?,
                by: ScrollBy::Pixels { x, y },
                modifiers: keys(&action["keys"])?,
            }
        }
        "type" => ComputerAction::Type {
            text: text_of(&action["text"]).ok_or("expected a `text`")?,
            at: None,
            clears_first: false,
            presses_enter: false,
        },
        "wait" => ComputerAction::Wait { length: None },
        other => return Err(format!("no action `{other}` is known")),
    })
}

fn point(value: &Value) -> Result<PointerTarget, String> {
    match (value["x"].as_i64(), value["y"].as_i64()) {
        (Some(x), Some(y)) => Ok(PointerTarget::Pixel { x, y }),
        _ => Err("expected whole numbers `x` and `y`".to_string()),
    }
}

fn button(value: &Value) -> Result<ComputerButton, String> {
    match value.as_str() {
        Some("left") => Ok(ComputerButton::Left),
        Some("right") => Ok(ComputerButton::Right),
        Some("wheel") => Ok(ComputerButton::Middle),
        Some("back") => Ok(ComputerButton::Back),
        Some("forward") => Ok(ComputerButton::Forward),
        _ => Err(format!("no button {value} is known")),
    }
}

/// A list of keys, or one text such as `CTRL+ENTER`.
fn keys(value: &Value) -> Result<Chord, String> {
    let unknown = |key: String| format!("no key `{key}` is known");
    match value {
        Value::Null => Ok(Chord(Vec::new())),
        Value::String(text) => Chord::read(text).map_err(unknown),
        Value::Array(keys) => {
            let texts: Option<Vec<&str>> = keys.iter().map(Value::as_str).collect();
            Chord::of_list(texts.ok_or("expected texts in `keys`")?).map_err(unknown)
        }
        _ => Err("expected a list of `keys`".to_string()),
    }
}
