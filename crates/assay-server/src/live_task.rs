//! Goals on live pages: a task for each, with a worker on a thread of its own. Everybody who looks at the page sees it work.
//!
//! The task is on record as any task is, so `assay task` knows it too. On the page of an open session it belongs to that
//! session, and outlives the service; on another page it is paused when the page ends.

use std::sync::Arc;
use std::time::{Duration, Instant};

use assay_agent::goal::{CutOff, GoalError, GoalLimits, Hands, Tried, Worker, settle_cut_off, subtasks_of};
use assay_coordinator::{Lease, this_process};
use assay_host::{LivePage, session_of_device, state_failure};
use assay_protocol::{
    ErrorCode, Failure, LockName, Owner, Scene, Task, TaskId, TaskKind, TaskMessage, TaskReply, TaskStatus,
    TaskTab,
};
use assay_tools::draft_of;
use serde_json::json;

use crate::live::{HeldPage, text_of};
use crate::problem::Problem;
use crate::service::Service;

/// How long a part waits until something else that was asked of the page is done.
const MOST_WAIT: Duration = Duration::from_secs(60);

/// Begins a task on a page.
pub fn begin(service: &Arc<Service>, held: &Arc<HeldPage>, goal: &str) -> Result<TaskId, Problem> {
    let mut place = held.task();
    if let Some(known) = *place
        && is_worked_on(service, known)?
    {
        return Err(Problem::conflict(format!("task {known} is at work on this page"))
            .hint("pause it or stop it first"));
    }
    let subtasks = subtasks_of(goal);
    if subtasks.is_empty() {
        return Err(Problem::usage("the goal says nothing to do"));
    }
    let locks = session_lock(held).into_iter().collect();
    let owner = owner_of(service, held)?;
    let message = TaskMessage::StartTask { goal: goal.to_string(), subtasks, locks, owner: Some(owner) };
    let TaskReply::Task { task } = service.coordinator.handle(message)? else {
        return Err(Problem::internal("unexpected answer from the coordinator"));
    };
    *place = Some(task.id);
    // The tab in front has to do with the task from the beginning.
    let view = held.page.view();
    for tab in view.tabs.into_iter().filter(|tab| tab.current) {
        let title = if tab.title.is_empty() { view.title.clone() } else { tab.title };
        let tab = TaskTab { id: tab.tab, url: tab.url, title };
        service.coordinator.handle(TaskMessage::TaskAddRelevantTab { task: task.id, tab })?;
    }
    set_to_work(service, held, task.id)?;
    Ok(task.id)
}

/// Lets the task of a page go on.
pub fn resume(service: &Arc<Service>, held: &Arc<HeldPage>, cut_off: CutOff) -> Result<(), Problem> {
    let Some(task) = task_of(service, held)? else { return Err(no_task()) };
    let mut place = held.task();
    if is_worked_on(service, task.id)? {
        return Err(Problem::conflict(format!("task {} is at work", task.id)));
    }
    if task.status != TaskStatus::Running {
        service.coordinator.take_over(task.id, &owner_of(service, held)?)?;
    }
    settle_cut_off(&service.coordinator, task.id, cut_off)?;
    *place = Some(task.id);
    set_to_work(service, held, task.id)
}

/// Pauses the task of a page, or stops it. What is being done at this moment comes to its end.
pub fn leave(service: &Service, held: &HeldPage, is_over: bool, by: &str) -> Result<(), Problem> {
    let Some(Task { id: task, .. }) = task_of(service, held)? else { return Err(no_task()) };
    let message = match is_over {
        true => TaskMessage::StopTask { task, reason: format!("stopped by {by}") },
        false => TaskMessage::PauseTask { task, reason: format!("paused by {by}") },
    };
    service.coordinator.handle(message)?;
    // It is shown with its end.
    *held.task() = Some(task);
    Ok(())
}

/// The task of a page: the one that was begun at it, or an open one of its session.
pub fn task_of(service: &Service, held: &HeldPage) -> Result<Option<Task>, Problem> {
    if let Some(known) = *held.task() {
        return Ok(Some(service.coordinator.task(known)?));
    }
    let Some(lock) = session_lock(held) else { return Ok(None) };
    let listed = service.coordinator.handle(TaskMessage::ListTasks { status: None, limit: None })?;
    let TaskReply::Tasks { tasks } = listed else { return Ok(None) };
    let is_open = |task: &Task| {
        task.kind == TaskKind::Goal
            && matches!(task.status, TaskStatus::Running | TaskStatus::Paused)
            && task.locks.contains(&lock)
    };
    let Some(found) = tasks.into_iter().find(is_open) else { return Ok(None) };
    // In another browser everything would have to be done again: `assay task resume` does that.
    let owner = owner_of(service, held)?;
    let life = |owner: &Owner| (owner.pid, owner.process_start, owner.doing.clone());
    Ok((life(&found.owner) == life(&owner)).then_some(found))
}

