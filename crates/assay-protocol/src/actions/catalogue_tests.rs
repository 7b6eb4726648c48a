//! What holds for every entry of the catalogue.

use std::collections::BTreeSet;

use super::*;
use crate::{
    ClockOperation, ColorScheme, DialogAnswer, DropSide, ElementState, EmulationChange, Geolocation,
    MouseButton, NetworkCondition, RawPlace, ReducedMotion, RouteReply, ScrollTo, ViewPoint, WaitFor,
    WaitState,
};

fn at(text: &str) -> Selector {
    Selector::parse(text).unwrap()
}

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_string()).collect()
}

/// Actions with their command lines, at least one for every entry.
fn samples() -> Vec<(Action, &'static str)> {
    let point = |x: f64, y: f64| ViewPoint { x, y };
    let raw = |input: RawInput| Action::Raw { input, place: RawPlace::default() };
    let by = |x: f64, y: f64, over: Option<Selector>| Action::Scroll { to: ScrollTo::By { x, y, over } };
    let emulate = |change: EmulationChange| Action::Emulate { change };
    let wait = |until: WaitFor| Action::Wait { until };
    let element = |state: WaitState| WaitFor::Element { target: at(".spinner"), state };
    let accept = |text: Option<&str>| DialogAnswer::Accept { text: text.map(str::to_string) };
    let click = |button: MouseButton, modifiers: &[&str]| Action::Click {
        target: at("button \"Log in\""),
        button,
        modifiers: texts(modifiers),
    };
    vec![
        (Action::Go { url: "http://127.0.0.1:8080/a?b=c".into() }, "go http://127.0.0.1:8080/a?b=c"),
        (Action::Back, "back"),
        (Action::Forward, "forward"),
        (Action::Reload, "reload"),
        (Action::Map { target: None, all: false }, "map"),
        (Action::Map { target: Some(at("f2 >> form")), all: true }, "map \"f2 >> form\" --all"),
        (Action::Scene, "scene"),
        (Action::Diff, "diff"),
        (Action::Find { target: at("Log in") }, "find \"Log in\""),
        (Action::FindAll { target: at("button"), limit: 50 }, "find-all \"button\""),
        (Action::FindAll { target: at("button"), limit: 3 }, "find-all \"button\" --limit 3"),
        (Action::Count { target: at("li.product") }, "count \"li.product\""),
        (Action::Text { target: None }, "text"),
        (Action::Text { target: Some(at("h1")) }, "text \"h1\""),
        (Action::Html { target: Some(at("form")) }, "html \"form\""),
        (Action::Value { target: at("Email") }, "value \"Email\""),
        (Action::Attr { target: at("e4"), name: "href".into() }, "attr \"e4\" href"),
        (Action::Is { state: ElementState::Unchecked, target: at("e2") }, "is unchecked \"e2\""),
        (Action::Url, "url"),
        (Action::Title, "title"),
        (Action::Eval { expression: "1 + \"a\"".into() }, "eval \"1 + \\\"a\\\"\""),
        (Action::Console { clear: true }, "console --clear"),
        (Action::Network { failed: true, clear: false }, "network --failed"),
        (Action::At { point: point(140.0, 1.5) }, "at 140 1.5"),
        (click(MouseButton::Left, &[]), "click \"button \\\"Log in\\\"\""),
        (
            click(MouseButton::Right, &["Control", "Shift"]),
            "click \"button \\\"Log in\\\"\" --button right --hold Control+Shift",
        ),
        (Action::Dblclick { target: at("e7") }, "dblclick \"e7\""),
        (Action::Fill { target: at("Email"), text: "--a b".into() }, "fill \"Email\" \"--a b\""),
        (Action::Type { target: None, text: "-5".into() }, "type \"-5\""),
        (Action::Type { target: Some(at("e3")), text: " more".into() }, "type \"e3\" \" more\""),
        (Action::Clear { target: at("e3") }, "clear \"e3\""),
        (
            Action::Press { keys: texts(&["Control+a", "-"]), target: Some(at("e1")) },
            "press Control+a - --on \"e1\"",
        ),
        (
            Action::Select { target: at("Country"), options: texts(&["Belgium", ""]) },
            "select \"Country\" \"Belgium\" \"\"",
        ),
        (Action::Check { target: at("e1") }, "check \"e1\""),
        (Action::Uncheck { target: at("e1") }, "uncheck \"e1\""),
        (Action::Hover { target: at("e1") }, "hover \"e1\""),
        (Action::Focus { target: at("e1") }, "focus \"e1\""),
        (Action::Scroll { to: ScrollTo::Top }, "scroll top"),
        (Action::Scroll { to: ScrollTo::Element { target: at("e9") } }, "scroll \"e9\""),
        (by(0.0, -300.0, None), "scroll up 300"),
        (by(20.5, 0.0, Some(at("e4"))), "scroll right 20.5 --over \"e4\""),
        (by(-10.0, 40.0, None), "scroll left 10 down 40"),
        (Action::Drag { from: at("Task 1"), to: at("Done"), side: DropSide::On }, "drag \"Task 1\" \"Done\""),
        (
            Action::Drag { from: at("Task 1"), to: at("Task 2"), side: DropSide::Below },
            "drag \"Task 1\" \"Task 2\" --side below",
        ),
        (
            raw(RawInput::Click {
                at: point(4.0, -5.5),
                button: MouseButton::Middle,
                times: 2,
                modifiers: texts(&["Alt"]),
            }),
            "raw click 4 -5.5 --button middle --times 2 --hold Alt",
        ),
        (raw(RawInput::Move { at: point(1.0, 2.0) }), "raw move 1 2"),
        (raw(RawInput::Drag { at: point(1.0, 2.0), through: vec![point(3.0, 4.0)] }), "raw drag 1 2 3 4"),
        (raw(RawInput::Scroll { at: point(1.0, 2.0), by_x: 0.0, by_y: -3.0 }), "raw scroll 1 2 0 -3"),
        (
            Action::Raw {
                input: RawInput::Type { text: "a b".into() },
                place: RawPlace { within: Some(at("canvas")), ..RawPlace::default() },
            },
            "raw type \"a b\" --within \"canvas\"",
        ),
        (
            Action::Upload { target: at("Attachment"), files: texts(&["/a/b.pdf", "/a/b c.pdf"]) },
            "upload \"Attachment\" /a/b.pdf \"/a/b c.pdf\"",
        ),
        (Action::Dialog { answer: None }, "dialog"),
        (Action::Dialog { answer: Some(DialogAnswer::Dismiss) }, "dialog dismiss"),
        (Action::Dialog { answer: Some(accept(None)) }, "dialog accept"),
        (Action::Dialog { answer: Some(accept(Some("Ada"))) }, "dialog accept \"Ada\""),
        (wait(element(WaitState::Visible)), "wait \".spinner\""),
        (wait(element(WaitState::Detached)), "wait \".spinner\" --state detached"),
        (wait(WaitFor::Text { text: "Saved".into(), gone: true }), "wait --text \"Saved\" --gone"),
        (wait(WaitFor::Url { url: "*/done".into() }), "wait --url */done"),
        (wait(WaitFor::Load), "wait --load"),
        (
            Action::Screenshot { path: "/a.png".into(), full_page: true, annotate: true, target: None },
            "screenshot --output /a.png --full-page --annotate",
        ),
        (
            Action::Screenshot {
                path: "/a.png".into(),
                full_page: false,
                annotate: false,
                target: Some(at("e1")),
            },
            "screenshot \"e1\" --output /a.png",
        ),
        (Action::Pdf { path: "/a.pdf".into() }, "pdf --output /a.pdf"),
        (Action::Highlight { target: at("e5") }, "highlight \"e5\""),
        (Action::Tabs, "tabs"),
        (Action::TabNew { url: Some("http://a/".into()), isolated: true }, "tab-new http://a/ --isolated"),
        (Action::TabSwitch { tab: "t2".into() }, "tab-switch t2"),
        (Action::TabClose { tab: None }, "tab-close"),
        (Action::TabClose { tab: Some("t2".into()) }, "tab-close t2"),
        (Action::Frames, "frames"),
        (Action::Viewport { width: 390, height: 844, scale: 1.0 }, "viewport 390 844"),
        (Action::Viewport { width: 390, height: 844, scale: 2.5 }, "viewport 390 844 --scale 2.5"),
        (
            emulate(EmulationChange::Media {
                color_scheme: Some(ColorScheme::Dark),
                reduced_motion: Some(ReducedMotion::Reduce),
                media: None,
            }),
            "emulate media --color-scheme dark --reduced-motion",
        ),
        (emulate(EmulationChange::Locale { locale: "de-DE".into() }), "emulate locale de-DE"),
        (
            emulate(EmulationChange::Timezone { timezone: "Europe/Madrid".into() }),
            "emulate timezone Europe/Madrid",
        ),
        (
            emulate(EmulationChange::Geolocation(Geolocation {
                latitude: 40.4,
                longitude: -3.7,
                accuracy: 1.0,
            })),
            "emulate geolocation 40.4 -3.7",
        ),
        (emulate(EmulationChange::Offline { on: true }), "emulate offline on"),
        (
            emulate(EmulationChange::Network { condition: Some(NetworkCondition::Slow3g) }),
            "emulate network slow-3g",
        ),
        (emulate(EmulationChange::Network { condition: None }), "emulate network none"),
        (emulate(EmulationChange::Device { name: "Pixel 9".into() }), "emulate device \"Pixel 9\""),
        (
            emulate(EmulationChange::Clock(ClockOperation::Install { at: 1_803_902_400_000 })),
            "emulate clock install 2027-03-01T12:00:00Z",
        ),
        (emulate(EmulationChange::Clock(ClockOperation::Advance { ms: 250 })), "emulate clock advance 250"),
        (emulate(EmulationChange::Clock(ClockOperation::Remove)), "emulate clock remove"),
        (emulate(EmulationChange::Reset), "emulate reset"),
        (
            Action::Route {
                pattern: "**/api/cart".into(),
                method: None,
                reply: RouteReply::Answer { status: 500, body: None, content_type: None },
            },
            "route \"**/api/cart\" --status 500",
        ),
        (
            Action::Route {
                pattern: "/api".into(),
                method: Some("POST".into()),
                reply: RouteReply::Answer { status: 200, body: Some("/a.json".into()), content_type: None },
            },
            "route \"/api\" --status 200 --body /a.json --method POST",
        ),
        (
            Action::Route { pattern: "/api".into(), method: None, reply: RouteReply::Abort },
            "route \"/api\" --abort",
        ),
        (Action::Routes, "routes"),
        (Action::Unroute { pattern: None }, "unroute"),
        (Action::Unroute { pattern: Some("/api".into()) }, "unroute /api"),
        (Action::Cookies { operation: CookieOperation::List }, "cookies"),
        (Action::Cookies { operation: CookieOperation::Clear }, "cookies clear"),
        (
            Action::Cookies { operation: CookieOperation::Set { name: "a".into(), value: "--b".into() } },
            "cookies set a \"--b\"",
        ),
        (Action::Storage { operation: StorageOperation::Save { path: "/a".into() } }, "storage save /a"),
        (Action::Storage { operation: StorageOperation::Load { path: "/a".into() } }, "storage load /a"),
    ]
}

