//! The examples of the contracts, read by the formats.

use assay_provider::SseReader;
use assay_provider::answer::{
    Chord, ComputerAction, ComputerButton, Item, ModelAnswer, PageRead, PointerTarget, Stop,
};
use assay_provider::conversation::{ComputerTool, Environment, Question, Tool};
use assay_provider::formats::{
    Anthropic, AnthropicVersion, Chat, ChatProfile, Format, Gemini, ReadError, Responses, State,
};
use assay_testkit::models::{example, example_json};

const ANTHROPIC: Anthropic = Anthropic { version: AnthropicVersion::V20261021 };
const RESPONSES: Responses = Responses { state: State::Ours };
const CHAT: Chat = Chat { profile: ChatProfile::PORTABLE };

fn asked_with(tool: Option<ComputerTool>) -> Question {
    let mut question = Question::new("", 100);
    question.tools.extend(tool.map(Tool::Computer));
    question
}

fn gemini_tool() -> Option<ComputerTool> {
    let environment = Environment::Browser;
    Some(ComputerTool::Gemini { environment, excluded: Vec::new(), detects_injection: true })
}

fn whole(format: &dyn Format, name: &str, tool: Option<ComputerTool>) -> ModelAnswer {
    format.read(example_json(name), &asked_with(tool)).unwrap()
}

/// Reads a stream that is cut into pieces of this length.
fn streamed(
    format: &dyn Format,
    name: &str,
    length: usize,
    tool: Option<ComputerTool>,
) -> Result<ModelAnswer, ReadError> {
    let mut reader = SseReader::default();
    let mut assembler = format.assembler();
    for piece in example(name).as_bytes().chunks(length) {
        for event in reader.read(piece).unwrap() {
            assembler.take(&event)?;
        }
    }
    format.read(assembler.finish()?, &asked_with(tool))
}

fn pixel(x: i64, y: i64) -> PointerTarget {
    PointerTarget::Pixel { x, y }
}

fn type_text(text: &str) -> ComputerAction {
    ComputerAction::Type { text: text.into(), at: None, clears_first: false, presses_enter: false }
}

fn left_click(at: PointerTarget) -> ComputerAction {
    ComputerAction::Click { at, button: ComputerButton::Left, times: 1, modifiers: Chord(Vec::new()) }
}

/// What the computer call of OpenAI's examples asks for.
fn search_for_penguins() -> Vec<ComputerAction> {
    vec![
        left_click(pixel(405, 157)),
        type_text("penguin"),
        ComputerAction::Keypress { chords: vec![Chord(vec!["Enter".into()])], times: 1 },
        ComputerAction::Screenshot,
    ]
}

#[test]
fn anthropic_whole() {
    let answer = whole(&ANTHROPIC, "anthropic/02-browser-toolset.response.json", None);
    assert_eq!((answer.text().as_str(), &answer.stop), ("I'll read the page first.", &Stop::Calls));
    let call = answer.computer_calls().next().unwrap();
    assert_eq!((call.id.as_str(), call.toolset.as_deref()), ("toolu_01", Some("browser")));
    let read = PageRead::Elements { interactive_only: true, depth: 15, below: None };
    assert_eq!(call.actions, [ComputerAction::Read(read)]);
    let usage = answer.usage.unwrap();
    assert_eq!(
        (usage.input, usage.cache_written, usage.cache_written_long, usage.output),
        (21, 240, 1600, 96)
    );

    let refused = whole(&ANTHROPIC, "anthropic/10-refusal.response.json", None);
    assert_eq!(refused.stop, Stop::Refused { category: Some("cyber".into()), explanation: None });
}

#[test]
fn anthropic_streamed_in_any_pieces() {
    let name = "anthropic/11-tool-use.stream.sse";
    for length in 1..200 {
        let answer = streamed(&ANTHROPIC, name, length, None).unwrap();
        assert_eq!(answer.items.len(), 3);
        assert_eq!(answer.items[0], Item::Thinking("The button is visible.".into()));
        assert_eq!(answer.raw[0]["signature"], "EqQBCgIYAh...");
        let call = answer.computer_calls().next().unwrap();
        assert_eq!(call.actions, [left_click(PointerTarget::Ref("ref_7".into()))]);
        let usage = answer.usage.unwrap();
        assert_eq!((usage.input, usage.cache_read, usage.output), (21, 1840, 74));
    }
}

#[test]
fn every_stream_that_is_cut_anywhere_is_known_to_be_cut() {
    let formats: [(&dyn Format, &str, &str); 4] = [
        (&ANTHROPIC, "anthropic/11-tool-use.stream.sse", "event: message_stop"),
        (&RESPONSES, "responses/12-computer-call.stream.sse", "event: response.completed"),
        (&CHAT, "chat/04-tool-calls.stream.sse", "\"finish_reason\":\"tool_calls\""),
        (&Gemini, "gemini/06-text.stream.sse", "\"finishReason\""),
    ];
    for (format, name, last) in formats {
        let text = example(name);
        let enough = text.find(last).unwrap();
        for end in 0..enough {
            let mut reader = SseReader::default();
            let mut assembler = format.assembler();
            for event in reader.read(&text.as_bytes()[..end]).unwrap() {
                assembler.take(&event).unwrap();
            }
            assert_eq!(assembler.finish().unwrap_err(), ReadError::Cut, "{name} cut at {end}");
        }
    }
}

