//! Analyses of results, and results that do not count.

use assay_coordinator::{KeptAnalysis, ResultKey, Retention, StateError};
use assay_protocol::{TaskId, Verdict};
use serde_json::json;

use crate::context::*;

fn run(home: &Home, name: &str, verdict: Verdict) -> TaskId {
    let coordinator = home.open();
    let task = begin(&coordinator, name, &home.path, me());
    let facts = vec![
        run_started(vec![line("login", "chromium", "f1")]),
        test_started("login", 1),
        test_finished("login", 1, verdict, false),
        run_finished(false),
    ];
    record_all(&coordinator, task, facts);
    task
}

fn analysis(task: TaskId, class: Option<&str>) -> KeptAnalysis {
    KeptAnalysis {
        task,
        test_id: "login".to_string(),
        test: "login".to_string(),
        browser: "chromium".to_string(),
        class: class.map(str::to_string),
        signature: "s".to_string(),
        is_full: true,
        at: 1,
        body: json!({ "evidence": [] }),
    }
}

#[test]
fn analyses_are_kept_with_their_run() {
    let home = Home::new();
    let coordinator = home.open();
    let (first, second) = (run(&home, "r1", Verdict::Failed), run(&home, "r2", Verdict::Failed));
    coordinator.keep_analyses(&[analysis(first, Some("BUG")), analysis(second, None)]).unwrap();
    coordinator.keep_analyses(&[analysis(second, Some("SYSTEM_ISSUE"))]).unwrap();
    assert_eq!(coordinator.analyses_of(second).unwrap(), [analysis(second, Some("SYSTEM_ISSUE"))]);
    let before = coordinator.analyses_before(second, "login", "chromium").unwrap();
    assert_eq!(before, [analysis(first, Some("BUG"))]);
    coordinator.gc(Retention { keep_runs: Some(1), keep_days: None }).unwrap();
    assert!(coordinator.analyses_of(first).unwrap().is_empty());
    let unknown = coordinator.keep_analyses(&[analysis(TaskId(99), None)]);
    assert!(matches!(unknown, Err(StateError::NotFound { .. })));
}

#[test]
fn a_discarded_result_does_not_count() {
    let home = Home::new();
    let coordinator = home.open();
    run(&home, "r1", Verdict::Passed);
    let second = run(&home, "r2", Verdict::Failed);
    assert_eq!(coordinator.flaky(0).unwrap().len(), 1);
    let which = ResultKey { task: second, test_id: "login" };
    coordinator.discard_result(which, "SYSTEM_ISSUE", "the browser was lost").unwrap();
    assert_eq!(coordinator.flaky(0).unwrap(), []);
    assert_eq!(coordinator.stats(0).unwrap().failed, 0);
    assert_eq!(coordinator.discarded_in(second).unwrap(), ["login"]);
    assert_eq!(coordinator.history("login", 10).unwrap().len(), 2, "it is still there to look at");
    let unknown = ResultKey { task: second, test_id: "pay" };
    assert!(matches!(coordinator.discard_result(unknown, "", ""), Err(StateError::NotFound { .. })));
}
