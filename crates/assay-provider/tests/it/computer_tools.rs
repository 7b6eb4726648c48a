//! The computer tools of three providers: declared, called, answered.

use std::collections::BTreeMap;

use assay_provider::answer::{ComputerAction, ComputerButton, PointerTarget, SafetyCheck};
use assay_provider::conversation::{
    ComputerTool, Environment, Message, Part, Question, SingleComputerVersion, Tab, Tool, ToolResult,
};
use assay_provider::formats::{Delivery, Responses, State};
use assay_provider::{ModelName, ProviderError};
use assay_testkit::models::{Api, StandIn, Turn};
use serde_json::{Value, json};

use crate::test_bench::{Bench, http, picture, question};

fn with_tool(tool: ComputerTool) -> Question {
    let mut question = question();
    question.tools.push(Tool::Computer(tool));
    question
}

fn tabs() -> Vec<Tab> {
    let tab = |id: &str, active| Tab {
        id: id.to_string(),
        title: "Login".to_string(),
        url: "http://127.0.0.1:3000/login".to_string(),
        active,
    };
    vec![tab("tab_1", true), tab("tab_2", false)]
}

fn openai(width: u32) -> ComputerTool {
    ComputerTool::OpenAi { width, height: 800, environment: Environment::Browser }
}

fn gemini() -> ComputerTool {
    let excluded = vec!["open_web_browser".to_string()];
    ComputerTool::Gemini { environment: Environment::Browser, excluded, detects_injection: true }
}

/// One computer call in the provider's words, its result, and a last word. Gives back the acts.
async fn turn(model: &str, api: Api, tool: ComputerTool, native: Value) -> (Vec<ComputerAction>, Vec<Value>) {
    let stand_in = StandIn::start(api);
    stand_in.next(Turn::text("I try.").and_native(native)).next(Turn::text("Done."));
    let model = ModelName::read(model).unwrap();
    let mut bench = Bench::with(&stand_in.base(), &model, Delivery::Streamed, http());
    let mut question = with_tool(tool);
    let answer = bench.ask(&question).await.unwrap();
    let call = answer.computer_calls().next().unwrap().clone();
    question.messages.push(answer.turn());
    let parts = vec![Part::Text("Clicked.".into()), Part::Picture(picture())];
    let result = ToolResult { tabs: tabs(), ..ToolResult::done(call.call_ref(), parts) };
    question.messages.push(Message::Results { results: vec![result], remarks: Vec::new() });
    assert_eq!(bench.ask(&question).await.unwrap().text(), "Done.");
    let bodies = stand_in.asked().into_iter().map(|asked| asked.body).collect();
    (call.actions, bodies)
}

#[tokio::test]
async fn anthropics_toolsets() {
    let members =
        BTreeMap::from([("read_console".to_string(), true), ("javascript_exec".to_string(), false)]);
    let native = json!({
        "type": "tool_use", "id": "toolu_x", "name": "left_click", "toolset_name": "browser",
        "input": {"target": {"type": "coordinate", "x": 10, "y": 20}, "modifiers": "ctrl+shift"},
    });
    let tool = ComputerTool::AnthropicBrowser { members };
    let (acts, bodies) = turn("claude-sonnet-5-5", Api::Anthropic, tool, native).await;
    let [ComputerAction::Click { at: PointerTarget::Pixel { x: 10, y: 20 }, modifiers, .. }] =
        acts.as_slice()
    else {
        panic!("{acts:?}")
    };
    assert_eq!(modifiers.0, ["Control", "Shift"]);
    let result = &bodies[1]["messages"][2]["content"][0];
    assert_eq!(result["toolset_name"], "browser");
    assert_eq!(result["content"][2]["type"], "browser_state");

    let native = json!({
        "type": "tool_use", "id": "toolu_y", "name": "scroll", "toolset_name": "computer",
        "input": {"coordinate": [5, 6], "scroll_direction": "down", "scroll_amount": 3},
    });
    let tool = ComputerTool::AnthropicComputer { members: BTreeMap::new() };
    let (acts, bodies) = turn("claude-sonnet-5-5", Api::Anthropic, tool, native).await;
    assert!(matches!(acts.as_slice(), [ComputerAction::Scroll { .. }]), "{acts:?}");
    assert!(!bodies[1].to_string().contains("browser_state"));
}

