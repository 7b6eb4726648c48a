//! Writes runs into the state of a project, through the journal that `assay run` writes: for `bench/console`.
//!
//!     many_runs STATE past RUNS TESTS        runs that have ended, with so many tests each, over the last 29 days
//!     many_runs STATE live TESTS SECONDS     one run of so many tests that goes on for so long

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use assay_coordinator::{Coordinator, Outlives, RunOpening, StateError, this_process};
use assay_protocol::{CommandRecord, Part, RunEvent, RunFact, TaskId, TestLine, Verdict};

const DISTINCT: usize = 200;
const FILES: usize = 20;
const WORKERS: usize = 8;
const STEPS: [&str; 4] = [
    "Go to the shop page",
    "Enter \"lantern\" in the search field",
    "Click \"Add to cart\" in the \"Brass Lantern\" card",
    "The link \"Cart (1)\" is visible",
];

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let number = |word: &str| word.parse::<usize>().ok();
    let done = match words.as_slice() {
        [state, "past", runs, tests] => {
            number(runs).zip(number(tests)).map(|(runs, tests)| past(Path::new(state), runs, tests))
        }
        [state, "live", tests, seconds] => {
            number(tests).zip(number(seconds)).map(|(tests, seconds)| live(Path::new(state), tests, seconds))
        }
        _ => None,
    };
    match done {
        Some(Ok(())) => ExitCode::SUCCESS,
        Some(Err(err)) => {
            eprintln!("many_runs: {err}");
            ExitCode::FAILURE
        }
        None => {
            eprintln!("usage: many_runs STATE past RUNS TESTS | many_runs STATE live TESTS SECONDS");
            ExitCode::from(2)
        }
    }
}

fn past(state: &Path, runs: usize, tests: usize) -> Result<(), StateError> {
    let coordinator = Coordinator::open(state)?;
    let span = 29 * 86_400_000 / runs.max(1) as u64;
    let begin = now() - 29 * 86_400_000;
    for run in 0..runs {
        let at = begin + run as u64 * span;
        let chosen: Vec<usize> = (0..tests).map(|test| (run * tests + test) % DISTINCT).collect();
        let task = open(&coordinator, state, &format!("run-{run}"))?;
        let mut events = vec![started(at, chosen.iter().map(|&test| line(test)).collect())];
        for (place, &test) in chosen.iter().enumerate() {
            for (_, fact) in facts_of(test, place % WORKERS, verdict(run, test)) {
                events.push(RunEvent { at: at + 100 * place as u64, what: fact });
            }
        }
        let what = RunFact::RunFinished { interrupted: false, duration_ms: 60_000 };
        events.push(RunEvent { at: at + 60_000, what });
        coordinator.record_together(task, &events, Outlives::Process)?;
    }
    Ok(())
}

/// Eight tests at a time, each fact at its moment.
fn live(state: &Path, tests: usize, seconds: usize) -> Result<(), StateError> {
    let coordinator = Coordinator::open(state)?;
    let task = open(&coordinator, state, "run-live")?;
    coordinator.record(task, &started(now(), (0..tests).map(line).collect()))?;
    println!("run-live");
    let begun = Instant::now();
    let length = Duration::from_secs(seconds as u64).mul_f64(WORKERS as f64 / tests.max(1) as f64);
    let mut facts: Vec<(Duration, RunFact)> = (0..tests)
        .flat_map(|test| {
            let from = length * (test / WORKERS) as u32;
            facts_of(test, test % WORKERS, verdict(0, test))
                .into_iter()
                .map(move |(share, fact)| (from + length.mul_f64(share), fact))
        })
        .collect();
    facts.sort_by_key(|(when, _)| *when);
    for (when, what) in facts {
        std::thread::sleep(when.saturating_sub(begun.elapsed()));
        coordinator.record_together(task, &[RunEvent { at: now(), what }], Outlives::Process)?;
    }
    let what = RunFact::RunFinished { interrupted: false, duration_ms: begun.elapsed().as_millis() as u64 };
    coordinator.record(task, &RunEvent { at: now(), what })
}

fn open(coordinator: &Coordinator, state: &Path, run: &str) -> Result<TaskId, StateError> {
    let project: PathBuf = state.parent().unwrap_or(state).to_path_buf();
    coordinator.begin_run(&RunOpening {
        run: run.into(),
        suite: "Shop".into(),
        results: project.join("assay-results/runs").join(run),
        order: serde_json::json!({"argv": ["run", "tests"]}),
        owner: this_process("assay run tests")?,
    })
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}

/// Most pass; a few fail in every run, a few in some.
fn verdict(run: usize, test: usize) -> Verdict {
    match (test % 50, (run + test) % 23) {
        (7, _) | (_, 0) => Verdict::Failed,
        (42, _) => Verdict::Inconclusive,
        _ => Verdict::Passed,
    }
}

/// As `assay` names the tests that `bench/console` writes.
fn id_of(test: usize) -> String {
    format!("shop{}_test_{test}", test % FILES)
}

fn line(test: usize) -> TestLine {
    TestLine {
        id: id_of(test),
        name: format!("Test {test}"),
        file: format!("tests/shop{}.yaml", test % FILES),
        browser: "chromium".into(),
        tags: vec!["shop".into()],
        requirements: vec![],
        links: vec![],
        fingerprint: Some("same".into()),
        basis: Default::default(),
    }
}

fn started(at: u64, tests: Vec<TestLine>) -> RunEvent {
    let what = RunFact::RunStarted {
        run: "run".into(),
        suite: "Shop".into(),
        tests,
        workers: WORKERS,
        strict: false,
    };
    RunEvent { at, what }
}

/// What happens in a test, each with its share of the time that the test takes.
fn facts_of(test: usize, worker: usize, verdict: Verdict) -> Vec<(f64, RunFact)> {
    let id = id_of(test);
    let reason = match verdict {
        Verdict::Passed => String::new(),
        _ => "Expected \"Cart (1)\", got \"Cart (0)\"".to_string(),
    };
    let mut facts = vec![(0.0, RunFact::TestStarted { test: id.clone(), attempt: 1, worker })];
    for (number, text) in STEPS.iter().enumerate() {
        let (step, share) = (number + 1, 0.1 + 0.2 * number as f64);
        let is_last = step == STEPS.len();
        let (part, ends) = if is_last { (Part::Expected, verdict) } else { (Part::Step, Verdict::Passed) };
        let record = CommandRecord {
            command: format!("click e{step}{test}"),
            pilot: "builtin".into(),
            because: "its name is \"Add to cart\"".into(),
            ok: true,
            outcome: "+ e221 status \"Brass Lantern added to the cart\"".into(),
            duration_ms: 40,
            ..CommandRecord::default()
        };
        facts.push((share, RunFact::StepStarted { test: id.clone(), step, part, text: (*text).into() }));
        facts.push((share + 0.05, RunFact::Command { test: id.clone(), step, record: Box::new(record) }));
        let finished = RunFact::StepFinished {
            test: id.clone(),
            step,
            verdict: ends,
            reason: if is_last { reason.clone() } else { String::new() },
            judgements: vec![],
            marks: vec![],
            duration_ms: 90,
            own_us: None,
        };
        facts.push((share + 0.1, finished));
    }
    let finished = RunFact::TestFinished {
        test: id,
        attempt: 1,
        verdict,
        reason,
        flaky: verdict == Verdict::Passed && test % 97 == 13,
        will_retry: false,
        interrupted: false,
        claims_nothing: false,
        last_page: None,
        duration_ms: 900,
    };
    facts.push((0.95, finished));
    facts
}
