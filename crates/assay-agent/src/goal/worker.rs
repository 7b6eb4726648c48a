//! The loop over the subtasks of a goal.

use std::time::{Duration, Instant};

use assay_coordinator::{Coordinator, StateError};
use assay_protocol::{
    ContextPatch, ErrorCode, Failure, Scene, Subtask, SubtaskStatus, TaskId, TaskMessage, TaskReply,
    TaskState, TaskStatus, Verdict,
};
use serde_json::{Map, Value, json};

use super::ways::{Ways, way};

/// Why work on a goal broke off.
#[derive(Debug, thiserror::Error)]
pub enum GoalError {
    #[error(transparent)]
    State(#[from] StateError),
    #[error(transparent)]
    Session(#[from] Failure),
}

/// What a worker can do in the session.
pub trait Hands {
    /// Carries a sentence out, or judges what it claims.
    fn carry_out(&mut self, sentence: &str) -> Result<Tried, Failure>;

    /// The page as it is now.
    fn look(&mut self) -> Result<Scene, Failure>;

    /// Tells the user what happens.
    fn tell(&mut self, line: &str);
}

/// What came of a sentence.
#[derive(Debug, Clone, PartialEq)]
pub struct Tried {
    pub verdict: Verdict,
    /// Empty for a pass.
    pub reason: String,
    /// Something was done on the page, so the sentence must not be carried out once more.
    pub has_acted: bool,
    /// Something that the sentence claims was judged.
    pub has_judged: bool,
    /// A pilot decided what to do, and says itself that it is done.
    pub is_by_pilot: bool,
    /// The elements that the sentence may mean.
    pub candidates: Vec<String>,
    /// The acts and judgements, a line each.
    pub lines: Vec<String>,
}

/// When a worker stops by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GoalLimits {
    pub time: Duration,
    /// How many ways it goes for one subtask.
    pub ways: usize,
}

impl Default for GoalLimits {
    fn default() -> GoalLimits {
        GoalLimits { time: Duration::from_secs(300), ways: 4 }
    }
}

/// What only a user can decide.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Doubt {
    /// Counts from 1.
    pub subtask: usize,
    pub text: String,
    pub reason: String,
    pub candidates: Vec<String>,
}

/// How the work ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GoalEnd {
    Reached,
    /// All is done, and these parts (from 1) rest on the word of a pilot: no claim of the goal was judged after them.
    Unchecked(Vec<usize>),
    /// A claim of the goal does not hold, and that is certain.
    Failed(Doubt),
    /// The task is paused; a user has to say more.
    Asks(Doubt),
    /// The time is over; the task is paused.
    OutOfTime,
    /// Somebody else paused or stopped the task.
    Ended(TaskStatus),
}

/// Carries out the subtasks of a task that are not done.
pub struct Worker<'a> {
    pub coordinator: &'a Coordinator,
    pub task: TaskId,
    pub hands: &'a mut dyn Hands,
    pub limits: GoalLimits,
}

/// How one subtask ended.
enum Attempted {
    Done(Tried),
    Failed(String),
    Doubtful { reason: String, candidates: Vec<String> },
}

