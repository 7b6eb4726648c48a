//! The step in words: the same for every pilot, whatever it sees of the page.

use assay_prompt::harmless;
use assay_runner::{NamedValue, StepTask, ValueFrom};

/// What is to be done, what is known of it, and the values that may be typed, under this heading; `mark` says how one is
/// typed where that needs saying.
pub(crate) fn step_in_words(task: &StepTask, heading: &str, mark: impl Fn(&NamedValue) -> String) -> String {
    let mut text = format!("The step: {}\n", task.sentence);
    if let Some(only) = &task.only {
        text.push_str(&format!("Carry out only this part of it: {only}\n"));
    }
    text.push_str(&format!("Why the program was not sure: {}\n", harmless(&task.why)));
    if let Some(failure) = &task.failure {
        text.push_str(&format!("Another pilot tried before you: {}\n", harmless(failure)));
    }
    if !task.values.is_empty() {
        text.push_str(&format!("\n{heading}\n"));
        for value in &task.values {
            let from = match value.from {
                ValueFrom::ThisStep => "",
                ValueFrom::Elsewhere => " (named elsewhere in the test)",
            };
            text.push_str(&format!("{}: \"{}\"{}{from}\n", value.number, value.shown, mark(value)));
        }
    }
    if !task.done_so_far.is_empty() {
        text.push_str("\nDone for this step already:\n");
        for command in &task.done_so_far {
            text.push_str(&format!("{}\n", harmless(command)));
        }
    }
    text
}
