//! What the members of Anthropic's toolsets mean.

use std::time::Duration;

use serde_json::Value;

use crate::answer::{
    Chord, ComputerAction, ComputerButton, Navigation, PageRead, PointerTarget, ScrollBy, TabAct,
};
use crate::formats::text_of;

/// What was wrong with the input of a member.
type Meaning = Result<ComputerAction, String>;

/// A member of the browser toolset.
pub fn browser(member: &str, input: &Value) -> ComputerAction {
    let meaning = match member {
        "navigate" => text(input, "url").map(|url| {
            ComputerAction::Navigate(match url.as_str() {
                "back" => Navigation::Back,
                "forward" => Navigation::Forward,
                "reload" => Navigation::Reload,
                _ => Navigation::To(url),
            })
        }),
        "list_tabs" => Ok(ComputerAction::Tab(TabAct::List)),
        "new_tab" => Ok(ComputerAction::Tab(TabAct::New)),
        "switch_tab" => text(input, "tab_id").map(|tab| ComputerAction::Tab(TabAct::Switch(tab))),
        "close_tab" => text(input, "tab_id").map(|tab| ComputerAction::Tab(TabAct::Close(tab))),
        "read_page" => Ok(ComputerAction::Read(PageRead::Elements {
            interactive_only: input["filter"] == "interactive",
            depth: input["depth"].as_u64().and_then(|depth| u32::try_from(depth).ok()).unwrap_or(15),
            below: text_of(&input["ref"]),
        })),
        "find" => text(input, "query").map(|query| ComputerAction::Read(PageRead::Find { query })),
        "get_page_text" => Ok(ComputerAction::Read(PageRead::Text)),
        "read_console" => Ok(ComputerAction::Read(PageRead::Console)),
        "read_network" => Ok(ComputerAction::Read(PageRead::Network)),
        "left_click" => browser_click(input, ComputerButton::Left, 1),
        "right_click" => browser_click(input, ComputerButton::Right, 1),
        "middle_click" => browser_click(input, ComputerButton::Middle, 1),
        "double_click" => browser_click(input, ComputerButton::Left, 2),
        "triple_click" => browser_click(input, ComputerButton::Left, 3),
        "hover" | "mouse_move" => {
            target(&input["target"]).map(|to| ComputerAction::Move { to, modifiers: Chord(Vec::new()) })
        }
        "left_click_drag" => target(&input["from"]).and_then(|from| {
            let path = vec![from, target(&input["target"])?];
            Ok(ComputerAction::Drag { path, modifiers: Chord(Vec::new()) })
        }),
        "left_mouse_down" => target(&input["target"]).map(|at| ComputerAction::PointerDown { at }),
        "left_mouse_up" => target(&input["target"]).map(|at| ComputerAction::PointerUp { at }),
        "scroll" => target(&input["target"]).and_then(|at| scroll(input, at, 3.0, Chord(Vec::new()))),
        "scroll_to" => target(&input["target"]).map(|target| ComputerAction::ScrollTo { target }),
        "form_input" => target(&input["target"])
            .map(|target| ComputerAction::SetValue { target, value: input["value"].clone() }),
        "file_upload" => target(&input["target"]).map(|target| ComputerAction::Upload {
            target,
            paths: input["paths"].as_array().into_iter().flatten().filter_map(text_of).collect(),
        }),
        "javascript_exec" => text(input, "text").map(|text| ComputerAction::RunScript { text }),
        shared => shared_member(shared, input),
    };
    meaning.unwrap_or_else(|why| ComputerAction::unknown(input, why))
}

/// A member of the computer toolset.
pub fn computer(member: &str, input: &Value) -> ComputerAction {
    let meaning = match member {
        "left_click" => computer_click(input, ComputerButton::Left, 1),
        "right_click" => computer_click(input, ComputerButton::Right, 1),
        "middle_click" => computer_click(input, ComputerButton::Middle, 1),
        "double_click" => computer_click(input, ComputerButton::Left, 2),
        "triple_click" => computer_click(input, ComputerButton::Left, 3),
        "mouse_move" => coordinate(&input["coordinate"])
            .map(|to| ComputerAction::Move { to, modifiers: Chord(Vec::new()) }),
        "left_mouse_down" => Ok(ComputerAction::PointerDown { at: PointerTarget::Pointer }),
        "left_mouse_up" => Ok(ComputerAction::PointerUp { at: PointerTarget::Pointer }),
        "left_click_drag" => drag(input),
        "scroll" => {
            or_pointer(&input["coordinate"]).and_then(|at| scroll(input, at, 3.0, modifiers(&input["text"])?))
        }
        "cursor_position" => Ok(ComputerAction::PointerPosition),
        shared => shared_member(shared, input),
    };
    meaning.unwrap_or_else(|why| ComputerAction::unknown(input, why))
}

