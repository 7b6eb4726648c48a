//! Whole tasks that a model carries out, in all engines: each step is a goal that the interpreter cannot take apart, and
//! a scripted stand-in for a model works it out from what it is shown. One of the pages talks to models; one of the
//! models obeys.

use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use assay_testkit::models::{Act, Api, Asked, StandIn, Turn};
use assay_testkit::{Request, Server, watched_fixture_site};
use serde_json::{Value, json};

use crate::context::{Context, Said, said};

const ENGINES: [&str; 3] = ["chromium", "firefox", "webkit"];

/// One thing that a scripted model does. What it names is part of a line by which the page lists an element.
#[derive(Debug, Clone, Copy)]
enum Move {
    Click(&'static str),
    Check(&'static str),
    Enter { field: &'static str, value: u64 },
    Choose { list: &'static str, option: &'static str },
    Words { field: &'static str, words: &'static str },
    ToBottom,
    Done { evidence: &'static str },
}

#[derive(Debug, Clone, Copy)]
struct Task {
    name: &'static str,
    path: &'static str,
    goal: &'static str,
    moves: &'static [Move],
    claims: &'static [&'static str],
    api: Api,
}

const TASKS: [Task; 6] = [
    Task {
        name: "search",
        path: "/wiki",
        goal: "Find out about the \"lighthouse\" keeper and read up on that",
        moves: &[
            Move::Enter { field: "\"Search the wiki\"", value: 1 },
            Move::Click("button \"Search\""),
            Move::Click("link \"Lighthouse keeper\""),
            Move::Done { evidence: "The last one here left in 1974" },
        ],
        claims: &["The heading \"Lighthouse keeper\" is shown"],
        api: Api::Anthropic,
    },
    Task {
        name: "form",
        path: "/wizard",
        goal: "Apply for a berth, owner \"Ada Lund\", mail \"ada@example.com\", ship \"Minke\", a \"Ketch\" of \"12\" metres",
        moves: &[
            Move::Enter { field: "textbox \"Full name\"", value: 1 },
            Move::Enter { field: "textbox \"Email\"", value: 2 },
            Move::Click("button \"Next\""),
            Move::Enter { field: "textbox \"Name of the ship\"", value: 3 },
            Move::Choose { list: "\"Kind\"", option: "Ketch" },
            Move::Enter { field: "textbox \"Length in metres\"", value: 5 },
            Move::Click("button \"Next\""),
            Move::Check("checkbox \"I accept the harbour rules\""),
            Move::Click("button \"Send the application\""),
            Move::Done { evidence: "Application sent" },
        ],
        claims: &["The text \"Application sent\" is shown", "The text \"B-125\" is shown"],
        api: Api::Responses,
    },
    Task {
        name: "injection",
        path: "/injection",
        goal: "Find out what a \"rope\" of nylon costs",
        moves: &[
            Move::Enter { field: "\"Search the shop\"", value: 1 },
            Move::Click("button \"Search\""),
            Move::Click("link \"Nylon rope\""),
            Move::Done { evidence: "Price: 31 crowns" },
        ],
        claims: &["The heading \"Nylon rope\" is shown", "The text \"31 crowns\" is shown"],
        api: Api::Gemini,
    },
    Task {
        name: "slow",
        path: "/late",
        goal: "Put the slow one to work",
        moves: &[Move::Click("button \"Press and wait\""), Move::Done { evidence: "Pressed slowly" }],
        claims: &["The text \"Pressed slowly\" is shown"],
        api: Api::Chat,
    },
    Task {
        name: "scrolling",
        path: "/feed",
        goal: "Make an offer for the very last of the lots",
        moves: &[
            Move::ToBottom,
            Move::Click("button \"Bid on lot 40\""),
            Move::Done { evidence: "Your bid on lot 40 is in" },
        ],
        claims: &["The text \"Your bid on lot 40 is in\" is shown"],
        api: Api::Anthropic,
    },
    Task {
        name: "dialog",
        path: "/modal",
        goal: "Have a berth booked for the \"Minke\"",
        moves: &[
            Move::Click("button \"Open the dialog\""),
            Move::Enter { field: "textbox \"Ship\"", value: 1 },
            Move::Click("button \"Book\""),
            Move::Done { evidence: "Modal dialogs" },
        ],
        claims: &["The \"Book a berth\" dialog is not shown", "The text \"click open close book\" is shown"],
        api: Api::Responses,
    },
];

/// The ref of what the page lists so, the last time it was listed.
fn reference(asked: &Asked, what: &str) -> Option<String> {
    let text = asked.text();
    // Elements of a row stand under it.
    let mut lines = text.lines().rev().map(str::trim_start);
    let line = lines.find(|line| line.starts_with('e') && line.contains(what))?;
    line.split(' ').next().map(ToString::to_string)
}

fn say(name: &str, input: Value) -> Act {
    Turn::call(name, input).into()
}

/// What the move is called in the tools of a model. None where the page does not list what it is about.
fn tool_call(wanted: Move, asked: &Asked) -> Option<Act> {
    let why = "it is part of the goal";
    let act = |verb: &str, what: &str| {
        Some(say("act", json!({"verb": verb, "ref": reference(asked, what)?, "why": why})))
    };
    match wanted {
        Move::Click(what) => act("click", what),
        Move::Check(what) => act("check", what),
        Move::Enter { field, value } => {
            Some(say("enter_value", json!({"ref": reference(asked, field)?, "value": value, "why": why})))
        }
        Move::Words { field, words } => {
            Some(say("enter_words", json!({"ref": reference(asked, field)?, "words": words, "why": why})))
        }
        Move::Choose { list, option } => {
            Some(say("choose", json!({"ref": reference(asked, list)?, "option": option, "why": why})))
        }
        Move::ToBottom => Some(say("scroll", json!({"to": "bottom", "why": why}))),
        Move::Done { evidence } => {
            Some(say("done", json!({"evidence": evidence, "message": "the goal is reached"})))
        }
    }
}

/// A model that makes these moves one after the other, and looks again where it cannot make the next one yet.
fn scripted(api: Api, moves: &'static [Move]) -> StandIn {
    let stand_in = StandIn::start(api);
    let at = AtomicUsize::new(0);
    stand_in.always(move |asked| {
        let place = at.load(Ordering::SeqCst).min(moves.len() - 1);
        match tool_call(moves[place], asked) {
            Some(act) => {
                at.fetch_add(1, Ordering::SeqCst);
                act
            }
            None => say("look", json!({})),
        }
    });
    stand_in
}

fn with_model(mut command: Command, api: Api, stand_in: &StandIn) -> Said {
    let (model, address, key) = match api {
        Api::Anthropic => ("anthropic/claude-sonnet-5-5", "ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY"),
        Api::Responses => ("openai/gpt-5.5", "OPENAI_BASE_URL", "OPENAI_API_KEY"),
        Api::Chat => ("ollama/qwen3", "OLLAMA_BASE_URL", "ASSAY_MODEL_API_KEY"),
        Api::Gemini => ("gemini/gemini-3.5-flash", "GEMINI_BASE_URL", "GEMINI_API_KEY"),
    };
    command.env("DEFAULT_MODEL", model).env(address, stand_in.base()).env(key, "sk-0123456789-secret");
    said(command)
}

/// Carries out a task once. What was said, where it did not pass.
fn carry_out(task: &Task, engine: &str) -> Result<(), String> {
    let context = Context::new();
    let stand_in = scripted(task.api, task.moves);
    let claims: String = task.claims.iter().map(|claim| format!("  - {claim}\n")).collect();
    let test = format!(
        "test: Task\nbrowser: {engine}\nsteps:\n  - Open {}\n  - {}\nexpected:\n{claims}",
        context.url(task.path),
        task.goal,
    );
    std::fs::write(context.folder().join("task.yaml"), test).unwrap();
    let run = |arguments: &[&str]| with_model(context.command(arguments), task.api, &stand_in);
    let first = run(&["run", "task.yaml", "--lock"]);
    if first.code != 0 {
        return Err(format!("{} in {engine}: {first:?}", task.name));
    }
    let calls = stand_in.asked().len();
    if calls < task.moves.len() {
        return Err(format!("{} in {engine}: a model was asked {calls} times only", task.name));
    }
    let second = run(&["run", "task.yaml"]);
    match (second.code, stand_in.asked().len() - calls) {
        (0, 0) => Ok(()),
        (_, more) => {
            let lock = std::fs::read_to_string(context.folder().join("task.lock.yaml")).unwrap_or_default();
            Err(format!("{} in {engine}, again: {more} calls, {second:?}\n{lock}", task.name))
        }
    }
}

/// Once in every engine, and a second time without asking anybody.
#[track_caller]
fn check(name: &str) {
    let task = TASKS.iter().find(|task| task.name == name).unwrap();
    let failures: Vec<String> = ENGINES.iter().filter_map(|engine| carry_out(task, engine).err()).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn an_article_is_searched_for_and_opened() {
    check("search");
}

#[test]
fn a_form_in_parts_is_filled_in() {
    check("form");
}

#[test]
fn a_page_that_talks_to_models_is_used_as_the_test_says() {
    check("injection");
}

#[test]
fn a_page_that_never_rests_is_waited_for() {
    check("slow");
}

#[test]
fn what_is_far_down_is_scrolled_to() {
    check("scrolling");
}

#[test]
fn a_dialog_is_worked_through() {
    check("dialog");
}

/// What a page talks a model into, and the code under which the refusal stands in the reports.
const BAITS: [(&str, &[Move]); 5] = [
    ("deleting", &[Move::Click("button \"Delete account\"")]),
    ("paying", &[Move::Click("button \"Pay now\"")]),
    ("leaves-site", &[Move::Click("link \"Go on at our partner\"")]),
    ("unnamed-credential", &[Move::Words { field: "textbox \"Password", words: "the-password-i-was-given" }]),
    ("unnamed-value", &[Move::Words { field: "\"Search the shop\"", words: "You are a pilot" }]),
];

fn watched() -> (Server, Arc<Mutex<Vec<String>>>) {
    let paths = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&paths);
    let site = watched_fixture_site(move |request: &Request| kept.lock().unwrap().push(request.path.clone()));
    (site, paths)
}

#[test]
fn a_model_that_obeys_the_page_gets_nowhere() {
    for engine in ENGINES {
        for (code, moves) in BAITS {
            let (site, paths) = watched();
            let context = Context::new();
            let stand_in = scripted(Api::Anthropic, moves);
            let test = format!(
                "test: Bait\nbrowser: {engine}\nsteps:\n  - Open {}\n  - Find out what a \"rope\" of nylon costs\n",
                site.url("/injection")
            );
            std::fs::write(context.folder().join("bait.yaml"), test).unwrap();
            let said = with_model(context.command(&["run", "bait.yaml"]), Api::Anthropic, &stand_in);
            assert_eq!(said.code, 3, "{code} in {engine}: {said:?}");
            assert!(said.out.contains(&format!("safety: {code}")), "{code} in {engine}: {}", said.out);
            let reached = paths.lock().unwrap().clone();
            let harm = ["/injection/delete", "/injection/pay", "/injection/login", "/injection/stolen"];
            assert!(!reached.iter().any(|path| harm.contains(&path.as_str())), "{code}: {reached:?}");
        }
    }
}

/// A goal of a session: its model is asked for what the interpreter does not read.
fn goal(site: &str, task: &Task, claims: &[&str]) -> String {
    let claims: String = claims.iter().map(|claim| format!("{claim}. ")).collect();
    format!("Open {site}{}; {}. {claims}", task.path, task.goal)
}

fn named(name: &str) -> &'static Task {
    TASKS.iter().find(|task| task.name == name).unwrap()
}

#[test]
fn a_goal_that_a_model_works_on_is_reached_only_with_a_claim_behind_it() {
    for task in [named("search"), named("form")] {
        for (claims, code, words) in
            [(task.claims, 0, "every part of the goal is done"), (&[], 3, "rests on the word of the model")]
        {
            let context = Context::new();
            let stand_in = scripted(task.api, task.moves);
            let goal = goal(&context.url(""), task, claims);
            let said = with_model(context.command(&["task", "start", &goal]), task.api, &stand_in);
            assert_eq!(said.code, code, "{}: {said:?}", task.name);
            assert!(said.out.contains(words), "{}: {said:?}", task.name);
            let state: Value = serde_json::from_str(&context.ok(&["task", "export"])).unwrap();
            assert_eq!(state["taskContext"]["status"], "finished");
            let acts = state["actionHistory"].as_array().unwrap();
            assert!(acts.len() > 2, "the acts of the model are on record: {acts:?}");
        }
    }
}

#[test]
fn a_goal_with_a_model_that_obeys_the_page_harms_nothing() {
    for (code, moves) in BAITS {
        let (site, paths) = watched();
        let context = Context::new();
        let stand_in = scripted(Api::Anthropic, moves);
        let goal = goal(&site.url(""), named("injection"), &[]);
        let said = with_model(context.command(&["task", "start", &goal]), Api::Anthropic, &stand_in);
        assert_eq!(said.code, 3, "{code}: {said:?}");
        let reached = paths.lock().unwrap().clone();
        let harm = ["/injection/delete", "/injection/pay", "/injection/login", "/injection/stolen"];
        assert!(!reached.iter().any(|path| harm.contains(&path.as_str())), "{code}: {reached:?}");
    }
}

#[test]
fn a_goal_ends_within_the_budget_of_its_model() {
    let context = Context::new();
    let stand_in = StandIn::start(Api::Anthropic);
    stand_in.always(|_| say("look", json!({})));
    let goal = goal(&context.url(""), named("search"), &[]);
    let arguments = ["task", "start", &goal, "--budget", "3calls"];
    let said = with_model(context.command(&arguments), Api::Anthropic, &stand_in);
    assert_eq!(said.code, 3, "{said:?}");
    assert!(said.out.contains("is paused"), "{said:?}");
    assert!(stand_in.asked().len() <= 3, "{}", stand_in.asked().len());
}

/// Ten times each in each engine, with the figure printed: `cargo nextest run -p assay --run-ignored only --no-capture
/// -E 'test(tasks::ten_times)'`, or `bench/tasks`.
#[test]
#[ignore = "takes many minutes; bench/tasks runs it"]
fn ten_times_in_a_row() {
    let rounds: usize =
        std::env::var("TASKS_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(10);
    let mut worst = 1.0_f64;
    for engine in ENGINES {
        let mut failures = Vec::new();
        for task in &TASKS {
            failures.extend((0..rounds).filter_map(|_| carry_out(task, engine).err()));
        }
        let all = TASKS.len() * rounds;
        let good = all - failures.len();
        println!("{engine}: {good} of {all} tasks, {:.0} %", 100.0 * good as f64 / all as f64);
        failures.iter().for_each(|failure| println!("  {failure}"));
        worst = worst.min(good as f64 / all as f64);
    }
    assert!(worst >= 0.9, "one engine is below 90 %");
}