#[tokio::test]
async fn anthropics_single_tool_comes_with_its_header() {
    for (version, header) in [
        (SingleComputerVersion::V20250124, "computer-use-2025-01-24"),
        (SingleComputerVersion::V20251124, "computer-use-2025-11-24"),
    ] {
        let native = json!({
            "type": "tool_use", "id": "toolu_z", "name": "computer",
            "input": {"action": "right_click", "coordinate": [7, 8]},
        });
        let tool = ComputerTool::AnthropicSingle { version, width: 1280, height: 800 };
        // The stand-in refuses the tool without its header.
        let (acts, _) = turn("claude-opus-4-6", Api::Anthropic, tool, native).await;
        assert!(
            matches!(acts.as_slice(), [ComputerAction::Click { button: ComputerButton::Right, .. }]),
            "{header}: {acts:?}"
        );
    }
}

#[tokio::test]
async fn openais_tool_in_both_shapes() {
    let native = json!({
        "type": "computer_call", "id": "cu_1", "call_id": "call_cu", "status": "completed",
        "pending_safety_checks": [],
        "actions": [
            {"type": "click", "button": "wheel", "x": 1, "y": 2, "keys": ["CTRL"]},
            {"type": "drag", "path": [{"x": 1, "y": 1}, {"x": 9, "y": 9}]},
            {"type": "move", "x": 3, "y": 4},
            {"type": "scroll", "x": 1, "y": 2, "scroll_x": 0, "scroll_y": 120},
            {"type": "wait"},
        ],
    });
    let (acts, bodies) = turn("gpt-5.5", Api::Responses, openai(1280), native).await;
    assert!(
        matches!(
            acts.as_slice(),
            [
                ComputerAction::Click { button: ComputerButton::Middle, .. },
                ComputerAction::Drag { .. },
                ComputerAction::Move { .. },
                ComputerAction::Scroll { .. },
                ComputerAction::Wait { length: None },
            ]
        ),
        "{acts:?}"
    );
    assert_eq!(bodies[0]["tools"][0], json!({"type": "computer"}));
    // The text of the result and the address follow the picture as the user's words.
    let last = bodies[1]["input"].as_array().unwrap().last().unwrap().to_string();
    assert!(last.contains("Clicked.") && last.contains("127.0.0.1:3000/login"), "{last}");

    let native = json!({
        "type": "computer_call", "id": "cu_1", "call_id": "call_cu", "status": "completed",
        "pending_safety_checks": [], "action": {"type": "keypress", "keys": ["CTRL+ENTER"]},
    });
    let (acts, bodies) = turn("openai/computer-use-preview", Api::Responses, openai(1024), native).await;
    let [ComputerAction::Keypress { chords, .. }] = acts.as_slice() else { panic!("{acts:?}") };
    assert_eq!(chords[0].0, ["Control", "Enter"]);
    assert_eq!(bodies[0]["tools"][0]["display_width"], 1024);
}

#[tokio::test]
async fn geminis_tool_in_both_sets() {
    let native =
        |name: &str, args: Value| json!({"functionCall": {"id": "fc_1", "name": name, "args": args}});
    let new = native("type", json!({"text": "Ada", "press_enter": true}));
    let (acts, bodies) = turn("gemini-3.5-flash", Api::Gemini, gemini(), new).await;
    assert!(
        matches!(acts.as_slice(), [ComputerAction::Type { presses_enter: true, at: None, .. }]),
        "{acts:?}"
    );
    let response = &bodies[1]["contents"][2]["parts"][0]["functionResponse"];
    assert_eq!(response["response"]["url"], "http://127.0.0.1:3000/login");

    let old = native("type_text_at", json!({"x": 500, "y": 500, "text": "Ada"}));
    let (acts, _) = turn("gemini-3-flash-preview", Api::Gemini, gemini(), old).await;
    assert!(
        matches!(acts.as_slice(), [ComputerAction::Type { clears_first: true, at: Some(_), .. }]),
        "{acts:?}"
    );
}

#[tokio::test]
async fn a_call_without_an_id_is_answered_by_its_name() {
    let native = json!({"functionCall": {"name": "go_back", "args": {}}});
    let (acts, bodies) = turn("gemini-3-flash-preview", Api::Gemini, gemini(), native).await;
    assert!(matches!(acts.as_slice(), [ComputerAction::Navigate(_)]));
    assert!(bodies[1]["contents"][2]["parts"][0]["functionResponse"]["id"].is_null());
}

#[tokio::test]
async fn an_act_that_nobody_knows_is_kept_with_the_reason() {
    let native = json!({
        "type": "computer_call", "id": "cu_1", "call_id": "call_cu", "status": "completed",
        "pending_safety_checks": [], "actions": [{"type": "click", "button": "left", "x": 1}],
    });
    let stand_in = StandIn::start(Api::Responses);
    stand_in.next(Turn::native(native));
    let mut bench = Bench::on(&stand_in, Api::Responses, Delivery::Streamed);
    let answer = bench.ask(&with_tool(openai(1280))).await.unwrap();
    let call = answer.computer_calls().next().unwrap();
    let [ComputerAction::Unknown { raw, why }] = call.actions.as_slice() else { panic!("{call:?}") };
    assert_eq!((raw["x"].as_i64(), why.as_str()), (Some(1), "expected whole numbers `x` and `y`"));
}

