//! Steps that nobody is sure of, saved by a look at the screen or a closer look at the page, in a real browser.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use assay_testkit::models::{Act, Api, Asked, Misbehaviour};
use assay_testkit::{Request, Response, Server};
use serde_json::{Value, json};

use crate::models::{Bench, KEY, SECRET, Site, call, click, nowhere_in, reference};

/// Who asks, by the tools that only it has.
fn asker(asked: &Asked) -> &'static str {
    let has = |name: &str| {
        asked.body["tools"].as_array().is_some_and(|tools| tools.iter().any(|tool| tool["name"] == name))
    };
    match () {
        () if has("screen") => "screen",
        () if has("tree_page") => "tree",
        () => "model",
    }
}

fn give_up() -> Act {
    call("give_up", json!({"reason": "it is not on the list", "candidates": []}))
}

/// How often this conversation was answered already.
fn turn(asked: &Asked) -> usize {
    let messages = asked.body["messages"].as_array().cloned().unwrap_or_default();
    messages.iter().filter(|message| message["role"] == "assistant").count()
}

fn bench(page: &'static str) -> Bench {
    let server = Server::start(move |request: &Request| match request.path.as_str() {
        "/" => Response::html(page),
        _ => Response::status(404),
    });
    Bench { site: Site { server, received: Arc::default() }, ..Bench::new(Api::Anthropic) }
}

fn step(report: &Value) -> &Value {
    &report["tests"][0]["steps"][1]
}

const TEST: &str = "test: Herring
steps:
  - Go to /
  - Frobnicate the herring
expected:
  - The text \"It is on its way\" is shown
";

const OVERLAY: &str = "<title>Fish</title><h1>Fish</h1>\
    <button onclick=\"document.body.append('It is on its way')\">Onward</button>\
    <div id=box style='position:fixed;inset:0;background:#fffc'><p>Our newsletter is a joy</p>\
    <button onclick='box.remove()'>No thanks</button></div>";

#[test]
fn what_lies_over_a_page_is_seen_put_aside_and_told() {
    let bench = bench(OVERLAY);
    bench.stand_in.always(|asked| match (asker(asked), turn(asked)) {
        ("screen", 0) => click(asked, "button \"Onward\""),
        ("screen", 1) => call("screen", json!({"shows": "overlay", "what": "a box about a newsletter"})),
        ("screen", 2) => click(asked, "button \"No thanks\""),
        ("screen", 3) => click(asked, "button \"Onward\""),
        ("screen", _) => call("done", json!({"evidence": "It is on its way", "message": "sent"})),
        _ => give_up(),
    });
    bench.write("herring.yaml", TEST);
    let said = bench.run(&["herring.yaml", "--lock"]);
    assert_eq!(said.code, 0, "{said:?}");
    let report = bench.report();
    let step = step(&report);
    assert_eq!(step["recovered"][0]["tier"], 2, "{step}");
    let reason = step["recovered"][0]["reason"].as_str().unwrap();
    assert_eq!(
        reason,
        "recovered by a look at the screen: something lay over the page (a box about a newsletter)"
    );
    assert!(step["notes"].to_string().contains("is not locked"), "{}", step["notes"]);
    assert_eq!(report["tests"][0]["recovered_tiers"], json!([2]));
    let endings: Vec<&Value> =
        step["guests"].as_array().unwrap().iter().map(|pilot| &pilot["ending"]).collect();
    let (last, before) = endings.split_last().unwrap();
    assert_eq!(**last, "done");
    assert!(!before.is_empty() && before.iter().all(|ending| **ending == "refused"), "{endings:?}");
    let lock = std::fs::read_to_string(bench.context.folder().join("herring.lock.yaml")).unwrap_or_default();
    assert!(!lock.contains("Frobnicate"), "what was in the way is no part of the test: {lock}");
    let asked = bench.stand_in.asked();
    let first = asked.iter().find(|asked| asker(asked) == "screen").unwrap();
    assert!(first.body["messages"].to_string().contains("\"image\""), "it is shown a picture");
    let second = asked.iter().filter(|asked| asker(asked) == "screen").nth(1).unwrap();
    assert!(second.text().contains("call `screen` first"), "{}", second.text());
    let told: Vec<&Value> = step["turns"].as_array().unwrap().iter().map(|turn| &turn["told"]).collect();
    assert!(told.iter().any(|told| told.to_string().contains("call `screen` first")), "{told:?}");
}

