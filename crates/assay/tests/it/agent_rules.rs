//! Sessions of agents by rules: on record, resumed after a crash, stopped, approved, counted; and their events.

use std::time::{Duration, Instant};

use serde_json::Value;

use crate::agent_desk::{Desk, await_that, living, start};
use crate::context::Said;

const SLOW: &str = "#!/bin/sh\necho run >> \"$HOME/runs.txt\"\ntest -f \"$HOME/quick\" || sleep 600\n";

fn ask(desk: &Desk, arguments: &[&str]) -> Said {
    desk.context.run(&[&["agent"], arguments].concat())
}

fn slow(desk: &Desk) {
    desk.write("scripts/slow.yaml", "script: Slow\nrun: ./slow.sh\n");
    desk.write("scripts/slow.sh", SLOW);
}

fn sessions(desk: &Desk) -> Vec<Value> {
    desk.context.json(&["agent", "sessions"])["data"]["sessions"].as_array().unwrap().clone()
}

/// What listeners of a session heard, in short.
fn events(desk: &Desk, session: &str) -> Vec<String> {
    let shown = desk.context.json(&["agent", "sessions", "show", session]);
    let entries = shown["data"]["entries"].as_array().unwrap().clone();
    let bodies = entries.iter().filter(|entry| entry["kind"] == "event").map(|entry| &entry["body"]);
    bodies
        .map(|body| {
            let kind = body["type"].as_str().unwrap();
            match (body["tool_name"].as_str(), &body["progress"]) {
                (Some(tool), _) => format!("{kind} {tool}"),
                (None, Value::Null) => kind.to_string(),
                (None, progress) => format!("{kind} {}/{}", progress["current"], progress["total"]),
            }
        })
        .collect()
}

#[test]
fn a_turn_by_rules_is_on_record_with_the_events_of_the_contract() {
    let desk = Desk::new();
    let done = ask(&desk, &["ask", "run the goto script"]);
    assert_eq!((done.code, desk.runs()), (0, 1), "{done:?}");
    let expected = [
        "session_started",
        "agent_started",
        "skill_loaded",
        "progress 1/2",
        "tool_call get_compatible_hosts",
        "tool_result get_compatible_hosts",
        "progress 2/2",
        "tool_call execute_script",
        "tool_result execute_script",
        "message",
        "agent_completed",
        "session_ended",
    ];
    assert_eq!(events(&desk, "1"), expected);
    let found = &sessions(&desk)[0];
    assert_eq!((&found["status"], &found["skill"]), (&"idle".into(), &"run-script".into()));
    assert_eq!(found["model"], Value::Null);
    let shown = ask(&desk, &["sessions", "show", "1"]);
    assert!(shown.out.contains("user: run the goto script"), "{shown:?}");
    // Another request goes on in the same session.
    let again = ask(&desk, &["ask", "--in", "1", "list the scripts"]);
    assert!(again.code == 0 && again.out.contains("goto"), "{again:?}");
    assert_eq!(sessions(&desk).len(), 1);
    let nothing = ask(&desk, &["sessions", "resume", "1"]);
    assert!(nothing.err.contains("has nothing to go on with"), "{nothing:?}");
}

#[test]
fn a_turn_with_a_model_has_the_events_of_the_contract() {
    let desk = Desk::new();
    desk.loads("run-script")
        .calls("execute_testcase", serde_json::json!({"testcase": "login_page"}))
        .calls("execute_script", serde_json::json!({"script": "goto"}))
        .answers("**goto**: PASSED");
    assert_eq!(desk.say(&["agent", "ask", "run goto"]).code, 0);
    let expected = [
        "session_started",
        "agent_started",
        "skill_loaded",
        // Refused: the skill does not have it.
        "tool_call execute_testcase",
        "tool_result execute_testcase",
        "progress 2/2",
        "tool_call execute_script",
        "tool_result execute_script",
        "message",
        "agent_completed",
        "session_ended",
    ];
    assert_eq!(events(&desk, "1"), expected);
}

