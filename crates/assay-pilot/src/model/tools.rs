//! The handful of tools that a model has. There is none that types text of its own.

use assay_protocol::{Action, MouseButton, ScrollTo, Selector};
use assay_provider::conversation::Tool;
use serde_json::json;

use crate::tool::{DIALOG_ANSWERS, tool, words};

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

type ActOnElement = fn(Selector) -> Action;

/// What `act` does to an element: the word that a model says, and the action.
pub(crate) const ELEMENT_ACTS: &[(&str, ActOnElement)] = &[
    ("click", |target| Action::Click { target, button: MouseButton::Left, modifiers: Vec::new() }),
    ("double_click", |target| Action::Dblclick { target }),
    ("right_click", |target| Action::Click { target, button: MouseButton::Right, modifiers: Vec::new() }),
    ("hover", |target| Action::Hover { target }),
    ("focus", |target| Action::Focus { target }),
    ("check", |target| Action::Check { target }),
    ("uncheck", |target| Action::Uncheck { target }),
    ("clear", |target| Action::Clear { target }),
    ("scroll_to", |target| Action::Scroll { to: ScrollTo::Element { target } }),
];

/// Where `scroll` goes.
pub(crate) const SCROLLS: &[(&str, Action)] = &[
    ("up", Action::Scroll { to: ScrollTo::By { x: 0.0, y: -SCROLLED, over: None } }),
    ("down", Action::Scroll { to: ScrollTo::By { x: 0.0, y: SCROLLED, over: None } }),
    ("top", Action::Scroll { to: ScrollTo::Top }),
    ("bottom", Action::Scroll { to: ScrollTo::Bottom }),
];

const SCROLLED: f64 = 500.0;

/// Where `history` goes.
pub(crate) const HISTORY_MOVES: &[(&str, Action)] =
    &[("back", Action::Back), ("forward", Action::Forward), ("reload", Action::Reload)];

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
                "verb": {"type": "string", "enum": words(ELEMENT_ACTS)},
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
            json!({"to": {"type": "string", "enum": words(SCROLLS)}, "why": why}),
        ),
        tool(
            HISTORY,
            "Goes back or forward, or loads the page again.",
            json!({"to": {"type": "string", "enum": words(HISTORY_MOVES)}, "why": why}),
        ),
        tool(
            DIALOG,
            "Answers the open dialog of the browser.",
            json!({"answer": {"type": "string", "enum": words(DIALOG_ANSWERS)}, "why": why}),
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

#[cfg(test)]
mod tests {
    use assay_protocol::actions::PilotUse;

    use super::*;

    #[test]
    fn every_word_stands_for_an_action_that_pilots_may_do() {
        let target = Selector::parse("e1").unwrap();
        let acts = ELEMENT_ACTS.iter().map(|(word, act)| (*word, act(target.clone())));
        let fixed = [SCROLLS, HISTORY_MOVES, DIALOG_ANSWERS].into_iter().flatten();
        for (word, action) in acts.chain(fixed.cloned()) {
            assert_ne!(action.entry().pilots, PilotUse::Never, "{word}");
        }
    }
}
