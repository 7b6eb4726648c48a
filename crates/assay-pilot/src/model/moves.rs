//! What a model may answer, read strictly: what is not understood is told to it and not guessed.

use assay_protocol::Action;
use assay_provider::answer::FunctionCall;
use assay_runner::StepTask;

use super::tools;
use crate::tool::{WHY, called, fields, input, value_of};

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
        is_final: bool,
    },
}

/// What the call wants, or what is wrong with it, in words for the model.
pub(crate) fn read(call: &FunctionCall, task: &StepTask) -> Result<ModelMove, String> {
    let values = value_of(task);
    let input = input(fields(call)?, &values);
    if let Some(tool) = called(&tools::ACTING, call) {
        return Ok(ModelMove::Act { action: tool.read(&input)?, why: input.text(WHY)? });
    }
    match call.name.as_str() {
        tools::LOOK => Ok(ModelMove::Look),
        tools::DONE => {
            Ok(ModelMove::Done { evidence: input.text("evidence")?, message: input.text("message")? })
        }
        tools::GIVE_UP => {
            let is_final = input.fields.get("final").and_then(|said| said.as_bool()).unwrap_or(false);
            let (reason, candidates) = (input.text("reason")?, input.texts("candidates")?);
            Ok(ModelMove::GiveUp { reason, candidates, is_final })
        }
        other => Err(format!("there is no tool `{other}`")),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use assay_driver::Deadline;
    use assay_provider::answer::CallInput;
    use assay_runner::{NamedValue, ValueFrom};
    use serde_json::{Value, json};

    use super::*;

    #[track_caller]
    fn check(name: &str, input: Value, expected: Result<&str, &str>) {
        let value =
            NamedValue {
                number: 1, shown: "•••".to_string(), is_secret: true, from: ValueFrom::ThisStep
            };
        let task = StepTask {
            sentence: String::new(),
            test: Vec::new(),
            addresses: Vec::new(),
            only_looks: false,
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
