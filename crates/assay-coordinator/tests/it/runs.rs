//! The journal of runs: what goes in comes out, and says how far the run was.

use std::os::unix::fs::PermissionsExt;

use assay_coordinator::StateError;
use assay_protocol::{RunFact, TaskId, TaskMessage, TaskStatus, Verdict};

use crate::context::*;

fn a_whole_run() -> Vec<RunFact> {
    vec![
        run_started(vec![line("login", "chromium", "f1"), line("pay", "chromium", "f2")]),
        test_started("login", 1),
        step_started("login", 1, "Open the page"),
        command_started("login", 1, "go http://127.0.0.1/", false),
        command("login", 1, "go http://127.0.0.1/"),
        step_finished("login", 1, Verdict::Passed),
        step_started("login", 2, "Click Log in"),
        step_finished("login", 2, Verdict::Failed),
        test_finished("login", 1, Verdict::Failed, true),
        test_started("login", 2),
        step_started("login", 1, "Open the page"),
        step_finished("login", 1, Verdict::Passed),
        test_finished("login", 2, Verdict::Passed, false),
        test_started("pay", 1),
        step_started("pay", 1, "Pay"),
        command_started("pay", 1, "click e1", true),
        command("pay", 1, "click e1"),
        step_finished("pay", 1, Verdict::Passed),
        test_finished("pay", 1, Verdict::Passed, false),
        run_finished(false),
    ]
}

#[test]
fn the_folder_is_private_and_no_part_of_the_repository() {
    let home = Home::new();
    std::fs::create_dir(home.state()).unwrap();
    std::fs::set_permissions(home.state(), std::fs::Permissions::from_mode(0o755)).unwrap();
    let _coordinator = home.open();
    let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&home.state()), 0o700);
    assert_eq!(mode(&home.file()), 0o600);
    assert_eq!(std::fs::read_to_string(home.state().join(".gitignore")).unwrap(), "*\n");
}

#[test]
fn the_events_of_a_run_are_given_back_in_order() {
    let home = Home::new();
    let task = begin(&home.open(), "r1", &home.path, me());
    // Another process, another connection: nothing is known but what is in the file.
    record_all(&home.open(), task, a_whole_run());
    let coordinator = home.open();
    let events = coordinator.events_of(task).unwrap();
    assert_eq!(events.into_iter().map(|event| event.what).collect::<Vec<_>>(), a_whole_run());
    let run = coordinator.run_named("r1").unwrap();
    assert_eq!((run.status, run.interrupted, run.duration_ms), (TaskStatus::Finished, false, Some(900)));
    assert_eq!(run.order["argv"][1], "demo");
    let following = coordinator.run_events_after(task, 0, usize::MAX).unwrap();
    assert_eq!(coordinator.run_events_after(task, following[17].0, usize::MAX).unwrap().len(), 2);
}

#[test]
fn a_test_that_ended_leaves_its_result_with_the_steps_of_all_attempts() {
    let home = Home::new();
    let coordinator = home.open();
    let task = begin(&coordinator, "r1", &home.path, me());
    record_all(&coordinator, task, a_whole_run());
    let result = coordinator.history("login", 10).unwrap().pop().unwrap();
    assert_eq!((result.verdict, result.flaky, result.attempt), (Verdict::Passed, true, 2));
    assert_eq!(result.fingerprint.as_deref(), Some("f1"));
    let sql = rusqlite::Connection::open(home.file()).unwrap();
    let steps: Vec<(u32, String, String)> = sql
        .prepare("SELECT step_result.attempt, text, step_result.verdict FROM step_result JOIN result ON result.id = result WHERE test = 'login' ORDER BY step_result.rowid")
        .unwrap()
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    let expected =
        [(1, "Open the page", "passed"), (1, "Click Log in", "failed"), (2, "Open the page", "passed")];
    assert_eq!(steps, expected.map(|(attempt, text, verdict)| (attempt, text.into(), verdict.into())));
    let metrics = coordinator.metrics(task).unwrap();
    let counted = ["tests", "passed", "flaky", "commands", "not-run"].map(|name| metrics[name]);
    assert_eq!(counted, [2.0, 2.0, 1.0, 2.0, 0.0]);
}

#[test]
fn a_run_that_was_cut_off_says_what_may_have_been_done() {
    let home = Home::new();
    let coordinator = home.open();
    let task = begin(&coordinator, "r1", &home.path, me());
    let mut facts = a_whole_run();
    facts.truncate(16);
    record_all(&coordinator, task, facts);
    let unfinished = home.open().unfinished(task).unwrap();
    assert_eq!(unfinished.finished.len(), 1);
    assert_eq!((unfinished.finished[0].test.as_str(), unfinished.finished[0].attempt), ("login", 2));
    let [pay] = unfinished.under_way.as_slice() else { panic!("{:?}", unfinished.under_way) };
    assert!(pay.test == "pay" && pay.steps.is_empty() && pay.acts.is_empty());
    let begun = pay.begun.as_ref().unwrap();
    assert_eq!((begun.command.as_str(), begun.commits, begun.step), ("click e1", true, 1));
    assert!(unfinished.not_started.is_empty());
}