#[test]
fn every_entry_has_a_sample() {
    let sampled: BTreeSet<&str> = samples().iter().map(|(action, _)| action.verb()).collect();
    let known: BTreeSet<&str> = ACTIONS.iter().map(|entry| entry.name()).collect();
    assert_eq!(sampled, known);
}

#[test]
fn every_action_is_read_back_from_its_words() {
    for (action, _) in samples() {
        let words = action.to_words();
        assert_eq!(Action::from_words(&words).as_ref(), Ok(&action), "{words:?}");
    }
}

#[test]
fn every_command_line_shows_its_arguments_and_can_be_typed() {
    for (action, line) in samples() {
        assert_eq!(action.command_line(), line);
        // Text that begins with - needs -- before it, which a reader does not.
        if !line.contains("\"--") {
            assert_eq!(Action::from_words(&split_line(line).unwrap()), Ok(action), "{line}");
        }
    }
}

#[test]
fn the_verb_on_the_wire_is_the_name_of_the_entry() {
    for (action, _) in samples() {
        let wire = serde_json::to_value(&action).unwrap();
        assert_eq!(wire["verb"], action.verb());
        assert_eq!(serde_json::from_value::<Action>(wire).unwrap(), action);
    }
}

#[test]
fn every_action_is_read_back_from_its_plain_form() {
    for (action, _) in samples() {
        let plain = action.to_plain_json();
        assert!(!plain.to_string().contains("\"source\""), "{plain}");
        assert_eq!(Action::from_plain_json(plain).unwrap(), action);
    }
}