#[test]
fn a_call_of_a_rule_that_was_cut_off_is_not_repeated_unseen() {
    let desk = Desk::new();
    slow(&desk);
    let mut child = start(desk.context.command(&["agent", "ask", "run the slow script"]));
    await_that(|| desk.runs() == 1);
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(sessions(&desk)[0]["status"], "interrupted");
    await_that(|| living(desk.context.folder()).is_empty());
    let asked = ask(&desk, &["sessions", "resume", "1", "--yes"]);
    assert_eq!((asked.code, desk.runs()), (3, 1), "{asked:?}");
    assert!(asked.out.contains("outcome unknown: `execute_script"), "{asked:?}");
    assert_eq!(sessions(&desk)[0]["status"], "waiting");
    // What was done before is not done again, and nobody hears of it twice.
    let heard = events(&desk, "1");
    let hosts = heard.iter().filter(|line| *line == "tool_call get_compatible_hosts").count();
    assert_eq!(hosts, 1, "{heard:?}");
    desk.write("quick", "");
    let done = ask(&desk, &["sessions", "approve", "1"]);
    assert_eq!((done.code, desk.runs()), (0, 2), "{done:?}");
    assert_eq!(sessions(&desk)[0]["status"], "idle");
}

#[test]
fn a_user_stops_a_turn_by_rules_from_another_terminal_and_no_second_one_begins_beside_it() {
    let desk = Desk::new();
    slow(&desk);
    let child = start(desk.context.command(&["agent", "ask", "run the slow script"]));
    await_that(|| desk.runs() == 1);
    let second = ask(&desk, &["ask", "list the scripts"]);
    assert_ne!(second.code, 0, "{second:?}");
    assert!(second.err.contains("a turn of session 1"), "{second:?}");
    assert!(second.err.contains("assay agent sessions stop 1"), "{second:?}");
    let guardian = ask(&desk, &["ask", "--agent", "monitor", "health check"]);
    assert_eq!(guardian.code, 0, "another agent has its own share: {guardian:?}");
    assert_eq!(ask(&desk, &["sessions", "stop", "1"]).out, "session 1 ends its turn");
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(3), "{}", String::from_utf8_lossy(&ended.stderr));
    await_that(|| living(desk.context.folder()).is_empty());
}

#[test]
fn a_call_that_needs_a_person_waits_and_is_made_when_it_is_approved() {
    let desk = Desk::new();
    desk.write(
        "agents/careful.yaml",
        "agent: careful\nnickname: Careful\ndescription: Asks first\nselectable: true\nskills: [run-script]\n\
         config: {approval_required_for: [runs]}\n",
    );
    let ask_it = |words: &str| ask(&desk, &["ask", "--agent", "careful", words]);
    let asked = ask_it("run the goto script");
    assert_eq!((asked.code, desk.runs()), (3, 0), "{asked:?}");
    assert!(asked.err.contains("assay agent sessions approve 1"), "{asked:?}");
    let refused = ask(&desk, &["sessions", "approve", "1", "--no"]);
    assert_eq!((refused.code, desk.runs()), (3, 0), "{refused:?}");
    assert!(refused.out.contains("the user did not allow it"), "{refused:?}");
    assert_eq!(ask_it("run the goto script").code, 3);
    let done = ask(&desk, &["sessions", "approve", "2"]);
    assert_eq!((done.code, desk.runs()), (0, 1), "{done:?}");
}

