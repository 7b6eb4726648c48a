//! Dialogs of the browser.

use super::arguments::Arguments;
use super::entry::{ActionEntry, ActionProperty, PilotUse, syntax};
use super::model_form::ModelForm;
use super::model_tools::{DIALOG as DIALOG_TOOL, DIALOG_UNSEEN};
use super::parameters::ParameterVisitor;
use super::syntax::Group;
use super::usage_error::UsageError;
use crate::{Action, DialogAnswer};

pub(super) const DIALOG: ActionEntry = ActionEntry::acts(
    syntax(
        Group::Act,
        "dialog",
        "[accept [TEXT] | dismiss]",
        "Answer an alert, confirm or prompt; without an argument, show it",
        "assay dialog accept",
    ),
    |words| Ok(Action::Dialog { answer: read_answer(words)? }),
)
.counts_itself()
.pilots(PilotUse::Checked)
.asked_by(&[
    ModelForm::word(&DIALOG_TOOL, "accept", |_| Ok(ACCEPTED)),
    ModelForm::word(&DIALOG_TOOL, "dismiss", |_| Ok(DISMISSED)),
    ModelForm::word(&DIALOG_UNSEEN, "accept", |_| Ok(ACCEPTED)),
    ModelForm::word(&DIALOG_UNSEEN, "dismiss", |_| Ok(DISMISSED)),
])
.is(&[ActionProperty::Deliberate]);

const ACCEPTED: Action = Action::Dialog { answer: Some(DialogAnswer::Accept { text: None }) };
const DISMISSED: Action = Action::Dialog { answer: Some(DialogAnswer::Dismiss) };

fn read_answer(words: &Arguments<'_>) -> Result<Option<DialogAnswer>, UsageError> {
    Ok(match (words.optional(0), words.optional(1), words.optional(2)) {
        (None, _, _) => None,
        (Some("accept"), text, None) => Some(DialogAnswer::Accept { text: text.map(str::to_string) }),
        (Some("dismiss"), None, None) => Some(DialogAnswer::Dismiss),
        _ => return Err(words.wrong_word("accept [TEXT], dismiss, or nothing")),
    })
}

pub(super) fn dialog<'a>(to: &mut dyn ParameterVisitor<'a>, answer: &'a mut Option<DialogAnswer>) {
    match answer {
        None => {}
        Some(DialogAnswer::Dismiss) => to.word("dismiss"),
        Some(DialogAnswer::Accept { text }) => {
            to.word("accept");
            if let Some(text) = text {
                to.entered(text);
            }
        }
    }
}
