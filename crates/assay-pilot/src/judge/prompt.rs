//! What the judge is told.

use assay_prompt::{FENCE_RULE, fenced, harmless};
use assay_provider::conversation::{FunctionTool, Message, Question, Tool, ToolChoice};
use assay_runner::{Observation, TestSentence};

use crate::step::lines_of_test;
use serde_json::json;

pub(super) const VERDICT: &str = "verdict";
const MOST_OUTPUT: u32 = 800;
/// What is observed has a hard size; a page that shows more is said to.
const OBSERVED_TOKENS: usize = 6000;

pub(super) fn question(claim: &str, test: &[TestSentence], observations: &[Observation]) -> Question {
    let mut question = Question::new(system(), MOST_OUTPUT);
    question.tools.push(verdict_tool());
    question.tool_choice = ToolChoice::Named(VERDICT.to_string());
    question.messages.push(Message::user(format!(
        "{}The claim: {claim}\n\nWhat was observed, each with its id and kind:\n{}",
        lines_of_test(test),
        fenced("observations", &lines(observations))
    )));
    question
}

fn system() -> String {
    format!(
        "You judge whether a claim about a web page holds, by what was observed on it and by nothing else. Call \
`verdict` once.\n\
\n\
Rules:\n\
- {}\n\
- `holds` needs evidence: the id of an observation, and words that stand in it letter for letter. The value of a field may \
be what the test itself entered: it proves only that the field holds it.\n\
- `does_not_hold` needs the id of an observation that contradicts the claim, or of the one that should have shown it; \
quote it, or leave the quote empty when what is missing cannot be quoted.\n\
- The test says what words like `it`, `that row` or `the new entry` in the claim refer to. It is no evidence: what it does or expects \
may not have come true.\n\
- The observations stand in the order of the page, under the parts of it in which they lie. Rows and entries are \
counted from 1, without rows of column heads.\n\
- What the observations do not show, or show only in part, is `cannot_tell`. So is a claim that could be meant in \
several ways. Do not be generous: a wrong `holds` is the worst answer.",
        FENCE_RULE
    )
}

fn lines(observations: &[Observation]) -> String {
    let mut text = String::new();
    let mut spent = 0;
    let mut place = "";
    for (nth, seen) in observations.iter().enumerate() {
        let mut line = format!("{} {}: {}\n", seen.id, harmless(&seen.what), harmless(&seen.text));
        if seen.place != place {
            place = &seen.place;
            line = match place {
                "" => format!("elsewhere on the page:\n{line}"),
                around => format!("in {}:\n{line}", harmless(around)),
            };
        }
        spent += assay_tokens::count(&line);
        if spent > OBSERVED_TOKENS {
            text.push_str(&format!("({} more are left out)\n", observations.len() - nth));
            break;
        }
        text.push_str(&line);
    }
    let is_all = !text.contains("are left out)") && observations.iter().all(|seen| seen.what != "remark");
    if is_all {
        text.push_str("(this is all that the page shows)\n");
    }
    text.trim_end().to_string()
}

fn verdict_tool() -> Tool {
    Tool::Function(FunctionTool {
        name: VERDICT.to_string(),
        description: "Says whether the claim holds, and by what.".to_string(),
        schema: json!({
            "type": "object",
            "properties": {
                "ruling": {"type": "string", "enum": ["holds", "does_not_hold", "cannot_tell"]},
                "reason": {"type": "string", "description": "One sentence."},
                "evidence": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": {
                            "observation": {"type": "string", "description": "Its id: o12."},
                            "quote": {"type": "string", "description": "Words of it, letter for letter."},
                        },
                        "required": ["observation", "quote"],
                        "additionalProperties": false,
                    },
                },
            },
            "required": ["ruling", "reason", "evidence"],
            "additionalProperties": false,
        }),
        strict: true,
    })
}
