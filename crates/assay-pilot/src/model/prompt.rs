//! What a model is told. The system prompt is the same for every step of every test, so that it is cached.

use std::collections::BTreeSet;

use assay_prompt::{FENCE_RULE, fenced, harmless, page_map};
use assay_protocol::Scene;
use assay_provider::conversation::{Message, Part, Question, Tool, ToolChoice};
use assay_runner::StepTask;

use super::tools::tools;
use crate::step::step_in_words;

/// The most tokens of one answer: a call and a few words.
const MOST_OUTPUT: u32 = 1200;
/// The page, at the beginning and after each change.
pub(crate) const PAGE_TOKENS: usize = 2500;

/// Begins the conversation about one step.
pub(crate) fn question(task: &StepTask, scene: &Scene) -> Question {
    let wanted = task.candidates.iter().map(|candidate| candidate.reference.as_str()).collect();
    let page = page_map(scene, &wanted, PAGE_TOKENS);
    question_with(task, "", Vec::new(), vec![Part::Text(page)])
}

/// The same with rules and tools besides those of every step, and with a page that is shown otherwise.
pub(crate) fn question_with(task: &StepTask, rules: &str, more: Vec<Tool>, page: Vec<Part>) -> Question {
    let mut question = Question::new(format!("{}{rules}", system()), MOST_OUTPUT);
    question.tools = tools();
    question.tools.extend(more);
    question.tool_choice = ToolChoice::Required;
    let mut text = step(task);
    let mut parts = Vec::new();
    for part in page {
        match part {
            // What is said of the step and what the page says stand in one text.
            Part::Text(page) if parts.is_empty() => text.push_str(&page),
            other => parts.push(other),
        }
    }
    parts.insert(0, Part::Text(text));
    question.messages.push(Message::User(parts));
    question
}

fn system() -> String {
    format!(
        "You carry out one step of a test of a web application, by calling one tool at a time. A program that reads \
the step was not sure what it means on this page; you decide. Other steps are not your business: do what this step \
says, no more and no less, then call `done`.\n\
\n\
Rules:\n\
- {}\n\
- Enter only values that the test names, by their numbers, or words of the step. Never make up a value. A value that \
is shown as ••• is a secret; use it by its number.\n\
- Do not guess. When several elements could be meant and the step does not say which, or when what the step names is \
not on the page, call `give_up`: an undone step is better than a wrong one.\n\
- Do not pay, delete, enter credentials or leave the site unless the step says so. Such calls end the step.\n\
- Do not repeat a call that changed nothing.\n\
- Call `done` only after you did something, and only when the page shows it.",
        FENCE_RULE
    )
}

/// The step, and what is known of it.
fn step(task: &StepTask) -> String {
    let mut text = step_in_words(task, "Values that the test names:", |_| String::new());
    let wanted: BTreeSet<&str> =
        task.candidates.iter().map(|candidate| candidate.reference.as_str()).collect();
    if !wanted.is_empty() {
        let lines: Vec<String> = task
            .candidates
            .iter()
            .map(|candidate| {
                format!("{} {} \"{}\"", candidate.reference, candidate.role, harmless(&candidate.name))
            })
            .collect();
        text.push_str("\nThe program thinks that one of these is meant. Prefer them:\n");
        text.push_str(&fenced("candidates", &lines.join("\n")));
        text.push('\n');
    }
    text.push('\n');
    text
}
