//! The worker with hands of a page that is scripted here.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use assay_coordinator::{Coordinator, this_process};
use assay_protocol::{
    ActionPhase, ActionRecord, Failure, Scene, SceneNode, Subtask, SubtaskStatus, TaskId, TaskMessage,
    TaskReply, TaskStatus, Verdict,
};

use super::*;

struct Page {
    /// What comes of each sentence, in turn; afterwards nothing is understood.
    answers: VecDeque<(&'static str, Tried)>,
    links: Vec<&'static str>,
    /// The sentences that were carried out.
    carried_out: Vec<String>,
}

impl Hands for Page {
    fn carry_out(&mut self, sentence: &str) -> Result<Tried, Failure> {
        self.carried_out.push(sentence.to_string());
        let at = self.answers.iter().position(|(known, _)| *known == sentence);
        Ok(at
            .and_then(|at| self.answers.remove(at))
            .map_or_else(|| ended(Verdict::Inconclusive), |(_, tried)| tried))
    }

    fn look(&mut self) -> Result<Scene, Failure> {
        let node = |name: &&str| SceneNode {
            reference: Some("e1".to_string()),
            role: "link".to_string(),
            name: (*name).to_string(),
            ..SceneNode::default()
        };
        Ok(Scene { nodes: self.links.iter().map(node).collect(), ..Scene::default() })
    }

    fn tell(&mut self, _: &str) {}
}

fn ended(verdict: Verdict) -> Tried {
    let reason = if verdict == Verdict::Passed { "" } else { "nothing fits" };
    Tried {
        verdict,
        reason: reason.to_string(),
        has_acted: false,
        has_judged: false,
        is_by_pilot: false,
        candidates: Vec::new(),
        lines: Vec::new(),
    }
}

fn passed() -> Tried {
    Tried { has_acted: true, ..ended(Verdict::Passed) }
}

/// Removed at the end.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _gone = std::fs::remove_dir_all(&self.0);
    }
}

struct Trial {
    coordinator: Coordinator,
    task: TaskId,
    page: Page,
    _folder: Folder,
}

impl Trial {
    fn of(parts: &[&str], answers: Vec<(&'static str, Tried)>, links: &[&'static str]) -> Trial {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = Folder(std::env::temp_dir().join(format!("assay-goal-{}-{number}", std::process::id())));
        let coordinator = Coordinator::open(&folder.0).unwrap();
        let part = |text: &&str| Subtask {
            text: (*text).to_string(),
            status: SubtaskStatus::Pending,
            begun_after: None,
        };
        let message = TaskMessage::StartTask {
            goal: parts.join(". "),
            subtasks: parts.iter().map(part).collect(),
            locks: Vec::new(),
            owner: Some(this_process("a test").unwrap()),
        };
        let TaskReply::Task { task } = coordinator.handle(message).unwrap() else { panic!("not a task") };
        let page = Page { answers: answers.into(), links: links.to_vec(), carried_out: Vec::new() };
        Trial { coordinator, task: task.id, page, _folder: folder }
    }

    fn run(&mut self) -> GoalEnd {
        let worker = Worker {
            coordinator: &self.coordinator,
            task: self.task,
            hands: &mut self.page,
            limits: GoalLimits::default(),
        };
        worker.run().unwrap()
    }

    fn status(&self) -> TaskStatus {
        self.coordinator.task(self.task).unwrap().status
    }

    fn statuses(&self) -> Vec<SubtaskStatus> {
        let state = self.coordinator.state(self.task).unwrap();
        state.task_context.subtasks.iter().map(|subtask| subtask.status).collect()
    }
}

#[track_caller]
fn doubt(end: GoalEnd) -> Doubt {
    match end {
        GoalEnd::Asks(doubt) => doubt,
        other => panic!("expected a question, got {other:?}"),
    }
}

#[test]
fn a_goal_is_reached_when_each_part_is_done() {
    let mut trial = Trial::of(&["one", "two"], vec![("one", passed()), ("two", passed())], &[]);
    assert_eq!(trial.run(), GoalEnd::Reached);
    assert_eq!(trial.status(), TaskStatus::Finished);
    assert_eq!(trial.statuses(), [SubtaskStatus::Done, SubtaskStatus::Done]);
    let state = trial.coordinator.state(trial.task).unwrap();
    assert!(state.task_context.collected_data.contains_key("subtask 2"));
}

#[test]
fn a_part_that_does_not_work_is_tried_again_on_a_fresh_look() {
    let answers = vec![("one", ended(Verdict::Inconclusive)), ("one", passed())];
    let mut trial = Trial::of(&["one"], answers, &[]);
    assert_eq!(trial.run(), GoalEnd::Reached);
    assert_eq!(trial.page.carried_out, ["one", "one"]);
}

