//! The handful of tools that a model has. There is none that types text of its own.

use std::sync::LazyLock;

use assay_protocol::actions::{ModelTool, model_tools};
use assay_provider::conversation::Tool;
use serde_json::json;

use crate::tool::{reasoned, tool};

/// Those that act.
pub(crate) static ACTING: [&ModelTool; 13] = [
    &model_tools::ACT,
    &model_tools::ENTER_VALUE,
    &model_tools::ENTER_WORDS,
    &model_tools::CHOOSE,
    &model_tools::ATTACH,
    &model_tools::DRAG_TO,
    &model_tools::PRESS_KEYS,
    &model_tools::SCROLL,
    &model_tools::HISTORY,
    &model_tools::OPEN_ADDRESS,
    &model_tools::WAIT_FOR,
    &model_tools::DIALOG,
    &model_tools::TAB,
];

pub(crate) const LOOK: &str = "look";
pub(crate) const DONE: &str = "done";
pub(crate) const GIVE_UP: &str = "give_up";

/// All of them, the same for every step: what does not change is cached.
pub(crate) fn tools() -> Vec<Tool> {
    static TOOLS: LazyLock<Vec<Tool>> = LazyLock::new(|| {
        let acting = ACTING.iter().map(|tool| reasoned(tool));
        acting.chain(ending_or_looking()).collect()
    });
    TOOLS.clone()
}

fn ending_or_looking() -> [Tool; 3] {
    [
        tool(LOOK, "Shows the page again, when it may have changed by itself.", json!({})),
        tool(
            DONE,
            "Ends the step: all that it says is done, and the page shows it or an effect listed it.",
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
                "final": {
                    "type": "boolean",
                    "description": "True if a closer look could not help: the page refuses it, or it lacks the thing.",
                },
            }),
        ),
    ]
}