#[test]
fn every_action_is_read_back_from_the_arguments_of_its_tool() {
    for (action, line) in samples() {
        let arguments = action.tool_arguments();
        let takes = action.entry().tool_parameters();
        for name in arguments.keys() {
            assert!(takes["properties"].get(name).is_some(), "{line}: {name} is not in {takes}");
        }
        let read = action.entry().read_tool(arguments.clone());
        assert_eq!(read.unwrap_or_else(|err| panic!("{line}: {err} in {arguments:?}")), action, "{line}");
    }
}

#[test]
fn tools_take_few_arguments_and_say_which_is_wrong() {
    let read = |name: &str, arguments: serde_json::Value| {
        let entry = ACTIONS.iter().find(|entry| entry.name() == name).unwrap();
        entry.read_tool(arguments.as_object().unwrap().clone())
    };
    let clicked = Action::Click { target: at("e3"), button: MouseButton::Left, modifiers: Vec::new() };
    assert_eq!(read("click", serde_json::json!({"target": "e3"})).unwrap(), clicked);
    let gone = Action::Wait { until: WaitFor::Text { text: "Saving".to_string(), gone: true } };
    assert_eq!(
        read("wait", serde_json::json!({"for": "text", "text": "Saving", "gone": true})).unwrap(),
        gone
    );
    let pressed = |keys: serde_json::Value| read("press", serde_json::json!({ "keys": keys })).unwrap();
    assert_eq!(pressed("Enter".into()), pressed(serde_json::json!(["Enter"])));
    let said = |name: &str, arguments: serde_json::Value| read(name, arguments).unwrap_err().to_string();
    assert_eq!(
        said("click", serde_json::json!({"target": "e3", "buton": "left"})),
        "unknown argument `buton`; `click` takes `button`, `modifiers`, `target`"
    );
    assert_eq!(said("fill", serde_json::json!({"target": "e3"})), "`fill` needs `text`");
    assert_eq!(said("click", serde_json::json!({"target": 3})), "`target` takes a text");
    assert_eq!(said("press", serde_json::json!({"keys": []})), "`press` needs `keys`");
    assert_eq!(
        said("back", serde_json::json!({"to": 1})),
        "unknown argument `to`; `back` takes no arguments"
    );
}

