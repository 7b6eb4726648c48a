//! Pilots that go by pictures: real browsers, and strict stand-ins for models that see.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use assay_testkit::models::{Act, Api, Misbehaviour, ScreenAct, ScreenTool, StandIn, Turn};
use assay_testkit::{Request, Response, Server};
use serde_json::{Value, json};

use crate::context::{Context, Said, said};

/// An application of which all is drawn: two buttons and a word. What is sent is told below the canvas.
const CANVAS: &str = "<title>Tally</title><meta name=viewport content='width=device-width'><style>\
html,body{margin:0;overflow:hidden}canvas{display:block}p{position:absolute;left:40px;top:420px}</style>\
<canvas id=c></canvas><script>\
var pen=c.getContext('2d'),count=0,word='',shift=location.search?260:0;c.width=innerWidth;c.height=innerHeight;\
var buttons=[['Add',40,120,'#1a7f37'],['Send',40,320,'#0969da']];\
function draw(){pen.fillStyle='#fff';pen.fillRect(0,0,c.width,c.height);pen.fillStyle='#000';pen.font='32px sans-serif';\
pen.fillText('Tally: '+count,40,70);pen.strokeRect(40,220,440,60);pen.fillText(word,56,262);\
buttons.forEach(function(b){pen.fillStyle=b[3];pen.fillRect(b[1]+shift,b[2],200,60);pen.fillStyle='#fff';pen.fillText(b[0],b[1]+shift+16,b[2]+40)})}\
addEventListener('click',function(e){var hit=buttons.find(function(b){return e.isTrusted&&e.clientX>=b[1]+shift&&e.clientX<b[1]+shift+200&&e.clientY>=b[2]&&e.clientY<b[2]+60});\
if(!hit)return;if(hit[0]=='Add'){count++;draw()}else{fetch('/sent',{method:'POST',body:count+' '+word}).then(function(){\
var p=document.createElement('p');p.textContent='Sent '+count+' '+word;document.body.append(p)})}});\
addEventListener('keydown',function(e){if(e.key.length==1&&!e.ctrlKey){word+=e.key;draw()}});draw()</script>";

/// A page of elements, each at a place that a script knows.
const SHOP: &str = "<title>Shop</title><style>*{margin:0}button,input{position:absolute;left:40px;width:200px;height:40px}</style>\
<button style='top:40px' onclick=\"done('greeted')\">Greet</button>\
<button style='top:140px' onclick=\"done('paid')\">Pay now</button>\
<input style='top:240px' aria-label=Name oninput=\"said.textContent='Name is '+this.value\">\
<p id=said style='position:absolute;top:300px'></p>\
<script>function done(what){fetch('/sent',{method:'POST',body:what}).then(function(){said.textContent='It was '+what})}</script>";

struct Bench {
    context: Context,
    site: Server,
    received: Arc<Mutex<Vec<String>>>,
    stand_in: StandIn,
    model: &'static str,
    more: Vec<(&'static str, &'static str)>,
}

