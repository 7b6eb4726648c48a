//! Conversations with agents: one owner at a time, nothing said is lost, and no call is forgotten.

use std::path::Path;

use assay_coordinator::{
    AfterTurn, AgentEntryKind, AgentSessionId, AgentShare, AgentStatus, AgentUse, AgentWork, BegunCall,
    Coordinator, LEASE, NewAgentSession, NewEvent, Retention, StateError, Subscription, Trigger, process,
};
use serde_json::json;

use crate::child_process::{Actor, say};
use crate::context::{Home, me};

fn open(coordinator: &Coordinator) -> AgentSessionId {
    let new = NewAgentSession { agent: "assistant", model: Some("m"), title: "run goto" };
    coordinator.open_agent_session(&new).unwrap()
}

fn status(coordinator: &Coordinator, session: AgentSessionId) -> AgentStatus {
    coordinator.agent_session(session).unwrap().status
}

fn used(skill: Option<&str>, cache_read: u64) -> AgentUse {
    AgentUse {
        request: 1,
        skill: skill.map(str::to_string),
        model: "m".to_string(),
        tools: 2,
        prefix: 1000,
        broad: 9000,
        input: 1200 - cache_read,
        cache_read,
        cache_written: 0,
        output: 40,
        billed: (1200 - cache_read) as f64 + cache_read as f64 / 10.0,
        dollars: Some(0.25),
    }
}

#[test]
fn a_turn_is_kept_in_order_and_one_process_has_it() {
    let home = Home::new();
    let (one, other) = (home.open(), home.open());
    let session = open(&one);
    assert_eq!(status(&other, session), AgentStatus::Idle);
    let (turn, before) = one.begin_agent_turn(session, &me(), None).unwrap();
    assert_eq!((before.status, before.title.as_str()), (AgentStatus::Idle, "run goto"));
    assert!(matches!(other.begin_agent_turn(session, &me(), None), Err(StateError::Busy { .. })));
    assert!(matches!(other.clear_agent_session(session), Err(StateError::WrongAgentStatus { .. })));
    turn.say(&json!({"user": "run goto"})).unwrap();
    turn.load_skill("run-script").unwrap();
    turn.tell(&json!({"kind": "skill_loaded"})).unwrap();
    let begun = turn.begin_call(&json!({"tool": "execute_script"})).unwrap();
    assert_eq!(BegunCall::without_end(&other.agent_entries(session).unwrap()).len(), 1);
    turn.end_call(begun, &json!({"text": "passed"})).unwrap();
    assert!(turn.end_call(begun, &json!({"text": "again"})).is_err(), "a call ends once");
    turn.used(&used(Some("run-script"), 0)).unwrap();
    assert_eq!(turn.used_for(1).unwrap(), [used(Some("run-script"), 0)]);
    turn.finish(&AfterTurn::Idle).unwrap();
    let found = other.agent_session(session).unwrap();
    assert_eq!((found.status, found.skill.as_deref()), (AgentStatus::Idle, Some("run-script")));
    assert_eq!((found.used.calls, found.used.input, found.used.dollars), (1, 1200, 0.25));
    let kinds: Vec<AgentEntryKind> =
        other.agent_entries(session).unwrap().iter().map(|one| one.kind).collect();
    assert_eq!(
        kinds,
        [AgentEntryKind::Message, AgentEntryKind::Event, AgentEntryKind::Begun, AgentEntryKind::Ended]
    );
    assert!(BegunCall::without_end(&other.agent_entries(session).unwrap()).is_empty());
}

#[test]
fn what_was_said_cannot_be_changed() {
    let home = Home::new();
    let coordinator = home.open();
    let session = open(&coordinator);
    let (turn, _) = coordinator.begin_agent_turn(session, &me(), None).unwrap();
    turn.say(&json!({"user": "run goto"})).unwrap();
    drop(turn);
    let raw = rusqlite::Connection::open(home.file()).unwrap();
    assert!(raw.execute("UPDATE agent_entry SET body = '{}'", []).is_err());
    raw.execute_batch("DROP TRIGGER agent_entry_is_append_only; UPDATE agent_entry SET body = '{}'").unwrap();
    assert!(matches!(coordinator.agent_entries(session), Err(StateError::DamagedRow { .. })));
}