#[test]
fn after_two_failures_the_navigation_of_the_page_leads_on_and_the_error_is_on_record() {
    let text = "Cancel the first order";
    let answers = vec![
        (text, ended(Verdict::Inconclusive)),
        (text, ended(Verdict::Inconclusive)),
        ("Click the \"Orders\" link", passed()),
        (text, passed()),
    ];
    let mut trial = Trial::of(&[text], answers, &["Home", "Orders"]);
    assert_eq!(trial.run(), GoalEnd::Reached);
    let state = trial.coordinator.state(trial.task).unwrap();
    assert_eq!(state.task_context.errors.len(), 1);
}

#[test]
fn a_claim_that_does_not_hold_fails_the_goal_and_nothing_is_done_after_it() {
    let judged = Tried { has_judged: true, ..ended(Verdict::Failed) };
    let answers = vec![("one", judged), ("two", passed())];
    let mut trial = Trial::of(&["one", "two"], answers, &["One"]);
    assert!(matches!(trial.run(), GoalEnd::Failed(_)));
    assert_eq!(trial.page.carried_out, ["one"]);
    assert_eq!(trial.statuses(), [SubtaskStatus::Failed, SubtaskStatus::Pending]);
    assert_eq!(trial.status(), TaskStatus::Paused);
}

#[test]
fn what_a_page_lacks_is_looked_for_elsewhere() {
    let text = "Click the \"Cancel\" button of the order";
    let lacking = ended(Verdict::Failed);
    let answers = vec![
        (text, lacking.clone()),
        (text, lacking),
        ("Click the \"Orders\" link", passed()),
        (text, passed()),
    ];
    assert_eq!(Trial::of(&[text], answers, &["Orders"]).run(), GoalEnd::Reached);
}

#[test]
fn what_acted_before_it_got_stuck_is_not_carried_out_again() {
    let stuck = Tried { has_acted: true, ..ended(Verdict::Inconclusive) };
    let mut trial = Trial::of(&["one"], vec![("one", stuck)], &["One"]);
    let doubt = doubt(trial.run());
    assert!(doubt.reason.starts_with("a part of it was done"), "{}", doubt.reason);
    assert_eq!(trial.page.carried_out, ["one"]);
}

#[test]
fn several_elements_are_a_question_with_their_names() {
    let many =
        Tried { candidates: vec!["link \"A\"".into(), "link \"B\"".into()], ..ended(Verdict::Inconclusive) };
    let mut trial = Trial::of(&["one"], vec![("one", many)], &[]);
    assert_eq!(doubt(trial.run()).candidates, ["link \"A\"", "link \"B\""]);
    assert_eq!(trial.status(), TaskStatus::Paused);
}

#[test]
fn a_part_that_begun_and_acted_before_a_crash_is_not_begun_again() {
    let mut trial = Trial::of(&["one"], vec![("one", passed())], &[]);
    let begun = Subtask { text: "one".into(), status: SubtaskStatus::Running, begun_after: Some(0) };
    let patch = assay_protocol::ContextPatch { subtasks: Some(vec![begun]), ..Default::default() };
    trial.coordinator.handle(TaskMessage::UpdateTaskContext { task: trial.task, patch }).unwrap();
    let act =
        ActionRecord { command: "click Pay".into(), phase: ActionPhase::Begun, ..ActionRecord::default() };
    trial.coordinator.handle(TaskMessage::RecordAction { task: trial.task, action: act }).unwrap();
    let doubt = doubt(trial.run());
    assert!(doubt.reason.contains("click Pay"), "{}", doubt.reason);
    assert!(trial.page.carried_out.is_empty());
}

#[test]
fn what_a_pilot_did_counts_only_with_a_claim_judged_after_it() {
    let piloted = Tried { is_by_pilot: true, ..passed() };
    let judged = Tried { has_judged: true, ..ended(Verdict::Passed) };
    let answers = vec![("buy it", piloted.clone()), ("it is bought", judged)];
    assert_eq!(Trial::of(&["buy it", "it is bought"], answers, &[]).run(), GoalEnd::Reached);

    let mut trial = Trial::of(&["buy it", "look"], vec![("buy it", piloted), ("look", passed())], &[]);
    assert_eq!(trial.run(), GoalEnd::Unchecked(vec![1]));
    assert_eq!(trial.status(), TaskStatus::Finished);
}

#[test]
fn a_task_that_somebody_stopped_is_left_alone() {
    let mut trial = Trial::of(&["one"], vec![("one", passed())], &[]);
    let stop = TaskMessage::StopTask { task: trial.task, reason: String::new() };
    trial.coordinator.handle(stop).unwrap();
    assert_eq!(trial.run(), GoalEnd::Ended(TaskStatus::Stopped));
    assert!(trial.page.carried_out.is_empty());
}
