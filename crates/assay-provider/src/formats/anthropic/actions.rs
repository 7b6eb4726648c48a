//! What the members of Anthropic's toolsets mean.

use std::time::Duration;

use serde_json::Value;

use crate::answer::{Action, Button, Chord, Navigation, PageRead, Place, ScrollBy, TabAct};
use crate::formats::text_of;

/// What was wrong with the input of a member.
type Meaning = Result<Action, String>;

/// A member of the browser toolset.
pub fn browser(member: &str, input: &Value) -> Action {
    let meaning = match member {
        "navigate" => text(input, "url").map(|url| {
            Action::Navigate(match url.as_str() {
                "back" => Navigation::Back,
                "forward" => Navigation::Forward,
                "reload" => Navigation::Reload,
                _ => Navigation::To(url),
            })
        }),
        "list_tabs" => Ok(Action::Tab(TabAct::List)),
        "new_tab" => Ok(Action::Tab(TabAct::New)),
        "switch_tab" => text(input, "tab_id").map(|tab| Action::Tab(TabAct::Switch(tab))),
        "close_tab" => text(input, "tab_id").map(|tab| Action::Tab(TabAct::Close(tab))),
        "read_page" => Ok(Action::Read(PageRead::Elements {
            interactive_only: input["filter"] == "interactive",
            depth: input["depth"].as_u64().and_then(|depth| u32::try_from(depth).ok()).unwrap_or(15),
            below: text_of(&input["ref"]),
        })),
        "find" => text(input, "query").map(|query| Action::Read(PageRead::Find { query })),
        "get_page_text" => Ok(Action::Read(PageRead::Text)),
        "read_console" => Ok(Action::Read(PageRead::Console)),
        "read_network" => Ok(Action::Read(PageRead::Network)),
        "left_click" => browser_click(input, Button::Left, 1),
        "right_click" => browser_click(input, Button::Right, 1),
        "middle_click" => browser_click(input, Button::Middle, 1),
        "double_click" => browser_click(input, Button::Left, 2),
        "triple_click" => browser_click(input, Button::Left, 3),
        "hover" | "mouse_move" => {
            target(&input["target"]).map(|to| Action::Move { to, modifiers: Chord(Vec::new()) })
        }
        "left_click_drag" => target(&input["from"]).and_then(|from| {
            let path = vec![from, target(&input["target"])?];
            Ok(Action::Drag { path, modifiers: Chord(Vec::new()) })
        }),
        "left_mouse_down" => target(&input["target"]).map(|at| Action::PointerDown { at }),
        "left_mouse_up" => target(&input["target"]).map(|at| Action::PointerUp { at }),
        "scroll" => target(&input["target"]).and_then(|at| scroll(input, at, 3.0, Chord(Vec::new()))),
        "scroll_to" => target(&input["target"]).map(|target| Action::ScrollTo { target }),
        "form_input" => {
            target(&input["target"]).map(|target| Action::SetValue { target, value: input["value"].clone() })
        }
        "file_upload" => target(&input["target"]).map(|target| Action::Upload {
            target,
            paths: input["paths"].as_array().into_iter().flatten().filter_map(text_of).collect(),
        }),
        "javascript_exec" => text(input, "text").map(|text| Action::RunScript { text }),
        shared => shared_member(shared, input),
    };
    meaning.unwrap_or_else(|why| Action::unknown(input, why))
}

/// A member of the computer toolset.
pub fn computer(member: &str, input: &Value) -> Action {
    let meaning = match member {
        "left_click" => computer_click(input, Button::Left, 1),
        "right_click" => computer_click(input, Button::Right, 1),
        "middle_click" => computer_click(input, Button::Middle, 1),
        "double_click" => computer_click(input, Button::Left, 2),
        "triple_click" => computer_click(input, Button::Left, 3),
        "mouse_move" => {
            coordinate(&input["coordinate"]).map(|to| Action::Move { to, modifiers: Chord(Vec::new()) })
        }
        "left_mouse_down" => Ok(Action::PointerDown { at: Place::Pointer }),
        "left_mouse_up" => Ok(Action::PointerUp { at: Place::Pointer }),
        "left_click_drag" => drag(input),
        "scroll" => {
            or_pointer(&input["coordinate"]).and_then(|at| scroll(input, at, 3.0, modifiers(&input["text"])?))
        }
        "cursor_position" => Ok(Action::PointerPosition),
        shared => shared_member(shared, input),
    };
    meaning.unwrap_or_else(|why| Action::unknown(input, why))
}

