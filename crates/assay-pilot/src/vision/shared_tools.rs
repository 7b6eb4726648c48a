//! The functions that every pilot with eyes has beside its own: to end the step, and for what no picture of the page
//! shows: dialogs of the browser and other tabs.

use assay_protocol::Action;
use assay_protocol::actions::{ModelInput, ModelTool, model_tools};
use assay_provider::answer::FunctionCall;
use assay_provider::conversation::Tool;
use serde_json::json;

use crate::tool::{acting, called, fields, input, tool};

/// Those that act.
static ACTING: [&ModelTool; 2] = [&model_tools::DIALOG_UNSEEN, &model_tools::TAB_UNSEEN];

const DONE: &str = "done";
const GIVE_UP: &str = "give_up";

/// What one of them wants.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum SharedTool {
    End(Ending),
    Act(Action),
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Ending {
    Done { evidence: String, message: String },
    GiveUp { reason: String },
}

pub(crate) fn shared_tools() -> Vec<Tool> {
    let ending = [
        tool(
            DONE,
            "Ends the step: all that it says was done, by you, and the page shows it.",
            json!({
                "evidence": {"type": "string", "description": "Words on the page that show it."},
                "message": {"type": "string", "description": "What was done, in one sentence."},
            }),
        ),
        tool(
            GIVE_UP,
            "Ends the step undone: it is not clear what it means here, or it cannot be done.",
            json!({"reason": {"type": "string"}}),
        ),
    ];
    ending.into_iter().chain(ACTING.iter().map(|tool| acting(tool))).collect()
}

/// What such a call wants, or what is wrong with it, in words for the model.
pub(crate) fn shared(call: &FunctionCall) -> Result<SharedTool, String> {
    shared_of(call, &input(fields(call)?, &|_| None))
}

pub(crate) fn shared_of(call: &FunctionCall, input: &ModelInput<'_>) -> Result<SharedTool, String> {
    if let Some(tool) = called(&ACTING, call) {
        return tool.read(input).map(SharedTool::Act);
    }
    match call.name.as_str() {
        DONE => Ok(SharedTool::End(Ending::Done {
            evidence: input.text("evidence")?,
            message: input.text("message")?,
        })),
        GIVE_UP => Ok(SharedTool::End(Ending::GiveUp { reason: input.text("reason")? })),
        other => Err(format!("there is no tool `{other}`")),
    }
}
