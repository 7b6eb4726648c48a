//! Writes runs into the state of a project as runs do, for `bench/service`: `fill_state FOLDER past RUNS RESULTS`, or
//! `fill_state FOLDER live NOTES`, which names a run, waits for a line of its input, and then has things happen.

#![expect(clippy::unwrap_used, reason = "a tool of a benchmark may panic")]

use std::io::BufRead as _;
use std::time::{SystemTime, UNIX_EPOCH};

use assay_coordinator::{Coordinator, RunOpening, this_process};
use assay_protocol::{RunEvent, RunFact, TaskId, Verdict};
use serde_json::json;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        [folder, "past", runs, results] => {
            let coordinator = Coordinator::open(folder.as_ref()).unwrap();
            for number in 0..runs.parse().unwrap() {
                past(&coordinator, number, results.parse().unwrap());
            }
        }
        [folder, "live", notes] => live(&Coordinator::open(folder.as_ref()).unwrap(), notes.parse().unwrap()),
        _ => panic!("expected FOLDER past RUNS RESULTS, or FOLDER live NOTES"),
    }
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis() as u64
}

fn begin(coordinator: &Coordinator, name: &str, tests: usize) -> TaskId {
    let opening = RunOpening {
        run: name.to_string(),
        suite: "Bench".to_string(),
        results: std::env::temp_dir().join(name),
        order: json!({ "arguments": ["run"], "folder": "." }),
        owner: this_process("a benchmark").unwrap(),
    };
    let task = coordinator.begin_run(&opening).unwrap();
    let line = |number: usize| {
        let file = format!("tests/t{number}.yaml");
        serde_json::from_value(json!({
            "id": format!("test_{number}"), "name": format!("Test {number}"), "file": file, "browser": "chromium",
        }))
        .unwrap()
    };
    let what = RunFact::RunStarted {
        run: name.to_string(),
        suite: "Bench".to_string(),
        workers: 1,
        tests: (0..tests).map(line).collect(),
        strict: false,
    };
    record(coordinator, task, what);
    task
}

fn record(coordinator: &Coordinator, task: TaskId, what: RunFact) {
    coordinator.record(task, &RunEvent { at: now(), what }).unwrap();
}

fn past(coordinator: &Coordinator, number: usize, tests: usize) {
    let task = begin(coordinator, &format!("run-1-{number}"), tests);
    for test in 0..tests {
        let is_red = (number + test).is_multiple_of(17);
        let what = RunFact::TestFinished {
            test: format!("test_{test}"),
            attempt: 1,
            verdict: if is_red { Verdict::Failed } else { Verdict::Passed },
            reason: if is_red { "the page does not show it".to_string() } else { String::new() },
            flaky: false,
            will_retry: false,
            interrupted: false,
            claims_nothing: false,
            last_page: None,
            duration_ms: 100,
        };
        record(coordinator, task, what);
    }
    record(coordinator, task, RunFact::RunFinished { interrupted: false, duration_ms: 1000 });
}

fn live(coordinator: &Coordinator, notes: usize) {
    let name = format!("run-2-{}", std::process::id());
    let task = begin(coordinator, &name, 1);
    println!("{name}");
    std::io::stdin().lock().read_line(&mut String::new()).unwrap();
    for number in 0..notes {
        let text = number.to_string();
        record(coordinator, task, RunFact::Note { test: "test_0".to_string(), step: None, text });
    }
    record(coordinator, task, RunFact::RunFinished { interrupted: false, duration_ms: 1000 });
}