#[test]
fn an_error_in_a_stream_is_a_refusal() {
    let error = streamed(&ANTHROPIC, "anthropic/12-error.stream.sse", 10, None).unwrap_err();
    assert!(matches!(error, ReadError::Refused(_)), "{error}");
}

#[test]
fn responses_whole_in_both_shapes() {
    let answer = whole(&RESPONSES, "responses/02-computer-call.response.json", None);
    assert_eq!(answer.computer_calls().next().unwrap().actions, search_for_penguins());
    let usage = answer.usage.unwrap();
    assert_eq!((usage.input, usage.output, usage.thinking), (1834, 57, 32));

    let legacy = whole(&RESPONSES, "responses/10-preview-legacy.response.json", None);
    let twice = ComputerAction::Click {
        at: pixel(12, 30),
        button: ComputerButton::Left,
        times: 2,
        modifiers: Chord(Vec::new()),
    };
    assert_eq!(legacy.computer_calls().next().unwrap().actions, [twice]);

    let last = whole(&RESPONSES, "responses/04-final.response.json", None);
    assert_eq!(last.stop, Stop::Finished);
}

#[test]
fn responses_with_a_safety_check() {
    let answer = whole(&RESPONSES, "responses/05-safety-check.response.json", None);
    let call = answer.computer_calls().next().unwrap();
    let check = &call.pending_safety_checks[0];
    assert_eq!((check.id.as_str(), check.code.as_deref()), ("cu_sc_01", Some("malicious_instructions")));
}

#[test]
fn responses_streamed_in_any_pieces() {
    for length in (1..100).chain([1000]) {
        let answer = streamed(&RESPONSES, "responses/12-computer-call.stream.sse", length, None).unwrap();
        assert_eq!(answer.computer_calls().next().unwrap().actions, search_for_penguins());
        let text = streamed(&RESPONSES, "responses/13-text.stream.sse", length, None).unwrap();
        assert_eq!(text.text(), "The login form was submitted.");
    }
}

#[test]
fn encrypted_reasoning_is_taken_from_where_the_item_was_done() {
    let text = example("responses/12-computer-call.stream.sse");
    let item =
        r#""item":{"type":"reasoning","id":"rs_20","summary":[{"type":"summary_text","text":"Clicking"}]"#;
    let spoilt = text.replace(item, &format!(r#"{item},"encrypted_content":"gAAAA""#));
    assert_ne!(spoilt, text);
    let mut reader = SseReader::default();
    let mut assembler = RESPONSES.assembler();
    for event in reader.read(spoilt.as_bytes()).unwrap() {
        assembler.take(&event).unwrap();
    }
    let answer = RESPONSES.read(assembler.finish().unwrap(), &asked_with(None)).unwrap();
    assert_eq!(answer.raw[0]["encrypted_content"], "gAAAA");
    assert_eq!(answer.raw.len(), 2);
}

#[test]
fn chat_whole_and_streamed() {
    let answer = whole(&CHAT, "chat/02-tool-calls.response.json", None);
    assert_eq!(answer.usage.unwrap().cache_read, 768);
    for length in 1..100 {
        let streamed = streamed(&CHAT, "chat/04-tool-calls.stream.sse", length, None).unwrap();
        assert_eq!(streamed.items, answer.items);
        assert_eq!((streamed.stop, streamed.usage.unwrap().question()), (Stop::Calls, 812));
    }
}

#[test]
fn gemini_whole_and_streamed() {
    let answer = whole(&Gemini, "gemini/02-computer-call.response.json", gemini_tool());
    let call = answer.computer_calls().next().unwrap();
    assert_eq!(call.actions, [left_click(PointerTarget::Thousandth { x: 316.0, y: 196.0 })]);
    assert_eq!(call.intent.as_deref(), Some("Press the log in button"));
    let usage = answer.usage.unwrap();
    assert_eq!((usage.input, usage.cache_read, usage.output, usage.thinking), (516, 1024, 55, 31));

    let asked = whole(&Gemini, "gemini/04-confirmation.response.json", gemini_tool());
    let check = &asked.computer_calls().next().unwrap().pending_safety_checks[0];
    assert_eq!(check.code.as_deref(), Some("require_confirmation"));

    for length in 1..100 {
        let text = streamed(&Gemini, "gemini/06-text.stream.sse", length, None).unwrap();
        assert_eq!(text.items, [Item::Text("The login form was submitted.".into())]);
    }
}
