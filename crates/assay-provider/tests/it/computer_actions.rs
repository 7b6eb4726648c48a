//! What models ask for on a screen, in every word of every provider.

use std::collections::BTreeSet;

use assay_provider::answer::{ComputerAction, ComputerCall};
use assay_provider::conversation::{ComputerTool, Environment, Question, Tool};
use assay_provider::formats::{Anthropic, AnthropicVersion, Format, Gemini, Responses, State};
use assay_testkit::models::{member_problems, members};
use serde_json::{Value, json};

fn read(format: &dyn Format, body: Value) -> ComputerCall {
    let mut question = Question::new("", 100);
    let environment = Environment::Browser;
    let tool = ComputerTool::Gemini { environment, excluded: Vec::new(), detects_injection: false };
    question.tools.push(Tool::Computer(tool));
    format.read(body, &question).unwrap().computer_calls().next().unwrap().clone()
}

/// The one act of a call, without the words that all of them share.
fn told(call: &ComputerCall) -> String {
    let [action] = call.actions.as_slice() else { panic!("{call:?}") };
    let text = format!("{action:?}");
    text.replace(", modifiers: Chord([])", "").replace("Pixel ", "").replace("Chord(", "(")
}

fn anthropic(toolset: &str, member: &str, input: &Value) -> String {
    let block =
        json!({"type": "tool_use", "id": "t", "name": member, "toolset_name": toolset, "input": input});
    let body = json!({"content": [block], "stop_reason": "tool_use"});
    told(&read(&Anthropic { version: AnthropicVersion::V20261021 }, body))
}

/// Checks every member of a toolset, and that it is every one.
fn check_toolset(toolset: &str, table: &[(&str, Value, &str)]) {
    let mut seen = BTreeSet::new();
    for (member, input, expected) in table {
        assert_eq!(member_problems(toolset, member, input), Vec::<String>::new(), "{member}");
        assert_eq!(anthropic(toolset, member, input), *expected, "{member}");
        seen.insert(*member);
    }
    assert_eq!(seen, members(toolset).into_iter().collect::<BTreeSet<_>>());
}

