//! After a crash, somebody else goes on.

use assay_coordinator::StateError;
use assay_protocol::{Owner, TaskMessage, TaskStatus, Verdict};

use crate::context::*;

#[test]
fn what_ran_in_a_dead_process_is_shown_as_paused_once() {
    let home = Home::new();
    let coordinator = home.open();
    let orphan = begin(&coordinator, "r1", &home.path, the_dead());
    let alive = begin(&coordinator, "r2", &home.path, me());
    let ended = begin(&coordinator, "r3", &home.path, the_dead());
    record_all(&coordinator, ended, [run_finished(false)]);
    let elsewhere = Owner { host: "elsewhere".into(), ..me() };
    let out_of_sight = begin(&coordinator, "r4", &home.path, elsewhere);

    let paused = home.open().pause_orphans().unwrap();
    assert_eq!(paused.iter().map(|task| task.id).collect::<Vec<_>>(), [orphan]);
    assert_eq!(paused[0].status, TaskStatus::Paused);
    assert!(paused[0].reason.starts_with("`assay run (dead)` (pid "), "{}", paused[0].reason);
    assert!(coordinator.pause_orphans().unwrap().is_empty());
    assert_eq!(coordinator.run(alive).unwrap().status, TaskStatus::Running);
    assert_eq!(coordinator.run(ended).unwrap().status, TaskStatus::Finished);
    assert_eq!(coordinator.run(out_of_sight).unwrap().status, TaskStatus::Running);
}

#[test]
fn what_runs_out_of_sight_is_paused_when_nothing_was_heard_of_it() {
    let home = Home::new();
    let coordinator = home.open();
    let task = begin(&coordinator, "r1", &home.path, Owner { host: "elsewhere".into(), ..me() });
    let later = |seconds: u32| {
        let sql = rusqlite::Connection::open(home.file()).unwrap();
        sql.execute(&format!("UPDATE watch SET since = since - {seconds}000"), []).unwrap();
    };
    // What the clock there says is of no account.
    record_all(&coordinator, task, [test_started("a", 1)]);
    assert!(coordinator.pause_orphans().unwrap().is_empty());
    later(601);
    record_all(&coordinator, task, [step_started("a", 1, "Open")]);
    assert!(coordinator.pause_orphans().unwrap().is_empty(), "it has just done something");
    later(601);
    assert_eq!(coordinator.pause_orphans().unwrap().len(), 1);
}

#[test]
fn a_run_goes_on_under_a_new_owner_and_the_old_one_is_refused() {
    let home = Home::new();
    let (old, new) = (home.open(), home.open());
    let task = begin(&old, "r1", &home.path, the_dead());
    record_all(
        &old,
        task,
        [
            run_started(vec![line("a", "chromium", "f"), line("b", "chromium", "f")]),
            test_started("a", 1),
            test_finished("a", 1, Verdict::Passed, false),
            test_started("b", 1),
            step_started("b", 1, "Open"),
            step_finished("b", 1, Verdict::Passed),
        ],
    );
    new.pause_orphans().unwrap();
    let taken = new.take_over(task, &me()).unwrap();
    assert_eq!((taken.status, taken.owner.pid), (TaskStatus::Running, std::process::id()));
    let told = old.record(task, &at(9, step_started("b", 2, "Click"))).unwrap_err();
    assert!(matches!(told, StateError::TakenOver { .. }), "{told}");
    assert_eq!(new.events_of(task).unwrap().len(), 6);

    record_all(
        &new,
        task,
        [
            assay_protocol::RunFact::RunResumed { tests: vec!["b".into()], basis: Default::default() },
            test_started("b", 1),
            step_started("b", 1, "Open"),
            step_finished("b", 1, Verdict::Failed),
            test_finished("b", 1, Verdict::Failed, false),
            run_finished(false),
        ],
    );
    let unfinished = new.unfinished(task).unwrap();
    assert_eq!((unfinished.finished.len(), unfinished.under_way.len()), (2, 0));
    let steps: i64 = rusqlite::Connection::open(home.file())
        .unwrap()
        .query_row("SELECT count(*) FROM step_result", [], |row| row.get(0))
        .unwrap();
    assert_eq!(steps, 1, "the attempt that was cut off leaves no step");
}

#[test]
fn only_one_of_two_takes_a_run_over() {
    let home = Home::new();
    let coordinator = home.open();
    let task = begin(&coordinator, "r1", &home.path, the_dead());
    let taken = std::thread::scope(|scope| {
        let tries: Vec<_> =
            (0..8).map(|_| scope.spawn(|| home.open().take_over(task, &me()).is_ok())).collect();
        tries.into_iter().map(|it| it.join().unwrap()).filter(|taken| *taken).count()
    });
    assert_eq!(taken, 1);
    let told = coordinator.take_over(task, &me()).unwrap_err();
    assert!(matches!(told, StateError::TaskBusy { .. }), "{told}");
}

#[test]
fn a_finished_run_is_not_resumed() {
    let home = Home::new();
    let coordinator = home.open();
    let task = begin(&coordinator, "r1", &home.path, me());
    record_all(&coordinator, task, [run_finished(false)]);
    let told = coordinator.handle(TaskMessage::ResumeTask { task, owner: None }).unwrap_err().to_string();
    assert_eq!(told, "task 1 is finished, so it cannot be resumed");
}