impl Bench {
    fn new(api: Api) -> Bench {
        let received = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&received);
        let site = Server::start(move |request: &Request| match request.path.as_str() {
            "/" => Response::html(CANVAS),
            "/shop" => Response::html(SHOP),
            "/sent" => {
                kept.lock().unwrap().push(String::from_utf8_lossy(&request.body).into_owned());
                Response::text("ok")
            }
            _ => Response::status(404),
        });
        let model = match api {
            Api::Anthropic => "anthropic/claude-sonnet-5-5",
            Api::Responses => "openai/gpt-5.5",
            Api::Chat => "ollama/qwen3-vl",
            Api::Gemini => "gemini/gemini-3.5-flash",
        };
        let stand_in = StandIn::start(api);
        stand_in.in_pieces(assay_testkit::models::Pieces::Of(4096));
        Bench { context: Context::new(), site, received, stand_in, model, more: Vec::new() }
    }

    /// What the model answers, in this order.
    fn answers(&self, answers: impl IntoIterator<Item = impl Into<Act>>) {
        for answer in answers {
            self.stand_in.next(answer);
        }
    }

    fn write(&self, text: &str) {
        std::fs::write(self.context.folder().join("tally.yaml"), text).unwrap();
    }

    fn run(&self, arguments: &[&str]) -> Said {
        let url = self.site.url("");
        let start = ["run", "tally.yaml", "--base-url", url.trim_end_matches('/')];
        let mut command = self.context.command(&[&start, arguments].concat());
        command.env("DEFAULT_MODEL", self.model);
        for name in ["ANTHROPIC", "OPENAI", "GEMINI", "OLLAMA"] {
            command.env(format!("{name}_BASE_URL"), self.stand_in.base());
            command.env(format!("{name}_API_KEY"), "sk-of-a-test-0123456789");
        }
        for (name, value) in &self.more {
            command.env(name, value);
        }
        said(command)
    }

    fn report(&self) -> Value {
        let text = std::fs::read_to_string(self.context.folder().join("assay-results/report.json")).unwrap();
        serde_json::from_str(&text).unwrap()
    }

    fn step(&self) -> Value {
        self.report()["tests"][0]["steps"][1].clone()
    }

    fn received(&self) -> Vec<String> {
        self.received.lock().unwrap().clone()
    }
}

const TALLY: &str = "test: Tally
pilot: computer-use
steps:
  - Go to /
  - Frobnicate \"whale\" onto the tally
expected:
  - The text \"Sent 1 whale\" is shown
";

const GREET: &str = "test: Greet
pilot: computer-use
steps:
  - Go to /shop
  - Frobnicate the herring
expected:
  - The text \"It was greeted\" is shown
";

const GEMINI: ScreenTool = ScreenTool::Gemini { width: 1280, height: 720 };

fn done() -> Turn {
    Turn::call("done", json!({"evidence": "the tally", "message": "it was tallied and sent"}))
}

/// Adds one, types the word and sends both.
fn tally(tool: ScreenTool) -> Vec<Turn> {
    let acts = [ScreenAct::Click(140, 150), ScreenAct::Type("whale"), ScreenAct::Click(140, 350)];
    let mut turns = tool.turns(&acts);
    turns.push(done());
    turns
}

#[test]
fn what_is_only_drawn_is_used_by_every_computer_tool_and_the_second_run_asks_nobody() {
    for tool in [ScreenTool::OpenAi, ScreenTool::Anthropic, GEMINI] {
        let bench = Bench::new(tool.api());
        bench.answers(tally(tool));
        bench.write(TALLY);
        let said = bench.run(&["--lock"]);
        assert_eq!((said.code, bench.received()), (0, vec!["1 whale".to_string()]), "{tool:?}: {said:?}");
        let step = bench.step();
        assert_eq!(step["guests"][0]["guest"], "computer-use", "{step}");
        assert_eq!(step["guests"][0]["safety"][0]["code"], "unnamed-target", "{step}");
        assert_eq!(step["commands"][0]["pilot"], "computer-use");
        let decided = step["model_calls"][0]["decided"].as_str().unwrap();
        assert!(decided.starts_with("click ") && decided.contains("type \"whale\""), "{decided}");
        assert!(step["commands"][0]["command"].as_str().unwrap().starts_with("raw click 140"), "{step}");
        assert!(!step["guests"][0]["degraded"].as_bool().unwrap_or_default());
        assert_eq!(bench.stand_in.asked().len(), 2);

        let lock = std::fs::read_to_string(bench.context.folder().join("tally.lock.yaml")).unwrap();
        assert!(lock.contains("\"looks\"") && !lock.contains("whale"), "{lock}");
        bench.write(&TALLY.replace("whale", "seal"));
        let said = bench.run(&[]);
        assert_eq!((said.code, bench.stand_in.asked().len()), (0, 2), "{tool:?}: {said:?}");
        assert_eq!(bench.received().last().unwrap(), "1 seal");
    }
}

