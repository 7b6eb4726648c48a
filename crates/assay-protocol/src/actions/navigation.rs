//! Going to pages and through the history.

use super::entry::{ActionEntry, ActionProperty, PilotUse, syntax};
use super::model_form::ModelForm;
use super::model_tools::{HISTORY, OPEN_ADDRESS};
use super::syntax::Group;
use crate::Action;

pub(super) const GO: ActionEntry = ActionEntry::acts(
    syntax(
        Group::Go,
        "go",
        "ADDRESS",
        "Open an address and wait for the page",
        "assay go http://127.0.0.1:8080/login",
    ),
    |words| Ok(Action::Go { url: words.text(0) }),
)
.also(&["navigate", "open", "goto"])
.pilots(PilotUse::Checked)
.asked_by(&[ModelForm::tool(&OPEN_ADDRESS, |asked| Ok(Action::Go { url: asked.text("address")? }))])
.is(&[ActionProperty::NeedsNoPage])
.takes_long();

pub(super) const BACK: ActionEntry =
    ActionEntry::acts(syntax(Group::Go, "back", "", "Go back in the history", "assay back"), |_| {
        Ok(Action::Back)
    })
    .pilots(PilotUse::Free)
    .asked_by(&[ModelForm::word(&HISTORY, "back", |_| Ok(Action::Back))])
    .takes_long();

pub(super) const FORWARD: ActionEntry =
    ActionEntry::acts(syntax(Group::Go, "forward", "", "Go forward in the history", "assay forward"), |_| {
        Ok(Action::Forward)
    })
    .pilots(PilotUse::Free)
    .asked_by(&[ModelForm::word(&HISTORY, "forward", |_| Ok(Action::Forward))])
    .takes_long();

pub(super) const RELOAD: ActionEntry =
    ActionEntry::acts(syntax(Group::Go, "reload", "", "Load the page again", "assay reload"), |_| {
        Ok(Action::Reload)
    })
    .pilots(PilotUse::Free)
    .asked_by(&[ModelForm::word(&HISTORY, "reload", |_| Ok(Action::Reload))])
    .takes_long();