#[test]
fn the_time_of_a_turn_by_rules_is_that_of_its_agent_and_ends_a_call() {
    let desk = Desk::new();
    slow(&desk);
    desk.write(
        "agents/hasty.yaml",
        "agent: hasty\nnickname: Hasty\ndescription: Has no time\nselectable: true\nskills: [run-script]\n\
         config: {timeout_seconds: 5}\n",
    );
    let begun = Instant::now();
    let done = ask(&desk, &["ask", "--agent", "hasty", "run the slow script"]);
    assert_eq!((done.code, desk.runs()), (3, 1), "{done:?}");
    assert!(done.out.contains("The time of the turn is over: 5 s."), "{done:?}");
    assert!(begun.elapsed() < Duration::from_secs(120), "{:?}", begun.elapsed());
    await_that(|| living(desk.context.folder()).is_empty());
}

/// Killed after delays from a seed: nothing runs twice unseen, and every turn goes on.
#[test]
fn a_turn_by_rules_that_is_killed_anywhere_goes_on_and_runs_nothing_twice_unseen() {
    let points = std::env::var("ASSAY_TEST_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(8);
    let desk = Desk::new();
    let begun = Instant::now();
    assert_eq!(ask(&desk, &["ask", "run the goto script"]).code, 0);
    let (whole, mut runs) = (begun.elapsed(), desk.runs());
    let mut seed = 20_261_119_u64;
    for point in 0..points {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let part = (seed >> 33) as f64 / f64::from(1_u32 << 31);
        let mut child = start(desk.context.command(&["agent", "ask", "run the goto script"]));
        std::thread::sleep(whole.mul_f64(part));
        child.kill().unwrap();
        child.wait().unwrap();
        // What the turn began may still have its effect, or is ended: then it is counted.
        await_that(|| living(desk.context.folder()).is_empty());
        let newest = sessions(&desk)[0].clone();
        let number = newest["id"].to_string();
        let before = desk.runs();
        let resumed = ask(&desk, &["sessions", "resume", &number]);
        if resumed.out.contains("outcome unknown") {
            assert_eq!((resumed.code, desk.runs()), (3, before), "{point}: {resumed:?}");
            let refused = ask(&desk, &["sessions", "approve", &number, "--no"]);
            assert_eq!(refused.code, 3, "{point}: {refused:?}");
        } else {
            assert_eq!(resumed.code, 0, "{point}: {resumed:?}");
        }
        assert!(desk.runs() - runs <= 1, "{point}: one request ran the script {} times", desk.runs() - runs);
        runs = desk.runs();
        assert_eq!(sessions(&desk)[0]["status"], "idle", "{point}: {resumed:?}");
    }
    await_that(|| living(desk.context.folder()).is_empty());
}

#[test]
fn a_watch_works_on_as_many_events_of_an_agent_as_it_may_have_at_a_time() {
    for (most, expected) in [(1, 1), (2, 2)] {
        let desk = Desk::new();
        slow(&desk);
        desk.write(
            "agents/runner.yaml",
            &format!(
                "agent: runner\nnickname: Run\ndescription: Runs\ntriggers: [{{event: team.wish}}]\n\
                 skills: [run-script]\nconfig: {{max_parallel_tasks: {most}}}\n"
            ),
        );
        desk.write("wish.json", r#"{"script": "slow"}"#);
        for _ in 0..3 {
            desk.context.ok(&["event", "publish", "team.wish", "--payload", "wish.json"]);
        }
        let mut watching = start(desk.context.command(&["agent", "watch"]));
        await_that(|| desk.runs() == expected);
        std::thread::sleep(Duration::from_secs(3));
        assert_eq!(desk.runs(), expected, "no more than {most} at a time");
        // The others follow as places become free.
        desk.write("quick", "");
        watching.kill().unwrap();
        watching.wait().unwrap();
        await_that(|| living(desk.context.folder()).is_empty());
        // What was cut off waits for somebody: it is not repeated unseen.
        let said = ask(&desk, &["watch", "--once"]);
        assert_eq!(said.out.matches("Run (run-script): **slow**").count(), 3 - expected, "{said:?}");
        let waiting = said.out.matches("waits for `assay agent sessions approve").count();
        assert_eq!((waiting, desk.runs()), (expected, 3), "{said:?}");
    }
}
