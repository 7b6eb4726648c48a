//! What a model may answer, read strictly: what is not understood is told to it and not guessed.

use assay_protocol::{Action, MouseButton, RawInput, RawPlace, ScrollTo, Selector, ViewPoint};
use assay_provider::answer::FunctionCall;
use assay_runner::StepTask;

use crate::tool::named;
use crate::vision::{SHARED, SharedTool, number, shared, text};

pub(crate) const PICK: &str = "pick";
pub(crate) const TYPE_VALUE: &str = "type_value";
pub(crate) const TYPE_WORDS: &str = "type_words";
pub(crate) const PRESS: &str = "press";
pub(crate) const SCROLL: &str = "scroll";
pub(crate) const LOOK: &str = "look";

const SCROLLED: f64 = 500.0;

/// Where `scroll` goes.
pub(crate) const SCROLLS: &[(&str, Action)] = &[
    ("up", Action::Scroll { to: ScrollTo::By { x: 0.0, y: -SCROLLED, over: None } }),
    ("down", Action::Scroll { to: ScrollTo::By { x: 0.0, y: SCROLLED, over: None } }),
];

/// What `pick` does to a number.
pub(crate) const POINTED_ACTIONS: &[(&str, PointedAction)] = &[
    ("click", PointedAction::Click),
    ("double_click", PointedAction::DoubleClick),
    ("right_click", PointedAction::RightClick),
    ("hover", PointedAction::Hover),
];

/// One answer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum GridMove {
    Pick {
        number: u32,
        planned: PointedAction,
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
    Shared(SharedTool),
}

/// What is done to what was pointed at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PointedAction {
    Click,
    DoubleClick,
    RightClick,
    Hover,
}

impl PointedAction {
    pub fn on(self, target: Selector) -> Action {
        let click = |target, button| Action::Click { target, button, modifiers: Vec::new() };
        match self {
            PointedAction::Click => click(target, MouseButton::Left),
            PointedAction::RightClick => click(target, MouseButton::Right),
            PointedAction::DoubleClick => Action::Dblclick { target },
            PointedAction::Hover => Action::Hover { target },
        }
    }

    pub fn at(self, at: ViewPoint) -> Action {
        let click = |button, times| RawInput::Click { at, button, times, modifiers: Vec::new() };
        let input = match self {
            PointedAction::Click => click(MouseButton::Left, 1),
            PointedAction::RightClick => click(MouseButton::Right, 1),
            PointedAction::DoubleClick => click(MouseButton::Left, 2),
            PointedAction::Hover => RawInput::Move { at },
        };
        Action::Raw { input, place: RawPlace::default() }
    }
}

pub(crate) fn read(call: &FunctionCall, task: &StepTask) -> Result<GridMove, String> {
    let typed = |text: String| Action::Raw { input: RawInput::Type { text }, place: RawPlace::default() };
    let act = |action: Action| Ok(GridMove::Act { action, why: text(&call.input, "why")? });
    match call.name.as_str() {
        PICK => {
            let word = text(&call.input, "do")?;
            let planned = named(POINTED_ACTIONS, &word)
                .ok_or_else(|| format!("`{word}` is nothing that can be done to a number"))?;
            Ok(GridMove::Pick {
                number: number(&call.input, "number")?,
                planned: *planned,
                why: text(&call.input, "why")?,
            })
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
            let to = text(&call.input, "to")?;
            act(named(SCROLLS, &to).ok_or_else(|| format!("cannot scroll to `{to}`"))?.clone())
        }
        LOOK => match text(&call.input, "numbers")?.as_str() {
            "elements" => Ok(GridMove::Look { elements: true }),
            "grid" => Ok(GridMove::Look { elements: false }),
            other => Err(format!("there are no numbers on `{other}`")),
        },
        name if SHARED.contains(&name) => shared(call).map(GridMove::Shared),
        other => Err(format!("there is no tool `{other}`")),
    }
}

#[cfg(test)]
mod tests {
    use assay_protocol::actions::PilotUse;

    use super::*;

    #[test]
    fn every_word_stands_for_an_action_that_pilots_may_do() {
        let target = Selector::parse("e1").unwrap();
        for (word, pointed) in POINTED_ACTIONS {
            let (on, at) = (pointed.on(target.clone()), pointed.at(ViewPoint { x: 1.0, y: 1.0 }));
            assert_ne!(on.entry().pilots, PilotUse::Never, "{word}");
            assert_ne!(at.entry().pilots, PilotUse::Never, "{word}");
        }
        for (word, action) in SCROLLS {
            assert_ne!(action.entry().pilots, PilotUse::Never, "{word}");
        }
    }
}
