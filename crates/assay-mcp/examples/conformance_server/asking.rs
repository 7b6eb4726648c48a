//! Tools that ask their client something before they answer.

use std::collections::BTreeMap;

use assay_mcp::{Ability, Answer as Given, AskError, Call, Question, RequestError, ToolResult};
use serde_json::{Map, Value, json};

use crate::fixtures::{Answer, Fixture, Fixtures};

pub const TOOLS: &[Fixture] = &[
    Fixture { name: "test_sampling", description: "Asks the model", arguments: &["prompt"], run: sampling },
    Fixture {
        name: "test_elicitation",
        description: "Asks the user",
        arguments: &["message"],
        run: elicitation,
    },
    Fixture {
        name: "test_elicitation_sep1034_defaults",
        description: "Asks the user with defaults",
        arguments: &[],
        run: defaults,
    },
    Fixture {
        name: "test_elicitation_sep1330_enums",
        description: "Asks the user to choose",
        arguments: &[],
        run: choices,
    },
    Fixture {
        name: "test_missing_capability",
        description: "Needs sampling",
        arguments: &[],
        run: needs_sampling,
    },
    Fixture {
        name: "test_input_required_result_elicitation",
        description: "Asks for a name",
        arguments: &[],
        run: ask_name,
    },
    Fixture {
        name: "test_input_required_result_sampling",
        description: "Asks the model for a capital",
        arguments: &[],
        run: ask_capital,
    },
    Fixture {
        name: "test_input_required_result_list_roots",
        description: "Asks for the folders",
        arguments: &[],
        run: ask_roots,
    },
    Fixture {
        name: "test_input_required_result_request_state",
        description: "Asks for a confirmation",
        arguments: &[],
        run: ask_confirmation,
    },
    Fixture {
        name: "test_input_required_result_tampered_state",
        description: "Asks for a confirmation",
        arguments: &[],
        run: ask_confirmation,
    },
    Fixture {
        name: "test_input_required_result_multiple_inputs",
        description: "Asks three things at once",
        arguments: &[],
        run: ask_three,
    },
    Fixture {
        name: "test_input_required_result_multi_round",
        description: "Asks two things one after the other",
        arguments: &[],
        run: ask_twice,
    },
    Fixture {
        name: "test_input_required_result_capabilities",
        description: "Asks for what the client can answer",
        arguments: &[],
        run: ask_what_is_possible,
    },
    Fixture {
        name: "test_streaming_elicitation",
        description: "Reports progress, then asks for a name",
        arguments: &[],
        run: ask_in_stream,
    },
];

fn name_form() -> Question {
    Question::form("What is your name?", json!({"name": {"type": "string"}}), &["name"])
}

fn sample(text: &str, tokens: u32) -> Question {
    let mut params = Map::new();
    params
        .insert("messages".to_string(), json!([{"role": "user", "content": {"type": "text", "text": text}}]));
    params.insert("maxTokens".to_string(), json!(tokens));
    Question::Sample(params)
}

/// The field of a form or the text of a model.
fn text_of(given: &Given, pointer: &str) -> String {
    match given {
        Given::Given(value) => {
            value.pointer(pointer).and_then(Value::as_str).unwrap_or("nothing").to_string()
        }
        Given::Declined | Given::Dismissed => "nobody".to_string(),
    }
}

fn described(given: &Given) -> String {
    match given {
        Given::Given(content) => format!("action=accept, content={content}"),
        Given::Declined => "action=decline, content={}".to_string(),
        Given::Dismissed => "action=cancel, content={}".to_string(),
    }
}

/// A client that cannot be asked gets a tool error, as its model can go on without the tool.
fn asked(result: Result<ToolResult, AskError>) -> Result<ToolResult, RequestError> {
    match result {
        Err(error @ AskError::Unsupported(_)) => Ok(ToolResult::error(error.to_string())),
        other => Ok(other?),
    }
}

fn sampling<'a>(_: &'a Fixtures, arguments: &'a Map<String, Value>, call: &'a Call) -> Answer<'a> {
    Box::pin(async move {
        let prompt = arguments.get("prompt").and_then(Value::as_str).unwrap_or_default();
        asked(
            call.ask(sample(prompt, 100))
                .await
                .map(|given| ToolResult::text(format!("LLM response: {}", text_of(&given, "/content/text")))),
        )
    })
}

fn elicitation<'a>(_: &'a Fixtures, arguments: &'a Map<String, Value>, call: &'a Call) -> Answer<'a> {
    Box::pin(async move {
        let message = arguments.get("message").and_then(Value::as_str).unwrap_or_default();
        let properties = json!({
            "username": {"type": "string", "description": "User's response"},
            "email": {"type": "string", "description": "User's email address"},
        });
        let question = Question::form(message, properties, &["username", "email"]);
        asked(
            call.ask(question)
                .await
                .map(|given| ToolResult::text(format!("User response: {}", described(&given)))),
        )
    })
}

fn defaults<'a>(_: &'a Fixtures, _: &'a Map<String, Value>, call: &'a Call) -> Answer<'a> {
    let properties = json!({
        "name": {"type": "string", "default": "John Doe"},
        "age": {"type": "integer", "default": 30},
        "score": {"type": "number", "default": 95.5},
        "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
        "verified": {"type": "boolean", "default": true},
    });
    Box::pin(complete(call, Question::form("Please check your data", properties, &[])))
}

