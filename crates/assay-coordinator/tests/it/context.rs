//! A folder of its own for each test, and made-up runs.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use assay_coordinator::{Coordinator, RunOpening, this_process};
use assay_protocol::{
    CommandRecord, LastPage, Owner, Part, RunEvent, RunFact, Task, TaskId, TaskMessage, TaskReply, TestLine,
    Verdict,
};

pub struct Home {
    pub path: PathBuf,
}

impl Home {
    pub fn new() -> Home {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("assay-coordinator-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Home { path }
    }

    pub fn state(&self) -> PathBuf {
        self.path.join(".assay")
    }

    pub fn file(&self) -> PathBuf {
        self.state().join("state.db")
    }

    pub fn open(&self) -> Coordinator {
        Coordinator::open(&self.state()).unwrap()
    }

    pub fn folder(&self, name: &str) -> PathBuf {
        let folder = self.path.join(name);
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        // What is left of a test that failed is of use to nobody else.
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

pub fn me() -> Owner {
    this_process("a test").unwrap()
}

/// A process that was there and is not any more.
pub fn the_dead() -> Owner {
    let mut child = std::process::Command::new("true").spawn().unwrap();
    let pid = child.id();
    child.wait().unwrap();
    Owner { pid, process_start: 1, doing: "assay run (dead)".into(), ..me() }
}

pub fn begin(coordinator: &Coordinator, run: &str, results: &Path, owner: Owner) -> TaskId {
    let opening = RunOpening {
        run: run.into(),
        suite: "demo".into(),
        results: results.to_path_buf(),
        order: serde_json::json!({"argv": ["run", "demo"]}),
        owner,
    };
    coordinator.begin_run(&opening).unwrap()
}

pub fn task_of(reply: TaskReply) -> Task {
    match reply {
        TaskReply::Task { task } => *task,
        other => panic!("expected a task, got {other:?}"),
    }
}

pub fn start(coordinator: &Coordinator, goal: &str) -> TaskId {
    let message =
        TaskMessage::StartTask { goal: goal.into(), subtasks: vec![], locks: vec![], owner: Some(me()) };
    task_of(coordinator.handle(message).unwrap()).id
}

/// One test of a made-up run.
pub fn line(id: &str, browser: &str, fingerprint: &str) -> TestLine {
    TestLine {
        id: id.into(),
        name: id.replace('_', " "),
        file: format!("{id}.yaml"),
        browser: browser.into(),
        tags: vec![],
        requirements: vec![],
        links: vec![],
        fingerprint: (!fingerprint.is_empty()).then(|| fingerprint.into()),
        basis: Default::default(),
    }
}

pub fn at(at: u64, what: RunFact) -> RunEvent {
    RunEvent { at, what }
}

pub fn run_started(tests: Vec<TestLine>) -> RunFact {
    RunFact::RunStarted { run: "r".into(), suite: "demo".into(), tests, workers: 2, strict: false }
}

pub fn test_started(test: &str, attempt: u32) -> RunFact {
    RunFact::TestStarted { test: test.into(), attempt, worker: 0 }
}

pub fn step_started(test: &str, step: usize, text: &str) -> RunFact {
    RunFact::StepStarted { test: test.into(), step, part: Part::Step, text: text.into() }
}

pub fn step_finished(test: &str, step: usize, verdict: Verdict) -> RunFact {
    RunFact::StepFinished {
        test: test.into(),
        step,
        verdict,
        reason: String::new(),
        judgements: vec![],
        marks: vec![],
        duration_ms: 7,
        own_us: None,
    }
}

pub fn command_started(test: &str, step: usize, command: &str, commits: bool) -> RunFact {
    RunFact::CommandStarted {
        test: test.into(),
        step,
        command: command.into(),
        pilot: "builtin".into(),
        commits,
        lasting: None,
    }
}

pub fn command(test: &str, step: usize, command: &str) -> RunFact {
    let record = CommandRecord {
        command: command.into(),
        pilot: "builtin".into(),
        because: "the only button of that name".into(),
        ok: true,
        outcome: "page: Dashboard".into(),
        duration_ms: 12,
        ..CommandRecord::default()
    };
    RunFact::Command { test: test.into(), step, record: Box::new(record) }
}

pub fn test_finished(test: &str, attempt: u32, verdict: Verdict, will_retry: bool) -> RunFact {
    let last_page = (verdict != Verdict::Passed).then(|| LastPage {
        url: "http://127.0.0.1:1/".into(),
        text: "Welcome".into(),
        screenshot: Some("failures/last.png".into()),
        ..LastPage::default()
    });
    RunFact::TestFinished {
        test: test.into(),
        attempt,
        verdict,
        reason: String::new(),
        flaky: attempt > 1 && verdict == Verdict::Passed,
        will_retry,
        interrupted: false,
        claims_nothing: false,
        last_page,
        duration_ms: 100 * u64::from(attempt),
    }
}

pub fn run_finished(interrupted: bool) -> RunFact {
    RunFact::RunFinished { interrupted, duration_ms: 900 }
}

pub fn record_all(coordinator: &Coordinator, task: TaskId, facts: impl IntoIterator<Item = RunFact>) {
    for (number, fact) in facts.into_iter().enumerate() {
        coordinator.record(task, &at(1_000 + number as u64, fact)).unwrap();
    }
}
