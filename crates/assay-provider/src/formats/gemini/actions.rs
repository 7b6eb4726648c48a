//! What Gemini's predefined functions mean, in both of its sets.

use std::time::Duration;

use serde_json::Value;

use crate::answer::{Chord, ComputerAction, ComputerButton, Navigation, PointerTarget, ScrollBy};
use crate::formats::text_of;

/// How far a scroll goes that does not say.
const USUAL_MAGNITUDE: f64 = 800.0;

pub fn read(name: &str, args: &Value) -> Vec<ComputerAction> {
    match meaning(name, args) {
        Ok(action) => vec![action],
        Err(why) => vec![ComputerAction::unknown(args, why)],
    }
}

fn meaning(name: &str, args: &Value) -> Result<ComputerAction, String> {
    let none = || Chord(Vec::new());
    let click = |button, times| {
        Ok(ComputerAction::Click { at: point(args, "x", "y")?, button, times, modifiers: none() })
    };
    match name {
        "click" | "click_at" => click(ComputerButton::Left, 1),
        "double_click" => click(ComputerButton::Left, 2),
        "triple_click" => click(ComputerButton::Left, 3),
        "middle_click" => click(ComputerButton::Middle, 1),
        "right_click" => click(ComputerButton::Right, 1),
        "move" | "hover_at" => Ok(ComputerAction::Move { to: point(args, "x", "y")?, modifiers: none() }),
        "mouse_down" => Ok(ComputerAction::PointerDown { at: point(args, "x", "y")? }),
        "mouse_up" => Ok(ComputerAction::PointerUp { at: point(args, "x", "y")? }),
        "type" => Ok(ComputerAction::Type {
            text: text(args, "text")?,
            at: None,
            clears_first: false,
            presses_enter: args["press_enter"] == true,
        }),
        "type_text_at" => Ok(ComputerAction::Type {
            text: text(args, "text")?,
            at: Some(point(args, "x", "y")?),
            clears_first: args["clear_before_typing"] != false,
            presses_enter: args["press_enter"] == true,
        }),
        "press_key" => Ok(ComputerAction::Keypress { chords: vec![chord(&args["key"])?], times: 1 }),
        "key_down" => Ok(ComputerAction::KeyDown { key: chord(&args["key"])? }),
        "key_up" => Ok(ComputerAction::KeyUp { key: chord(&args["key"])? }),
        "hotkey" | "key_combination" => {
            Ok(ComputerAction::Keypress { chords: vec![chord(&args["keys"])?], times: 1 })
        }
        "scroll" | "scroll_at" => {
            let at = point(args, "x", "y")?;
            let magnitude = args["magnitude"].as_f64().unwrap_or(USUAL_MAGNITUDE);
            let (x, y) = direction(args, magnitude)?;
            Ok(ComputerAction::Scroll { at, by: ScrollBy::Thousandths { x, y }, modifiers: none() })
        }
        "scroll_document" => {
            let (x, y) = direction(args, 1.0)?;
            Ok(ComputerAction::Scroll {
                at: PointerTarget::Pointer,
                by: ScrollBy::Pages { x, y },
                modifiers: none(),
            })
        }
        "drag_and_drop" => {
            let path = vec![point(args, "x", "y")?, point(args, "destination_x", "destination_y")?];
            Ok(ComputerAction::Drag { path, modifiers: none() })
        }
        "navigate" => text(args, "url").map(|url| ComputerAction::Navigate(Navigation::To(url))),
        "go_back" => Ok(ComputerAction::Navigate(Navigation::Back)),
        "go_forward" => Ok(ComputerAction::Navigate(Navigation::Forward)),
        "search" => Ok(ComputerAction::Navigate(Navigation::Search)),
        "wait" => {
            let length = args["seconds"].as_f64().and_then(|it| Duration::try_from_secs_f64(it).ok());
            Ok(ComputerAction::Wait { length })
        }
        "wait_5_seconds" => Ok(ComputerAction::Wait { length: Some(Duration::from_secs(5)) }),
        // The browser is open already, so all there is to do is to show it.
        "take_screenshot" | "open_web_browser" => Ok(ComputerAction::Screenshot),
        other => Err(format!("no function `{other}` is known")),
    }
}

fn point(args: &Value, x: &str, y: &str) -> Result<PointerTarget, String> {
    match (args[x].as_f64(), args[y].as_f64()) {
        (Some(x), Some(y)) => Ok(PointerTarget::Thousandth { x, y }),
        _ => Err(format!("expected the numbers `{x}` and `{y}`")),
    }
}

fn direction(args: &Value, length: f64) -> Result<(f64, f64), String> {
    let word = text(args, "direction")?;
    ScrollBy::axes(&word, length).ok_or_else(|| format!("no direction `{word}`"))
}

fn text(args: &Value, name: &str) -> Result<String, String> {
    text_of(&args[name]).ok_or_else(|| format!("expected a text `{name}`"))
}

/// A list of keys, or a text such as `ctrl+a`.
fn chord(keys: &Value) -> Result<Chord, String> {
    let unknown = |key: String| format!("no key `{key}` is known");
    match keys {
        Value::String(text) => Chord::read(text).map_err(unknown),
        Value::Array(keys) => {
            let texts: Option<Vec<&str>> = keys.iter().map(Value::as_str).collect();
            Chord::of_list(texts.ok_or("expected texts in `keys`")?).map_err(unknown)
        }
        _ => Err("expected keys".to_string()),
    }
}
