//! What agents may do and spend: trust, secrets, budgets and time.

use std::io::Write;
use std::process::Stdio;
use std::sync::{Arc, Mutex};

use assay_testkit::models::Turn;
use assay_testkit::{Request, Response, Server};
use serde_json::json;

use crate::agent_desk::Desk;
use crate::context::{Context, Said, said};

const TIDY: &str = "name: tidy\nversion: 1.0.0\ndescription: Tidy the shop up\ntriggers: [tidy up]\n\
    system_prompt: Run the script goto.\ntools: [list_scripts, execute_script]\nplatform: null\nrequires_device: false\n\
    timeout_seconds: 600\nworkflow: [{tool: execute_script, with: {script: goto}}]\nanswer: tidied up\n";

/// In a folder of the project.
fn in_folder(desk: &Desk, folder: &str, arguments: &[&str]) -> Said {
    let mut command = desk.command(arguments);
    command.current_dir(desk.context.folder().join(folder));
    said(command)
}

fn in_folder_by_rules(desk: &Desk, folder: &str, arguments: &[&str]) -> Said {
    let mut command = desk.context.command(arguments);
    command.current_dir(desk.context.folder().join(folder));
    said(command)
}

#[test]
fn a_trusted_project_keeps_the_tools_of_its_skills_in_a_subfolder() {
    let desk = Desk::new();
    desk.write("skills/agents/tidy.yaml", TIDY);
    desk.write("parts/note.txt", "");
    let done = in_folder_by_rules(&desk, "parts", &["agent", "ask", "tidy up"]);
    assert_eq!((done.code, done.out.as_str(), desk.runs()), (0, "tidied up", 1), "{done:?}");
    desk.loads("tidy").calls("execute_script", json!({"script": "goto"})).answers("**goto**: done");
    let done = in_folder(&desk, "parts", &["agent", "ask", "tidy up"]);
    assert_eq!((done.code, desk.runs()), (0, 2), "{done:?}");
}

#[test]
fn a_trusted_subfolder_gives_the_skills_of_an_untrusted_project_no_tools() {
    let desk = Desk::untrusted();
    desk.write("skills/agents/tidy.yaml", TIDY);
    desk.write("parts/note.txt", "");
    assert_eq!(in_folder(&desk, "parts", &["trust"]).code, 0);
    let done = in_folder_by_rules(&desk, "parts", &["agent", "ask", "tidy up"]);
    assert!(done.code == 2 && done.out.contains("not trusted"), "{done:?}");
    desk.loads("tidy").calls("execute_script", json!({"script": "goto"}));
    desk.calls("execute_script", json!({"script": "goto"}))
        .calls("execute_script", json!({"script": "goto"}));
    let done = in_folder(&desk, "parts", &["agent", "ask", "tidy up"]);
    assert!(done.err.contains("this project is not trusted, so tidy may not use execute_script"), "{done:?}");
    let asked = desk.stand_in.asked();
    let declared = asked.last().unwrap().body["tools"].to_string();
    assert!(declared.contains("list_scripts") && !declared.contains("execute_script"), "{declared}");
    assert_eq!(desk.runs(), 0, "{done:?}");
}

#[test]
fn the_secret_of_a_script_never_reaches_the_model() {
    let desk = Desk::new();
    desk.write("scripts/pay.yaml", "script: Pay\nrun: ./pay.sh\nsecrets: [SHOP_NUMBER]\n");
    desk.write("scripts/pay.sh", "#!/bin/sh\nexit 0\n");
    desk.loads("run-script").calls("execute_script", json!({"script": "pay"})).answers("**pay**: PASSED");
    let with_number = |arguments: &[&str]| {
        let mut command = desk.command(arguments);
        command.env("SHOP_NUMBER", "4711-hunter2-0815");
        said(command)
    };
    let done = with_number(&["agent", "ask", "run pay with 4711-hunter2-0815"]);
    assert_eq!(done.code, 0, "{done:?}");
    for asked in desk.stand_in.asked() {
        assert!(!asked.body.to_string().contains("hunter2"), "{}", asked.body);
    }
    let shown = with_number(&["agent", "sessions", "show", "1", "--json"]);
    assert!(!shown.out.contains("hunter2"), "{shown:?}");
}

#[test]
fn the_secrets_of_tests_with_mistakes_never_reach_the_model() {
    let desk = Desk::new();
    desk.write("tests/pay.yaml", "test: Pay\nsecrets: [SHOP_NUMBER]\nstpes: [Pay]\n");
    desk.loads("list-resources").calls("list_scripts", json!({})).answers("- goto");
    let mut command = desk.command(&["agent", "ask", "list the scripts, not 4711-hunter2-0815"]);
    command.env("SHOP_NUMBER", "4711-hunter2-0815");
    let done = said(command);
    assert_eq!(done.code, 0, "{done:?}");
    for asked in desk.stand_in.asked() {
        assert!(!asked.body.to_string().contains("hunter2"), "{}", asked.body);
    }
}