#[test]
fn every_member_of_the_browser_toolset() {
    let at = json!({"type": "coordinate", "x": 3, "y": 4});
    let element = json!({"type": "ref", "ref": "ref_7"});
    check_toolset(
        "browser",
        &[
            ("navigate", json!({"url": "http://a/"}), "Navigate(To(\"http://a/\"))"),
            ("navigate", json!({"url": "back"}), "Navigate(Back)"),
            ("navigate", json!({"url": "reload"}), "Navigate(Reload)"),
            ("list_tabs", json!({}), "Tab(List)"),
            ("new_tab", json!({}), "Tab(New)"),
            ("switch_tab", json!({"tab_id": "t1"}), "Tab(Switch(\"t1\"))"),
            ("close_tab", json!({"tab_id": "t1"}), "Tab(Close(\"t1\"))"),
            (
                "read_page",
                json!({"filter": "all", "depth": 3, "ref": "ref_7"}),
                "Read(Elements { interactive_only: false, depth: 3, below: Some(\"ref_7\") })",
            ),
            ("find", json!({"query": "log in"}), "Read(Find { query: \"log in\" })"),
            ("get_page_text", json!({}), "Read(Text)"),
            ("read_console", json!({}), "Read(Console)"),
            ("read_network", json!({}), "Read(Network)"),
            (
                "left_click",
                json!({"target": at, "modifiers": "ctrl+shift"}),
                "Click { at: { x: 3, y: 4 }, button: Left, times: 1, modifiers: ([\"Control\", \"Shift\"]) }",
            ),
            (
                "right_click",
                json!({"target": element}),
                "Click { at: Ref(\"ref_7\"), button: Right, times: 1 }",
            ),
            ("middle_click", json!({"target": at}), "Click { at: { x: 3, y: 4 }, button: Middle, times: 1 }"),
            ("double_click", json!({"target": at}), "Click { at: { x: 3, y: 4 }, button: Left, times: 2 }"),
            ("triple_click", json!({"target": at}), "Click { at: { x: 3, y: 4 }, button: Left, times: 3 }"),
            ("hover", json!({"target": element}), "Move { to: Ref(\"ref_7\") }"),
            ("mouse_move", json!({"target": at}), "Move { to: { x: 3, y: 4 } }"),
            (
                "left_click_drag",
                json!({"from": at, "target": {"type": "coordinate", "x": 9, "y": 8}}),
                "Drag { path: [{ x: 3, y: 4 }, { x: 9, y: 8 }] }",
            ),
            ("left_mouse_down", json!({"target": at}), "PointerDown { at: { x: 3, y: 4 } }"),
            ("left_mouse_up", json!({"target": at}), "PointerUp { at: { x: 3, y: 4 } }"),
            (
                "scroll",
                json!({"target": at, "scroll_direction": "up"}),
                "Scroll { at: { x: 3, y: 4 }, by: Notches { x: 0.0, y: -3.0 } }",
            ),
            ("scroll_to", json!({"target": element}), "ScrollTo { target: Ref(\"ref_7\") }"),
            (
                "form_input",
                json!({"target": element, "value": true}),
                "SetValue { target: Ref(\"ref_7\"), value: Bool(true) }",
            ),
            (
                "file_upload",
                json!({"target": element, "paths": ["/a"]}),
                "Upload { target: Ref(\"ref_7\"), paths: [\"/a\"] }",
            ),
            (
                "type",
                json!({"text": "Ada"}),
                "Type { text: \"Ada\", at: None, clears_first: false, presses_enter: false }",
            ),
            (
                "key",
                json!({"text": "ctrl+a Delete", "repeat": 2}),
                "Keypress { chords: [([\"Control\", \"a\"]), ([\"Delete\"])], times: 2 }",
            ),
            ("hold_key", json!({"text": "a", "duration": 1.5}), "HoldKeys { keys: ([\"a\"]), length: 1.5s }"),
            ("wait", json!({"duration": 2}), "Wait { length: Some(2s) }"),
            ("screenshot", json!({}), "Screenshot"),
            ("zoom", json!({"region": [1, 2, 3, 4]}), "Zoom { left: 1, top: 2, right: 3, bottom: 4 }"),
            ("javascript_exec", json!({"text": "1 + 1"}), "RunScript { text: \"1 + 1\" }"),
        ],
    );
}

#[test]
fn every_member_of_the_computer_toolset() {
    let at = json!([3, 4]);
    check_toolset(
        "computer",
        &[
            ("key", json!({"text": "Return"}), "Keypress { chords: [([\"Enter\"])], times: 1 }"),
            (
                "hold_key",
                json!({"text": "shift", "duration": 1}),
                "HoldKeys { keys: ([\"Shift\"]), length: 1s }",
            ),
            (
                "type",
                json!({"text": "Ada"}),
                "Type { text: \"Ada\", at: None, clears_first: false, presses_enter: false }",
            ),
            ("cursor_position", json!({}), "PointerPosition"),
            ("mouse_move", json!({"coordinate": at}), "Move { to: { x: 3, y: 4 } }"),
            ("left_mouse_down", json!({}), "PointerDown { at: Pointer }"),
            ("left_mouse_up", json!({}), "PointerUp { at: Pointer }"),
            ("left_click", json!({}), "Click { at: Pointer, button: Left, times: 1 }"),
            (
                "left_click_drag",
                json!({"start_coordinate": at, "coordinate": [9, 8]}),
                "Drag { path: [{ x: 3, y: 4 }, { x: 9, y: 8 }] }",
            ),
            (
                "right_click",
                json!({"coordinate": at, "text": "ctrl"}),
                "Click { at: { x: 3, y: 4 }, button: Right, times: 1, modifiers: ([\"Control\"]) }",
            ),
            (
                "middle_click",
                json!({"coordinate": at}),
                "Click { at: { x: 3, y: 4 }, button: Middle, times: 1 }",
            ),
            (
                "double_click",
                json!({"coordinate": at}),
                "Click { at: { x: 3, y: 4 }, button: Left, times: 2 }",
            ),
            (
                "triple_click",
                json!({"coordinate": at}),
                "Click { at: { x: 3, y: 4 }, button: Left, times: 3 }",
            ),
            (
                "scroll",
                json!({"coordinate": at, "scroll_direction": "right", "scroll_amount": 5}),
                "Scroll { at: { x: 3, y: 4 }, by: Notches { x: 5.0, y: 0.0 } }",
            ),
            ("wait", json!({"duration": 1}), "Wait { length: Some(1s) }"),
            ("screenshot", json!({}), "Screenshot"),
            ("zoom", json!({"region": [1, 2, 3, 4]}), "Zoom { left: 1, top: 2, right: 3, bottom: 4 }"),
        ],
    );
}

