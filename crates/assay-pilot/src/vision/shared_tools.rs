//! The functions that every pilot with eyes has beside its own: to end the step, and for what no picture of the page
//! shows: dialogs of the browser and other tabs.

use assay_prompt::shortened;
use assay_protocol::Action;
use assay_provider::answer::{CallInput, FunctionCall};
use assay_provider::conversation::Tool;
use serde_json::{Value, json};

use crate::tool::{DIALOG_ANSWERS, named, tool, words};

pub(crate) const DONE: &str = "done";
pub(crate) const GIVE_UP: &str = "give_up";
pub(crate) const DIALOG: &str = "dialog";
pub(crate) const TAB: &str = "tab";
pub(crate) const SHARED: &[&str] = &[DONE, GIVE_UP, DIALOG, TAB];

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
    vec![
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
        tool(
            DIALOG,
            "Answers the open dialog of the browser, which no picture shows.",
            json!({"answer": {"type": "string", "enum": words(DIALOG_ANSWERS)}}),
        ),
        tool(
            TAB,
            "Goes on in another tab of the browser. The pictures show one tab.",
            json!({"tab": {"type": "string", "description": "As it was told: t2."}}),
        ),
    ]
}

/// What such a call wants, or what is wrong with it, in words for the model.
pub(crate) fn shared(call: &FunctionCall) -> Result<SharedTool, String> {
    match call.name.as_str() {
        DONE => Ok(SharedTool::End(Ending::Done {
            evidence: text(&call.input, "evidence")?,
            message: text(&call.input, "message")?,
        })),
        GIVE_UP => Ok(SharedTool::End(Ending::GiveUp { reason: text(&call.input, "reason")? })),
        DIALOG => {
            let answer = text(&call.input, "answer")?;
            let answered = named(DIALOG_ANSWERS, &answer);
            let answered = answered.ok_or_else(|| format!("a dialog cannot be answered by `{answer}`"))?;
            Ok(SharedTool::Act(answered.clone()))
        }
        TAB => Ok(SharedTool::Act(Action::TabSwitch { tab: text(&call.input, "tab")? })),
        other => Err(format!("there is no tool `{other}`")),
    }
}

pub(crate) fn text(input: &CallInput, name: &str) -> Result<String, String> {
    match field(input, name)? {
        Value::String(text) => Ok(text.clone()),
        other => Err(format!("expected a text in `{name}`, found {other}")),
    }
}

pub(crate) fn number(input: &CallInput, name: &str) -> Result<u32, String> {
    let found = field(input, name)?;
    // Small models write numbers as text.
    let read = found.as_u64().or_else(|| found.as_str().and_then(|text| text.trim().parse().ok()));
    read.and_then(|number| u32::try_from(number).ok())
        .ok_or_else(|| format!("expected a number in `{name}`, found {found}"))
}

fn field<'i>(input: &'i CallInput, name: &str) -> Result<&'i Value, String> {
    match input {
        CallInput::Json(value) => value.get(name).ok_or_else(|| format!("`{name}` is missing")),
        CallInput::Malformed(text) => Err(format!("the arguments are no JSON: {}", shortened(text, 80))),
    }
}