/// The single tool of older models: the member stands in `action`.
pub fn single(input: &Value) -> Action {
    match input["action"].as_str() {
        Some(member) => computer(member, input),
        None => Action::unknown(input, "expected an `action`"),
    }
}

fn shared_member(member: &str, input: &Value) -> Meaning {
    match member {
        "type" => text(input, "text").map(|text| Action::Type {
            text,
            at: None,
            clears_first: false,
            presses_enter: false,
        }),
        "key" => {
            let chords = Chord::read_sequence(&text(input, "text")?).map_err(unknown_key)?;
            let times = input["repeat"].as_u64().and_then(|times| u32::try_from(times).ok()).unwrap_or(1);
            Ok(Action::Keypress { chords, times })
        }
        "hold_key" => {
            let keys = Chord::read(&text(input, "text")?).map_err(unknown_key)?;
            Ok(Action::HoldKeys { keys, length: seconds(&input["duration"])? })
        }
        "wait" => Ok(Action::Wait { length: Some(seconds(&input["duration"])?) }),
        "screenshot" => Ok(Action::Screenshot),
        "zoom" => match numbers(&input["region"]).as_deref() {
            Some([left, top, right, bottom]) => {
                Ok(Action::Zoom { left: *left, top: *top, right: *right, bottom: *bottom })
            }
            _ => Err("expected a `region` of four numbers".to_string()),
        },
        other => Err(format!("no member `{other}` is known")),
    }
}

fn browser_click(input: &Value, button: Button, times: u8) -> Meaning {
    let at = target(&input["target"])?;
    Ok(Action::Click { at, button, times, modifiers: modifiers(&input["modifiers"])? })
}

fn computer_click(input: &Value, button: Button, times: u8) -> Meaning {
    let at = or_pointer(&input["coordinate"])?;
    Ok(Action::Click { at, button, times, modifiers: modifiers(&input["text"])? })
}

fn drag(input: &Value) -> Meaning {
    // The oldest form has no start: the pointer is there already.
    let start = or_pointer(&input["start_coordinate"])?;
    let path = vec![start, coordinate(&input["coordinate"])?];
    Ok(Action::Drag { path, modifiers: modifiers(&input["text"])? })
}

fn scroll(input: &Value, at: Place, usual: f64, modifiers: Chord) -> Meaning {
    let amount = input["scroll_amount"].as_f64().unwrap_or(usual);
    let direction = text(input, "scroll_direction")?;
    let (x, y) = ScrollBy::axes(&direction, amount).ok_or_else(|| format!("no direction `{direction}`"))?;
    Ok(Action::Scroll { at, by: ScrollBy::Notches { x, y }, modifiers })
}

fn target(value: &Value) -> Result<Place, String> {
    match value["type"].as_str() {
        Some("ref") => text(value, "ref").map(Place::Ref),
        Some("coordinate") => match (value["x"].as_i64(), value["y"].as_i64()) {
            (Some(x), Some(y)) => Ok(Place::Pixel { x, y }),
            _ => Err("expected whole numbers `x` and `y`".to_string()),
        },
        _ => Err("expected a `target` with a ref or a coordinate".to_string()),
    }
}

fn coordinate(value: &Value) -> Result<Place, String> {
    match numbers(value).as_deref() {
        Some([x, y]) => Ok(Place::Pixel { x: *x, y: *y }),
        _ => Err("expected a `coordinate` of two numbers".to_string()),
    }
}

fn or_pointer(value: &Value) -> Result<Place, String> {
    if value.is_null() { Ok(Place::Pointer) } else { coordinate(value) }
}

fn numbers(value: &Value) -> Option<Vec<i64>> {
    value.as_array()?.iter().map(Value::as_i64).collect()
}

fn modifiers(value: &Value) -> Result<Chord, String> {
    match value.as_str() {
        None | Some("") => Ok(Chord(Vec::new())),
        Some(text) => Chord::read(text).map_err(unknown_key),
    }
}

fn unknown_key(key: String) -> String {
    format!("no key `{key}` is known")
}

fn text(input: &Value, name: &str) -> Result<String, String> {
    text_of(&input[name]).ok_or_else(|| format!("expected a text `{name}`"))
}

fn seconds(value: &Value) -> Result<Duration, String> {
    value
        .as_f64()
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| "expected a `duration` in seconds".to_string())
}
