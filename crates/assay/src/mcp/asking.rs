//! Questions of the tools to the user of a client: consent, and what a plan has to know.

use assay_mcp::{Ability, Answer, Call, Question};
use assay_tools::{Need, OpenQuestion};
use serde_json::{Map, Value, json};

/// What the user said.
pub enum Said {
    /// To this question.
    Yes(String),
    No,
    /// Texts by the ids of their questions.
    Answers(Value),
}

const ALLOW: &str = "allow";

/// Asks the user of the client. Where that is not possible, the advice says what else helps.
pub async fn ask(need: &Need, call: &Call, may_agree: bool) -> Result<Said, &'static str> {
    if !may_agree && matches!(need, Need::Consent(_)) {
        return Err("agreeing to it needs the role `admin` of this service");
    }
    if !call.caller().abilities.has(Ability::Form) {
        return Err(match need {
            Need::Consent(_) => {
                "this client cannot ask its user; the user may start the server with --allow-destructive"
            }
            Need::Answers(_) => "this client cannot ask its user; ask them yourself",
        });
    }
    let question = match need {
        Need::Consent(what) => consent(what),
        Need::Answers(questions) => form(questions),
    };
    let given = match call.ask(question).await {
        Ok(Answer::Given(given)) => given,
        Ok(Answer::Declined | Answer::Dismissed) => return Ok(Said::No),
        Err(_) => return Err("the client did not pass the question on"),
    };
    Ok(match need {
        Need::Consent(what) if given.get(ALLOW) == Some(&Value::Bool(true)) => Said::Yes(what.clone()),
        Need::Consent(_) => Said::No,
        Need::Answers(questions) => Said::Answers(answered(questions, &given)),
    })
}

fn object(properties: Map<String, Value>, required: &[&str]) -> Map<String, Value> {
    let mut schema = Map::new();
    schema.insert("type".to_string(), json!("object"));
    schema.insert("properties".to_string(), Value::Object(properties));
    schema.insert("required".to_string(), json!(required));
    schema
}

fn consent(what: &str) -> Question {
    let mut properties = Map::new();
    properties.insert(ALLOW.to_string(), json!({ "type": "boolean", "title": "Allow it this time" }));
    Question::Form { message: what.to_string(), schema: object(properties, &[ALLOW]) }
}

fn form(questions: &[OpenQuestion]) -> Question {
    let field = |question: &OpenQuestion| {
        let field = json!({ "type": "string", "title": question.question, "description": question.why });
        (question.id.clone(), field)
    };
    Question::Form {
        message:
            "Some questions come before the tests. Leave out what you do not know, and never enter a secret."
                .to_string(),
        schema: object(questions.iter().map(field).collect(), &[]),
    }
}

/// What was left empty was not answered.
fn answered(questions: &[OpenQuestion], given: &Value) -> Value {
    let said = |question: &OpenQuestion| {
        let text = given.get(&question.id)?.as_str()?.trim();
        (!text.is_empty()).then(|| (question.id.clone(), Value::String(text.to_string())))
    };
    Value::Object(questions.iter().filter_map(said).collect())
}