#[test]
fn every_action_of_openai() {
    for (action, expected) in [
        (
            json!({"type": "click", "button": "back", "x": 3, "y": 4}),
            "Click { at: { x: 3, y: 4 }, button: Back, times: 1 }",
        ),
        (
            json!({"type": "click", "button": "forward", "x": 3, "y": 4, "keys": null}),
            "Click { at: { x: 3, y: 4 }, button: Forward, times: 1 }",
        ),
        (
            json!({"type": "double_click", "x": 3, "y": 4, "keys": ["SHIFT"]}),
            "Click { at: { x: 3, y: 4 }, button: Left, times: 2, modifiers: ([\"Shift\"]) }",
        ),
        (
            json!({"type": "drag", "path": [{"x": 1, "y": 2}, {"x": 3, "y": 4}, {"x": 5, "y": 6}]}),
            "Drag { path: [{ x: 1, y: 2 }, { x: 3, y: 4 }, { x: 5, y: 6 }] }",
        ),
        (
            json!({"type": "keypress", "keys": ["CTRL", "a"]}),
            "Keypress { chords: [([\"Control\", \"a\"])], times: 1 }",
        ),
        (json!({"type": "move", "x": 3, "y": 4}), "Move { to: { x: 3, y: 4 } }"),
        (json!({"type": "screenshot"}), "Screenshot"),
        (
            json!({"type": "scroll", "x": 3, "y": 4, "scroll_x": 0, "scroll_y": -120}),
            "Scroll { at: { x: 3, y: 4 }, by: Pixels { x: 0.0, y: -120.0 } }",
        ),
        (
            json!({"type": "type", "text": "a\nb"}),
            "Type { text: \"a\\nb\", at: None, clears_first: false, presses_enter: false }",
        ),
        (json!({"type": "wait"}), "Wait { length: None }"),
    ] {
        for shape in [json!({"actions": [action]}), json!({"action": action})] {
            let mut item = json!({"type": "computer_call", "call_id": "c"});
            for (name, value) in shape.as_object().unwrap() {
                item[name] = value.clone();
            }
            let body = json!({"status": "completed", "output": [item]});
            assert_eq!(told(&read(&Responses { state: State::Ours }, body)), expected);
        }
    }
}

