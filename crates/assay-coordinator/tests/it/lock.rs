//! One active run per session and per device, whoever asks and whenever.

use std::io::BufRead;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Barrier, Mutex};

use assay_coordinator::{Coordinator, StateError, hint};
use assay_protocol::{ActionPhase, ActionRecord, LockName, Owner, TaskMessage, TaskStatus};

use crate::child_process::{Actor, say};
use crate::context::{Home, me, task_of, the_dead};

fn session(name: &str) -> LockName {
    LockName::Session(name.into())
}

/// A lock that its owner will never give back.
fn plant(coordinator: &Coordinator, name: &LockName, owner: &Owner) {
    std::mem::forget(coordinator.acquire(name, owner).unwrap());
}

#[test]
fn a_second_start_is_told_who_holds_the_lock() {
    let home = Home::new();
    let first = home.open();
    let owner = Owner { doing: "assay run tests/".into(), since: me().since - 90_000, ..me() };
    let lease = first.acquire(&session("default"), &owner).unwrap();
    let Err(error) = home.open().acquire(&session("default"), &me()) else { panic!("both have it") };
    let told = error.to_string();
    let host = &owner.host;
    let pid = owner.pid;
    let holder =
        format!("`session:default` has been in use by `assay run tests/` (pid {pid} on {host}) for ");
    assert!(told.starts_with(&holder) && told.contains("; its last heartbeat was "), "{told}");
    let StateError::Busy { holder, .. } = error else { panic!("{told}") };
    assert_eq!(*holder, owner);
    lease.release().unwrap();
    home.open().acquire(&session("default"), &me()).unwrap();
}

#[test]
fn different_sessions_and_devices_do_not_disturb_each_other() {
    let home = Home::new();
    let coordinator = home.open();
    let _one = coordinator.acquire(&session("a"), &me()).unwrap();
    let _two = coordinator.acquire(&session("b"), &me()).unwrap();
    let _three = coordinator.acquire(&LockName::Device("a".into()), &me()).unwrap();
    assert!(coordinator.holder(&session("c")).unwrap().is_none());
    assert_eq!(coordinator.holder(&session("a")).unwrap().unwrap().owner.pid, std::process::id());
    let names: Vec<String> = coordinator.locks().unwrap().iter().map(|held| held.name.to_string()).collect();
    assert_eq!(names, ["device:a", "session:a", "session:b"]);
}

#[test]
fn a_dropped_lease_is_released() {
    let home = Home::new();
    let coordinator = home.open();
    drop(coordinator.acquire(&session("a"), &me()).unwrap());
    assert!(coordinator.holder(&session("a")).unwrap().is_none());
}

#[test]
fn the_lock_of_a_dead_owner_is_taken_over_and_its_lease_is_told_so() {
    let home = Home::new();
    let coordinator = home.open();
    let mut old = coordinator.acquire(&session("a"), &the_dead()).unwrap();
    let new = coordinator.acquire(&session("a"), &me()).unwrap();
    let Err(StateError::LeaseLost { holder, .. }) = old.heartbeat() else { panic!("it was not lost") };
    assert_eq!(holder.unwrap().pid, std::process::id());
    assert!(matches!(old.release(), Err(StateError::LeaseLost { .. })));
    assert!(coordinator.holder(&session("a")).unwrap().is_some(), "the new lease must stay");
    new.release().unwrap();
}

#[test]
fn a_lock_of_another_start_of_the_machine_is_free() {
    let home = Home::new();
    let coordinator = home.open();
    plant(&coordinator, &session("a"), &Owner { boot: "before".into(), ..me() });
    coordinator.acquire(&session("a"), &me()).unwrap();
}

fn elsewhere() -> Owner {
    Owner { host: "elsewhere".into(), boot: "other".into(), ..me() }
}

fn sql(home: &Home, statement: &str) {
    rusqlite::Connection::open(home.file()).unwrap().execute(statement, []).unwrap();
}

