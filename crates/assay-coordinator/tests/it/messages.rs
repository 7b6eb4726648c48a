//! The messages of the coordination plan, and what subscribers hear of them.

use std::time::Duration;

use assay_coordinator::StateError;
use assay_protocol::{
    ActionPhase, ActionRecord, ContextPatch, LockName, Subtask, SubtaskStatus, TaskEvent, TaskId,
    TaskMessage, TaskReply, TaskStatus, TaskTab,
};
use serde_json::json;

use crate::context::*;

fn message(json: serde_json::Value) -> TaskMessage {
    serde_json::from_value(json).unwrap()
}

fn subtask(text: &str, status: SubtaskStatus) -> Subtask {
    Subtask { text: text.into(), status, begun_after: None }
}

#[test]
fn a_task_from_its_start_to_its_export() {
    let home = Home::new();
    let coordinator = home.open();
    let started = message(json!({
        "type": "START_TASK", "goal": "Buy the cheapest lamp", "subtasks": [{"text": "Find it"}]
    }));
    let task = task_of(coordinator.handle(started).unwrap());
    assert_eq!((task.status, task.owner.pid), (TaskStatus::Running, std::process::id()));
    let task = task.id;
    for told in [
        json!({"type": "TASK_ADD_RELEVANT_TAB", "task": task, "tab": {"id": "t1", "url": "http://shop/"}}),
        json!({"type": "RECORD_ACTION", "task": task, "action": {"command": "click e1", "phase": "begun"}}),
        json!({"type": "RECORD_ACTION", "task": task,
               "action": {"command": "click e1", "ok": true, "outcome": "page: Lamps"}}),
        json!({"type": "UPDATE_TASK_CONTEXT", "task": task, "patch": {
            "subtasks": [{"text": "Find it", "status": "done"}, {"text": "Buy it"}],
            "relevantTabs": [{"id": "t1", "title": "Shop"}, {"id": "t2", "url": "http://cart/"}],
            "collectedData": {"price": 12, "name": "Lux"},
            "errors": ["the cart was slow"]}}),
        json!({"type": "UPDATE_TASK_CONTEXT", "task": task, "patch": {
            "collectedData": {"price": 11}, "errors": ["and slower"]}}),
    ] {
        coordinator.handle(message(told)).unwrap();
    }
    // Seen by another process, without naming the task.
    let reply = home.open().handle(message(json!({"type": "GET_STATE"}))).unwrap();
    let TaskReply::State(state) = reply else { panic!("{reply:?}") };
    let context = &state.task_context;
    assert_eq!(
        context.subtasks,
        [subtask("Find it", SubtaskStatus::Done), subtask("Buy it", SubtaskStatus::Pending)]
    );
    let tabs: Vec<_> = context
        .relevant_tabs
        .iter()
        .map(|tab| (tab.id.as_str(), tab.url.as_str(), tab.title.as_str()))
        .collect();
    assert_eq!(tabs, [("t1", "http://shop/", "Shop"), ("t2", "http://cart/", "")]);
    assert_eq!(json!(context.collected_data), json!({"price": 11, "name": "Lux"}));
    let errors: Vec<_> = context.errors.iter().map(|error| error.text.as_str()).collect();
    assert_eq!(errors, ["the cart was slow", "and slower"]);
    let [act] = state.action_history.as_slice() else { panic!("{:?}", state.action_history) };
    assert_eq!((act.action.phase, act.action.outcome.as_str()), (ActionPhase::Ended, "page: Lamps"));
    let exported = serde_json::to_value(&state).unwrap();
    let keys: Vec<_> = exported.as_object().unwrap().keys().cloned().collect();
    assert_eq!(keys, ["actionHistory", "taskContext"]);
}

#[test]
fn an_act_that_never_ended_stays_in_the_history_as_begun() {
    let home = Home::new();
    let coordinator = home.open();
    let task = start(&coordinator, "pay");
    let action = ActionRecord {
        command: "click e9".into(),
        phase: ActionPhase::Begun,
        commits: true,
        ..ActionRecord::default()
    };
    coordinator.handle(TaskMessage::RecordAction { task, action }).unwrap();
    drop(coordinator);
    let history = home.open().state(task).unwrap().action_history;
    assert_eq!((history[0].action.phase, history[0].action.commits), (ActionPhase::Begun, true));
}

#[test]
fn a_paused_task_begins_nothing_but_tells_what_ended() {
    let home = Home::new();
    let coordinator = home.open();
    let task = start(&coordinator, "pay");
    coordinator.handle(TaskMessage::PauseTask { task, reason: "wait".into() }).unwrap();
    let act = |phase| ActionRecord { command: "click e9".into(), phase, ..ActionRecord::default() };
    let begun = coordinator.handle(TaskMessage::RecordAction { task, action: act(ActionPhase::Begun) });
    assert!(matches!(begun, Err(StateError::WrongStatus { status: TaskStatus::Paused, .. })));
    coordinator.handle(TaskMessage::RecordAction { task, action: act(ActionPhase::Ended) }).unwrap();
}

#[test]
fn a_task_goes_through_its_statuses_and_a_finished_one_stays() {
    let home = Home::new();
    let coordinator = home.open();
    let task = start(&coordinator, "look");
    let pause = TaskMessage::PauseTask { task, reason: "lunch".into() };
    let paused = task_of(coordinator.handle(pause.clone()).unwrap());
    assert_eq!((paused.status, paused.reason.as_str()), (TaskStatus::Paused, "lunch"));
    let resumed = task_of(coordinator.handle(TaskMessage::ResumeTask { task, owner: None }).unwrap());
    assert_eq!((resumed.status, resumed.reason.as_str()), (TaskStatus::Running, ""));
    let stop = TaskMessage::StopTask { task, reason: "enough".into() };
    let stopped = task_of(coordinator.handle(stop.clone()).unwrap());
    assert!(stopped.status == TaskStatus::Stopped && stopped.ended_at.is_some());
    assert_eq!(task_of(coordinator.handle(stop).unwrap()), stopped, "a second time changes nothing");
    let told = coordinator.handle(pause).unwrap_err().to_string();
    assert_eq!(told, "task 1 is stopped, so it cannot be paused");
}