fn choices<'a>(_: &'a Fixtures, _: &'a Map<String, Value>, call: &'a Call) -> Answer<'a> {
    let titled = json!([
        {"const": "value1", "title": "First Option"},
        {"const": "value2", "title": "Second Option"},
        {"const": "value3", "title": "Third Option"},
    ]);
    let properties = json!({
        "untitledSingle": {"type": "string", "enum": ["option1", "option2", "option3"]},
        "titledSingle": {"type": "string", "oneOf": titled},
        "legacyEnum": {
            "type": "string",
            "enum": ["opt1", "opt2", "opt3"],
            "enumNames": ["Option One", "Option Two", "Option Three"],
        },
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": ["option1", "option2", "option3"]}},
        "titledMulti": {"type": "array", "items": {"anyOf": titled}},
    });
    Box::pin(complete(call, Question::form("Please choose", properties, &[])))
}

async fn complete(call: &Call, question: Question) -> Result<ToolResult, RequestError> {
    let given = call.ask(question).await;
    asked(given.map(|given| ToolResult::text(format!("Elicitation completed: {}", described(&given)))))
}

fn needs_sampling<'a>(_: &'a Fixtures, _: &'a Map<String, Value>, call: &'a Call) -> Answer<'a> {
    Box::pin(async move {
        if call.caller().abilities.has(Ability::Sample) {
            Ok(ToolResult::text("The client declares sampling."))
        } else {
            Err(RequestError::MissingAbility(Ability::Sample))
        }
    })
}

fn ask_name<'a>(_: &'a Fixtures, _: &'a Map<String, Value>, call: &'a Call) -> Answer<'a> {
    Box::pin(async move {
        let given = call.ask_as("user_name", name_form()).await?;
        Ok(ToolResult::text(format!("Hello, {}!", text_of(&given, "/name"))))
    })
}

fn ask_capital<'a>(_: &'a Fixtures, _: &'a Map<String, Value>, call: &'a Call) -> Answer<'a> {
    Box::pin(async move {
        let given = call.ask_as("capital_question", sample("What is the capital of France?", 100)).await?;
        Ok(ToolResult::text(text_of(&given, "/content/text")))
    })
}

fn ask_roots<'a>(_: &'a Fixtures, _: &'a Map<String, Value>, call: &'a Call) -> Answer<'a> {
    Box::pin(async move {
        let given = call.ask_as("client_roots", Question::Roots).await?;
        Ok(ToolResult::text(format!("The first folder: {}", text_of(&given, "/roots/0/uri"))))
    })
}

fn ask_confirmation<'a>(_: &'a Fixtures, _: &'a Map<String, Value>, call: &'a Call) -> Answer<'a> {
    Box::pin(async move {
        let question = Question::form("Please confirm", json!({"ok": {"type": "boolean"}}), &["ok"]);
        let given = call.ask_as("confirm", question).await?;
        Ok(ToolResult::text(format!("state-ok: {}", described(&given))))
    })
}

fn ask_three<'a>(_: &'a Fixtures, _: &'a Map<String, Value>, call: &'a Call) -> Answer<'a> {
    Box::pin(async move {
        let questions: BTreeMap<String, Question> = [
            ("user_name".to_string(), name_form()),
            ("greeting".to_string(), sample("Generate a greeting", 50)),
            ("client_roots".to_string(), Question::Roots),
        ]
        .into();
        let answers = call.ask_all(questions).await?;
        let names: Vec<&str> = answers.keys().map(String::as_str).collect();
        Ok(ToolResult::text(format!("Answered: {}", names.join(", "))))
    })
}

fn ask_twice<'a>(_: &'a Fixtures, _: &'a Map<String, Value>, call: &'a Call) -> Answer<'a> {
    Box::pin(async move {
        let form = |message: &str, field: &str| {
            Question::form(message, json!({field: {"type": "string"}}), &[field])
        };
        let name = call.ask_as("step1", form("Step 1: What is your name?", "name")).await?;
        let color = call.ask_as("step2", form("Step 2: What is your favorite color?", "color")).await?;
        Ok(ToolResult::text(format!("{} likes {}", text_of(&name, "/name"), text_of(&color, "/color"))))
    })
}

fn ask_what_is_possible<'a>(_: &'a Fixtures, _: &'a Map<String, Value>, call: &'a Call) -> Answer<'a> {
    Box::pin(async move {
        let all = [("user_name", name_form()), ("greeting", sample("Generate a greeting", 50))];
        let possible =
            all.into_iter().filter(|(_, question)| call.caller().abilities.has(question.ability()));
        let questions: BTreeMap<String, Question> =
            possible.map(|(name, question)| (name.to_string(), question)).collect();
        let answers = call.ask_all(questions).await?;
        Ok(ToolResult::text(format!("{} answers", answers.len())))
    })
}

fn ask_in_stream<'a>(
    fixtures: &'a Fixtures,
    arguments: &'a Map<String, Value>,
    call: &'a Call,
) -> Answer<'a> {
    call.progress(1.0, Some(2.0), Some("about to ask"));
    ask_name(fixtures, arguments, call)
}