#[test]
fn every_schema_names_the_parameters_of_the_plain_form() {
    for (action, line) in samples() {
        let schema = action.entry().parameters();
        let plain = action.to_plain_json();
        for name in plain.as_object().unwrap().keys().filter(|name| *name != "verb") {
            assert!(schema["properties"].get(name).is_some(), "{line}: {name} in {schema}");
        }
        for name in schema["required"].as_array().into_iter().flatten() {
            assert!(plain.get(name.as_str().unwrap()).is_some(), "{line}: {name} in {plain}");
        }
        assert!(!schema.to_string().contains("$ref"), "{schema}");
    }
}

#[test]
fn names_and_aliases_are_told_apart() {
    let names: Vec<&str> = ACTIONS
        .iter()
        .flat_map(|entry| std::iter::once(entry.name()).chain(entry.syntax.aliases.iter().copied()))
        .collect();
    let distinct: BTreeSet<&str> = names.iter().copied().collect();
    assert_eq!(distinct.len(), names.len());
}

#[test]
fn every_example_is_read_as_its_own_action() {
    for entry in ACTIONS {
        let words = split_line(entry.syntax.example.strip_prefix("assay ").unwrap()).unwrap();
        assert_eq!(Action::from_words(&words).unwrap().verb(), entry.name());
    }
}

#[test]
fn a_pilot_never_commits_without_a_check() {
    for entry in ACTIONS {
        assert!(
            entry.effect != EffectClass::Commits || entry.pilots != PilotUse::Free,
            "{}: what can commit is checked",
            entry.name()
        );
    }
}