/// As if so many seconds had passed on this machine since anything was seen.
fn later(home: &Home, seconds: u32) {
    sql(home, &format!("UPDATE watch SET since = since - {seconds}000"));
}

fn is_busy(coordinator: &Coordinator) -> bool {
    match coordinator.acquire(&session("a"), &me()) {
        Ok(_) => false,
        Err(error @ StateError::Busy { .. }) => {
            let advice = hint(&error).unwrap();
            assert!(advice.starts_with("its process cannot be seen from here"), "{advice}");
            true
        }
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn the_lock_of_another_host_holds_as_long_as_it_gives_signs_of_life() {
    let home = Home::new();
    let coordinator = home.open();
    let mut lease = coordinator.acquire(&session("a"), &elsewhere()).unwrap();
    for _ in 0..3 {
        assert!(is_busy(&coordinator));
        later(&home, 61);
        lease.heartbeat().unwrap();
    }
    assert!(is_busy(&coordinator), "the last sign was seen just now");
    later(&home, 59);
    assert!(is_busy(&home.open()));
    assert_eq!(coordinator.locks().unwrap().len(), 1);
    later(&home, 2);
    assert!(coordinator.locks().unwrap().is_empty());
    assert!(!is_busy(&home.open()), "nothing was heard of it for a minute");
    assert!(matches!(lease.heartbeat(), Err(StateError::LeaseLost { .. })));
}

#[test]
fn a_clock_that_is_wrong_takes_no_lock_away() {
    let home = Home::new();
    let coordinator = home.open();
    plant(&coordinator, &session("a"), &elsewhere());
    // There, it is 1970; then, some year far from now.
    for seen_at in ["1", "99999999999999"] {
        sql(&home, &format!("UPDATE lease SET seen_at = {seen_at}"));
        assert!(is_busy(&coordinator));
        assert!(is_busy(&coordinator));
    }
}

#[test]
fn what_another_start_of_the_machine_saw_is_of_no_use() {
    let home = Home::new();
    let coordinator = home.open();
    plant(&coordinator, &session("a"), &elsewhere());
    assert!(is_busy(&coordinator));
    later(&home, 600);
    sql(&home, "UPDATE watch SET boot = 'before'");
    assert!(is_busy(&coordinator));
}

#[test]
fn a_task_whose_lock_was_taken_over_does_not_act_any_more() {
    let home = Home::new();
    let coordinator = home.open();
    let start = TaskMessage::StartTask {
        goal: "look".into(),
        subtasks: vec![],
        locks: vec![session("a")],
        owner: Some(the_dead()),
    };
    let task = task_of(coordinator.handle(start).unwrap()).id;
    let _lease = coordinator.acquire(&session("a"), &me()).unwrap();
    let action = ActionRecord { phase: ActionPhase::Begun, ..ActionRecord::default() };
    let told = coordinator.handle(TaskMessage::RecordAction { task, action }).unwrap_err();
    assert!(matches!(told, StateError::WrongStatus { status: TaskStatus::Paused, .. }), "{told}");
    let told = coordinator.handle(TaskMessage::ResumeTask { task, owner: None }).unwrap_err();
    assert!(matches!(told, StateError::Busy { .. }), "{told}");
}

#[test]
fn a_heartbeat_is_seen() {
    let home = Home::new();
    let coordinator = home.open();
    let mut lease = coordinator.acquire(&session("a"), &me()).unwrap();
    sql(&home, "UPDATE lease SET seen_at = 1");
    lease.heartbeat().unwrap();
    assert!(coordinator.holder(&session("a")).unwrap().unwrap().seen_at > 1);
}

const THREADS: usize = 8;
const THREAD_ROUNDS: usize = 600;
const PROCESSES: usize = 6;
const PROCESS_ROUNDS: usize = 400;

#[test]
fn of_many_threads_that_start_at_once_exactly_one_wins() {
    let home = Home::new();
    let (dead, first) = (the_dead(), home.open());
    let (barrier, winners, wrong) = (Barrier::new(THREADS), AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for number in 0..THREADS {
            // Some share a connection, as the threads of one process do, some have their own.
            let coordinator = if number % 2 == 0 { first.clone() } else { home.open() };
            let (barrier, winners, wrong, first, dead) = (&barrier, &winners, &wrong, &first, &dead);
            scope.spawn(move || {
                for round in 0..THREAD_ROUNDS {
                    let name = session(&format!("round-{round}"));
                    // In every other round there is a dead owner to take it over from.
                    if barrier.wait().is_leader() && round % 2 == 0 {
                        plant(first, &name, dead);
                    }
                    barrier.wait();
                    let lease = match coordinator.acquire(&name, &me()) {
                        Ok(lease) => Some(lease),
                        Err(StateError::Busy { .. }) => None,
                        // Whoever left now would keep the others waiting for ever.
                        Err(other) => {
                            wrong.lock().unwrap().push(format!("round {round}: {other}"));
                            None
                        }
                    };
                    winners.fetch_add(usize::from(lease.is_some()), Ordering::SeqCst);
                    barrier.wait();
                    let won = winners.load(Ordering::SeqCst);
                    if won != round + 1 {
                        wrong.lock().unwrap().push(format!("after round {round}, {won} had won"));
                    }
                    // Rounds have names of their own: nobody has to give anything back.
                    std::mem::forget(lease);
                }
            });
        }
    });
    assert_eq!(wrong.into_inner().unwrap(), Vec::<String>::new());
    assert_eq!(winners.load(Ordering::SeqCst), THREAD_ROUNDS);
}

#[test]
fn of_many_processes_that_start_at_once_exactly_one_wins() {
    let home = Home::new();
    let (dead, coordinator) = (the_dead(), home.open());
    let mut actors: Vec<Actor> = (0..PROCESSES).map(|_| Actor::start("contend", &home.state())).collect();
    for actor in &mut actors {
        assert_eq!(actor.hear().as_deref(), Some("ready"));
    }
    for round in 0..PROCESS_ROUNDS {
        let name = session("contended");
        if round % 4 == 0 {
            plant(&coordinator, &name, &dead);
        }
        actors.iter_mut().for_each(|actor| actor.tell("try"));
        let said: Vec<String> = actors.iter_mut().map(|actor| actor.hear().unwrap()).collect();
        let winners: Vec<usize> = (0..PROCESSES).filter(|at| said[*at] == "won").collect();
        assert_eq!(winners.len(), 1, "round {round}: {said:?}");
        assert_eq!(said.iter().filter(|said| *said == "busy").count(), PROCESSES - 1, "{said:?}");
        let winner = winners[0];
        let holder = coordinator.holder(&name).unwrap().unwrap().owner;
        assert_eq!(holder.pid, actors[winner].child.id());
        if round % 20 == 19 {
            // The winner is killed with the lock in its hands; the next round takes it over from there.
            actors[winner] = Actor::start("contend", &home.state());
            assert_eq!(actors[winner].hear().as_deref(), Some("ready"));
            assert!(coordinator.holder(&name).unwrap().is_none());
        } else {
            actors[winner].tell("release");
            assert_eq!(actors[winner].hear().as_deref(), Some("released"));
        }
    }
}

/// The part of a process that tries when it is told to.
pub fn contend(folder: &Path) {
    let coordinator = Coordinator::open(folder).unwrap();
    let name = session("contended");
    let mut held = None;
    say("ready");
    for line in std::io::stdin().lock().lines() {
        match line.unwrap().as_str() {
            "try" => match coordinator.acquire(&name, &me()) {
                Ok(lease) => {
                    held = Some(lease);
                    say("won");
                }
                Err(StateError::Busy { .. }) => say("busy"),
                Err(other) => say(&format!("error: {other}")),
            },
            _ => {
                held.take().unwrap().release().unwrap();
                say("released");
            }
        }
    }
}