#[test]
fn who_reads_the_page_is_asked_first_and_who_sees_it_next() {
    let bench = Bench::new(Api::Responses);
    let give_up = json!({"reason": "the page lists nothing", "candidates": []});
    bench.answers([Turn::call("give_up", give_up)]);
    bench.answers(tally(ScreenTool::OpenAi));
    bench.write(&TALLY.replace("pilot: computer-use\n", ""));
    let said = bench.run(&[]);
    assert_eq!((said.code, bench.received()), (0, vec!["1 whale".to_string()]), "{said:?}");
    let pilots = bench.step()["guests"].clone();
    assert_eq!(
        (&pilots[0]["guest"], &pilots[1]["guest"]),
        (&json!("model"), &json!("computer-use")),
        "{pilots}"
    );
    assert!(bench.stand_in.asked()[1].text().contains("model: the page lists nothing"));
}

#[test]
fn the_legacy_shape_makes_one_act_a_call() {
    let bench = Bench { model: "openai/computer-use-preview", ..Bench::new(Api::Responses) };
    bench.answers(tally(ScreenTool::OpenAiLegacy));
    bench.write(TALLY);
    let said = bench.run(&[]);
    assert_eq!((said.code, bench.received()), (0, vec!["1 whale".to_string()]), "{said:?}");
    let tool = bench.stand_in.asked()[0].body["tools"][0].clone();
    assert_eq!((&tool["display_width"], &tool["display_height"]), (&json!(1280), &json!(720)), "{tool}");
}

#[test]
fn every_engine_is_pointed_at() {
    for engine in ["firefox", "webkit"] {
        let bench = Bench::new(Api::Responses);
        bench.answers(tally(ScreenTool::OpenAi));
        bench.write(TALLY);
        let said = bench.run(&["--browser", engine, "--lock"]);
        assert_eq!((said.code, bench.received()), (0, vec!["1 whale".to_string()]), "{engine}: {said:?}");
        let said = bench.run(&["--browser", engine]);
        assert_eq!((said.code, bench.stand_in.asked().len()), (0, 2), "{engine}: {said:?}");
    }
}

#[test]
fn a_screen_of_two_pixels_for_one_is_pointed_at_where_it_was_meant() {
    let bench = Bench::new(Api::Anthropic);
    bench.answers(tally(ScreenTool::Anthropic));
    bench.write(&TALLY.replace("steps:", "viewport: { width: 800, height: 600, scale: 2 }\nsteps:"));
    let said = bench.run(&[]);
    assert_eq!((said.code, bench.received()), (0, vec!["1 whale".to_string()]), "{said:?} {}", bench.step());
}

#[test]
fn what_was_drawn_elsewhere_since_is_not_pressed() {
    let bench = Bench::new(Api::Responses);
    bench.answers(tally(ScreenTool::OpenAi));
    bench.write(TALLY);
    assert_eq!(bench.run(&["--lock"]).code, 0);
    // The buttons lie elsewhere, and the lock goes by what is seen.
    bench.write(&TALLY.replace("Go to /", "Go to /?moved"));
    let lock = bench.context.folder().join("tally.lock.yaml");
    let text = std::fs::read_to_string(&lock).unwrap();
    std::fs::write(&lock, text.replace("Go to /\"", "Go to /?moved\"")).unwrap();
    let said = bench.run(&["--pilot", "replay"]);
    assert_eq!(said.code, 3, "{said:?}");
    assert_eq!(bench.received().len(), 1, "nothing was pressed: {said:?}");
    let report = bench.report().to_string();
    assert!(report.contains("looks different from when it was pressed before"), "{report}");
}

#[test]
fn a_point_on_an_element_is_locked_as_that_element() {
    let bench = Bench::new(Api::Responses);
    bench.answers([ScreenTool::OpenAi.turn(&[ScreenAct::Click(100, 60)], &[]), done()]);
    bench.write(GREET);
    let said = bench.run(&["--lock"]);
    assert_eq!((said.code, bench.received()), (0, vec!["greeted".to_string()]), "{said:?}");
    let lock = std::fs::read_to_string(bench.context.folder().join("tally.lock.yaml")).unwrap();
    assert!(lock.contains("\"Greet\"") && !lock.contains("\"raw\""), "{lock}");
    // An element is found in a view of another size, too.
    bench.write(&GREET.replace("steps:", "viewport: 900x500\nsteps:"));
    let said = bench.run(&[]);
    assert_eq!((said.code, bench.stand_in.asked().len()), (0, 2), "{said:?}");
}