fn agent(desk: &Desk, config: &str) {
    desk.write(
        "agents/thrifty.yaml",
        &format!(
            "agent: thrifty\nnickname: Thrifty\ndescription: Spends little\nselectable: true\n\
             skills: [run-script, list-resources]\nconfig: {config}\n"
        ),
    );
}

#[test]
fn the_budgets_of_the_agent_and_of_the_user_both_hold() {
    let desk = Desk::new();
    desk.stand_in.always(|_| Turn::call("list_scripts", json!({})).into());
    let calls = |desk: &Desk| {
        let before = desk.stand_in.asked().len();
        let done = desk.say(&["agent", "ask", "LOAD SKILL run-script", "--agent", "thrifty"]);
        assert_eq!(done.code, 3, "{done:?}");
        (desk.stand_in.asked().len() - before, done.err)
    };
    agent(&desk, "{budget: {turns: 2}}");
    let (asked, told) = calls(&desk);
    assert!(asked == 2 && told.contains("2 calls of the model in one turn is spent"), "{asked}: {told}");
    // The user allows less than the agent wants.
    desk.write(".config/assay/config.yaml", "budget: {turns: 1}\n");
    let (asked, told) = calls(&desk);
    assert!(asked == 1 && told.contains("1 calls of the model in one turn is spent"), "{asked}: {told}");
}

#[test]
fn an_agent_of_an_untrusted_project_may_not_raise_the_budget() {
    let desk = Desk::untrusted();
    agent(&desk, "{budget: {tokens: 90000000, turns: 900}}");
    let used = desk.json(&["agent", "show", "thrifty"]);
    assert_eq!(used["data"]["config"]["budget"]["turns"], 900);
    // Many different calls that find something, so that no circle ends the turn before the budget does.
    let name = "login_page";
    let parts = (0..name.len()).flat_map(move |from| (from + 1..=name.len()).map(move |to| &name[from..to]));
    let parts = Mutex::new(parts.collect::<std::collections::BTreeSet<_>>().into_iter());
    desk.stand_in.always(move |asked| {
        if asked.body["tools"].is_null() {
            return Turn::text("LOAD SKILL list-resources").into();
        }
        let part = parts.lock().unwrap().next().unwrap();
        Turn::call("list_testcases", json!({ "contains": part })).into()
    });
    let done = desk.say(&["agent", "ask", "list everything", "--agent", "thrifty"]);
    assert!(done.code == 3 && done.err.contains("30 calls of the model in one turn is spent"), "{done:?}");
    // An agent that says nothing of a budget has the usual one.
    agent(&desk, "{timeout_seconds: 600}");
    let shown = desk.json(&["agent", "show", "thrifty"]);
    assert_eq!(shown["data"]["config"]["budget"], json!({"tokens": 200_000, "money": 1.0, "turns": 30}));
}

#[test]
fn exploring_happens_in_the_browser_that_is_named() {
    let seen: Arc<Mutex<Vec<String>>> = Arc::default();
    let heard = Arc::clone(&seen);
    let shop = Server::start(move |request: &Request| {
        let browser = request.headers.iter().find(|(name, _)| name == "user-agent");
        if request.path == "/" {
            heard.lock().unwrap().extend(browser.map(|(_, browser)| browser.clone()));
        }
        Response::html("<!doctype html><title>Start</title><h1>Start</h1>".to_string())
    });
    let context = Context::new();
    let address = shop.url("");
    let project = format!("suite: shop\nbase_url: {}\n", address.trim_end_matches('/'));
    std::fs::write(context.folder().join("assay.yaml"), project).unwrap();
    context.ok(&["trust"]);
    let done = context.run(&["agent", "ask", "explore the shop on firefox"]);
    assert!(done.err.contains("take_control → firefox"), "{done:?}");
    let seen = seen.lock().unwrap();
    let opened = seen.iter().filter(|browser| browser.contains("Mozilla")).collect::<Vec<_>>();
    assert!(!opened.is_empty() && opened.iter().all(|browser| browser.contains("Firefox/")), "{seen:?}");
}

#[test]
fn a_conversation_with_a_model_knows_help_and_history_and_shows_progress() {
    let desk = Desk::new();
    desk.loads("run-script").calls("execute_script", json!({"script": "goto"})).answers("**goto**: PASSED");
    let mut command = desk.command(&["agent"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"help\nrun goto\nhistory\nexit\n").unwrap();
    let output = child.wait_with_output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(err.contains("`history` shows what was asked"), "{err}");
    assert!(err.contains("[2/2] execute_script"), "{err}");
    assert!(out.contains("**goto**: PASSED") && out.contains("1. run goto"), "{out}");
    assert_eq!(output.status.code(), Some(0), "{err}");
}
