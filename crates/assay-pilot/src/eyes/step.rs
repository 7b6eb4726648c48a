//! The step in words, for those who see the page as a picture.

use assay_runner::{StepTask, ValueFrom};

use crate::fence::{fenced, harmless};

/// What is to be done, with the values that may be typed. What the page says comes from its picture.
pub(crate) fn step(task: &StepTask, address: &str) -> String {
    let mut text = format!("The step: {}\n", task.sentence);
    if let Some(only) = &task.only {
        text.push_str(&format!("Carry out only this part of it: {only}\n"));
    }
    text.push_str(&format!("Why the program was not sure: {}\n", harmless(&task.why)));
    if let Some(failure) = &task.failure {
        text.push_str(&format!("Another pilot tried before you: {}\n", harmless(failure)));
    }
    if !task.values.is_empty() {
        text.push_str("\nValues that the test names. Type them letter for letter; a secret by its mark:\n");
        for value in &task.values {
            let from = match value.from {
                ValueFrom::ThisStep => "",
                ValueFrom::Elsewhere => " (named elsewhere in the test)",
            };
            let mark = match value.is_secret {
                true => format!(", a secret: type {}", value.reference()),
                false => String::new(),
            };
            text.push_str(&format!("{}: \"{}\"{mark}{from}\n", value.number, value.shown));
        }
    }
    if !task.done_so_far.is_empty() {
        text.push_str("\nDone for this step already:\n");
        for command in &task.done_so_far {
            text.push_str(&format!("{}\n", harmless(command)));
        }
    }
    text.push('\n');
    text.push_str(&fenced("address", &harmless(address)));
    text
}