#[test]
fn every_function_of_gemini_in_both_sets() {
    let at = json!({"x": 500, "y": 250});
    let with = |more: Value| {
        let mut args = at.clone();
        for (name, value) in more.as_object().unwrap() {
            args[name] = value.clone();
        }
        args
    };
    let place = "Thousandth { x: 500.0, y: 250.0 }";
    for (name, args, expected) in [
        ("click", at.clone(), format!("Click {{ at: {place}, button: Left, times: 1 }}")),
        ("click_at", at.clone(), format!("Click {{ at: {place}, button: Left, times: 1 }}")),
        ("double_click", at.clone(), format!("Click {{ at: {place}, button: Left, times: 2 }}")),
        ("triple_click", at.clone(), format!("Click {{ at: {place}, button: Left, times: 3 }}")),
        ("middle_click", at.clone(), format!("Click {{ at: {place}, button: Middle, times: 1 }}")),
        ("right_click", at.clone(), format!("Click {{ at: {place}, button: Right, times: 1 }}")),
        ("move", at.clone(), format!("Move {{ to: {place} }}")),
        ("hover_at", at.clone(), format!("Move {{ to: {place} }}")),
        ("mouse_down", at.clone(), format!("PointerDown {{ at: {place} }}")),
        ("mouse_up", at.clone(), format!("PointerUp {{ at: {place} }}")),
        (
            "type",
            json!({"text": "Ada", "press_enter": true}),
            "Type { text: \"Ada\", at: None, clears_first: false, presses_enter: true }".into(),
        ),
        (
            "type_text_at",
            with(json!({"text": "Ada", "clear_before_typing": false})),
            format!("Type {{ text: \"Ada\", at: Some({place}), clears_first: false, presses_enter: false }}"),
        ),
        ("press_key", json!({"key": "enter"}), "Keypress { chords: [([\"Enter\"])], times: 1 }".into()),
        ("key_down", json!({"key": "shift"}), "KeyDown { key: ([\"Shift\"]) }".into()),
        ("key_up", json!({"key": "shift"}), "KeyUp { key: ([\"Shift\"]) }".into()),
        (
            "hotkey",
            json!({"keys": ["ctrl", "a"]}),
            "Keypress { chords: [([\"Control\", \"a\"])], times: 1 }".into(),
        ),
        (
            "key_combination",
            json!({"keys": "ctrl+a"}),
            "Keypress { chords: [([\"Control\", \"a\"])], times: 1 }".into(),
        ),
        (
            "scroll",
            with(json!({"direction": "down"})),
            format!("Scroll {{ at: {place}, by: Thousandths {{ x: 0.0, y: 800.0 }} }}"),
        ),
        (
            "scroll_at",
            with(json!({"direction": "left", "magnitude": 100})),
            format!("Scroll {{ at: {place}, by: Thousandths {{ x: -100.0, y: 0.0 }} }}"),
        ),
        (
            "scroll_document",
            json!({"direction": "down"}),
            "Scroll { at: Pointer, by: Pages { x: 0.0, y: 1.0 } }".into(),
        ),
        (
            "drag_and_drop",
            with(json!({"destination_x": 1, "destination_y": 2})),
            format!("Drag {{ path: [{place}, Thousandth {{ x: 1.0, y: 2.0 }}] }}"),
        ),
        ("navigate", json!({"url": "http://a/"}), "Navigate(To(\"http://a/\"))".into()),
        ("go_back", json!({}), "Navigate(Back)".into()),
        ("go_forward", json!({}), "Navigate(Forward)".into()),
        ("search", json!({}), "Navigate(Search)".into()),
        ("wait", json!({"seconds": 2}), "Wait { length: Some(2s) }".into()),
        ("wait_5_seconds", json!({}), "Wait { length: Some(5s) }".into()),
        ("take_screenshot", json!({}), "Screenshot".into()),
        ("open_web_browser", json!({}), "Screenshot".into()),
    ] {
        let parts = json!([{"functionCall": {"id": "f", "name": name, "args": args}}]);
        let body = json!({"candidates": [{"content": {"parts": parts}, "finishReason": "STOP"}]});
        assert_eq!(told(&read(&Gemini, body)), expected, "{name}");
    }
}

#[test]
fn what_is_not_understood_is_not_guessed() {
    for (toolset, member, input) in [
        ("browser", "teleport", json!({})),
        ("browser", "left_click", json!({"target": {"type": "coordinate", "x": 1.5, "y": 2}})),
        ("browser", "key", json!({"text": "ctrl+hyper"})),
        ("computer", "scroll", json!({"scroll_direction": "inwards", "scroll_amount": 1})),
        ("computer", "zoom", json!({"region": [1, 2, 3]})),
        ("hologram", "left_click", json!({})),
    ] {
        let block =
            json!({"type": "tool_use", "id": "t", "name": member, "toolset_name": toolset, "input": input});
        let body = json!({"content": [block], "stop_reason": "tool_use"});
        let call = read(&Anthropic { version: AnthropicVersion::V20261021 }, body);
        let [ComputerAction::Unknown { raw, why }] = call.actions.as_slice() else { panic!("{call:?}") };
        assert_eq!(raw, &input);
        assert!(!why.is_empty());
    }
}
