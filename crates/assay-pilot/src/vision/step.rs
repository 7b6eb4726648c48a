//! The step, for those who see the page as a picture.

use assay_prompt::{fenced, harmless};
use assay_runner::{NamedValue, StepTask};

use crate::step::step_in_words;

/// What is to be done, with the values that may be typed. What the page says comes from its picture.
pub(crate) fn step(task: &StepTask, address: &str) -> String {
    let mark = |value: &NamedValue| match value.is_secret {
        true => format!(", a secret: type {}", value.reference()),
        false => String::new(),
    };
    let heading = "Values that the test names. Type them letter for letter; a secret by its mark:";
    let text = step_in_words(task, heading, mark);
    format!("{text}\n{}", fenced("address", &harmless(address)))
}
