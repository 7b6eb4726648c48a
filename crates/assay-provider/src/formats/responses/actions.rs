//! What the actions of OpenAI's computer tool mean.

use serde_json::Value;

use crate::answer::{Action, Button, Chord, Place, ScrollBy};
use crate::formats::text_of;

pub fn read(action: &Value) -> Action {
    meaning(action).unwrap_or_else(|why| Action::unknown(action, why))
}

fn meaning(action: &Value) -> Result<Action, String> {
    Ok(match action["type"].as_str().unwrap_or_default() {
        "click" => Action::Click {
            at: point(action)?,
            button: button(&action["button"])?,
            times: 1,
            modifiers: keys(&action["keys"])?,
        },
        "double_click" => Action::Click {
            at: point(action)?,
            button: Button::Left,
            times: 2,
            modifiers: keys(&action["keys"])?,
        },
        "drag" => {
            let path = action["path"].as_array().into_iter().flatten().map(point);
            let path: Vec<Place> = path.collect::<Result<_, _>>()?;
            if path.len() < 2 {
                return Err("expected a `path` of two points or more".to_string());
            }
            Action::Drag { path, modifiers: keys(&action["keys"])? }
        }
        "keypress" => {
            let chord = keys(&action["keys"])?;
            if chord.0.is_empty() {
                return Err("expected `keys`".to_string());
            }
            Action::Keypress { chords: vec![chord], times: 1 }
        }
        "move" => Action::Move { to: point(action)?, modifiers: keys(&action["keys"])? },
        "screenshot" => Action::Screenshot,
        "scroll" => {
            let (Some(x), Some(y)) = (action["scroll_x"].as_f64(), action["scroll_y"].as_f64()) else {
                return Err("expected the numbers `scroll_x` and `scroll_y`".to_string());
            };
            Action::Scroll {
                at: point(action)?,
                by: ScrollBy::Pixels { x, y },
                modifiers: keys(&action["keys"])?,
            }
        }
        "type" => Action::Type {
            text: text_of(&action["text"]).ok_or("expected a `text`")?,
            at: None,
            clears_first: false,
            presses_enter: false,
        },
        "wait" => Action::Wait { length: None },
        other => return Err(format!("no action `{other}` is known")),
    })
}

fn point(value: &Value) -> Result<Place, String> {
    match (value["x"].as_i64(), value["y"].as_i64()) {
        (Some(x), Some(y)) => Ok(Place::Pixel { x, y }),
        _ => Err("expected whole numbers `x` and `y`".to_string()),
    }
}

fn button(value: &Value) -> Result<Button, String> {
    match value.as_str() {
        Some("left") => Ok(Button::Left),
        Some("right") => Ok(Button::Right),
        Some("wheel") => Ok(Button::Middle),
        Some("back") => Ok(Button::Back),
        Some("forward") => Ok(Button::Forward),
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