#[test]
fn pointing_at_what_pays_stops_the_step() {
    for tool in [ScreenTool::OpenAi, ScreenTool::Anthropic, GEMINI] {
        let bench = Bench::new(tool.api());
        bench.answers([tool.turn(&[ScreenAct::Click(100, 160)], &[])]);
        bench.write(GREET);
        let said = bench.run(&[]);
        assert_eq!((said.code, bench.received().len()), (3, 0), "{tool:?}: {said:?}");
        let pilot = bench.step()["guests"][0].clone();
        assert_eq!((&pilot["ending"], &pilot["safety"][0]["code"]), (&json!("stopped"), &json!("paying")));
    }
}

#[test]
fn a_pending_safety_check_stops_the_step_unless_its_code_is_allowed() {
    for (tool, code) in [(ScreenTool::OpenAi, "malicious_instructions"), (GEMINI, "require_confirmation")] {
        let click = || tool.turn(&[ScreenAct::Click(100, 60)], &[code]);
        let bench = Bench::new(tool.api());
        bench.answers([click()]);
        bench.write(GREET);
        let said = bench.run(&[]);
        assert_eq!((said.code, bench.received().len()), (3, 0), "{tool:?}: {said:?}");
        let pilot = bench.step()["guests"][0].clone();
        assert_eq!(
            (&pilot["ending"], &pilot["safety"][0]["code"]),
            (&json!("stopped"), &json!(code)),
            "{pilot}"
        );
        assert!(said.out.contains(code), "{}", said.out);

        let other = GREET.replace("steps:", "policy: { allowed_safety_checks: [another_code] }\nsteps:");
        bench.write(&other);
        bench.answers([click()]);
        assert_eq!((bench.run(&[]).code, bench.received().len()), (3, 0), "another code is not this one");

        bench.write(&other.replace("another_code", code));
        bench.answers([click(), done()]);
        let said = bench.run(&[]);
        assert_eq!((said.code, bench.received()), (0, vec!["greeted".to_string()]), "{tool:?}: {said:?}");
        let event = bench.step()["guests"][0]["safety"][0].clone();
        assert_eq!((&event["code"], &event["allowed"]), (&json!(code), &json!(true)), "{event}");
    }
}

#[test]
fn points_outside_are_told_and_typing_is_held_to_the_test() {
    let bench = Bench::new(Api::Responses);
    let turn = |acts: &[ScreenAct]| ScreenTool::OpenAi.turn(acts, &[]);
    bench.answers([
        turn(&[ScreenAct::Click(4000, 60), ScreenAct::Click(100, 160)]),
        turn(&[ScreenAct::Click(100, 260), ScreenAct::Type("Mallory")]),
        turn(&[ScreenAct::Type("herring"), ScreenAct::Click(100, 60)]),
        done(),
    ]);
    bench.write(GREET);
    let said = bench.run(&[]);
    assert_eq!((said.code, bench.received()), (0, vec!["greeted".to_string()]), "{said:?}");
    let asked = bench.stand_in.asked();
    assert!(asked[1].text().contains("the point 4000, 60 is outside of the picture, which is 1280 x 720"));
    assert!(asked[2].text().contains("the test does not name the text `Mallory`"));
    let commands: Vec<String> = bench.step()["commands"]
        .as_array()
        .unwrap()
        .iter()
        .map(|command| command["command"].as_str().unwrap().to_string())
        .collect();
    assert!(commands[1].starts_with("type \"e") && commands[1].ends_with("\"herring\""), "{commands:?}");
}