fn pending_call() -> Value {
    json!({
        "type": "computer_call", "id": "cu_1", "call_id": "call_cu", "status": "completed",
        "pending_safety_checks": [{"id": "cu_sc_1", "code": "malicious_instructions", "message": "Careful."}],
        "actions": [{"type": "screenshot"}],
    })
}

#[tokio::test]
async fn a_safety_check_must_be_acknowledged_by_name() {
    for acknowledges in [false, true] {
        let stand_in = StandIn::start(Api::Responses);
        stand_in.next(Turn::native(pending_call()));
        let mut bench = Bench::on(&stand_in, Api::Responses, Delivery::Streamed);
        let mut question = with_tool(openai(1280));
        let answer = bench.ask(&question).await.unwrap();
        let call = answer.computer_calls().next().unwrap();
        let check = SafetyCheck {
            id: "cu_sc_1".into(),
            code: Some("malicious_instructions".into()),
            message: Some("Careful.".into()),
        };
        assert_eq!(call.pending_safety_checks, [check]);
        question.messages.push(answer.turn());
        let acknowledged = if acknowledges { call.pending_safety_checks.clone() } else { Vec::new() };
        let done = ToolResult::done(call.call_ref(), vec![Part::Picture(picture())]);
        let results = vec![ToolResult { acknowledged, ..done }];
        question.messages.push(Message::Results { results, remarks: Vec::new() });
        let outcome = bench.ask(&question).await;
        assert_eq!(outcome.is_ok(), acknowledges);
        let expected: &[&str] = if acknowledges {
            &[]
        } else {
            &["Computer tool has unacknowledged safety check for ['cu_sc_1']"]
        };
        assert_eq!(stand_in.violations(), expected);
    }
}

#[tokio::test]
async fn the_provider_can_remember_the_conversation() {
    let stand_in = StandIn::start(Api::Responses);
    stand_in.next(Turn::call("report", json!({"passed": true}))).next(Turn::text("Noted."));
    let model = ModelName::read("gpt-5.5").unwrap();
    let key = assay_provider::key::Key::new(crate::test_bench::SECRET, "a test").unwrap();
    let mut parts = model.parts(Some(&stand_in.base()), Some(key), http());
    parts.format = Box::new(Responses { state: State::Theirs });
    let mut bench = Bench::on(&stand_in, Api::Responses, Delivery::Streamed);
    bench.client = assay_provider::ModelClient::new(parts);
    let mut question = question();
    let answer = bench.ask(&question).await.unwrap();
    question.messages.push(answer.turn());
    let results =
        answer.calls().into_iter().map(|call| ToolResult::done(call, vec![Part::Text("ok".into())]));
    question.messages.push(Message::Results { results: results.collect(), remarks: Vec::new() });
    assert_eq!(bench.ask(&question).await.unwrap().text(), "Noted.");
    let body = &stand_in.asked()[1].body;
    assert_eq!(body["previous_response_id"], "resp_0");
    assert_eq!(body["input"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_tool_of_another_provider_is_refused_before_anything_is_sent() {
    for (api, tool) in [
        (Api::Anthropic, openai(1280)),
        (Api::Responses, gemini()),
        (Api::Gemini, openai(1280)),
        (Api::Chat, openai(1280)),
    ] {
        let stand_in = StandIn::start(api);
        let mut bench = Bench::on(&stand_in, api, Delivery::Streamed);
        let error = bench.ask(&with_tool(tool)).await.unwrap_err();
        assert!(matches!(error, ProviderError::Unaskable(_)), "{error}");
        assert_eq!(stand_in.asked().len(), 0);
    }
}

#[tokio::test]
async fn a_computer_call_of_openai_is_not_answered_without_a_picture() {
    let stand_in = StandIn::start(Api::Responses);
    stand_in.next(Turn::native(pending_call()));
    let mut bench = Bench::on(&stand_in, Api::Responses, Delivery::Streamed);
    let mut question = with_tool(openai(1280));
    let answer = bench.ask(&question).await.unwrap();
    question.messages.push(answer.turn());
    let results = vec![ToolResult::failed(answer.calls()[0].clone(), "it did not work")];
    question.messages.push(Message::Results { results, remarks: Vec::new() });
    let error = bench.ask(&question).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the request cannot be built: the result of call `call_cu` needs a picture of the screen"
    );
}
