//! Answers that nobody would send, sent: whatever it is, nothing panics.

use assay_provider::SseEvent;
use assay_provider::conversation::{ComputerTool, Environment, Question, SingleComputerVersion, Tool};
use assay_provider::formats::{
    Anthropic, AnthropicVersion, Chat, ChatProfile, Format, Gemini, Responses, State,
};
use assay_testkit::models::{example, example_json};
use serde_json::{Value, json};

/// A format, answers that it reads, and streams that it reads.
type Subject = (Box<dyn Format>, Vec<&'static str>, Vec<&'static str>);

/// All formats with what they read. The question declares every tool there is, so that all of it is understood.
fn subjects() -> Vec<Subject> {
    vec![
        (
            Box::new(Anthropic { version: AnthropicVersion::V20261021 }),
            vec!["anthropic/02-browser-toolset.response.json", "anthropic/10-refusal.response.json"],
            vec!["anthropic/11-tool-use.stream.sse", "anthropic/12-error.stream.sse"],
        ),
        (
            Box::new(Responses { state: State::Ours }),
            vec![
                "responses/02-computer-call.response.json",
                "responses/05-safety-check.response.json",
                "responses/10-preview-legacy.response.json",
            ],
            vec!["responses/12-computer-call.stream.sse", "responses/13-text.stream.sse"],
        ),
        (
            Box::new(Chat { profile: ChatProfile::PORTABLE }),
            vec!["chat/02-tool-calls.response.json"],
            vec!["chat/04-tool-calls.stream.sse"],
        ),
        (
            Box::new(Gemini),
            vec!["gemini/02-computer-call.response.json", "gemini/04-confirmation.response.json"],
            vec!["gemini/06-text.stream.sse"],
        ),
    ]
}

fn question() -> Question {
    let mut question = Question::new("", 100);
    let version = SingleComputerVersion::V20251124;
    question.tools.push(Tool::Computer(ComputerTool::AnthropicSingle { version, width: 10, height: 10 }));
    let environment = Environment::Browser;
    let gemini = ComputerTool::Gemini { environment, excluded: Vec::new(), detects_injection: false };
    question.tools.push(Tool::Computer(gemini));
    question
}

fn garbage() -> Vec<Value> {
    vec![
        Value::Null,
        json!(true),
        json!(-1),
        json!(1.5e300),
        json!("x"),
        json!([]),
        json!([null]),
        json!([[1]]),
        json!({}),
        json!({"type": "tool_use"}),
        json!([{"type": "tool_use", "id": 1, "name": []}]),
    ]
}

/// Every variant of a value in which one place holds something else, or is not there.
fn spoilt(value: &Value, garbage: &[Value]) -> Vec<Value> {
    let mut variants = garbage.to_vec();
    match value {
        Value::Object(fields) => {
            for (name, inner) in fields {
                let mut without = fields.clone();
                without.remove(name);
                variants.push(Value::Object(without));
                for variant in spoilt(inner, garbage) {
                    let mut with = fields.clone();
                    with.insert(name.clone(), variant);
                    variants.push(Value::Object(with));
                }
            }
        }
        Value::Array(values) => {
            for (index, inner) in values.iter().enumerate() {
                for variant in spoilt(inner, garbage) {
                    let mut with = values.clone();
                    with[index] = variant;
                    variants.push(Value::Array(with));
                }
            }
        }
        _ => {}
    }
    variants
}

#[test]
fn no_answer_makes_a_format_panic() {
    let question = question();
    let mut read = 0;
    for (format, names, _) in subjects() {
        for name in names {
            for body in spoilt(&example_json(name), &garbage()) {
                // What comes of it does not matter: that it comes is the point.
                if let Ok(answer) = format.read(body, &question) {
                    drop(answer.turn());
                }
                read += 1;
            }
        }
    }
    assert!(read > 3000, "{read}");
}

#[test]
fn no_event_makes_a_stream_panic() {
    let question = question();
    // One of each type: the events of one stream have thousands of places.
    let few = [Value::Null, json!(-1), json!("x"), json!([null]), json!({})];
    for (format, _, names) in subjects() {
        for name in names {
            let events: Vec<Value> = example(name)
                .lines()
                .filter_map(|line| serde_json::from_str(line.strip_prefix("data: ")?).ok())
                .collect();
            for place in 0..events.len() {
                for variant in spoilt(&events[place], &few) {
                    let mut assembler = format.assembler();
                    for (index, event) in events.iter().enumerate() {
                        let data = if index == place { &variant } else { event };
                        let event = SseEvent { name: "message".into(), data: data.to_string() };
                        if assembler.take(&event).is_err() {
                            break;
                        }
                    }
                    if let Ok(whole) = assembler.finish() {
                        drop(format.read(whole, &question));
                    }
                }
            }
        }
    }
}

#[test]
fn no_refusal_makes_a_format_panic() {
    for (format, ..) in subjects() {
        let bodies = [
            "anthropic/09-rate-limit.error-429.json",
            "responses/08-rate-limit.error-429.json",
            "gemini/05-rate-limit.error-429.json",
        ];
        for name in bodies {
            for body in spoilt(&example_json(name), &garbage()) {
                for status in [100, 301, 400, 404, 418, 429, 500, 529, 999] {
                    let refusal = format.read_refusal(status, body.to_string().as_bytes());
                    assert!(!refusal.message.is_empty());
                }
            }
        }
    }
}