/// All tools of models.
fn model_tools() -> Vec<&'static ModelTool> {
    let mut tools: Vec<&'static ModelTool> = Vec::new();
    for tool in ACTIONS.iter().flat_map(|entry| entry.model_forms).map(ModelForm::of_tool) {
        if !tools.contains(&tool) {
            tools.push(tool);
        }
    }
    tools
}

#[test]
fn a_model_asks_only_for_what_pilots_may_do() {
    for entry in ACTIONS.iter().filter(|entry| !entry.model_forms.is_empty()) {
        assert_ne!(entry.pilots, PilotUse::Never, "{}", entry.name());
    }
}

#[test]
fn every_word_of_a_tool_asks_for_an_action_of_the_entry_that_lists_it() {
    let fields = serde_json::json!({
        "ref": "e1", "value": 1, "words": "Ada", "option": "Belgium", "keys": ["Enter"], "key": "Tab", "tab": "t2",
        "to_ref": "e2", "address": "/cart", "text": "Saved",
    });
    let fields = fields.as_object().unwrap();
    let values = |number: u64| (number == 1).then(|| "⟦value 1⟧".to_string());
    for tool in model_tools() {
        let mut asked: Vec<&str> = Vec::new();
        for (entry, word) in tool.forms().map(|(entry, form)| (entry, form.word)) {
            let pointed = Pointed::Point(ViewPoint { x: 1.0, y: 2.0 });
            let action = tool.build(word, &ModelInput { fields, values: &values, pointed }).unwrap();
            assert_eq!(action.verb(), entry.name(), "{} {word:?}", tool.name);
            asked.extend(word);
        }
        let mut words = tool.words().to_vec();
        words.sort_unstable();
        asked.sort_unstable();
        assert_eq!(asked, words, "{}", tool.name);
        assert!(!words.is_empty() || tool.forms().count() == 1, "{} stands for several actions", tool.name);
    }
}

#[test]
fn the_fields_of_a_tool_have_the_types_of_the_parameters() {
    let keys = model_tools::PRESS_KEYS.properties();
    assert_eq!(keys["keys"], serde_json::json!({ "type": "array", "items": { "type": "string" } }));
    assert_eq!(model_tools::PRESS_KEY.properties()["key"], serde_json::json!({ "type": "string" }));
    // Every field is of some parameter: none is made up.
    for tool in model_tools() {
        for (name, schema) in tool.properties() {
            assert!(schema["type"].is_string(), "{} {name}: {schema}", tool.name);
        }
    }
}

#[track_caller]
fn check_mistake(line: &str, expected: &str, found: &str, hint: Option<&str>) {
    let err = Action::from_words(&split_line(line).unwrap()).unwrap_err();
    assert_eq!(
        (err.expected().as_str(), err.found().as_str(), err.hint().as_deref()),
        (expected, found, hint)
    );
}

#[test]
fn a_mistake_says_what_was_expected_and_what_was_found() {
    check_mistake("clik e1", "a verb", "`clik`", Some("did you mean click?"));
    check_mistake("", "a command for a page", "nothing", None);
    check_mistake("click", "TARGET", "nothing", Some("assay click \"Log in\""));
    check_mistake("wait e1 --state", "STATE after --state", "nothing", Some("assay wait --help"));
    check_mistake("raw click 1 2 --times 9", "--times 1, 2 or 3", "9", None);
    check_mistake(
        "scroll left 1 up 2 e3",
        "WHERE [PIXELS]",
        "`left` `1` `up` `2` `e3`",
        Some("assay scroll down 600"),
    );
}

#[test]
fn files_and_entered_values_are_found() {
    let mut upload = Action::Upload { target: at("e1"), files: texts(&["a", "b"]) };
    assert_eq!(upload.paths_mut().len(), 2);
    assert_eq!(upload.entered_values_mut().len(), 2);
    let mut save = Action::Storage { operation: StorageOperation::Save { path: "a".into() } };
    assert_eq!(save.paths_mut(), ["a"]);
    assert!(save.entered_values_mut().is_empty());
    let mut accept = Action::Dialog { answer: Some(DialogAnswer::Accept { text: Some("Ada".to_string()) }) };
    assert_eq!(accept.entered_values_mut(), ["Ada"]);
}