#[test]
fn a_page_that_loads_is_waited_for() {
    let bench = bench(
        "<title>Fish</title><h1>Fish</h1><p id=wait>Please hold the line</p><script>setTimeout(() => { wait.remove(); \
         document.body.insertAdjacentHTML('beforeend', `<button onclick=\"document.body.append('It is on its way')\">Onward\
         </button>`) }, 6000)</script>",
    );
    bench.stand_in.always(|asked| match (asker(asked), turn(asked)) {
        ("screen", 0) => call("screen", json!({"shows": "loading", "what": "it asks to hold the line"})),
        ("screen", 1) if reference(asked, "button \"Onward\"") == "e0" => {
            call("screen", json!({"shows": "loading", "what": "still"}))
        }
        ("screen", _) if !asked.text().contains("effect of the act") => click(asked, "button \"Onward\""),
        ("screen", _) => call("done", json!({"evidence": "It is on its way", "message": "sent"})),
        _ => give_up(),
    });
    bench.write("herring.yaml", TEST);
    let said = bench.run(&["herring.yaml"]);
    assert_eq!(said.code, 0, "{said:?}");
    let report = bench.report();
    assert!(step(&report)["recovered"][0]["reason"].to_string().contains("still loading"), "{report}");
}

/// A list so long that its end is on no short list.
const LONG: &str = "<title>Fish</title><h1>Fish</h1><div id=all></div><script>for (let i = 0; i < 900; i++) \
    all.insertAdjacentHTML('beforeend', `<p><button onclick=\"document.body.append('Pressed ${i}')\">Barrel of number ${i} \
    with salted fish</button></p>`); all.insertAdjacentHTML('beforeend', `<button onclick=\"document.body.append('It is on its \
    way')\">Zander</button>`)</script>";

#[test]
fn what_no_short_list_shows_is_found_in_the_whole_tree_and_locked() {
    let bench = bench(LONG);
    bench.stand_in.always(|asked| {
        if asker(asked) != "tree" {
            assert!(!asked.text().contains("Zander"), "the short list shows it");
            return give_up();
        }
        let text = asked.text();
        match text.lines().rev().find(|line| line.contains("button \"Zander\"")) {
            _ if text.contains("effect of the act") => {
                call("done", json!({"evidence": "It is on its way", "message": "sent"}))
            }
            Some(line) => {
                let named = line.split_whitespace().next().unwrap_or("e0");
                call("act", json!({"verb": "click", "ref": named, "why": "it is the one"}))
            }
            None => call("tree_page", json!({"number": turn(asked) + 2})),
        }
    });
    bench.write("herring.yaml", TEST);
    let said = bench.run(&["herring.yaml", "--lock"]);
    assert_eq!(said.code, 0, "{said:?}");
    let report = bench.report();
    assert_eq!(step(&report)["recovered"][0]["tier"], 3, "{report}");
    assert_eq!(step(&report)["recovered"][0]["reason"], "recovered by a closer look at the page");
    let asked = bench.stand_in.asked().len();
    let said = bench.run(&["herring.yaml"]);
    assert_eq!((said.code, bench.stand_in.asked().len()), (0, asked), "the second run asks nobody: {said:?}");
}

#[test]
fn a_recovery_that_fails_leaves_the_step_as_it_was() {
    let bench = bench(OVERLAY);
    bench.stand_in.always(|asked| match asker(asked) {
        "screen" => Misbehaviour::BadRequest { message: "no pictures here".to_string() }.into(),
        _ => give_up(),
    });
    bench.write("herring.yaml", TEST);
    let said = bench.run(&["herring.yaml"]);
    assert_eq!(said.code, 3, "unclear, not broken: {said:?}");
    let askers = || -> Vec<&str> { bench.stand_in.asked().iter().map(asker).collect() };
    assert!(askers().starts_with(&["model"]) && askers().ends_with(&["screen", "tree"]), "{:?}", askers());
    bench.write("assay.yaml", "recovery: { tiers: 1 }\n");
    let said = bench.run(&["herring.yaml"]);
    assert_eq!(said.code, 3, "{said:?}");
    assert!(askers().ends_with(&["model"]), "{:?}", askers());
}

#[test]
fn a_definite_failure_is_not_appealed() {
    let bench = bench(OVERLAY);
    bench.stand_in.always(|_| give_up());
    bench.write(
        "herring.yaml",
        "test: Herring\nsteps:\n  - Go to /\n  - Click the \"Onward\" button\nexpected:\n  - The text \"Gone\" is shown\n",
    );
    let said = bench.run(&["herring.yaml"]);
    assert_eq!((said.code, bench.stand_in.asked().len()), (1, 0), "{said:?}");
}

/// A model that asks the outside server once and then presses what it was told of.
fn asks_outside(bench: &Bench, tool: &'static str, input: Value) {
    bench.stand_in.always(move |asked| match (asker(asked), turn(asked)) {
        ("tree", 0) => call(tool, input.clone()),
        ("tree", 1) => click_in_tree(asked),
        ("tree", _) => call("done", json!({"evidence": "It is on its way", "message": "sent"})),
        _ => give_up(),
    });
}

fn click_in_tree(asked: &Asked) -> Act {
    let text = asked.text();
    let line = text.lines().find(|line| line.contains("button \"Onward\"") && line.trim().starts_with('e'));
    let named = line.and_then(|line| line.split_whitespace().next()).unwrap_or("e0");
    call("act", json!({"verb": "click", "ref": named, "why": "it is the one"}))
}

