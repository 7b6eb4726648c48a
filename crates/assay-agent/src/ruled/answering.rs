//! An answer to a question of the turn before: what was asked for then, with what is known by now.

use assay_coordinator::AgentEntry;
use assay_suite::SlotKind;
use serde_json::{Value, json};

use super::picking::picked;
use super::record::last_question;
use crate::library::Library;
use crate::matching::{Bound, Given, NameIndex, Question};

/// A request that waits for an answer to a question.
#[derive(Debug, Clone, PartialEq)]
pub struct Unanswered {
    pub request: String,
    pub given: Given,
    pub question: Question,
}

impl Unanswered {
    /// The question with which the last turn of a session ended, if it ended so.
    pub fn of(entries: &[AgentEntry]) -> Result<Option<Unanswered>, (u64, serde_json::Error)> {
        last_question(entries)
    }
}

/// A line after a question: the answer to it, or a request of its own.
pub fn answered(line: &str, before: Unanswered, library: &Library, index: &NameIndex) -> (String, Given) {
    let Unanswered { request, mut given, question } = before;
    let chosen = picked(line, &question.candidates);
    let one = match chosen.as_slice() {
        [one] => Some(*one),
        _ => None,
    };
    let Some(slot) = &question.slot else {
        // Candidates are skills, or parts of the request.
        return match one {
            Some(skill) if library.skill(skill).is_ok() => {
                (request, Given { skill: Some(skill.clone()), ..given })
            }
            Some(part) => (part.clone(), Given::default()),
            None => (line.to_string(), Given::default()),
        };
    };
    let wanted = question.skill.as_ref().and_then(|skill| library.skill(skill).ok()?.slot(slot));
    match wanted.map(|slot| slot.kind) {
        Some(SlotKind::Parameters) => (format!("{request} {}", one.map_or(line, String::as_str)), given),
        Some(SlotKind::Text | SlotKind::Code | SlotKind::Address | SlotKind::Number) => {
            given.skill = question.skill.clone();
            given.slots.insert(slot.clone(), vec![Bound { value: json!(line), facts: Value::Null }]);
            (request, given)
        }
        Some(kind) if one.is_some() || (!chosen.is_empty() && wanted.is_some_and(|slot| slot.is_many)) => {
            let bound = |name: &&String| {
                let facts =
                    index.of(kind).find(|known| known.name == **name).map(|known| known.facts.clone());
                Bound { value: json!(name), facts: facts.unwrap_or_default() }
            };
            given.skill = question.skill.clone();
            given.slots.insert(slot.clone(), chosen.iter().map(bound).collect());
            (request, given)
        }
        Some(_) | None => (line.to_string(), Given::default()),
    }
}

#[cfg(test)]
mod tests {
    use assay_coordinator::AgentEntryKind;

    use super::*;

    fn entries(steps: &[Value]) -> Vec<AgentEntry> {
        let entry = |(at, body): (usize, &Value)| AgentEntry {
            number: at as u64 + 1,
            at: 0,
            kind: if *body == json!("cleared") { AgentEntryKind::Cleared } else { AgentEntryKind::Message },
            refers: None,
            body: body.clone(),
        };
        steps.iter().enumerate().map(entry).collect()
    }

    fn asks() -> Vec<Value> {
        let question = json!({ "candidates": ["login_valid", "login_wrong"], "skill": "run-testcase", "slot": "testcase" });
        vec![
            json!({ "step": "request", "text": "run the login test" }),
            json!({ "step": "done", "answer": "Which test?", "exit_code": 3, "question": question }),
        ]
    }

    #[track_caller]
    fn check(steps: Vec<Value>, expected: Option<(&str, &str)>) {
        let open = Unanswered::of(&entries(&steps)).unwrap();
        let found = open.as_ref().map(|open| (open.request.as_str(), open.question.text.as_str()));
        assert_eq!(found, expected);
    }

    #[test]
    fn the_question_of_the_last_turn_waits_for_an_answer() {
        check(asks(), Some(("run the login test", "Which test?")));
        check(Vec::new(), None);
        let later = [
            json!({ "step": "request", "text": "list the hosts" }),
            json!({ "step": "done", "answer": "one", "exit_code": 0 }),
        ];
        check([asks(), later.to_vec()].concat(), None);
        check([asks(), vec![json!("cleared")]].concat(), None);
    }

    #[test]
    fn a_request_with_a_secret_is_not_gone_on_with() {
        let mut steps = asks();
        steps[0]["is_masked"] = json!(true);
        check(steps, None);
    }
}
