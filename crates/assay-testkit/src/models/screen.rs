//! Models that see: acts on a screen, written as the computer tool of each provider writes them. A script knows where
//! things are, as a model would by the picture.

use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::{Value, json};

use super::{Api, Turn};

/// What a model wants done, in pixels of the picture.
#[derive(Debug, Clone, PartialEq)]
pub enum ScreenAct {
    Click(i64, i64),
    DoubleClick(i64, i64),
    Type(&'static str),
    /// Keys pressed together: `["ctrl", "v"]`.
    Keys(&'static [&'static str]),
    /// Down by so many pixels, at a point. Providers that count otherwise are given about as much.
    Scroll(i64, i64, i64),
    Screenshot,
}

/// The dialect of a computer tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScreenTool {
    OpenAi,
    /// One act a call.
    OpenAiLegacy,
    Anthropic,
    /// Thousandths of a picture of this size.
    Gemini {
        width: u32,
        height: u32,
    },
}

static CALLS: AtomicU32 = AtomicU32::new(0);

impl ScreenTool {
    pub fn api(self) -> Api {
        match self {
            ScreenTool::OpenAi | ScreenTool::OpenAiLegacy => Api::Responses,
            ScreenTool::Anthropic => Api::Anthropic,
            ScreenTool::Gemini { .. } => Api::Gemini,
        }
    }

    /// The turns in which a model does all this: as few as its tool allows.
    pub fn turns(self, acts: &[ScreenAct]) -> Vec<Turn> {
        match self {
            ScreenTool::OpenAi => vec![self.turn(acts, &[])],
            ScreenTool::OpenAiLegacy => {
                acts.iter().map(|act| self.turn(std::slice::from_ref(act), &[])).collect()
            }
            ScreenTool::Anthropic | ScreenTool::Gemini { .. } => vec![self.turn(acts, &[])],
        }
    }

    /// One turn. `checks` are codes of safety checks that are pending; Anthropic has none.
    pub fn turn(self, acts: &[ScreenAct], checks: &[&str]) -> Turn {
        let number = CALLS.fetch_add(1, Ordering::Relaxed);
        match self {
            ScreenTool::OpenAi | ScreenTool::OpenAiLegacy => {
                let pending: Vec<Value> = checks
                    .iter()
                    .map(|code| json!({"id": format!("cu_sc_{number}_{code}"), "code": code, "message": "Is this meant?"}))
                    .collect();
                let mut call = json!({
                    "type": "computer_call",
                    "id": format!("cu_{number}"),
                    "call_id": format!("call_cu_{number}"),
                    "status": "completed",
                    "pending_safety_checks": pending,
                });
                let mut written: Vec<Value> = acts.iter().map(openai).collect();
                if self == ScreenTool::OpenAi {
                    call["actions"] = Value::Array(written);
                } else {
                    call["action"] = written.pop().unwrap_or_default();
                }
                Turn::native(call)
            }
            ScreenTool::Anthropic => {
                acts.iter().enumerate().fold(Turn::default(), |turn, (index, act)| {
                    let (name, input) = anthropic(act);
                    turn.and_native(json!({
                        "type": "tool_use",
                        "id": format!("toolu_screen_{number}_{index}"),
                        "name": name,
                        "input": input,
                        "toolset_name": "computer",
                    }))
                })
            }
            ScreenTool::Gemini { width, height } => {
                acts.iter().enumerate().fold(Turn::default(), |turn, (index, act)| {
                    let (name, mut args) = gemini(act, width, height);
                    if let Some(code) = checks.first() {
                        args["safety_decision"] = json!({"decision": code, "explanation": "Is this meant?"});
                    }
                    turn.and_native(json!({
                        "functionCall": {"id": format!("fc_screen_{number}_{index}"), "name": name, "args": args},
                        "thoughtSignature": "CkQBVKhc",
                    }))
                })
            }
        }
    }
}

fn openai(act: &ScreenAct) -> Value {
    match act {
        ScreenAct::Click(x, y) => json!({"type": "click", "button": "left", "x": x, "y": y}),
        ScreenAct::DoubleClick(x, y) => json!({"type": "double_click", "x": x, "y": y, "keys": null}),
        ScreenAct::Type(text) => json!({"type": "type", "text": text}),
        ScreenAct::Keys(keys) => json!({"type": "keypress", "keys": keys}),
        ScreenAct::Scroll(x, y, by) => {
            json!({"type": "scroll", "x": x, "y": y, "scroll_x": 0, "scroll_y": by})
        }
        ScreenAct::Screenshot => json!({"type": "screenshot"}),
    }
}

fn anthropic(act: &ScreenAct) -> (&'static str, Value) {
    match act {
        ScreenAct::Click(x, y) => ("left_click", json!({"coordinate": [x, y]})),
        ScreenAct::DoubleClick(x, y) => ("double_click", json!({"coordinate": [x, y]})),
        ScreenAct::Type(text) => ("type", json!({"text": text})),
        ScreenAct::Keys(keys) => ("key", json!({"text": keys.join("+")})),
        ScreenAct::Scroll(x, y, by) => (
            "scroll",
            json!({"coordinate": [x, y], "scroll_direction": "down", "scroll_amount": (by / 100).max(1)}),
        ),
        ScreenAct::Screenshot => ("screenshot", json!({})),
    }
}

fn gemini(act: &ScreenAct, width: u32, height: u32) -> (&'static str, Value) {
    let x = |pixel: &i64| *pixel as f64 * 1000.0 / f64::from(width);
    let y = |pixel: &i64| *pixel as f64 * 1000.0 / f64::from(height);
    match act {
        ScreenAct::Click(left, top) => {
            ("click", json!({"x": x(left), "y": y(top), "intent": "It is there."}))
        }
        ScreenAct::DoubleClick(left, top) => ("double_click", json!({"x": x(left), "y": y(top)})),
        ScreenAct::Type(text) => ("type", json!({"text": text})),
        ScreenAct::Keys(keys) => ("hotkey", json!({"keys": keys})),
        ScreenAct::Scroll(left, top, by) => {
            ("scroll", json!({"x": x(left), "y": y(top), "direction": "down", "magnitude": y(by)}))
        }
        ScreenAct::Screenshot => ("take_screenshot", json!({})),
    }
}