impl Worker<'_> {
    pub fn run(mut self) -> Result<GoalEnd, GoalError> {
        let over = Instant::now() + self.limits.time;
        loop {
            let state = self.state()?;
            let context = &state.task_context;
            if context.status != TaskStatus::Running {
                return Ok(GoalEnd::Ended(context.status));
            }
            let mut subtasks = context.subtasks.clone();
            let Some(at) = subtasks.iter().position(|subtask| subtask.status != SubtaskStatus::Done) else {
                self.coordinator.finish_task(self.task)?;
                let unchecked = unchecked_parts(context.subtasks.len(), &context.collected_data);
                return Ok(match unchecked.is_empty() {
                    true => GoalEnd::Reached,
                    false => GoalEnd::Unchecked(unchecked),
                });
            };
            let text = subtasks[at].text.clone();
            let doubt = |reason: String, candidates| Doubt {
                subtask: at + 1,
                text: text.clone(),
                reason,
                candidates,
            };
            if let Some(reason) = cut_off(&subtasks[at], &state) {
                return self.pause(doubt(reason, Vec::new())).map(GoalEnd::Asks);
            }
            if Instant::now() >= over {
                self.set_paused("the time for the goal is over")?;
                return Ok(GoalEnd::OutOfTime);
            }
            subtasks[at] = Subtask {
                status: SubtaskStatus::Running,
                begun_after: Some(state.action_history.len() as u64),
                ..subtasks[at].clone()
            };
            self.update(ContextPatch { subtasks: Some(subtasks.clone()), ..ContextPatch::default() })?;
            self.hands.tell(&format!("{}. {text}", at + 1));
            match self.attempt(&text, over)? {
                Attempted::Done(tried) => {
                    subtasks[at].status = SubtaskStatus::Done;
                    let page = self.hands.look()?;
                    let mut seen = json!({ "url": page.url, "title": page.title, "lines": tried.lines });
                    if tried.is_by_pilot && !tried.has_judged {
                        seen[PROOF] = json!("none: a pilot did it");
                    } else if tried.has_judged {
                        seen[PROOF] = json!("judged");
                    }
                    let collected = Map::from_iter([(key_of(at + 1), seen)]);
                    self.update(ContextPatch {
                        subtasks: Some(subtasks),
                        collected_data: collected,
                        ..ContextPatch::default()
                    })?;
                }
                Attempted::Failed(reason) => {
                    subtasks[at].status = SubtaskStatus::Failed;
                    let errors = vec![format!("subtask {}: {reason}", at + 1)];
                    self.update(ContextPatch {
                        subtasks: Some(subtasks),
                        errors,
                        ..ContextPatch::default()
                    })?;
                    self.set_paused(&format!("subtask {} failed: {reason}", at + 1))?;
                    return Ok(GoalEnd::Failed(doubt(reason, Vec::new())));
                }
                Attempted::Doubtful { reason, candidates } => {
                    // After an act of its own, a subtask stays begun: nothing is done twice unseen.
                    let now = self.state()?;
                    if cut_off(&subtasks[at], &now).is_none() {
                        subtasks[at].status = SubtaskStatus::Pending;
                        self.update(ContextPatch { subtasks: Some(subtasks), ..ContextPatch::default() })?;
                    }
                    return self.pause(doubt(reason, candidates)).map(GoalEnd::Asks);
                }
            }
        }
    }

    /// Tries a subtask, tries it again on a fresh look, then plans again.
    fn attempt(&mut self, text: &str, over: Instant) -> Result<Attempted, GoalError> {
        let mut tried_ways: Vec<String> = Vec::new();
        let mut tried = self.hands.carry_out(text)?;
        let mut is_second = false;
        loop {
            match tried.verdict {
                Verdict::Passed => return Ok(Attempted::Done(tried)),
                Verdict::Failed if tried.has_judged => return Ok(Attempted::Failed(tried.reason)),
                // What this page lacks, another one may have.
                Verdict::Failed | Verdict::Inconclusive | Verdict::Error => {}
            }
            if tried.has_acted {
                let reason = format!("a part of it was done, and then: {}", tried.reason);
                return Ok(Attempted::Doubtful { reason, candidates: tried.candidates });
            }
            if !tried.candidates.is_empty() {
                return Ok(Attempted::Doubtful { reason: tried.reason, candidates: tried.candidates });
            }
            if Instant::now() >= over {
                return Ok(Attempted::Doubtful { reason: tried.reason, candidates: Vec::new() });
            }
            // A fresh look, and the same once more.
            let page = self.hands.look()?;
            if !is_second {
                is_second = true;
                tried = self.hands.carry_out(text)?;
                continue;
            }
            self.update(ContextPatch {
                errors: vec![format!("{text}: {}", tried.reason)],
                ..ContextPatch::default()
            })?;
            if tried_ways.len() >= self.limits.ways {
                return Ok(Attempted::Doubtful { reason: tried.reason, candidates: Vec::new() });
            }
            match way(&page, text, &tried_ways) {
                Ways::One { role, name } => {
                    self.hands.tell(&format!("  by way of {role} \"{name}\""));
                    tried_ways.push(name.clone());
                    let gone = self.hands.carry_out(&format!("Click the \"{name}\" {role}"))?;
                    if gone.verdict != Verdict::Passed {
                        return Ok(Attempted::Doubtful { reason: gone.reason, candidates: gone.candidates });
                    }
                    tried = self.hands.carry_out(text)?;
                }
                Ways::Several(candidates) => {
                    let reason = format!("{}; several ways lead on", tried.reason);
                    return Ok(Attempted::Doubtful { reason, candidates });
                }
                Ways::None => {
                    return Ok(Attempted::Doubtful { reason: tried.reason, candidates: Vec::new() });
                }
            }
        }
    }

    fn state(&self) -> Result<TaskState, GoalError> {
        match self.coordinator.handle(TaskMessage::GetState { task: Some(self.task) })? {
            TaskReply::State(state) => Ok(*state),
            _ => {
                Err(Failure::new(ErrorCode::Internal, "internal: unexpected answer from the coordinator")
                    .into())
            }
        }
    }

    fn update(&self, patch: ContextPatch) -> Result<(), GoalError> {
        let message = TaskMessage::UpdateTaskContext { task: self.task, patch };
        Ok(self.coordinator.handle(message).map(drop)?)
    }

    fn pause(&self, doubt: Doubt) -> Result<Doubt, GoalError> {
        let mut reason = format!("subtask {}: {}", doubt.subtask, doubt.reason);
        if !doubt.candidates.is_empty() {
            reason += &format!(" ({})", doubt.candidates.join("; "));
        }
        self.set_paused(&reason)?;
        Ok(doubt)
    }

    fn set_paused(&self, reason: &str) -> Result<(), GoalError> {
        let message = TaskMessage::PauseTask { task: self.task, reason: reason.to_string() };
        Ok(self.coordinator.handle(message).map(drop)?)
    }
}

/// What is known of a part beyond its page: whether anything was judged.
const PROOF: &str = "proof";

fn key_of(part: usize) -> String {
    format!("subtask {part}")
}

/// The parts that a pilot did and after which no claim was judged.
fn unchecked_parts(count: usize, collected: &Map<String, Value>) -> Vec<usize> {
    let proof = |part: usize| collected.get(&key_of(part)).and_then(|seen| seen.get(PROOF)?.as_str());
    let checked = (1..=count).rev().find(|part| proof(*part) == Some("judged")).unwrap_or(0);
    (checked + 1..=count).filter(|part| proof(*part).is_some()).collect()
}

/// Why a subtask cannot simply be tried: it had begun, and acts were done for it.
fn cut_off(subtask: &Subtask, state: &TaskState) -> Option<String> {
    let begun_after = usize::try_from(subtask.begun_after?).ok()?;
    let acts = state.action_history.get(begun_after..).unwrap_or_default();
    (subtask.status == SubtaskStatus::Running && !acts.is_empty()).then(|| {
        let done: Vec<&str> = acts.iter().map(|past| past.action.command.as_str()).collect();
        format!(
            "it had begun, and may be done in part: {}; look at the page, then `assay task resume --skip` leaves it as done, \
             `--again` does it again",
            done.join(", ")
        )
    })
}
