//! What a model is told. The system prompt is the same for every step of every test, so that it is cached.

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
the step was not sure what it means on this page; you decide. Do what this step says, no more and no less, then \
call `done`. Other steps only explain it: never carry them out.\n\
\n\
Rules:\n\
- {}\n\
- Enter only values that the test names, by their numbers, or words of the step. Never make up a value. A value that \
is shown as ••• is a secret; use it by its number.\n\
- Decide by the context: the other steps of the test, the form that was just filled, what has the focus, the dialog in \
front, the only element that does what the step wants. If that settles it, act. If two elements still fit equally well, \
call `give_up` and name both.\n\
- A name in quotation marks is exact, but for its case, and for counters, shortcuts and marks beside it. It may be the \
name of another kind of element, of an icon or a tooltip, or of something in a closed menu that you open first. If \
nothing bears it, call `give_up`: the missing element may be the very defect that the test looks for.\n\
- An undone step is better than a wrong one. Where nobody could do the step here, set `final` in `give_up`.\n\
- Do not pay, delete, enter credentials or leave the site unless the step says so. Such calls end the step.\n\
- Do not repeat a call that changed nothing.\n\
- Call `done` as soon as the page shows that the step is done. A step that only looks or waits is done when the page \
shows what it speaks of; all others need an act of yours. What an act changed is evidence, even if it has gone since.\n\
- After an act you see what it changed. Call `look` for the whole page when the step needs more acts.",
        FENCE_RULE
    )
}

/// The step, and what is known of it.
fn step(task: &StepTask) -> String {
    let mut text = step_in_words(task, "Values that the test names:", |_| String::new());
    let mut lines: Vec<String> = Vec::new();
    for candidate in task.candidates.iter().filter(|candidate| is_like(&candidate.name, &task.sentence)) {
        let line = format!("{} {} \"{}\"", candidate.reference, candidate.role, harmless(&candidate.name));
        let is_listed = |known: &String| known.starts_with(&format!("{} ", candidate.reference));
        if candidate.role != "text" && !lines.iter().any(is_listed) {
            lines.push(line);
        }
    }
    if !lines.is_empty() {
        text.push_str(
            "\nElements that the program compared with the step. None fits well enough for it, and the right one may not be \
among them:\n",
        );
        text.push_str(&fenced("candidates", &lines.join("\n")));
        text.push('\n');
    }
    text.push('\n');
    text
}

/// Whether a name has a telling word of the sentence in it.
fn is_like(name: &str, sentence: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        let text = text.to_lowercase();
        let all = text.split(|letter: char| !letter.is_alphanumeric());
        all.filter(|word| word.chars().count() > 2 && *word != "the").map(str::to_string).collect()
    };
    let said = words(sentence);
    words(name).iter().any(|word| said.contains(word))
}