#[test]
fn a_task_has_all_its_locks_or_does_not_start() {
    let home = Home::new();
    let coordinator = home.open();
    let (free, held) = (LockName::Session("free".into()), LockName::Device("held".into()));
    let lease = coordinator.acquire(&held, &me()).unwrap();
    let start = TaskMessage::StartTask {
        goal: "both".into(),
        subtasks: vec![],
        locks: vec![free.clone(), held.clone()],
        owner: None,
    };
    assert!(matches!(coordinator.handle(start.clone()), Err(StateError::Busy { .. })));
    assert!(coordinator.holder(&free).unwrap().is_none(), "half a start must leave nothing");
    let TaskReply::Tasks { tasks } =
        coordinator.handle(TaskMessage::ListTasks { status: None, limit: None }).unwrap()
    else {
        panic!("no list")
    };
    assert!(tasks.is_empty());
    lease.release().unwrap();
    let task = task_of(coordinator.handle(start).unwrap()).id;
    assert!(matches!(coordinator.acquire(&free, &me()), Err(StateError::Busy { .. })));
    coordinator.handle(TaskMessage::PauseTask { task, reason: String::new() }).unwrap();
    let borrowed = coordinator.acquire(&free, &me()).unwrap();
    let resume = TaskMessage::ResumeTask { task, owner: None };
    assert!(matches!(coordinator.handle(resume.clone()), Err(StateError::Busy { .. })));
    borrowed.release().unwrap();
    coordinator.handle(resume).unwrap();
    assert!(coordinator.holder(&held).unwrap().is_some());
}

#[test]
fn subscribers_hear_everything_once_and_in_order() {
    let home = Home::new();
    let coordinator = home.open();
    let task = start(&coordinator, "look");
    let tab = TaskTab { id: "t1".into(), url: String::new(), title: String::new() };
    coordinator.handle(TaskMessage::TaskAddRelevantTab { task, tab: tab.clone() }).unwrap();
    let patch = ContextPatch { errors: vec!["e".into()], ..ContextPatch::default() };
    coordinator.handle(TaskMessage::UpdateTaskContext { task, patch: patch.clone() }).unwrap();
    let action = ActionRecord { command: "reload".into(), ok: true, ..ActionRecord::default() };
    coordinator.handle(TaskMessage::RecordAction { task, action: action.clone() }).unwrap();
    coordinator.handle(TaskMessage::PauseTask { task, reason: "r".into() }).unwrap();
    coordinator.handle(TaskMessage::ResumeTask { task, owner: Some(me()) }).unwrap();
    coordinator.handle(TaskMessage::StopTask { task, reason: "s".into() }).unwrap();
    let run = begin(&coordinator, "r1", &home.path, me());
    record_all(&coordinator, run, [run_finished(false)]);

    let subscriber = home.open();
    let (mut after, mut heard) = (0, Vec::new());
    loop {
        let some = subscriber.events_after(after, 2).unwrap();
        let Some(last) = some.last() else { break };
        after = last.number;
        heard.extend(some.into_iter().map(|event| (event.task, event.event)));
    }
    let TaskEvent::Resumed { .. } = heard.remove(5).1 else { panic!("{heard:?}") };
    let expected = [
        (task, TaskEvent::Started { goal: "look".into() }),
        (task, TaskEvent::TabAdded { tab }),
        (task, TaskEvent::ContextUpdated { patch }),
        (task, TaskEvent::ActionRecorded { action }),
        (task, TaskEvent::Paused { reason: "r".into() }),
        (task, TaskEvent::Stopped { reason: "s".into() }),
        (run, TaskEvent::Started { goal: "run demo".into() }),
        (run, TaskEvent::Finished),
    ];
    assert_eq!(heard, expected);
}

#[test]
fn a_subscriber_is_woken_by_its_own_process_and_by_others() {
    let home = Home::new();
    let (mine, other) = (home.open(), home.open());
    assert!(mine.wait_for_events(0, Duration::ZERO).unwrap().is_empty());
    let mut after = 0;
    for teller in [mine.clone(), other] {
        let waiting = mine.clone();
        let waiter = std::thread::spawn(move || waiting.wait_for_events(after, Duration::from_secs(300)));
        start(&teller, "look");
        let heard = waiter.join().unwrap().unwrap();
        assert!(matches!(heard[0].event, TaskEvent::Started { .. }) && heard.len() == 1);
        after = heard[0].number;
    }
}

#[test]
fn what_is_asked_of_a_task_that_is_not_there_is_refused() {
    let home = Home::new();
    let coordinator = home.open();
    let told = coordinator.handle(TaskMessage::GetState { task: None }).unwrap_err().to_string();
    assert_eq!(told, "there is no task yet");
    let missing = TaskId(5);
    for told in [
        TaskMessage::GetState { task: Some(missing) },
        TaskMessage::StopTask { task: missing, reason: String::new() },
        TaskMessage::UpdateTaskContext { task: missing, patch: ContextPatch::default() },
        TaskMessage::RecordAction { task: missing, action: ActionRecord::default() },
        TaskMessage::ResumeTask { task: missing, owner: None },
    ] {
        assert!(matches!(coordinator.handle(told), Err(StateError::NotFound { .. })));
    }
    assert!(coordinator.events_after(0, 10).unwrap().is_empty());
}
