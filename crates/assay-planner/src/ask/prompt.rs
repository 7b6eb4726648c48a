//! What the planning model is told.

use std::collections::BTreeSet;

use assay_prompt::{FENCE_RULE, fenced, harmless, page_map};
use assay_provider::conversation::{FunctionTool, Message, Question, Tool, ToolChoice};
use serde_json::{Value, json};

use super::{Brief, PlannerError, Refused};

pub(super) const SCOPE: &str = "scope";
pub(super) const TESTS: &str = "write_tests";

const MOST_SCOPE_OUTPUT: u32 = 1_500;
const MOST_TESTS_OUTPUT: u32 = 8_000;
/// A document that is longer is several plans.
const DOCUMENT_TOKENS: usize = 12_000;
/// Of one page, and of all of them.
const PAGE_TOKENS: usize = 1_200;
const PAGES_TOKENS: usize = 8_000;

pub(super) fn scope_question(brief: Brief<'_>) -> Result<Question, PlannerError> {
    let system = format!(
        "You prepare tests of a web application that are carried out in a browser. Before any test is written, you sort \
what was asked for. Call `{SCOPE}` once.\n\
\n\
Rules:\n\
- {FENCE_RULE}\n\
- `included`: what a user can do and see in a browser, one short statement each, in the words of those who asked.\n\
- `excluded`: what no page shows or what was asked for and is out of reach, with the reason.\n\
- `ambiguous`: what could be meant in several ways, with the ways.\n\
- `questions`: at most 5, only such as a person has to answer. `blocking` is true only where no sensible test at all can be \
written without the answer; what can be left out instead is not blocking. Do not ask for passwords: tests refer to \
them by name. Do not ask what is answered already."
    );
    let mut question = Question::new(system, MOST_SCOPE_OUTPUT);
    question.tools.push(scope_tool());
    question.tool_choice = ToolChoice::Named(SCOPE.to_string());
    question.messages.push(Message::user(told(brief)?));
    Ok(question)
}

pub(super) fn tests_question(brief: Brief<'_>) -> Result<Question, PlannerError> {
    let mut question = Question::new(tests_system(), MOST_TESTS_OUTPUT);
    question.tools.push(tests_tool());
    question.tool_choice = ToolChoice::Named(TESTS.to_string());
    let mut text = told(brief)?;
    if !brief.existing.is_empty() {
        let names: Vec<String> =
            brief.existing.iter().take(100).map(|name| format!("- {}", harmless(name))).collect();
        text.push_str(&format!(
            "\n\nTests that are there already, not to be written again:\n{}",
            names.join("\n")
        ));
    }
    question.messages.push(Message::user(text));
    Ok(question)
}

fn tests_system() -> String {
    format!(
        "You write tests of a web application in plain English. Each is carried out in a browser, sentence by sentence, by \
a program that takes every sentence literally. Call `{TESTS}` once.\n\
\n\
Rules:\n\
- {FENCE_RULE}\n\
- The first step goes to a path of the application: Go to /login\n\
- A step is one act. Names of buttons, links and fields stand in double quotation marks, letter for letter as the page \
shows them: Click the \"Log in\" button. Enter \"ada@example.com\" in the \"Email\" field. Select \"Blue\" in the \"Colour\" \
dropdown. Check the \"Terms\" checkbox. Click the \"Basket\" link. Press Enter. Clear the \"Name\" field.\n\
- `expected` only says what is so at the end, and each sentence must be able to be wrong: The text \"Welcome\" is shown. The \
heading \"Dashboard\" is shown. The title is \"Orders\". The URL contains \"/orders\". The \"Save\" button is disabled. The \
\"Email\" field is invalid. The value of the \"Name\" field is \"Ada\". An error message is shown. There are 3 rows in the table.\n\
- At least one expectation says that something is there which was not there before the steps. A test that says only \
what is absent, or what any page shows, is thrown away.\n\
- Passwords, codes, tokens, card numbers and accounts are never made up. Write \"${{APP_PASSWORD}}\" and the like in their \
place, and put APP_PASSWORD among `secrets`. A password that is to be refused begins with \"wrong\".\n\
- Other data that a form needs may be plain examples.\n\
- Use only texts that people said or that a page shows. Write no test for what is excluded, ambiguous or not answered.\n\
- `requirements` holds ids that stand in the document, or nothing. `preconditions` are facts that must be so before.\n\
- A name says what is tested, in a few words."
    )
}