#[test]
fn acts_that_change_nothing_and_too_many_acts_end_the_step() {
    let bench = Bench::new(Api::Responses);
    let nowhere = || ScreenTool::OpenAi.turn(&[ScreenAct::Click(700, 600)], &[]);
    bench.answers([nowhere(), nowhere(), nowhere(), nowhere()]);
    bench.write(TALLY);
    let said = bench.run(&[]);
    assert_eq!((said.code, bench.stand_in.asked().len()), (3, 3), "{said:?}");
    assert!(said.out.contains("3 turns of actions changed nothing visible"), "{}", said.out);

    let bench = Bench::new(Api::Responses);
    bench.answers(tally(ScreenTool::OpenAi));
    bench.write(&TALLY.replace("steps:", "budget: { actions: 2 }\nsteps:"));
    let said = bench.run(&[]);
    assert_eq!((said.code, bench.received().len()), (3, 0), "{said:?}");
    assert!(said.out.contains("did not finish within 2 actions"), "{}", said.out);
}

/// Adds one, types the word and sends both, by the numbers of cells in a view of 1280 x 720.
fn by_grid() -> Vec<Turn> {
    let pick =
        |number: u32| Turn::call("pick", json!({"number": number, "do": "click", "why": "it is there"}));
    vec![
        pick(14),
        pick(26),
        Turn::call("type_value", json!({"value": 1, "why": "it is the word"})),
        pick(38),
        pick(32),
        done(),
    ]
}

#[test]
fn a_model_that_only_sees_goes_by_a_grid() {
    let bench = Bench::new(Api::Chat);
    bench.answers(by_grid());
    bench.write(&TALLY.replace("computer-use", "grid"));
    let said = bench.run(&["--lock"]);
    assert_eq!((said.code, bench.received()), (0, vec!["1 whale".to_string()]), "{said:?}");
    let step = bench.step();
    assert_eq!(
        (&step["guests"][0]["guest"], step["commands"][0]["pilot"].as_str()),
        (&json!("grid"), Some("grid"))
    );
    let said = bench.run(&[]);
    assert_eq!((said.code, bench.stand_in.asked().len()), (0, 6), "the second run asks nobody: {said:?}");
}

#[test]
fn elements_have_numbers_where_there_are_any() {
    let bench = Bench::new(Api::Anthropic);
    // Greet is the first of the page, Pay now the second.
    let pick = |number: u32| Turn::call("pick", json!({"number": number, "do": "click", "why": "it greets"}));
    bench.answers([pick(1), done()]);
    bench.write(&GREET.replace("computer-use", "grid"));
    let said = bench.run(&[]);
    assert_eq!((said.code, bench.received()), (0, vec!["greeted".to_string()]), "{said:?}");
    bench.answers([pick(2)]);
    let said = bench.run(&[]);
    assert_eq!((said.code, bench.received().len()), (3, 1), "{said:?}");
}

#[test]
fn a_computer_tool_that_cannot_be_had_is_replaced_by_the_grid() {
    let bench = Bench::new(Api::Responses);
    bench.answers([Misbehaviour::BadRequest { message: "this model has no computer tool".to_string() }]);
    bench.answers(by_grid());
    bench.write(TALLY);
    let said = bench.run(&[]);
    assert_eq!((said.code, bench.received()), (0, vec!["1 whale".to_string()]), "{said:?}");
    let pilot = bench.step()["guests"][0].clone();
    assert_eq!((&pilot["guest"], &pilot["degraded"]), (&json!("computer-use"), &json!(true)), "{pilot}");

    let more = vec![("ASSAY_ACTIONS_USE_COMPUTER_TOOL", "false")];
    let bench = Bench { more, ..Bench::new(Api::Responses) };
    bench.answers(by_grid());
    bench.write(TALLY);
    assert_eq!((bench.run(&[]).code, bench.received().len()), (0, 1));
    let declared = bench.stand_in.asked()[0].body["tools"].to_string();
    assert!(!declared.contains("\"computer\""), "{declared}");
}