#[test]
fn a_user_stops_clears_and_decides() {
    let home = Home::new();
    let coordinator = home.open();
    let session = open(&coordinator);
    assert!(matches!(
        coordinator.decide_agent_session(session, true),
        Err(StateError::WrongAgentStatus { status: "idle", .. })
    ));
    let (turn, _) = coordinator.begin_agent_turn(session, &me(), None).unwrap();
    assert!(!turn.is_stop_asked().unwrap());
    assert_eq!(coordinator.stop_agent_session(session).unwrap(), AgentStatus::Working);
    assert!(turn.is_stop_asked().unwrap());
    turn.finish(&AfterTurn::Waits(json!({"tool": "delete_testcase"}))).unwrap();
    assert_eq!(status(&coordinator, session), AgentStatus::Waiting);
    coordinator.decide_agent_session(session, true).unwrap();
    let (turn, before) = coordinator.begin_agent_turn(session, &me(), None).unwrap();
    assert_eq!((before.decision, before.approval), (Some(true), Some(json!({"tool": "delete_testcase"}))));
    turn.finish(&AfterTurn::Idle).unwrap();
    coordinator.clear_agent_session(session).unwrap();
    assert_eq!(coordinator.agent_entries(session).unwrap().last().unwrap().kind, AgentEntryKind::Cleared);
    assert_eq!(coordinator.stop_agent_session(session).unwrap(), AgentStatus::Ended);
    assert!(matches!(
        coordinator.begin_agent_turn(session, &me(), None),
        Err(StateError::WrongAgentStatus { wanted: "continued", .. })
    ));
    let none = AgentSessionId(99);
    assert!(matches!(coordinator.agent_session(none), Err(StateError::NotFound { .. })));
    assert!(matches!(coordinator.stop_agent_session(none), Err(StateError::NotFound { .. })));
}

#[test]
fn a_session_whose_process_died_is_interrupted_and_another_goes_on() {
    let home = Home::new();
    let coordinator = home.open();
    let session = open(&coordinator);
    let mut actor = Actor::start("an agent", &home.state());
    assert_eq!(actor.hear().as_deref(), Some("begun"));
    assert_eq!(status(&coordinator, session), AgentStatus::Working);
    assert!(matches!(coordinator.begin_agent_turn(session, &me(), None), Err(StateError::Busy { .. })));
    actor.child.kill().unwrap();
    actor.child.wait().unwrap();
    assert_eq!(status(&coordinator, session), AgentStatus::Interrupted);
    let (turn, before) = coordinator.begin_agent_turn(session, &me(), None).unwrap();
    assert_eq!(before.status, AgentStatus::Interrupted);
    let open = BegunCall::without_end(&turn.entries().unwrap());
    assert_eq!(open.iter().map(|call| call.body.clone()).collect::<Vec<_>>(), [json!({"tool": "pay"})]);
    turn.end_call(open[0].number, &json!({"outcome": "unknown"})).unwrap();
    turn.finish(&AfterTurn::Idle).unwrap();
    assert_eq!(status(&coordinator, session), AgentStatus::Idle);
}

/// The part of a process that begins a call and dies in the middle of it.
pub fn begin_a_call(folder: &Path) {
    let coordinator = Coordinator::open(folder).unwrap();
    let (turn, _) = coordinator.begin_agent_turn(AgentSessionId(1), &me(), None).unwrap();
    turn.begin_call(&json!({"tool": "pay"})).unwrap();
    say("begun");
    let _told = std::io::stdin().read_line(&mut String::new());
}