const PLAIN: &str = "<title>Fish</title><h1>Fish</h1>\
    <button onclick=\"document.body.append('It is on its way')\">Onward</button>";

fn stand_in_server(bench: &Bench, way: &str) -> PathBuf {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/outside/stand_in.mjs");
    let log = bench.context.folder().join("outside.log");
    let _not_there = std::fs::remove_file(&log);
    let project = json!({"recovery": {"mcp": {
        "command": ["node", script, log, "{endpoint}", way],
    }}});
    bench.write("assay.yaml", &project.to_string());
    log
}

#[test]
fn an_outside_server_tells_more_and_never_acts() {
    let bench = bench(PLAIN);
    asks_outside(&bench, "outside_browser_snapshot", json!({"depth": 3}));
    let log = stand_in_server(&bench, "plain");
    let test = TEST.replace("steps:", "secrets: [PHRASE]\nsteps:");
    bench.write("herring.yaml", &test.replace("the herring", "the herring with \"${PHRASE}\""));
    let refused = bench.run(&["herring.yaml"]);
    assert_eq!(refused.code, 2, "commands of a project need trust: {refused:?}");
    assert!(refused.err.contains("is not trusted") && !log.exists(), "{refused:?}");
    let said = bench.run(&["herring.yaml", "--trust"]);
    assert_eq!(said.code, 0, "{said:?}");
    let told = std::fs::read_to_string(&log).unwrap();
    assert!(!told.contains("AGAINST"), "{told}");
    assert!(told.starts_with("started for http://127.0.0.1:"), "{told}");
    assert!(told.contains("call browser_snapshot {\"depth\":3}") && told.contains("answered {}"), "{told}");
    let report = bench.report();
    let reason = &step(&report)["recovered"][0]["reason"];
    assert_eq!(reason, "recovered by an outside server's look at the page");
    let asked = bench.stand_in.asked();
    let first = asked.iter().find(|asked| asker(asked) == "tree").unwrap();
    let tools = first.body["tools"].to_string();
    assert!(tools.contains("outside_browser_snapshot") && !tools.contains("filename"), "{tools}");
    assert!(!tools.contains("browser_click") && !tools.contains("undress"), "{tools}");
    let second = asked.iter().filter(|asked| asker(asked) == "tree").nth(1).unwrap().text();
    assert!(second.contains("behind the scenes") && second.contains("[end of page]"), "{second}");
    assert!(!second.contains(SECRET), "what the server tells is masked: {second}");
    nowhere_in(&bench.context.folder().join("assay-results"), KEY);
}

#[test]
fn an_outside_server_that_fails_is_told_and_the_tree_is_there_all_the_same() {
    for way in ["die", "hang"] {
        let bench = bench(PLAIN);
        asks_outside(&bench, "outside_browser_snapshot", json!({}));
        stand_in_server(&bench, way);
        bench.write("herring.yaml", TEST);
        let said = bench.run(&["herring.yaml", "--trust"]);
        assert_eq!(said.code, 0, "{way}: {said:?}");
        let asked = bench.stand_in.asked();
        let second = asked.iter().filter(|asked| asker(asked) == "tree").nth(1).unwrap().text();
        assert!(second.contains("the MCP server"), "{way}: {second}");
    }
}

#[test]
fn files_cannot_be_written_through_an_outside_server() {
    let bench = bench(PLAIN);
    asks_outside(&bench, "outside_browser_snapshot", json!({"filename": "stolen.txt"}));
    let log = stand_in_server(&bench, "plain");
    bench.write("herring.yaml", TEST);
    let said = bench.run(&["herring.yaml", "--trust"]);
    assert_eq!(said.code, 0, "{said:?}");
    let told = std::fs::read_to_string(&log).unwrap();
    assert!(!told.contains("stolen"), "{told}");
}

#[test]
fn playwrights_own_server_reads_the_same_page() {
    let cli = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../target/node-packages/node_modules/@playwright/mcp/cli.js");
    assert!(cli.exists(), "this test needs {}: run scripts/ensure-packages", cli.display());
    let bench = bench(PLAIN);
    asks_outside(&bench, "outside_browser_snapshot", json!({}));
    let command = json!(["node", cli, "--cdp-endpoint", "{endpoint}"]);
    bench.write("assay.yaml", &json!({"recovery": {"mcp": {"command": command}}}).to_string());
    bench.write("herring.yaml", TEST);
    let said = bench.run(&["herring.yaml", "--trust"]);
    assert_eq!(said.code, 0, "{said:?}");
    let report = bench.report();
    let reason = &step(&report)["recovered"][0]["reason"];
    assert_eq!(reason, "recovered by an outside server's look at the page", "{}", step(&report));
    let asked = bench.stand_in.asked();
    let second = asked.iter().filter(|asked| asker(asked) == "tree").nth(1).unwrap().text();
    assert!(second.contains("Page Title: Fish") && second.contains("button \"Onward\" [ref="), "{second}");
}