#[test]
fn an_act_that_ended_is_not_in_doubt() {
    let home = Home::new();
    let coordinator = home.open();
    let task = begin(&coordinator, "r1", &home.path, me());
    let mut facts = a_whole_run();
    facts.truncate(7);
    record_all(&coordinator, task, facts);
    let unfinished = coordinator.unfinished(task).unwrap();
    let [login] = unfinished.under_way.as_slice() else { panic!("{:?}", unfinished.under_way) };
    assert_eq!((login.steps.len(), login.acts.len(), &login.begun), (1, 1, &None));
    assert_eq!(login.acts[0].record.command, "go http://127.0.0.1/");
    assert_eq!(unfinished.not_started, ["pay"]);
}

#[test]
fn between_two_attempts_the_next_one_is_under_way() {
    let home = Home::new();
    let coordinator = home.open();
    let task = begin(&coordinator, "r1", &home.path, me());
    let mut facts = a_whole_run();
    facts.truncate(9);
    record_all(&coordinator, task, facts);
    let under_way = coordinator.unfinished(task).unwrap().under_way;
    assert_eq!((under_way[0].attempt, under_way[0].steps.len()), (2, 0));
}

#[test]
fn the_state_of_a_run_has_its_commands_as_history() {
    let home = Home::new();
    let coordinator = home.open();
    let task = begin(&coordinator, "r1", &home.path, me());
    let mut facts = a_whole_run();
    facts.truncate(16);
    record_all(&coordinator, task, facts);
    let state = serde_json::to_value(coordinator.state(task).unwrap()).unwrap();
    assert_eq!(state["taskContext"]["goal"], "run demo");
    let history = state["actionHistory"].as_array().unwrap();
    let shown: Vec<_> = history.iter().map(|act| (act["command"].as_str(), act["phase"].as_str())).collect();
    assert_eq!(shown, [(Some("go http://127.0.0.1/"), Some("ended")), (Some("click e1"), Some("begun"))]);
}

#[test]
fn an_interrupted_run_is_stopped_and_one_that_was_paused_stays_so() {
    let home = Home::new();
    let coordinator = home.open();
    let status = |task: TaskId| coordinator.run(task).unwrap().status;
    let one = begin(&coordinator, "r1", &home.path, me());
    record_all(&coordinator, one, [run_finished(true)]);
    assert_eq!(status(one), TaskStatus::Stopped);
    let two = begin(&coordinator, "r2", &home.path, me());
    coordinator.handle(TaskMessage::PauseTask { task: two, reason: "lunch".into() }).unwrap();
    record_all(&coordinator, two, [run_finished(true)]);
    assert_eq!(status(two), TaskStatus::Paused);
}

#[test]
fn what_is_recorded_for_a_task_that_is_not_there_is_refused() {
    let home = Home::new();
    let told = home.open().record(TaskId(99), &at(1, run_finished(false))).unwrap_err();
    assert!(matches!(told, StateError::NotFound { .. }));
    assert_eq!(told.to_string(), "there is no task 99");
}

#[test]
fn no_row_of_the_journal_can_be_changed() {
    let home = Home::new();
    let coordinator = home.open();
    let task = begin(&coordinator, "r1", &home.path, me());
    record_all(&coordinator, task, a_whole_run());
    let sql = rusqlite::Connection::open(home.file()).unwrap();
    let told = sql.execute("UPDATE journal SET body = '{}'", []).unwrap_err().to_string();
    assert!(told.contains("never changed"), "{told}");
}

/// Prints what the pair around one act costs. `cargo test -p assay-coordinator --release -- --ignored --nocapture cost`
#[test]
#[ignore = "a measurement, not a test"]
fn the_cost_of_recording_an_act() {
    let home = Home::new();
    let coordinator = home.open();
    let task = begin(&coordinator, "r1", &home.path, me());
    let mut pairs: Vec<u128> = (0..500)
        .map(|number| {
            let begun = std::time::Instant::now();
            coordinator.record(task, &at(number, command_started("login", 1, "click e1", false))).unwrap();
            coordinator.record(task, &at(number, command("login", 1, "click e1"))).unwrap();
            begun.elapsed().as_micros()
        })
        .collect();
    pairs.sort_unstable();
    println!("a pair of events: median {} µs, 95 of 100 within {} µs", pairs[250], pairs[475]);
}
