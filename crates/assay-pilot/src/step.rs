//! The step in words: the same for every pilot, whatever it sees of the page.

use assay_prompt::harmless;
use assay_protocol::Part;
use assay_runner::{NamedValue, StepTask, TestSentence, ValueFrom};

/// A longer test is cut around the step.
const MOST_LINES: usize = 40;

/// What is to be done, what is known of it, and the values that may be typed, under this heading; `mark` says how one is
/// typed where that needs saying.
pub(crate) fn step_in_words(task: &StepTask, heading: &str, mark: impl Fn(&NamedValue) -> String) -> String {
    let mut text = lines_of_test(&task.test);
    text.push_str(&format!("The step: {}\n", task.sentence));
    if let Some(only) = &task.only {
        text.push_str(&format!("The other parts of it are not yours. Carry out only this part: {only}\n"));
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
    if !task.addresses.is_empty() {
        text.push_str("\nAddresses that the test names:\n");
        for (name, address) in &task.addresses {
            text.push_str(&format!("{name}: {address}\n"));
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

/// The test, with the step marked: what comes before and after often says what is meant.
pub(crate) fn lines_of_test(test: &[TestSentence]) -> String {
    let Some(current) = test.iter().position(|line| line.is_current) else { return String::new() };
    if test.len() < 2 {
        return String::new();
    }
    let first = current.saturating_sub(MOST_LINES / 2).min(test.len().saturating_sub(MOST_LINES));
    let mut text = "The whole test. The steps above the mark are done, those below come later:\n".to_string();
    for (at, line) in test.iter().enumerate().skip(first).take(MOST_LINES) {
        let mark = if at == current { ">>" } else { "  " };
        let part = match line.part {
            Part::Precondition => "given: ",
            Part::Expected => "expected: ",
            _ => "",
        };
        text.push_str(&format!("{mark} {}. {part}{}\n", at + 1, line.text));
    }
    text.push('\n');
    text
}