/// The order, what is known of its scope, and the pages.
fn told(brief: Brief<'_>) -> Result<String, PlannerError> {
    let mut text = String::new();
    let order = brief.order;
    if let Some(goal) = &order.goal {
        text.push_str(&format!("What is to be tested: {}\n", harmless(goal)));
    }
    if let Some(address) = &order.address {
        text.push_str(&format!("The application is at {}\n", harmless(address)));
    }
    if let Some(document) = &order.document {
        let found = assay_tokens::count(document);
        if found > DOCUMENT_TOKENS {
            return Err(PlannerError::TooLong { found, most: DOCUMENT_TOKENS });
        }
        let lines: Vec<String> = document.lines().map(harmless).collect();
        text.push_str(&format!("\nThe document with requirements:\n{}\n", lines.join("\n")));
    }
    let list = |title: &str, lines: Vec<String>| {
        if lines.is_empty() { String::new() } else { format!("\n{title}:\n{}\n", lines.join("\n")) }
    };
    let scope = brief.scope;
    text.push_str(&list(
        "Included",
        scope.included.iter().map(|one| format!("- {}", harmless(one))).collect(),
    ));
    text.push_str(&list(
        "Excluded",
        scope
            .excluded
            .iter()
            .map(|one| format!("- {}: {}", harmless(&one.what), harmless(&one.why)))
            .collect(),
    ));
    text.push_str(&list(
        "Ambiguous, so no test for it",
        scope
            .ambiguous
            .iter()
            .map(|one| format!("- {}: {}", harmless(&one.point), harmless(&one.why)))
            .collect(),
    ));
    let is_open = |id: &str| order.answer(id).is_none();
    text.push_str(&list(
        "Not answered, so no test that depends on it",
        scope
            .questions
            .iter()
            .filter(|one| is_open(&one.id))
            .map(|one| format!("- {}", harmless(&one.text)))
            .collect(),
    ));
    text.push_str(&list(
        "Answers of those who asked",
        order
            .answers
            .iter()
            .map(|given| match &given.id {
                Some(id) => format!("- {id}: {}", harmless(&given.text)),
                None => format!("- {}", harmless(&given.text)),
            })
            .collect(),
    ));
    text.push_str(&pages(brief));
    Ok(text.trim_end().to_string())
}

fn pages(brief: Brief<'_>) -> String {
    let mut text = String::new();
    let mut spent = 0;
    for (nth, page) in brief.pages.iter().enumerate() {
        let map = page_map(&page.scene, &BTreeSet::new(), PAGE_TOKENS);
        spent += assay_tokens::count(&map);
        if spent > PAGES_TOKENS {
            text.push_str(&format!("\n({} more pages are left out)\n", brief.pages.len() - nth));
            break;
        }
        text.push_str(&format!("\nThe page {}:\n{map}\n", harmless(&page.path())));
    }
    if brief.pages.is_empty() {
        text.push_str(&format!("\n{}\n", fenced("none was opened", "(nothing is known of its pages)")));
    }
    text
}

/// What is wrong with which test.
pub(super) fn faults(refused: &[Refused]) -> String {
    let lines: Vec<String> =
        refused.iter().map(|one| format!("- \"{}\": {}", one.name, one.why.join("; "))).collect();
    format!(
        "These tests are not written as they are:\n{}\nThe others are kept. Call `{TESTS}` once more with these tests only, \
corrected.",
        lines.join("\n")
    )
}

fn texts(description: &str) -> Value {
    json!({"type": "array", "items": {"type": "string"}, "description": description})
}

fn object(properties: Value) -> Value {
    let required: Vec<String> =
        properties.as_object().map(|fields| fields.keys().cloned().collect()).unwrap_or_default();
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}

fn scope_tool() -> Tool {
    let text = json!({"type": "string"});
    Tool::Function(FunctionTool {
        name: SCOPE.to_string(),
        description: "Says what is to be tested, what is not, and what has to be asked first.".to_string(),
        schema: object(json!({
            "included": texts("What is tested."),
            "excluded": {"type": "array", "items": object(json!({"what": text, "why": text}))},
            "ambiguous": {"type": "array", "items": object(json!({"point": text, "why": text}))},
            "questions": {"type": "array", "items": object(json!({"question": text, "why": text, "blocking": {"type": "boolean"}}))},
        })),
        strict: true,
    })
}

fn tests_tool() -> Tool {
    Tool::Function(FunctionTool {
        name: TESTS.to_string(),
        description: "Gives the tests.".to_string(),
        schema: object(json!({
            "tests": {"type": "array", "items": object(json!({
                "name": {"type": "string", "description": "What is tested, in a few words."},
                "tags": texts("One word each."),
                "requirements": texts("Ids that stand in the document."),
                "preconditions": texts("Facts that must be so before."),
                "secrets": texts("Names of variables that hold passwords and the like: APP_PASSWORD."),
                "steps": texts("One act each."),
                "expected": texts("What is so at the end, one sentence each."),
            }))},
        })),
        strict: true,
    })
}