#[test]
fn keys_for_the_clipboard_are_not_a_models_to_press() {
    let test = GREET.replace("the herring", "the herring with ctrl+v or control+v");
    let keys = || ScreenTool::OpenAi.turn(&[ScreenAct::Keys(&["ctrl", "v"])], &[]);
    let greet = || ScreenTool::OpenAi.turn(&[ScreenAct::Click(100, 60)], &[]);
    let bench = Bench::new(Api::Responses);
    bench.answers([keys(), greet(), done()]);
    bench.write(&test);
    let said = bench.run(&[]);
    assert_eq!(said.code, 0, "{said:?}");
    let told = bench.stand_in.asked()[1].text();
    assert!(told.contains("it reads the clipboard"), "{told}");

    let bench = Bench::new(Api::Responses);
    bench.answers([keys(), greet(), done()]);
    bench.write(&test.replace("steps:", "policy: { clipboard: read-write }\nsteps:"));
    assert_eq!(bench.run(&[]).code, 0);
    assert!(!bench.stand_in.asked()[1].text().contains("it reads the clipboard"));
}

/// A call of one of Anthropic's tools, which a script makes by itself.
fn tool_use(number: usize, name: &str, toolset: Option<&str>, input: Value) -> Act {
    let mut block =
        json!({"type": "tool_use", "id": format!("toolu_own_{number}"), "name": name, "input": input});
    if let Some(toolset) = toolset {
        block["toolset_name"] = json!(toolset);
    }
    Turn::native(block).into()
}

#[test]
fn the_tools_for_browsers_read_the_page_and_name_elements() {
    let mut bench = Bench::new(Api::Anthropic);
    bench.more.push(("ASSAY_ACTIONS_USE_COMPUTER_TOOL", "browser"));
    let turn = AtomicUsize::new(0);
    bench.stand_in.always(move |asked| {
        let text = asked.text();
        let greet = text.lines().find(|line| line.starts_with("[ref_") && line.contains("button \"Greet\""));
        let greet = greet.and_then(|line| line[1..].split(']').next()).unwrap_or("ref_0");
        match turn.fetch_add(1, Ordering::SeqCst) {
            0 => tool_use(0, "find", Some("browser"), json!({"query": "greet"})),
            1 => {
                let target = json!({"type": "ref", "ref": greet});
                tool_use(1, "left_click", Some("browser"), json!({"target": target}))
            }
            2 => tool_use(2, "get_page_text", Some("browser"), json!({})),
            _ if text.contains("It was greeted") => done().into(),
            _ => Turn::text("I cannot read that it worked").into(),
        }
    });
    bench.write(GREET);
    let said = bench.run(&["--lock"]);
    assert_eq!((said.code, bench.received()), (0, vec!["greeted".to_string()]), "{said:?}");
    let declared = &bench.stand_in.asked()[0].body["tools"][0];
    assert_eq!(declared["type"], "browser_toolset_20260801");
    assert_eq!(declared["configs"]["javascript_exec"]["enabled"], false);
    let said = bench.run(&[]);
    assert_eq!((said.code, bench.stand_in.asked().len()), (0, 4), "the second run asks nobody: {said:?}");
}

#[test]
fn models_from_before_the_toolsets_use_their_single_tool() {
    for (model, declared) in [
        ("anthropic/claude-sonnet-4-5", "computer_20250124"),
        ("anthropic/claude-opus-4-5", "computer_20251124"),
    ] {
        let mut bench = Bench::new(Api::Anthropic);
        bench.model = model;
        let click = json!({"action": "left_click", "coordinate": [140, 60]});
        bench.answers([tool_use(0, "computer", None, click), done().into()]);
        bench.write(GREET);
        let said = bench.run(&[]);
        assert_eq!((said.code, bench.received()), (0, vec!["greeted".to_string()]), "{model}: {said:?}");
        let asked = &bench.stand_in.asked()[0];
        assert_eq!(asked.body["tools"][0]["type"], declared);
        assert!(
            asked.header("anthropic-beta").is_some_and(|beta| beta.contains("computer-use-")),
            "{asked:?}"
        );
    }
}