/// The single tool of older models: the member stands in `action`.
pub fn single(input: &Value) -> ComputerAction {
    match input["action"].as_str() {
        Some(member) => computer(member, input),
        None => ComputerAction::unknown(input, "expected an `action`"),
    }
}

fn shared_member(member: &str, input: &Value) -> Meaning {
    match member {
        "type" => text(input, "text").map(|text| ComputerAction::Type {
            text,
            at: None,
            clears_first: false,
            presses_enter: false,
        }),
        "key" => {
            let chords = Chord::read_sequence(&text(input, "text")?).map_err(unknown_key)?;
            let times = input["repeat"].as_u64().and_then(|times| u32::try_from(times).ok()).unwrap_or(1);
            Ok(ComputerAction::Keypress { chords, times })
        }
        "hold_key" => {
            let keys = Chord::read(&text(input, "text")?).map_err(unknown_key)?;
            Ok(ComputerAction::HoldKeys { keys, length: seconds(&input["duration"])? })
        }
        "wait" => Ok(ComputerAction::Wait { length: Some(seconds(&input["duration"])?) }),
        "screenshot" => Ok(ComputerAction::Screenshot),
        "zoom" => match numbers(&input["region"]).as_deref() {
            Some([left, top, right, bottom]) => {
                Ok(ComputerAction::Zoom { left: *left, top: *top, right: *right, bottom: *bottom })
            }
            _ => Err("expected a `region` of four numbers".to_string()),
        },
        other => Err(format!("no member `{other}` is known")),
    }
}

fn browser_click(input: &Value, button: ComputerButton, times: u8) -> Meaning {
    let at = target(&input["target"])?;
    Ok(ComputerAction::Click { at, button, times, modifiers: modifiers(&input["modifiers"])? })
}

fn computer_click(input: &Value, button: ComputerButton, times: u8) -> Meaning {
    let at = or_pointer(&input["coordinate"])?;
    Ok(ComputerAction::Click { at, button, times, modifiers: modifiers(&input["text"])? })
}

fn drag(input: &Value) -> Meaning {
    // The oldest form has no start: the pointer is there already.
    let start = or_pointer(&input["start_coordinate"])?;
    let path = vec![start, coordinate(&input["coordinate"])?];
    Ok(ComputerAction::Drag { path, modifiers: modifiers(&input["text"])? })
}

fn scroll(input: &Value, at: PointerTarget, usual: f64, modifiers: Chord) -> Meaning {
    let amount = input["scroll_amount"].as_f64().unwrap_or(usual);
    let direction = text(input, "scroll_direction")?;
    let (x, y) = ScrollBy::axes(&direction, amount).ok_or_else(|| format!("no direction `{direction}`"))?;
    Ok(ComputerAction::Scroll { at, by: ScrollBy::Notches { x, y }, modifiers })
}

fn target(value: &Value) -> Result<PointerTarget, String> {
    match value["type"].as_str() {
        Some("ref") => text(value, "ref").map(PointerTarget::Ref),
        Some("coordinate") => match (value["x"].as_i64(), value["y"].as_i64()) {
            (Some(x), Some(y)) => Ok(PointerTarget::Pixel { x, y }),
            _ => Err("expected whole numbers `x` and `y`".to_string()),
        },
        _ => Err("expected a `target` with a ref or a coordinate".to_string()),
    }
}

fn coordinate(value: &Value) -> Result<PointerTarget, String> {
    match numbers(value).as_deref() {
        Some([x, y]) => Ok(PointerTarget::Pixel { x: *x, y: *y }),
        _ => Err("expected a `coordinate` of two numbers".to_string()),
    }
}

fn or_pointer(value: &Value) -> Result<PointerTarget, String> {
    if value.is_null() { Ok(PointerTarget::Pointer) } else { coordinate(value) }
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
