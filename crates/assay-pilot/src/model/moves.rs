//! What a model may answer, read strictly: what is not understood is told to it and not guessed.

use assay_prompt::shortened;
use assay_protocol::{Action, Selector};
use assay_provider::answer::{CallInput, FunctionCall};
use assay_runner::StepTask;
use serde_json::{Map, Value};

use super::tools;
use crate::tool::{DIALOG_ANSWERS, named};

/// One answer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ModelMove {
    Act {
        action: Action,
        why: String,
    },
    /// Look at the page again.
    Look,
    Done {
        evidence: String,
        message: String,
    },
    GiveUp {
        reason: String,
        candidates: Vec<String>,
    },
}

/// What the call wants, or what is wrong with it, in words for the model.
pub(crate) fn read(call: &FunctionCall, task: &StepTask) -> Result<ModelMove, String> {
    let fields = match &call.input {
        CallInput::Json(Value::Object(fields)) => Fields(fields),
        CallInput::Json(other) => return Err(format!("expected an object as arguments, found {other}")),
        CallInput::Malformed(text) => {
            return Err(format!("the arguments are no JSON: {}", shortened(text, 80)));
        }
    };
    let act = |action: Action| -> Result<ModelMove, String> {
        Ok(ModelMove::Act { action, why: fields.text("why")? })
    };
    match call.name.as_str() {
        tools::ACT => {
            let target = fields.target("ref")?;
            let verb = fields.text("verb")?;
            let on = named(tools::ELEMENT_ACTS, &verb).ok_or_else(|| format!("there is no verb `{verb}`"))?;
            act(on(target))
        }
        tools::ENTER_VALUE => {
            let number = fields.number("value")?;
            let value = task.values.iter().find(|value| value.number as u64 == number);
            let value = value.ok_or_else(|| format!("the test names no value with the number {number}"))?;
            act(Action::Fill { target: fields.target("ref")?, text: value.reference() })
        }
        tools::ENTER_WORDS => {
            act(Action::Fill { target: fields.target("ref")?, text: fields.text("words")? })
        }
        tools::CHOOSE => {
            act(Action::Select { target: fields.target("ref")?, options: vec![fields.text("option")?] })
        }
        tools::PRESS => {
            let on = fields.text("ref")?;
            let target = if on.is_empty() { None } else { Some(selector(&on)?) };
            act(Action::Press { keys: fields.texts("keys")?, target })
        }
        tools::SCROLL => {
            let to = fields.text("to")?;
            act(named(tools::SCROLLS, &to).ok_or_else(|| format!("cannot scroll to `{to}`"))?.clone())
        }
        tools::HISTORY => {
            let to = fields.text("to")?;
            let moved = named(tools::HISTORY_MOVES, &to);
            act(moved.ok_or_else(|| format!("there is no `{to}` in the history"))?.clone())
        }
        tools::DIALOG => {
            let answer = fields.text("answer")?;
            let answered = named(DIALOG_ANSWERS, &answer);
            act(answered.ok_or_else(|| format!("a dialog cannot be answered by `{answer}`"))?.clone())
        }
        tools::TAB => act(Action::TabSwitch { tab: fields.text("tab")? }),
        tools::LOOK => Ok(ModelMove::Look),
        tools::DONE => {
            Ok(ModelMove::Done { evidence: fields.text("evidence")?, message: fields.text("message")? })
        }
        tools::GIVE_UP => {
            Ok(ModelMove::GiveUp { reason: fields.text("reason")?, candidates: fields.texts("candidates")? })
        }
        other => Err(format!("there is no tool `{other}`")),
    }
}

fn selector(text: &str) -> Result<Selector, String> {
    match Selector::parse(text) {
        Ok(selector) if selector.as_ref_id().is_some() => Ok(selector),
        _ => Err(format!("expected a ref like `e12`, found `{text}`")),
    }
}

/// The arguments of a call.
struct Fields<'f>(&'f Map<String, Value>);

