//! What a model may answer, read strictly: what is not understood is told to it and not guessed.

use assay_protocol::{Action, MouseButton, RawInput, RawPlace, ScrollTo, Selector, ViewPoint};
use assay_provider::answer::FunctionCall;
use assay_runner::StepTask;

use crate::eyes::{SHARED, Shared, number, shared, text};

pub(crate) const PICK: &str = "pick";
pub(crate) const TYPE_VALUE: &str = "type_value";
pub(crate) const TYPE_WORDS: &str = "type_words";
pub(crate) const PRESS: &str = "press";
pub(crate) const SCROLL: &str = "scroll";
pub(crate) const LOOK: &str = "look";

const SCROLLED: f64 = 500.0;

/// One answer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Move {
    Pick {
        number: u32,
        deed: Deed,
        why: String,
    },
    Act {
        action: Action,
        why: String,
    },
    /// Show the whole page again.
    Look {
        elements: bool,
    },
    Shared(Shared),
}

/// What is done to what was pointed at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Deed {
    Click,
    DoubleClick,
    RightClick,
    Hover,
}

impl Deed {
    pub fn on(self, target: Selector) -> Action {
        let click = |target, button| Action::Click { target, button, modifiers: Vec::new() };
        match self {
            Deed::Click => click(target, MouseButton::Left),
            Deed::RightClick => click(target, MouseButton::Right),
            Deed::DoubleClick => Action::Dblclick { target },
            Deed::Hover => Action::Hover { target },
        }
    }

    pub fn at(self, at: ViewPoint) -> Action {
        let click = |button, times| RawInput::Click { at, button, times, modifiers: Vec::new() };
        let input = match self {
            Deed::Click => click(MouseButton::Left, 1),
            Deed::RightClick => click(MouseButton::Right, 1),
            Deed::DoubleClick => click(MouseButton::Left, 2),
            Deed::Hover => RawInput::Move { at },
        };
        Action::Raw { input, place: RawPlace::default() }
    }
}

pub(crate) fn read(call: &FunctionCall, task: &StepTask) -> Result<Move, String> {
    let typed = |text: String| Action::Raw { input: RawInput::Type { text }, place: RawPlace::default() };
    let act = |action: Action| Ok(Move::Act { action, why: text(&call.input, "why")? });
    match call.name.as_str() {
        PICK => {
            let deed = match text(&call.input, "do")?.as_str() {
                "click" => Deed::Click,
                "double_click" => Deed::DoubleClick,
                "right_click" => Deed::RightClick,
                "hover" => Deed::Hover,
                other => return Err(format!("`{other}` is nothing that can be done to a number")),
            };
            Ok(Move::Pick { number: number(&call.input, "number")?, deed, why: text(&call.input, "why")? })
        }
        TYPE_VALUE => {
            let wanted = number(&call.input, "value")?;
            let value = task.values.iter().find(|value| value.number as u64 == u64::from(wanted));
            let value = value.ok_or_else(|| format!("the test names no value with the number {wanted}"))?;
            act(typed(value.reference()))
        }
        TYPE_WORDS => act(typed(text(&call.input, "words")?)),
        PRESS => act(Action::Press { keys: vec![text(&call.input, "key")?], target: None }),
        SCROLL => {
            let y = match text(&call.input, "to")?.as_str() {
                "up" => -SCROLLED,
                "down" => SCROLLED,
                other => return Err(format!("cannot scroll to `{other}`")),
            };
            act(Action::Scroll { to: ScrollTo::By { x: 0.0, y, over: None } })
        }
        LOOK => match text(&call.input, "numbers")?.as_str() {
            "elements" => Ok(Move::Look { elements: true }),
            "grid" => Ok(Move::Look { elements: false }),
            other => Err(format!("there are no numbers on `{other}`")),
        },
        name if SHARED.contains(&name) => shared(call).map(Move::Shared),
        other => Err(format!("there is no tool `{other}`")),
    }
}
