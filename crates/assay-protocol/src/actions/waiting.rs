//! Waiting until something holds.

use super::arguments::{Arguments, name_of, one_of};
use super::entry::{ActionEntry, ActionProperty, PilotUse, syntax};
use super::model_form::{ModelForm, ModelInput};
use super::model_tools::WAIT_FOR;
use super::parameters::ParameterVisitor;
use super::syntax::{Flag, Group};
use super::usage_error::UsageError;
use crate::{Action, Selector, WaitFor, WaitState};

const STATES: &[(&str, WaitState)] = &[
    ("visible", WaitState::Visible),
    ("hidden", WaitState::Hidden),
    ("attached", WaitState::Attached),
    ("detached", WaitState::Detached),
    ("enabled", WaitState::Enabled),
];

pub(super) const WAIT: ActionEntry = ActionEntry::reads(
    syntax(
        Group::Wait,
        "wait",
        "[TARGET]",
        "Wait for an element, a text, an address or the page (30 s unless --timeout)",
        "assay wait \".spinner\" --state hidden --timeout 60000",
    ),
    |words| Ok(Action::Wait { until: read_condition(words)? }),
)
.flags(&[
    Flag::value("state", "STATE", "visible (default), hidden, attached, detached or enabled"),
    Flag::value("text", "TEXT", "until the page shows this text"),
    Flag::value("url", "PART", "until the address contains this; * stands for anything"),
    Flag::switch("load", "until the page has loaded, its requests are answered and it no longer changes"),
    Flag::switch("gone", "until the element or text is gone"),
])
.pilots(PilotUse::Free)
.asked_by(&[
    ModelForm::word(&WAIT_FOR, "shown", |asked| wait_for_text(asked, false)),
    ModelForm::word(&WAIT_FOR, "gone", |asked| wait_for_text(asked, true)),
    ModelForm::word(&WAIT_FOR, "loaded", |_| Ok(Action::Wait { until: WaitFor::Load })),
])
.is(&[ActionProperty::LooksAround, ActionProperty::Claims])
.takes_long();

fn wait_for_text(asked: &ModelInput<'_>, gone: bool) -> Result<Action, String> {
    let text = asked.text("text")?;
    if text.trim().is_empty() {
        return Err("`text` is empty; say which text to wait for".to_string());
    }
    Ok(Action::Wait { until: WaitFor::Text { text, gone } })
}

fn read_condition(words: &Arguments<'_>) -> Result<WaitFor, UsageError> {
    let gone = words.has("gone");
    if words.has("load") {
        let given = ["text", "url", "state"].iter().any(|name| words.flag(name).is_some());
        return match gone || given || words.optional(0).is_some() {
            true => Err(words.expects("--load alone", "more".to_string())),
            false => Ok(WaitFor::Load),
        };
    }
    match (words.optional(0), words.flag("text"), words.flag("url")) {
        (Some(target), None, None) => {
            let state = match (words.flag("state"), gone) {
                (Some(_), true) => return Err(UsageError::wrong_value("--state or --gone", "both")),
                (Some(state), false) => one_of(state, "a state", STATES)?,
                (None, true) => WaitState::Hidden,
                (None, false) => WaitState::Visible,
            };
            Ok(WaitFor::Element { target: Selector::parse(target)?, state })
        }
        (None, Some(text), None) => Ok(WaitFor::Text { text: text.to_string(), gone }),
        (None, None, Some(url)) => Ok(WaitFor::Url { url: url.to_string() }),
        (None, None, None) => {
            Err(words.expects("TARGET, --text TEXT, --url PART or --load", "nothing".to_string()))
        }
        _ => Err(words.expects("one of TARGET, --text and --url", "several".to_string())),
    }
}

pub(super) fn wait<'a>(to: &mut dyn ParameterVisitor<'a>, until: &'a mut WaitFor) {
    match until {
        WaitFor::Element { target, state } => {
            to.target(target);
            if *state != WaitState::Visible {
                to.flag("state", name_of(state, STATES));
            }
        }
        WaitFor::Text { text, gone } => {
            to.quoted_flag("text", text);
            if *gone {
                to.switch("gone");
            }
        }
        WaitFor::Url { url } => to.flag("url", url),
        WaitFor::Load => to.switch("load"),
    }
}