impl Fields<'_> {
    fn text(&self, name: &str) -> Result<String, String> {
        match self.0.get(name) {
            Some(Value::String(text)) => Ok(text.clone()),
            Some(other) => Err(format!("expected a text in `{name}`, found {other}")),
            None => Err(format!("`{name}` is missing")),
        }
    }

    fn texts(&self, name: &str) -> Result<Vec<String>, String> {
        let wrong = |found: &Value| format!("expected a list of texts in `{name}`, found {found}");
        let found = self.0.get(name).ok_or_else(|| format!("`{name}` is missing"))?;
        let items = found.as_array().ok_or_else(|| wrong(found))?;
        items.iter().map(|item| item.as_str().map(str::to_string).ok_or_else(|| wrong(found))).collect()
    }

    fn number(&self, name: &str) -> Result<u64, String> {
        match self.0.get(name) {
            Some(Value::Number(number)) if number.as_u64().is_some() => {
                Ok(number.as_u64().unwrap_or_default())
            }
            // Small models write numbers as text.
            Some(Value::String(text)) if text.parse::<u64>().is_ok() => {
                text.parse().map_err(|_| format!("expected a number in `{name}`"))
            }
            Some(other) => Err(format!("expected a number in `{name}`, found {other}")),
            None => Err(format!("`{name}` is missing")),
        }
    }

    fn target(&self, name: &str) -> Result<Selector, String> {
        selector(&self.text(name)?)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use assay_driver::Deadline;
    use assay_runner::{NamedValue, ValueFrom};
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(name: &str, input: Value, expected: Result<&str, &str>) {
        let value =
            NamedValue {
                number: 1, shown: "•••".to_string(), is_secret: true, from: ValueFrom::ThisStep
            };
        let task = StepTask {
            sentence: String::new(),
            only: None,
            values: vec![value],
            why: String::new(),
            candidates: Vec::new(),
            done_so_far: Vec::new(),
            failure: None,
            deadline: Deadline::after(Duration::from_secs(1)),
            turns: 1,
        };
        let call =
            FunctionCall { id: "1".to_string(), name: name.to_string(), input: CallInput::Json(input) };
        let actual = read(&call, &task).map(|read| match read {
            ModelMove::Act { action, .. } => serde_json::to_string(&action).unwrap_or_default(),
            other => format!("{other:?}"),
        });
        match expected {
            Ok(part) => assert!(actual.as_ref().is_ok_and(|text| text.contains(part)), "{actual:?}"),
            Err(why) => assert_eq!(actual.as_ref().err().map(String::as_str), Some(why)),
        }
    }

    #[test]
    fn what_is_understood_is_an_act() {
        check("act", json!({"verb": "click", "ref": "e4", "why": "it"}), Ok("\"click\""));
        check("enter_value", json!({"ref": "e1", "value": 1, "why": ""}), Ok("⟦value 1⟧"));
        check("enter_value", json!({"ref": "e1", "value": "1", "why": ""}), Ok("⟦value 1⟧"));
        check("press", json!({"keys": ["Enter"], "ref": "", "why": ""}), Ok("Enter"));
    }

    #[test]
    fn what_is_not_understood_is_said() {
        check("act", json!({"verb": "pay", "ref": "e4", "why": ""}), Err("there is no verb `pay`"));
        check("act", json!({"verb": "click", "why": ""}), Err("`ref` is missing"));
        check(
            "act",
            json!({"verb": "click", "ref": "the button", "why": ""}),
            Err("expected a ref like `e12`, found `the button`"),
        );
        check(
            "enter_value",
            json!({"ref": "e1", "value": 9, "why": ""}),
            Err("the test names no value with the number 9"),
        );
        check("eval", json!({}), Err("there is no tool `eval`"));
        check(
            "press",
            json!({"keys": "x", "ref": "", "why": ""}),
            Err("expected a list of texts in `keys`, found \"x\""),
        );
    }
}
