//! The keyboard: fields, keys, the focus.

use super::arguments::Arguments;
use super::entry::{ActionEntry, ActionProperty, PilotUse, syntax};
use super::looking::optional;
use super::model_form::ModelForm;
use super::model_tools::{ACT, ENTER_VALUE, ENTER_WORDS, PRESS_KEY, PRESS_KEYS};
use super::parameters::ParameterVisitor;
use super::syntax::{Flag, Group};
use super::usage_error::UsageError;
use crate::{Action, Selector};

pub(super) const FILL: ActionEntry = ActionEntry::acts(
    syntax(
        Group::Act,
        "fill",
        "TARGET TEXT",
        "Replace the content of a field",
        "assay fill \"Email\" test@example.com",
    ),
    |words| Ok(Action::Fill { target: words.target(0)?, text: words.text(1) }),
)
.pilots(PilotUse::Checked)
.asked_by(&[
    ModelForm::tool(&ENTER_VALUE, |asked| {
        Ok(Action::Fill { text: asked.value("value")?, target: asked.element()? })
    }),
    ModelForm::tool(&ENTER_WORDS, |asked| {
        Ok(Action::Fill { target: asked.element()?, text: asked.text("words")? })
    }),
])
.is(&[ActionProperty::EntersValue]);

pub(super) fn fill<'a>(to: &mut dyn ParameterVisitor<'a>, target: &'a mut Selector, text: &'a mut String) {
    to.target(target);
    to.entered(text);
}

pub(super) const TYPE: ActionEntry = ActionEntry::acts(
    syntax(
        Group::Act,
        "type",
        "[TARGET] TEXT",
        "Type key by key after the existing text; without TARGET, into the focused element",
        "assay type e3 \" and more\"",
    ),
    read_typing,
)
.counts_itself()
.pilots(PilotUse::Checked)
.is(&[ActionProperty::EntersValue]);

fn read_typing(words: &Arguments<'_>) -> Result<Action, UsageError> {
    if words.all().len() == 1 {
        return Ok(Action::Type { target: None, text: words.text(0) });
    }
    words.count(2, 2)?;
    Ok(Action::Type { target: Some(words.target(0)?), text: words.text(1) })
}

pub(super) fn typing<'a>(
    to: &mut dyn ParameterVisitor<'a>,
    target: &'a mut Option<Selector>,
    text: &'a mut String,
) {
    optional(to, target);
    to.entered(text);
}

pub(super) const CLEAR: ActionEntry =
    ActionEntry::acts(syntax(Group::Act, "clear", "TARGET", "Empty a field", "assay clear e3"), |words| {
        Ok(Action::Clear { target: words.target(0)? })
    })
    .pilots(PilotUse::Free)
    .asked_by(&[ModelForm::word(&ACT, "clear", |asked| Ok(Action::Clear { target: asked.element()? }))])
    .is(&[ActionProperty::EntersValue]);

pub(super) const PRESS: ActionEntry = ActionEntry::commits(
    syntax(Group::Act, "press", "KEY...", "Press keys: Enter, Control+a, ArrowDown, F5", "assay press Enter"),
    |words| Ok(Action::Press { keys: words.from(0), target: words.target_flag("on")? }),
)
.also(&["keys"])
.flags(&[Flag::value("on", "TARGET", "focus this element first")])
.pilots(PilotUse::Checked)
.asked_by(&[
    ModelForm::tool(&PRESS_KEYS, |asked| {
        Ok(Action::Press { target: asked.element_if_named()?, keys: asked.texts("keys")? })
    }),
    ModelForm::tool(&PRESS_KEY, |asked| Ok(Action::Press { keys: vec![asked.text("key")?], target: None })),
])
.is(&[ActionProperty::Deliberate, ActionProperty::EntersValue]);

pub(super) fn press<'a>(
    to: &mut dyn ParameterVisitor<'a>,
    keys: &[String],
    target: &'a mut Option<Selector>,
) {
    keys.iter().for_each(|key| to.word(key));
    if let Some(target) = target {
        to.target_flag("on", target);
    }
}

pub(super) const FOCUS: ActionEntry = ActionEntry::acts(
    syntax(Group::Act, "focus", "TARGET", "Focus an element", "assay focus \"Search\""),
    |words| Ok(Action::Focus { target: words.target(0)? }),
)
.pilots(PilotUse::Free)
.asked_by(&[ModelForm::word(&ACT, "focus", |asked| Ok(Action::Focus { target: asked.element()? }))])
.is(&[ActionProperty::LooksAround]);
