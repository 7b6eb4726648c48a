//! The handful of tools that a model has. There is none that types text of its own.

use assay_provider::conversation::Tool;
use serde_json::json;

use crate::tool::tool;

pub(crate) const ACT: &str = "act";
pub(crate) const ENTER_VALUE: &str = "enter_value";
pub(crate) const ENTER_WORDS: &str = "enter_words";
pub(crate) const CHOOSE: &str = "choose";
pub(crate) const PRESS: &str = "press";
pub(crate) const SCROLL: &str = "scroll";
pub(crate) const HISTORY: &str = "history";
pub(crate) const DIALOG: &str = "dialog";
pub(crate) const TAB: &str = "tab";
pub(crate) const LOOK: &str = "look";
pub(crate) const DONE: &str = "done";
pub(crate) const GIVE_UP: &str = "give_up";

/// All of them, the same for every step: what does not change is cached.
pub(crate) fn tools() -> Vec<Tool> {
    let reference =
        json!({"type": "string", "description": "The ref of an element, as the page lists it: e12."});
    let why = json!({"type": "string", "description": "Why, in a few words."});
    vec![
        tool(
            ACT,
            "Does one thing to one element.",
            json!({
                "verb": {"type": "string", "enum": [
                    "click", "double_click", "right_click", "hover", "focus", "check", "uncheck", "clear", "scroll_to",
                ]},
                "ref": reference,
                "why": why,
            }),
        ),
        tool(
            ENTER_VALUE,
            "Replaces what a field holds by one of the values that the test names.",
            json!({
                "ref": reference,
                "value": {"type": "integer", "description": "The number of the value."},
                "why": why,
            }),
        ),
        tool(
            ENTER_WORDS,
            "Replaces what a field holds by words of the step. They must stand in the step letter for letter.",
            json!({"ref": reference, "words": {"type": "string"}, "why": why}),
        ),
        tool(
            CHOOSE,
            "Chooses an option of a list, by the text that the page lists for it.",
            json!({"ref": reference, "option": {"type": "string"}, "why": why}),
        ),
        tool(
            PRESS,
            "Presses keys one after the other: Enter, Tab, Escape, ArrowDown, … No text can be typed so.",
            json!({
                "keys": {"type": "array", "items": {"type": "string"}},
                "ref": {"type": "string", "description": "The element to press them on; empty for what has the focus."},
                "why": why,
            }),
        ),
        tool(
            SCROLL,
            "Scrolls the page.",
            json!({"to": {"type": "string", "enum": ["up", "down", "top", "bottom"]}, "why": why}),
        ),
        tool(
            HISTORY,
            "Goes back or forward, or loads the page again.",
            json!({"to": {"type": "string", "enum": ["back", "forward", "reload"]}, "why": why}),
        ),
        tool(
            DIALOG,
            "Answers the open dialog of the browser.",
            json!({"answer": {"type": "string", "enum": ["accept", "dismiss"]}, "why": why}),
        ),
        tool(TAB, "Goes on in another tab.", json!({"tab": {"type": "string"}, "why": why})),
        tool(LOOK, "Shows the page again, when it may have changed by itself.", json!({})),
        tool(
            DONE,
            "Ends the step: all that it says was done, by you, and the page shows it.",
            json!({
                "evidence": {"type": "string", "description": "The ref of an element, or words on the page, that show it."},
                "message": {"type": "string", "description": "What was done, in one sentence."},
            }),
        ),
        tool(
            GIVE_UP,
            "Ends the step undone: it is not clear what it means here, or it cannot be done.",
            json!({
                "reason": {"type": "string"},
                "candidates": {
                    "type": "array",
                    "items": {"type": "string"},
                    "description": "Refs of what could be meant; empty when nothing could.",
                },
            }),
        ),
    ]
}