#[test]
fn what_was_measured_is_told_by_skill() {
    let home = Home::new();
    let coordinator = home.open();
    let session = open(&coordinator);
    let (turn, _) = coordinator.begin_agent_turn(session, &me(), None).unwrap();
    turn.used(&used(None, 0)).unwrap();
    turn.used(&used(Some("run-script"), 0)).unwrap();
    turn.used(&used(Some("run-script"), 1100)).unwrap();
    turn.finish(&AfterTurn::Idle).unwrap();
    let all = coordinator.agent_use().unwrap();
    assert_eq!(all.iter().map(|one| one.skill.as_deref()).collect::<Vec<_>>(), [Some("run-script"), None]);
    let of_skill = &all[0];
    assert_eq!((of_skill.calls, of_skill.cold_calls, of_skill.cached_calls), (2, 1, 1));
    assert_eq!((of_skill.cold, of_skill.cached_billed, of_skill.broad), (Some(1200.0), Some(210.0), 9200.0));
}

#[test]
fn old_sessions_go_with_old_runs() {
    let home = Home::new();
    let coordinator = home.open();
    let (idle, waiting) = (open(&coordinator), open(&coordinator));
    let (turn, _) = coordinator.begin_agent_turn(waiting, &me(), None).unwrap();
    turn.finish(&AfterTurn::Waits(json!({}))).unwrap();
    let raw = rusqlite::Connection::open(home.file()).unwrap();
    raw.execute("UPDATE agent_session SET updated_at = 1000", []).unwrap();
    coordinator.gc(Retention { keep_runs: None, keep_days: Some(30) }).unwrap();
    let left: Vec<AgentSessionId> =
        coordinator.agent_sessions().unwrap().iter().map(|found| found.id).collect();
    assert_eq!(left, [waiting], "{idle} is old, the other one waits for somebody");
}

fn share(most: u32) -> AgentShare<'static> {
    AgentShare { agent: "assistant", subscriber: "agent-assistant", most }
}

#[test]
fn an_agent_has_no_more_turns_and_events_at_a_time_than_it_may() {
    let home = Home::new();
    let (one, other) = (home.open(), home.open());
    let trigger = Trigger { event: "team.wish".to_string(), priority: None };
    let subscription = Subscription { name: "agent-assistant".to_string(), triggers: vec![trigger] };
    one.subscribe(&subscription).unwrap();
    for _ in 0..2 {
        let event = NewEvent {
            event_type: "team.wish".to_string(),
            device: String::new(),
            priority: None,
            key: None,
            payload: json!({}),
        };
        one.publish(&event).unwrap();
    }
    let (first, second) = (open(&one), open(&one));
    // A turn in the process that has the event would be its work on it.
    let elsewhere = process(std::os::unix::process::parent_id(), "a test").unwrap();
    let (turn, _) = one.begin_agent_turn(first, &elsewhere, Some(&share(1))).unwrap();
    match other.begin_agent_turn(second, &me(), Some(&share(1))) {
        Err(StateError::AgentBusy { most: 1, work: AgentWork::Turn { session, .. }, .. }) => {
            assert_eq!(session, first.0);
        }
        refused => panic!("{:?}", refused.err()),
    }
    assert_eq!(status(&one, second), AgentStatus::Idle, "nothing of the refused turn is kept");
    let take = |most| other.take_event("agent-assistant", &me(), LEASE, Some(&share(most))).unwrap();
    assert!(take(1).is_none());
    let delivery = take(2).unwrap();
    assert!(take(2).is_none(), "a turn and an event are two");
    assert!(matches!(
        other.begin_agent_turn(second, &me(), Some(&share(2))),
        Err(StateError::AgentBusy { .. })
    ));
    turn.finish(&AfterTurn::Idle).unwrap();
    match other.begin_agent_turn(second, &me(), Some(&share(1))) {
        Err(StateError::AgentBusy { work: AgentWork::Event { event, .. }, .. }) => {
            assert_eq!(event, delivery.event.number);
        }
        refused => panic!("{:?}", refused.err()),
    }
    other.acknowledge(&delivery).unwrap();
    other.begin_agent_turn(second, &me(), Some(&share(1))).unwrap().0.finish(&AfterTurn::Idle).unwrap();
}
