//! The arguments of a model's calls, read strictly: an unknown field is a mistake, not a surprise.

use serde::Deserialize;
use serde_json::Value;

use crate::draft::{Draft, DraftTrial};
use crate::scope::{Ambiguity, Exclusion, OpenQuestion, TestScope};
use crate::words::{one_line, words};

/// More are not asked at once: nobody answers twenty questions before the first test.
const MOST_QUESTIONS: usize = 5;
const MOST_TESTS: usize = 20;
const LONGEST_ID: usize = 20;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ScopeArguments {
    included: Vec<String>,
    excluded: Vec<ExcludedArgument>,
    ambiguous: Vec<AmbiguousArgument>,
    questions: Vec<QuestionArgument>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ExcludedArgument {
    what: String,
    why: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AmbiguousArgument {
    point: String,
    why: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct QuestionArgument {
    question: String,
    why: String,
    blocking: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TestsArguments {
    tests: Vec<TestArgument>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TestArgument {
    name: String,
    tags: Vec<String>,
    requirements: Vec<String>,
    preconditions: Vec<String>,
    secrets: Vec<String>,
    steps: Vec<String>,
    expected: Vec<String>,
}

pub(super) fn scope(arguments: &Value) -> Result<TestScope, String> {
    let read = ScopeArguments::deserialize(arguments).map_err(|err| err.to_string())?;
    if read.questions.len() > MOST_QUESTIONS {
        return Err(format!("expected at most {MOST_QUESTIONS} questions, found {}", read.questions.len()));
    }
    let mut questions: Vec<OpenQuestion> = Vec::new();
    for asked in read.questions {
        let id = question_id(&asked.question, &questions);
        let (text, why) = (one_line(&asked.question), one_line(&asked.why));
        questions.push(OpenQuestion { id, text, why, is_blocking: asked.blocking });
    }
    Ok(TestScope {
        included: read.included.iter().map(|one| one_line(one)).collect(),
        excluded: read
            .excluded
            .iter()
            .map(|one| Exclusion::new(one_line(&one.what), one_line(&one.why)))
            .collect(),
        ambiguous: read
            .ambiguous
            .iter()
            .map(|one| Ambiguity { point: one_line(&one.point), why: one_line(&one.why) })
            .collect(),
        questions,
    })
}

/// Words of the question, so that an answer in a later call says what it answers: nothing is remembered between calls.
fn question_id(question: &str, others: &[OpenQuestion]) -> String {
    let mut id = String::new();
    for word in
        words(question).iter().filter(|word| word.chars().all(|letter| letter.is_ascii_alphanumeric()))
    {
        if id.len() + word.len() > LONGEST_ID {
            break;
        }
        if !id.is_empty() {
            id.push('-');
        }
        id.push_str(word);
    }
    if id.is_empty() || others.iter().any(|other| other.id == id) {
        id = format!("q{}", others.len() + 1);
    }
    id
}

pub(super) fn tests(arguments: &Value) -> Result<Vec<Draft>, String> {
    let read = TestsArguments::deserialize(arguments).map_err(|err| err.to_string())?;
    match read.tests.len() {
        0 => return Err("there is no test in it".to_string()),
        many if many > MOST_TESTS => {
            return Err(format!("expected at most {MOST_TESTS} tests, found {many}"));
        }
        _ => {}
    }
    let draft = |test: TestArgument| Draft {
        name: test.name.trim().to_string(),
        tags: test.tags,
        requirements: test.requirements,
        preconditions: test.preconditions,
        secrets: test.secrets,
        steps: test.steps,
        expected: test.expected,
        remarks: Vec::new(),
        trial: DraftTrial::Sends,
    };
    Ok(read.tests.into_iter().map(draft).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn test() -> Value {
        json!({"name": "A", "tags": [], "requirements": [], "preconditions": [], "secrets": [], "steps": ["Go to /"],
               "expected": ["The title is \"x\""]})
    }

    #[test]
    fn only_whole_tests_are_some() {
        assert_eq!(tests(&json!({"tests": [test()]})).map(|drafts| drafts.len()), Ok(1));
        let mut named = test();
        named["file"] = json!("../../evil.yaml");
        for (wrong, why) in [
            (json!({"tests": [named]}), "unknown field `file`"),
            (json!({"tests": []}), "no test"),
            (json!({"tests": "test: A"}), "invalid type"),
            (json!({"tests": [{"name": "A"}]}), "missing field"),
            (json!({"tests": vec![test(); 21]}), "at most 20 tests"),
        ] {
            let found = tests(&wrong).err().unwrap_or_default();
            assert!(found.contains(why), "{found}");
        }
    }

    #[test]
    fn a_question_gets_an_id_to_be_answered_by() {
        let read = scope(&json!({"included": ["a"], "excluded": [], "ambiguous": [],
            "questions": [{"question": "Which\nuser?", "why": "two", "blocking": true},
                          {"question": "Which user?", "why": "two", "blocking": false},
                          {"question": "Should a guest without an account be able to order?", "why": "", "blocking": false}]}));
        let read = read.unwrap_or_default();
        let ids: Vec<&str> = read.questions.iter().map(|one| one.id.as_str()).collect();
        assert_eq!(ids, ["which-user", "q2", "should-a-guest"]);
        assert_eq!(read.questions[0].text, "Which user?");
        let answered = crate::read_answers("should-a-guest: yes");
        assert_eq!(answered[0].id.as_deref(), Some("should-a-guest"));
    }
}
