//! Lists, checkboxes and file inputs.

use super::entry::{ActionEntry, ActionProperty, PilotUse, syntax};
use super::model_form::ModelForm;
use super::model_tools::{ACT, ATTACH, CHOOSE};
use super::parameters::ParameterVisitor;
use super::syntax::Group;
use crate::{Action, Selector};

pub(super) const SELECT: ActionEntry = ActionEntry::acts(
    syntax(
        Group::Act,
        "select",
        "TARGET OPTION...",
        "Choose options in a list by label or value, also in a list that the page draws",
        "assay select \"Country\" Belgium",
    ),
    |words| Ok(Action::Select { target: words.target(0)?, options: words.from(1) }),
)
.pilots(PilotUse::Checked)
.asked_by(&[ModelForm::tool(&CHOOSE, |asked| {
    Ok(Action::Select { target: asked.element()?, options: vec![asked.text("option")?] })
})])
.is(&[ActionProperty::Deliberate, ActionProperty::EntersValue]);

pub(super) fn select<'a>(
    to: &mut dyn ParameterVisitor<'a>,
    target: &'a mut Selector,
    options: &'a mut [String],
) {
    to.target(target);
    options.iter_mut().for_each(|option| to.entered(option));
}

pub(super) const CHECK: ActionEntry = ActionEntry::acts(
    syntax(
        Group::Act,
        "check",
        "TARGET",
        "Tick a checkbox, radio button or switch",
        "assay check \"Keep me signed in\"",
    ),
    |words| Ok(Action::Check { target: words.target(0)? }),
)
.pilots(PilotUse::Checked)
.asked_by(&[ModelForm::word(&ACT, "check", |asked| Ok(Action::Check { target: asked.element()? }))])
.is(&[ActionProperty::Deliberate, ActionProperty::EntersValue]);

pub(super) const UNCHECK: ActionEntry = ActionEntry::acts(
    syntax(Group::Act, "uncheck", "TARGET", "Untick a checkbox or switch", "assay uncheck \"Newsletter\""),
    |words| Ok(Action::Uncheck { target: words.target(0)? }),
)
.pilots(PilotUse::Checked)
.asked_by(&[ModelForm::word(&ACT, "uncheck", |asked| Ok(Action::Uncheck { target: asked.element()? }))])
.is(&[ActionProperty::Deliberate, ActionProperty::EntersValue]);

pub(super) const UPLOAD: ActionEntry = ActionEntry::acts(
    syntax(
        Group::Act,
        "upload",
        "TARGET FILE...",
        "Attach files to a file input",
        "assay upload \"Attachment\" report.pdf",
    ),
    |words| Ok(Action::Upload { target: words.target(0)?, files: words.from(1) }),
)
.needs("Uploads")
.pilots(PilotUse::Checked)
.asked_by(&[ModelForm::tool(&ATTACH, |asked| {
    Ok(Action::Upload { target: asked.element()?, files: vec![asked.value("value")?] })
})])
.is(&[ActionProperty::Deliberate, ActionProperty::EntersValue]);

pub(super) fn upload<'a>(
    to: &mut dyn ParameterVisitor<'a>,
    target: &'a mut Selector,
    files: &'a mut [String],
) {
    to.target(target);
    files.iter_mut().for_each(|file| to.entered_file(file));
}
