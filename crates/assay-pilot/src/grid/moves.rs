//! What a model may answer, read strictly: what is not understood is told to it and not guessed.

use assay_protocol::Action;
use assay_protocol::actions::{ModelInput, ModelTool, Pointed, model_tools};
use assay_provider::answer::FunctionCall;
use assay_runner::StepTask;
use serde_json::Map;

use crate::tool::{WHY, called, fields, input, value_of};
use crate::vision::{SharedTool, shared_of};

/// Points at a number of the picture.
pub(crate) const PICK: &ModelTool = &model_tools::PICK;
/// Those that act on what has the focus, or on the page.
pub(crate) static ACTING: [&ModelTool; 4] =
    [&model_tools::TYPE_VALUE, &model_tools::TYPE_WORDS, &model_tools::PRESS_KEY, &model_tools::SCROLL_VIEW];
pub(crate) const LOOK: &str = "look";

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

/// What is done to what was pointed at, by its word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PointedAction(&'static str);

impl PointedAction {
    /// The action on what a number stands for: an element as from a list, or a point of the picture.
    pub fn on(self, pointed: Pointed) -> Result<Action, String> {
        let tool = match &pointed {
            Pointed::Element(_) => &model_tools::ACT,
            Pointed::Point(_) | Pointed::Nowhere => PICK,
        };
        tool.build(Some(self.0), &ModelInput { fields: &Map::new(), values: &|_| None, pointed })
    }
}

pub(crate) fn read(call: &FunctionCall, task: &StepTask) -> Result<GridMove, String> {
    let values = value_of(task);
    let input = input(fields(call)?, &values);
    if call.name == PICK.name {
        let planned = PointedAction(PICK.read_word(&input)?);
        let number = input.number("number")?;
        let number = u32::try_from(number).map_err(|_| format!("there is no number {number}"))?;
        return Ok(GridMove::Pick { number, planned, why: input.text(WHY)? });
    }
    if let Some(tool) = called(&ACTING, call) {
        return Ok(GridMove::Act { action: tool.read(&input)?, why: input.text(WHY)? });
    }
    match call.name.as_str() {
        LOOK => match input.text("numbers")?.as_str() {
            "elements" => Ok(GridMove::Look { elements: true }),
            "grid" => Ok(GridMove::Look { elements: false }),
            other => Err(format!("there are no numbers on `{other}`")),
        },
        _ => shared_of(call, &input).map(GridMove::Shared),
    }
}

#[cfg(test)]
mod tests {
    use assay_protocol::{Selector, ViewPoint};

    use super::*;

    #[test]
    fn every_word_acts_on_elements_and_on_points() {
        for word in PICK.words() {
            let element = Pointed::Element(Selector::parse("e1").unwrap());
            assert!(PointedAction(word).on(element).is_ok(), "{word}");
            assert!(PointedAction(word).on(Pointed::Point(ViewPoint { x: 1.0, y: 1.0 })).is_ok(), "{word}");
        }
    }
}