/// Whether some process works on a task.
pub fn is_worked_on(service: &Service, task: TaskId) -> Result<bool, Problem> {
    Ok(service.coordinator.holder(&LockName::Task(task.to_string()))?.is_some())
}

fn no_task() -> Problem {
    Problem::not_found("this page has no task")
}

fn session_lock(held: &HeldPage) -> Option<LockName> {
    let session = session_of_device(&held.device.as_ref()?.device)?;
    Some(LockName::Session(session.to_string()))
}

/// The process that the task lives as long as: the daemon of an open session, or else this service.
fn owner_of(service: &Service, held: &HeldPage) -> Result<Owner, Problem> {
    match &held.device {
        Some(device) => Ok(service.seams.live.owner_of(&device.device)?),
        None => Ok(this_process("a live page of assay serve")?),
    }
}

/// Starts the worker of a task. One at a time: whoever holds the lock works on it.
fn set_to_work(service: &Arc<Service>, held: &Arc<HeldPage>, task: TaskId) -> Result<(), Problem> {
    let owner = this_process("a live page of assay serve")?;
    let lease = service.coordinator.acquire(&LockName::Task(task.to_string()), &owner)?;
    let (service, held) = (Arc::clone(service), Arc::clone(held));
    let worker = std::thread::Builder::new().name("assay-goal".to_string());
    let begun = worker.spawn(move || work(&service, &held, task, lease));
    begun.map(drop).map_err(|err| Problem::internal(format!("could not start a thread: {err}")))
}

fn work(service: &Service, held: &HeldPage, task: TaskId, lease: Lease) {
    let mut hands = PageHands { service, held, task };
    let worker =
        Worker { coordinator: &service.coordinator, task, hands: &mut hands, limits: GoalLimits::default() };
    if let Err(error) = worker.run() {
        let reason = match error {
            GoalError::State(error) => state_failure(error).message,
            GoalError::Session(failure) => failure.message,
        };
        // Somebody else may have paused or stopped it: that is why it broke off.
        let is_running = service.coordinator.task(task).is_ok_and(|task| task.status == TaskStatus::Running);
        let message = TaskMessage::PauseTask { task, reason: reason.clone() };
        if is_running && let Err(error) = service.coordinator.handle(message) {
            let fields = [("task", json!(task.0)), ("why", json!(error.to_string()))];
            service.log.error("task.not_paused", &fields);
        }
    }
    drop(lease);
}

/// A live page at the service of a worker.
struct PageHands<'a> {
    service: &'a Service,
    held: &'a HeldPage,
    task: TaskId,
}

impl PageHands<'_> {
    /// Asks the page, once nothing else is asked of it. People may use it between two parts.
    fn ask<T>(&self, ask: impl Fn(&LivePage) -> Result<T, Failure>) -> Result<T, Failure> {
        let over = Instant::now() + MOST_WAIT;
        loop {
            let task = self.service.coordinator.task(self.task).map_err(state_failure)?;
            if task.status != TaskStatus::Running {
                let message = format!("task {} is {}", self.task, task.status.name());
                return Err(Failure::new(ErrorCode::Stopped, message));
            }
            if self.held.device.as_ref().is_some_and(|device| !*device.is_taken()) {
                return Err(Failure::new(ErrorCode::DeviceBusy, "control of the device was given back"));
            }
            self.held.page.await_free(over.saturating_duration_since(Instant::now()));
            match ask(&self.held.page) {
                Err(failure) if failure.code == ErrorCode::SessionBusy && Instant::now() < over => {}
                done => return done,
            }
        }
    }
}

impl Hands for PageHands<'_> {
    fn carry_out(&mut self, sentence: &str) -> Result<Tried, Failure> {
        let folder = self.service.seams.program.folder();
        let file = draft_of(&folder, self.held.path_or_none(), &text_of("Goal", sentence))
            .map_err(|trouble| Failure::new(ErrorCode::Usage, trouble.to_string()))?;
        let (coordinator, task) = (&self.service.coordinator, self.task);
        let done = self.ask(|page| page.carry_out_part(file.path(), coordinator.clone(), task))?;
        Ok(Tried {
            verdict: done.verdict,
            reason: done.reason,
            has_acted: done.has_acted,
            has_judged: done.has_judged,
            is_by_pilot: done.is_by_pilot,
            candidates: done.candidates,
            lines: done.lines,
        })
    }

    fn look(&mut self) -> Result<Scene, Failure> {
        self.ask(LivePage::scene)
    }

    /// The record tells everything; nobody sits at a terminal.
    fn tell(&mut self, _: &str) {}
}
